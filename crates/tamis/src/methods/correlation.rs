//! `correlation`: text per link, smoothed by siblings and parent.
//!
//! The paper: "Content extraction from Uyghur web pages by content correlativity" (2012). Its thought: an element of
//! the main text holds much text outside of links and few links, noise the reverse; and where a short reply in a
//! forum looks like noise by that measure, its siblings tell what it is.
//!
//! For every element, everything below it included:
//!
//! - `TA`, the characters outside of links, after [`arabic::prepare`], and `LA`, the links;
//! - `CC = TA / LA`, with 1 for `LA` = 0. Content when `CC > C`;
//! - smoothing up, where `CC < C`: `CS`, the percentage of the siblings of the same name (itself included) with
//!   `CC >= C`, and `TD = TA(parent) / LA`. When `CS > S` and `TD > D`, `CC` becomes `C` and the element content;
//! - smoothing down, for which the paper has no formula. Here: the content text of an element is its own text, not
//!   that of elements in it. The *bulk* is the deepest element whose inside has at least [`Options::bulk`] of the
//!   page's content text; its *level* is the depth at which most of that text stands. A content element outside the
//!   bulk, at another depth than the level, with less content text than [`Options::small`] of the bulk's, has `CC` = 0.
//!
//! A text belongs to its nearest element and is kept when that is content. A block may hold texts of several (`b`
//! and `a` inside a paragraph): it is kept when more than half of its characters stand in content elements.
//!
//! All decisions look at the values before smoothing, so their order does not matter, and the whole is linear in the
//! size of the page.
//!
//! ```
//! use tamis::{Page, methods::correlation::{C, D, Node, Options, S, nodes}};
//!
//! assert_eq!((C, S, D), (29.0, 57.0, 63.0));
//! let page = Page::parse("<p>Thirty characters or more, and no link in sight.");
//! let list: Vec<Node> = nodes(&page, &Options { small: 0.0, ..Options::default() });
//! assert!(list.iter().all(|node| node.cc > C && node.is_content));
//! ```

use tamis_html::{Name, NodeId};

use super::in_order::{InOrder, NONE};
use crate::arabic;
use crate::block::Block;
use crate::by_name::ByName;
use crate::characters::count;
use crate::judgement::{Judgement, Verdict};
use crate::page::Page;

/// The paper's `C` (3.4): an element with more characters a link than this is content.
pub const C: f64 = 29.0;
/// The paper's `S` (3.5), in percent.
pub const S: f64 = 57.0;
/// The paper's `D` (3.5).
pub const D: f64 = 63.0;

/// The constants; the default has the paper's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// [`C`].
    pub c: f64,
    /// [`S`].
    pub s: f64,
    /// [`D`].
    pub d: f64,
    /// The share of the content text that the bulk must hold. Not from the paper: one third.
    pub bulk: f64,
    /// Below this share of the bulk's content text, what leaves its structure is dropped. Not from the paper: 0.1.
    /// With 0 nothing is smoothed down.
    pub small: f64,
    /// Are characters counted after [`arabic::prepare`]? The paper does.
    pub prepare: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { c: C, s: S, d: D, bulk: 1.0 / 3.0, small: 0.1, prepare: true }
    }
}

/// An element with the paper's numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    /// The element.
    pub element: NodeId,
    /// Characters outside of links.
    pub ta: u32,
    /// Links.
    pub la: u32,
    /// Content correlativity: `ta / la`.
    pub cc: f64,
    /// Content scale: the percentage of siblings of its name with much text a link. Nothing where `cc` is not below `C`.
    pub cs: f64,
    /// Text density of the surroundings: the parent's `ta / la`. Nothing where `cc` is not below `C`.
    pub td: f64,
    /// `cc` after smoothing.
    pub smoothed: f64,
    /// Is it content?
    pub is_content: bool,
    parent: u32,
    depth: u32,
    /// The elements in it, itself included: they follow it in the list.
    size: u32,
    /// Characters outside of links whose nearest element it is.
    own: u32,
    /// Its place among all elements of the page.
    in_order: u32,
}

/// Judges a page with the paper's constants.
///
/// ```
/// use tamis::{Page, methods::correlation};
///
/// let page = Page::parse(
///     "<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>\
///      <div>A text of some length, in which there is nothing to follow.</div>",
/// );
/// let judgement = correlation::judge(&page);
/// assert_eq!(judgement.kept().collect::<Vec<_>>(), [2]);
/// ```
pub fn judge(page: &Page<'_>) -> Judgement {
    judge_with(page, &Options::default())
}

/// Judges a page with other constants.
///
/// ```
/// use tamis::{Page, methods::correlation::{Options, judge_with}};
///
/// let page = Page::parse("<p>Eleven words.");
/// assert!(!judge_with(&page, &Options::default()).keeps(0));
/// assert!(judge_with(&page, &Options { c: 10.0, ..Options::default() }).keeps(0));
/// ```
pub fn judge_with(page: &Page<'_>, options: &Options) -> Judgement {
    let in_order = InOrder::of(page);
    let measured = Measured::new(page, &in_order, options, Numbers::All);
    let verdicts = page.blocks().iter().map(|block| {
        if block.hidden.is_some() {
            return Verdict::default();
        }
        let said = measured.say(&in_order, block, options);
        Verdict { keep: said.keep, score: said.score, why: said.why(options) }
    });
    Judgement { verdicts: verdicts.collect(), ..Judgement::default() }
}

