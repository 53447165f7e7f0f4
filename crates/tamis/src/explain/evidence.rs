//! One piece of evidence: a feature, its value, and how far it moved the score.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How one feature moved the score of a block.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FeatureEvidence {
    /// The feature.
    pub feature: &'static str,
    /// Its family: a paper's number and idea, or a part of the page.
    pub family: &'static str,
    /// Its value.
    pub value: f32,
    /// Change of the log-odds of main text.
    pub log_odds: f32,
    /// The evidence in words.
    pub words: String,
}

/// Phrases by feature: format and text.
static PHRASES: LazyLock<HashMap<&'static str, (&'static str, &'static str)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/evidence.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut fields = line.split('\t');
            Some((fields.next()?, (fields.next()?, fields.next()?)))
        })
        .collect()
});

/// Puts a feature and its value into words.
pub(super) fn describe(
    feature: &'static str,
    family: &'static str,
    value: f32,
    log_odds: f32,
) -> FeatureEvidence {
    let words = match PHRASES.get(feature) {
        Some(("count", phrase)) if value < 0.0 => phrase.replace("{}", "no"),
        Some(("share", phrase)) if value < 0.0 => phrase.replace("{}", "none"),
        Some(("percent" | "share", phrase)) => phrase.replace("{}", &format!("{:.0} %", value * 100.0)),
        Some(("flag", phrase)) if value > 0.0 => (*phrase).to_owned(),
        Some(("flag", phrase)) => format!("not: {phrase}"),
        Some((_, phrase)) => phrase.replace("{}", &number(value)),
        None => format!("{feature}: {}", number(value)),
    };
    FeatureEvidence { feature, family, value, log_odds, words }
}

/// Whole numbers without decimals, others with two.
fn number(value: f32) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_words() {
        assert_eq!(describe("link share", "own", 0.84, -2.0).words, "link text is 84 % of the block");
        assert_eq!(describe("ends a sentence", "own", 0.0, -0.1).words, "not: ends like a sentence");
        assert_eq!(describe("words", "own", 12.0, 0.4).words, "12 words");
        assert_eq!(describe("unheard of", "own", 0.5, 0.4).words, "unheard of: 0.50");
    }

    #[test]
    fn every_feature_has_a_phrase() {
        let names = crate::classify::Model::column_names();
        for name in &names {
            assert!(PHRASES.contains_key(name), "data/evidence.tsv: no phrase for the feature `{name}`");
        }
        for feature in PHRASES.keys() {
            assert!(names.contains(feature), "data/evidence.tsv: no feature `{feature}`");
        }
    }
}
