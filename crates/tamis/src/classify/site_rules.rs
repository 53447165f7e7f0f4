//! What the rules of a user for a site decide about blocks.

use std::sync::Arc;

use tamis_html::Selector;

use super::Prediction;
use crate::page::{Page, SiteRules};

/// What the rules of a site decided on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleDecisions {
    /// One line: the host, and each selector with the number of its blocks.
    pub summary: String,
    /// What decided each block, such as "site rule keep `div.story`"; nothing where no rule did.
    pub blocks: Vec<Option<Arc<str>>>,
}

/// Applies the rules to a prediction. A block is inside of a kept element if some of its text is, and inside of a
/// dropped one if all of it is.
pub(crate) fn apply(page: &Page<'_>, rules: &SiteRules, prediction: &mut Prediction) {
    let mut blocks: Vec<Option<Arc<str>>> = vec![None; page.blocks.len()];
    let (mut parts, mut is_kept) = (Vec::new(), false);
    for selector in &rules.keep {
        let inside = blocks_inside(page, selector, false);
        if inside.is_empty() || is_kept && rules.keep_first {
            continue;
        }
        is_kept = true;
        parts.push(format!("keep `{selector}` (blocks: {})", inside.len()));
        let why: Arc<str> = format!("site rule keep `{selector}`").into();
        inside.into_iter().for_each(|block| _ = blocks[block].get_or_insert_with(|| why.clone()));
    }
    if is_kept {
        let outside: Arc<str> = format!("site rule: outside of {}", parts.join(", ")).into();
        for (kept, why) in prediction.kept.iter_mut().zip(&mut blocks) {
            *kept = why.is_some();
            why.get_or_insert_with(|| outside.clone());
        }
    } else if !rules.keep.is_empty() {
        parts.push("no keep selector finds text, the default decides".to_owned());
    }
    for selector in &rules.drop {
        let inside = blocks_inside(page, selector, true);
        if !inside.is_empty() {
            parts.push(format!("drop `{selector}` (blocks: {})", inside.len()));
        }
        let why: Arc<str> = format!("site rule drop `{selector}`").into();
        for block in inside {
            prediction.kept[block] = false;
            blocks[block] = Some(why.clone());
        }
    }
    if parts.is_empty() {
        parts.push("no rule for the text applies".to_owned());
    }
    if !prediction.kept.contains(&true) {
        prediction.confidence = 0.0;
    }
    let summary = format!("{}: {}", rules.host, parts.join(", "));
    prediction.rules = Some(RuleDecisions { summary, blocks });
}

/// Blocks of which some text, or all of it, is inside of an element that matches.
fn blocks_inside(page: &Page<'_>, selector: &Selector, wholly: bool) -> Vec<usize> {
    // Pages are discarded then; clients may send thousands of selectors.
    if page.deadline_exceeded() {
        return Vec::new();
    }
    let mut is_inside = vec![false; page.dom.len()];
    selector.visit(&page.dom, page.deadline, |visit| is_inside[visit.node.id().index()] = visit.is_inside);
    let inside = |block: &usize| {
        let mut nodes = page.blocks.text_nodes(*block).iter().map(|node| is_inside[node.index()]);
        if wholly { nodes.len() > 0 && nodes.all(|inside| inside) } else { nodes.any(|inside| inside) }
    };
    (0..page.blocks.len()).filter(inside).collect()
}
