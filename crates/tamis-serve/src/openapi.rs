//! The OpenAPI document, generated from the handlers, and the schemas of the records that other crates define.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use tamis_methods::Selection;
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder, response};
use utoipa::{IntoResponses, OpenApi, ToSchema};

use crate::problem::Problem;
use crate::routes::{batch, corpus, extract, labels, meta, read, sites, training};

/// A record; its schema is that of the files in `docs/schema`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Record {}

/// An explanation of an extraction.
#[derive(Serialize, ToSchema)]
pub(crate) struct Inspection {}

/// A request to fetch a page: a [`PageRequest`](crate::PageRequest) with `url` and without `html`.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadRequest {}

/// The problems that every route may answer with.
pub(crate) struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<response::Response>> {
        let statuses = [400, 401, 403, 404, 406, 408, 413, 415, 422, 429, 500, 503];
        let responses = statuses.into_iter().map(|status| {
            let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
            let content = Content::new(Some(Ref::from_schema_name("Problem")));
            let response = ResponseBuilder::new()
                .description(reason.unwrap_or("Problem"))
                .content("application/problem+json", content)
                .build();
            (status.to_string(), RefOr::T(response))
        });
        responses.collect()
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tamis",
        description = "Main text and metadata of web pages. Errors are `application/problem+json` and name the remedy.",
        license(name = "MIT OR Apache-2.0"),
    ),
    paths(
        extract::extract, extract::explain, read::read, batch::batch,
        meta::config, meta::health, meta::ready, meta::version, meta::metrics,
        sites::list, sites::show, sites::judge,
        labels::list, labels::show, labels::save, labels::remove,
        training::status, training::start, training::keep, training::discard,
    ),
    components(schemas(Problem)),
    tags((name = "pages", description = "Extraction"), (name = "server", description = "About the server")),
)]
struct Api;

/// The document as JSON.
pub(crate) static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let mut api = Api::openapi();
    api.merge(corpus::openapi());
    let mut api = serde_json::to_value(api).unwrap_or_default();
    api["info"]["version"] = json!(tamis_batch::VERSION);
    add_schema(&mut api, "Record", include_str!("../../../docs/schema/document-2.json"));
    leave_open(&mut api);
    describe_answers(&mut api);
    name_methods(&mut api);
    let mut read = api["components"]["schemas"]["PageRequest"].clone();
    read["required"] = json!(["url"]);
    read["properties"]["url"] =
        json!({"type": "string", "format": "uri", "description": "The URL of the page."});
    if let Some(properties) = read["properties"].as_object_mut() {
        properties.remove("html");
    }
    api["components"]["schemas"]["ReadRequest"] = read;
    api["components"]["securitySchemes"] = json!({"token": {"type": "http", "scheme": "bearer"}});
    api["security"] = json!([{}, {"token": []}]);
    api.to_string()
});

/// The methods by name, which only the crate of the methods knows.
fn name_methods(api: &mut Value) {
    let names: Vec<Value> = Selection::all().map(|method| json!(method.name())).collect();
    let page = &mut api["components"]["schemas"]["PageRequest"]["properties"]["method"];
    page["enum"] = names.iter().cloned().chain([Value::Null]).collect();
    let id = &mut api["components"]["schemas"]["PageRequest"]["properties"]["id"];
    id["type"] = json!(["string", "number", "null"]);
    let operations = api["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for parameters in
        operations.filter_map(|path| path.get_mut("post")?.get_mut("parameters")?.as_array_mut())
    {
        for parameter in parameters.iter_mut().filter(|parameter| parameter["name"] == "method") {
            parameter["schema"] = json!({"type": "string", "enum": names});
        }
    }
}

/// Adds a schema that stands by itself. Its definitions become schemas of their own, as generators of clients know them.
fn add_schema(api: &mut Value, name: &str, text: &str) {
    let text = text.replace("\"#/$defs/", &format!("\"#/components/schemas/{name}-"));
    let mut schema: Value = serde_json::from_str(&text).unwrap_or_default();
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("$schema");
    object.remove("$id");
    let definitions = object.remove("$defs");
    // Its tree of pieces is more than most generators can read; docs/schema has it.
    if let Some(content) = object.get_mut("properties").and_then(|properties| properties.get_mut("content")) {
        content["items"] = json!({"type": "object"});
    }
    if let Some(Value::Object(mut definitions)) = definitions {
        definitions.retain(|definition, _| !["piece", "inline"].contains(&definition.as_str()));
        for (definition, schema) in definitions {
            api["components"]["schemas"][format!("{name}-{definition}")] = schema;
        }
    }
    api["components"]["schemas"][name] = schema;
}

/// Bodies that are no JSON may be any bytes, and options that are not given have no value.
fn leave_open(api: &mut Value) {
    let properties = api["components"]["schemas"]["PageRequest"]["properties"].as_object_mut();
    for option in properties.into_iter().flat_map(|properties| properties.values_mut()) {
        option.as_object_mut().map(|option| option.remove("default"));
    }
    let paths = api["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let parameters =
        paths.filter_map(|path| path.get_mut("post")?.get_mut("parameters")?.as_array_mut()).flatten();
    for schema in parameters.filter_map(|parameter| parameter.get_mut("schema")?.as_object_mut()) {
        schema.remove("default");
    }
    let paths = api["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for content in paths
        .filter_map(|path| path.get_mut("post")?.get_mut("requestBody")?.get_mut("content")?.as_object_mut())
    {
        for (media_type, body) in
            content.iter_mut().filter(|(media_type, _)| *media_type != "application/json")
        {
            body["schema"] = json!({"contentMediaType": media_type});
        }
    }
}

/// The standard wants a description of every answer.
fn describe_answers(api: &mut Value) {
    let paths = api["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let operations = paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut());
    let answers = operations.filter_map(|operation| operation.get_mut("responses")?.as_object_mut());
    for answer in answers.flat_map(|answers| answers.values_mut()).filter_map(Value::as_object_mut) {
        answer.entry("description").or_insert_with(|| json!("the answer"));
    }
}

pub(crate) async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str()).into_response()
}
