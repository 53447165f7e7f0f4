//! What all fields look at: the page, where its text stands, what it declares, and what its site is called.

use std::ops::Range;

use ::url::Url;
use tamis_html::{Name, NodeRef, Selector};

use super::MetadataContext;
use super::candidate::comparison_key;
use super::title_parts::{self, SiteNames};
use crate::annotate::json_ld::SchemaRole;
use crate::annotate::microdata;
use crate::annotate::{Annotations, HeadIndex, MetaField};
use crate::classify::Prediction;
use crate::page::{NONE, Page, Region, SiteRules};
use crate::text::lexicon::{CLASS_COMMENT, categories, concepts};
use crate::text::url;

/// Headings kept.
const MAX_HEADINGS: usize = 400;
/// Ancestors examined to locate a block.
const MAX_ANCESTORS: usize = 16;
/// Values taken from what a rule finds.
const MAX_RULE_VALUES: usize = 16;
/// Class concepts of regions beside the text.
const ASIDE: u32 = concepts(&["sidebar", "related", "footer", "nav"]);
/// Categories of headings above other stories or comments.
const ANNOUNCES: u32 = categories(&["related", "comment", "more"]);

/// A heading of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) row: u32,
    pub(crate) block: usize,
}

/// Where a block stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// Between the headline and the text, or close around.
    Head,
    Inside,
    /// Right behind the text.
    Tail,
    Far,
}

pub(crate) struct View<'p> {
    pub(crate) page: &'p Page<'p>,
    pub(crate) annotations: &'p Annotations,
    pub(crate) prediction: &'p Prediction,
    pub(crate) context: &'p MetadataContext<'p>,
    pub(crate) head: HeadIndex,
    /// First and last block of the main text.
    pub(crate) text: Option<(usize, usize)>,
    /// The page's address, given or declared.
    pub(crate) url: Option<Url>,
    /// What relative links resolve against.
    pub(crate) base: Option<Url>,
    pub(crate) site: SiteNames,
    pub(crate) title_parts: Vec<Range<usize>>,
    pub(crate) headings: Vec<Heading>,
    /// The block of the headline.
    pub(crate) headline: Option<usize>,
    /// The JSON-LD object that describes the piece.
    pub(crate) piece: Option<u32>,
    /// Blocks below headings of other stories and of comments.
    other_stories: Vec<Range<usize>>,
}