/// The scores alone, with the paper's constants.
pub(crate) fn scores(page: &Page<'_>, in_order: &InOrder) -> Vec<f32> {
    let options = Options::default();
    let measured = Measured::new(page, in_order, &options, Numbers::ThatDecide);
    let score = |block: &Block| match block.hidden {
        None => measured.say(in_order, block, &options).score,
        Some(_) => 0.0,
    };
    page.blocks().iter().map(score).collect()
}

/// The elements of a page in page order with their numbers: the curve that the paper draws.
///
/// ```
/// use tamis::{Page, methods::correlation::{Options, nodes}};
///
/// let page = Page::parse("<div>One two three <a href=/>four</a> <a href=/>five</a></div>");
/// let nodes = nodes(&page, &Options::default());
/// let div = nodes[1];
/// assert_eq!((div.ta, div.la, div.cc), (11, 2, 5.5));
/// ```
pub fn nodes(page: &Page<'_>, options: &Options) -> Vec<Node> {
    Measured::new(page, &InOrder::of(page), options, Numbers::All).nodes
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    All,
    /// CS and TD only where they could raise an element.
    ThatDecide,
}

struct Measured {
    nodes: Vec<Node>,
    /// The place in `nodes` of each element of the page in order.
    places: Vec<u32>,
    /// The characters of each run of the page.
    characters: Vec<u32>,
}

impl Measured {
    fn new(page: &Page<'_>, in_order: &InOrder, options: &Options, numbers: Numbers) -> Measured {
        let mut measured = Measured::elements(page, in_order);
        measured.count_texts(page, in_order, options);
        // Children stand behind their parents: backwards, each is complete before it is added to its parent.
        let nodes = &mut measured.nodes;
        for i in (0..nodes.len()).rev() {
            let node = &mut nodes[i];
            node.cc = f64::from(node.ta) / f64::from(node.la.max(1));
            node.smoothed = node.cc;
            node.is_content = node.cc > options.c;
            let (ta, size, parent) = (node.ta, node.size, node.parent as usize);
            if let Some(parent) = nodes.get_mut(parent) {
                parent.ta += ta;
                parent.size += size;
            }
        }
        smooth_up(in_order, &mut measured.nodes, options, numbers);
        smooth_down(&mut measured.nodes, options);
        measured
    }

    /// The elements in page order, with links but without text yet.
    fn elements(page: &Page<'_>, in_order: &InOrder) -> Measured {
        let mut nodes: Vec<Node> = Vec::with_capacity(in_order.body.len());
        let mut places = vec![NONE; in_order.list.len()];
        let top = in_order.list.get(in_order.body.start).map_or(0, |body| body.depth);
        let mut at = in_order.body.start;
        while at < in_order.body.end {
            let entry = &in_order.list[at];
            if entry.is(Name::SCRIPT) || entry.is(Name::STYLE) {
                at += entry.size as usize;
                continue;
            }
            places[at] = nodes.len() as u32;
            nodes.push(Node {
                element: entry.id,
                ta: 0,
                la: page.measures(page.node(entry.id)).links,
                cc: 0.0,
                cs: 0.0,
                td: 0.0,
                smoothed: 0.0,
                is_content: false,
                parent: places.get(entry.parent as usize).copied().unwrap_or(NONE),
                depth: entry.depth - top,
                size: 1,
                own: 0,
                in_order: at as u32,
            });
            at += 1;
        }
        Measured { nodes, places, characters: vec![0; page.all_runs().len()] }
    }

    /// Gives every element the text of its own.
    fn count_texts(&mut self, page: &Page<'_>, in_order: &InOrder, options: &Options) {
        // On most pages there is nothing to prepare, and the characters are known.
        let prepare = options.prepare && arabic::may_need_preparation(page.all_text());
        for block in page.blocks().iter().filter(|block| block.hidden.is_none()) {
            let places = block.runs.clone().zip(in_order.runs(block));
            for (run, (number, place)) in page.runs(block).iter().zip(places) {
                let characters = if prepare {
                    count(&arabic::prepare(&page.node(run.node).text())).characters
                } else {
                    run.characters
                };
                self.characters[number] = characters;
                if !run.in_link
                    && let Some(node) = self.place(place.parent).and_then(|place| self.nodes.get_mut(place))
                {
                    node.own += characters;
                    node.ta += characters;
                }
            }
        }
    }

    /// The place in `nodes` of the element that has this one in the page.
    fn place(&self, in_order: u32) -> Option<usize> {
        self.places.get(in_order as usize).filter(|place| **place != NONE).map(|place| *place as usize)
    }

