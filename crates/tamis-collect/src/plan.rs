//! The outcome of a visit, ready to be committed.

use tamis_corpus::{Draft, RawDraft};
use tamis_site::{PageRecord, SiteKey};

use crate::frontier::{Due, Found, Kind};

/// The result of a visit.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) due: Due,
    /// The HTTP status; `None` without a response.
    pub(crate) status: Option<u16>,
    pub(crate) verdict: Verdict,
    pub(crate) validators: Option<Validators>,
    pub(crate) found: Vec<Found>,
    /// The page's record for the site memory.
    pub(crate) record: Option<(SiteKey, PageRecord)>,
    /// The kind of the URL, if it was unknown before.
    pub(crate) kind: Option<Kind>,
}

impl Plan {
    /// A visit that found nothing.
    pub(crate) fn new(due: Due, status: Option<u16>, verdict: Verdict) -> Plan {
        Plan { due, status, verdict, validators: None, found: Vec::new(), record: None, kind: None }
    }
}

/// Validators for a later conditional request, and a digest of the body for servers that do not support these.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) digest: Option<i64>,
}

/// The result of interpreting a URL.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one exists at a time")]
pub(crate) enum Verdict {
    /// A story, a further part, or its comments, according to `Plan::due`.
    Content {
        draft: Box<Draft>,
        raw: Option<RawDraft>,
        /// The next part of the story.
        next_part: Option<Found>,
        /// The page with the story's comments.
        comments_page: Option<Found>,
    },
    /// A page whose links are followed.
    Listing { page_type: String },
    /// A feed or sitemap with this many entries.
    List { what: &'static str, entries: usize, damage: Option<String> },
    /// Not modified since the last visit.
    Unchanged,
    /// Moved. The target is in `Plan::found`, unless it was `refused`.
    Redirect { to: String, permanent: bool, refused: Option<String> },
    /// Permanently gone.
    Gone,
    /// Nothing to store, neither now nor later.
    Skipped { reason: String },
    /// Not allowed; reconsidered at this time, if any.
    Refused { reason: String, until: Option<i64> },
    /// Failed; `retry` if another attempt may succeed.
    Failed { reason: String, retry: bool, host: bool },
    /// The host asks to wait.
    HeldBack { reason: String, until: i64 },
}
