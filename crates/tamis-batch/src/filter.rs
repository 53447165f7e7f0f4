//! Which rows are kept, by what each of them says; and what was removed, counted by the reason.

use serde::{Deserialize, Serialize};

use crate::fields::{Fields, RecordField};
use crate::record::Record;

/// What rows must be like. Rows of pages that failed pass: they are no texts.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// Why a record is removed, by itself; duplicates are a matter of all records.
    pub fn check(&self, record: &Record) -> Option<Removed> {
        let document = record.document.as_ref()?;
        if !self.languages.is_empty() {
            let language = document.metadata.language.as_deref().unwrap_or("und");
            if !self.languages.iter().any(|wanted| matches(wanted, language)) {
                return Some(Removed::Language);
            }
        }
        if self.min_length > 0 && document.text.trim().chars().take(self.min_length).count() < self.min_length
        {
            return Some(Removed::Length);
        }
        if self.min_confidence.is_some_and(|least| record.confidence().is_none_or(|it| it < least)) {
            return Some(Removed::Confidence);
        }
        None
    }

    /// The fields that have to be computed for it, whether they are written or not.
    pub(crate) fn fields(&self) -> Fields {
        if self.languages.is_empty() { Fields::of(&[]) } else { Fields::of(&[RecordField::Language]) }
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
        let filter = Filter {
            languages: vec!["en".to_owned()],
            min_length: 5,
            min_confidence: Some(0.5),
            ..Filter::default()
        };
        for (row, removed) in [
            (r#"{"error":"no page"}"#, None),
            (r#"{"language":"de","text":"lang genug"}"#, Some(Removed::Language)),
            (r#"{"language":"en","text":"word"}"#, Some(Removed::Length)),
            (
                r#"{"language":"en","text":"long enough","confidence":0.9,"method":"lines"}"#,
                Some(Removed::Confidence),
            ),
            (r#"{"language":"en-GB","text":"long enough","confidence":0.5,"method":"fused"}"#, None),
        ] {
            assert_eq!(filter.check(&Record::from_json(row).unwrap()), removed, "{row}");
        }
    }

    #[test]
    fn languages_by_their_first_part() {
        assert!(matches("en", "en-GB") && matches("EN", "en") && matches("zh-cn", "zh-CN"));
        assert!(!matches("zh-CN", "zh") && !matches("en", "eng"));
    }
}
