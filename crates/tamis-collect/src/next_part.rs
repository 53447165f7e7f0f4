//! Multi-page stories: finds the link to the next page, and tells by its URL whether it is a part of the same story.

mod address;
mod lexicon;
mod pager;

pub use address::is_next_part;
pub(crate) use address::is_numbered;
pub use pager::next_link;
