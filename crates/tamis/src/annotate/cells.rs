//! Cells: the runs of text in a page's lines, with the attributes that say what a run is.
//!
//! A block may hold several facts, such as the writer and the time of a post. A cell is one text node; cells with the
//! same tags and classes around them form a column, wherever on the page they are.

use std::ops::Range;

use tamis_dates::looks_like_date;
use tamis_html::{Name, NodeId, NodeRef};

use crate::page::{Marking, Page, Region};
use crate::text::hash::{self, Interner, hash_combine};
use crate::text::lexicon::{
    CLASS_AUTHOR, CLASS_DATE, REGION_TOKENS, TOKEN_CONTROL, TOKEN_PROFILE, TOKEN_QUOTE, TOKEN_SIGNATURE,
    TOKEN_STATE, TOKEN_WRITER,
};
use crate::text::whitespace::collapse_whitespace;

/// What is known of a cell or a row, as bits.
pub(crate) mod mark {
    pub(crate) const LINK: u32 = 1;
    pub(crate) const PROFILE_LINK: u32 = 1 << 1;
    pub(crate) const TIME: u32 = 1 << 2;
    pub(crate) const WRITER_CLASS: u32 = 1 << 3;
    pub(crate) const DATE_CLASS: u32 = 1 << 4;
    pub(crate) const AUTHOR_PROPERTY: u32 = 1 << 5;
    pub(crate) const DATE_PROPERTY: u32 = 1 << 6;
    pub(crate) const EMPHASIS: u32 = 1 << 7;
    pub(crate) const HEADING: u32 = 1 << 8;
    pub(crate) const DATE: u32 = 1 << 9;
    pub(crate) const QUOTE: u32 = 1 << 10;
    pub(crate) const SIGNATURE: u32 = 1 << 11;
    pub(crate) const CONTROL: u32 = 1 << 12;
}

/// Only the first text nodes of a block become cells.
const MAX_CELLS_PER_BLOCK: usize = 12;
/// The same limit for a block of prose.
const MAX_CELLS_PER_PROSE_BLOCK: usize = 3;
/// Blocks with more words are prose.
const MAX_LABEL_WORDS: u32 = 40;
/// Longer texts are no dates.
const MAX_DATE_BYTES: usize = 200;
/// Longer addresses have nothing to say.
const MAX_ADDRESS_BYTES: usize = 300;

/// A run of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The block it is in.
    pub(crate) block: u32,
    /// Its column.
    pub(crate) column: u32,
    /// Bits of [`mark`].
    pub(crate) marks: u32,
    /// The enclosing link.
    pub(crate) link: Option<NodeId>,
    /// The element with the time in an attribute.
    pub(crate) time: Option<NodeId>,
    /// The number of its text: cells that say the same share one.
    pub(crate) text: u32,
}

/// Attributes with times.
const TIME_ATTRIBUTES: [&str; 6] =
    ["datetime", "title", "data-time", "data-timestamp", "data-date", "data-utc"];

/// What reading the cells of a page shares.
struct Reader {
    /// By class.
    shapes: Vec<(u64, u32)>,
    /// Of [`TIME_ATTRIBUTES`].
    time_names: [Option<Name>; 6],
    /// By node: whether attributes may say what it is.
    is_marked: Vec<bool>,
    columns: Interner,
    texts: Interner,
}

/// Cells in document order.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// The cells.
    pub(crate) all: Vec<Cell>,
    /// Number of columns.
    pub(crate) columns: usize,
    /// Per row: hash of the tags and classes on the path from the nearest ancestor with a class.
    pub(crate) row_key: Vec<u64>,
    /// Per row: bits of [`mark`], inherited.
    pub(crate) row_marks: Vec<u32>,
    /// Rows that schema.org declares posts, answers or comments.
    pub(crate) declared: Vec<u32>,
    /// Index of the first cell of each block, plus a final entry.
    first: Vec<u32>,
    /// The distinct texts: where they end in `text`, and whether they look like dates.
    texts: Vec<(u32, bool)>,
    text: String,
}

impl Cells {
    /// Reads the cells of a page.
    pub(crate) fn new(page: &Page<'_>) -> Cells {
        let mut cells = Cells::default();
        let mut reader = Reader {
            shapes: shapes(page),
            time_names: TIME_ATTRIBUTES.map(|name| page.dom.name_of(name)),
            is_marked: is_marked(page),
            columns: Interner::default(),
            texts: Interner::default(),
        };
        cells.read_rows(page, &reader);
        for block in 0..page.blocks.len() {
            if block % 1024 == 0 && page.deadline_exceeded() {
                break;
            }
            cells.first.push(cells.all.len() as u32);
            let is_prose = page.blocks.counts[block].words > MAX_LABEL_WORDS;
            let limit = if is_prose { MAX_CELLS_PER_PROSE_BLOCK } else { MAX_CELLS_PER_BLOCK };
            for node in page.blocks.text_nodes(block).iter().take(limit) {
                cells.add(page, block, *node, &mut reader);
            }
        }
        cells.first.resize(page.blocks.len() + 1, cells.all.len() as u32);
        cells
    }

