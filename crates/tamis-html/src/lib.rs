//! Decoding and parsing of web pages.
//!
//! ```
//! let dom = tamis_html::parse("<!doctype html><title>News</title><p>It <b>rained</b>.");
//! let body = dom.body().unwrap();
//! assert_eq!(body.text_content(), "It rained.");
//! assert_eq!(body.first_child().unwrap().path(), "/html/body/p");
//! ```
//!
//! - [`decode`](decode::decode) turns bytes into text, whatever they say of their encoding.
//! - [`parse`] turns text into a [`Dom`], by the WHATWG standard in full; [`Parser`] has the settings: scripting,
//!   fragments, [`Limits`].
//! - [`NodeRef`] looks at a node: its name, attributes, texts, relatives, path, place in the source; [`Walk`] and its
//!   like go through the tree, and `to_html` writes it back.
//! - [`tokenizer`] cuts a page into tokens for those who need no tree.
//!
//! Time is linear in the length of the page, also for hostile ones, and nothing recurses. Texts, names and values are
//! spans of the source, read when asked for.
//!
//! What is not done: no script is run, parse errors are not reported, shadow roots are not made, and there are no CSS
//! selectors.

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
