//! What the classifier says of a page.

use super::RuleDecisions;

/// Kinds of pages. The discriminants are feature values and model classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PageType {
    /// One piece: news, a blog entry, an essay.
    Article,
    /// A thread with its posts, or a question with its answers.
    Forum,
    /// Many entries that lead elsewhere.
    Listing,
    /// One thing that is sold or described by its properties.
    Product,
    /// Text to look things up in.
    Documentation,
    /// Anything else: a service, a start page, a form.
    #[default]
    Other,
}

impl PageType {
    /// All types, in model order.
    pub const ALL: [PageType; 6] = [
        PageType::Article,
        PageType::Forum,
        PageType::Listing,
        PageType::Product,
        PageType::Documentation,
        PageType::Other,
    ];

    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Forum => "forum",
            PageType::Listing => "listing",
            PageType::Product => "product",
            PageType::Documentation => "documentation",
            PageType::Other => "other",
        }
    }
}

/// What a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum BlockClass {
    /// Main text.
    Main,
    /// A reader's comment.
    Comment,
    /// Belongs to the main text without being part of it: byline, date, caption, credit.
    Supplemental,
    /// Teasers of and links to other pages on the subject.
    Related,
    /// Navigation, advertising and other boilerplate.
    #[default]
    Noise,
}

impl BlockClass {
    /// The name in output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            BlockClass::Main => "main",
            BlockClass::Comment => "comment",
            BlockClass::Supplemental => "supplemental",
            BlockClass::Related => "related",
            BlockClass::Noise => "noise",
        }
    }
}

/// Classification of a page. Vectors have one entry per block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Probability of main text.
    pub probabilities: Vec<f32>,
    /// Probability of a reader's comment; empty unless requested.
    pub comment_probabilities: Vec<f32>,
    /// Whether the block is part of the main text.
    pub kept: Vec<bool>,
    /// The decision threshold.
    pub threshold: f32,
    /// Calibrated estimate of the token F1 of the result.
    pub confidence: f32,
    /// The most probable page type.
    pub page_type: PageType,
    /// Its probability.
    pub page_type_probability: f32,
    /// The probability that the page is a thread, whatever its most probable type.
    pub thread_probability: f32,
    /// What rules of the user decided, where there are any for the site.
    pub rules: Option<RuleDecisions>,
}
