//! Reads the feeds of a site (RSS, Atom, JSON Feed) as metadata of its pages.
//!
//! Supports RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed 1.x, valid or broken: bare `&`, HTML references,
//! missing or wrong end tags, undeclared prefixes, text before the first tag, truncated documents. Entities declared in
//! a feed are never expanded. Any input is read or refused in linear time.
//!
//! ```
//! use tamis_feeds::Feed;
//!
//! let feed = Feed::read(
//!     "<rss><channel><title>Harbour Gazette</title><item><title>Rain at last</title>\
//!      <link>https://gazette.example/rain</link><author>desk@gazette.example (Ada Finch)</author></item></channel></rss>",
//! )?;
//! let entry = feed.entry_for("http://www.gazette.example/rain/?utm_source=mail#top", None).unwrap();
//! let hints = entry.hints();
//! assert_eq!((hints.title.as_deref(), hints.authors[0].as_str()), (Some("Rain at last"), "Ada Finch"));
//! # Ok::<(), tamis_feeds::FeedError>(())
//! ```
//!
//! It does not fetch or write feeds, and does not support WebSub or podcasts.

mod address;
mod entry;
mod error;
mod feed;
mod json;
mod terms;
mod text;
mod vocabulary;
mod xml;

pub use entry::{Content, Entry};
pub use error::FeedError;
pub use feed::{Feed, Limits, ReadOptions};
