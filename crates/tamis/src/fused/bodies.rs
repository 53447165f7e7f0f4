//! How many texts a page is made of: the front page of a journal gives several whole ones, below each other.
//!
//! Each has a headline that leads to a page of its own, in its `article` element or above its text. A text whose chapters have headings that
//! lead to themselves, or to shops, is one; and so is one whose parts are `article` elements, or that has an introduction.

use tamis_html::{Name, NodeRef};

use super::elements::Elements;
use crate::block::Block;
use crate::hashing::{NumberMap, TextSet};
use crate::page::Page;
use crate::page_address::{known_by, site_of};

/// So many words make a body.
const WORDS: u32 = 60;
/// So many texts below headlines that are links are bodies of one page: one or two of them may be anything. In `article` elements
/// two are enough.
const LEAST_BELOW_HEADLINES: usize = 3;
const LEAST_IN_ARTICLES: usize = 2;
/// So far from a block the link of its headline stands, above it or in it.
const NEAR: usize = 4;

/// How many bodies the blocks that are kept make up.
pub(super) fn bodies(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
    in_articles(page, elements, &keep).max(below_headlines(page, &keep))
}

fn in_articles(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
    /// A part of an article: its place, its words that are kept, and where the heading stands that is a link.
    struct Part {
        article: u32,
        words: u32,
        headline: Option<usize>,
    }
    let mut parts: Vec<Part> = Vec::new();
    for (at, block) in page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none()) {
        let Some((article, _)) =
            elements.up(elements.place(block.element)).find(|(_, above)| above.name == Name::ARTICLE)
        else {
            continue;
        };
        let words = if keep(at) { block.measures.text.words } else { 0 };
        let headline = (block.link_share() > 0.5 && level(page, block).is_some()).then_some(at);
        match parts.last_mut().filter(|last| last.article == article) {
            Some(last) => {
                last.words += words;
                last.headline = last.headline.or(headline);
            }
            None => parts.push(Part { article, words, headline }),
        }
    }
    parts.sort_by_key(|part| part.article);
    let bodies = parts.chunk_by(|a, b| a.article == b.article);
    let bodies = bodies.filter(|body| body.iter().map(|part| part.words).sum::<u32>() >= WORDS);
    let headlines: Vec<usize> =
        bodies.filter_map(|body| body.iter().find_map(|part| part.headline)).collect();
    // Where they lead costs a look at all links of the page.
    let count = if headlines.len() >= LEAST_IN_ARTICLES { pages_led_to(page, &headlines) } else { 0 };
    if count >= LEAST_IN_ARTICLES { count } else { 0 }
}

/// The level of a heading as a headline may have it, from 0.
fn level(page: &Page<'_>, block: &Block) -> Option<usize> {
    let level = page.element(block).heading_level()?;
    (level <= 3).then_some(usize::from(level) - 1)
}

/// Of the headings that are links those of the highest level count. Where a text begins before the first of them, they are its parts: a
/// ranking of things has an introduction, a journal has none.
fn below_headlines(page: &Page<'_>, keep: impl Fn(usize) -> bool) -> usize {
    let seen = || page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none());
    let level = |block: &Block| level(page, block).filter(|_| block.link_share() > 0.9);
    // The last heading of each level with the words that are kept below it, and those below which there was a body.
    let mut open: [Option<(usize, u32)>; 3] = [None; 3];
    let mut found: [Vec<usize>; 3] = Default::default();
    let end = |open: &mut Option<(usize, u32)>, found: &mut Vec<usize>| {
        found.extend(open.take().filter(|(_, words)| *words >= WORDS).map(|(heading, _)| heading));
    };
    // The words that are kept before the first heading of each level.
    let mut before: [u32; 3] = [0; 3];
    for (at, block) in seen() {
        if let Some(level) = level(block) {
            end(&mut open[level], &mut found[level]);
            open[level] = Some((at, 0));
        } else if keep(at) {
            let before = before.iter_mut().zip(&open).filter(|(_, open)| open.is_none());
            before.for_each(|(before, _)| *before += block.measures.text.words);
            open.iter_mut().flatten().for_each(|(_, words)| *words += block.measures.text.words);
        }
    }
    open.iter_mut().zip(&mut found).for_each(|(open, found)| end(open, found));
    let mut found = found.into_iter().zip(before);
    let found = found.find(|(headings, _)| headings.len() >= LEAST_BELOW_HEADLINES);
    let found = found.filter(|(_, before)| *before < WORDS);
    let count = found.map_or(0, |(headings, _)| pages_led_to(page, &headings));
    if count >= LEAST_BELOW_HEADLINES { count } else { 0 }
}

