//! Pages without text.

use tamis::{Analysis, Bias, Document, PageType};
use tamis_methods::Selection;

/// Why there is no text.
#[derive(Clone, Copy)]
pub(super) enum Empty {
    Failed,
    /// The page has no text at all.
    NoText,
    /// The method dropped all blocks.
    NothingKept,
    /// A list of links; no other method would find text either.
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

    /// With the remedy.
    pub(super) fn message(self, method: Selection, bias: Bias) -> String {
        match self {
            Empty::NoText | Empty::Failed => {
                "no text; if scripts write it, save the page from a browser".to_owned()
            }
            Empty::Listing { entries: 0, links } => {
                format!("no text: this is a listing with {links} links")
            }
            Empty::Listing { entries, .. } => {
                format!("no text: this is a listing of {entries} entries; --format json shows them")
            }
            Empty::NothingKept => {
                let remedy = match bias {
                    Bias::Recall => "another --method",
                    _ => "--recall or another --method",
                };
                format!("the method {method} kept nothing; try {remedy}")
            }
        }
    }
}
