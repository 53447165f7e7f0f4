//! Pages for people: the inspector and the page to try the API. They need nothing from elsewhere.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::problem::{Answer, Problem};

/// `/api`: the page, its style and its script.
const API: [(&str, &str, &str); 3] = [
    ("api.html", "text/html; charset=utf-8", include_str!("../../web/api.html")),
    ("api.css", "text/css; charset=utf-8", include_str!("../../web/api.css")),
    ("api-page.js", "text/javascript; charset=utf-8", include_str!("../../web/api-page.js")),
];

pub(crate) async fn inspector() -> Answer<Response> {
    asset("index.html")
}

pub(crate) async fn api() -> Answer<Response> {
    asset("api.html")
}

pub(crate) async fn named(Path(name): Path<String>) -> Answer<Response> {
    asset(&name)
}

fn asset(name: &str) -> Answer<Response> {
    let ours = tamis_inspect::assets().map(|asset| (asset.name, asset.content_type, asset.text));
    let found = ours.chain(API).find(|(own, ..)| *own == name);
    let (_, content_type, text) = found.ok_or_else(|| Problem::not_found("there is no such file"))?;
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, tamis_inspect::CONTENT_SECURITY_POLICY),
        // They change with the program.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, text).into_response())
}
