//! The OpenAPI document, generated from the handlers, and the schemas of the records that other crates define.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
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
    ),
    components(schemas(Problem)),
    tags((name = "pages", description = "Extraction"), (name = "server", description = "About the server")),
)]
struct Api;

/// The document as JSON.
pub(crate) static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let mut api = Api::openapi();
    for other in [corpus::openapi(), sites::openapi(), labels::openapi(), training::openapi()] {
        api.merge(other);
    }
    let mut api = serde_json::to_value(api).unwrap_or_default();
    api["info"]["version"] = json!(tamis_batch::VERSION);
    api["components"]["schemas"]["Record"] =
        schema("Record", include_str!("../../../docs/schema/document-2.json"));
    api["components"]["securitySchemes"] = json!({"token": {"type": "http", "scheme": "bearer"}});
    api["security"] = json!([{}, {"token": []}]);
    api.to_string()
});

/// A schema that stands by itself, as a part of the document: its references begin elsewhere here.
fn schema(name: &str, text: &str) -> Value {
    let text = text.replace("\"#/$defs/", &format!("\"#/components/schemas/{name}/$defs/"));
    let mut schema: Value = serde_json::from_str(&text).unwrap_or_default();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.remove("$id");
    }
    schema
}

pub(crate) async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str()).into_response()
}