    /// The text of a cell, whitespace collapsed.
    pub(crate) fn text(&self, cell: &Cell) -> &str {
        let end = |text: usize| self.texts[text].0 as usize;
        let start = (cell.text as usize).checked_sub(1).map_or(0, end);
        &self.text[start..end(cell.text as usize)]
    }

    /// The number of distinct texts.
    pub(crate) fn distinct_texts(&self) -> usize {
        self.texts.len()
    }

    /// The cells of blocks `from..to`.
    pub(crate) fn of_blocks(&self, from: usize, to: usize) -> &[Cell] {
        &self.all[self.range_of_blocks(from, to)]
    }

    /// The places of these cells.
    pub(crate) fn range_of_blocks(&self, from: usize, to: usize) -> Range<usize> {
        self.first[from] as usize..self.first[to] as usize
    }

    /// The address a cell links to.
    pub(crate) fn address(page: &Page<'_>, cell: &Cell) -> Option<String> {
        let link = page.dom.node(cell.link?)?;
        link.attribute_named(Name::HREF).map(|address| address.trim().to_owned())
    }

    /// The time in an attribute around a cell.
    pub(crate) fn time_value(page: &Page<'_>, cell: &Cell) -> Option<String> {
        let node = page.dom.node(cell.time?)?;
        let mut best = None;
        for attribute in node.attributes().filter(|attribute| TIME_ATTRIBUTES.contains(&attribute.name())) {
            let value = attribute.value();
            if value.bytes().any(|byte| byte.is_ascii_digit()) {
                best = Some(value.trim().to_owned());
                if attribute.name_id() == Name::DATETIME {
                    break;
                }
            }
        }
        best
    }

    fn read_rows(&mut self, page: &Page<'_>, reader: &Reader) {
        let elements = &page.elements;
        let mut path: Vec<u64> = Vec::with_capacity(elements.len());
        for row in 0..elements.len() {
            if row % 4096 == 0 && page.deadline_exceeded() {
                self.row_key.resize(elements.len(), 0);
                self.row_marks.resize(elements.len(), 0);
                return;
            }
            let parent = elements.parent[row];
            let inherited = self.row_marks.get(parent as usize).copied().unwrap_or(0);
            let [class, id] = elements.class[row].map(|class| reader.shapes[class as usize]);
            let shape = if class.0 != 0 { class.0 } else { id.0 };
            let own = hash_combine(hash::hash_of(elements.name[row]), shape);
            // The path from the nearest ancestor with a class, so that it is the same in nested replies.
            let above = path.get(parent as usize).copied().unwrap_or(0);
            self.row_key.push(hash_combine(above, own));
            path.push(if shape != 0 { own } else { hash_combine(above, own) });
            let mut marks =
                inherited & (mark::QUOTE | mark::SIGNATURE | mark::CONTROL | mark::AUTHOR_PROPERTY);
            marks |= marks_of_tokens(class.1 | id.1);
            let regions = elements.regions[row];
            if regions & Region::Quote.bit() != 0 {
                marks |= mark::QUOTE;
            }
            if regions & Region::Control.bit() != 0 {
                marks |= mark::CONTROL;
            }
            if regions & Region::Heading.bit() != 0 {
                marks |= mark::HEADING;
            }
            if reader.is_marked[elements.node[row].index()]
                && let Some(node) = page.dom.node(elements.node[row])
            {
                let (more, is_declared) = property_marks(node);
                marks |= more;
                if is_declared {
                    self.declared.push(row as u32);
                }
            }
            self.row_marks.push(marks);
        }
    }

