//! The blocks of a page with what our methods say of them, and whether they belong to the truth.

use std::collections::HashSet;
use std::fmt::Write;

use tamis::{Judgement, Page, Site};

use crate::run;
use crate::set::Set;

use super::words::{Numbers, Words};
use super::{Chapter, escape};

/// Characters of a block that are shown: enough to know it again.
const SHOWN: usize = 280;

/// Blocks that are shown. A page with more is a list that nobody reads to its end.
const MOST: usize = 2000;

/// Methods whose numbers are shown with their verdicts; of further ones only the verdict, or a page would be as large
/// as the rest of the report.
const EXPLAINED: usize = 2;

/// Words in a row that must be in the truth for a stretch of a block to be.
const RUN: usize = 3;

/// Writes the section on blocks; nothing where no tool is a method of ours.
pub(super) fn section(chapter: &Chapter<'_>, place: usize, site_pages: usize, out: &mut String) {
    let result = chapter.result;
    let ours: Vec<(&str, tamis::Method)> =
        result.tools.iter().filter_map(|tool| Some((tool.name.as_str(), tool.method?))).collect();
    if ours.is_empty() {
        return;
    }
    let truth = &result.set.truths[place];
    out.push_str("<h2>Blocks and verdicts</h2>\n");
    let html = match run::read(&result.set, truth) {
        Ok(html) => html,
        Err(error) => {
            let _ = writeln!(out, "<p>There is no page to show: {}</p>", escape::escaped(&error));
            return;
        }
    };
    let page = run::parsed(&html, truth);
    let taught =
        ours.iter().any(|(_, method)| method.uses_site()).then(|| site(&result.set, place, site_pages));
    let judgements: Vec<Judgement> = ours
        .iter()
        .map(|(_, method)| match &taught {
            Some(site) if method.uses_site() => method.judge(&page, site),
            _ => method.judge(&page, &Site::default()),
        })
        .collect();
    controls(&ours, truth.text.is_some(), out);
    let wanted = truth.text.as_deref().map(Wanted::of);
    list(&page, &ours, &judgements, wanted, out);
}

/// What other pages of its site have shown, as it was when the methods ran: those that the set has, in its order.
fn site(set: &Set, place: usize, site_pages: usize) -> Site {
    let mut site = Site::default();
    let Some(name) = &set.truths[place].site else { return site };
    let others =
        set.truths.iter().enumerate().filter(|(at, other)| *at != place && other.site.as_ref() == Some(name));
    let texts = others.filter_map(|(_, other)| Some((run::read(set, other).ok()?, other)));
    for (html, other) in texts.take(site_pages) {
        site.observe(&run::parsed(&html, other));
    }
    site
}

fn controls(ours: &[(&str, tamis::Method)], has_truth: bool, out: &mut String) {
    out.push_str("<div class=tools>");
    if ours.len() > 1 {
        out.push_str("<label>Coloured by<select id=by>");
        for (at, (name, _)) in ours.iter().enumerate() {
            let _ = write!(out, "<option value={at}>{}", escape::escaped(name));
        }
        out.push_str("</select></label>");
    }
    out.push_str("<label>Show<select id=which><option value=all>all blocks<option value=kept>kept<option value=dropped>dropped");
    if has_truth {
        out.push_str("<option value=wrong>judged wrongly");
    }
    out.push_str("</select></label></div>\n");
}

fn list(
    page: &Page<'_>,
    ours: &[(&str, tamis::Method)],
    judgements: &[Judgement],
    mut wanted: Option<Wanted>,
    out: &mut String,
) {
    out.push_str("<ol class=blocks>\n");
    for (at, block) in page.blocks().iter().enumerate().take(MOST) {
        let text = page.text(block);
        let belongs = wanted.as_mut().and_then(|wanted| wanted.has(text));
        let keeps: Vec<bool> = judgements.iter().map(|judgement| judgement.keeps(at)).collect();
        let verdicts: String = keeps.iter().map(|&keep| if keep { '1' } else { '0' }).collect();
        let kept = if keeps.first() == Some(&true) { "k" } else { "" };
        let hidden = if block.hidden.is_some() { " h" } else { "" };
        let in_truth = belongs.map_or_else(String::new, |it| format!(" data-t={}", u8::from(it)));
        let _ = write!(
            out,
            "<li class=\"{kept}{hidden}\" data-v={verdicts}{in_truth} title=\"{}\"><span dir=auto>{}</span><small>",
            escape::escaped(&page.element(block).path()),
            escape::escaped(&escape::shortened(text, SHOWN)),
        );
        for (nth, ((name, _), judgement)) in ours.iter().zip(judgements).enumerate() {
            let Some(verdict) = judgement.verdicts.get(at) else { continue };
            let word = match (verdict.keep, belongs) {
                (true, Some(false)) => "<b class=w>kept, not in the truth</b>",
                (false, Some(true)) => "<b class=w>dropped, though in the truth</b>",
                (true, _) => "<b>kept</b>",
                (false, _) => "dropped",
            };
            if nth > 0 {
                out.push_str(" · ");
            }
            if ours.len() > 1 {
                let _ = write!(out, "{}: ", escape::escaped(name));
            }
            let _ = write!(out, "{word} {:.2}", verdict.score);
            if nth < EXPLAINED {
                for (name, value) in &verdict.why {
                    let _ = write!(out, ", {} {}", escape::escaped(name), short(*value));
                }
            }
        }
        out.push_str("</small>\n");
    }
    out.push_str("</ol>\n");
    let more = page.blocks().len().saturating_sub(MOST);
    if more > 0 {
        let _ = writeln!(out, "<p class=quiet>{more} more blocks are not shown.</p>");
    }
}

/// A number as a person would write it.
fn short(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 { format!("{value:.0}") } else { format!("{value:.3}") }
}

/// The runs of words that the truth has.
struct Wanted {
    numbers: Numbers,
    runs: HashSet<Vec<u32>>,
}

impl Wanted {
    fn of(text: &str) -> Wanted {
        let mut numbers = Numbers::default();
        let words = Words::of(text, usize::MAX, &mut numbers).numbers;
        let runs = (1..=RUN).flat_map(|length| words.windows(length)).map(<[u32]>::to_vec).collect();
        Wanted { numbers, runs }
    }

    /// Is most of a block in the truth? Nobody knows of a block without words.
    fn has(&mut self, text: &str) -> Option<bool> {
        let words = Words::of(text, usize::MAX, &mut self.numbers).numbers;
        let length = RUN.min(words.len());
        if length == 0 {
            return None;
        }
        let all = words.len() + 1 - length;
        let there = words.windows(length).filter(|run| self.runs.contains(*run)).count();
        Some(2 * there >= all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_in_the_truth_where_most_of_its_runs_are() {
        let mut wanted = Wanted::of("It rained in the harbour on Monday.\n雨下了一天。");
        assert_eq!(wanted.has("it rained in the HARBOUR"), Some(true));
        assert_eq!(wanted.has("the it in on"), Some(false));
        assert_eq!(wanted.has("Monday"), Some(true));
        assert_eq!(wanted.has("下了一天"), Some(true));
        assert_eq!(wanted.has("* * *"), None);
    }
}
