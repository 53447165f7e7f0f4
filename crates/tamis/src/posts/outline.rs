//! What every element of a page holds that a post could: blocks, times, names of writers, links to other texts. From one
//! walk over the tree.

use std::ops::Range;

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Step};

use super::classes::{Class, Classes};
use super::times;
use super::words::{PROFILE, TIME, has_word, signer};
use crate::block::{Block, Hidden};
use crate::hashing::NumberSet;
use crate::page::Page;

const NONE: u32 = u32::MAX;
/// A line that tells the time of a post has at most so many words.
const TIME_LINE: u32 = 16;
/// One that names the thread and the writer before it has at most so many.
const SIGNED_LINE: u32 = 48;
/// A name has at most so many words and characters.
const NAME_WORDS: u32 = 4;
const NAME_CHARACTERS: u32 = 40;

/// Blocks with fewer words do not say where the text stands.
const SAYS: u32 = 5;
/// How many signs of a kind are looked at in a piece.
const SIGNS: usize = 8;

/// Signs that have been met up to some place of the page.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Signs {
    /// Elements that are times by name or class.
    pub(super) times: u32,
    /// Elements that name a writer, by their class or by where they lead.
    pub(super) authors: u32,
    /// Links of a few words, or as many in bold.
    pub(super) short_links: u32,
    /// Headings that lead to another page: what stands below is a teaser.
    pub(super) headlines: u32,
}

pub(super) struct Outline<'p> {
    pub(super) page: &'p Page<'p>,
    /// For each element and the root, the blocks in it and the signs before it and behind it.
    start: Vec<(u32, Signs)>,
    end: Vec<(u32, Signs)>,
    /// For each element, what its class says.
    classes: Vec<Class>,
    /// For each element, what it has in common with elements of its kind: its name and class.
    pub(super) shape: Vec<u64>,
    /// For each element, its shape and those of all elements around it.
    pub(super) path: Vec<u64>,
    /// For each text, its block.
    block_of: Vec<u32>,
    /// Before each block: words that may be said by somebody, and lines that tell a time.
    words: Vec<u32>,
    times: Vec<u32>,
    /// Likewise, words of blocks that are more than labels.
    long: Vec<u32>,
    /// For each block, does it stand among the words of others?
    quoted: Vec<bool>,
    /// Boxes in which posts show what they answer, and for each block, does it stand in one? Another post says it.
    parents: NumberSet<NodeId>,
    in_parent: Vec<bool>,
    /// The shape of elements that are called quotes and hold what the posts say themselves.
    no_quote: Option<u64>,
    /// The elements that could be posts, in page order.
    pub(super) elements: Vec<NodeId>,
    /// Those that could only be lines which sign posts.
    pub(super) lines: Vec<NodeId>,
    /// Before which block the first heading of the page stands.
    pub(super) heading: Option<usize>,
    /// Where times, names of writers and short links stand: before which block, and in what.
    times_at: Vec<(u32, u64)>,
    authors_at: Vec<(u32, u64)>,
    links_at: Vec<(u32, u64)>,
}

/// Kinds of signs.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    Time,
    Author,
    Link,
}

