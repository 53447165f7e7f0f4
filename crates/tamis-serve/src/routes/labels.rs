//! Labelled pages.

use axum::Router;
use utoipa::OpenApi;

use crate::state::AppState;

/// The routes.
pub fn router() -> Router<AppState> {
    Router::new()
}

/// The routes in the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    Api::openapi()
}

#[derive(OpenApi)]
#[openapi()]
struct Api;
