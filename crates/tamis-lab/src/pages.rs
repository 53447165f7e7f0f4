//! Classes of page quality, as the papers count them.
//!
//! *Qualified* and *excellent* are from the text-block paper: all of the text, and at most 5 % (2 %) noise. "All" means
//! a token recall of 0.99, so a stray token does not decide. The paper on container features counts pages extracted
//! *correctly*, and of these the *completely* extracted ones, without a definition. Here a page is correct with a
//! precision of 0.9 and a recall of 0.5, and complete if it also has all of the text.

use serde::Serialize;

use crate::overlap::Overlap;

/// The recall that counts as all of the text.
const ALL: f64 = 0.99;

/// The quality classes of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PageQuality {
    /// All of the text, at most 5 % noise.
    pub qualified: bool,
    /// All of the text, at most 2 % noise.
    pub excellent: bool,
    /// Precision of at least 0.9 and recall of at least 0.5.
    pub correct: bool,
    /// Correct, and all of the text.
    pub complete: bool,
    /// A token F1 below 0.3.
    pub failed: bool,
    /// No token.
    pub empty: bool,
}

impl PageQuality {
    /// Classifies a page by its token overlap.
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
    fn an_empty_output_fails() {
        let quality = PageQuality::of(&Overlap { common: 0, found: 0, wanted: 5 });
        assert_eq!(quality, PageQuality { failed: true, empty: true, ..PageQuality::default() });
    }

    #[test]
    fn noise_decides_between_qualified_and_excellent() {
        let quality = PageQuality::of(&Overlap { common: 99, found: 103, wanted: 100 });
        assert!(
            quality.qualified && !quality.excellent && quality.correct && quality.complete && !quality.failed
        );
    }

    #[test]
    fn a_correct_page_need_not_be_complete() {
        let quality = PageQuality::of(&Overlap { common: 60, found: 60, wanted: 100 });
        assert!(quality.correct && !quality.complete && !quality.qualified);
        assert!(!PageQuality::of(&Overlap { common: 40, found: 40, wanted: 100 }).correct);
    }
}
