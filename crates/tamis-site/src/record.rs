//! The record of one page: its texts, as blocks and as leaf tags.
//!
//! A record is bounded by rules that depend only on the page, so it is the same on every machine. Texts of up to
//! `MAX_WHOLE` characters are stored completely, since similarity needs them; longer ones as digest and prefix. If a
//! page has too many texts, those with the smallest digests are kept, so that a text of every page is kept on all of
//! them or on none.

use std::collections::HashMap;

use tamis::page::Page;
use tamis_methods::lines;
use tamis_methods::site::{LineTable, leaf_tags};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::codec::{self, Damaged};
use crate::hashing::IdentityHasher;
use crate::key::page_name;

/// Texts per page.
pub(crate) const MAX_TEXTS: usize = 800;
/// Occurrences per page as blocks, and as leaf tags.
pub(crate) const MAX_OCCURRENCES: usize = 1_200;
/// Characters of a text that is stored completely.
pub(crate) const MAX_WHOLE: usize = 300;
/// Bytes of complete texts per page, the shortest texts first.
pub(crate) const MAX_WHOLE_BYTES: usize = 24 << 10;
/// Bytes of prefixes per page.
pub(crate) const MAX_PREFIX_BYTES: usize = 4 << 10;
/// Tag names per page, and their length.
pub(crate) const MAX_NAMES: usize = 120;
const MAX_NAME_BYTES: usize = 40;
/// Characters of a prefix.
const PREFIX_CHARACTERS: usize = 32;
/// Bytes of an encoded record.
pub(crate) const MAX_RECORD: usize = 64
    + MAX_WHOLE_BYTES
    + MAX_PREFIX_BYTES
    + MAX_TEXTS * (16 + 3)
    + MAX_OCCURRENCES * (3 + 5 + 3 + 2)
    + MAX_NAMES * (MAX_NAME_BYTES + 1);

/// A text of a page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Text {
    pub(crate) digest: u128,
    /// Its end in the stored bytes; it starts at the end of the previous text.
    pub(crate) end: u32,
    /// Whether it is complete or a prefix.
    pub(crate) whole: bool,
}

/// A text of a page with its characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRef<'r> {
    pub(crate) digest: u128,
    /// The text or its prefix.
    pub(crate) text: &'r str,
    pub(crate) whole: bool,
}

/// A text as a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BlockOccurrence {
    pub(crate) text: u16,
    /// Whether the method `lines` counts it as a line.
    pub(crate) line: bool,
}

/// A text as a leaf tag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TagOccurrence {
    pub(crate) text: u16,
    pub(crate) name: u16,
}

/// The record of a page.
// The order decides which of two versions of a page is kept: the one with the smaller content digest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PageRecord {
    pub(crate) key: u64,
    pub(crate) content: u64,
    /// In document order.
    pub(crate) texts: Vec<Text>,
    /// The concatenated texts.
    pub(crate) characters: String,
    /// Sorted.
    pub(crate) names: Vec<Box<str>>,
    pub(crate) blocks: Vec<BlockOccurrence>,
    pub(crate) tags: Vec<TagOccurrence>,
}

