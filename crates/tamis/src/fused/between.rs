//! What stands between paragraphs that are kept and belongs to them, though it does not read like them: listings of programs, and the
//! entries below a heading that names the works referred to.
//!
//! The trees know such blocks by their words, and words of code are those of menus as often as not. But nobody puts a menu between
//! two paragraphs as preformatted text, and a heading that is kept names what stands below it.

use tamis_html::{Name, NodeId};

use crate::judgement::Judgement;
use crate::page::Page;

/// So probable the entries are at least, on the mean, beside their heading.
const BESIDE: f32 = 0.4;
/// Where the trees keep less than half of the entries, those must be a small part of what is kept: one in so many words, or so few.
const PART: u32 = 4;
const FEW: u32 = 60;
/// More entries than this are not looked at together.
const MOST: usize = 1_000;
/// So far above a block the entry stands that it is in.
const NEAR: usize = 4;
/// What is said of a block that is kept here.
pub(super) const CODE: &str = "code between paragraphs";
pub(super) const REFERENCE: &str = "entry of references";

/// Keeps listings between two paragraphs, and the entries of references.
pub(super) fn settle(page: &Page<'_>, judgement: &mut Judgement) {
    let seen: Vec<usize> =
        (0..page.blocks().len()).filter(|place| page.blocks()[*place].hidden.is_none()).collect();
    settle_code(page, &seen, judgement);
    settle_references(page, &seen, judgement);
}

/// The listing that a block is or stands in.
fn listing(page: &Page<'_>, place: usize) -> Option<NodeId> {
    let element = page.element(&page.blocks()[place]);
    let mut around = std::iter::once(element).chain(element.ancestors().take(2));
    around.find(|node| node.is(Name::PRE)).map(|node| node.id())
}

fn settle_code(page: &Page<'_>, seen: &[usize], judgement: &mut Judgement) {
    let mut at = 0;
    while at < seen.len() {
        let Some(pre) = listing(page, seen[at]) else {
            at += 1;
            continue;
        };
        let end = at + seen[at..].iter().take_while(|place| listing(page, **place) == Some(pre)).count();
        let parent = page.node(pre).parent().map(|node| node.id());
        let is_beside = |place: Option<&usize>| {
            place.is_some_and(|place| {
                let of = page.element(&page.blocks()[*place]).parent().map(|node| node.id());
                of == parent && of.is_some() && judgement.keeps(*place)
            })
        };
        if at > 0 && is_beside(seen.get(at - 1)) && is_beside(seen.get(end)) {
            // The name of a language stands in one element with the listing, and is none of it.
            let is_label = |place: usize| {
                let is_one_word = page.blocks()[place].measures.text.words <= 1;
                place == seen[at]
                    && is_one_word
                    && seen[at + 1..end].iter().any(|place| judgement.keeps(*place))
            };
            let first = at + usize::from(is_label(seen[at]));
            seen[first..end].iter().for_each(|place| keep(judgement, *place, CODE));
        }
        at = end;
    }
}

fn settle_references(page: &Page<'_>, seen: &[usize], judgement: &mut Judgement) {
    // Counted once, where a page has such a heading.
    let mut all_kept = None;
    for (at, heading) in seen.iter().enumerate() {
        let block = &page.blocks()[*heading];
        let is_heading = page.element(block).heading_level().is_some();
        if !is_heading || !judgement.keeps(*heading) || !names_references(page.text(block)) {
            continue;
        }
        let Some(list) = seen.get(at + 1).and_then(|place| list_of(page, *place)) else { continue };
        let entries: Vec<usize> = seen[at + 1..]
            .iter()
            .copied()
            .take_while(|place| list_of(page, *place) == Some(list))
            .take(MOST)
            .collect();
        let score = |place: &usize| judgement.verdicts[*place].score;
        let mean = entries.iter().map(score).sum::<f32>() / entries.len().max(1) as f32;
        let all_kept = *all_kept.get_or_insert_with(|| {
            judgement.kept().map(|place| page.blocks()[place].measures.text.words).sum()
        });
        if mean >= BESIDE * score(heading) && !would_be_much(page, &entries, judgement, all_kept) {
            entries.into_iter().for_each(|place| keep(judgement, place, REFERENCE));
        }
    }
}

