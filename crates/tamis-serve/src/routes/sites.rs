//! What is known of sites.

use axum::Router;

use crate::state::AppState;

/// The routes.
pub fn router() -> Router<AppState> {
    Router::new()
}
