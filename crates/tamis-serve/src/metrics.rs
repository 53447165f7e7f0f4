//! Counters for Prometheus, and the line that is logged for a request: neither has contents, queries or addresses of pages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use crate::state::AppState;

/// Upper ends of the histogram, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Requests by method, route and status.
#[derive(Debug, Default)]
pub(crate) struct Metrics(Mutex<BTreeMap<(String, String, u16), Times>>);

#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    fn add(&self, method: &str, route: &str, status: u16, time: Duration) {
        let seconds = time.as_secs_f64();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let times = all.entry((method.to_owned(), route.to_owned(), status)).or_default();
        for (end, count) in BUCKETS.iter().zip(&mut times.buckets) {
            *count += u64::from(seconds <= *end);
        }
        times.count += 1;
        times.seconds += seconds;
    }

    /// The text format of Prometheus.
    pub(crate) fn render(&self, app: &AppState) -> String {
        let mut out = String::from(
            "# HELP tamis_request_seconds Time from the head of a request to the head of its answer.\n\
             # TYPE tamis_request_seconds histogram\n",
        );
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for ((method, route, status), times) in all.iter() {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            for (end, count) in BUCKETS.iter().zip(times.buckets) {
                let _ = writeln!(out, "tamis_request_seconds_bucket{{{labels},le=\"{end}\"}} {count}");
            }
            let _ = writeln!(out, "tamis_request_seconds_bucket{{{labels},le=\"+Inf\"}} {}", times.count);
            let _ = writeln!(out, "tamis_request_seconds_sum{{{labels}}} {}", times.seconds);
            let _ = writeln!(out, "tamis_request_seconds_count{{{labels}}} {}", times.count);
        }
        let limits = &app.config().limits;
        for (name, about, value) in [
            (
                "tamis_requests_in_flight",
                "Requests in flight.",
                limits.max_requests - app.requests().available_permits(),
            ),
            ("tamis_pages_in_work", "Pages that are worked on or wait for a thread.", app.pool().in_use()),
            (
                "tamis_body_bytes",
                "Bytes of bodies that are held: of requests, and of answers that are not taken yet.",
                app.memory().in_use(limits.max_memory),
            ),
        ] {
            let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} gauge\n{name} {value}");
        }
        let version = tamis_batch::VERSION;
        let _ = writeln!(
            out,
            "# HELP tamis_info The version.\n# TYPE tamis_info gauge\ntamis_info{{version=\"{version}\"}} 1"
        );
        out
    }
}

/// Counts and logs a request.
pub(crate) async fn record(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    // Unknown paths and methods are the client's words.
    let route = request.extensions().get::<MatchedPath>().map_or("-", |path| path.as_str()).to_owned();
    let known = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::HEAD,
        Method::OPTIONS,
        Method::PATCH,
    ];
    let method = known.iter().find(|it| *it == request.method()).map_or("-", |it| it.as_str()).to_owned();
    let response = next.run(request).await;
    let (status, time) = (response.status().as_u16(), start.elapsed());
    app.metrics().add(&method, &route, status, time);
    if app.config().log {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let millis = time.as_secs_f64() * 1e3;
        // A log that cannot be written is no reason to fail.
        let line = format!("time={now:.3} method={method} route={route} status={status} ms={millis:.1}\n");
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    response
}