    fn say<'m>(&'m self, in_order: &InOrder, block: &Block, options: &Options) -> Said<'m> {
        let (mut all, mut content, mut strength) = (0, 0, 0.0);
        let mut most = (0, None);
        for (&characters, place) in self.characters[block.runs.clone()].iter().zip(in_order.runs(block)) {
            all += characters;
            let Some(node) = self.place(place.parent).map(|place| &self.nodes[place]) else { continue };
            if node.is_content {
                content += characters;
            }
            // Squeezed into 0 to 1, with one half at C.
            strength += f64::from(characters) * node.smoothed / (node.smoothed + options.c);
            if characters > most.0 {
                most = (characters, Some(node));
            }
        }
        let keep = 2 * content > all;
        let strength = strength / f64::from(all.max(1));
        let score = if keep { 0.5 + strength / 2.0 } else { strength / 2.0 } as f32;
        Said { keep, score, share: f64::from(content) / f64::from(all.max(1)), most: most.1 }
    }
}

/// What is said of a block.
struct Said<'m> {
    keep: bool,
    score: f32,
    /// The share of its characters that stand in content elements.
    share: f64,
    /// The element with most of them.
    most: Option<&'m Node>,
}

impl Said<'_> {
    fn why(&self, options: &Options) -> Vec<(&'static str, f64)> {
        let mut why = vec![("content share", self.share)];
        if let Some(node) = self.most {
            why.extend([("TA", f64::from(node.ta)), ("LA", f64::from(node.la)), ("CC", node.cc)]);
            if node.cc < options.c {
                why.extend([("CS", node.cs), ("TD", node.td)]);
            }
            why.push(("CC smoothed", node.smoothed));
        }
        why
    }
}

/// Raises what has little text a link itself, among siblings that have much.
fn smooth_up(in_order: &InOrder, nodes: &mut [Node], options: &Options, numbers: Numbers) {
    // Of the children of one parent, by name: how many, and how many with CC >= C.
    let mut brothers: ByName<(u32, u32)> = ByName::default();
    let entry = |node: &Node| in_order.list[node.in_order as usize];
    for parent in 0..nodes.len() {
        let Node { ta, size, .. } = nodes[parent];
        // TD of no child is above TA of the parent, so that there is nothing to raise where this is not over D.
        let is_decided = numbers == Numbers::ThatDecide && f64::from(ta.max(1)) <= options.d;
        if size == 1 || is_decided {
            continue;
        }
        let (first, end) = (parent + 1, parent + size as usize);
        brothers.clear();
        let mut child = first;
        while child < end {
            let node = &nodes[child];
            let entry = entry(node);
            if entry.is_child {
                let (n, tn) = brothers.of(entry.name, (0, 0));
                *n += 1;
                *tn += u32::from(node.cc >= options.c);
            }
            child += node.size as usize;
        }
        child = first;
        while child < end {
            let node = &mut nodes[child];
            child += node.size as usize;
            if node.cc < options.c {
                let entry = entry(node);
                if !entry.is_child {
                    continue;
                }
                let (n, tn) = *brothers.of(entry.name, (1, 0));
                node.cs = 100.0 * f64::from(tn) / f64::from(n);
                node.td = f64::from(ta.max(1)) / f64::from(node.la.max(1));
                if node.cs > options.s && node.td > options.d {
                    node.smoothed = options.c;
                    node.is_content = true;
                }
            }
        }
    }
}

/// Drops what has much text a link but plainly leaves the structure where content lives: see the head of the file.
fn smooth_down(nodes: &mut [Node], options: &Options) {
    let content_text = |node: &Node| if node.is_content { u64::from(node.own) } else { 0 };
    let mut inside: Vec<u64> = nodes.iter().map(content_text).collect();
    for i in (1..nodes.len()).rev() {
        if let Some(parent) = inside.get(nodes[i].parent as usize) {
            inside[nodes[i].parent as usize] = parent + inside[i];
        }
    }
    let Some(total) = inside.first().copied().filter(|total| *total > 0) else { return };
    let holds_bulk = |i: usize| inside[i] as f64 >= options.bulk * total as f64;
    // The deepest of those that do; of two that are equally deep, the first.
    let bulk =
        (0..nodes.len()).filter(|i| holds_bulk(*i)).max_by_key(|i| (nodes[*i].depth, std::cmp::Reverse(*i)));
    let Some(bulk) = bulk else { return };
    let within = bulk..bulk + nodes[bulk].size as usize;
    // From the bulk's own depth on.
    let mut by_depth: Vec<u64> = Vec::new();
    for node in &nodes[within.clone()] {
        let below = (node.depth - nodes[bulk].depth) as usize;
        if below >= by_depth.len() {
            by_depth.resize(below + 1, 0);
        }
        by_depth[below] += content_text(node);
    }
    let level = by_depth
        .iter()
        .zip(nodes[bulk].depth..)
        .max_by_key(|(text, depth)| (**text, std::cmp::Reverse(*depth)));
    let level = level.map_or(0, |(_, depth)| depth);
    let small = options.small * inside[bulk] as f64;
    for (i, node) in nodes.iter_mut().enumerate() {
        if node.is_content && !within.contains(&i) && node.depth != level && f64::from(node.own) < small {
            node.smoothed = 0.0;
            node.is_content = false;
        }
    }
}

#[cfg(test)]
mod tests;
