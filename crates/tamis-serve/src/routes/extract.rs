//! `POST /v1/extract`: a page in, its text out. Nothing is fetched.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tamis_batch::Html;

use crate::format::Format;
use crate::options::PageRequest;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

pub(crate) async fn extract(
    State(app): State<AppState>,
    query: Result<Query<PageRequest>, QueryRejection>,
    request: Request,
) -> Answer<Response> {
    let Query(query) = query?;
    if query.html.is_some() {
        return Err(Problem::bad_request("html: send the page as the body"));
    }
    let format = Format::of(request.headers())?;
    let content_type = content_type(&request)?;
    let held = app.memory().read(request.into_body(), app.config().limits.max_bytes).await?;
    let text = app.clone().pool().run(move || page(&app, &held.bytes, content_type, query, format)).await??;
    Ok(([(header::CONTENT_TYPE, format.content_type())], text).into_response())
}

fn content_type(request: &Request) -> Answer<Option<String>> {
    let value = request.headers().get(header::CONTENT_TYPE).map(|value| value.to_str().map(str::to_owned));
    value.transpose().map_err(|_| Problem::bad_request("the header content-type is not valid"))
}

/// The text of a body, which is a page or JSON with one.
fn page(
    app: &AppState,
    body: &[u8],
    content_type: Option<String>,
    query: PageRequest,
    format: Format,
) -> Answer<String> {
    if content_type.as_deref().is_some_and(is_json) {
        let request: PageRequest = from_json(body)?;
        let request = request.or(query);
        let html = request.html.as_deref();
        let html = html.ok_or_else(|| Problem::bad_request("the field html is missing: it has the page"))?;
        extracted(app, Html::Text(html), &request, format)
    } else {
        let content_type = content_type.filter(|it| !it.starts_with("application/x-www-form-urlencoded"));
        let about = PageRequest { content_type: query.content_type.clone().or(content_type), ..query };
        extracted(app, Html::Bytes(body), &about, format)
    }
}

/// The text of a page in a format.
pub(crate) fn extracted(
    app: &AppState,
    html: Html<'_>,
    about: &PageRequest,
    format: Format,
) -> Answer<String> {
    let extraction = about.extraction(format, &app.config().limits)?;
    let work = app.work(extraction.key.clone());
    let record = work.try_extract(&extraction.page(html, about))?;
    Ok(extraction.render(&record))
}

pub(crate) fn is_json(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/json")
}

pub(crate) fn from_json<T: serde::de::DeserializeOwned>(body: &[u8]) -> Answer<T> {
    serde_json::from_slice(body)
        .map_err(|error| Problem::bad_request(format!("the body is not the JSON expected: {error}")))
}
