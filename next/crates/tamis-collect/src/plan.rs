//! What a visit to a URL leads to, ready to be committed.

use tamis_corpus::{Draft, RawDraft};
use tamis_site::{PageRecord, SiteKey};

use crate::frontier::{Due, Found, Kind};

/// The result of a visit.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) due: Due,
    /// The HTTP status; `None` if no answer came or no request was made.
    pub(crate) status: Option<u16>,
    pub(crate) verdict: Verdict,
    pub(crate) validators: Option<Validators>,
    pub(crate) found: Vec<Found>,
    /// What the page adds to its site's memory.
    pub(crate) record: Option<(SiteKey, PageRecord)>,
    /// What the URL turned out to be, where that was unknown.
    pub(crate) kind: Option<Kind>,
}

impl Plan {
    /// A visit that found nothing.
    pub(crate) fn new(due: Due, status: Option<u16>, verdict: Verdict) -> Plan {
        Plan { due, status, verdict, validators: None, found: Vec::new(), record: None, kind: None }
    }
}

/// What a later conditional request sends, and a digest of the body for servers that do not support those.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) digest: Option<i64>,
}

/// What a URL turned out to be.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one exists at a time")]
pub(crate) enum Verdict {
    /// A story, or a further part of one, or the comments of one: `Plan::due` says which.
    Content {
        draft: Box<Draft>,
        raw: Option<RawDraft>,
        /// The next part of the story.
        next_part: Option<Found>,
        /// The page with the story's comments.
        comments_page: Option<Found>,
    },
    /// A page whose links matter.
    Listing { page_type: String },
    /// A feed or sitemap with this many entries.
    List { what: &'static str, entries: usize, damage: Option<String> },
    /// Not modified since the last visit.
    Unchanged,
    /// Moved; where to is in `Plan::found` unless `refused` says why not.
    Redirect { to: String, permanent: bool, refused: Option<String> },
    /// Gone for good.
    Gone,
    /// Nothing to store, now or later.
    Skipped { reason: String },
    /// Not allowed; looked at again at this time, if ever.
    Refused { reason: String, until: Option<i64> },
    /// Failed; a retry may help.
    Failed { reason: String, retry: bool, host: bool },
    /// The host asks to wait.
    HeldBack { reason: String, until: i64 },
}