impl<'p> View<'p> {
    pub(crate) fn new(
        page: &'p Page<'p>,
        annotations: &'p Annotations,
        prediction: &'p Prediction,
        context: &'p MetadataContext<'p>,
    ) -> View<'p> {
        let head = HeadIndex::read(page);
        let kept = |kept: &bool| *kept;
        let text = prediction.kept.iter().position(kept).zip(prediction.kept.iter().rposition(kept));
        let declared_url = || {
            let link = head.marked.links.iter().find(|(rel, _)| rel == "canonical");
            let href = link.and_then(|(_, at)| page.dom.node(at.node)?.attribute_named(Name::HREF));
            let canonical = href.and_then(|href| url::parse(&href));
            canonical.or_else(|| head.metas(MetaField::Url).iter().find_map(|meta| url::parse(&meta.content)))
        };
        let address = context.url.and_then(url::parse).or_else(declared_url);
        let base = match &head.marked.base {
            Some(base) => url::resolve(address.as_ref(), base).or_else(|| address.clone()),
            None => address.clone(),
        };
        let title_parts = title_parts::split(&head.title);
        let headings = headings(page);
        let headline = text.and_then(|(first, _)| headline(&headings, first));
        let piece = piece(&head);
        let site = site_names(&head, address.as_ref());
        let mut view = View {
            page,
            annotations,
            prediction,
            context,
            head,
            text,
            url: address,
            base,
            site,
            title_parts,
            headings,
            headline,
            piece,
            other_stories: Vec::new(),
        };
        view.other_stories = view.find_other_stories();
        view
    }

    /// What the user's rules for a field find: the values of the first selector that finds any.
    pub(crate) fn rule_values(&self, field: impl Fn(&SiteRules) -> &[Selector]) -> Vec<String> {
        let selectors = self.context.rules.map(field).unwrap_or_default();
        let values = |selector: &Selector| {
            let mut values = Vec::new();
            selector.visit(&self.page.dom, self.page.deadline, |visit| {
                if visit.is_match && values.len() < MAX_RULE_VALUES {
                    let read = |name| visit.node.attribute(name).unwrap_or_default().into_owned();
                    values.push(visit.attribute.map_or_else(|| microdata::value(visit.node), read));
                }
            });
            values.retain(|value| !value.trim().is_empty());
            values
        };
        selectors.iter().map(values).find(|values| !values.is_empty()).unwrap_or_default()
    }

    pub(crate) fn node(&self, row: u32) -> Option<NodeRef<'_>> {
        self.page.dom.node(self.page.elements.node[row as usize])
    }

    /// The text of a part of `<title>`.
    pub(crate) fn title_part(&self, part: usize) -> &str {
        self.title_parts.get(part).map_or("", |range| &self.head.title[range.clone()])
    }

    /// Blocks from `block` to the start of the text.
    pub(crate) fn distance(&self, block: usize) -> Option<i64> {
        self.text.map(|(first, _)| first as i64 - block as i64)
    }

    /// Whether the page shows the start of the site.
    pub(crate) fn is_front_page(&self) -> bool {
        self.url.as_ref().is_some_and(|url| url.path().trim_matches('/').is_empty() && url.query().is_none())
    }

    /// Words of the last part of the path that is made of words.
    pub(crate) fn slug_words(&self) -> Vec<String> {
        let Some(url) = &self.url else { return Vec::new() };
        let Some(slug) = url.path().split('/').rfind(|part| part.contains(['-', '_'])) else {
            return Vec::new();
        };
        let slug =
            slug.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5).map_or(slug, |(name, _)| name);
        let words = slug.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.len() >= 2 && word.chars().any(char::is_alphabetic));
        words.take(24).map(str::to_lowercase).collect()
    }

    pub(crate) fn piece_text(&self, key: &str) -> Option<&str> {
        self.head.graph.text_of(self.piece?, key)
    }

    pub(crate) fn piece_role(&self) -> Option<SchemaRole> {
        self.head.graph.role(self.piece?)
    }

    pub(crate) fn zone(&self, block: usize) -> Zone {
        let Some((first, last)) = self.text else { return if block < 30 { Zone::Head } else { Zone::Far } };
        let start =
            self.headline.map_or(first.saturating_sub(6), |headline| headline.min(first).saturating_sub(4));
        if (start..=first + 2).contains(&block) {
            Zone::Head
        } else if block > first && block < last {
            Zone::Inside
        } else if (last..=last + 4).contains(&block) {
            Zone::Tail
        } else {
            Zone::Far
        }
    }

    /// Whether a block stands near the text, above it or right behind it, and not in somebody else's words.
    pub(crate) fn is_near(&self, block: usize) -> bool {
        let Some((first, last)) = self.text else { return !self.is_of_others(block) };
        block + 16 >= first && block <= last + 8 && !self.is_of_others(block)
    }

    /// Whether a block belongs to comments, a caption or another story.
    pub(crate) fn is_of_others(&self, block: usize) -> bool {
        self.is_comment_or_caption(block) || self.is_other_story(block)
    }

    /// Whether a block stands below the heading of another story.
    pub(crate) fn is_other_story(&self, block: usize) -> bool {
        let has_text = |range: &Range<usize>| self.text.is_some_and(|(first, _)| range.contains(&first));
        self.other_stories.iter().any(|range| range.contains(&block) && !has_text(range))
    }

    fn is_comment_or_caption(&self, block: usize) -> bool {
        let elements = &self.page.elements;
        let Some(row) = self.page.blocks.element.get(block) else { return false };
        let is_caption = elements.regions[*row as usize] & Region::Figure.bit() != 0;
        // If the text itself is in such an element, the class is no evidence.
        let text_row = self.text.map(|(first, _)| self.page.blocks.element[first]);
        is_caption
            || self.ancestors(*row).any(|outer| {
                self.concepts(outer) & CLASS_COMMENT != 0
                    && !text_row.is_some_and(|inner| elements.is_inside(inner, outer))
            })
    }

    /// Rows from an element to the root, bounded.
    pub(crate) fn ancestors(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        let parents = &self.page.elements.parent;
        let parent = move |row: &u32| parents.get(*row as usize).copied().filter(|parent| *parent != NONE);
        std::iter::successors(Some(row), parent).take(MAX_ANCESTORS)
    }

    /// Concepts of an element's class and id.
    pub(crate) fn concepts(&self, row: u32) -> u32 {
        let [class, id] = self.page.elements.class[row as usize];
        let entries = &self.page.classes.entries;
        entries[class as usize].concepts | entries[id as usize].concepts
    }

    /// Whether a block is beside the text: in a side column, navigation, footer or list of related stories.
    pub(crate) fn is_aside(&self, block: usize) -> bool {
        let Some(row) = self.page.blocks.element.get(block) else { return false };
        let regions = self.page.elements.regions[*row as usize];
        let in_article = regions & Region::Article.bit() != 0;
        regions & (Region::Aside.bit() | Region::Nav.bit()) != 0
            || (regions & Region::Footer.bit() != 0 && !in_article)
            || self.ancestors(*row).any(|outer| self.concepts(outer) & ASIDE != 0)
    }

    /// Whether a block is in a figure.
    pub(crate) fn is_caption(&self, block: usize) -> bool {
        let row = self.page.blocks.element.get(block);
        row.is_some_and(|row| self.page.elements.regions[*row as usize] & Region::Figure.bit() != 0)
    }

    /// Whether a block is in an item of a list of links to other articles.
    pub(crate) fn in_linked_item(&self, block: usize) -> bool {
        let records = &self.annotations.records;
        let Some(row) = self.page.blocks.element.get(block) else { return false };
        let Some(item) = records.innermost_item.get(*row as usize).filter(|item| **item != NONE) else {
            return false;
        };
        let group = records.groups.get(records.group_of[*item as usize] as usize);
        let has_text = self
            .text
            .is_some_and(|(first, _)| self.page.elements.is_inside(self.page.blocks.element[first], *item));
        !has_text && group.is_some_and(|group| group.items > 2 && group.with_headline * 2 >= group.with_text)
    }

    /// Whether a block is in the header of the page rather than of the article.
    pub(crate) fn in_page_header(&self, block: usize) -> bool {
        let Some(row) = self.page.blocks.element.get(block) else { return false };
        let regions = self.page.elements.regions[*row as usize];
        regions & Region::Header.bit() != 0 && regions & (Region::Article.bit() | Region::Main.bit()) == 0
    }

    /// A block with its inline elements a word apart: templates glue names, roles and dates.
    pub(crate) fn line(&self, block: usize) -> String {
        const MAX_BYTES: usize = 400;
        let (text, nodes) = (self.page.blocks.text(block), self.page.blocks.text_nodes(block));
        if text.len() > MAX_BYTES || nodes.len() < 2 {
            return text.to_owned();
        }
        let mut apart = String::with_capacity(text.len() + nodes.len());
        for node in nodes.iter().filter_map(|id| self.page.dom.node(*id)) {
            crate::text::whitespace::collapse_whitespace(&node.text(), &mut apart, 0, &mut true);
        }
        apart
    }

    /// The dates in a line.
    pub(crate) fn find_dates(&self, text: &str) -> Vec<tamis_dates::Found> {
        tamis_dates::find(
            text,
            &tamis_dates::Hints { reference: self.context.reference_time, ..Default::default() },
        )
    }

    /// Ranges of blocks below headings that announce other stories or comments.
    fn find_other_stories(&self) -> Vec<Range<usize>> {
        let labels = &self.annotations.labels.categories;
        let (mut found, mut open): (Vec<Range<usize>>, Option<(u8, usize)>) = (Vec::new(), None);
        for heading in &self.headings {
            if let Some((_, start)) = open.take_if(|(level, _)| heading.level <= *level) {
                found.push(start..heading.block);
            }
            let is_short = self.page.blocks.counts.get(heading.block).is_some_and(|counts| counts.words <= 8);
            let label = labels.get(heading.block).copied().unwrap_or(0);
            if open.is_none() && heading.level > 1 && is_short && label & ANNOUNCES != 0 {
                open = Some((heading.level, heading.block));
            }
        }
        found.extend(open.map(|(_, start)| start..self.page.blocks.len()));
        found
    }
}

