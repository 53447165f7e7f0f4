//! What goes wrong with one page, by its kind: rows say it in words, and callers in other languages make types of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tamis::ExtractError;

/// Why a page has no text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// It has more bytes than this.
    #[error("page exceeds the limit of {0} bytes")]
    TooLarge(u32),
    /// A line of JSON has more bytes than it may.
    #[error("the line has {bytes} bytes, more than the limit of {limit}")]
    LineTooLong {
        /// Its length.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// It is something else: a picture, a PDF, noise.
    #[error("{0}")]
    NotAPage(String),
    /// It took longer than this.
    #[error("page exceeded the time limit of {} s", .0.as_secs_f64())]
    Time(Duration),
    /// The label of an encoding is unknown.
    #[error("unknown encoding `{0}`")]
    UnknownEncoding(String),
    /// The server did not answer with a page.
    #[error("{}", answered(*.0))]
    Status(u16),
    /// The input has no page where it should.
    #[error("{}", no_page(field, *is_there, found))]
    NoPage {
        /// The field or column that should hold it.
        field: String,
        /// Whether there is such a field, with something else than a page in it.
        is_there: bool,
        /// The fields that there are.
        found: Vec<String>,
    },
    /// A line of the input is not valid JSON.
    #[error("not valid JSON: {0}")]
    NotJson(String),
    /// It is an archive of many pages.
    #[error("a WARC archive, which holds many pages")]
    Archive,
    /// An MHTML file has no part that is a page.
    #[error("this MHTML file has no HTML part")]
    NoHtmlPart,
    /// A body cannot be decompressed.
    #[error("{0}")]
    Body(String),
    /// What is known of its site cannot be read.
    #[error("{0}")]
    Site(String),
    /// The file cannot be read, or not here.
    #[error("{0}")]
    Damaged(String),
    /// The program failed.
    #[error("internal error on this page (please report it): {0}")]
    Fault(String),
}

impl PageError {
    /// What a status says about the page; nothing for a success.
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

/// A fault of ours, in one page of millions, must not be the end of the others.
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
