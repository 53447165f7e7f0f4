//! `correlation`: text per link, smoothed by siblings and parent.
//!
//! "Content extraction from Uyghur web pages by content correlativity", 2012. An element of the main text has much text
//! outside of links and few links, noise the reverse. Short replies look like noise by that measure, so their siblings
//! decide. For every element with its subtree:
//!
//! - `TA`, characters outside of links after preparation of Arabic script, and `LA`, links;
//! - `CC = TA / LA` (0 links count as 1). Content when `CC > C`;
//! - smoothing up, where `CC < C`: `CS`, the percentage of siblings of the same name (itself included) with `CC >= C`,
//!   and `TD = TA(parent) / LA`. When `CS > S` and `TD > D`, `CC` becomes `C` and the element content;
//! - smoothing down, for which the paper has no formula. Here: the *bulk* is the deepest element whose subtree has at
//!   least a third of the page's content text (texts directly in content elements); its *level* is the depth
//!   with most of that text. A content element outside of the bulk, at another depth than the level, with less text of
//!   its own than a tenth of the bulk's content text, gets `CC` = 0.
//!
//! A text belongs to its parent and is kept when that is content. A block with texts in several elements (`b`, `a`) is
//! kept when more than half of its characters are in content elements. All decisions use the values before smoothing,
//! so their order does not matter.

use std::cmp::Reverse;
use std::collections::HashMap;

use tamis::page::Page;
use tamis::text::arabic;
use tamis::text::characters::Counts;
use tamis_html::Name;

use crate::judgement::{Curves, Judgement, Verdict, score};
use crate::outline::{Element, Outline};

/// C (section 3.4): an element with more characters per link than this is content.
const C: f64 = 29.0;
/// S (section 3.5), in percent.
const S: f64 = 57.0;
/// D (section 3.5).
const D: f64 = 63.0;
/// The minimum share of the content text in the bulk. Not from the paper.
const BULK: f64 = 1.0 / 3.0;
/// The share of the bulk's content text below which smoothing down applies. Not from the paper.
const SMALL: f64 = 0.1;

/// The paper's numbers of an element.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Characters outside of links.
    ta: u32,
    /// Links.
    la: u32,
    /// Content correlativity.
    cc: f64,
    /// Content scale, in percent; 0 unless `cc` is below C.
    cs: f64,
    /// Text density of the surroundings; 0 unless `cc` is below C.
    td: f64,
    /// `cc` after smoothing.
    smoothed: f64,
    is_content: bool,
    /// Characters outside of links directly in the element.
    own: u32,
}

/// Judges a page. Evidence: the share of the block in content elements, and TA, LA, CC, CS, TD and the smoothed CC of
/// the element with most of its text.
pub fn judge(page: &Page<'_>) -> Judgement {
    let outline = prepared(page);
    let nodes = measure(&outline);
    let verdicts = (0..page.blocks.len()).map(|block| {
        let mean = |value: fn(&Node) -> f64| outline.mean(page, block, |element| value(&nodes[element]));
        let content_share = mean(|node| f64::from(u8::from(node.is_content)));
        // Maps CC to 0..1, with 0.5 at C.
        let strength = mean(|node| node.smoothed / (node.smoothed + C));
        let mut evidence = vec![("content share", content_share)];
        if let Some(element) = outline.main_element(page, block) {
            let node = &nodes[element];
            evidence.extend([("TA", f64::from(node.ta)), ("LA", f64::from(node.la)), ("CC", node.cc)]);
            if node.cc < C {
                evidence.extend([("CS", node.cs), ("TD", node.td)]);
            }
            evidence.push(("CC smoothed", node.smoothed));
        }
        let keep = content_share > 0.5;
        Verdict { keep, score: score(keep, strength), evidence }
    });
    let verdicts = verdicts.collect();
    let series = |value: fn(&Node) -> f64| nodes.iter().map(value).collect();
    let curves = Curves {
        nodes: outline.body_elements().iter().map(|element| Some(element.id)).collect(),
        series: vec![("CC", series(|node| node.cc)), ("CC smoothed", series(|node| node.smoothed))],
        thresholds: vec![("C", C)],
    };
    Judgement { verdicts, curves }
}

