//! Fields of the metadata with their candidates, and why one won.

use serde_json::Value;
use tamis::Analysis;
use tamis::metadata::{self, CandidateReport, Field, Metadata, MetadataContext};

use crate::build::rounded;
use crate::inspection::{Candidate, FieldReport, Sign};

/// Candidates of a field, and characters of a value.
const MAX_CANDIDATES: usize = 40;
const MAX_VALUE: usize = 500;

/// All fields that have a value or a candidate.
pub(crate) fn fields(
    analysis: &Analysis<'_>,
    context: &MetadataContext<'_>,
    found: &Metadata,
) -> Vec<FieldReport> {
    let report = metadata::explain(&analysis.page, &analysis.annotations, &analysis.prediction, context).1;
    let values = serde_json::to_value(found).unwrap_or_default();
    let mut fields: Vec<FieldReport> = Vec::new();
    for (field, candidates) in report.fields {
        // A field may be decided in two steps; the second sees what the first left.
        match fields.iter_mut().find(|known| known.field == field) {
            Some(known) => known.candidates.extend(candidates.iter().map(candidate)),
            None if candidates.is_empty() => {}
            None => fields
                .push(FieldReport { candidates: candidates.iter().map(candidate).collect(), ..empty(field) }),
        }
    }
    for evidence in &found.evidence {
        if !fields.iter().any(|known| known.field == evidence.field) {
            fields.push(empty(evidence.field));
        }
        if let Some(known) = fields.iter_mut().find(|known| known.field == evidence.field) {
            known.source = Some(evidence.evidence.to_string());
            known.confidence = Some(rounded(evidence.confidence));
        }
    }
    for report in &mut fields {
        report.candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
        report.value =
            name(report.field).and_then(|name| words(values.get(&name)?)).map(|text| shortened(&text));
        // A candidate below the minimum confidence is not given, so it does not count as chosen.
        let is_given = report.value.is_some();
        report.candidates.iter_mut().for_each(|candidate| candidate.chosen &= is_given);
        report.why = why(report);
        report.candidates.truncate(MAX_CANDIDATES);
    }
    fields.sort_by_key(|report| report.field);
    fields
}

fn empty(field: Field) -> FieldReport {
    FieldReport {
        field,
        value: None,
        source: None,
        confidence: None,
        why: String::new(),
        candidates: Vec::new(),
    }
}

fn candidate(report: &CandidateReport) -> Candidate {
    let signs = report.signs.iter().zip(&report.weights);
    let mut signs: Vec<Sign> = signs.map(|(name, weight)| Sign { name, weight: rounded(*weight) }).collect();
    signs.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
    Candidate {
        value: shortened(&report.value),
        source: report.evidence.to_string(),
        score: rounded(report.score),
        chosen: report.chosen,
        signs,
    }
}

/// Why a field has its value, in a sentence.
fn why(report: &FieldReport) -> String {
    let source = report.source.as_deref().unwrap_or("the page");
    let Some(winner) = report.candidates.iter().find(|candidate| candidate.chosen) else {
        return match (&report.value, report.candidates.len()) {
            (Some(_), 0) => format!("Read from {source}; there was nothing to choose from."),
            (Some(_), _) => format!("Taken from {source}, which outranks the candidates."),
            (None, _) => "No candidate is likely enough to be better than none.".to_owned(),
        };
    };
    let strongest = winner.signs.iter().find(|sign| sign.weight > 0.0);
    let because = strongest
        .map(|sign| format!("; what speaks for it most is “{}” ({:+.1})", sign.name, sign.weight))
        .unwrap_or_default();
    match report.candidates.iter().find(|candidate| !candidate.chosen) {
        Some(next) => format!(
            "Highest score: {:+.1}, {:.1} above the next candidate{because}.",
            winner.score,
            winner.score - next.score
        ),
        None => format!("The only candidate, with a score of {:+.1}{because}.", winner.score),
    }
}

fn name(field: Field) -> Option<String> {
    Some(serde_json::to_value(field).ok()?.as_str()?.to_owned())
}

/// A value of the record as text.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().filter_map(words).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields.values().filter_map(words).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    };
    (!text.is_empty()).then_some(text)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