impl<'p> Outline<'p> {
    /// With what [`lines_of_times`] says of the page.
    pub(super) fn of(page: &'p Page<'p>, lines_of_times: &[bool]) -> Outline<'p> {
        let nodes = page.dom().len();
        let mut outline = Outline {
            page,
            start: vec![Default::default(); nodes],
            end: vec![Default::default(); nodes],
            classes: vec![Class::default(); nodes],
            shape: vec![0; nodes],
            path: vec![0; nodes],
            block_of: vec![NONE; nodes],
            words: vec![0],
            times: vec![0],
            long: vec![0],
            quoted: vec![false; page.blocks().len()],
            parents: NumberSet::default(),
            in_parent: vec![false; page.blocks().len()],
            no_quote: None,
            elements: Vec::new(),
            lines: Vec::new(),
            heading: None,
            times_at: Vec::new(),
            authors_at: Vec::new(),
            links_at: Vec::new(),
        };
        for (place, block) in page.blocks().iter().enumerate() {
            for run in page.runs(block) {
                outline.block_of[run.node.index()] = place as u32;
            }
        }
        outline.walk();
        outline.sum(lines_of_times);
        outline.sort();
        outline
    }

    /// Counts the words and times of the blocks.
    fn sum(&mut self, lines_of_times: &[bool]) {
        let page = self.page;
        let (mut words, mut times, mut long) = (0_u32, 0_u32, 0_u32);
        for (place, block) in page.blocks().iter().enumerate() {
            let is_own = !self.in_parent[place];
            let tells = is_own && lines_of_times.get(place).copied().unwrap_or_default();
            times += u32::from(tells);
            // What can be chosen in a form is said by nobody.
            let says =
                is_own && is_seen(block) && block.link_share() < 0.5 && !page.element(block).is(Name::OPTION);
            let own = if says && !tells { block.measures.text.words } else { 0 };
            words += own;
            long += if own >= SAYS { own } else { 0 };
            self.long.push(long);
            self.words.push(words);
            self.times.push(times);
        }
    }

    fn walk(&mut self) {
        let page = self.page;
        let (mut seen, mut signs, mut headings, mut beside) = (0_u32, Signs::default(), 0_u32, 0_u32);
        let (mut quotes, mut parents) = (0_u32, 0_u32);
        let mut classes = Classes::default();
        for step in page.dom().root().walk() {
            match step {
                Step::Enter(node) => {
                    let index = node.id().index();
                    self.start[index] = (seen, signs);
                    if let Some(block) = self.block_of(node.id()) {
                        seen = seen.max(block as u32 + 1);
                        self.quoted[block] |= quotes > 0;
                        self.in_parent[block] |= parents > 0;
                    }
                    if !node.is_element() {
                        continue;
                    }
                    headings += u32::from(node.heading_level().is_some());
                    beside += u32::from(is_beside(node));
                    if node.is(Name::H1) && self.heading.is_none() {
                        self.heading = Some(seen as usize);
                    }
                    let (mut class, mut has_title, mut has_remarks) = (None, false, false);
                    for attribute in node.attributes() {
                        match attribute.name_id() {
                            Name::CLASS => class = Some(attribute),
                            Name::TITLE => has_title = true,
                            Name::ID => has_remarks = is_id_of_remarks(&attribute.value()),
                            // NodeBB calls it so.
                            _ if node.is(Name::DIV) && attribute.value() == "post/parent" => {
                                self.parents.insert(node.id());
                                parents += 1;
                            }
                            _ => {}
                        }
                    }
                    // What has nothing in it and tells no time by itself, as pictures and line breaks, can be no sign
                    // and no part of a post: whatever its class says changes nothing.
                    if node.first_child().is_none() && !has_title && !node.is(Name::TIME) {
                        quotes += u32::from(self.is_quote(node));
                        continue;
                    }
                    let mut class = class.map_or(Class::default(), |class| classes.read(&class.value()));
                    if has_remarks {
                        class = class.with_remarks();
                    }
                    self.classes[index] = class;
                    quotes += u32::from(self.is_quote(node));
                    let shape = shape(node, class);
                    self.shape[index] = shape;
                    let parent = node.parent().map(|parent| parent.id().index());
                    let (above, around) =
                        parent.map_or((0, 0), |parent| (self.path[parent], self.shape[parent]));
                    self.path[index] = mix(above, shape);
                    if parents > 0 {
                        continue;
                    }
                    let before = signs;
                    self.count(node, class, headings > 0, &mut signs);
                    let at = (seen, mix(around, shape));
                    if signs.times > before.times {
                        self.times_at.push(at);
                    }
                    if signs.authors > before.authors {
                        self.authors_at.push(at);
                    }
                    if signs.short_links > before.short_links {
                        self.links_at.push(at);
                    }
                }
                // Nobody asks what a text holds.
                Step::Leave(node) if node.kind() == NodeKind::Text => {}
                Step::Leave(node) => {
                    let index = node.id().index();
                    self.end[index] = (seen, signs);
                    if !node.is_element() {
                        continue;
                    }
                    headings -= u32::from(node.heading_level().is_some());
                    beside -= u32::from(is_beside(node));
                    quotes -= u32::from(self.is_quote(node));
                    if parents > 0 {
                        parents -= u32::from(self.is_parent(node));
                        continue;
                    }
                    if self.start[index].0 < seen && beside == 0 {
                        if may_be_post(node) {
                            self.elements.push(node.id());
                        } else if node.heading_level().is_some() || node.is(Name::P) {
                            self.lines.push(node.id());
                        }
                    }
                }
            }
        }
    }

    /// Puts the signs of lines among the others, and all in the order of the page.
    fn sort(&mut self) {
        let page = self.page;
        for (place, block) in page.blocks().iter().enumerate() {
            // When writers joined is no sign of a post: it stands in parts of posts as well.
            if !self.tells_time(place) || times::is_of_writer(page.text(block)) {
                continue;
            }
            let element = page.element(block);
            let around = element.parent().map_or(0, |parent| self.shape[parent.id().index()]);
            let at = (place as u32, mix(around, self.shape[element.id().index()]));
            self.times_at.push(at);
            if signer(page.text(block)).is_some() {
                self.authors_at.push(at);
            }
        }
        self.times_at.sort_unstable();
        self.authors_at.sort_by_key(|(place, _)| *place);
        let (start, end) = (&self.start, &self.end);
        // They were noted as they ended; the outermost of those that begin together comes first.
        self.elements.sort_by_key(|id| (start[id.index()].0, u32::MAX - end[id.index()].0));
        self.lines.sort_by_key(|id| start[id.index()].0);
    }

    fn count(&self, node: NodeRef<'_>, class: Class, in_heading: bool, signs: &mut Signs) {
        let text = self.page.measures(node).text;
        signs.times += u32::from(node.is(Name::TIME) || hidden_time(node, class).is_some());
        let is_short = (1..=NAME_WORDS).contains(&text.words) && text.characters <= NAME_CHARACTERS;
        signs.short_links += u32::from(is_short && (node.is(Name::B) || node.is(Name::STRONG)));
        if node.is(Name::A) {
            let Some(href) = node.attribute_named(Name::HREF) else { return };
            signs.short_links += u32::from(is_short);
            let above = node.parent().map_or(Class::default(), |parent| self.class(parent));
            let heads = in_heading || class.has(Class::TITLE) || above.has(Class::TITLE);
            // Names in scripts without spaces have three words and more.
            let is_name = is_short && (class.has(Class::AUTHOR) || has_word(&href, &PROFILE));
            signs.headlines += u32::from(heads && text.words >= 3 && !href.contains('#') && !is_name);
        }
        // The class alone is enough here, however strongly the attributes say it.
        signs.authors += u32::from(is_short && (class.has(Class::AUTHOR) || names_writer(node, class) > 0));
    }

    /// The block that a text belongs to.
    pub(super) fn block_of(&self, text: NodeId) -> Option<usize> {
        Some(self.block_of[text.index()]).filter(|block| *block != NONE).map(|block| block as usize)
    }

    /// Does a headline that leads elsewhere stand between the end of one element and the beginning of another?
    pub(super) fn has_headline_between(&self, before: NodeId, behind: NodeId) -> bool {
        self.start[behind.index()].1.headlines > self.end[before.index()].1.headlines
    }

    /// The blocks of an element.
    pub(super) fn blocks_of(&self, node: NodeId) -> Range<usize> {
        self.start[node.index()].0 as usize..self.end[node.index()].0 as usize
    }

    /// The signs in an element.
    pub(super) fn signs_of(&self, node: NodeId) -> Signs {
        let (from, to) = (self.start[node.index()].1, self.end[node.index()].1);
        Signs {
            times: to.times - from.times,
            authors: to.authors - from.authors,
            short_links: to.short_links - from.short_links,
            headlines: to.headlines - from.headlines,
        }
    }

    /// In what the first signs of a kind stand among some blocks.
    pub(super) fn signs_in(&self, sign: Sign, blocks: &Range<usize>) -> impl Iterator<Item = u64> + '_ {
        let list = match sign {
            Sign::Time => &self.times_at,
            Sign::Author => &self.authors_at,
            Sign::Link => &self.links_at,
        };
        let from = list.partition_point(|(place, _)| (*place as usize) < blocks.start);
        let end = blocks.end;
        list[from..]
            .iter()
            .take(SIGNS)
            .take_while(move |(place, _)| (*place as usize) < end)
            .map(|(_, at)| *at)
    }

    /// Is there a sign of a kind among some blocks?
    pub(super) fn has_sign(&self, sign: Sign, blocks: &Range<usize>) -> bool {
        self.signs_in(sign, blocks).next().is_some()
    }

    /// Words in some blocks that somebody may have said: not in links, not times.
    pub(super) fn words_in(&self, blocks: Range<usize>) -> u32 {
        self.words[blocks.end] - self.words[blocks.start.min(blocks.end)]
    }

    /// Words of the blocks that are more than labels.
    pub(super) fn long_words_in(&self, blocks: Range<usize>) -> u32 {
        self.long[blocks.end] - self.long[blocks.start.min(blocks.end)]
    }

    /// Lines among some blocks that tell a time.
    pub(super) fn times_in(&self, blocks: Range<usize>) -> u32 {
        self.times[blocks.end] - self.times[blocks.start.min(blocks.end)]
    }

    /// Does a block stand among the words of others?
    pub(super) fn is_quoted(&self, place: usize) -> bool {
        self.quoted.get(place).copied().unwrap_or(false)
    }

    /// Does an element show the post that another answers?
    pub(super) fn is_parent(&self, node: NodeRef<'_>) -> bool {
        !self.parents.is_empty() && self.parents.contains(&node.id())
    }

    /// Does a block stand in one that does?
    pub(super) fn is_in_parent(&self, place: usize) -> bool {
        self.in_parent.get(place).copied().unwrap_or(false)
    }

    /// What the class of an element says.
    pub(super) fn class(&self, node: NodeRef<'_>) -> Class {
        self.classes[node.id().index()]
    }

    /// Does an element hold the words of others?
    pub(super) fn is_quote(&self, node: NodeRef<'_>) -> bool {
        (node.is(Name::BLOCKQUOTE) || self.class(node).has(Class::QUOTE))
            && self.no_quote.is_none_or(|shape| shape != self.shape[node.id().index()])
    }

    /// From now on elements of this shape are no quotes.
    pub(super) fn unquote(&mut self, shape: u64) {
        self.no_quote = Some(shape);
        self.quoted.fill(false);
        let mut quotes = 0_u32;
        for step in self.page.dom().root().walk() {
            match step {
                Step::Enter(node) if node.is_element() => quotes += u32::from(self.is_quote(node)),
                Step::Enter(node) if quotes > 0 => {
                    if let Some(block) = self.block_of(node.id()) {
                        self.quoted[block] = true;
                    }
                }
                Step::Leave(node) if node.is_element() => quotes -= u32::from(self.is_quote(node)),
                _ => {}
            }
        }
    }

    /// Does a block tell a time?
    pub(super) fn tells_time(&self, place: usize) -> bool {
        self.times_in(place..place + 1) > 0
    }
}

