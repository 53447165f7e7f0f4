//! What all searches for facts look at: the page, where its text stands, and what was picked up on the way.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use tamis_html::NodeRef;

use super::dates::Moment;
use super::json_ld::Json;
use super::scan::{Scan, folded, text_of};
use super::things::Things;
use super::title::{normal, unescaped};
use crate::feed::Told;
use crate::judgement::Judgement;
use crate::page::Page;
use crate::site::{Site, leaf_tags};

/// The page as the searches see it.
pub(super) struct Around<'p> {
    pub(super) page: &'p Page<'p>,
    pub(super) scan: Scan<'p>,
    pub(super) things: Things,
    pub(super) title_text: String,
    pub(super) fetched: Option<Moment>,
    /// The first and the last block of the main text.
    pub(super) text: Option<(usize, usize)>,
    /// What the site calls itself, as [`normal`] has it.
    pub(super) site_names: Vec<String>,
    /// The account of the site elsewhere, likewise. On a site of one person it is hers.
    pub(super) handle: Option<String>,
    /// The host, and the part of it that is the site's.
    pub(super) host_names: Vec<String>,
    /// The page's address, or what it says is its address.
    pub(super) url: Option<String>,
    /// Those of these names that the site's memory knows.
    pub(super) remembered: Vec<String>,
    /// What a feed of the site says of the page.
    pub(super) told: Option<Told<'p>>,
    piece: OnceCell<Option<usize>>,
    title_parts: OnceCell<Vec<Range<usize>>>,
    other_stories: OnceCell<Vec<Range<usize>>>,
}

