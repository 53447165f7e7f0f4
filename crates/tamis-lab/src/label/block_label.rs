//! Labels of blocks.

use std::collections::HashSet;

use tamis::page::Page;

use super::blocks_digest;
use crate::set::Truth;

/// The label of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockLabel {
    /// Main text.
    Main,
    /// A reader's comment.
    Comment,
    /// A byline, date, caption or credit.
    Caption,
    /// None of these.
    Noise,
    /// Not main text, otherwise unknown.
    Dropped,
}

impl BlockLabel {
    const NAMED: [BlockLabel; 4] =
        [BlockLabel::Main, BlockLabel::Comment, BlockLabel::Caption, BlockLabel::Noise];

    /// The name in choices. A block that was only dropped is noise.
    pub fn name(self) -> &'static str {
        match self {
            BlockLabel::Main => "main",
            BlockLabel::Comment => "comment",
            BlockLabel::Caption => "caption",
            BlockLabel::Noise | BlockLabel::Dropped => "noise",
        }
    }

    /// The letter in [`Truth::block_classes`](crate::Truth::block_classes).
    pub fn letter(self) -> char {
        match self {
            BlockLabel::Main => 'm',
            BlockLabel::Comment => 'c',
            BlockLabel::Caption => 's',
            BlockLabel::Noise => 'n',
            BlockLabel::Dropped => '-',
        }
    }

    /// The inverse of [`BlockLabel::letter`].
    pub fn from_letter(letter: char) -> Option<BlockLabel> {
        let all = BlockLabel::NAMED.into_iter().chain([BlockLabel::Dropped]);
        all.into_iter().find(|label| label.letter() == letter)
    }
}

/// An unknown label.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown block label {0:?}: expected main, comment, caption or noise")]
pub struct NoBlockLabel(pub String);

impl std::str::FromStr for BlockLabel {
    type Err = NoBlockLabel;

    fn from_str(name: &str) -> Result<BlockLabel, NoBlockLabel> {
        let known = |label: &BlockLabel| label.name() == name;
        BlockLabel::NAMED.into_iter().find(known).ok_or_else(|| NoBlockLabel(name.to_owned()))
    }
}

/// The labels of a page's blocks by its truth. If the truth has none, or for other blocks, blocks are matched with the
/// lines of its texts.
pub fn labels_of(page: &Page<'_>, truth: &Truth) -> Vec<BlockLabel> {
    let recorded: Option<Vec<BlockLabel>> = truth
        .block_classes
        .as_deref()
        .and_then(|letters| letters.chars().map(BlockLabel::from_letter).collect());
    if let Some(recorded) = recorded
        && recorded.len() == page.blocks.len()
        && truth.blocks_digest.as_ref() == Some(&blocks_digest(page))
    {
        return recorded;
    }
    let lines = |text: &'_ Option<String>| -> HashSet<String> {
        text.iter().flat_map(|text| text.lines()).map(|line| line.trim().to_owned()).collect()
    };
    let (main, comments, captions) = (lines(&truth.text), lines(&truth.comments), lines(&truth.supplemental));
    let label = |block: usize| {
        let text = page.blocks.text(block).trim();
        let named =
            [(&main, BlockLabel::Main), (&comments, BlockLabel::Comment), (&captions, BlockLabel::Caption)];
        let found = named.into_iter().find(|(lines, _)| !text.is_empty() && lines.contains(text));
        found.map_or(BlockLabel::Dropped, |(_, label)| label)
    };
    (0..page.blocks.len()).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Labelling;

    #[test]
    fn labels_are_recorded_and_read_back() {
        let page = Page::parse("<p>Home<p>It rained.<p>I saw it too.");
        let mut labelling = Labelling::new(&page, None, &[false, true]);
        labelling.set(2, "comment".parse().unwrap()).unwrap();
        let truth = labelling.truth("rain").unwrap();
        assert_eq!(truth.comments.as_deref(), Some("I saw it too.\n"));
        assert_eq!(truth.block_classes.as_deref(), Some("-mc"));
        assert_eq!(labels_of(&page, &truth), labelling.labels());
        let by_lines = Truth { block_classes: None, ..truth };
        assert_eq!(labels_of(&page, &by_lines), labelling.labels());
    }
}
