//! What the whole text in a feed says of the blocks of a page, beside the model.
//!
//! The model has a number for it, that of `articleBody` in JSON-LD; but too few of the pages that it learned from give one, and no tree
//! of the shipped model asks for it. So this rule stands beside the trees, and speaks only where a [feed](crate::feed) was given that
//! has the whole text: a block that begins as a part of it does is main text with sixteen times the odds, one that does not with a
//! sixteenth. So what the model is sure of may stay: a lead or a caption that the feed leaves out.

use super::features::Features;
use crate::page::Page;

/// By how much the odds change.
const ODDS: f32 = 16.0;
/// Of shorter blocks there are too few pairs of words.
const FEWEST_WORDS: u32 = 3;
/// From this share of a block's pairs of words on it is of the text; up to the other, which titles and lines on the same matter reach
/// by chance, it is not.
const MUCH: f32 = 0.75;
const LITTLE: f32 = 0.5;

/// For each block, the share of it that the feed's text has; empty where none was given.
pub(super) fn shares(features: &Features) -> Vec<f32> {
    let column = features.names.iter().position(|name| *name == "in JSON-LD body");
    match column.filter(|_| features.is_fed) {
        Some(column) => features.values.iter().skip(column).step_by(features.width.max(1)).copied().collect(),
        None => Vec::new(),
    }
}

/// Changes what is thought of the blocks by these shares.
pub(super) fn lean(page: &Page<'_>, shares: &[f32], probabilities: &mut [f32]) {
    for ((block, share), probability) in page.blocks().iter().zip(shares).zip(probabilities) {
        if block.measures.text.words < FEWEST_WORDS {
            continue;
        }
        let odds = match *share {
            share if share >= MUCH => ODDS,
            share if share <= LITTLE => 1.0 / ODDS,
            _ => continue,
        };
        let (yes, no) = (*probability * odds, 1.0 - *probability);
        *probability = yes / (yes + no).max(f32::MIN_POSITIVE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_text_gain_and_others_lose() {
        let page = Page::parse("<p>One two three four.<p>One two three four.<p>Two words.<p>A b c d e f.");
        let mut probabilities = [0.5, 0.5, 0.5, 0.5];
        lean(&page, &[1.0, 0.0, 0.0, 0.6], &mut probabilities);
        assert_eq!(probabilities, [16.0 / 17.0, 1.0 / 17.0, 0.5, 0.5]);
        let mut sure = [0.0, 1.0, 0.0, 1.0];
        lean(&page, &[1.0, 0.0, 1.0, 0.0], &mut sure);
        assert_eq!(sure, [0.0, 1.0, 0.0, 1.0], "what is sure stays");
        lean(&page, &[], &mut sure);
    }
}
