//! The main text of a web page, and its facts.

pub mod block;
pub mod characters;
pub mod fast;
pub mod judgement;
pub mod methods;
pub mod page;
pub mod report_time;
mod segment;
pub mod site;

pub use block::{Block, Hidden, Run};
pub use judgement::{Judgement, Verdict};
pub use page::{Measures, Page};
pub use site::Site;
