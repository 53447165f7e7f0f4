//! Errors of single pages: text in rows, exception types in Python.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tamis::ExtractError;

/// Why a page has no text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The page exceeds this number of bytes.
    #[error("page exceeds the limit of {0} bytes")]
    TooLarge(u32),
    /// A line of JSON is too long.
    #[error("the line has {bytes} bytes, more than the limit of {limit}")]
    LineTooLong {
        /// Its length.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The content is something else: an image, a PDF, noise.
    #[error("{0}")]
    NotAPage(String),
    /// Extraction took longer than this.
    #[error("page exceeded the time limit of {} s", .0.as_secs_f64())]
    Time(Duration),
    /// Unknown label of an encoding.
    #[error("unknown encoding `{0}`")]
    UnknownEncoding(String),
    /// The HTTP status is not a success.
    #[error("{}", answered(*.0))]
    Status(u16),
    /// A row without a page.
    #[error("{}", no_page(field, *is_there, found))]
    NoPage {
        /// The field or column of pages.
        field: String,
        /// Whether the field exists, with another type.
        is_there: bool,
        /// The existing fields.
        found: Vec<String>,
    },
    /// A line of the input is not valid JSON.
    #[error("not valid JSON: {0}")]
    NotJson(String),
    /// A WARC archive was passed as a page.
    #[error("a WARC archive, which holds many pages")]
    Archive,
    /// An MHTML file without an HTML part.
    #[error("this MHTML file has no HTML part")]
    NoHtmlPart,
    /// A body cannot be decompressed.
    #[error("{0}")]
    Body(String),
    /// The memory of its site cannot be read.
    #[error("{0}")]
    Site(String),
    /// The file is damaged or cannot be read.
    #[error("{0}")]
    Damaged(String),
    /// A panic.
    #[error("internal error on this page (please report it): {0}")]
    Fault(String),
}

impl PageError {
    /// The error of an HTTP status; `None` for a success.
    pub fn of_status(status: u16) -> Option<PageError> {
        (status == 204 || !(200..300).contains(&status)).then_some(PageError::Status(status))
    }
}

fn answered(status: u16) -> String {
    let meaning = match status {
        204 => ": no content",
        304 => ": not modified, the page was not sent again",
        300..=399 => ": the page is elsewhere",
        401 | 407 => ": a login is needed",
        403 => ": access is denied",
        404 => ": not found",
        410 => ": gone",
        429 => ": too many requests, wait before fetching it again",
        400..=499 => ": the request failed",
        503 => ": the service is unavailable, wait before fetching it again",
        500..=599 => ": the server failed",
        999 => ": not a standard status, access is probably denied",
        _ => ": not a standard status",
    };
    format!("the server answered {status}{meaning}")
}

fn no_page(field: &str, is_there: bool, found: &[String]) -> String {
    let is = if is_there { "is not a string" } else { "is missing" };
    match found {
        [] => format!("the field {field:?} {is}; the object is empty"),
        found => format!("the field {field:?} {is}; the fields are: {}", found.join(", ")),
    }
}

impl From<ExtractError> for PageError {
    fn from(error: ExtractError) -> PageError {
        match error {
            ExtractError::NotAPage { what } => PageError::NotAPage(what),
            ExtractError::TooLarge { limit, .. } => PageError::TooLarge(limit.try_into().unwrap_or(u32::MAX)),
            ExtractError::DeadlineExceeded { limit } => PageError::Time(limit),
            ExtractError::UnknownEncoding { label } => PageError::UnknownEncoding(label),
            other => PageError::Fault(other.to_string()),
        }
    }
}

/// Runs `work` and turns a panic into an error, so that one page of millions does not end a run.
///
/// ```
/// use tamis_batch::{PageError, guarded};
///
/// assert_eq!(guarded(|| 7), Ok(7));
/// assert_eq!(guarded(|| -> u8 { panic!("no such block") }), Err(PageError::Fault("no such block".to_owned())));
/// ```
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, PageError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let what = panic.downcast_ref::<&str>().copied();
        let what = what.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        PageError::Fault(what.unwrap_or("no reason given").to_owned())
    })
}
