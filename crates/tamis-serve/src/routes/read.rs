//! `POST /v1/read`: the address of a page in, its text out. Off unless the server may fetch.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use tamis_batch::Html;
use tamis_fetch::{Accept, Error, Url};

use super::extract::{answer, check_json, extracted, from_json};
use crate::body::Held;
use crate::format::Format;
use crate::options::PageRequest;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Bytes of a request: an address and options.
const MAX_REQUEST: u32 = 1 << 20;

/// Fetch and extract a page.
///
/// Takes JSON with `url` and the options of `/v1/extract`, and answers like it. Needs a server that was started with
/// `--allow-fetch`. Only public addresses are contacted, whatever redirects and name servers say.
#[utoipa::path(
    post, path = "/v1/read", tag = "pages",
    request_body(content((crate::openapi::ReadRequest = "application/json"))),
    responses(
        (status = 200, description = "The document", content(
            (crate::openapi::Record = "application/json"), (String = "text/plain"), (String = "text/markdown"),
            (String = "text/html"), (String = "application/xml"), (String = "application/tei+xml"),
        )),
        (status = 502, description = "The page could not be fetched", body = Problem, content_type = "application/problem+json"),
        crate::openapi::Problems,
    )
)]
pub(crate) async fn read(State(app): State<AppState>, request: Request) -> Answer<Response> {
    check_allowed(&app)?;
    let format = Format::of(request.headers())?;
    check_json(&request)?;
    let held = app.memory().read(request.into_body(), MAX_REQUEST).await?;
    let about: PageRequest = from_json(&held.bytes)?;
    let text = fetched(&app, about, format).await?;
    Ok(answer(format, text))
}

pub(crate) fn check_allowed(app: &AppState) -> Answer<()> {
    match app.client() {
        Some(_) => Ok(()),
        None => {
            let detail =
                "this server fetches nothing: start it with --allow-fetch, or send the page to /v1/extract";
            Err(Problem::new(StatusCode::FORBIDDEN, detail))
        }
    }
}

/// Fetches a page and extracts it.
pub(crate) async fn fetched(app: &AppState, about: PageRequest, format: Format) -> Answer<String> {
    check_allowed(app)?;
    // What is wrong with the options is said before anything is fetched.
    about.extraction(format, &app.config().limits)?;
    let (held, about) = fetch_page(app, about).await?;
    let there = app.clone();
    app.pool().run(move || extracted(&there, Html::Bytes(&held.bytes), &about, format)).await?
}

/// Fetches a page, and adds what is known about it then.
pub(crate) async fn fetch_page(app: &AppState, about: PageRequest) -> Answer<(Held, PageRequest)> {
    check_allowed(app)?;
    let Some(client) = app.client() else { return Err(Problem::internal("no client")) };
    if about.html.is_some() {
        return Err(Problem::bad_request("html: this route fetches the page; send pages to /v1/extract"));
    }
    let url = about.url.as_deref().ok_or_else(|| Problem::bad_request("the field url is missing"))?;
    let wrong = |error| Problem::bad_request(format!("url: {error}: give all of it, from https:// on"));
    let url = Url::parse(url).map_err(wrong)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Problem::bad_request("url: user names and passwords are not sent"));
    }
    let _turn = app.fetches().acquire().await;
    let response =
        client.get_following(&tamis_fetch::Request::new(url, Accept::Page)).await.map_err(explained)?;
    if !response.is_success() || response.status == 204 {
        let reason = response.reason().unwrap_or("not a standard status");
        return Err(bad_gateway(format!("the server answers {} {reason}", response.status)));
    }
    let content_type = response.content_type().map(str::to_owned);
    if response.skipped {
        let kind: String = content_type.unwrap_or_default().chars().take(100).collect();
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("it is {kind}, not a web page")));
    }
    let mut held = app.memory().hold();
    held.take(app.memory(), response.body)?;
    let received = response.received.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    let about = PageRequest {
        url: Some(response.url.into()),
        content_type: about.content_type.or(content_type),
        fetched: about.fetched.or(Some(received.to_string())),
        ..about
    };
    Ok((held, about))
}

fn bad_gateway(detail: String) -> Problem {
    Problem::new(StatusCode::BAD_GATEWAY, detail)
}

/// What went wrong, and what to do about it.
fn explained(error: Error) -> Problem {
    match &error {
        Error::Refused { .. } => {
            Problem::new(StatusCode::FORBIDDEN, format!("{error}: this server fetches public pages only"))
        }
        Error::Scheme(_) | Error::Url(_) => Problem::bad_request(format!("url: {error}")),
        Error::Timeout(_) => Problem::too_slow(&error.to_string(), "--fetch-timeout"),
        Error::TooLarge(_) => {
            let detail = format!("{error}: start the server with a larger --max-bytes");
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        }
        _ => bad_gateway(format!("{error}: check the URL, or try again later")),
    }
}
