//! The main text of a web page, and its facts.

pub mod assemble;
pub mod block;
pub mod characters;
pub mod document;
pub mod judgement;
pub mod methods;
pub mod page;
pub mod render;
mod segment;
pub mod site;

pub use assemble::assemble;
pub use block::{Block, Hidden, Run};
pub use document::Document;
pub use judgement::{Judgement, Verdict};
pub use page::{Measures, Page};
pub use render::Options;
pub use site::Site;
