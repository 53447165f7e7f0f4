//! The scores of one page: an output compared with the truth.

use serde::Serialize;

use crate::author;
use crate::date;
use crate::headline;
use crate::lcs::Pattern;
use crate::leaf_tags::LeafTags;
use crate::outputs::Output;
use crate::overlap::Overlap;
use crate::pages::PageQuality;
use crate::posts::PostScore;
use crate::segments::SegmentScore;
use crate::set::Truth;
use crate::shingles::Shingles;
use crate::title::TitleScore;
use crate::tokens::{Vocabulary, normal, tokens};

/// Tokens that the longest common subsequence considers.
pub(crate) const MAX_TOKENS: usize = 20_000;

/// Characters that the longest common subsequence considers.
pub(crate) const MAX_CHARACTERS: usize = 100_000;

/// The number of a token that is not in the truth.
const UNKNOWN: u32 = u32::MAX - 1;

/// The scores of one page, as far as its truth allows.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PageScore {
    /// The main text, if the truth has one with at least one token.
    pub text: Option<TextScore>,
    /// Segments that must be present or absent.
    pub segments: Option<SegmentScore>,
    /// The title.
    pub title: Option<TitleScore>,
    /// Whether the date is on the true day.
    pub date: Option<bool>,
    /// Whether all authors are right.
    pub author: Option<bool>,
    /// Whether the language is right.
    pub language: Option<bool>,
    /// The posts of a thread.
    pub posts: Option<PostScore>,
    /// Leaf tags, if the truth has a text and the set has pages.
    pub leaf_tags: Option<Overlap>,
}

impl PageScore {
    /// The scores of all but the text. `None` counts as an empty output.
    pub(crate) fn of_metadata(truth: &Truth, output: Option<&Output>) -> PageScore {
        let empty = Output::default();
        let output = output.unwrap_or(&empty);
        let (title, day) = (output.title.as_deref(), output.date.as_deref());
        let language = output.language.as_deref().and_then(primary_subtag);
        let wanted = truth.lang.as_deref().and_then(primary_subtag);
        PageScore {
            title: truth.title.as_deref().and_then(|wanted| TitleScore::of(title, wanted)),
            date: truth.date.as_deref().and_then(|wanted| date::same_day(day, wanted)),
            author: truth.author.as_deref().and_then(|wanted| author::all_right(&output.authors, wanted)),
            language: wanted.map(|wanted| language == Some(wanted)),
            posts: PostScore::of(&output.posts, &truth.posts),
            ..PageScore::default()
        }
    }
}

/// The language of a tag without script and region: `zh` of `zh_Hant-TW`.
fn primary_subtag(tag: &str) -> Option<String> {
    let subtag = tag.trim().split(['-', '_']).next()?;
    (!subtag.is_empty()).then(|| subtag.to_ascii_lowercase())
}

/// The scores of a main text.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TextScore {
    /// The bag of tokens.
    pub tokens: Overlap,
    /// The bag of 4-token shingles.
    pub shingles: Overlap,
    /// The bag of 5-token shingles (ROUGE-5).
    pub rouge_5: Overlap,
    /// The longest common subsequence of the first 20,000 tokens (ROUGE-L).
    pub rouge_l: Overlap,
    /// The longest common subsequence of the first 100,000 characters, without white space.
    pub characters: Overlap,
    /// The quality classes.
    pub quality: PageQuality,
}

/// A truth, preprocessed to score many outputs.
#[derive(Debug)]
pub(crate) struct Reference<'t> {
    truth: &'t Truth,
    text: Option<TextReference>,
    /// The title to strip from the start of each text.
    headline: Option<&'t str>,
    tags: Option<(LeafTags, Vec<bool>)>,
}

