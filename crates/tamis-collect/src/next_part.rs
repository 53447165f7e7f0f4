//! Parts of a story: which link of a page leads to the next one, and whether its address says that it is the same
//! story.

mod address;
mod lexicon;
mod pager;

pub use address::is_next_part;
pub(crate) use address::is_numbered;
pub use pager::next_link;
