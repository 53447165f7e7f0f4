//! The fused extractor.
#![allow(missing_docs)]

pub mod decode;
mod elements;
pub mod features;
pub mod odds;
pub mod second_pass;
pub mod trees;
