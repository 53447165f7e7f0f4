//! Whether lists, quotes and tables carry meaning or only lay out the page. Decided from the tables, before composing.

use tamis_html::Name;

use crate::page::{NONE, Page};

/// Prefix sums over the kept blocks.
pub(super) struct KeptSums {
    blocks: Vec<u32>,
    characters: Vec<u32>,
}

impl KeptSums {
    pub(super) fn new(page: &Page<'_>, kept: &[bool]) -> KeptSums {
        let room = page.blocks.len() + 1;
        let (mut blocks, mut characters) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let (mut count, mut length) = (0, 0);
        blocks.push(0);
        characters.push(0);
        for (block, counts) in page.blocks.counts.iter().enumerate() {
            if kept.get(block) == Some(&true) {
                count += 1;
                length += counts.characters;
            }
            blocks.push(count);
            characters.push(length);
        }
        KeptSums { blocks, characters }
    }

    /// Kept blocks and their characters in an element.
    pub(super) fn of(&self, page: &Page<'_>, row: u32) -> (u32, u32) {
        let (from, to) = page.elements.blocks(row);
        (self.blocks[to] - self.blocks[from], self.characters[to] - self.characters[from])
    }

    pub(super) fn holds(&self, page: &Page<'_>, row: u32) -> bool {
        self.of(page, row).0 > 0
    }

    pub(super) fn total_characters(&self) -> u32 {
        self.characters.last().copied().unwrap_or(0)
    }
}

/// A cell holds data while it is short; longer ones are prose that the table lays out.
const MAX_CELL: (u32, u32) = (3, 300);
/// The same for tables with headers or a caption. Bounded as well: forums put whole posts beside `th`.
const MAX_DECLARED_CELL: (u32, u32) = (12, 1500);
/// The same for items of a list.
const MAX_ITEM: (u32, u32) = (8, 1500);
/// Characters of an item, on average, from which a list that is the whole page is layout.
const MAX_LINE_ITEM: u32 = 400;
/// A quotation with more characters than this, and with more than half of the text, is indentation.
const MAX_QUOTE: u32 = 600;

fn is_heading(name: Name) -> bool {
    matches!(name, Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6)
}

/// Whether a table holds data.
pub(super) fn is_data_table(page: &Page<'_>, table: u32, kept: &KeptSums) -> bool {
    let elements = &page.elements;
    let node = page.dom.node(elements.node[table as usize]);
    let role = node.and_then(|node| node.attribute_named(Name::ROLE)).unwrap_or_default();
    if matches!(role.trim(), "presentation" | "none") {
        return false;
    }
    let (mut wide_rows, mut filled_cells) = (0, 0);
    let (mut is_declared, mut has_sections) = (false, false);
    let mut longest = (0, 0);
    for row in table + 1..elements.end[table as usize] {
        match elements.name[row as usize] {
            Name::TR => filled_cells = 0,
            Name::TABLE if kept.holds(page, row) => return false,
            name @ (Name::TD | Name::TH | Name::CAPTION) => {
                let (blocks, characters) = kept.of(page, row);
                if blocks == 0 {
                    continue;
                }
                is_declared |= name != Name::TD;
                if name != Name::CAPTION {
                    filled_cells += 1;
                    wide_rows += u32::from(filled_cells == 2);
                    longest = (longest.0.max(blocks), longest.1.max(characters));
                }
            }
            name if is_heading(name) || name == Name::PRE => has_sections |= kept.holds(page, row),
            _ => {}
        }
    }
    let most = if is_declared { MAX_DECLARED_CELL } else { MAX_CELL };
    wide_rows > u32::from(!is_declared)
        && longest.0 <= most.0
        && longest.1 <= most.1
        && (is_declared || !has_sections)
}

/// Whether a list only lays out the page: its items are sections or posts.
pub(super) fn is_layout_list(page: &Page<'_>, list: u32, kept: &KeptSums) -> bool {
    let elements = &page.elements;
    let end = elements.end[list as usize];
    let mut row = list + 1;
    let (mut blocks, mut characters) = (0, 0);
    let (mut items, all) = (0, kept.of(page, list).1);
    while row < end {
        match elements.name[row as usize] {
            Name::LI if elements.parent[row as usize] == list => {
                if blocks > MAX_ITEM.0 || characters > MAX_ITEM.1 {
                    return true;
                }
                (blocks, characters) = kept.of(page, row);
                items += u32::from(blocks > 0);
            }
            // Nested lists are judged by themselves.
            Name::UL | Name::OL | Name::DL | Name::MENU => {
                let nested = kept.of(page, row);
                blocks = blocks.saturating_sub(nested.0);
                characters = characters.saturating_sub(nested.1);
                row = elements.end[row as usize];
                continue;
            }
            // A step may quote; a post is a quotation.
            Name::BLOCKQUOTE if 2 * kept.of(page, row).1 < characters => {}
            name if (is_heading(name) || matches!(name, Name::TABLE | Name::BLOCKQUOTE))
                && kept.holds(page, row) =>
            {
                return true;
            }
            _ => {}
        }
        row += 1;
    }
    // The page is one list, and its items are no lines.
    let is_page = u64::from(all) * 5 > u64::from(kept.total_characters()) * 4 && all > MAX_QUOTE;
    blocks > MAX_ITEM.0 || characters > MAX_ITEM.1 || (is_page && all > items * MAX_LINE_ITEM)
}

/// Whether a definition list only lays out the page: it lacks terms or descriptions, or holds sections.
pub(super) fn is_layout_definitions(page: &Page<'_>, list: u32, kept: &KeptSums) -> bool {
    let elements = &page.elements;
    let (mut terms, mut descriptions) = (false, false);
    for row in list + 1..elements.end[list as usize] {
        match elements.name[row as usize] {
            Name::DT => terms |= kept.holds(page, row),
            Name::DD => {
                let (blocks, characters) = kept.of(page, row);
                descriptions |= blocks > 0;
                if blocks > MAX_ITEM.0 || characters > MAX_ITEM.1 {
                    return true;
                }
            }
            name if (is_heading(name) || name == Name::TABLE) && kept.holds(page, row) => return true,
            _ => {}
        }
    }
    !terms || !descriptions
}

/// Whether no quotation holds this one.
pub(super) fn is_outermost_quote(page: &Page<'_>, quote: u32) -> bool {
    let mut row = page.elements.parent[quote as usize];
    while row != NONE && page.elements.name[row as usize] != Name::BLOCKQUOTE {
        row = page.elements.parent[row as usize];
    }
    row == NONE
}

/// Whether quotations lay out the posts of a thread, or the sections of a page: several of them are nearly all of it.
pub(super) fn quotes_are_layout(page: &Page<'_>, kept: &KeptSums, is_thread: bool) -> bool {
    let elements = &page.elements;
    let (mut row, mut quotes, mut quoted) = (0, 0, 0);
    while (row as usize) < elements.len() {
        if elements.name[row as usize] == Name::BLOCKQUOTE && kept.holds(page, row) {
            quotes += 1;
            quoted += kept.of(page, row).1;
            row = elements.end[row as usize];
        } else {
            row += 1;
        }
    }
    let total = kept.total_characters();
    quotes > 1 && u64::from(quoted) * 5 > u64::from(total) * 4 && (is_thread || total > MAX_QUOTE)
}

/// Whether a quotation is most of the text, so that it only indents it.
pub(super) fn is_layout_quote(page: &Page<'_>, quote: u32, kept: &KeptSums) -> bool {
    let (_, characters) = kept.of(page, quote);
    characters > MAX_QUOTE && 2 * characters > kept.total_characters()
}
