//! Classification of blocks: features, two passes of forests, page type, threshold, post-processing.

mod classifier;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
pub mod features;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
pub mod forest;
mod model;
pub mod page_type;
pub mod postprocess;
mod prediction;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
pub mod second_pass;
mod site_memory;
pub(crate) mod site_rules;
#[allow(missing_docs, reason = "columns and tables: their names say what they hold")]
pub mod threshold;

pub use classifier::{Bias, Scratch, Settings, classify};
pub use model::{Model, ModelError};
pub use prediction::{PageType, Prediction};
pub use site_memory::{RepeatedLines, SiteMemory};
pub use site_rules::RuleDecisions;