impl<'t> Reference<'t> {
    /// With `strip_headline`, the true title is stripped from the start of both texts.
    pub(crate) fn new(truth: &'t Truth, strip_headline: bool) -> Reference<'t> {
        let headline = truth.title.as_deref().filter(|_| strip_headline);
        let mut reference = Reference { truth, text: None, headline, tags: None };
        reference.text = TextReference::of(reference.bare(truth.text.as_deref()));
        reference
    }

    /// Scores leaf tags too.
    #[must_use]
    pub(crate) fn with_leaf_tags(mut self, tags: LeafTags) -> Reference<'t> {
        if self.text.is_some() {
            let wanted = tags.in_text(self.bare(self.truth.text.as_deref()));
            self.tags = Some((tags, wanted));
        }
        self
    }

    /// Whether the truth has a text.
    pub(crate) fn has_text(&self) -> bool {
        self.text.is_some()
    }

    /// Scores an output. `None` counts as an empty output.
    pub(crate) fn score(&self, output: Option<&Output>) -> PageScore {
        let text = output.and_then(|output| output.text.as_deref());
        let plain = if self.has_text() { normal(self.bare(text)) } else { String::new() };
        let tags =
            |(tags, wanted): &(LeafTags, Vec<bool>)| LeafTags::overlap(&tags.in_normal(&plain), wanted);
        PageScore {
            text: self.text.as_ref().map(|reference| reference.score(&plain)),
            segments: self
                .truth
                .has_segments()
                .then(|| SegmentScore::of(text.unwrap_or_default(), &self.truth.with, &self.truth.without)),
            leaf_tags: self.tags.as_ref().map(tags),
            ..PageScore::of_metadata(self.truth, output)
        }
    }

    fn bare<'a>(&self, text: Option<&'a str>) -> &'a str {
        match (text, self.headline) {
            (Some(text), Some(title)) => headline::stripped(text, title),
            (text, _) => text.unwrap_or_default(),
        }
    }
}

/// A true text with tokens and characters numbered by first occurrence.
#[derive(Debug)]
struct TextReference {
    vocabulary: Vocabulary,
    /// The count of each token.
    counts: Vec<u32>,
    tokens: usize,
    four: Shingles<4>,
    five: Shingles<5>,
    pattern: Pattern,
    /// The number of each character, by code point.
    alphabet: Vec<u32>,
    characters: Pattern,
}

impl TextReference {
    /// `None` if there is no token.
    fn of(text: &str) -> Option<TextReference> {
        let text = normal(text);
        let mut vocabulary = Vocabulary::default();
        let numbers: Vec<u32> = tokens(&text).map(|token| vocabulary.number(token)).collect();
        let mut counts = vec![0; *numbers.iter().max()? as usize + 1];
        numbers.iter().for_each(|number| counts[*number as usize] += 1);
        let largest = text.chars().max().map_or(0, |largest| largest as usize + 1);
        let (mut alphabet, mut known) = (vec![UNKNOWN; largest], 0);
        for character in text.chars() {
            let number = &mut alphabet[character as usize];
            if *number == UNKNOWN {
                *number = known;
                known += 1;
            }
        }
        let characters = Pattern::new(&in_numbers(&text, &alphabet));
        Some(TextReference {
            vocabulary,
            counts,
            tokens: numbers.len(),
            four: Shingles::of(&numbers),
            five: Shingles::of(&numbers),
            pattern: Pattern::new(&numbers[..numbers.len().min(MAX_TOKENS)]),
            alphabet,
            characters,
        })
    }

    /// Scores a normalised text.
    fn score(&self, text: &str) -> TextScore {
        let numbers: Vec<u32> =
            tokens(text).map(|token| self.vocabulary.get(token).unwrap_or(UNKNOWN)).collect();
        let mut left = self.counts.clone();
        let mut common = 0;
        for number in &numbers {
            if let Some(left) = left.get_mut(*number as usize).filter(|left| **left > 0) {
                *left -= 1;
                common += 1;
            }
        }
        let bag = Overlap { common, found: numbers.len(), wanted: self.tokens };
        TextScore {
            tokens: bag,
            shingles: Shingles::of(&numbers).overlap(&self.four),
            rouge_5: Shingles::of(&numbers).overlap(&self.five),
            rouge_l: in_order(&self.pattern, &numbers[..numbers.len().min(MAX_TOKENS)]),
            characters: in_order(&self.characters, &in_numbers(text, &self.alphabet)),
            quality: PageQuality::of(&bag),
        }
    }
}

