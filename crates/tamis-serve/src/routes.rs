//! The routes, one file per group, and what applies to all of them.

mod assets;
pub(crate) mod batch;
#[cfg(feature = "corpus")]
pub(crate) mod corpus;
#[cfg(not(feature = "corpus"))]
#[path = "routes/no_corpus.rs"]
pub(crate) mod corpus;
pub(crate) mod extract;
pub(crate) mod labels;
pub(crate) mod meta;
pub(crate) mod read;
pub(crate) mod sites;
pub(crate) mod training;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use http_body_util::BodyExt;
use tokio::time::timeout;

use crate::body::discard;
use crate::guard::guard;
use crate::metrics::record;
use crate::problem::Problem;
use crate::state::AppState;
use crate::{mcp, openapi};

/// All routes, with their limits and checks.
pub(crate) fn router(app: AppState) -> Router {
    Router::new()
        .route("/health", get(meta::health))
        .route("/ready", get(meta::ready))
        .route("/version", get(meta::version))
        .route("/metrics", get(meta::metrics))
        .route("/v1/config", get(meta::config))
        .route("/v1/extract", post(extract::extract))
        .route("/v1/explain", post(extract::explain))
        .route("/v1/read", post(read::read))
        .route("/v1/batch", post(batch::batch))
        .route("/mcp", any(mcp::http))
        .route("/openapi.json", get(openapi::document))
        .route("/api", get(assets::api))
        .route("/", get(assets::inspector))
        .route("/corpus", get(assets::reader))
        .route("/assets/{name}", get(assets::named))
        .merge(corpus::router())
        .merge(sites::router())
        .merge(labels::router())
        .merge(training::router())
        .fallback(async || Problem::not_found("there is no such route: see /openapi.json"))
        .method_not_allowed_fallback(async || {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "the route does not have this method: see /openapi.json",
            )
        })
        .layer(from_fn_with_state(app.clone(), bounded))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(from_fn(inert))
        .layer(from_fn_with_state(app.clone(), record))
        .with_state(app)
}

/// Refuses a request where too many are in flight, and ends one that takes too long.
async fn bounded(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let limits = &app.config().limits;
    // Whoever watches the server needs an answer when it is busy.
    let is_watcher = matches!(request.uri().path(), "/health" | "/ready" | "/metrics");
    let place = match app.requests().clone().try_acquire_owned() {
        Ok(place) => Some(place),
        Err(_) if is_watcher => None,
        Err(_) => {
            let detail = format!(
                "{} requests are in flight: try again, or start the server with a larger --max-requests",
                limits.max_requests
            );
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, detail);
            discard(request.into_body()).await;
            return Problem { retry_after: Some(1), ..problem }.into_response();
        }
    };
    match timeout(limits.request_timeout, next.run(request)).await {
        Ok(response) if is_watcher || !response.status().is_success() => response,
        // What is streamed is in flight until its end.
        Ok(response) if response.body().size_hint().exact().is_none() => response.map(|body| {
            Body::new(body.map_frame(move |frame| {
                let _held = &place;
                frame
            }))
        }),
        Ok(response) => app.memory().answer(response).await,
        Err(_) => {
            let seconds = limits.request_timeout.as_secs_f64();
            Problem::too_slow(&format!("the request took more than {seconds} s"), "--request-timeout")
                .into_response()
        }
    }
}

/// Headers without which a browser might guess a type, keep an answer or tell others about it. What sets its own policy
/// keeps it.
async fn inert(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
