//! The blocks of a page with the verdicts of our methods, and whether they belong to the truth.

use std::collections::HashSet;
use std::fmt::Write;

use tamis::page::Page;
use tamis_methods::Judgement;

use crate::run::{self, LearnedSite, Trial};
use crate::set::Set;

use super::words::{Numbers, Words};
use super::{Chapter, escape};

/// Characters shown of a block.
const SHOWN: usize = 280;

/// Characters shown of a correctly dropped block.
const SHOWN_DROPPED: usize = 60;

/// Blocks shown of a page.
const MAX_BLOCKS: usize = 2000;

/// Methods whose verdicts are shown with their evidence; with more, pages would become too large.
const EXPLAINED: usize = 2;

/// Consecutive words that must occur in the truth.
const RUN: usize = 3;

/// Writes the section on blocks, if any tool is one of our methods.
pub(super) fn section(chapter: &Chapter<'_>, place: usize, out: &mut String) {
    let result = chapter.result;
    let ours: Vec<Trial> = result.tools.iter().filter_map(|tool| tool.trial).collect();
    if ours.is_empty() {
        return;
    }
    let truth = &result.set.truths[place];
    out.push_str(
        "<h2>Blocks and verdicts</h2>\n<p class=quiet>Green: kept. Blocks that all methods drop correctly are grouped; \
         <code>tamis explain</code> shows their scores.</p>\n",
    );
    let html = match run::read(&result.set, truth) {
        Ok(html) => html,
        Err(error) => {
            let _ = writeln!(out, "<p>The page cannot be shown: {}</p>", escape::escaped(&error));
            return;
        }
    };
    let page = Page::parse(&html);
    // All methods that learn from the site have seen the same pages.
    let site_pages = ours.iter().map(|trial| trial.site_pages).max().unwrap_or(0);
    let site = site(&result.set, place, site_pages);
    let judge = |trial: &Trial| run::judge(&html, trial, &result.models, site.as_ref());
    let judgements: Vec<Judgement> = ours.iter().map(judge).collect();
    controls(&ours, truth.text.is_some(), out);
    let wanted = truth.text.as_deref().map(Wanted::of);
    list(&page, &ours, &judgements, wanted, out);
}

/// The site as the methods have learned it, from the same pages of the set.
fn site(set: &Set, place: usize, site_pages: usize) -> Option<LearnedSite> {
    let name = set.truths[place].site.as_ref().filter(|_| site_pages > 0)?;
    let others =
        set.truths.iter().enumerate().filter(|(at, other)| *at != place && other.site.as_ref() == Some(name));
    let texts: Vec<String> =
        others.filter_map(|(_, other)| run::read(set, other).ok()).take(site_pages).collect();
    Some(LearnedSite::new(texts.iter().map(String::as_str)))
}

fn controls(ours: &[Trial], has_truth: bool, out: &mut String) {
    out.push_str("<div class=tools>");
    if ours.len() > 1 {
        out.push_str("<label>Colour by<select id=by>");
        for (at, trial) in ours.iter().enumerate() {
            let _ = write!(out, "<option value={at}>{}", trial.name());
        }
        out.push_str("</select></label>");
    }
    out.push_str("<label>Show<select id=which><option value=all>all blocks<option value=kept>kept<option value=dropped>dropped");
    if has_truth {
        out.push_str("<option value=wrong>wrong");
    }
    out.push_str("</select></label></div>\n");
}

