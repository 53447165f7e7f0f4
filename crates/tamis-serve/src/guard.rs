//! Who may ask what: the token, the name that the server is reached by, and the origin of a browser's request.
//!
//! A page of another site can make a browser on this machine send requests to loopback, and by changing what its own name
//! resolves to (DNS rebinding) read the answers. Such requests name another host or another origin, and are refused.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use crate::body::discard;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Refuses requests of other sites, and those without the token.
pub(crate) async fn guard(State(app): State<AppState>, request: Request, next: Next) -> Response {
    match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            discard(request.into_body()).await;
            problem.into_response()
        }
    }
}

fn check(app: &AppState, request: &Request) -> Answer<()> {
    let headers = request.headers();
    let config = app.config();
    let host = one(headers, header::HOST)?.or_else(|| request.uri().authority().map(|it| it.as_str()));
    let host = host.ok_or_else(|| Problem::bad_request("the request has no Host header"))?;
    // With a token, a server on other addresses is reached by names that it does not know.
    if config.addr.ip().is_loopback() {
        let name = without_port(host);
        let is_known = is_loopback(name) || config.allow_host.iter().any(|it| it.eq_ignore_ascii_case(name));
        if !is_known {
            return Err(forbidden(
                "the host is not known here: use localhost, or start the server with --allow-host NAME",
            ));
        }
    }
    if let Some(origin) = one(headers, header::ORIGIN)? {
        let origin_host = origin.split_once("://").map(|(_, host)| host);
        if !origin_host.is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
            return Err(forbidden("pages of other sites may not use this server"));
        }
    }
    match &config.token {
        Some(token) if !is_open(request.uri().path()) => check_token(headers, token)?,
        _ => {}
    }
    match one(headers, header::CONTENT_ENCODING)? {
        None | Some("identity") => Ok(()),
        Some(coding) => {
            let detail = format!("send the body as it is: {coding:?} is not decoded here");
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail))
        }
    }
}

/// What is shown to everybody: whether the server is well, and pages without data, which ask for the token.
fn is_open(path: &str) -> bool {
    matches!(path, "/" | "/health" | "/ready" | "/corpus" | "/api" | "/openapi.json")
        || path.starts_with("/assets/")
}

fn check_token(headers: &HeaderMap, token: &str) -> Answer<()> {
    let given = one(headers, header::AUTHORIZATION)?.and_then(|it| it.split_once(' '));
    let given =
        given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, given)| given.trim());
    let is_token = given.is_some_and(|given| given.as_bytes().ct_eq(token.as_bytes()).into());
    if is_token {
        Ok(())
    } else {
        let detail =
            "send the header \"Authorization: Bearer TOKEN\" with the token that the server was started with";
        Err(Problem::new(StatusCode::UNAUTHORIZED, detail))
    }
}

/// The value of a header that may occur once.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Answer<Option<&str>> {
    let mut values = headers.get_all(&name).iter();
    match (values.next().map(|it| it.to_str()), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(Problem::bad_request(format!("the header {name} is not valid or occurs twice"))),
    }
}

fn forbidden(detail: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, detail)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// An address cannot be made to mean another one, as a name can.
fn is_loopback(name: &str) -> bool {
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