impl<'p> Around<'p> {
    pub(super) fn of(page: &'p Page<'p>, judgement: &Judgement, fetched: Option<Moment>) -> Around<'p> {
        let text = judgement.kept().next().zip(judgement.kept().last());
        let scan = Scan::of(page, &near(page, text));
        let things = Things::of(&scan);
        let title_text = scan.title_text();
        let declared = || {
            let canonical = scan.links.iter().find(|(rel, _)| rel == "canonical");
            let href = canonical.and_then(|(_, node)| node.attribute_named(tamis_html::Name::HREF));
            href.map(|href| href.into_owned()).or_else(|| scan.meta_named(&["og:url"]).map(str::to_owned))
        };
        let url = page.url().map(str::to_owned).or_else(|| declared().filter(|url| url.contains("://")));
        let site_names = site_names(&scan, &things);
        let handle = scan.meta_named(&["twitter:site"]).map(normal).filter(|it| !it.is_empty());
        let host_names = url.as_deref().map(host_names).unwrap_or_default();
        Around {
            page,
            scan,
            things,
            title_text,
            fetched,
            text,
            site_names,
            handle,
            host_names,
            url,
            remembered: Vec::new(),
            told: None,
            piece: OnceCell::new(),
            title_parts: OnceCell::new(),
            other_stories: OnceCell::new(),
        }
    }

    /// Adds what the site's memory knows: an end of `title` that stands in a template of the site is the site's.
    pub(super) fn knowing(mut self, site: &Site) -> Around<'p> {
        if site.pages() == 0 || self.title_parts().len() < 2 {
            return self;
        }
        let parts = self.title_parts();
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return self };
        // What the piece is headed with is no name of the site, even if a menu has it on every page.
        let headed: Vec<String> =
            self.scan.headings.iter().take(4).map(|(_, node)| text_of(*node, 200)).collect();
        let tags = leaf_tags(self.page);
        let is_site = |part: &Range<usize>| {
            let text = &self.title_text[part.clone()];
            !headed.iter().any(|heading| heading == text)
                && tags.iter().any(|tag| tag.text == text && site.is_template(tag))
        };
        let known: Vec<String> = [first, last]
            .into_iter()
            .filter(|part| is_site(part))
            .map(|part| normal(&self.title_text[part.clone()]))
            .collect();
        if known.len() < parts.len() {
            self.site_names.extend(known.iter().cloned());
            self.remembered = known;
        }
        self
    }

    /// Adds what a feed says of the page.
    pub(super) fn told(mut self, told: Option<Told<'p>>) -> Around<'p> {
        let name = told.as_ref().and_then(Told::site_name).map(normal).filter(|name| !name.is_empty());
        self.site_names.extend(name);
        self.told = told;
        self
    }

    /// The parts of `title`, as ranges of it: what many searches begin with.
    pub(super) fn title_parts(&self) -> &[Range<usize>] {
        self.title_parts.get_or_init(|| super::title::separators(&self.title_text))
    }

    /// The JSON-LD of the piece.
    pub(super) fn piece(&self) -> Option<&Json> {
        self.things.piece(&self.title_text, &self.piece)
    }

    /// The same, as far as it may say who wrote the page and when: a video or an event on it is another piece if it is called
    /// otherwise.
    pub(super) fn own_piece(&self) -> Option<&Json> {
        self.piece().filter(|piece| {
            let is_text = piece.is_a(|name| {
                name.ends_with("Article")
                    || name.ends_with("Posting")
                    || name.ends_with("Page")
                    || name == "Report"
            });
            if is_text {
                return true;
            }
            let name = piece.text_of("headline").or_else(|| piece.text_of("name")).map(normal);
            let Some(name) = name.filter(|name| !name.is_empty()) else { return true };
            let headed = || self.scan.headings.iter().take(4).map(|(_, node)| normal(&text_of(*node, 300)));
            let agrees = |text: &String| {
                !text.is_empty() && (text.contains(name.as_str()) || name.contains(text.as_str()))
            };
            self.title_text.is_empty() || agrees(&normal(&self.title_text)) || {
                let head = self.title_parts().first().map(|part| normal(&self.title_text[part.clone()]));
                head.as_ref().is_some_and(agrees) || headed().any(|heading| agrees(&heading))
            }
        })
    }

    /// Does a node stand below a picture, or among what readers say?
    pub(super) fn is_of_others(&self, node: NodeRef<'_>) -> bool {
        use tamis_html::Name;
        const OF_READERS: [&str; 6] =
            ["comments", "comment", "commentlist", "comment-list", "comment-author", "disqus_thread"];
        let says_comments = |it: &NodeRef<'_>| {
            let mut own = [Name::ID, Name::CLASS].into_iter().filter_map(|name| it.attribute_named(name));
            own.any(|value| {
                // The first letter tells most words apart from these.
                let may_be = |word: &&str| {
                    word.len() >= "comment".len() && matches!(word.as_bytes()[0] | 0x20, b'c' | b'd')
                };
                let mut words = value.split_ascii_whitespace().filter(may_be);
                words.any(|word| OF_READERS.iter().any(|it| it.eq_ignore_ascii_case(word)))
            })
        };
        let above = || std::iter::once(node).chain(node.ancestors()).filter(|it| it.is_element());
        above().take(4).any(|it| it.is(Name::FIGCAPTION)) || above().take(12).any(|it| says_comments(&it))
    }

    /// The stretches of blocks that tell of other stories, and what readers answer.
    pub(super) fn other_stories(&self) -> &[Range<usize>] {
        self.other_stories.get_or_init(|| super::published::elsewhere::stretches(self))
    }

    /// Does a block stand in one of them? Not where the text begins in it: then its heading is one of the page.
    pub(super) fn is_of_another_story(&self, place: usize) -> bool {
        let has_text = |stretch: &Range<usize>| self.text.is_some_and(|(first, _)| stretch.contains(&first));
        self.other_stories().iter().any(|stretch| stretch.contains(&place) && !has_text(stretch))
    }

    /// Does a node stand in one of them? It may be in the middle of a block.
    pub(super) fn is_node_of_another_story(&self, node: NodeRef<'_>) -> bool {
        let (Some(place), Some(span)) = (self.place_of(node), node.span()) else { return false };
        let before = place.checked_sub(1).and_then(|before| self.page.blocks().get(before));
        let is_inside = before.is_some_and(|block| span.start < block.span.end);
        self.is_of_another_story(if is_inside { place - 1 } else { place })
    }

    /// The text of a block, its elements apart where templates glue them: `By<a>Ada Finch</a><span>15 May</span>`. Longer ones stay as
    /// they are.
    pub(super) fn line(&self, block: &crate::block::Block, longest: usize) -> Cow<'p, str> {
        let text = self.page.text(block);
        if text.len() > longest {
            return text.into();
        }
        let runs = self.page.runs(block);
        if runs.len() < 2 {
            return text.into();
        }
        let mut apart = String::with_capacity(text.len() + runs.len());
        for run in runs {
            apart.push_str(&self.page.node(run.node).text());
            apart.push(' ');
        }
        let apart = folded(&apart);
        if apart == text { text.into() } else { apart.into() }
    }

    /// Where a node stands among the blocks: the place of the first block at or behind it.
    pub(super) fn place_of(&self, node: NodeRef<'_>) -> Option<usize> {
        let start = node.span()?.start;
        Some(self.page.blocks().partition_point(|block| block.span.start < start))
    }

    /// How many blocks before the main text a node stands; below zero, inside or behind it.
    pub(super) fn blocks_before_text(&self, node: NodeRef<'_>) -> Option<i64> {
        let (first, _) = self.text?;
        Some(first as i64 - self.place_of(node)? as i64)
    }

    /// Is the text at a node hidden from readers?
    pub(super) fn is_hidden(&self, node: NodeRef<'_>) -> bool {
        let block = self.place_of(node).and_then(|place| self.page.blocks().get(place));
        block.is_some_and(|block| block.hidden.is_some())
    }

    /// The path of the address.
    pub(super) fn path(&self) -> &str {
        let url = self.url.as_deref().unwrap_or_default();
        let rest = url.split_once("://").map_or("", |(_, rest)| rest);
        let path = rest.find('/').map_or("", |at| &rest[at..]);
        path.split(['?', '#']).next().unwrap_or_default()
    }

    pub(super) fn is_front_page(&self) -> bool {
        self.url.is_some() && self.path().trim_matches('/').is_empty()
    }

    /// The words of the last part of the address, if it has some: `rain-at-last` of `/news/2010/rain-at-last.html`.
    pub(super) fn slug_words(&self) -> Vec<String> {
        let path = self.path();
        let Some(last) = path.split('/').rfind(|part| part.contains(['-', '_'])) else { return Vec::new() };
        let last =
            last.rsplit_once('.').map_or(last, |(name, ending)| if ending.len() <= 5 { name } else { last });
        let is_word = |word: &&str| word.len() >= 2 && word.chars().any(char::is_alphabetic);
        let words = last.split(|c: char| !c.is_alphanumeric()).filter(is_word).take(24);
        words.map(str::to_lowercase).collect()
    }

    pub(super) fn is_article(&self) -> bool {
        self.scan.meta_named(&["og:type"]).is_some_and(|kind| kind.eq_ignore_ascii_case("article"))
            || self.piece().is_some_and(|piece| {
                piece.is_a(|name| name.ends_with("Article") || name.ends_with("BlogPosting"))
            })
    }

    pub(super) fn is_goods(&self) -> bool {
        self.scan.meta_named(&["og:type"]).is_some_and(|kind| kind.to_ascii_lowercase().contains("product"))
            || self.piece().is_some_and(|piece| piece.is_a(|name| name.starts_with("Product")))
    }
}

