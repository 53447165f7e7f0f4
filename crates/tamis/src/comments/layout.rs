//! Which blocks stand in which element, and what the page says of comments, from one walk over the tree.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Step};

use super::first_look::FirstLook;
use super::thread::is_mark_of_shop;
use super::words::{Heads, heads, names_comments};
use crate::block::Block;
use crate::hashing::NumberMap;
use crate::page::Page;
use crate::posts;

const NONE: u32 = u32::MAX;

/// What an element says of itself, as bits.
pub(super) const NAMED: u8 = 1;
pub(super) const MARKED_UP: u8 = 2;
/// It holds articles and stands in one.
pub(super) const HOLDS_ARTICLES: u8 = 4;
/// It is one comment, by its markup.
pub(super) const IS_COMMENT: u8 = 8;

pub(super) struct Layout<'p> {
    pub(super) page: &'p Page<'p>,
    /// For each node, the blocks in it.
    start: Vec<u32>,
    end: Vec<u32>,
    /// For each node, what it says of itself.
    pub(super) says: Vec<u8>,
    /// For each text, its block.
    block_of: Vec<u32>,
    /// The blocks that head comments, and how.
    pub(super) headings: Vec<(usize, Heads)>,
    /// How many words of prose stand before each block.
    prose: Vec<u32>,
    /// Before which blocks there is a form to write into.
    forms: Vec<usize>,
    /// The blocks of each `article` that stands in no other.
    articles: Vec<Range<usize>>,
}

/// Words of a block that has more of them than a label.
const PROSE: u32 = 8;
/// A heading is shorter.
const HEADING: u32 = 40;

/// What a page says of comments in the attributes of its elements.
pub(super) struct Said {
    elements: Vec<(NodeId, u8)>,
    pub(super) marks: Marks,
}

/// What the elements say of the page as a whole. Posts are known by some of it: all elements are asked once for both.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    /// By schema.org's types, there are posts of a forum.
    posts: bool,
    /// Likewise, questions or answers, and a page of them that are asked often: that is no thread.
    questions: bool,
    often_asked: bool,
    /// Likewise, something that is sold.
    pub(super) goods: bool,
    /// The head of the page or its body says that something is sold.
    pub(super) shop: bool,
    /// A class or an id is one that only threads have.
    pub(super) names_thread: bool,
    /// How many elements are times, by name or by class.
    pub(super) times: u32,
}

impl Marks {
    fn read(&mut self, kind: &str) {
        self.posts |= kind.ends_with("DiscussionForumPosting");
        self.questions |= ["QAPage", "Question", "Answer"].iter().any(|end| kind.ends_with(end));
        self.often_asked |= kind.ends_with("FAQPage");
        self.goods |= kind.ends_with("/Product");
    }

    /// Are there posts of a forum, questions or answers?
    pub(super) fn thread(self) -> bool {
        self.posts || self.questions()
    }

    /// Is somebody asked something here?
    pub(super) fn questions(self) -> bool {
        self.questions && !self.often_asked
    }
}

impl Said {
    pub(super) fn of(page: &Page<'_>) -> Said {
        let (mut marks, mut names) = (Marks::default(), Names::default());
        let elements = page.in_order().list.iter().map(|entry| page.node(entry.id));
        let elements = elements
            .map(|node| (node.id(), says(node, &mut marks, &mut names)))
            .filter(|(_, says)| *says != 0)
            .collect();
        Said { elements, marks }
    }
}

/// The blocks that head comments, and how.
///
/// A row of buttons below each post of a thread has the word as well. What is said again and again, or is several links in a
/// row, heads nothing.
pub(super) fn headings(page: &Page<'_>) -> Vec<(usize, Heads)> {
    let short = page.blocks().iter().enumerate().filter(|(_, block)| block.measures.text.words < HEADING);
    let mut found: Vec<(usize, Heads)> =
        short.filter_map(|(place, block)| Some((place, heads(page.text(block))?))).collect();
    let mut times: NumberMap<u64, u32> = NumberMap::default();
    for (place, _) in &found {
        *times.entry(said_at(page, *place)).or_default() += 1;
    }
    found.retain(|(place, _)| {
        let block = &page.blocks()[*place];
        page.element(block).heading_level().is_some()
            || !(is_row_of_links(block)
                || times.get(&said_at(page, *place)).is_some_and(|times| *times >= ROWS))
    });
    found
}

