//! The published methods, each in a file that reads like its paper.
//!
//! All have one signature: a page, and what is known of its site, give a judgement.

pub mod text_blocks;
