//! Five published methods of main-text extraction and two baselines, faithful to the papers.
//!
//! ```
//! use tamis_methods::Method;
//! use tamis::page::Page;
//!
//! let page = Page::parse("<ul><li><a href=/>Home</a></ul><p>It rained for nine days, and the river rose by two metres.");
//! let judgement = "correlation".parse::<Method>()?.judge(&page, None);
//! let kept: Vec<&str> = judgement.kept().map(|block| page.blocks.text(block)).collect();
//! assert_eq!(kept, ["It rained for nine days, and the river rose by two metres."]);
//! # Ok::<(), tamis_methods::UnknownMethod>(())
//! ```
//!
//! | method | paper | module |
//! |---|---|---|
//! | `lines` | Li and Jiang 2012: punctuation share, lines that recur across a site | [`lines`] |
//! | `template-svm`, `svm` | Yan and Wang 2020: templates of a site, five ratios of block tags | [`template_svm`], [`svm`] |
//! | `correlation` | Uyghur pages 2012: text per link of every element, smoothed | [`correlation`] |
//! | `containers` | Liu et al. 2014: distance, title words, punctuation and links of containers | [`containers`] |
//! | `blocks` | Zou and Zhong 2011: histogram of text-block lengths; title and report time | [`text_blocks`] |
//! | `density` | Sun et al. 2011: composite text density with DensitySum | [`density`] |
//!
//! [`Method::judge`] returns one [`Verdict`] per block of the page. [`Judgement::curves`] has the quantities that the
//! papers plot. [`site::Site`] learns from the pages of a site in order, as the first two papers do; any other
//! [`SiteMemory`](tamis::classify::SiteMemory) can replace it.
//!
//! Every method takes linear time in the size of the page. Once the page's deadline has passed, a method returns early;
//! discard its judgement.

#![forbid(unsafe_code)]

pub mod block_tags;
pub mod containers;
pub mod correlation;
mod custom_model;
mod data;
pub mod density;
mod judgement;
pub mod lines;
mod method;
mod outline;
mod punctuation;
pub mod rbf;
mod selection;
pub mod site;
pub mod svm;
pub mod template_svm;
pub mod text_blocks;

pub use custom_model::{CustomModel, CustomModelError};
pub use judgement::{Curves, Judgement, Verdict};
pub use method::{Method, UnknownMethod};
pub use selection::{PublishedClassifier, Selection};
