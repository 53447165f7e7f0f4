//! Weighing the evidence: which parts of a page are sections of comments.

use std::ops::Range;

use tamis_html::{Name, NodeKind, NodeRef, Step};

use super::layout::{HOLDS_ARTICLES, IS_COMMENT, Layout, MARKED_UP, NAMED, Said};
use super::units::{self, Units};
use super::words::Heads;
use super::{Evidence, Section, Unit};
use crate::page::Page;

/// Words of prose that stand before comments at least: the text they are about.
const TEXT_BEFORE: u32 = 30;
/// Words of prose that a section may hold outside of its comments: a notice on manners, not an article.
const OUTSIDE: u32 = 60;
/// How many times as long as the words that open it a thread is, and how many these are at most.
const LONGER: u32 = 4;
const OPENING: u32 = 150;
/// In how many of its first blocks a section's heading stands.
const HEADING_IN: usize = 3;
/// How many nodes are looked at, for each node of the page: what bounds the cost of sections inside of sections.
const BUDGET: usize = 8;

pub(super) fn sections(page: &Page<'_>, said: Said, headings: Vec<(usize, Heads)>) -> Vec<Section> {
    let layout = Layout::of(page, said, headings);
    let mut search = Search {
        layout: &layout,
        budget: BUDGET * page.dom().len(),
        taken: vec![false; page.blocks().len()],
        found: Vec::new(),
    };
    search.by_element();
    search.by_heading();
    search.found.sort_by_key(|section| section.blocks.start);
    search.found
}

struct Search<'l> {
    layout: &'l Layout<'l>,
    budget: usize,
    /// The blocks of the sections that are found.
    taken: Vec<bool>,
    found: Vec<Section>,
}

impl<'l> Search<'l> {
    /// Elements that say what they are, the outermost first.
    fn by_element(&mut self) {
        let mut steps = self.layout.page.dom().root().walk();
        while let Some(step) = steps.next() {
            let Step::Enter(node) = step else { continue };
            if node.kind() != NodeKind::Element {
                continue;
            }
            let says = self.layout.says[node.id().index()];
            if says & (NAMED | MARKED_UP | IS_COMMENT) == 0 {
                continue;
            }
            let blocks = self.layout.blocks_of(node);
            if !is_page_part(node) && self.judge(node, blocks, says) {
                steps.skip_below();
            }
        }
    }

    /// Headings with a run of posts behind them, where no class says what they are.
    fn by_heading(&mut self) {
        let page = self.layout.page;
        for &(place, heads) in &self.layout.headings {
            let mut node = page.element(&page.blocks()[place]);
            if self.taken[place] || heads != Heads::Comments || node.is(Name::BUTTON) {
                continue;
            }
            // Up to the first element in which something stands behind the heading.
            let mut parent = node.parent();
            while let Some(up) = parent.filter(|up| self.layout.blocks_of(*up).end == place + 1) {
                node = up;
                parent = up.parent();
            }
            let Some(parent) = parent else { continue };
            let level = node.name_id().filter(|name| name.heading_level().is_some());
            let mut looked_at = 0;
            let end = level.and_then(|level| {
                let mut next = node.next_siblings().take(self.budget).inspect(|_| looked_at += 1);
                next.find(|next| next.name_id() == Some(level))
            });
            self.budget -= looked_at;
            let end = end.map_or(self.layout.blocks_of(parent).end, |next| self.layout.blocks_of(next).start);
            if place < end {
                self.judge(parent, place..end, 0);
            }
        }
    }

    /// Weighs what speaks for a section; one that is found is noted.
    fn judge(&mut self, root: NodeRef<'l>, blocks: Range<usize>, says: u8) -> bool {
        let section = self.weigh(root, blocks, says);
        if let Some(section) = section {
            self.taken[section.blocks.clone()].fill(true);
            self.found.push(section);
            return true;
        }
        false
    }

