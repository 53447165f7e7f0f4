//! `density`: composite text density with DensitySum (CETD), the baseline that the other papers measure against.
//!
//! The paper: Fei Sun, Dandan Song, Lejian Liao, "DOM based content extraction via text density" (SIGIR 2011). Of its
//! two measures this is the composite one (its CETD-DS), with the threshold and the marking of its authors' program:
//!
//! - for every element, all below it included: `C` characters, `T` elements, `LC` characters in links, `LT` link
//!   elements. 0 counts as 1 for each of `T`, `LC`, `LT` and `C - LC`; an element without text has density 0. Links are
//!   `a`, `button` and `select`; the elements inside of them count for `LT` too, and so do those that hold only links;
//! - density `CTD = C/T x log_b((C/LC) x (T/LT))` with the base `b = ln(C/(C-LC) x LC + LCb/Cb x C + e)`, where `Cb` and
//!   `LCb` are those of `body`;
//! - `DensitySum` is the sum of the densities of an element's children, and of its texts as if each had an element of
//!   its own; of an element without child elements it is its density;
//! - threshold: of the element with the highest `DensitySum` on the page and all those around it up to `body`, the
//!   lowest density;
//! - from `body` down, as long as the density is not below the threshold: the element with the highest `DensitySum`
//!   inside is content with all it holds. What lies on the way to it keeps its own text.
//!
//! Smoothing is what `DensitySum` does; there is no other. White space is not counted, and hidden elements are left
//! out, as the authors leave out what the browser does not show.
//!
//! One difference: for a text between elements the authors' program leaves the term `C/(C-LC) x LC` (which is 1) out of
//! the base, and so divides by zero on a page without links. Here the term stays, as the formula has it.

use tamis_html::Name;

use super::in_order::{InOrder, NONE};
use crate::block::Block;
use crate::judgement::{Judgement, Verdict};
use crate::page::Page;

/// Judges a page.
///
/// ```
/// use tamis::{Page, methods::density};
///
/// let page = Page::parse(
///     "<ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>\
///      <div><p>A text of some length, in which there is nothing to follow.<p>And one more of the kind.</div>",
/// );
/// let judgement = density::judge(&page);
/// assert_eq!(judgement.kept().collect::<Vec<_>>(), [2, 3]);
/// ```
pub fn judge(page: &Page<'_>) -> Judgement {
    let verdicts = each(page, &InOrder::of(page), |keep, score, why: Option<(&Element, f64)>| Verdict {
        keep,
        score,
        why: why.map_or_else(Vec::new, |(element, threshold)| {
            vec![("CTD", element.density), ("DensitySum", element.sum), ("threshold", threshold)]
        }),
    });
    Judgement { verdicts, ..Judgement::default() }
}

/// The scores alone.
pub(crate) fn scores(page: &Page<'_>, in_order: &InOrder) -> Vec<f32> {
    each(page, in_order, |_, score, _| score)
}

/// For each block whether it is kept, its score, and the element that speaks for it, with the threshold.
fn each<T>(
    page: &Page<'_>,
    in_order: &InOrder,
    say: impl Fn(bool, f32, Option<(&Element, f64)>) -> T,
) -> Vec<T> {
    let tree = Tree::measure(page, in_order);
    let marks = tree.mark();
    let of_block = |block: &Block| {
        if block.hidden.is_some() {
            return say(false, 0.0, None);
        }
        let (mut all, mut kept, mut most) = (0, 0, (0, None));
        for (run, place) in page.runs(block).iter().zip(in_order.runs(block)) {
            let characters = run.characters;
            all += characters;
            let Some(place) = tree.place(place.parent) else { continue };
            if marks.content[place] {
                kept += characters;
            }
            if characters > most.0 {
                most = (characters, Some(place));
            }
        }
        let keep = 2 * kept > all;
        let (_, Some(place)) = most else { return say(false, 0.0, None) };
        let element = &tree.elements[place];
        // Squeezed into 0 to 1, with one half at the threshold.
        let strength = element.density / (element.density + marks.threshold).max(f64::MIN_POSITIVE);
        let score = if keep { 0.5 + strength / 2.0 } else { strength / 2.0 } as f32;
        say(keep, score, Some((element, marks.threshold)))
    };
    page.blocks().iter().map(of_block).collect()
}

