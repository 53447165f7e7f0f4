//! Pages for people: the inspector, the reader of the corpus and the page to try the API. They need nothing from elsewhere.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::problem::{Answer, Problem};

/// A file: its name, content type and text.
type File = (&'static str, &'static str, &'static str);

/// `/api`: the page, its style and its script.
const API: [File; 3] = [
    ("api.html", "text/html; charset=utf-8", include_str!("../../web/api.html")),
    ("api.css", "text/css; charset=utf-8", include_str!("../../web/api.css")),
    ("api-page.js", "text/javascript; charset=utf-8", include_str!("../../web/api-page.js")),
];

/// `/corpus`: likewise. It asks the routes of the corpus for all it shows.
const READER: [File; 6] = [
    ("reader.html", "text/html; charset=utf-8", include_str!("../../web/reader.html")),
    ("reader.css", "text/css; charset=utf-8", include_str!("../../web/reader.css")),
    ("reader.js", "text/javascript; charset=utf-8", include_str!("../../web/reader.js")),
    ("reader-dom.js", "text/javascript; charset=utf-8", include_str!("../../web/reader-dom.js")),
    ("reader-plot.js", "text/javascript; charset=utf-8", include_str!("../../web/reader-plot.js")),
    ("reader-story.js", "text/javascript; charset=utf-8", include_str!("../../web/reader-story.js")),
];

/// Nothing from elsewhere, nothing inline, nothing in a frame: a story that got markup past the scripts still could not act.
const READER_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) async fn inspector() -> Answer<Response> {
    asset("index.html")
}

pub(crate) async fn reader() -> Answer<Response> {
    asset("reader.html")
}

pub(crate) async fn api() -> Answer<Response> {
    asset("api.html")
}

pub(crate) async fn named(Path(name): Path<String>) -> Answer<Response> {
    asset(&name)
}

fn asset(name: &str) -> Answer<Response> {
    let inspector = tamis_inspect::assets().map(|asset| (asset.name, asset.content_type, asset.text));
    let open = inspector.chain(API).map(|file| (file, tamis_inspect::CONTENT_SECURITY_POLICY));
    let mut files = open.chain(READER.map(|file| (file, READER_POLICY)));
    let found = files.find(|((own, ..), _)| *own == name);
    let ((_, content_type, text), policy) =
        found.ok_or_else(|| Problem::not_found("there is no such file"))?;
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_SECURITY_POLICY, policy),
        // They change with the program.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, text).into_response())
}
