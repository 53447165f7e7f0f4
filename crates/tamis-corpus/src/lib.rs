//! A corpus of stories in SQLite or PostgreSQL: revisions, comments, near-duplicates, full-text search.

mod corpus;
pub mod database;
pub mod diff;
mod draft;
mod error;
pub mod export;
mod extraction;
mod filter;
mod import;
mod migrate;
mod near;
mod parallel;
mod raw;
mod reextract;
mod save;
pub mod search;
pub mod segment;
mod site_pages;
pub mod stats;
pub mod story;
#[cfg(test)]
mod testing;

pub use corpus::Corpus;
pub use draft::{CommentDraft, Draft};
pub use error::Error;
pub use extraction::{Engine, EngineSettings, PageInput};
pub use filter::{Bound, Filter};
pub use import::{ImportProgress, ImportSettings, ImportSummary, import};
pub use migrate::SCHEMA_VERSION;
pub use raw::{
    RawDraft, RawPage, RawRole, compress, decompress, load_raw, load_story_raws, raw_pages, save_raw,
};
pub use reextract::{
    ReextractFilter, ReextractSummary, Reextracted, Replacement, StoryPages, load_pages, reextract,
    reextract_one, replace_story, ripe_stories,
};
pub use save::{Change, Saved, mark_checked, save_comments, save_part, save_story};
pub use site_pages::{load_profile, save_page_record};
