//! Page by page: is the text good enough?
//!
//! The papers count pages. *Qualified* and *excellent* are those of the text-block paper: all of the text, and noise of at
//! most 5 % (2 %). "All" is a token recall of 0.99, so that a stray token does not decide. The paper on container
//! features counts pages extracted *correctly*, and of these the ones extracted *completely*, and leaves both words
//! to the reader; here a page is correct if nine tenths of what was kept belong to the text and at least half of the text is
//! there, and a correct page is complete if all of the text is.

use serde::Serialize;

use crate::overlap::Overlap;

/// What counts as all of the text.
const ALL: f64 = 0.99;

/// What can be said of a page as a whole.
///
/// ```
/// use tamis_lab::{Overlap, pages::PageQuality};
///
/// let quality = PageQuality::of(&Overlap { common: 99, found: 103, wanted: 100 });
/// assert!(quality.qualified && !quality.excellent && quality.correct && quality.complete && !quality.failed);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PageQuality {
    /// All of the text, at most 5 % noise.
    pub qualified: bool,
    /// All of the text, at most 2 % noise.
    pub excellent: bool,
    /// The main text and hardly anything else: precision 0.9, recall 0.5.
    pub correct: bool,
    /// Correct, and all of the text.
    pub complete: bool,
    /// A token F1 below 0.3: something else than the main text.
    pub failed: bool,
    /// No token at all.
    pub empty: bool,
}

impl PageQuality {
    /// Judges by tokens.
    pub fn of(tokens: &Overlap) -> PageQuality {
        let (precision, recall) = (tokens.precision(), tokens.recall());
        let (noise, all) = (1.0 - precision, recall >= ALL);
        let correct = precision >= 0.9 && recall >= 0.5;
        PageQuality {
            qualified: all && noise <= 0.05,
            excellent: all && noise <= 0.02,
            correct,
            complete: correct && all,
            failed: tokens.f1() < 0.3,
            empty: tokens.found == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_found_is_nothing_good() {
        let quality = PageQuality::of(&Overlap { common: 0, found: 0, wanted: 5 });
        assert_eq!(quality, PageQuality { failed: true, empty: true, ..PageQuality::default() });
    }

    #[test]
    fn a_correct_page_need_not_be_complete() {
        let quality = PageQuality::of(&Overlap { common: 60, found: 60, wanted: 100 });
        assert!(quality.correct && !quality.complete && !quality.qualified);
        assert!(!PageQuality::of(&Overlap { common: 40, found: 40, wanted: 100 }).correct);
    }
}