/// The outline of a page, with the characters after preparation of Arabic script.
fn prepared(page: &Page<'_>) -> Outline {
    Outline::counting(page, |text| Counts::of(&arabic::fold(text, false)).characters)
}

/// The numbers of the elements from `body` on.
fn measure(outline: &Outline) -> Vec<Node> {
    let elements = outline.body_elements();
    let node = |element: &Element| Node { la: u32::from(element.is_link), ..Node::default() };
    let mut nodes: Vec<Node> = elements.iter().map(node).collect();
    for text in outline.texts.iter().filter(|text| !text.in_link) {
        if let Some(node) = nodes.get_mut(outline.body_index(text.element)) {
            node.own += text.characters;
            node.ta += text.characters;
        }
    }
    // Children follow their parents: backwards, each is complete before it is added to its parent.
    for index in (0..nodes.len()).rev() {
        let node = &mut nodes[index];
        node.cc = f64::from(node.ta) / f64::from(node.la.max(1));
        node.smoothed = node.cc;
        node.is_content = node.cc > C;
        let (ta, la) = (node.ta, node.la);
        if let Some(parent) = nodes.get_mut(outline.body_index(elements[index].parent)) {
            parent.ta += ta;
            parent.la += la;
        }
    }
    smooth_up(outline, &mut nodes);
    smooth_down(outline, &mut nodes);
    nodes
}

/// Raises elements with little text per link whose siblings have much.
fn smooth_up(outline: &Outline, nodes: &mut [Node]) {
    let elements = outline.body_elements();
    // By parent and name: the number of siblings, and of those with CC >= C.
    let mut siblings: HashMap<(u32, Name), (u32, u32)> = HashMap::new();
    for (element, node) in elements.iter().zip(nodes.iter()) {
        let (all, with_text) = siblings.entry((element.parent, element.name)).or_default();
        *all += 1;
        *with_text += u32::from(node.cc >= C);
    }
    for index in 0..nodes.len() {
        let element = &elements[index];
        let Some(parent) = nodes.get(outline.body_index(element.parent)) else { continue };
        let ta = parent.ta.max(1);
        let node = &mut nodes[index];
        if node.cc < C {
            let (all, with_text) = siblings.get(&(element.parent, element.name)).copied().unwrap_or((1, 0));
            node.cs = 100.0 * f64::from(with_text) / f64::from(all);
            node.td = f64::from(ta) / f64::from(node.la.max(1));
            if node.cs > S && node.td > D {
                node.smoothed = C;
                node.is_content = true;
            }
        }
    }
}

