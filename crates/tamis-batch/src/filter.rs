//! Which rows are kept, by what each of them says; and what was removed, counted by the reason.

use serde::{Deserialize, Serialize};

use crate::row::Row;

/// What rows must be like. Rows of pages that failed pass: they are no texts.
///
/// ```
/// use tamis_batch::{Filter, Removed, Row};
///
/// let filter = Filter { languages: vec!["en".to_owned()], min_length: 20, ..Filter::default() };
/// let row = |language: &str, text: &str| {
///     Row { language: Some(language.to_owned()), text: Some(text.to_owned()), ..Row::default() }
/// };
/// assert_eq!(filter.check(&row("en-GB", "It rained in the harbour.")), None);
/// assert_eq!(filter.check(&row("de", "Es regnete im Hafen, lange.")), Some(Removed::Language));
/// assert_eq!(filter.check(&row("en", "It rained.")), Some(Removed::Length));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// The languages to keep, as `en` or `zh-CN`; `und` keeps what has none. None at all keeps every one.
    pub languages: Vec<String>,
    /// Characters that a text must have.
    pub min_length: usize,
    /// How sure the extraction must be. A page of which that is not known is removed.
    pub min_confidence: Option<f32>,
    /// Should a text that was there before be removed?
    pub duplicates: bool,
    /// How alike two texts may not be, from 0 to 1: the share of their runs of five words that they have in common, as
    /// MinHash sees it.
    pub near_duplicates: Option<f32>,
}

/// Why a row was removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Removed {
    /// Its language is not wanted.
    Language,
    /// Its text is too short.
    Length,
    /// Its confidence is too low, or not known.
    Confidence,
    /// Its text was there before.
    Duplicate,
    /// A text much like it was there before.
    NearDuplicate,
}

impl Removed {
    /// As summaries have it.
    pub fn name(self) -> &'static str {
        match self {
            Removed::Language => "language",
            Removed::Length => "too short",
            Removed::Confidence => "confidence",
            Removed::Duplicate => "duplicate",
            Removed::NearDuplicate => "near duplicate",
        }
    }
}

impl Filter {
    /// Why the row is removed, by itself; duplicates are a matter of all rows.
    pub fn check(&self, row: &Row) -> Option<Removed> {
        let text = row.text.as_deref()?;
        if !self.languages.is_empty() {
            let language = row.language.as_deref().unwrap_or("und");
            if !self.languages.iter().any(|wanted| matches(wanted, language)) {
                return Some(Removed::Language);
            }
        }
        if self.min_length > 0 && text.trim().chars().take(self.min_length).count() < self.min_length {
            return Some(Removed::Length);
        }
        if self.min_confidence.is_some_and(|least| row.confidence.is_none_or(|confidence| confidence < least))
        {
            return Some(Removed::Confidence);
        }
        None
    }

    /// Does it have to remember what was there before?
    pub(crate) fn remembers(&self) -> bool {
        self.duplicates || self.near_duplicates.is_some()
    }
}

/// `en` takes `en-GB`; `zh-CN` does not take `zh`.
fn matches(wanted: &str, language: &str) -> bool {
    let (wanted, language) = (wanted.to_ascii_lowercase(), language.to_ascii_lowercase());
    language.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_rows_pass_and_unknown_confidence_does_not() {
        let filter = Filter { min_length: 5, min_confidence: Some(0.5), ..Filter::default() };
        let failed = Row { error: Some("no page".to_owned()), ..Row::default() };
        assert_eq!(filter.check(&failed), None);
        let row = Row { text: Some("long enough".to_owned()), ..Row::default() };
        assert_eq!(filter.check(&row), Some(Removed::Confidence));
        assert_eq!(filter.check(&Row { confidence: Some(0.5), ..row }), None);
    }

    #[test]
    fn languages_by_their_first_part() {
        assert!(matches("en", "en-GB") && matches("EN", "en") && matches("zh-cn", "zh-CN"));
        assert!(!matches("zh-CN", "zh") && !matches("en", "eng"));
    }
}
