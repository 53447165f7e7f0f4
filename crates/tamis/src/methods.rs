//! The published methods, each in a file that reads like its paper.
//!
//! All have one signature: a page, and what is known of its site, give a judgement.

pub mod block_tags;
pub mod lines;
pub mod rbf;
pub mod svm;
pub mod template_svm;
pub mod containers;
pub mod correlation;
pub mod density;
