//! Pages that give no text.

use tamis::{Analysis, Bias, Document, PageType};
use tamis_methods::Selection;

/// Why there is no text.
#[derive(Clone, Copy)]
pub(super) enum Empty {
    Failed,
    /// The page has no text at all.
    NoText,
    /// The method kept nothing of it.
    NothingKept,
    /// The page leads elsewhere; no other method would find a text.
    Listing {
        entries: usize,
        links: u32,
    },
}

impl Empty {
    pub(super) fn why(analysis: &Analysis<'_>, document: &Document) -> Empty {
        let blocks = &analysis.page.blocks;
        let links = blocks.sum(0, blocks.len()).links;
        match analysis.prediction.page_type {
            _ if blocks.is_empty() => Empty::NoText,
            PageType::Listing if links > 0 => Empty::Listing { entries: document.entries.len(), links },
            _ => Empty::NothingKept,
        }
    }

    /// In words, with what to do about it.
    pub(super) fn message(self, method: Selection, bias: Bias) -> String {
        match self {
            Empty::NoText | Empty::Failed => {
                "has no text to extract; if scripts write it, save the page from a browser".to_owned()
            }
            Empty::Listing { entries: 0, links } => {
                format!("this is a listing with {links} links, and has no text of its own")
            }
            Empty::Listing { entries, .. } => {
                format!(
                    "this is a listing of {entries} entries, which --format json has, and has no text of its own"
                )
            }
            Empty::NothingKept => {
                // Where recall is wanted already, other methods are what is left.
                let remedy = match bias {
                    Bias::Recall => "another --method",
                    _ => "--recall or another --method",
                };
                format!("nothing was kept by the method {method}; try {remedy}")
            }
        }
    }
}
