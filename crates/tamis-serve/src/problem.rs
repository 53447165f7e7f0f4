//! Errors as clients see them: RFC 9457 `application/problem+json`, whose `detail` names the remedy.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tamis_batch::PageError;
use utoipa::ToSchema;

/// What a handler returns.
pub type Answer<T> = Result<T, Problem>;

/// An error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What kind of problem it is: the meaning of the status.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong, and what to do about it.
    pub detail: String,
    /// Seconds after which the request may be sent again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u32>,
}

impl Problem {
    /// A problem with this status and detail.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        let title = status.canonical_reason().unwrap_or("Error").to_owned();
        Problem { title, status: status.as_u16(), detail: detail.into(), retry_after: None }
    }

    /// The request is not understood.
    pub fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// There is no such thing.
    pub fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// The server was not started with what this needs; `flag` would give it.
    pub fn not_enabled(what: &str, flag: &str) -> Problem {
        let detail = format!("this server has no {what}: start it with {flag}");
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// A fault of ours.
    pub fn internal(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    /// The server has too much to do.
    pub fn busy(detail: impl Into<String>) -> Problem {
        Problem { retry_after: Some(1), ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
    }

    /// The body has more bytes than it may.
    pub fn too_large(limit: u64) -> Problem {
        let detail = format!(
            "the body has more than {limit} bytes: send less, or start the server with a larger --max-bytes"
        );
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// Something took longer than a setting allows.
    pub fn too_slow(what: &str, flag: &str) -> Problem {
        let detail = format!("{what}: try again, or start the server with a larger {flag}");
        Problem { retry_after: Some(1), ..Problem::new(StatusCode::REQUEST_TIMEOUT, detail) }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<PageError> for Problem {
    fn from(error: PageError) -> Problem {
        match error {
            PageError::TooLarge(limit) => Problem::too_large(limit.into()),
            PageError::Time(_) => Problem::too_slow(&error.to_string(), "--timeout"),
            PageError::Fault(_) | PageError::Site(_) => Problem::internal(error.to_string()),
            PageError::UnknownEncoding(_) => {
                Problem::bad_request(format!("{error}: give a WHATWG label, such as gbk or windows-1251"))
            }
            error => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
        }
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Problem {
        Problem::bad_request(format!("query: {}", innermost(&rejection)))
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Problem {
        Problem::bad_request(format!("path: {}", innermost(&rejection)))
    }
}

/// What is wrong, without the words around it.
fn innermost(mut error: &dyn std::error::Error) -> String {
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
