//! About the server: whether it is well, what it may do, what it did.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Limits;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// What this server allows.
#[derive(Serialize, ToSchema)]
pub(crate) struct ServerConfig {
    /// Whether pages can be fetched (`--allow-fetch`).
    fetch: bool,
    /// Whether there is a corpus (`--db`).
    corpus: bool,
    /// Whether there is a site memory (`--sites`).
    sites: bool,
    /// Whether there is a folder of labelled pages (`--labels`).
    labels: bool,
    /// The version of Tamis.
    version: &'static str,
    limits: Limits,
}

/// The version.
#[derive(Serialize, ToSchema)]
pub(crate) struct Version {
    name: &'static str,
    version: &'static str,
}

/// Whether the server runs.
#[utoipa::path(get, path = "/health", tag = "server", responses((status = 200, description = "It does", content((String = "text/plain")))))]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Whether the server takes requests.
#[utoipa::path(get, path = "/ready", tag = "server", responses((status = 200, description = "It does", content((String = "text/plain"))), (status = 503, description = "It is shutting down", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn ready(State(app): State<AppState>) -> Answer<&'static str> {
    if app.is_draining() { Err(Problem::busy("the server is shutting down")) } else { Ok("ready\n") }
}

/// The version.
#[utoipa::path(get, path = "/version", tag = "server", responses((status = 200, description = "The version", body = Version), crate::openapi::Problems))]
pub(crate) async fn version() -> Json<Version> {
    Json(Version { name: "tamis", version: tamis_batch::VERSION })
}

/// Counters for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server", responses((status = 200, description = "Counters", content((String = "text/plain"))), crate::openapi::Problems))]
pub(crate) async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics().render(&app))
}

/// What the server allows.
#[utoipa::path(get, path = "/v1/config", tag = "server", responses((status = 200, description = "What it allows", body = ServerConfig), crate::openapi::Problems))]
pub(crate) async fn config(State(app): State<AppState>) -> Json<ServerConfig> {
    let config = app.config();
    Json(ServerConfig {
        fetch: config.allow_fetch,
        corpus: config.has_corpus(),
        sites: config.sites.is_some(),
        labels: config.labels.is_some(),
        version: tamis_batch::VERSION,
        limits: config.limits,
    })
}
