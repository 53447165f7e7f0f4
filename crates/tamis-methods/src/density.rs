//! `density`: composite text density with DensitySum (CETD-DS), the baseline that the other papers measure against.
//!
//! Fei Sun, Dandan Song, Lejian Liao, "DOM based content extraction via text density", SIGIR 2011, with the threshold
//! and the marking of the authors' program:
//!
//! - for every element with its subtree: `C` characters, `T` elements, `LC` characters in links, `LT` link elements; 0
//!   counts as 1 for `T`, `LC`, `LT` and `C - LC`; an element without text has density 0. Links are `a`, `button` and
//!   `select`; elements inside of them count for `LT` too, and so do those that hold only links;
//! - `CTD = C/T x log_b((C/LC) x (T/LT))` with the base `b = ln(C/(C-LC) x LC + LCb/Cb x C + e)`, where `Cb` and `LCb`
//!   are those of `body`;
//! - `DensitySum` is the sum of the densities of an element's children, and of its texts as if each had an element of
//!   its own; for an element without children it is its density;
//! - threshold: the lowest density of the element with the highest `DensitySum` on the page and its ancestors;
//! - marking, from `body` down, for elements whose density is at least the threshold: the element with the highest
//!   `DensitySum` in the subtree is content with its whole subtree. Elements on the path to it keep their own text.
//!
//! One difference: for a text between elements, the authors' program omits the term `C/(C-LC) x LC` of the base and
//! thus divides by zero on a page without links. We keep the term, as in the formula.

use tamis::page::Page;
use tamis_html::Name;

use crate::judgement::{Curves, Judgement, Verdict, score};
use crate::outline::Outline;

/// Judges a page. Evidence: `CTD` and `DensitySum` of the element with most of the block's text, and the threshold.
pub fn judge(page: &Page<'_>) -> Judgement {
    let outline = Outline::of(page);
    let nodes = measure(&outline);
    let (threshold, is_content) = mark(&nodes);
    let verdicts = (0..page.blocks.len()).map(|block| {
        let Some(element) = outline.main_element(page, block) else { return Verdict::default() };
        let node = &nodes[element];
        let keep = outline.mean(page, block, |element| f64::from(u8::from(is_content[element]))) > 0.5;
        // 0.5 at the threshold.
        let strength = node.density / (node.density + threshold).max(f64::MIN_POSITIVE);
        let evidence = vec![("CTD", node.density), ("DensitySum", node.sum), ("threshold", threshold)];
        Verdict { keep, score: score(keep, strength), evidence }
    });
    let verdicts = verdicts.collect();
    let series = |value: fn(&Node) -> f64| nodes.iter().map(value).collect();
    let curves = Curves {
        nodes: outline.body_elements().iter().map(|element| Some(element.id)).collect(),
        series: vec![("CTD", series(|node| node.density)), ("DensitySum", series(|node| node.sum))],
        thresholds: vec![("threshold", threshold)],
    };
    Judgement { verdicts, curves }
}

/// The composite text density for C, T, LC and LT. `link_share` is the share of the body's characters in links.
pub fn composite_density([characters, tags, link_characters, link_tags]: [u32; 4], link_share: f64) -> f64 {
    if characters == 0 {
        return 0.0;
    }
    let at_least_one = |count: u32| f64::from(count.max(1));
    let (c, t) = (f64::from(characters), at_least_one(tags));
    let (lc, lt) = (at_least_one(link_characters), at_least_one(link_tags));
    let not_lc = at_least_one(characters.saturating_sub(link_characters));
    let base = libm::log(c / not_lc * lc + link_share * c + std::f64::consts::E);
    c / t * libm::log(c / lc * t / lt) / libm::log(base)
}

/// An element from `body` on, in page order.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Index of the parent; out of range for the first.
    parent: usize,
    is_link: bool,
    has_children: bool,
    /// C, T, LC, LT.
    counts: [u32; 4],
    density: f64,
    sum: f64,
}

