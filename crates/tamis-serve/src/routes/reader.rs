//! The reader at `/corpus`: one page with its style and modules, embedded. It asks the routes of the corpus for all it shows.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::state::AppState;

/// Nothing from elsewhere, nothing inline, nothing in a frame: a story that got markup past the scripts still could not act.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Path, content type and content.
const FILES: [(&str, &str, &str); 6] = [
    ("/corpus", "text/html; charset=utf-8", include_str!("../../web/reader.html")),
    ("/assets/reader.css", "text/css; charset=utf-8", include_str!("../../web/reader.css")),
    ("/assets/reader.js", "text/javascript; charset=utf-8", include_str!("../../web/reader.js")),
    ("/assets/reader-dom.js", "text/javascript; charset=utf-8", include_str!("../../web/reader-dom.js")),
    ("/assets/reader-plot.js", "text/javascript; charset=utf-8", include_str!("../../web/reader-plot.js")),
    ("/assets/reader-story.js", "text/javascript; charset=utf-8", include_str!("../../web/reader-story.js")),
];

/// The routes.
pub fn router() -> Router<AppState> {
    FILES.into_iter().fold(Router::new(), |router, (path, content_type, content)| {
        let headers = [(header::CONTENT_TYPE, content_type), (header::CONTENT_SECURITY_POLICY, POLICY)];
        router.route(path, get(async move || (headers, content).into_response()))
    })
}
