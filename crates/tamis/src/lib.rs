//! The main text of a web page, and its facts.
//!
//! ```
//! let html = "<title>Rain - The Gazette</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>\
//!     <h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring, and the \
//!     gardens were glad of it.</p><p>More is expected until Thursday, says the weather office.</p>\
//!     <footer><a href=/about>About us</a></footer>";
//! let document = tamis::extract(html);
//! assert_eq!(document.title.as_deref(), Some("Rain at last"));
//! assert!(document.to_markdown(&Default::default()).contains("gardens were glad"));
//! ```
//!
//! The way of a page goes through plain functions, each of which can be called by itself:
//!
//! 1. [`tamis_html::decode`] and [`tamis_html::parse`] make a tree of its bytes;
//! 2. [`Page::new`] measures it and cuts it into [`Block`]s;
//! 3. a [`Method`] gives a [`Judgement`]: for every block a score, keep or drop, and why;
//! 4. [`assemble`](assemble()) makes a [`Document`] of the kept blocks; [`Page::comments`] tells readers' comments
//!    apart before;
//! 5. `to_text`, `to_markdown` and their like write it.
//!
//! [`extract`](extract()) and [`Extractor`] do all of it in one go; [`fast::extract`] takes a shorter road.
//!
//! Nothing here reads files, starts threads or looks at the clock (but for a [deadline](tamis_html::Deadline) that the caller
//! sets), and no script of a page is run.

pub mod arabic;
pub mod assemble;
pub mod balance;
pub mod block;
mod by_name;
pub mod characters;
pub mod comments;
pub mod document;
pub mod entries;
pub mod explain;
pub mod extract;
pub mod facts;
pub mod fast;
pub mod feed;
pub mod fused;
mod hashing;
pub mod judgement;
pub mod methods;
pub mod own_model;
pub mod page;
pub mod page_address;
mod paths;
pub mod posts;
#[cfg(feature = "serde")]
pub mod record;
pub mod render;
pub mod report_time;
mod segment;
mod signature;
pub mod site;
mod visible;
mod without_script;

pub use assemble::assemble;
pub use balance::Balance;
pub use block::{Block, Hidden, Run};
pub use document::Document;
pub use explain::Explanation;
pub use extract::{Extractor, extract};
pub use feed::Feed;
pub use judgement::{Judgement, Verdict};
pub use methods::{Method, UnknownMethod};
pub use own_model::OwnModel;
pub use page::{Measures, Page};
#[cfg(feature = "serde")]
pub use record::{BlockRecord, RECORD_SCHEMA, Record};
pub use render::Options;
pub use site::Site;

/// What the README shows must run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
