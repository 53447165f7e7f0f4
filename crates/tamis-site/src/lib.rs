//! What a web site repeats from page to page: learned once, kept in a file, merged, used everywhere.
//!
//! ```
//! use tamis::{Method, Page};
//! use tamis_site::SiteMemory;
//!
//! let mut memory = SiteMemory::default();
//! for text in ["It rained.", "It snowed.", "It was hot."] {
//!     memory.observe(&Page::parse(&format!("<p>{text}</p><p>Mail us, or call.</p>")));
//! }
//! let page = Page::parse("<p>It was cold.</p><p>Mail us, or call.</p>");
//! let judgement = Method::Lines.judge(&page, &memory.known().site_for(&page));
//! assert_eq!(judgement.kept().collect::<Vec<_>>(), [0]);
//! ```
//!
//! - [`SiteMemory`] grows by observing pages. Two memories of a site merge into one, in any order, with the same result.
//! - [`Known`] is a memory counted out: on how many pages a text stands, exactly or nearly. It gives the methods of
//!   `tamis` the [`Site`](tamis::Site) they ask for, and says for every block what other pages [show](Evidence).
//! - [`Store`] keeps the memories of many sites in one crash-safe file; [`Learner`] fills it, [`SiteKey`] says which site a
//!   page belongs to.
//! - [`Listing`] is what a person reads and edits; a person's word wins over what is counted.
//! - [`exchange`] writes and reads memories as JSON lines.
//!
//! What it does not do: it decides nothing about content by itself. Repetition is evidence; the methods weigh it.

mod codec;
pub mod exchange;
mod hashing;
mod key;
mod known;
mod learner;
mod listing;
mod memory;
mod place;
mod record;
mod store;
mod verdicts;

pub use codec::Damaged;
pub use key::SiteKey;
pub use known::{Evidence, Known, Rule};
pub use learner::Learner;
pub use listing::{Edits, Listing, ListingError, Row, Verdict};
pub use memory::{DEFAULT_CAPACITY, MAX_CAPACITY, SiteMemory};
pub use record::PageRecord;
pub use store::{Error, SiteSummary, Store};
pub use verdicts::{Decision, MAX_VERDICTS};