impl PageRecord {
    /// The record of a page, without hidden blocks.
    pub fn of(page: &Page<'_>, url: Option<&str>) -> PageRecord {
        let blocks = &page.blocks;
        let tags = leaf_tags(page);
        let is_line = lines::first_stage(page, &lines::Settings::default());
        let mut texts = Texts::with_capacity(blocks.len());
        let mut content = Xxh3::new();
        let mut block_occurrences = Vec::with_capacity(blocks.len());
        // Addresses of the block texts, ascending: most leaf tags share the text of a block and its digest.
        let mut of_blocks: Vec<(usize, u32)> = Vec::with_capacity(blocks.len());
        for block in visible_blocks(page) {
            let text = blocks.text(block);
            let (number, digest) = texts.number(text);
            of_blocks.push((text.as_ptr() as usize, number));
            content.update(&digest.to_le_bytes());
            block_occurrences.push((number, is_line[block]));
        }
        let content = content.digest();
        let mut names = Names::default();
        let mut tag_occurrences = Vec::with_capacity(tags.len());
        for tag in &tags {
            let Some(name) = names.number(tag.name) else { continue };
            let known = of_blocks.binary_search_by_key(&(tag.text.as_ptr() as usize), |(at, _)| *at).ok();
            let known = known.and_then(|known| of_blocks.get(known)).map(|(_, number)| *number);
            let text = known.filter(|number| texts.is(*number, &tag.text));
            let text = text.unwrap_or_else(|| texts.number(&tag.text).0);
            tag_occurrences.push((name, text));
        }
        let (texts, characters, moved) = texts.bounded();
        let (names, renamed) = names.sorted();
        let number = |old: u32| moved.get(old as usize).copied().flatten();
        let mut blocks: Vec<BlockOccurrence> = block_occurrences
            .into_iter()
            .filter_map(|(text, line)| Some(BlockOccurrence { text: number(text)?, line }))
            .collect();
        let mut tags: Vec<TagOccurrence> = tag_occurrences
            .into_iter()
            .filter_map(|(name, text)| {
                Some(TagOccurrence { name: *renamed.get(name as usize)?, text: number(text)? })
            })
            .collect();
        // Almost sorted, since texts are numbered in document order.
        blocks.sort();
        blocks.dedup();
        blocks.truncate(MAX_OCCURRENCES);
        tags.sort();
        tags.dedup();
        tags.truncate(MAX_OCCURRENCES);
        let key = url.map_or_else(|| PageRecord::key_of_content(content), PageRecord::key_of_url);
        PageRecord { key, content, texts, characters, names, blocks, tags }
    }

    /// The record as bytes, for stores other than [`Store`](crate::Store): at most about 70 KiB, usually far less. They
    /// include a checksum but not the [key](PageRecord::key).
    pub fn to_bytes(&self) -> Vec<u8> {
        codec::encode(self)
    }

    /// Decodes [`PageRecord::to_bytes`], which were stored under `key`.
    pub fn from_bytes(key: u64, bytes: &[u8]) -> Result<PageRecord, Damaged> {
        codec::decode(key, bytes)
    }

    /// The text with this number.
    pub(crate) fn text(&self, number: u16) -> Option<TextRef<'_>> {
        let number = usize::from(number);
        let text = self.texts.get(number)?;
        let start =
            number.checked_sub(1).and_then(|before| self.texts.get(before)).map_or(0, |text| text.end);
        let characters = self.characters.get(start as usize..text.end as usize)?;
        Some(TextRef { digest: text.digest, text: characters, whole: text.whole })
    }

    /// All texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = TextRef<'_>> {
        (0..self.texts.len() as u16).filter_map(|number| self.text(number))
    }

    /// The digest of the page's normalised URL, or of its content if it has no URL.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of a URL. Scheme, `www.`, fragment and tracking parameters such as `utm_source` are ignored.
    pub fn key_of_url(url: &str) -> u64 {
        xxh3_64_with_seed(page_name(url).as_bytes(), 1)
    }

    pub(crate) fn key_of_content(content: u64) -> u64 {
        xxh3_64_with_seed(&content.to_le_bytes(), 2)
    }
}

fn visible_blocks<'p>(page: &'p Page<'_>) -> impl Iterator<Item = usize> + use<'p> {
    (0..page.blocks.len()).filter(|block| page.blocks.hidden[*block].is_none())
}

/// The digest of a page's visible text.
pub(crate) fn content_digest(page: &Page<'_>) -> u64 {
    let mut content = Xxh3::new();
    for block in visible_blocks(page) {
        content.update(&LineTable::digest(page.blocks.text(block)).to_le_bytes());
    }
    content.digest()
}

/// The distinct texts of a page.
struct Texts<'p> {
    /// By the lower half of the digest, which is enough for one page.
    numbers: HashMap<u64, u32, IdentityHasher>,
    list: Vec<(u128, &'p str)>,
}