/// For each block, is it a line that tells a time?
pub(super) fn lines_of_times(page: &Page<'_>) -> Vec<bool> {
    let tells = |block: &Block| {
        let words = block.measures.text.words;
        if !is_seen(block) || words > SIGNED_LINE {
            return false;
        }
        let text = page.text(block);
        // A line may name the thread as well, and then the writer and the time.
        if words > TIME_LINE {
            times::ends_with_clock(text) && signer(text).is_some()
        } else {
            times::tells(text) && !times::is_of_thing(text)
        }
    };
    page.blocks().iter().map(tells).collect()
}

/// Is a block seen? Some forums put whole threads into `noscript`.
pub(super) fn is_seen(block: &Block) -> bool {
    matches!(block.hidden, None | Some(Hidden::Noscript))
}

/// The time in the `title` of an element that a script writes it into, or that says "4 days ago" itself.
pub(super) fn hidden_time(node: NodeRef<'_>, class: Class) -> Option<String> {
    time_in_title(node, || class.has(Class::TIME))
}

/// Beside times and abbreviations, a title that is nothing but a time is one.
fn time_in_title(node: NodeRef<'_>, has_class: impl Fn() -> bool) -> Option<String> {
    let title = node.attribute_named(Name::TITLE)?;
    let is_time = || (node.is(Name::SPAN) && times::is_whole(&title)) || node.is(Name::ABBR) || has_class();
    if is_time() { times::read_numbers(&title) } else { None }
}