/// The composite text density of an element, from its characters, tags, link characters and link tags; `ratio` is the
/// share of the body's characters that stand in links.
///
/// ```
/// use tamis::methods::density::composite_density;
///
/// // A paragraph of 100 characters beside a list of links of as many, on a page that is half links.
/// let paragraph = composite_density([100, 1, 0, 0], 0.5);
/// let links = composite_density([100, 20, 100, 20], 0.5);
/// assert!(paragraph > 300.0 && links == 0.0);
/// ```
pub fn composite_density([characters, tags, link_characters, link_tags]: [u32; 4], ratio: f64) -> f64 {
    if characters == 0 {
        return 0.0;
    }
    let at_least_one = |count: u32| f64::from(count.max(1));
    let (c, t) = (f64::from(characters), at_least_one(tags));
    let (lc, lt) = (at_least_one(link_characters), at_least_one(link_tags));
    let not_lc = at_least_one(characters.saturating_sub(link_characters));
    // The system's own logarithms differ from machine to machine in the last place.
    let base = libm::log(c / not_lc * lc + ratio * c + std::f64::consts::E);
    c / t * libm::log(c / lc * t / lt) / libm::log(base)
}

#[derive(Clone, Copy, Debug, Default)]
struct Element {
    parent: u32,
    is_link: bool,
    has_children: bool,
    /// Characters, tags, characters in links, link tags.
    counts: [u32; 4],
    density: f64,
    sum: f64,
}

/// The densities of a page; those of short texts and short links are remembered, since pages have many of the same length.
struct Densities {
    ratio: f64,
    /// By length; no number where it is not known yet.
    texts: [f64; Densities::SHORT],
    links: [f64; Densities::SHORT],
}

impl Densities {
    const SHORT: usize = 64;

    fn new(ratio: f64) -> Densities {
        Densities { ratio, texts: [f64::NAN; Densities::SHORT], links: [f64::NAN; Densities::SHORT] }
    }

    /// The same as [`composite_density`], for which 0 and 1 tags are alike.
    fn of(&mut self, counts: [u32; 4]) -> f64 {
        let known = match counts {
            [characters, 0..=1, 0, 0] => self.texts.get_mut(characters as usize),
            [characters, 0..=1, in_links, 0..=1] if in_links == characters => {
                self.links.get_mut(characters as usize)
            }
            _ => None,
        };
        match known {
            Some(known) => {
                if known.is_nan() {
                    *known = composite_density(counts, self.ratio);
                }
                *known
            }
            None => composite_density(counts, self.ratio),
        }
    }
}

/// The elements of a page in page order: children stand behind their parents, so that a loop backwards sees every
/// element complete before its parent.
struct Tree {
    elements: Vec<Element>,
    /// For each element of the page in order, its place in `elements`, or [`NONE`].
    places: Vec<u32>,
}

struct Marks {
    threshold: f64,
    content: Vec<bool>,
}