/// So many times the same words stand in rows of buttons at least. A page says them once above its text and once above its
/// comments.
const ROWS: u32 = 3;

/// What a block says, but for counts: "Comment (3)" and "Comment (0)" are the same button.
fn said_at(page: &Page<'_>, place: usize) -> u64 {
    let letters = page.text(&page.blocks()[place]).bytes().filter(|byte| !byte.is_ascii_digit());
    letters.fold(0, |said, byte| posts::mix(said, u64::from(byte)))
}

fn is_row_of_links(block: &Block) -> bool {
    block.measures.links > 1 && block.link_share() > 0.9
}

/// May there be sections at all? One is found by an element that says so, or by a heading that speaks of comments.
pub(super) fn may_have_sections(said: &Said, headings: &[(usize, Heads)]) -> bool {
    !said.elements.is_empty() || headings.iter().any(|(_, heads)| *heads == Heads::Comments)
}

impl<'p> Layout<'p> {
    pub(super) fn of(page: &'p Page<'p>, said: Said, headings: Vec<(usize, Heads)>) -> Layout<'p> {
        let nodes = page.dom().len();
        let mut layout = Layout {
            page,
            start: vec![0; nodes],
            end: vec![0; nodes],
            says: vec![0; nodes],
            block_of: vec![NONE; nodes],
            headings,
            prose: vec![0],
            forms: Vec::new(),
            articles: Vec::new(),
        };
        for (node, says) in said.elements {
            layout.says[node.index()] = says;
        }
        let mut words = 0;
        for (place, block) in page.blocks().iter().enumerate() {
            for run in page.runs(block) {
                layout.block_of[run.node.index()] = place as u32;
            }
            let text = block.measures.text;
            if block.hidden.is_none() && text.words >= PROSE && block.link_share() < 0.5 {
                words += text.words;
            }
            layout.prose.push(words);
        }
        layout.walk();
        layout
    }

    fn walk(&mut self) {
        let page = self.page;
        let (mut seen, mut articles) = (0, 0_u32);
        for step in page.dom().root().walk() {
            match step {
                Step::Enter(node) => {
                    let index = node.id().index();
                    self.start[index] = seen;
                    if let Some(block) = self.block_of(node.id()) {
                        seen = seen.max(block as u32 + 1);
                    }
                    if node.kind() == NodeKind::Element {
                        if node.is(Name::TEXTAREA) {
                            self.forms.push(seen as usize);
                        }
                        let says = self.says[index];
                        if let Some(parent) = node.parent() {
                            let parent = &mut self.says[parent.id().index()];
                            *parent |= if says & IS_COMMENT != 0 { MARKED_UP } else { 0 };
                            *parent |=
                                if articles > 0 && node.is(Name::ARTICLE) { HOLDS_ARTICLES } else { 0 };
                        }
                        articles += u32::from(node.is(Name::ARTICLE));
                    }
                }
                Step::Leave(node) => {
                    self.end[node.id().index()] = seen;
                    if node.is(Name::ARTICLE) {
                        articles -= 1;
                        if articles == 0 {
                            let blocks = self.blocks_of(node);
                            self.articles.push(blocks);
                        }
                    }
                }
            }
        }
    }

    /// The block that a text belongs to.
    pub(super) fn block_of(&self, text: NodeId) -> Option<usize> {
        Some(self.block_of[text.index()]).filter(|block| *block != NONE).map(|block| block as usize)
    }

    /// The blocks of an element.
    pub(super) fn blocks_of(&self, node: NodeRef<'_>) -> Range<usize> {
        let index = node.id().index();
        self.start[index] as usize..self.end[index] as usize
    }

    /// Words of prose in some blocks.
    pub(super) fn prose_in(&self, blocks: Range<usize>) -> u32 {
        self.prose[blocks.end] - self.prose[blocks.start]
    }

    /// Does an `article` end before this block that holds at least half of the prose up to there?
    pub(super) fn has_article_before(&self, place: usize) -> bool {
        let before = self.articles.partition_point(|blocks| blocks.end <= place);
        let prose = self.articles[..before].iter().map(|blocks| self.prose_in(blocks.clone())).max();
        prose.is_some_and(|prose| 2 * prose >= self.prose_in(0..place))
    }

    /// Is there a form to write into among these blocks or near them?
    pub(super) fn has_form_near(&self, blocks: &Range<usize>) -> bool {
        let near = blocks.start.saturating_sub(2)..=blocks.end + 6;
        let from = self.forms.partition_point(|place| place < near.start());
        self.forms.get(from).is_some_and(|place| near.contains(place))
    }

    /// The first heading of comments among these blocks.
    pub(super) fn heading_in(&self, blocks: Range<usize>) -> Option<(usize, Heads)> {
        let from = self.headings.partition_point(|(place, _)| *place < blocks.start);
        self.headings.get(from).copied().filter(|(place, _)| *place < blocks.end)
    }
}

