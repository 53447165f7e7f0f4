//! Explanations for the terminal.

use std::fmt::Write;

use tamis::metadata::MetadataReport;
use tamis_inspect::{BlockClass, Inspection};
use tamis_methods::Selection;

/// Pieces of evidence shown per block.
const MAX_EVIDENCE: usize = 3;

/// A line per block, with the evidence of the learned model below it.
pub(super) fn blocks(inspection: &Inspection, width: usize) -> String {
    let is_learned = inspection.methods.iter().any(|method| method.name == Selection::Fused.name());
    let mut out = String::from("     ");
    for method in &inspection.methods {
        let _ = write!(out, "{:13}", method.name);
    }
    out.push_str("words links text\n");
    for (number, block) in inspection.blocks.iter().enumerate() {
        let mut line = format!("{number:4} ");
        for method in &inspection.methods {
            if let Some(said) = block.methods.get(method.name) {
                let sign = if said.keep { '+' } else { '-' };
                let _ = write!(line, "{:13}", format!("{sign}{:.2}", said.score));
            }
        }
        let _ = write!(line, "{:5} {:5} ", block.words, block.links);
        if block.class != BlockClass::Main {
            let _ = write!(line, "({}) ", name(block.class));
        }
        let rest = width.saturating_sub(line.chars().count()).max(40);
        line.push_str(&shortened(&block.text, rest));
        out.push_str(line.trim_end());
        out.push('\n');
        if is_learned {
            let evidence = block.evidence.iter().take(MAX_EVIDENCE);
            let evidence = evidence.map(|it| format!("{:+.1} {}", it.log_odds, it.words));
            let evidence: Vec<String> = block.rule.iter().cloned().chain(evidence).collect();
            let _ = writeln!(out, "          {}", shortened(&evidence.join("; "), width.saturating_sub(10)));
        }
    }
    let page = &inspection.page;
    if let Some(rules) = &page.rules {
        let _ = writeln!(out, "site rules: {rules}");
    }
    let _ = writeln!(
        out,
        "fused: {} ({:.2}), confidence {:.2}, threshold {:.2}",
        page.page_type.name(),
        page.page_type_probability,
        page.confidence,
        page.threshold
    );
    out
}

/// The name of a class, as in JSON.
fn name(class: BlockClass) -> String {
    let name = serde_json::to_value(class).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned()
}

/// The candidates of each field, the best first; `*` marks the chosen one.
pub(super) fn candidates(report: &MetadataReport, width: usize) -> String {
    let mut out = String::new();
    for (field, candidates) in &report.fields {
        let name = serde_json::to_value(field).ok();
        let _ = writeln!(out, "{}", name.as_ref().and_then(|name| name.as_str()).unwrap_or_default());
        for candidate in candidates {
            let mark = if candidate.chosen { '*' } else { ' ' };
            let value = shortened(&candidate.value, width.saturating_sub(24).max(40));
            let _ = writeln!(
                out,
                "{mark} {:+6.2} {:13} {value}\n         {}",
                candidate.score,
                candidate.evidence.to_string(),
                candidate.signs.join(", ")
            );
        }
    }
    out
}

/// The beginning of a text on one line, without control characters.
fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|it| !it.is_control()).collect();
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
