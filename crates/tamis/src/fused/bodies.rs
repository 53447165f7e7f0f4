//! How many texts a page is made of: the front page of a journal gives several whole ones, below each other.
//!
//! They stand in `article` elements, or each below a headline that leads to a page of its own. A text whose chapters have headings that lead to
//! themselves, or to shops, is one.

use tamis_html::{Name, NodeRef};

use super::elements::Elements;
use crate::block::Block;
use crate::hashing::{NumberMap, TextSet};
use crate::page::Page;
use crate::page_address::{host_of, known_by};

/// So many words make a body.
const WORDS: u32 = 60;
/// So many texts below headlines that are links are bodies of one page: one or two of them may be anything.
const LEAST_BELOW_HEADLINES: usize = 3;
/// So far from a block the link of its headline stands, above it or in it.
const NEAR: usize = 4;

/// How many bodies the blocks that are kept make up.
pub(super) fn bodies(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
    in_articles(page, elements, &keep).max(below_headlines(page, &keep))
}

fn in_articles(page: &Page<'_>, elements: &Elements, keep: impl Fn(usize) -> bool) -> usize {
    let mut words: Vec<(u32, u32)> = Vec::new();
    for (_, block) in page.blocks().iter().enumerate().filter(|(at, _)| keep(*at)) {
        let Some((place, _)) =
            elements.up(elements.place(block.element)).find(|(_, above)| above.name == Name::ARTICLE)
        else {
            continue;
        };
        match words.last_mut().filter(|(last, _)| *last == place) {
            Some((_, sum)) => *sum += block.measures.text.words,
            None => words.push((place, block.measures.text.words)),
        }
    }
    words.sort_unstable();
    words
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|body| body.iter().map(|(_, words)| words).sum::<u32>() >= WORDS)
        .count()
}

/// Of the headings that are links those of the highest level count.
fn below_headlines(page: &Page<'_>, keep: impl Fn(usize) -> bool) -> usize {
    let seen = || page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none());
    let level = |block: &Block| {
        let level = page.element(block).heading_level()?;
        (level <= 3 && block.link_share() > 0.9).then_some(usize::from(level) - 1)
    };
    // The last heading of each level with the words that are kept below it, and those below which there was a body.
    let mut open: [Option<(usize, u32)>; 3] = [None; 3];
    let mut found: [Vec<usize>; 3] = Default::default();
    let end = |open: &mut Option<(usize, u32)>, found: &mut Vec<usize>| {
        found.extend(open.take().filter(|(_, words)| *words >= WORDS).map(|(heading, _)| heading));
    };
    for (at, block) in seen() {
        if let Some(level) = level(block) {
            end(&mut open[level], &mut found[level]);
            open[level] = Some((at, 0));
        } else if keep(at) {
            open.iter_mut().flatten().for_each(|(_, words)| *words += block.measures.text.words);
        }
    }
    open.iter_mut().zip(&mut found).for_each(|(open, found)| end(open, found));
    let found = found.into_iter().find(|headings| headings.len() >= LEAST_BELOW_HEADLINES);
    let count = found.map_or(0, |headings| pages_led_to(page, &headings));
    if count >= LEAST_BELOW_HEADLINES { count } else { 0 }
}

/// To how many other pages of the site some headings lead.
fn pages_led_to(page: &Page<'_>, headings: &[usize]) -> usize {
    let own = page.url().and_then(known_by);
    let host = page.url().and_then(host_of).or_else(|| host_by_links(page));
    let addresses = headings.iter().filter_map(|at| {
        let href = link_of(page, &page.blocks()[*at])?.attribute_named(Name::HREF)?.trim().to_owned();
        let is_here = href.is_empty() || href.starts_with('#') || own.is_some() && known_by(&href) == own;
        // What leads nowhere on the web, as `mailto:`, has no host; neither has what is told from here.
        let scheme = href.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
        let is_away = host_of(&href).map_or(scheme, |of| host.as_ref().is_some_and(|host| *host != of));
        (!is_here && !is_away).then(|| href.split('#').next().unwrap_or_default().to_owned())
    });
    addresses.collect::<TextSet<String>>().len()
}

/// The host that most links of the page lead to, of those that name one: a site links to itself most.
fn host_by_links(page: &Page<'_>) -> Option<String> {
    let mut times: NumberMap<u64, (usize, String)> = NumberMap::default();
    for node in page.dom().descendants().filter(|node| node.is(Name::A)) {
        let Some(host) = node.attribute_named(Name::HREF).and_then(|href| host_of(&href)) else { continue };
        times.entry(xxhash_rust::xxh3::xxh3_64(host.as_bytes())).or_insert((0, host)).0 += 1;
    }
    // Of hosts with as many, the first by name: the order of a table is none.
    times
        .into_values()
        .max_by(|one, other| one.0.cmp(&other.0).then_with(|| other.1.cmp(&one.1)))
        .map(|(_, host)| host)
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
        let body = text();
        let html = format!("<article>{body}</article><article>{body}</article><article><p>short</article>");
        assert_eq!(count(&html), 2);
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