/// Would the text be another one with these entries, of which the trees keep few?
fn would_be_much(page: &Page<'_>, entries: &[usize], judgement: &Judgement, all_kept: u32) -> bool {
    let (kept, lost): (Vec<usize>, Vec<usize>) = entries.iter().partition(|place| judgement.keeps(**place));
    let added: u32 = lost.iter().map(|place| page.blocks()[*place].measures.text.words).sum();
    kept.len() < lost.len() && added > FEW && added.saturating_mul(PART) > all_kept
}

/// The list that a block is an entry of.
fn list_of(page: &Page<'_>, place: usize) -> Option<NodeId> {
    let element = page.element(&page.blocks()[place]);
    let mut around = std::iter::once(element).chain(element.ancestors().take(NEAR));
    around.find(|node| node.is(Name::LI)).and_then(|entry| entry.parent()).map(|list| list.id())
}

fn keep(judgement: &mut Judgement, place: usize, why: &'static str) {
    let verdict = &mut judgement.verdicts[place];
    if !verdict.keep {
        verdict.keep = true;
        verdict.why.push((why, 1.0));
    }
}

/// Does a heading name the works that a text refers to?
fn names_references(heading: &str) -> bool {
    let is_mark = |it: char| !it.is_alphabetic();
    let small = heading.trim_matches(is_mark).to_lowercase();
    REFERENCES.contains(&small.as_str())
}

#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "references", "reference", "bibliography", "works cited", "literature", "literature cited", "references and notes",
    "参考文献", "参考资料", "參考文獻", "參考資料", "参考", "引用文献", "引用", "پايدىلانمىلار", "پايدىلانغان ماتېرىياللار",
    "literatur", "literaturverzeichnis", "quellen", "références", "bibliographie", "referencias", "bibliografía", "литература",
    "список литературы", "источники", "referências", "bibliografia", "riferimenti", "kaynakça", "kaynaklar", "المراجع", "المصادر",
    "참고문헌", "참고 문헌",
];

#[cfg(test)]
mod tests {
    use super::super::kept_after;
    use super::*;

    fn kept(html: &str, scores: &[f32]) -> Vec<usize> {
        kept_after(settle, html, scores)
    }

    #[test]
    fn a_listing_between_two_paragraphs_was_left_out() {
        let html = "<div><p>It is said so:</p><pre>Share: Facebook</pre><p>And so it is.</p></div>";
        assert_eq!(kept(html, &[0.9, 0.2, 0.9]), [0, 1, 2]);
        assert_eq!(kept(html, &[0.9, 0.2, 0.1]), [0], "it is the last");
        let apart =
            "<div><p>It is said so:</p></div><pre>Share: Facebook</pre><div><p>And so it is.</p></div>";
        assert_eq!(kept(apart, &[0.9, 0.2, 0.9]), [0, 2], "it stands elsewhere");
    }

    #[test]
    fn entries_of_references_were_left_out_below_their_heading() {
        let text = "It is said so by all who sail there, and by many who do not. ".repeat(3);
        let of = |heading: &str, entries: &str| {
            format!("<p>{text}</p><h2>{heading}</h2><ol>{entries}</ol><p>Home</p>")
        };
        let entries = "<li>Lind: On ice<li>Moss: On boats";
        assert_eq!(kept(&of("References", entries), &[0.9, 0.6, 0.4, 0.3, 0.1]), [0, 1, 2, 3]);
        assert_eq!(kept(&of("References", entries), &[0.9, 0.6, 0.1, 0.1, 0.1]), [0, 1]);
        assert_eq!(kept(&of("Our shops", entries), &[0.9, 0.6, 0.4, 0.3, 0.1]), [0, 1]);
        let long = format!("<li>{text}<li>{text}");
        assert_eq!(kept(&of("References", &long), &[0.9, 0.6, 0.4, 0.3, 0.1]), [0, 1], "most of the page");
        assert_eq!(kept(&of("References", &long), &[0.9, 0.6, 0.6, 0.3, 0.1]), [0, 1, 2, 3]);
    }
}
