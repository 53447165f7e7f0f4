//! Records: groups of repeated siblings such as posts, comments, list entries, cards, teasers and table rows.

use crate::page::{NONE, Page, Region};
use crate::text::hash::{Interner, hash_combine};
use crate::text::lexicon::{AUTHOR, CLASS_AUTHOR, CLASS_DATE};

use super::labels::Labels;

/// Siblings with the same tag and class shape, with totals over their subtrees.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordGroup {
    pub items: u32,
    /// Items with any text.
    pub with_text: u32,
    pub characters: u32,
    pub link_characters: u32,
    pub links: u32,
    pub blocks: u32,
    /// Characters of the longest item.
    pub longest: u32,
    /// Items with a date.
    pub with_date: u32,
    /// Items with a byline.
    pub with_byline: u32,
    /// Items with a linked headline.
    pub with_headline: u32,
    /// Items with a long block that is not mostly anchor text.
    pub with_prose: u32,
}

impl RecordGroup {
    /// Whether this is a record list: at least two items with text, and more than one block per item on average.
    pub fn is_record(&self) -> bool {
        self.with_text > 1 && self.blocks > self.with_text
    }
}

/// Sibling groups of a page. Per-element vectors are indexed by row of the element table.
#[derive(Debug, Default)]
pub struct Records {
    pub groups: Vec<RecordGroup>,
    /// Per element: its group, or [`NONE`] if it has no blocks.
    pub group_of: Vec<u32>,
    /// Per element: its zero-based index in its group.
    pub item_index: Vec<u32>,
    /// Per element: the innermost record item that is the element or an ancestor.
    pub innermost_item: Vec<u32>,
    /// The outermost item, among groups of at least three.
    pub outermost_item: Vec<u32>,
    pub same_tag_groups: Vec<SameTagGroup>,
    /// Per element: its group in `same_tag_groups`.
    pub same_tag_group_of: Vec<u32>,
    /// Per element: its one-based index among siblings of the same tag, as in paper 003; 0 if it has no blocks.
    pub sibling_index: Vec<u32>,
    interner: Interner,
    same_tag_interner: Interner,
    /// Prefix sums over blocks of dates, bylines, linked headlines and prose.
    signal_sums: Vec<[u32; 4]>,
}

/// Siblings with the same tag.
#[derive(Clone, Copy, Debug, Default)]
pub struct SameTagGroup {
    pub count: u32,
    /// Siblings with at least [`MIN_CHARACTERS_PER_LINK`] characters per link.
    pub dense: u32,
}

/// Density threshold of paper 002.
pub(super) const MIN_CHARACTERS_PER_LINK: u32 = 29;

impl Records {
    pub fn fill(&mut self, page: &Page<'_>, labels: &Labels) {
        self.sum_signals(page, labels);
        let (elements, blocks) = (&page.elements, &page.blocks);
        self.interner.clear();
        self.same_tag_interner.clear();
        self.groups.clear();
        self.same_tag_groups.clear();
        self.group_of.clear();
        self.item_index.clear();
        self.sibling_index.clear();
        self.same_tag_group_of.clear();
        for row in 0..elements.len() {
            let parent = u64::from(elements.parent[row]);
            let (first, last) = elements.blocks(row as u32);
            if first == last {
                self.group_of.push(NONE);
                self.item_index.push(0);
                self.same_tag_group_of.push(NONE);
                self.sibling_index.push(0);
                continue;
            }
            // The class path alone would merge the children of different parents.
            let (group_id, is_new) = self.interner.intern(hash_combine(elements.class_path[row], parent));
            if is_new {
                self.groups.push(RecordGroup::default());
            }
            let (same_tag_id, is_new) =
                self.same_tag_interner.intern(hash_combine(elements.tag_path[row], parent));
            if is_new {
                self.same_tag_groups.push(SameTagGroup::default());
            }
            let sum = blocks.sum(first, last);
            let same_tag = &mut self.same_tag_groups[same_tag_id as usize];
            same_tag.count += 1;
            same_tag.dense +=
                u32::from(sum.characters - sum.link_characters >= MIN_CHARACTERS_PER_LINK * sum.links.max(1));
            self.same_tag_group_of.push(same_tag_id);
            self.sibling_index.push(same_tag.count);
            let group = &mut self.groups[group_id as usize];
            self.group_of.push(group_id);
            self.item_index.push(group.items);
            group.items += 1;
            group.with_text += u32::from(sum.characters > 0);
            group.characters += sum.characters;
            group.link_characters += sum.link_characters;
            group.links += sum.links;
            group.blocks += (last - first) as u32;
            group.longest = group.longest.max(sum.characters);
            let (from, to) = (&self.signal_sums[first], &self.signal_sums[last]);
            group.with_date += u32::from(to[0] > from[0]);
            group.with_byline += u32::from(to[1] > from[1]);
            group.with_headline += u32::from(to[2] > from[2]);
            group.with_prose += u32::from(to[3] > from[3]);
        }
        self.find_enclosing_items(page);
    }

    /// Finds the innermost and outermost items of each element.
    fn find_enclosing_items(&mut self, page: &Page<'_>) {
        self.innermost_item.clear();
        self.outermost_item.clear();
        for row in 0..page.elements.len() {
            let parent = page.elements.parent[row] as usize;
            let mut inner = self.innermost_item.get(parent).copied().unwrap_or(NONE);
            let mut outer = self.outermost_item.get(parent).copied().unwrap_or(NONE);
            if let Some(group) = self.groups.get(self.group_of[row] as usize)
                && group.is_record()
            {
                inner = row as u32;
                if group.with_text > 2 && outer == NONE {
                    outer = row as u32;
                }
            }
            self.innermost_item.push(inner);
            self.outermost_item.push(outer);
        }
    }

    /// Computes the prefix sums of the signals.
    fn sum_signals(&mut self, page: &Page<'_>, labels: &Labels) {
        let (blocks, elements) = (&page.blocks, &page.elements);
        self.signal_sums.clear();
        let mut sums = [0; 4];
        self.signal_sums.push(sums);
        for block in 0..blocks.len() {
            let row = blocks.element[block] as usize;
            let [class, id] = elements.class[row];
            let concepts = page.classes.entries[class as usize].concepts
                | page.classes.entries[id as usize].concepts
                | page.classes.entries[blocks.inline_class[block] as usize].concepts;
            let words = blocks.counts[block].words;
            let is_short = words <= 12;
            let is_linked = blocks.link_characters[block] * 2 > blocks.counts[block].characters;
            let has_date = labels.has_date[block]
                || (is_short && concepts & CLASS_DATE != 0)
                || blocks.inline_markup[block] & 2 != 0;
            sums[0] += u32::from(has_date);
            sums[1] += u32::from(
                is_short && (labels.categories[block] & AUTHOR != 0 || concepts & CLASS_AUTHOR != 0),
            );
            let is_heading = elements.regions[row] & Region::Heading.bit() != 0;
            sums[2] += u32::from(is_linked && (is_heading || words >= 4));
            sums[3] += u32::from(words >= 20 && !is_linked);
            self.signal_sums.push(sums);
        }
    }

    /// Numbers of dates, bylines, linked headlines and prose blocks among blocks `from..to`.
    #[inline]
    pub fn signal_counts(&self, from: usize, to: usize) -> [u32; 4] {
        let (from, to) = (&self.signal_sums[from], &self.signal_sums[to]);
        [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]]
    }
}
