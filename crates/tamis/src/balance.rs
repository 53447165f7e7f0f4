//! The dial between precision and recall.
//!
//! The default method has probabilities, and moves the cut between text and noise (`fused::decode`). A published method has no
//! such dial. So it is turned afterwards, on the judgement: towards precision, kept blocks that look like noise by themselves go;
//! towards recall, dropped blocks that stand among kept ones come back.

use tamis_html::{Name, NodeRef};

use crate::judgement::Judgement;
use crate::page::Page;

/// What matters more where a block is doubtful.
///
/// ```
/// use tamis::{Balance, Extractor};
///
/// let page = "<p>A sentence that is long enough for the method to keep it, and then some.<p><a href=/>Home</a>";
/// let strict = Extractor::new().balance(Balance::Precision).extract(page);
/// assert_eq!(strict.content.len(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Balance {
    /// No noise, even if some text is lost.
    Precision,
    /// What the method says.
    #[default]
    Even,
    /// No text lost, even if some noise is left.
    Recall,
}

/// A block with more of its characters in links than this is doubtful.
const LINKED: f32 = 0.5;
/// A block of fewer words is doubtful, unless it is a heading, or part of something larger: a table, a list.
const FEW_WORDS: u32 = 4;
/// How many dropped blocks between two kept ones come back.
const GAP: usize = 5;

impl Balance {
    /// Turns the dial on a judgement.
    ///
    /// ```
    /// use tamis::{Balance, Judgement, Page};
    ///
    /// let page = Page::parse("<p>A sentence of some words.<p>Short.<p>And a sentence again, with words.");
    /// let judgement = Judgement::of([true, false, true]);
    /// let kept = |balance: Balance| balance.apply(&page, judgement.clone()).kept().count();
    /// assert_eq!((kept(Balance::Precision), kept(Balance::Even), kept(Balance::Recall)), (2, 2, 3));
    /// ```
    #[must_use]
    pub fn apply(self, page: &Page<'_>, mut judgement: Judgement) -> Judgement {
        if self != Balance::Even {
            judgement.middle = judgement.verdicts.iter().map(|verdict| verdict.keep).collect();
        }
        match self {
            Balance::Even => {}
            Balance::Precision => {
                for (block, verdict) in page.blocks().iter().zip(&mut judgement.verdicts) {
                    let short = block.measures.text.words < FEW_WORDS && !may_be_short(page.element(block));
                    if verdict.keep && (block.link_share() > LINKED || short) {
                        verdict.keep = false;
                        verdict.why.push(("precision", 1.0));
                    }
                }
            }
            Balance::Recall => fill_gaps(page, &mut judgement),
        }
        judgement
    }
}

/// Keeps visible blocks that stand in a short gap between two kept ones and are no links.
fn fill_gaps(page: &Page<'_>, judgement: &mut Judgement) {
    let kept: Vec<usize> = judgement.kept().collect();
    for pair in kept.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if to - from > GAP + 1 {
            continue;
        }
        for place in from + 1..to {
            let block = &page.blocks()[place];
            if block.hidden.is_none() && block.link_share() <= LINKED {
                let verdict = &mut judgement.verdicts[place];
                verdict.keep = true;
                verdict.why.push(("recall", 1.0));
            }
        }
    }
}

/// Headings; and what would leave a hole in a table, a list or a listing.
fn may_be_short(node: NodeRef<'_>) -> bool {
    matches!(
        node.name_id(),
        Some(
            Name::H1
                | Name::H2
                | Name::H3
                | Name::H4
                | Name::H5
                | Name::H6
                | Name::TD
                | Name::TH
                | Name::LI
                | Name::DT
                | Name::DD
                | Name::PRE
        )
    )
}
