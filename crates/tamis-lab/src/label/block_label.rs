//! What a person says a block is.

/// What a block is.
///
/// ```
/// use tamis_lab::label::{BlockLabel, Labelling};
///
/// let page = tamis::page::Page::parse("<p>Home<p>It rained.<p>I saw it too.");
/// let mut labelling = Labelling::new(&page, None, &[false, true]);
/// labelling.set(2, "comment".parse()?)?;
/// let truth = labelling.truth("rain")?;
/// assert_eq!(truth.comments.as_deref(), Some("I saw it too.\n"));
/// assert_eq!(truth.block_classes.as_deref(), Some("-mc"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Not main text; what else it is was not said.
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

    /// The label of a letter.
    pub fn from_letter(letter: char) -> Option<BlockLabel> {
        let all = BlockLabel::NAMED.into_iter().chain([BlockLabel::Dropped]);
        all.into_iter().find(|label| label.letter() == letter)
    }
}

/// Why a word is no label.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no label of a block: it is main, comment, caption or noise")]
pub struct NoBlockLabel(pub String);

impl std::str::FromStr for BlockLabel {
    type Err = NoBlockLabel;

    fn from_str(name: &str) -> Result<BlockLabel, NoBlockLabel> {
        let known = |label: &BlockLabel| label.name() == name;
        BlockLabel::NAMED.into_iter().find(known).ok_or_else(|| NoBlockLabel(name.to_owned()))
    }
}