fn measure(outline: &Outline) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(outline.body.len());
    for element in outline.body_elements() {
        let parent = outline.body_index(element.parent);
        let mut is_link = [Name::A, Name::BUTTON, Name::SELECT].iter().any(|name| element.is(*name));
        if let Some(parent) = nodes.get_mut(parent) {
            parent.has_children = true;
            is_link |= parent.is_link;
        }
        nodes.push(Node { parent, is_link, ..Node::default() });
    }
    for text in &outline.texts {
        if let Some(node) = nodes.get_mut(outline.body_index(text.element)) {
            node.counts[0] += text.characters;
        }
    }
    // Children follow their parents: backwards, each is complete before it is added to its parent.
    for index in (0..nodes.len()).rev() {
        let Node { parent, is_link, counts: [c, t, lc, lt], .. } = nodes[index];
        let (lc, lt) = if is_link { (c, t) } else { (lc, lt) };
        nodes[index].counts = [c, t, lc, lt];
        let only_links = is_link || (lt == t && lc == c && lt != 0);
        if let Some(parent) = nodes.get_mut(parent) {
            let add = [c, t + 1, lc, lt + u32::from(only_links)];
            parent.counts.iter_mut().zip(add).for_each(|(count, add)| *count += add);
        }
    }
    let body = nodes.first().map_or([0; 4], |body| body.counts);
    let link_share = f64::from(body[2]) / f64::from(body[0].max(1));
    for index in (0..nodes.len()).rev() {
        let node = &mut nodes[index];
        node.density = composite_density(node.counts, link_share);
        if !node.has_children {
            node.sum = node.density;
        }
        let (density, parent) = (node.density, node.parent);
        if let Some(parent) = nodes.get_mut(parent) {
            parent.sum += density;
        }
    }
    for text in &outline.texts {
        if let Some(node) = nodes.get_mut(outline.body_index(text.element))
            && node.has_children
        {
            node.sum += composite_density([text.characters, 1, 0, 0], link_share);
        }
    }
    nodes
}

/// The threshold, and which elements are content.
fn mark(nodes: &[Node]) -> (f64, Vec<bool>) {
    let n = nodes.len();
    if n == 0 {
        return (0.0, Vec::new());
    }
    let densest = densest(nodes);
    let path =
        std::iter::successors(Some(densest[0]), |index| Some(nodes[*index].parent).filter(|it| *it < n));
    let threshold = path.map(|index| nodes[index].density).fold(f64::INFINITY, f64::min);
    // Content with its subtree; on the path to such; to be searched.
    let (mut whole, mut on_the_way, mut open) = (vec![false; n], vec![false; n], vec![false; n]);
    for index in 0..n {
        let parent = nodes[index].parent;
        whole[index] |= whole.get(parent).copied().unwrap_or(false);
        let is_reached = open.get(parent).copied().unwrap_or(true);
        if !is_reached || whole[index] || nodes[index].density < threshold {
            continue;
        }
        open[index] = true;
        whole[densest[index]] = true;
        let mut above = nodes[densest[index]].parent;
        while above < n && !on_the_way[above] {
            on_the_way[above] = true;
            above = nodes[above].parent;
        }
    }
    (threshold, whole.into_iter().zip(on_the_way).map(|(whole, on_the_way)| whole || on_the_way).collect())
}

/// For each element, the one in its subtree with the highest DensitySum; the first of several.
fn densest(nodes: &[Node]) -> Vec<usize> {
    let mut densest: Vec<usize> = (0..nodes.len()).collect();
    let sum = |index: usize| nodes[index].sum;
    for index in (0..nodes.len()).rev() {
        // So far the best of the children; the element itself comes before them.
        if sum(index) >= sum(densest[index]) {
            densest[index] = index;
        }
        let parent = nodes[index].parent;
        if parent < index && (densest[parent] == parent || sum(densest[index]) >= sum(densest[parent])) {
            densest[parent] = densest[index];
        }
    }
    densest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(html: &str) -> Vec<Node> {
        measure(&Outline::of(&Page::parse(html)))
    }

    #[test]
    fn composite_density_follows_the_formula() {
        // 80/2 x ln(80/20 x 2/1) / ln(b) with b = ln(80/60 x 20 + 0.25 x 80 + e) = ln(49.385).
        assert!((composite_density([80, 2, 20, 1], 0.25) - 61.12).abs() < 0.01);
        assert_eq!(composite_density([0, 5, 0, 0], 0.25), 0.0);
        assert_eq!(composite_density([100, 20, 100, 20], 0.5), 0.0);
        assert!(composite_density([1, 0, 0, 0], 0.0).is_finite());
    }

    #[test]
    fn sums_include_children_and_texts_between_them() {
        let nodes = measured("<div>some text <b>bold</b> more<p>a paragraph</div>");
        let of = |counts| composite_density(counts, 0.0);
        let [body, div, b, p] = nodes[..] else { panic!("{nodes:?}") };
        assert_eq!(div.counts, [8 + 4 + 4 + 10, 2, 0, 0]);
        assert!((div.sum - (b.density + p.density + of([8, 1, 0, 0]) + of([4, 1, 0, 0]))).abs() < 1e-9);
        assert_eq!((b.sum, body.sum), (b.density, div.density));
    }

    #[test]
    fn elements_that_hold_only_links_count_as_links() {
        // Of `ul`: li, a, b, li; the first `li` holds only links.
        assert_eq!(measured("<ul><li><a href=/><b>x</b></a></li><li>y</li></ul>")[1].counts, [2, 4, 1, 3]);
    }
}
