//! Precision and recall per leaf tag, the measure of the paper on templates and an SVM.
//!
//! A leaf tag is an element with text of its own; it is positive if it belongs to the main text. Truths and tools give
//! texts, not tags, so both are aligned with the page by the longest common subsequence of tokens. A match counts if it
//! is part of a run of at least three tokens (or of the whole text), since single words match anywhere. A leaf tag
//! belongs to the text if at least half of its tokens are matched.

use std::collections::HashMap;

use tamis::page::Page;

use crate::lcs::Pattern;
use crate::overlap::Overlap;
use crate::tokens::{Vocabulary, normal, tokens};

/// Tokens of a page or text that are aligned; the rest is ignored.
const MAX_TOKENS: usize = 20_000;

/// The minimum length of a run of matches.
const RUN: usize = 3;

/// The leaf tags of a page, preprocessed for comparison with texts.
#[derive(Clone, Debug)]
pub(crate) struct LeafTags {
    vocabulary: Vocabulary,
    pattern: Pattern,
    /// The tag of each token.
    tag: Vec<u32>,
    /// The number of tokens of each tag.
    sizes: Vec<u32>,
}

impl LeafTags {
    /// The leaf tags with at least one token.
    pub(crate) fn of(page: &Page<'_>) -> LeafTags {
        let (mut vocabulary, mut numbers) = (Vocabulary::default(), HashMap::new());
        let (mut symbols, mut tag, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for node in page.blocks.text_nodes.iter().filter_map(|node| page.dom.node(*node)) {
            let Some(parent) = node.parent() else { continue };
            for token in tokens(&normal(&node.text())) {
                if symbols.len() == MAX_TOKENS {
                    break;
                }
                symbols.push(vocabulary.number(token));
                let number = *numbers.entry(parent.id().index()).or_insert_with(|| {
                    sizes.push(0);
                    sizes.len() as u32 - 1
                });
                tag.push(number);
                sizes[number as usize] += 1;
            }
        }
        LeafTags { vocabulary, pattern: Pattern::new(&symbols), tag, sizes }
    }

    /// Which leaf tags belong to a text.
    pub(crate) fn in_text(&self, text: &str) -> Vec<bool> {
        self.in_normal(&normal(text))
    }

    /// [`LeafTags::in_text`] for a normalised text.
    pub(crate) fn in_normal(&self, text: &str) -> Vec<bool> {
        let symbols: Vec<u32> = tokens(text)
            .take(MAX_TOKENS)
            .map(|token| self.vocabulary.get(token).unwrap_or(u32::MAX))
            .collect();
        let partners = self.pattern.align(&symbols);
        let mut matched = vec![0; self.sizes.len()];
        let mut start = 0;
        while start < partners.len() {
            let run = run_at(&partners[start..]);
            if run >= RUN.min(partners.len()) {
                for place in partners[start..start + run].iter().flatten() {
                    matched[self.tag[*place as usize] as usize] += 1;
                }
            }
            start += run.max(1);
        }
        matched.iter().zip(&self.sizes).map(|(matched, size)| matched * 2 >= *size).collect()
    }

    /// The overlap of two selections of tags.
    pub(crate) fn overlap(found: &[bool], wanted: &[bool]) -> Overlap {
        let count = |list: &[bool]| list.iter().filter(|it| **it).count();
        let common = found.iter().zip(wanted).filter(|(found, wanted)| **found && **wanted).count();
        Overlap { common, found: count(found), wanted: count(wanted) }
    }
}

/// The length of the run of matches that starts at the first token.
fn run_at(partners: &[Option<u32>]) -> usize {
    let Some(Some(first)) = partners.first() else { return 0 };
    partners.iter().zip(*first..).take_while(|(partner, expected)| **partner == Some(*expected)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_counts_selected_tags() {
        let page = Page::parse(
            "<nav><a href=/>Home</a></nav><p>It rained in the harbour.<p>It was cold.<p>Read more now",
        );
        let tags = LeafTags::of(&page);
        let truth = tags.in_text("It rained in the harbour. It was cold.");
        let found = tags.in_text("It rained in the harbour. Read more now");
        assert_eq!(truth, [false, true, true, false]);
        assert_eq!(LeafTags::overlap(&found, &truth), Overlap { common: 1, found: 2, wanted: 2 });
    }

    #[test]
    fn a_word_of_the_navigation_is_not_found_in_the_text() {
        let page = Page::parse("<a href=/>Rain</a><p>Today <b>rain</b> fell in the harbour.");
        let tags = LeafTags::of(&page);
        assert_eq!(tags.in_text("Today rain fell in the harbour."), [false, true, true]);
        assert_eq!(tags.in_text("nothing of the kind"), [false, false, false]);
        assert_eq!(tags.in_text(""), [false, false, false]);
    }

    #[test]
    fn a_page_without_text_has_no_leaf_tags() {
        assert!(LeafTags::of(&Page::parse("")).in_text("some text").is_empty());
    }
}