impl<'p> Texts<'p> {
    fn with_capacity(number: usize) -> Texts<'p> {
        Texts {
            numbers: HashMap::with_capacity_and_hasher(number, IdentityHasher),
            list: Vec::with_capacity(number),
        }
    }

    /// Whether the text with this number has the same length. If both start at the same address, they are equal.
    fn is(&self, number: u32, text: &str) -> bool {
        self.list.get(number as usize).is_some_and(|(_, known)| known.len() == text.len())
    }

    fn number(&mut self, text: &'p str) -> (u32, u128) {
        let digest = LineTable::digest(text);
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(digest as u64).or_insert(next);
        if number == next {
            self.list.push((digest, text));
        }
        (number, digest)
    }

    /// The kept texts, their characters, and the mapping from old to new numbers.
    fn bounded(self) -> (Vec<Text>, String, Vec<Option<u16>>) {
        let list = self.list;
        let mut stays = vec![true; list.len()];
        if list.len() > MAX_TEXTS {
            let mut digests: Vec<u128> = list.iter().map(|(digest, _)| *digest).collect();
            let (_, last, _) = digests.select_nth_unstable(MAX_TEXTS - 1);
            stays = list.iter().map(|(digest, _)| digest <= last).collect();
        }
        let short: Vec<bool> =
            list.iter().zip(&stays).map(|((_, text), stays)| *stays && is_short(text)).collect();
        let lengths =
            || list.iter().zip(&short).filter(|(_, short)| **short).map(|((_, text), _)| text.len());
        let mut whole = short.clone();
        if lengths().sum::<usize>() > MAX_WHOLE_BYTES {
            let mut shortest: Vec<u32> = (0..list.len() as u32).filter(|&at| short[at as usize]).collect();
            let of = |number: u32| list.get(number as usize).map(|(digest, text)| (text.len(), *digest));
            shortest.sort_unstable_by_key(|&number| of(number));
            let mut room = MAX_WHOLE_BYTES;
            for number in shortest {
                let left = room.checked_sub(list[number as usize].1.len());
                whole[number as usize] = left.is_some();
                room = left.unwrap_or(0);
            }
        }
        let mut room = MAX_PREFIX_BYTES;
        let mut moved = vec![None; list.len()];
        let mut texts = Vec::with_capacity(list.len().min(MAX_TEXTS));
        let mut characters = String::with_capacity(lengths().sum::<usize>().min(MAX_WHOLE_BYTES) + 256);
        for (number, (digest, text)) in list.into_iter().enumerate().filter(|(number, _)| stays[*number]) {
            let whole = whole[number];
            let kept = if whole { text } else { prefix(text, room) };
            if !whole {
                room -= kept.len();
            }
            moved[number] = Some(texts.len() as u16);
            characters.push_str(kept);
            texts.push(Text { digest, end: characters.len() as u32, whole });
        }
        (texts, characters, moved)
    }
}

fn is_short(text: &str) -> bool {
    text.len() <= MAX_WHOLE || text.len() <= 4 * MAX_WHOLE && text.chars().count() <= MAX_WHOLE
}

/// The first characters of a text, or nothing if there is no room.
fn prefix(text: &str, room: usize) -> &str {
    let end = text.char_indices().nth(PREFIX_CHARACTERS).map_or(text.len(), |(at, _)| at);
    if end <= room { text.get(..end).unwrap_or_default() } else { "" }
}

/// The distinct tag names.
#[derive(Default)]
struct Names<'p> {
    list: Vec<&'p str>,
    last: usize,
}

impl<'p> Names<'p> {
    /// Linear search: a page has few names, and the last one is the most likely.
    fn number(&mut self, name: &'p str) -> Option<u16> {
        if self.list.get(self.last) != Some(&name) {
            self.last = match self.list.iter().position(|known| *known == name) {
                Some(known) => known,
                None if self.list.len() < MAX_NAMES && name.len() <= MAX_NAME_BYTES => {
                    self.list.push(name);
                    self.list.len() - 1
                }
                None => return None,
            };
        }
        Some(self.last as u16)
    }