fn in_order(wanted: &Pattern, found: &[u32]) -> Overlap {
    Overlap { common: wanted.common(found), found: found.len(), wanted: wanted.len() }
}

/// The characters of a text as numbers, without white space.
fn in_numbers(text: &str, alphabet: &[u32]) -> Vec<u32> {
    let characters = text.chars().filter(|character| !crate::letters::is_space(*character));
    let number = |character: char| alphabet.get(character as usize).copied().unwrap_or(UNKNOWN);
    characters.take(MAX_CHARACTERS).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(truth: &str, text: &str) -> TextScore {
        let truth = Truth { text: Some(truth.to_owned()), ..Truth::default() };
        let output = Output { text: Some(text.to_owned()), ..Output::default() };
        Reference::new(&truth, false).score(Some(&output)).text.unwrap()
    }

    #[test]
    fn a_bag_counts_occurrences() {
        let tokens = score("a a b", "a a a c").tokens;
        assert_eq!(tokens, Overlap { common: 2, found: 4, wanted: 3 });
    }

    #[test]
    fn unknown_tokens_match_nothing() {
        let score = score("a b c d e", "x y z w q");
        assert_eq!((score.shingles.common, score.rouge_l.common, score.rouge_5.common), (0, 0, 0));
    }

    #[test]
    fn order_matters_for_the_subsequence_only() {
        let score = score("one two three", "three two one");
        assert_eq!((score.tokens.f1(), score.rouge_l.common), (1.0, 1));
    }

    #[test]
    fn characters_are_counted_without_white_space() {
        let score = score("ab c", "a  b\nx");
        assert_eq!(score.characters, Overlap { common: 2, found: 3, wanted: 3 });
    }

    #[test]
    fn no_output_counts_as_empty() {
        let truth = Truth {
            text: Some("text".into()),
            title: Some("title".into()),
            date: Some("2026-11-15".into()),
            author: Some("Ann".into()),
            lang: Some("en".into()),
            posts: vec![crate::posts::Post::default()],
            with: vec!["text".into()],
            ..Truth::default()
        };
        let score = Reference::new(&truth, false).score(None);
        assert_eq!(score.text.unwrap().tokens, Overlap { common: 0, found: 0, wanted: 1 });
        assert!(score.text.unwrap().quality.empty);
        assert_eq!(score.segments.unwrap().exact.missing, 1);
        assert_eq!((score.title.unwrap().equal, score.date), (false, Some(false)));
        assert_eq!((score.author, score.language), (Some(false), Some(false)));
        assert_eq!(score.posts.unwrap().texts, Overlap { common: 0, found: 0, wanted: 1 });
    }

    #[test]
    fn languages_are_equal_by_primary_subtag() {
        for (found, wanted, expected) in [
            ("en-GB", "en", Some(true)),
            ("ZH", "zh_Hant-TW", Some(true)),
            ("e", "en", Some(false)),
            ("", "en", Some(false)),
            ("en", " ", None),
        ] {
            let truth = Truth { lang: Some(wanted.into()), ..Truth::default() };
            let output = Output { language: Some(found.into()), ..Output::default() };
            assert_eq!(PageScore::of_metadata(&truth, Some(&output)).language, expected, "{found} {wanted}");
        }
    }

    #[test]
    fn a_truth_without_words_scores_nothing() {
        let truth = Truth { text: Some("— … !".into()), ..Truth::default() };
        assert_eq!(Reference::new(&truth, false).score(None), PageScore::default());
    }

    #[test]
    fn the_headline_is_stripped_on_both_sides() {
        let truth = Truth {
            text: Some("Rain at last\nIt rained.".into()),
            title: Some("Rain at last".into()),
            ..Truth::default()
        };
        let output = Output { text: Some("It rained.".into()), ..Output::default() };
        let f1 = |strip| Reference::new(&truth, strip).score(Some(&output)).text.unwrap().tokens.f1();
        assert!(f1(false) < 0.6);
        assert_eq!(f1(true), 1.0);
    }
}
