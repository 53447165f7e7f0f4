//! Filters of rows, and the reasons for removal.

use serde::{Deserialize, Serialize};

use crate::fields::{Fields, RecordField};
use crate::record::Record;

/// Conditions on rows. Rows of failed pages always pass.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Filter {
    /// Languages to keep, such as `en` or `zh-CN`; `und` keeps texts without one. Empty: all.
    pub languages: Vec<String>,
    /// Minimum length of the text in characters.
    pub min_length: usize,
    /// Minimum confidence. Pages without a confidence are removed.
    pub min_confidence: Option<f32>,
    /// Whether repeated texts are removed.
    pub duplicates: bool,
    /// Similarity, from 0 to 1, from which a text is removed as a near-duplicate: the Jaccard similarity of 5-word
    /// shingles, estimated by MinHash.
    pub near_duplicates: Option<f32>,
}

/// Why a row was removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Removed {
    /// Not one of the languages.
    Language,
    /// Text too short.
    Length,
    /// Confidence too low or unknown.
    Confidence,
    /// Duplicate.
    Duplicate,
    /// Near-duplicate.
    NearDuplicate,
}

impl Removed {
    /// Its name in summaries.
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
    /// The reason to remove a record, apart from duplicates, which depend on all records.
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

    /// The fields that the filter needs, whether they are written or not.
    pub(crate) fn fields(&self) -> Fields {
        if self.languages.is_empty() { Fields::of(&[]) } else { Fields::of(&[RecordField::Language]) }
    }

    /// Whether it must remember texts.
    pub(crate) fn remembers(&self) -> bool {
        self.duplicates || self.near_duplicates.is_some()
    }
}

/// `en` matches `en-GB`; `zh-CN` does not match `zh`.
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