impl Tree {
    fn measure(page: &Page<'_>, in_order: &InOrder) -> Tree {
        let mut tree = Tree::read(page, in_order);
        // The texts that are seen, with their elements.
        let mut texts = Vec::with_capacity(page.all_runs().len());
        for block in page.blocks().iter().filter(|block| block.hidden.is_none()) {
            for (run, place) in page.runs(block).iter().zip(in_order.runs(block)) {
                if let (1.., Some(place)) = (run.characters, tree.place(place.nearest)) {
                    tree.elements[place].counts[0] += run.characters;
                    texts.push((place, run.characters));
                }
            }
        }
        for i in (0..tree.elements.len()).rev() {
            let Element { parent, is_link, counts: [c, t, lc, lt], .. } = tree.elements[i];
            let lc = if is_link { c } else { lc };
            let lt = if is_link { t } else { lt };
            tree.elements[i].counts = [c, t, lc, lt];
            let only_links = is_link || (lt == t && lc == c && lt != 0);
            if let Some(parent) = tree.elements.get_mut(parent as usize) {
                let add = [c, t + 1, lc, lt + u32::from(only_links)];
                parent.counts.iter_mut().zip(add).for_each(|(count, add)| *count += add);
            }
        }
        let body = tree.elements.first().map_or([0; 4], |body| body.counts);
        let ratio = f64::from(body[2]) / f64::from(body[0].max(1));
        let mut densities = Densities::new(ratio);
        for i in (0..tree.elements.len()).rev() {
            let element = &mut tree.elements[i];
            element.density = densities.of(element.counts);
            if !element.has_children {
                element.sum = element.density;
            }
            let (density, parent) = (element.density, element.parent);
            if let Some(parent) = tree.elements.get_mut(parent as usize) {
                parent.sum += density;
            }
        }
        for (place, characters) in texts {
            let element = &mut tree.elements[place];
            if element.has_children {
                element.sum += densities.of([characters, 1, 0, 0]);
            }
        }
        tree
    }

    /// Lists the elements.
    fn read(page: &Page<'_>, in_order: &InOrder) -> Tree {
        let mut elements: Vec<Element> = Vec::with_capacity(in_order.body.len());
        let mut places = vec![NONE; in_order.list.len()];
        let mut at = in_order.body.start;
        while at < in_order.body.end {
            let entry = &in_order.list[at];
            let is_body = in_order.has_body && at == in_order.body.start;
            if !is_body && page.seen(page.node(entry.id)).is_out_of_sight() {
                at += entry.size as usize;
                continue;
            }
            places[at] = elements.len() as u32;
            let parent = places.get(entry.parent as usize).copied().unwrap_or(NONE);
            let mut is_link = entry.is(Name::A) || entry.is(Name::BUTTON) || entry.is(Name::SELECT);
            if let Some(parent) = elements.get_mut(parent as usize) {
                parent.has_children = true;
                is_link |= parent.is_link;
            }
            elements.push(Element { parent, is_link, ..Element::default() });
            at += 1;
        }
        Tree { elements, places }
    }

    /// The place of the element that has this one in the page.
    fn place(&self, in_order: u32) -> Option<usize> {
        self.places.get(in_order as usize).filter(|place| **place != NONE).map(|place| *place as usize)
    }

    fn mark(&self) -> Marks {
        let n = self.elements.len();
        let mut marks = Marks { threshold: 0.0, content: vec![false; n] };
        if n == 0 {
            return marks;
        }
        let densest = self.densest();
        let above = |place: &usize| Some(self.elements[*place].parent as usize).filter(|above| *above < n);
        let path = std::iter::successors(Some(densest[0]), above);
        marks.threshold = path.map(|place| self.elements[place].density).fold(f64::INFINITY, f64::min);

        // Content with all below it; on the way to such; to be looked into.
        let (mut whole, mut on_the_way, mut open) = (vec![false; n], vec![false; n], vec![false; n]);
        for i in 0..n {
            let parent = self.elements[i].parent as usize;
            whole[i] |= whole.get(parent).copied().unwrap_or(false);
            let is_reached = open.get(parent).copied().unwrap_or(true);
            if !is_reached || whole[i] || self.elements[i].density < marks.threshold {
                continue;
            }
            open[i] = true;
            whole[densest[i]] = true;
            let mut above = self.elements[densest[i]].parent as usize;
            while above < n && !on_the_way[above] {
                on_the_way[above] = true;
                above = self.elements[above].parent as usize;
            }
        }
        for i in 0..n {
            marks.content[i] = whole[i] || on_the_way[i];
        }
        marks
    }

