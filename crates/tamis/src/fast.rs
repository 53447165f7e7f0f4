//! The fast road: main text, title and report time straight from the tokens, without a tree.
//!
//! This is the method `blocks` ([`methods::text_blocks`](crate::methods::text_blocks)) without the way through a
//! [`Page`](crate::Page). The words are the same as those of the blocks that the method keeps of the tree, except
//! where the tree differs from the order of the source or where only attributes tell what a reader sees:
//!
//! - text that a broken table sends elsewhere in the tree stands here where it stands in the source;
//! - inline tags that a `style` makes blocks do not part words here;
//! - the text of an inline tag that the paper drops (`label`, `map`) inside a kept line is left out here, but part of
//!   the tree's block;
//! - readers' comments are not told apart from the text ([`Page::comments`](crate::Page::comments) needs the tree).

use crate::methods::text_blocks::{Form, TextBlocks};
use crate::report_time::ReportTime;

/// What the fast road finds.
///
/// ```
/// let found = tamis::fast::extract("<title>Rain</title><p>It rained for nine days, and the river rose.");
/// assert_eq!(found.title.as_deref(), Some("Rain"));
/// assert_eq!(found.text, "It rained for nine days, and the river rose.");
/// assert_eq!(found.report_time, None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FastText {
    /// The main text, a line for each paragraph.
    pub text: String,
    /// The title.
    pub title: Option<String>,
    /// When it was reported.
    pub report_time: Option<ReportTime>,
}

/// Takes main text, title and report time out of a page.
///
/// ```
/// let page = "<title>Rain - The Daily News</title><div><a href=/>Home</a></div><h1>Nine days of rain</h1>\
///             <p>2010-12-15 08:30<p>It rained for nine days, and the river rose by <b>two</b> metres.\
///             <p>On the tenth day the sun came out.";
/// let found = tamis::fast::extract(page);
/// assert!(found.text.ends_with("by two metres.\nOn the tenth day the sun came out."));
/// assert_eq!(found.title.as_deref(), Some("Nine days of rain"));
/// assert_eq!(found.report_time.unwrap().to_string(), "2010-12-15T08:30");
/// ```
pub fn extract(html: &str) -> FastText {
    extract_in(html, Form::WithLinks)
}

/// As [`extract`], with or without the text of links.
///
/// ```
/// use tamis::{fast::extract_in, methods::text_blocks::Form};
///
/// let page = "<p>It rained for nine <a href=/d>days</a>, and the river rose.";
/// assert_eq!(extract_in(page, Form::WithLinks).text, "It rained for nine days, and the river rose.");
/// assert_eq!(extract_in(page, Form::Paper).text, "It rained for nine , and the river rose.");
/// ```
pub fn extract_in(html: &str, form: Form) -> FastText {
    let blocks = TextBlocks::of(html);
    FastText { text: blocks.text(form), title: blocks.title(), report_time: blocks.report_time() }
}
