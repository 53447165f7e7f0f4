//! An explanation as one HTML page that needs nothing else: the curves of the papers, and every block with its verdicts.

use std::fmt::Write;

use tamis_methods::{Curves, Selection};

use super::Report;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}\
table{border-collapse:collapse;width:100%}td,th{padding:.2rem .5rem;text-align:left;vertical-align:top;border-bottom:1px \
solid #ddd}.kept{background:#eaf6ea}td.keep{color:#176b17}td.drop{color:#999}small{color:#666}svg{width:100%;height:8rem;\
background:#fafafa}polyline{fill:none;stroke-width:1}figure{margin:1rem 0}";
const COLOURS: [&str; 6] = ["#1f6fb4", "#d2691e", "#2a8a3c", "#a33", "#7a4fa3", "#666"];
/// Points of a curve; longer ones are thinned.
const MAX_POINTS: usize = 2_000;

pub(super) fn page(report: &Report) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Explanation</title><style>{STYLE}</style>\n\
         <h1>Why each block was kept or dropped</h1>\n<p>Page type {} ({:.2}), confidence {:.2}, threshold {:.2}.</p>\n",
        report.page_type.name(),
        report.page_type_probability,
        report.confidence,
        report.threshold
    );
    if report.methods.contains(&Selection::Fused) {
        let probabilities = report.blocks.iter().map(|block| f64::from(block.learned.probability)).collect();
        let curves = Curves {
            series: vec![("probability", probabilities)],
            thresholds: vec![("threshold", f64::from(report.threshold))],
            ..Curves::default()
        };
        figure(&mut out, Selection::Fused.name(), &curves);
    }
    for (method, judgement) in &report.judgements {
        figure(&mut out, method.name(), &judgement.curves);
    }
    table(&mut out, report);
    out.push_str("</html>\n");
    out
}

fn table(out: &mut String, report: &Report) {
    out.push_str("<table><tr><th>#");
    for method in &report.methods {
        let _ = write!(out, "<th>{}", method.name());
    }
    out.push_str("<th>words<th>links<th>text and evidence\n");
    for (number, block) in report.blocks.iter().enumerate() {
        let class = if block.learned.kept { " class=\"kept\"" } else { "" };
        let _ = write!(out, "<tr{class}><td>{number}");
        for method in &report.methods {
            if let Some(said) = block.methods.get(method.name()) {
                let (class, sign) = if said.keep { ("keep", '+') } else { ("drop", '-') };
                let numbers: Vec<String> =
                    said.evidence.iter().map(|(name, value)| format!("{name} {value:.3}")).collect();
                let numbers = escaped(&numbers.join(", "));
                let _ = write!(out, "<td class=\"{class}\" title=\"{numbers}\">{sign}{:.2}", said.score);
            }
        }
        let evidence = block.learned.evidence.iter().map(|it| format!("{:+.1} {}", it.log_odds, it.words));
        let evidence: Vec<String> = block.learned.rule.iter().cloned().chain(evidence).collect();
        let _ = writeln!(
            out,
            "<td>{}<td>{}<td dir=\"auto\">{}<br><small>{} · {} · {}</small>",
            block.words,
            block.links,
            escaped(&block.learned.text),
            block.learned.class,
            escaped(&evidence.join("; ")),
            escaped(&block.learned.path)
        );
    }
    out.push_str("</table>\n");
}

/// The series of a method over the units that it measures, each scaled to its own maximum.
fn figure(out: &mut String, name: &str, curves: &Curves) {
    if curves.series.iter().all(|(_, values)| values.is_empty()) {
        return;
    }
    let _ = write!(
        out,
        "<figure><figcaption><b>{name}</b></figcaption><svg viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\">"
    );
    let finite = |values: &[f64]| values.iter().copied().filter(|it| it.is_finite()).fold(0.0_f64, f64::max);
    for ((_, values), colour) in curves.series.iter().zip(COLOURS.iter().cycle()) {
        let most = finite(values).max(f64::MIN_POSITIVE);
        let step = values.len().div_ceil(MAX_POINTS).max(1);
        let last = values.len().saturating_sub(1).max(1) as f64;
        let points = values.iter().enumerate().step_by(step).filter(|(_, value)| value.is_finite());
        let points: Vec<String> = points
            .map(|(at, value)| {
                format!("{:.1},{:.1}", 1000.0 * at as f64 / last, 100.0 - 100.0 * value.max(0.0) / most)
            })
            .collect();
        let _ = write!(out, "<polyline stroke=\"{colour}\" points=\"{}\"/>", points.join(" "));
    }
    out.push_str("</svg><small>");
    for ((name, values), colour) in curves.series.iter().zip(COLOURS.iter().cycle()) {
        let most = finite(values);
        let _ = write!(out, "<span style=\"color:{colour}\">{}</span> up to {most:.3} ", escaped(name));
    }
    for (name, value) in &curves.thresholds {
        let _ = write!(out, "· {} {value:.3} ", escaped(name));
    }
    out.push_str("</small></figure>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