/// Is an element one that an outline counts as a time? For those who have no outline.
pub(crate) fn is_time(node: NodeRef<'_>) -> bool {
    let has_class = || node.attribute_named(Name::CLASS).is_some_and(|class| has_word(&class, &TIME));
    node.is(Name::TIME) || time_in_title(node, has_class).is_some()
}

/// How strongly an element says that it names a writer, from 0 to 4.
pub(super) fn names_writer(node: NodeRef<'_>, class: Class) -> u8 {
    let mut says = if class.has(Class::AUTHOR) { 3 } else { u8::from(node.is(Name::CITE)) * 2 };
    // One look at all of them: this is asked of every short element.
    for attribute in node.attributes() {
        let has = |word: &str| attribute.value().split_ascii_whitespace().any(|it| it == word);
        match attribute.name_id() {
            Name::ITEMPROP if has("author") || has("creator") => return 4,
            Name::REL if has("author") => return 4,
            Name::HREF if says < 3 && node.is(Name::A) && has_word(&attribute.value(), &PROFILE) => says = 3,
            _ => {}
        }
    }
    says
}

/// `comment_158`: Discuz names so what holds the remarks on post 158.
fn is_id_of_remarks(id: &str) -> bool {
    let number = id.strip_prefix("comment_").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parts of a page beside its text.
fn is_beside(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::ASIDE | Name::NAV | Name::FOOTER))
}

/// Elements that hold a post are boxes, not lines.
fn may_be_post(node: NodeRef<'_>) -> bool {
    node.heading_level().is_none()
        && !matches!(
            node.name_id(),
            Some(
                Name::HTML
                    | Name::HEAD
                    | Name::BODY
                    | Name::A
                    | Name::P
                    | Name::SPAN
                    | Name::B
                    | Name::I
                    | Name::EM
                    | Name::STRONG
                    | Name::FONT
                    | Name::BLOCKQUOTE
                    | Name::TIME
                    | Name::LABEL
                    | Name::BUTTON
                    | Name::OPTION
                    | Name::SELECT
            )
        )
}

/// Name and class, without what differs from post to post: numbers, and words for odd and even.
fn shape(node: NodeRef<'_>, class: Class) -> u64 {
    node.name().unwrap_or_default().bytes().fold(class.shape, |hash, byte| mix(hash, u64::from(byte)))
}

/// A number for one thing inside another.
pub(crate) fn mix(above: u64, below: u64) -> u64 {
    (above.rotate_left(5) ^ below).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1
}