    /// For each element, the one in it (or itself) with the highest DensitySum; of several, the first.
    fn densest(&self) -> Vec<usize> {
        let mut densest: Vec<usize> = (0..self.elements.len()).collect();
        let sum = |place: usize| self.elements[place].sum;
        for i in (0..self.elements.len()).rev() {
            // So far the best of the children; the element itself stands before them.
            if sum(i) >= sum(densest[i]) {
                densest[i] = i;
            }
            let parent = self.elements[i].parent as usize;
            if parent < i && (densest[parent] == parent || sum(densest[i]) >= sum(densest[parent])) {
                densest[parent] = densest[i];
            }
        }
        densest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        judge(&page).kept().map(|block| page.text(&page.blocks()[block]).to_owned()).collect()
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "another way to the same number")]
    fn the_formula() {
        // C = 80, T = 2, LC = 20, LT = 1, a quarter of the body in links: 80/2 x ln(80/20 x 2/1) / ln(b),
        // with b = ln(80/60 x 20 + 0.25 x 80 + e) = ln(49.385).
        let by_hand = 40.0 * 8f64.ln() / (80.0 / 60.0 * 20.0 + 20.0 + std::f64::consts::E).ln().ln();
        assert!((composite_density([80, 2, 20, 1], 0.25) - by_hand).abs() < 1e-9);
        assert!((by_hand - 61.12).abs() < 0.01, "{by_hand}");
        assert_eq!(composite_density([0, 5, 0, 0], 0.25), 0.0);
        assert!(composite_density([1, 0, 0, 0], 0.0).is_finite());
    }

    #[test]
    fn sums_are_of_children_and_of_texts_between_them() {
        let page = Page::parse("<div>some text <b>bold</b> more<p>a paragraph</div>");
        let tree = Tree::measure(&page, &InOrder::of(&page));
        let of = |counts| composite_density(counts, 0.0);
        // body, div, b, p
        let [body, div, b, p] = tree.elements[..] else { panic!() };
        assert_eq!(div.counts, [8 + 4 + 4 + 10, 2, 0, 0]);
        assert!((div.sum - (b.density + p.density + of([8, 1, 0, 0]) + of([4, 1, 0, 0]))).abs() < 1e-9);
        assert_eq!((b.sum, body.sum), (b.density, div.density));
    }

    #[test]
    fn links_are_counted_with_what_wraps_them() {
        let page = Page::parse("<ul><li><a href=/><b>x</b></a></li><li>y</li></ul>");
        let tree = Tree::measure(&page, &InOrder::of(&page));
        // Of `ul`: li, a, b, li; the first `li` holds only links, so three of the four are link tags.
        assert_eq!(tree.elements[1].counts, [2, 4, 1, 3]);
    }

    #[test]
    fn an_article_between_lists_of_links() {
        let html = "<div><a href=/1>Front page</a> <a href=/2>Weather</a> <a href=/3>Sport</a></div>\
            <div><p>The ferry to the outer islands will run twice a day again from the first of May, the company said.\
            <p>Last winter the crossing was <a href=/w>closed</a> for eleven weeks because of ice in the sound.</div>\
            <ul><li><a href=/4>More news of the coast</a><li><a href=/5>Letters to the editor</a></ul>";
        let kept = kept(html);
        assert_eq!(kept.len(), 2, "{kept:?}");
        assert!(kept[1].ends_with("in the sound."));
    }

    #[test]
    fn weakness_short_replies() {
        // The one long post sets the densest element; the short replies beside it fall below the threshold.
        let post =
            "<p>It took us a whole summer to find where the water came in, and it was the neighbour's roof.";
        let reply = "<div><a href=/u>Ann</a> <i>at noon</i> <a href=/q>quote</a><p>Me too.</div>";
        let html = format!("<div><div>{}</div>{reply}{reply}</div>", post.repeat(5));
        assert_eq!(kept(&html).len(), 5);
    }

    #[test]
    fn nothing_to_judge() {
        for html in ["", "<frameset><frame></frameset>", "<p hidden>x", "<a href=/>x</a>"] {
            let page = Page::parse(html);
            assert_eq!(judge(&page).verdicts.len(), page.blocks().len(), "{html}");
        }
    }
}