/// Writes the text of each block, with compact data for the script. Blocks that all methods drop correctly are grouped.
fn list(
    page: &Page<'_>,
    ours: &[Trial],
    judgements: &[Judgement],
    mut wanted: Option<Wanted>,
    out: &mut String,
) {
    let names: Vec<Vec<&str>> = judgements.iter().take(EXPLAINED).map(names).collect();
    let methods: Vec<String> = ours.iter().map(Trial::name).collect();
    let columns: Vec<String> = names.iter().map(|names| names.join(",")).collect();
    let _ = writeln!(
        out,
        "<ol class=blocks data-methods=\"{}\" data-why=\"{}\">",
        escape::escaped(&methods.join(";")),
        escape::escaped(&columns.join(";"))
    );
    let mut dropped: Vec<&str> = Vec::new();
    let mut last_path = String::new();
    let keeps = |judgement: &Judgement, block: usize| {
        judgement.verdicts.get(block).is_some_and(|verdict| verdict.keep)
    };
    for at in 0..page.blocks.len().min(MAX_BLOCKS) {
        let text = page.blocks.text(at);
        let belongs = wanted.as_mut().and_then(|wanted| wanted.has(text));
        if belongs != Some(true) && !judgements.iter().any(|judgement| keeps(judgement, at)) {
            dropped.push(text);
            continue;
        }
        together(&mut dropped, out);
        let kept = if judgements.first().is_some_and(|judgement| keeps(judgement, at)) { "k" } else { "" };
        let hidden = if page.blocks.hidden[at].is_some() { " h" } else { "" };
        let _ = write!(out, "<li class=\"{kept}{hidden}\" dir=auto data-b=\"");
        out.extend(judgements.iter().map(|judgement| if keeps(judgement, at) { '1' } else { '0' }));
        out.push(match belongs {
            Some(true) => '1',
            Some(false) => '0',
            None => '-',
        });
        for (nth, judgement) in judgements.iter().enumerate() {
            let verdict = judgement.verdicts.get(at);
            let _ = write!(out, ";{:.2}", verdict.map_or(0.0, |verdict| verdict.score));
            for name in names.get(nth).into_iter().flatten() {
                let value = verdict.and_then(|it| it.evidence.iter().find(|(other, _)| other == name));
                out.push(' ');
                out.push_str(&value.map_or_else(|| "-".to_owned(), |(_, value)| short(*value)));
            }
        }
        // Delta encoding of paths: the length of the common prefix with the previous path, and the rest.
        let element = page.elements.node[page.blocks.element[at] as usize];
        let path = page.dom.node(element).map(|node| node.path()).unwrap_or_default();
        let shared = path.bytes().zip(last_path.bytes()).take_while(|(a, b)| a == b && a.is_ascii()).count();
        let _ = write!(out, ";{shared} ");
        escape::push(out, &path[shared..]);
        last_path = path;
        out.push_str("\">");
        escape::push(out, &escape::shortened(text, SHOWN));
        out.push('\n');
    }
    together(&mut dropped, out);
    out.push_str("</ol>\n");
    let more = page.blocks.len().saturating_sub(MAX_BLOCKS);
    if more > 0 {
        let _ = writeln!(out, "<p class=quiet>{more} more blocks are not shown.</p>");
    }
}

/// Writes and clears the group of correctly dropped blocks.
fn together(dropped: &mut Vec<&str>, out: &mut String) {
    if dropped.is_empty() {
        return;
    }
    out.push_str("<li class=g dir=auto>");
    for (at, text) in dropped.drain(..).enumerate() {
        if at > 0 {
            out.push_str(" <i>|</i> ");
        }
        escape::push(out, &escape::shortened(text, SHOWN_DROPPED));
    }
    out.push('\n');
}

/// The names of a method's evidence, in order of first occurrence.
fn names(judgement: &Judgement) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (name, _) in judgement.verdicts.iter().flat_map(|verdict| &verdict.evidence) {
        if !names.contains(name) {
            names.push(*name);
        }
    }
    names
}

/// A number without trailing zeros.
fn short(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        return format!("{value:.0}");
    }
    let digits = if value.abs() >= 100.0 { 1 } else { 3 };
    let long = format!("{value:.digits$}");
    long.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The runs of words in the truth.
struct Wanted {
    numbers: Numbers,
    runs: HashSet<[u32; RUN]>,
}

impl Wanted {
    fn of(text: &str) -> Wanted {
        let mut numbers = Numbers::default();
        let words = Words::of(text, usize::MAX, &mut numbers).numbers;
        let runs = (1..=RUN).flat_map(|length| words.windows(length)).map(run).collect();
        Wanted { numbers, runs }
    }

    /// Whether most of a block is in the truth; `None` for a block without words.
    fn has(&mut self, text: &str) -> Option<bool> {
        let words = Words::of(text, usize::MAX, &mut self.numbers).numbers;
        let length = RUN.min(words.len());
        if length == 0 {
            return None;
        }
        let all = words.len() + 1 - length;
        let there = words.windows(length).filter(|words| self.runs.contains(&run(words))).count();
        Some(2 * there >= all)
    }
}

/// A run of up to [`RUN`] words, padded.
fn run(words: &[u32]) -> [u32; RUN] {
    let mut run = [u32::MAX; RUN];
    run.iter_mut().zip(words).for_each(|(to, from)| *to = *from);
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_in_the_truth_if_most_of_its_runs_are() {
        let mut wanted = Wanted::of("It rained in the harbour on Monday.\n雨下了一天。");
        assert_eq!(wanted.has("it rained in the HARBOUR"), Some(true));
        assert_eq!(wanted.has("the it in on"), Some(false));
        assert_eq!(wanted.has("Monday"), Some(true));
        assert_eq!(wanted.has("下了一天"), Some(true));
        assert_eq!(wanted.has("* * *"), None);
    }
}
