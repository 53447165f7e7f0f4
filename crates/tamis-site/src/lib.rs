//! Site memory: what a web site repeats from page to page, learned, stored in a file and merged.
//!
//! ```
//! use tamis::page::Page;
//! use tamis_methods::Method;
//! use tamis_site::SiteProfile;
//!
//! let mut profile = SiteProfile::default();
//! for text in ["It rained.", "It snowed.", "It was hot."] {
//!     profile.observe(&Page::parse(&format!("<p>{text}</p><p>Mail us, or call.</p>")), None);
//! }
//! let known = profile.known();
//! let page = Page::parse("<p>It was cold.</p><p>Mail us, or call.</p>");
//! assert_eq!(Method::Lines.judge(&page, Some(&known)).kept().collect::<Vec<_>>(), [0]);
//!
//! // Extractors take it as well; a learned page does not count as its own repetition.
//! let document = tamis::Extractor::new().extract(tamis::Input::text("<p>It was cold.").site(&known))?;
//! assert_eq!(document.text, "It was cold.\n");
//! # Ok::<(), tamis::ExtractError>(())
//! ```
//!
//! - [`SiteProfile`] grows by observing pages. Two profiles of a site merge into one, in any order, with the same
//!   result.
//! - [`Known`] is a profile with its counts, and a [`SiteMemory`](tamis::SiteMemory) for extractors and methods.
//! - [`Store`] keeps the profiles of many sites in one crash-safe file; [`Learner`] fills it, and [`SiteKey`]
//!   identifies the site of a page.
//! - [`Listing`] is a readable and editable form of a profile; manual overrides win over counts.
//! - [`RuleSet`] holds rules of users: selectors of content to keep or drop. [`Import`] translates ftr-site-config.
//! - [`exchange`] writes and reads profiles as JSON lines.
//!
//! Repetition is evidence that the classifiers weigh, not a decision.

mod codec;
pub mod exchange;
mod ftr;
mod hashing;
mod key;
mod known;
mod learner;
mod listing;
mod overrides;
mod profile;
mod record;
mod rules;
mod store;

pub use codec::Damaged;
pub use ftr::{Import, Untranslated};
pub use key::SiteKey;
pub use known::Known;
pub use learner::Learner;
pub use listing::{Edits, Listing, ListingError, Row, Verdict};
pub use overrides::{Decision, MAX_OVERRIDES};
pub use profile::{DEFAULT_CAPACITY, MAX_CAPACITY, SiteProfile};
pub use record::PageRecord;
pub use rules::{RuleError, RuleSet};
pub use store::{Error, SiteSummary, Store};
