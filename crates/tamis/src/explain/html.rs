//! The explanation as one HTML file: blocks on the left, for each method the curve of its paper on the right.

use crate::judgement::Judgement;
use crate::methods::Method;
use crate::paths::Paths;

use super::Explanation;

/// The numbers of a method that its paper draws, by the names that its verdicts use: the raw value, then the smoothed
/// one that is drawn over it.
fn curve(method: Method) -> &'static [&'static str] {
    match method {
        Method::Blocks => &["n", "s"],
        Method::Correlation => &["CC", "CC smoothed"],
        Method::Containers => &["SD"],
        Method::Lines => &["r"],
        Method::TemplateSvm | Method::Svm => &["R1", "R5"],
        Method::Density => &["CTD"],
        Method::Fused => &["first pass", "second pass"],
    }
}

pub(super) fn html(explanation: &Explanation<'_>) -> String {
    let mut out = String::from(HEAD);
    let title = explanation.page.title();
    let heading = if title.is_empty() { "A page without a title" } else { &title };
    out.push_str(&format!(
        "<title>Why: {}</title></head><body><h1>{}</h1>",
        escape(heading),
        escape(heading)
    ));
    if let Some(url) = explanation.page.url() {
        out.push_str(&format!("<p class=url>{}</p>", escape(url)));
    }
    for (method, judgement) in &explanation.methods {
        section(explanation, *method, judgement, &mut out);
    }
    out.push_str("</body></html>\n");
    out
}

fn section(explanation: &Explanation<'_>, method: Method, judgement: &Judgement, out: &mut String) {
    let kept = judgement.kept().count();
    let count = judgement.verdicts.len();
    out.push_str(&format!(
        "<section><h2>{}</h2><p>{}. {kept} of {count} blocks kept.</p>",
        method.name(),
        escape(method.about())
    ));
    for (layer, &name) in curve(method).iter().enumerate() {
        chart(judgement, name, layer, out);
    }
    out.push_str("<ol class=blocks start=0>");
    let mut paths = Paths::default();
    for (place, (block, verdict)) in explanation.page.blocks().iter().zip(&judgement.verdicts).enumerate() {
        let class = if verdict.keep { "kept" } else { "dropped" };
        let hidden = if block.hidden.is_some() { " hidden" } else { "" };
        let comment = match explanation.page.comments().part(place) {
            Some(part) => format!("comment: {}, ", part.name()),
            None => String::new(),
        };
        let why: Vec<String> =
            verdict.why.iter().map(|(name, value)| format!("{name} {}", short(*value))).collect();
        out.push_str(&format!(
            "<li class=\"{class}{hidden}\" title=\"{}\"><span dir=auto>{}</span><small>{comment}{:.2} {}</small></li>",
            escape(&paths.of(explanation.page.element(block))),
            escape(explanation.page.text(block)),
            verdict.score,
            escape(&why.join(", "))
        ));
    }
    out.push_str("</ol></section>");
}

/// A bar a block, coloured by verdict; tall values are drawn on a logarithmic scale so that the small ones show.
fn chart(judgement: &Judgement, name: &'static str, layer: usize, out: &mut String) {
    let value = |at: usize| {
        let why = &judgement.verdicts[at].why;
        why.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, value)| value.max(0.0))
    };
    let values: Vec<f64> = (0..judgement.verdicts.len()).map(value).collect();
    let highest = values.iter().copied().fold(0.0, f64::max);
    if highest <= 0.0 {
        return;
    }
    let scale = |value: f64| 100.0 * libm::log(1.0 + 99.0 * value / highest) / libm::log(100.0);
    let width = values.len().max(1);
    out.push_str(&format!(
        "<figure><figcaption>{name}, block by block (highest {})</figcaption>\
         <svg viewBox=\"0 0 {width} 100\" preserveAspectRatio=\"none\" class=\"layer{layer}\">",
        short(highest)
    ));
    for (at, &value) in values.iter().enumerate() {
        let height = scale(value);
        let class = if judgement.keeps(at) { "kept" } else { "dropped" };
        out.push_str(&format!(
            "<rect class={class} x=\"{at}\" y=\"{:.1}\" width=\"0.9\" height=\"{height:.1}\"><title>{at}: {}</title></rect>",
            100.0 - height,
            short(value)
        ));
    }
    out.push_str("</svg></figure>");
}

/// A number as a person would write it.
fn short(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 { format!("{value:.0}") } else { format!("{value:.3}") }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const HEAD: &str = "<!doctype html><html lang=en><head><meta charset=utf-8>\
<meta name=viewport content=\"width=device-width, initial-scale=1\"><style>\
:root{color-scheme:light dark;--kept:#2a7f4f;--dropped:#b9b4aa;--quiet:#6b665c;--ground:#fffdf8;--ink:#222}\
@media(prefers-color-scheme:dark){:root{--kept:#6fcf97;--dropped:#55514a;--quiet:#a8a294;--ground:#191816;--ink:#e8e4da}}\
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;background:var(--ground);color:var(--ink)}\
h1{font-size:1.5rem}.url{color:var(--quiet);overflow-wrap:anywhere}figure{margin:1rem 0}\
figcaption{font-size:.85rem;color:var(--quiet)}svg{width:100%;height:8rem;border-bottom:1px solid var(--dropped)}\
rect.kept{fill:var(--kept)}rect.dropped{fill:var(--dropped)}.layer1{opacity:.8}\
.blocks{padding-left:3rem}.blocks li{border-left:4px solid var(--dropped);padding:.2rem .8rem;margin:.2rem 0;opacity:.8}\
.blocks li.kept{border-color:var(--kept);opacity:1}.blocks li.hidden span{text-decoration:line-through}\
small{display:block;color:var(--quiet);overflow-wrap:anywhere}</style>";
