//! `POST /v1/extract`: a page in, its text out; nothing is fetched. `POST /v1/explain`: why.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tamis_batch::Html;
use tamis_inspect::{InspectOptions, Inspection};

use super::read::fetch_page;
use crate::format::Format;
use crate::options::PageRequest;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Extract a page.
///
/// The body is the page itself, or JSON with it. Options stand in the query or in the JSON, which wins. The answer has the
/// media type that `Accept` asks for.
#[utoipa::path(
    post, path = "/v1/extract", tag = "pages", params(PageRequest),
    request_body(content(
        (PageRequest = "application/json"),
        (String = "text/html"),
        (String = "text/plain"),
    )),
    responses(
        (status = 200, description = "The document", content(
            (crate::openapi::Record = "application/json"), (String = "text/plain"), (String = "text/markdown"),
            (String = "text/html"), (String = "application/xml"), (String = "application/tei+xml"),
        )),
        crate::openapi::Problems,
    )
)]
pub(crate) async fn extract(
    State(app): State<AppState>,
    query: Result<Query<PageRequest>, QueryRejection>,
    request: Request,
) -> Answer<Response> {
    let format = Format::of(request.headers())?;
    let text = with_page(app, query, request, move |app, html, about| extracted(app, html, about, format));
    Ok(answer(format, text.await?.map_err(|_| no_page())?))
}

/// Explain the extraction of a page.
///
/// Takes what `/v1/extract` takes. JSON with `url` and without `html` has the page fetched, where the server may. A page that did not
/// come as JSON is in the answer, decoded, as `source`. The answer has every block with its evidence, what each method says, the curves of the
/// methods and every candidate for the metadata.
#[utoipa::path(
    post, path = "/v1/explain", tag = "pages", params(PageRequest),
    request_body(content(
        (PageRequest = "application/json"),
        (String = "text/html"),
    )),
    responses(
        (status = 200, description = "The explanation", body = crate::openapi::Inspection),
        crate::openapi::Problems,
    )
)]
pub(crate) async fn explain(
    State(app): State<AppState>,
    query: Result<Query<PageRequest>, QueryRejection>,
    request: Request,
) -> Answer<Response> {
    let there = app.clone();
    // The answer is written in the pool, as it may take megabytes.
    let explained = with_page(app.clone(), query, request, |app, html, about| {
        Ok(Json(inspected(app, html, about, true)?).into_response())
    });
    match explained.await? {
        Ok(response) => Ok(response),
        Err(about) if about.url.is_some() => {
            let (held, about) = fetch_page(&app, *about).await?;
            let explain = move || inspected(&there, Html::Bytes(&held.bytes), &about, true);
            Ok(Json(app.pool().run(explain).await??).into_response())
        }
        Err(_) => Err(no_page()),
    }
}

fn no_page() -> Problem {
    Problem::bad_request("the field html is missing: send the page in it")
}

/// Reads a request about a page and works on it in the pool. A request without a page is given back.
async fn with_page<R: Send + 'static>(
    app: AppState,
    query: Result<Query<PageRequest>, QueryRejection>,
    request: Request,
    work: impl FnOnce(&AppState, Html<'_>, &PageRequest) -> Answer<R> + Send + 'static,
) -> Answer<Result<R, Box<PageRequest>>> {
    let Query(query) = query?;
    if query.html.is_some() || query.rules.is_some() || query.id.is_some() {
        return Err(Problem::bad_request("html, rules and id: send them in a JSON body"));
    }
    let content_type = content_type(&request)?;
    let held = app.memory().read(request.into_body(), app.config().limits.max_bytes).await?;
    let app_there = app.clone();
    let work = move || {
        // No page starts with a brace: JSON whose type was forgotten.
        let is_json = match &content_type {
            Some(content_type) => is_json(content_type),
            None => held.bytes.trim_ascii_start().starts_with(b"{"),
        };
        if is_json {
            let request: PageRequest = from_json(&held.bytes)?;
            let request = request.or(query);
            match request.html.as_deref() {
                Some(html) => work(&app_there, Html::Text(html), &request).map(Ok),
                None => Ok(Err(Box::new(request))),
            }
        } else {
            let about = PageRequest { content_type: query.content_type.clone().or(content_type), ..query };
            work(&app_there, Html::Bytes(&held.bytes), &about).map(Ok)
        }
    };
    app.pool().run(work).await?
}

fn content_type(request: &Request) -> Answer<Option<String>> {
    let value = request.headers().get(header::CONTENT_TYPE).map(|value| value.to_str().map(str::to_owned));
    let value =
        value.transpose().map_err(|_| Problem::bad_request("the header content-type is not valid"))?;
    // What curl sends if it is not told otherwise, which says nothing.
    Ok(value.filter(|value| !value.starts_with("application/x-www-form-urlencoded")))
}

/// The text of a page in a format.
pub(crate) fn extracted(
    app: &AppState,
    html: Html<'_>,
    about: &PageRequest,
    format: Format,
) -> Answer<String> {
    let extraction = about.extraction(format, &app.config().limits)?;
    let work = app.work(extraction.key.clone())?;
    let mut record = work.try_extract(&extraction.page(html, about))?;
    record.id.clone_from(&about.id);
    Ok(extraction.render(&record))
}

/// Why a page is extracted as it is.
pub(crate) fn inspected(
    app: &AppState,
    html: Html<'_>,
    about: &PageRequest,
    view: bool,
) -> Answer<Inspection> {
    let methods = about.explained_methods()?;
    let with_comments =
        PageRequest { with: crate::options::Names(vec!["comments".to_owned()]), ..about.clone() };
    let extraction = with_comments.extraction(Format::Json, &app.config().limits)?;
    let work = app.work(extraction.key.clone())?;
    let model = app.model();
    let options = InspectOptions {
        methods,
        svm: model.as_ref(),
        bias: work.options().bias,
        method: work.options().method,
        view,
        // Clients that sent bytes, or none, may want to send the page again with other options.
        source: view && matches!(html, Html::Bytes(_)),
    };
    let page = extraction.page(html, about);
    Ok(work.explain(&page, |input, analysis, explanation| {
        tamis_inspect::of_analysis(work.extractor(), input, analysis, explanation, &options)
    })?)
}

pub(crate) fn answer(format: Format, text: String) -> Response {
    ([(header::CONTENT_TYPE, format.content_type())], text).into_response()
}

fn is_json(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/json")
}

/// JSON of a body; `html` and the like may be megabytes, so that this is work for the pool.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(body: &[u8]) -> Answer<T> {
    // Structs can be read from arrays too, which nobody means.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(Problem::bad_request("expected a JSON object"));
    }
    serde_json::from_slice(body)
        .map_err(|error| Problem::bad_request(format!("the body is not the JSON expected: {error}")))
}

/// Refuses a body that is not JSON.
pub(crate) fn check_json(request: &Request) -> Answer<()> {
    match content_type(request)? {
        Some(content_type) if !is_json(&content_type) => {
            let detail = "send JSON, with the header Content-Type: application/json";
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
        }
        _ => Ok(()),
    }
}
