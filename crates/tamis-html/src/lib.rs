//! Decoding and parsing of web pages.
//!
//! ```
//! let dom = tamis_html::parse("<!doctype html><title>News</title><p>It <b>rained</b>.");
//! let body = dom.body().unwrap();
//! assert_eq!(body.text_content(), "It rained.");
//! assert_eq!(body.first_child().unwrap().path(), "/html/body/p");
//! ```

mod attribute;
mod build;
pub mod decode;
mod dom;
mod forecast;
mod lanes;
mod limits;
mod name;
mod node;
mod outline;
mod parse;
mod path;
mod references;
mod scan;
mod serialize;
mod span;
pub mod tokenizer;
mod walk;

pub use attribute::{Attribute, AttributeNamespace, Attributes};
pub use dom::{Dom, Namespace, NodeId, QuirksMode};
pub use limits::{Limit, Limits};
pub use name::Name;
pub use node::{NodeKind, NodeRef};
pub use parse::{Parser, parse};
pub use span::Span;
pub use walk::{Ancestors, Children, Descendants, NextSiblings, PreviousSiblings, Step, Walk};
