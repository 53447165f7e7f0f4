//! The main text of a web page, and its facts.

pub mod arabic;
pub mod balance;
pub mod block;
pub mod characters;
pub mod fast;
pub mod judgement;
pub mod methods;
pub mod page;
pub mod report_time;
mod segment;
pub mod site;

pub use balance::Balance;
pub use block::{Block, Hidden, Run};
pub use judgement::{Judgement, Verdict};
pub use methods::{Method, UnknownMethod};
pub use page::{Measures, Page};
pub use site::Site;
