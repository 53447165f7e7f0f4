//! The routes of a corpus in a build without the feature `corpus`.

use axum::Router;
use axum::routing::any;

use crate::problem::Problem;
use crate::state::AppState;

/// The routes.
pub(crate) fn router() -> Router<AppState> {
    let detail = "this server was built without the corpus: build it with --features serve,collect";
    Router::new().route("/v1/corpus/{*rest}", any(async move || Problem::not_found(detail)))
}

/// The routes in the OpenAPI document: none.
pub(crate) fn openapi() -> utoipa::openapi::OpenApi {
    utoipa::openapi::OpenApi::default()
}