fn headings(page: &Page<'_>) -> Vec<Heading> {
    let elements = &page.elements;
    let level = |name: Name| match name {
        Name::H1 => Some(1),
        Name::H2 => Some(2),
        Name::H3 => Some(3),
        Name::H4 => Some(4),
        Name::H5 | Name::H6 => Some(5),
        _ => None,
    };
    let rows = (0..elements.len() as u32).filter_map(|row| Some((row, level(elements.name[row as usize])?)));
    rows.take(MAX_HEADINGS)
        .map(|(row, level)| Heading { level, row, block: elements.first_block[row as usize] as usize })
        .collect()
}

/// The block of the highest and then nearest heading before the text.
fn headline(headings: &[Heading], first: usize) -> Option<usize> {
    let before = headings.iter().filter(|heading| heading.block <= first + 2 && heading.block + 40 >= first);
    before.min_by_key(|heading| (heading.level, first.abs_diff(heading.block))).map(|heading| heading.block)
}

/// The JSON-LD object that describes the piece: articles before other works before pages, and of those the one whose
/// headline agrees with `<title>`.
fn piece(head: &HeadIndex) -> Option<u32> {
    let title = comparison_key(&head.title);
    let mut best: Option<(i32, u32)> = None;
    for (place, object) in head.graph.own_objects().into_iter().enumerate() {
        let rank = match head.graph.role(object) {
            Some(SchemaRole::Article) => 3,
            Some(SchemaRole::Work) => 2,
            Some(SchemaRole::Page) => 1,
            _ => continue,
        };
        let name = head.graph.text_of(object, "headline").or_else(|| head.graph.text_of(object, "name"));
        let name = name.map(comparison_key).filter(|name| name.chars().count() > 5);
        let agrees = name.is_some_and(|name| title.contains(&name) || name.contains(&title));
        let is_dated = head.graph.get(object, "datePublished").is_some();
        let score = rank * 100 + i32::from(agrees) * 150 + i32::from(is_dated) * 20 - (place as i32).min(50);
        if best.is_none_or(|(other, _)| score > other) {
            best = Some((score, object));
        }
    }
    best.map(|(_, object)| object)
}

