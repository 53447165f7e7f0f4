//! What goes wrong with one page, by its kind: rows say it in words, and callers in other languages make types of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tamis::ExtractError;

/// Why a page has no text.
///
/// ```
/// use tamis_batch::{Html, PageError, PageIn, Work};
///
/// let error = Work::default().try_row(&PageIn::of(Html::Bytes(b"%PDF-1.7"))).unwrap_err();
/// assert!(matches!(&error, PageError::NotAPage(what) if what.contains("PDF")));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// It has more bytes than it may.
    #[error("page exceeds the limit of {0} bytes")]
    TooLarge(u32),
    /// It is something else: a picture, a PDF, noise.
    #[error("{0}")]
    NotAPage(String),
    /// It took longer than it may.
    #[error("page exceeded the time limit")]
    Time,
    /// The label of an encoding is unknown.
    #[error("unknown encoding `{0}`")]
    UnknownEncoding(String),
    /// What is known of its site cannot be read.
    #[error("{0}")]
    Site(String),
    /// The program failed.
    #[error("internal error on this page (please report it): {0}")]
    Fault(String),
}

impl From<ExtractError> for PageError {
    fn from(error: ExtractError) -> PageError {
        match error {
            ExtractError::NotAPage { what } => PageError::NotAPage(what),
            ExtractError::TooLarge { limit, .. } => PageError::TooLarge(limit.try_into().unwrap_or(u32::MAX)),
            ExtractError::DeadlineExceeded { .. } => PageError::Time,
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
        PageError::Fault(what.unwrap_or("it gave no reason").to_owned())
    })
}