    fn add(&mut self, page: &Page<'_>, block: usize, node: NodeId, reader: &mut Reader) {
        let Some(text_node) = page.dom.node(node) else { return };
        let row = page.blocks.element[block] as usize;
        let row_node = page.elements.node[row];
        let mut marks = self.row_marks[row];
        let (mut key, mut inner, mut link, mut time) = (0, 0, None, None);
        let mut around = text_node.parent();
        while let Some(element) = around {
            let is_row = element.id() == row_node;
            let name = element.name_id().unwrap_or(Name::DIV);
            let mut shape = 0;
            for attribute in element.attributes() {
                match attribute.name_id() {
                    // That of the row is among its marks.
                    Name::CLASS if !is_row => {
                        let class = page.classes.get(&attribute.value());
                        let (own, tokens) = class.map_or((0, 0), |class| reader.shapes[class as usize]);
                        shape = own;
                        marks |= marks_of_tokens(tokens);
                    }
                    Name::HREF if name == Name::A => {
                        let address = attribute.value();
                        if address.starts_with("mailto:") {
                            continue;
                        }
                        link = link.or(Some(element.id()));
                        marks |= mark::LINK;
                        if address.len() <= MAX_ADDRESS_BYTES
                            && REGION_TOKENS.bits(&address) & TOKEN_PROFILE != 0
                        {
                            marks |= mark::PROFILE_LINK;
                        }
                    }
                    other if time.is_none() && reader.time_names.contains(&Some(other)) => {
                        let value = attribute.value();
                        if name == Name::TIME || (value.len() <= MAX_DATE_BYTES && looks_like_date(&value)) {
                            time = Some(element.id());
                        }
                    }
                    _ => {}
                }
            }
            if is_row {
                break;
            }
            if reader.is_marked[element.id().index()] {
                marks |= property_marks(element).0;
            }
            match name {
                Name::B | Name::STRONG | Name::EM | Name::I | Name::CITE => marks |= mark::EMPHASIS,
                Name::TIME => marks |= mark::TIME,
                Name::BUTTON | Name::LABEL => marks |= mark::CONTROL,
                _ => {}
            }
            // Unclosed formatting elements pile up around later text: count each once.
            let own = hash_combine(hash::hash_of(name), shape);
            if own != inner {
                key = hash_combine(key, own);
                inner = own;
            }
            around = element.parent();
        }
        if time.is_some() {
            marks |= mark::TIME;
        }
        let start = self.text.len();
        match page.blocks.text_nodes(block) {
            [_] => self.text.push_str(page.blocks.text(block)),
            _ => collapse_whitespace(&text_node.text(), &mut self.text, start, &mut false),
        }
        let own = &self.text[start..];
        let (text, is_new) = reader.texts.intern(hash::hash_text(own));
        if is_new {
            let is_date = own.len() <= MAX_DATE_BYTES && looks_like_date(own);
            self.texts.push((self.text.len() as u32, is_date));
        } else {
            self.text.truncate(start);
        }
        if self.texts[text as usize].1 {
            marks |= mark::DATE;
        }
        let (column, is_new) = reader.columns.intern(hash_combine(self.row_key[row], key));
        self.columns += usize::from(is_new);
        self.all.push(Cell { block: block as u32, column, marks, link, time, text });
    }
}

/// Per node: whether it has attributes that metadata is read from.
fn is_marked(page: &Page<'_>) -> Vec<bool> {
    let mut is_marked = vec![false; page.dom.len()];
    for (node, _) in page.head.marked.iter().filter(|(_, marking)| matches!(marking, Marking::Attributes)) {
        is_marked[node.index()] = true;
    }
    is_marked
}

/// Per class value: a hash of its first token that names more than a state, and its region tokens.
fn shapes(page: &Page<'_>) -> Vec<(u64, u32)> {
    let classes = &page.classes;
    classes.entries.iter().enumerate().map(|(id, class)| shape(classes.text(id), class.concepts)).collect()
}

fn shape(value: &str, concepts: u32) -> (u64, u32) {
    let mut tokens = REGION_TOKENS.bits(value);
    let mut first = value.split_ascii_whitespace().next();
    if tokens & TOKEN_STATE != 0 {
        // `odd`, `has-avatar`: how it is, not what it is.
        let kinds =
            || value.split_ascii_whitespace().filter(|token| REGION_TOKENS.bits(token) & TOKEN_STATE == 0);
        first = kinds().next();
        tokens = kinds().fold(0, |bits, token| bits | REGION_TOKENS.bits(token));
    }
    if concepts & CLASS_AUTHOR != 0 {
        tokens |= TOKEN_WRITER;
    }
    if concepts & CLASS_DATE != 0 {
        tokens |= DATE_TOKEN;
    }
    let letters = first.unwrap_or_default().bytes().filter(|byte| !byte.is_ascii_digit());
    (letters.fold(0, |hash, byte| hash_combine(hash, u64::from(byte))), tokens)
}

/// Set beside the region tokens where the class is one of dates.
const DATE_TOKEN: u32 = 1 << 31;

fn marks_of_tokens(tokens: u32) -> u32 {
    let bit = |token: u32, mark: u32| if tokens & token != 0 { mark } else { 0 };
    bit(TOKEN_WRITER, mark::WRITER_CLASS)
        | bit(DATE_TOKEN, mark::DATE_CLASS)
        | bit(TOKEN_QUOTE, mark::QUOTE)
        | bit(TOKEN_SIGNATURE, mark::SIGNATURE)
        | bit(TOKEN_CONTROL, mark::CONTROL)
}

/// The marks of schema.org properties and `rel`, and whether the element is declared a post.
fn property_marks(node: NodeRef<'_>) -> (u32, bool) {
    let (mut marks, mut is_declared) = (0, false);
    for attribute in node.attributes() {
        match attribute.name_id() {
            Name::ITEMPROP => match &*attribute.value() {
                "author" | "creator" => marks |= mark::AUTHOR_PROPERTY,
                "datePublished" | "dateCreated" | "dateModified" | "commentTime" => {
                    marks |= mark::DATE_PROPERTY
                }
                "comment" | "suggestedAnswer" | "acceptedAnswer" => is_declared = true,
                _ => {}
            },
            Name::ITEMTYPE => {
                let kinds = ["/Comment", "/UserComments", "/DiscussionForumPosting", "/Answer", "/Question"];
                is_declared |= kinds.iter().any(|kind| attribute.value().ends_with(kind));
            }
            Name::REL if &*attribute.value() == "author" => marks |= mark::AUTHOR_PROPERTY,
            _ => {}
        }
    }
    (marks, is_declared)
}