/// What the site is called in metadata and by its host.
fn site_names(head: &HeadIndex, address: Option<&Url>) -> SiteNames {
    let mut declared: Vec<String> =
        head.metas(MetaField::SiteName).iter().map(|meta| comparison_key(&meta.content)).collect();
    declared.extend(declared_site(head).map(|name| comparison_key(&name)));
    declared.extend(publisher(head).map(|name| comparison_key(&name)));
    declared.retain(|name| !name.is_empty());
    declared.dedup();
    let handle = head.metas(MetaField::Handle).into_iter().find(|meta| meta.priority > 1);
    let handle = handle.map(|meta| comparison_key(&meta.content)).filter(|name| !name.is_empty());
    let mut names = Vec::new();
    if let Some(address) = address {
        let host = url::host(address);
        let labels = url::host_labels(host);
        names.push(comparison_key(host));
        names.extend(labels.last().map(|name| comparison_key(name)));
        if let [.., before, name] = labels.as_slice() {
            names.push(comparison_key(before));
            names.push(comparison_key(&format!("{before}{name}")));
        }
        names.retain(|name| name.len() >= 2);
    }
    SiteNames { declared, host: names, handle }
}

/// The name of the site or of its publisher in JSON-LD.
pub(crate) fn declared_site(head: &HeadIndex) -> Option<String> {
    let graph = &head.graph;
    let site = graph.find(|object| graph.role(object) == Some(SchemaRole::Site));
    let own = site.and_then(|site| graph.text_of(site, "name")).map(str::to_owned);
    own.or_else(|| publisher(head))
}

fn publisher(head: &HeadIndex) -> Option<String> {
    let graph = &head.graph;
    let work = graph.find(|object| graph.get(object, "publisher").is_some())?;
    graph.names(graph.get(work, "publisher")?).into_iter().next()
}
