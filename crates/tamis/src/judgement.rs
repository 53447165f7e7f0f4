//! What a method says about the blocks of a page.

use std::borrow::Cow;
use std::ops::Range;

use tamis_html::NodeId;

use crate::fused::{Classes, PageType};

/// A method's word on one block.
///
/// ```
/// use tamis::{Method, Page, Site};
///
/// let page = Page::parse("<p>A sentence, with a comma.");
/// let verdict = &Method::Lines.judge(&page, &Site::default()).verdicts[0];
/// assert!(verdict.keep && verdict.score > 0.5);
/// assert_eq!(verdict.why[0], ("r", 2.0 / 21.0)); // two marks among 21 characters
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    /// Does the block belong to the main text?
    pub keep: bool,
    /// How strongly, from 0 (noise) to 1 (main text).
    pub score: f32,
    /// The numbers that led to it, by the names that the method's paper gives them.
    pub why: Vec<(&'static str, f64)>,
}

/// A method's word on a page: one verdict for each block, in the order of [`Page::blocks`](crate::Page::blocks).
///
/// ```
/// let judgement = tamis::Judgement::of([true, false, true]);
/// assert!(judgement.keeps(0) && !judgement.keeps(1));
/// assert_eq!(judgement.kept().collect::<Vec<_>>(), [0, 2]);
/// assert!(!judgement.keeps(99), "there is no such block");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judgement {
    /// The verdicts.
    pub verdicts: Vec<Verdict>,
    /// What it says of the page as a whole, if it says anything.
    pub whole: Option<Whole>,
    /// What the blocks are, one for each of them, if it tells more than text and noise apart.
    pub classes: Vec<Classes>,
    /// Texts at the edges of kept blocks that are left out all the same: [`mixed`](crate::fused::mixed).
    pub apart: Vec<NodeId>,
    /// Texts of which some bytes are left out, in the order of their nodes: a label and a day that are glued to the first sentence,
    /// the words before a link that is left out.
    pub cut: Vec<(NodeId, Range<usize>)>,
    /// Where the [dial](crate::Balance) is turned: for each block, whether it is kept with the dial in the middle. Facts and entries are told
    /// by that, whatever the dial is.
    pub middle: Vec<bool>,
}

/// A method's word on a page as a whole.
///
/// ```
/// use tamis::{Method, Page, Site};
///
/// let page = Page::parse("<p>A sentence, with a comma.");
/// let whole = Method::Fused.judge(&page, &Site::default()).whole.expect("`fused` has a word on every page");
/// assert!((0.0..=1.0).contains(&whole.confidence) && whole.probability > 0.0);
/// println!("{}", whole.page_type.name());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Whole {
    /// What kind of page it most probably is.
    pub page_type: PageType,
    /// How probable that kind is.
    pub probability: f32,
    /// The token F1 that pages like this one had.
    pub confidence: f32,
}

impl Judgement {
    /// Keeps the blocks for which `keep` is true, with scores of 0 and 1.
    pub fn of(keep: impl IntoIterator<Item = bool>) -> Judgement {
        let verdict = |keep: bool| Verdict { keep, score: f32::from(u8::from(keep)), why: Vec::new() };
        Judgement { verdicts: keep.into_iter().map(verdict).collect(), ..Judgement::default() }
    }

    /// Is the block at this place kept?
    pub fn keeps(&self, block: usize) -> bool {
        self.verdicts.get(block).is_some_and(|verdict| verdict.keep)
    }

    /// What is kept with the dial in the middle.
    ///
    /// ```
    /// use tamis::{Balance, Judgement, Page};
    ///
    /// let page = Page::parse("<p>A sentence of some words.<p>Short.<p>And a sentence again, with words.");
    /// let turned = Balance::Recall.apply(&page, Judgement::of([true, false, true]));
    /// assert_eq!((turned.kept().count(), turned.in_middle().kept().count()), (3, 2));
    /// ```
    pub fn in_middle(&self) -> Cow<'_, Judgement> {
        if self.middle.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut judgement = self.clone();
        for (verdict, keep) in judgement.verdicts.iter_mut().zip(std::mem::take(&mut judgement.middle)) {
            verdict.keep = keep;
        }
        Cow::Owned(judgement)
    }

    /// The places of the blocks that are kept.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        self.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.keep).map(|(place, _)| place)
    }
}
