//! Deterministic post-processing of the classifier's output: an ordered list of rules.

use super::features::Context;
use super::prediction::Prediction;
use crate::page::{NONE, Region};

/// A rule: its name, and what it does to [`Prediction::kept`].
type Rule = (&'static str, fn(Context<'_>, &mut Prediction));

/// The rules in order. A rule without a measured gain on sites not looked at does not go in; docs/model.md has the figures.
pub const RULES: &[Rule] =
    &[("headings between", keep_headings_between), ("code between", keep_code_between)];

/// Applies all rules but one, if it is named.
#[inline(never)]
pub(super) fn apply(context: Context<'_>, prediction: &mut Prediction, without: Option<&str>) {
    for (name, rule) in RULES {
        if without != Some(name) {
            rule(context, prediction);
        }
    }
}

/// Keeps headings whose text is kept: the next block that is no heading is kept and has the same parent.
fn keep_headings_between(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    let parent = |block: usize| elements.parent[blocks.element[block] as usize];
    let is_heading = |block: usize| elements.name[blocks.element[block] as usize].heading_level().is_some();
    let mut kept_text = None;
    let first_kept = prediction.kept.iter().position(|kept| *kept).unwrap_or(usize::MAX);
    for block in (0..blocks.len()).rev() {
        if !is_heading(block) {
            kept_text = prediction.kept[block].then(|| parent(block)).filter(|parent| *parent != NONE);
        } else if !prediction.kept[block] && block > first_kept && kept_text == Some(parent(block)) {
            prediction.kept[block] = true;
        }
    }
}

/// Keeps preformatted text between kept blocks of the same parent.
fn keep_code_between(context: Context<'_>, prediction: &mut Prediction) {
    let (blocks, elements) = (&context.page.blocks, &context.page.elements);
    let is_code = |block: usize| elements.regions[blocks.element[block] as usize] & Region::Pre.bit() != 0;
    let mut start = 0;
    while start < blocks.len() {
        if !is_code(start) {
            start += 1;
            continue;
        }
        let mut end = start;
        while end < blocks.len() && is_code(end) {
            end += 1;
        }
        let is_kept =
            |block: Option<usize>| block.and_then(|block| prediction.kept.get(block)) == Some(&true);
        if is_kept(start.checked_sub(1)) && is_kept(Some(end)) {
            prediction.kept[start..end].fill(true);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use crate::classify::features::Derived;
    use crate::{annotate::Annotations, page::Page};

    use super::*;

    /// Texts kept after one rule, given which blocks were kept before.
    fn kept(html: &str, before: &[bool], rule: fn(Context<'_>, &mut Prediction)) -> Vec<String> {
        let page = Page::parse(html);
        let (annotations, derived) = (Annotations::default(), Derived::default());
        let mut prediction = Prediction { kept: before.to_vec(), ..Prediction::default() };
        rule(Context { page: &page, annotations: &annotations, derived: &derived }, &mut prediction);
        let kept = (0..page.blocks.len()).filter(|block| prediction.kept[*block]);
        kept.map(|block| page.blocks.text(block).to_owned()).collect()
    }

    #[test]
    fn headings_and_code_stay_with_their_text() {
        let html = "<div><p>One.</p><h2>Two</h2><p>Three.</p><h2>Four</h2></div><p>Five.</p>";
        let before = [true, false, true, false, false];
        assert_eq!(kept(html, &before, keep_headings_between), ["One.", "Two", "Three."]);
        let html = "<p>One.</p><pre>let a;</pre><p>Two.</p><pre>let b;</pre>";
        assert_eq!(kept(html, &[true, false, true, false], keep_code_between), ["One.", "let a;", "Two."]);
    }
}
