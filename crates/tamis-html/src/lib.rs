//! Decoding and parsing of web pages.
//!
//! ```
//! let dom = tamis_html::parse("<!doctype html><title>News</title><p>It <b>rained</b>.");
//! let body = dom.body().unwrap();
//! assert_eq!(body.text_content(), "It rained.");
//! assert_eq!(body.first_child().unwrap().path(), "/html/body/p");
//! ```
//!
//! - [`decode`](decode::decode) turns bytes into text, even if the declared encoding is wrong.
//! - [`parse`] turns text into a [`Dom`], by the complete WHATWG standard; [`Parser`] has settings: scripting,
//!   fragments, [`Limits`].
//! - [`NodeRef`] gives access to a node: name, attributes, text, relatives, path, source span. [`Walk`] and other
//!   iterators traverse the tree, `to_html` serialises it, and [`Selector`] is a subset of CSS selectors.
//! - [`tokenizer`] splits a page into tokens without building a tree.
//!
//! Time is linear in the length of the page, even for hostile pages, and nothing recurses. Texts, names and values are
//! spans of the source that are decoded on demand.
//!
//! Not supported: scripts, reporting of parse errors, shadow roots.

mod arena;
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
mod selector;
mod serialize;
mod span;
pub mod tokenizer;
mod tokens;
mod walk;

pub use attribute::{Attribute, AttributeNamespace, Attributes};
pub use dom::{Dom, Namespace, NodeId, QuirksMode};
pub use limits::{Deadline, Limit, Limits};
pub use name::Name;
pub use node::{NodeKind, NodeRef};
pub use parse::{Parser, parse};
pub use selector::{Selector, SelectorError, Visit};
pub use span::Span;
pub use tokens::Tokens;
pub use walk::{Ancestors, Children, Descendants, NextSiblings, PreviousSiblings, Step, Walk};