    /// The sorted names, and the mapping from old to new numbers.
    fn sorted(self) -> (Vec<Box<str>>, Vec<u16>) {
        let mut sorted = self.list.clone();
        sorted.sort_unstable();
        let new = |name: &&str| sorted.binary_search(name).unwrap_or_default() as u16;
        let moved = self.list.iter().map(new).collect();
        (sorted.into_iter().map(Box::from).collect(), moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(html: &str) -> PageRecord {
        PageRecord::of(&Page::parse(html), None)
    }

    #[test]
    fn texts_are_stored_once_with_their_occurrences() {
        let record =
            record("<ul><li>Ha<li>Ha</ul><p>So it goes.</p><p hidden>Not seen.</p><a href=/>So it goes.</a>");
        let mut texts: Vec<&str> = record.texts().map(|text| text.text).collect();
        texts.sort_unstable();
        assert_eq!(texts, ["Ha", "So it goes."], "hidden text is left out");
        assert_eq!(record.blocks.len(), 2, "twice on a page counts once");
        assert_eq!(record.blocks.iter().filter(|occurrence| occurrence.line).count(), 1);
        assert_eq!(record.tags.len(), 3);
    }

    #[test]
    fn records_are_bounded() {
        let mut html = String::new();
        for number in 0..5_000 {
            html += &format!(
                "<x{number}>text {number}, and {}</x{number}><p>{number}</p>",
                "more ".repeat(number % 90)
            );
        }
        let record = record(&html);
        assert_eq!(record.texts.len(), MAX_TEXTS);
        assert!(record.names.len() <= MAX_NAMES);
        let whole: usize = record.texts().filter(|text| text.whole).map(|text| text.text.len()).sum();
        assert!(whole <= MAX_WHOLE_BYTES);
        assert!(crate::codec::encode(&record).len() <= MAX_RECORD);
    }

    #[test]
    fn bytes_round_trip_and_damage_is_detected() {
        let record = record("<p>So it goes.</p><ul><li>字<li>y</ul><a href=/>Home</a>");
        let bytes = record.to_bytes();
        assert_eq!(PageRecord::from_bytes(record.key(), &bytes), Ok(record.clone()));
        assert!(PageRecord::from_bytes(record.key() + 1, &bytes).is_err(), "kept under another key");
        assert!(PageRecord::from_bytes(record.key(), &bytes[..bytes.len() - 1]).is_err(), "cut off");
        let mut changed = bytes;
        changed[12] ^= 1;
        assert!(PageRecord::from_bytes(record.key(), &changed).is_err(), "changed");
        assert!(PageRecord::from_bytes(record.key(), b"").is_err(), "empty");
    }

    #[test]
    fn a_common_text_is_kept_on_all_pages_or_on_none() {
        let page = |own: usize| -> PageRecord {
            let mut html: String = (0..2_000).map(|n| format!("<p>common {n}</p>")).collect();
            html += &(0..own).map(|n| format!("<p>own {own} {n}</p>")).collect::<String>();
            record(&html)
        };
        let (a, b) = (page(10), page(13));
        let common = |record: &PageRecord| -> Vec<u128> {
            let common = record.texts().filter(|text| text.text.starts_with("common"));
            common.map(|text| text.digest).collect()
        };
        let (a, b) = (common(&a), common(&b));
        let both = a.iter().filter(|digest| b.contains(digest)).count();
        assert!(both + 15 >= a.len().max(b.len()), "{both} of {} and {}", a.len(), b.len());
    }

    #[test]
    fn the_url_identifies_a_page_across_versions() {
        let a = PageRecord::of(&Page::parse("<p>One."), Some("http://e.com/a"));
        let b = PageRecord::of(&Page::parse("<p>Two."), Some("http://e.com/a#x"));
        assert_eq!(a.key(), b.key());
        assert_ne!(a.content, b.content);
        assert_eq!(record("<p>One.").key(), record("<div>One.</div>").key());
    }
}