/// The stretches of the source around the first and the last block of the text; all of it where there is none.
fn near(page: &Page<'_>, text: Option<(usize, usize)>) -> [Range<u32>; 2] {
    let Some((first, last)) = text else { return [0..u32::MAX, 0..0] };
    let blocks = page.blocks();
    let start = |place: usize| if place == 0 { 0 } else { blocks[place].span.start };
    let end = |place: usize| blocks.get(place).map_or(u32::MAX, |block| block.span.start);
    [start(first.saturating_sub(40))..end(first + 8), start(last.saturating_sub(2))..end(last + 8)]
}

fn site_names(scan: &Scan<'_>, things: &Things) -> Vec<String> {
    let keys =
        ["og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "al:ios:app_name"];
    let own = |name: &str| normal(&unescaped(name));
    let mut names: Vec<String> = keys.iter().filter_map(|key| scan.meta_named(&[key])).map(own).collect();
    names.extend(things.site_name().map(own));
    names.retain(|name| !name.is_empty());
    names.dedup();
    names
}

/// `www.example.co.uk` gives `examplecouk` and `example`.
fn host_names(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default().to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let labels: Vec<&str> = host.split('.').collect();
    let mut names = vec![normal(host)];
    // The name is what stands before the ending; short labels before a country are part of the ending.
    let mut end = labels.len().saturating_sub(1);
    if end >= 2
        && matches!(
            labels[end - 1],
            "co" | "com" | "org" | "net" | "gov" | "ac" | "edu" | "or" | "ne" | "gob" | "gouv"
        )
    {
        end -= 1;
    }
    if let Some(name) = end.checked_sub(1).and_then(|place| labels.get(place)) {
        names.push(normal(name));
    }
    if end >= 2 {
        names.push(normal(labels[end - 2]));
        names.push(normal(&labels[end - 2..end].concat()));
    }
    names.retain(|name| name.len() >= 2);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_host() {
        assert_eq!(host_names("https://www.example.co.uk/a"), ["examplecouk", "example"]);
        assert_eq!(host_names("http://blog.rain.org"), ["blograinorg", "rain", "blog", "blograin"]);
    }

    #[test]
    fn words_of_an_address() {
        let page = Page::parse("<p>x").with_url("https://example.com/news/2010/Rain-at-last-1234.html?x=1");
        let around = Around::of(&page, &Judgement::of([true]), None);
        assert_eq!(around.slug_words(), ["rain", "at", "last"]);
        assert!(!around.is_front_page());
    }
}
