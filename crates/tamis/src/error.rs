//! Why a page has no result.

use std::time::Duration;

/// Why a page could not be extracted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The input is something other than a web page: a picture, a PDF, binary data.
    #[error("not a web page: {what}")]
    NotAPage {
        /// What it is.
        what: String,
    },
    /// The input is larger than the limit.
    #[error("page of {bytes} bytes exceeds the limit of {limit} bytes")]
    TooLarge {
        /// Size of the input.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The page took longer than the limit.
    #[error("page exceeded the time limit of {} s", limit.as_secs_f64())]
    DeadlineExceeded {
        /// The limit.
        limit: Duration,
    },
    /// The encoding label is unknown.
    #[error("unknown encoding `{label}`")]
    UnknownEncoding {
        /// The label.
        label: String,
    },
}