/// Drops content elements outside the structure of the main text; see the module documentation.
fn smooth_down(outline: &Outline, nodes: &mut [Node]) {
    let elements = outline.body_elements();
    let content_text = |node: &Node| if node.is_content { u64::from(node.own) } else { 0 };
    let mut inside: Vec<u64> = nodes.iter().map(content_text).collect();
    for index in (1..nodes.len()).rev() {
        let text = inside[index];
        if let Some(parent) = inside.get_mut(outline.body_index(elements[index].parent)) {
            *parent += text;
        }
    }
    let total = inside.first().copied().unwrap_or(0);
    let holds_bulk = |index: &usize| total > 0 && inside[*index] as f64 >= BULK * total as f64;
    let deepest = |index: &usize| (elements[*index].depth, Reverse(*index));
    let Some(bulk) = (0..nodes.len()).filter(holds_bulk).max_by_key(deepest) else { return };
    let within = bulk..outline.body_index(elements[bulk].end);
    // Content text by depth below the bulk.
    let mut by_depth: Vec<u64> = Vec::new();
    for index in within.clone() {
        let below = (elements[index].depth - elements[bulk].depth) as usize;
        by_depth.resize(by_depth.len().max(below + 1), 0);
        by_depth[below] += content_text(&nodes[index]);
    }
    let level = (0..by_depth.len()).max_by_key(|below| (by_depth[*below], Reverse(*below))).unwrap_or(0);
    let level = elements[bulk].depth + level as u32;
    let small = SMALL * inside[bulk] as f64;
    for (index, node) in nodes.iter_mut().enumerate() {
        let is_small = f64::from(node.own) < small && elements[index].depth != level;
        if node.is_content && is_small && !within.contains(&index) {
            node.smoothed = 0.0;
            node.is_content = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::kept;

    /// A `div` with this much text of its own, this many links, and these child elements.
    fn div(characters: usize, links: usize, below: &str) -> String {
        format!("<div>{}{}{below}</div>", "x".repeat(characters), "<a href=/>y</a>".repeat(links))
    }

    fn measured(html: &str) -> Vec<Node> {
        measure(&prepared(&Page::parse(html)))
    }

    #[test]
    fn figure_2_of_the_paper() {
        // (36, 3) and (50, 0) in (117, 10), with (138, 12) beside it in (524, 35).
        let low = div(117 - 36 - 50, 10 - 3, &(div(36, 3, "") + &div(50, 0, "")));
        let html = div(524 - 117 - 138, 35 - 10 - 12, &(low + &div(138, 12, "")));
        let nodes = measured(&html);
        for (ta, la, cc) in
            [(524, 35, 524.0 / 35.0), (117, 10, 11.7), (36, 3, 12.0), (50, 0, 50.0), (138, 12, 11.5)]
        {
            assert!(nodes.iter().any(|node| (node.ta, node.la, node.cc) == (ta, la, cc)), "{ta} {la}");
        }
    }

    #[test]
    fn siblings_raise_short_elements() {
        // Long siblings of 40 characters, the tested item of 10 characters, its links; CS, TD and whether it is
        // content.
        for (long, short, links, cs, td, is_content) in
            [(3, 2, 0, 60.0, 140.0, true), (1, 1, 0, 50.0, 50.0, false), (3, 1, 3, 75.0, 130.0 / 3.0, false)]
        {
            let long = format!("<li>{}", "x".repeat(40)).repeat(long);
            let short = format!("<li>yyyyyyyyyy{}", "<a href=/>z</a>".repeat(links)).repeat(short);
            let nodes = measured(&format!("<ul>{long}{short}</ul>"));
            let item = nodes.iter().rfind(|node| node.ta == 10).unwrap();
            assert_eq!((item.cs, item.td, item.is_content), (cs, td, is_content));
            assert_eq!(item.smoothed, if is_content { 29.0 } else { item.cc });
        }
    }

    #[test]
    fn exactly_c_is_noise() {
        assert!(!measured(&div(29, 0, ""))[1].is_content);
        assert!(measured(&div(30, 0, ""))[1].is_content);
    }

    #[test]
    fn a_thread_keeps_a_short_reply_and_loses_the_copyright_line() {
        let html = "<div class=nav><a href=/>Index</a> <a href=/f>Forum</a> <a href=/s>Search</a></div><div>\
            <p>Has anyone here grown quinces from seed, and how long did they take to bear? The books \
            say four years, the neighbours say never, and the nursery would rather sell me a tree in a pot. I have a \
            sheltered corner with good soil, and no frost worth the name before the middle of November. Would you sow, \
            graft or buy, if the garden were yours and you were no longer young, but not yet too old to climb a ladder?\
            <p>Mine took six years in heavy clay, and the first autumn brought three of them.\
            <p>Same here.\
            <p>Graft them if you can: two years, and you know the variety beforehand.</div>\
            <div><div><div><p>Copyright: the friends of orchards</div></div></div>";
        let kept = kept(html, judge);
        assert_eq!(kept.len(), 4, "{kept:?}");
        assert_eq!(kept[2], "Same here.");
    }

    #[test]
    fn a_block_follows_most_of_its_text() {
        let html = "<p>A paragraph of which the greater part is plain, with a <b>bold</b> word and a <a href=/>link</a>.";
        assert_eq!(kept(html, judge).len(), 1);
        let html = "<p><a href=/>A link as long as a paragraph, followed by next to nothing</a> else";
        assert!(kept(html, judge).is_empty());
    }

    #[test]
    fn ligatures_count_as_their_letters() {
        let html = format!("<p>{}", "\u{FEFB}".repeat(15));
        assert_eq!(measured(&html)[1].ta, 30);
        assert_eq!(kept(&html, judge).len(), 1);
    }
}