/// To how many other pages of the site some headings lead.
fn pages_led_to(page: &Page<'_>, headings: &[usize]) -> usize {
    let own = page.url().and_then(known_by);
    let site = page.url().and_then(site_of).or_else(|| site_by_links(page));
    let addresses = headings.iter().filter_map(|at| {
        let href = link_of(page, &page.blocks()[*at])?.attribute_named(Name::HREF)?.trim().to_owned();
        let is_here = href.is_empty() || href.starts_with('#') || own.is_some() && known_by(&href) == own;
        // What leads nowhere on the web, as `mailto:`, has no site; neither has what is told from here.
        let scheme = href.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
        let is_away = site_of(&href).map_or(scheme, |of| site.as_ref().is_some_and(|site| *site != of));
        (!is_here && !is_away).then(|| href.split('#').next().unwrap_or_default().to_owned())
    });
    addresses.collect::<TextSet<String>>().len()
}

/// The site that most links of the page lead to, of those that name one: a site links to itself most.
fn site_by_links(page: &Page<'_>) -> Option<String> {
    let mut times: NumberMap<u64, (usize, String)> = NumberMap::default();
    for node in page.dom().descendants().filter(|node| node.is(Name::A)) {
        let Some(site) = node.attribute_named(Name::HREF).and_then(|href| site_of(&href)) else { continue };
        times.entry(xxhash_rust::xxh3::xxh3_64(site.as_bytes())).or_insert((0, site)).0 += 1;
    }
    // Of sites with as many, the first by name: the order of a table is none.
    times
        .into_values()
        .max_by(|one, other| one.0.cmp(&other.0).then_with(|| other.1.cmp(&one.1)))
        .map(|(_, site)| site)
}

/// The link that a headline is: around it or in it.
fn link_of<'p>(page: &'p Page<'_>, block: &Block) -> Option<NodeRef<'p>> {
    let element = page.element(block);
    let above = std::iter::once(element).chain(element.ancestors()).take(NEAR);
    above.chain(element.descendants().take(NEAR)).find(|node| node.is(Name::A))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fused::odds::Odds;

    fn count(html: &str) -> usize {
        let page = Page::parse(html);
        bodies(&page, &Elements::of(&page, &Odds::default()), |_| true)
    }

    fn text() -> String {
        "<p>one two three four five six seven eight nine ten</p>".repeat(7)
    }

    fn below(addresses: [&str; 3]) -> String {
        addresses.map(|address| format!("<h2><a href=\"{address}\">A part</a></h2>{}", text())).concat()
    }

    #[test]
    fn articles_with_a_body_each_are_counted() {
        let body = |n: u32| format!("<article><h2><a href=/{n}>Number {n}</a></h2>{}</article>", text());
        let html = format!("{}{}<article><h2><a href=/3>Three</a></h2><p>short</article>", body(1), body(2));
        assert_eq!(count(&html), 2);
    }

    #[test]
    fn parts_of_one_article_were_texts_of_their_own() {
        let part = |n: u32| format!("<article id=tab{n}><h2>Part {n}</h2>{}</article>", text());
        assert_eq!(count(&format!("<h1>Repairs</h1>{}{}{}", part(1), part(2), part(3))), 0);
        let ranking =
            format!("<h1>The best boats</h1>{}{}", text(), below(["/boat/1", "/boat/2", "/boat/3"]));
        assert_eq!(count(&ranking), 0);
    }

    #[test]
    fn a_journal_without_article_elements_had_one_body() {
        assert_eq!(count(&below(["/1", "/2", "/3"])), 3);
        let html = format!("<h1>Number</h1>{0}<h2><a href=/a>A part</a></h2>{0}<h2>Another</h2>{0}", text());
        assert_eq!(count(&html), 0);
    }

    #[test]
    fn chapters_that_lead_to_themselves_were_texts_of_their_own() {
        assert_eq!(count(&below(["#one", "#two", "#three"])), 0);
    }

    #[test]
    fn goods_in_a_shop_elsewhere_were_texts_of_their_own() {
        let menu: String =
            (0..9).map(|n| format!("<a href=https://harbour.example/{n}>Menu {n}</a> ")).collect();
        let shop = ["https://shop.example/1", "https://shop.example/2", "https://shop.example/3"];
        assert_eq!(count(&format!("{menu}{}", below(shop))), 0);
        let own = ["https://harbour.example/a", "https://www.harbour.example/b", "/c"];
        assert_eq!(count(&format!("{menu}{}", below(own))), 3);
    }

    #[test]
    fn headings_that_lead_to_one_page_are_no_headlines() {
        assert_eq!(count(&below(["/list#1", "/list#2", "/list#3"])), 0);
        assert_eq!(count(&below(["mailto:a@b.example", "javascript:x", "tel:1"])), 0);
    }
}