/// What a class or an id names.
#[derive(Clone, Copy)]
struct Named {
    comments: bool,
    thread: bool,
}

/// The classes and ids that were met and had a second look: pieces of one kind have the same ones.
#[derive(Default)]
struct Names(NumberMap<u64, Named>);

impl Names {
    /// What a class or an id names; nothing where the first look finds nothing.
    #[inline]
    fn of(&mut self, value: &str) -> Option<Named> {
        let look = FirstLook::at(value);
        if !look.may_name_comments() && !look.may_name_thread() {
            return None;
        }
        let may_name_comments = |name: &&str| FirstLook::at(name).may_name_comments();
        let key = xxhash_rust::xxh3::xxh3_64(value.as_bytes());
        Some(*self.0.entry(key).or_insert_with(|| Named {
            comments: look.may_name_comments()
                && value.split_ascii_whitespace().filter(may_name_comments).any(names_comments),
            thread: look.may_name_thread() && posts::names_thread(value),
        }))
    }
}

/// What an element says of itself; what it says of the page goes to the marks.
fn says(node: NodeRef<'_>, marks: &mut Marks, names: &mut Names) -> u8 {
    let mut says = 0;
    let mut has_title = false;
    for attribute in node.attributes() {
        match attribute.name_id() {
            Name::CLASS | Name::ID => {
                if let Some(named) = names.of(&attribute.value()) {
                    says |= if named.comments { NAMED } else { 0 };
                    marks.names_thread |= named.thread;
                }
            }
            Name::ITEMTYPE => {
                let value = attribute.value();
                marks.read(value.trim());
                let kind = value.trim().rsplit('/').next().unwrap_or("");
                says |= if matches!(kind, "Comment" | "UserComments") { IS_COMMENT } else { 0 };
            }
            Name::ITEMPROP => {
                let is = attribute.value().split_ascii_whitespace().any(|name| name == "comment");
                says |= if is { IS_COMMENT } else { 0 };
            }
            Name::ROLE => {
                says |= if attribute.value().eq_ignore_ascii_case("comment") { IS_COMMENT } else { 0 };
            }
            Name::TITLE => has_title = true,
            _ => {}
        }
    }
    // An element that is no `time` tells one in its title or not at all.
    let name = node.name_id();
    if has_title || name == Some(Name::TIME) {
        marks.times += u32::from(posts::is_time(node));
    }
    if matches!(name, Some(Name::META | Name::BODY)) {
        marks.shop = marks.shop || is_mark_of_shop(node);
    }
    says
}