    fn weigh(&mut self, root: NodeRef<'l>, mut blocks: Range<usize>, says: u8) -> Option<Section> {
        let layout = self.layout;
        if blocks.is_empty() || layout.prose_in(0..blocks.start) < TEXT_BEFORE || self.budget == 0 {
            return None;
        }
        self.budget = self.budget.saturating_sub(root.descendants().take(self.budget).count());
        if self.taken[blocks.clone()].contains(&true) {
            return None;
        }
        let mut evidence = Vec::new();
        evidence.extend((says & NAMED != 0).then_some(Evidence::Name));
        evidence.extend((says & (MARKED_UP | IS_COMMENT | HOLDS_ARTICLES) != 0).then_some(Evidence::Markup));
        let near = blocks.start.saturating_sub(2)..(blocks.start + HEADING_IN).min(blocks.end);
        let heading = layout.heading_in(near);
        evidence.extend(heading.map(|_| Evidence::Heading));
        evidence.extend(layout.has_form_near(&blocks).then_some(Evidence::Form));
        let says_the_word = heading.is_some_and(|(_, heads)| heads == Heads::Comments)
            || says & (NAMED | MARKED_UP | IS_COMMENT) != 0;
        if !says_the_word {
            return None;
        }
        let is_headed = heading.is_some_and(|(place, _)| {
            layout.page.element(&layout.page.blocks()[place]).heading_level().is_some()
        });
        let says_it = says != 0 || is_headed;
        let mut units = units::find(layout, root, &blocks);
        if says & IS_COMMENT != 0 && units.elements.is_empty() {
            units.elements.insert(root.id());
            units.are_posts = units::is_signed(layout, root);
        }
        evidence.extend(units.are_posts.then_some(Evidence::Posts));
        let comments = units::bodies(layout, root, &blocks, &units);
        // A name and a heading are the same word twice: the id of a chapter is made of its heading.
        let shows_it = evidence.iter().any(|kind| !matches!(kind, Evidence::Name | Evidence::Heading));
        if evidence.len() < 2 || !shows_it || self.holds_a_text(&blocks, &units, &comments, says_it) {
            return None;
        }
        if self.is_run_of_whole_page(root, &blocks, &units) {
            return None;
        }
        if let Some((heading, _)) = heading.filter(|(heading, _)| !self.taken[*heading]) {
            blocks.start = blocks.start.min(heading);
        }
        Some(Section { root: root.id(), blocks, evidence, comments })
    }

    /// Does it hold more than comments: an article, or a text without a run of posts in it?
    fn holds_a_text(&self, blocks: &Range<usize>, units: &Units, comments: &[Unit], says: bool) -> bool {
        let page = self.layout.page;
        let prose = self.layout.prose_in(blocks.clone());
        let said: u32 = comments
            .iter()
            .flat_map(|unit| &unit.blocks)
            .map(|place| page.blocks()[*place].measures.text.words)
            .sum();
        let outside = prose.saturating_sub(said);
        let before = self.layout.prose_in(0..blocks.start);
        // What is said of a text may well be longer than the text; of a line that opens a thread, it always is.
        let is_longer = if says { said > LONGER * before && before < OPENING } else { said > 2 * before };
        let is_thread = is_longer && !self.follows_an_article(blocks.start, units);
        is_thread || outside > if units.are_posts { OUTSIDE.max(said / 2) } else { OUTSIDE }
    }

    /// Does an `article` stand before the section, which is made of other elements? Then what is said there is said of it,
    /// however long. Where posts are articles themselves, the first may be one of them.
    fn follows_an_article(&self, start: usize, units: &Units) -> bool {
        let page = self.layout.page;
        let are_articles = units.elements.iter().any(|unit| page.node(*unit).is(Name::ARTICLE));
        !are_articles && self.layout.has_article_before(start)
    }

    /// Do the same pieces stand before the section? Then they are the posts of a thread, and the first is the text.
    fn is_run_of_whole_page(&mut self, root: NodeRef<'_>, blocks: &Range<usize>, units: &Units) -> bool {
        let Some(shape) = units.shape else { return false };
        let has_class = |node: NodeRef<'_>| node.attribute_named(Name::CLASS).is_some();
        let mut before = root.dom().descendants().take(self.budget).take_while(|node| *node != root);
        let mut looked_at = 0;
        let is = before.any(|node| {
            looked_at += 1;
            node.is_element()
                && has_class(node)
                && units::shape(node) == shape
                && self.layout.blocks_of(node).end <= blocks.start
                && self.layout.prose_in(self.layout.blocks_of(node)) > 0
                && units::is_signed(self.layout, node)
        });
        self.budget -= looked_at;
        is
    }
}

/// Elements that are never a section, whatever they are called.
fn is_page_part(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::HTML | Name::BODY | Name::MAIN | Name::ASIDE | Name::NAV | Name::A))
}
