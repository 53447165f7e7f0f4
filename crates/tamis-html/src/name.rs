//! Names of elements and attributes as small numbers.
//!
//! Comparing numbers takes one instruction. Names of the standard and common names have fixed numbers, known at compile
//! time; every other name of a page gets the next free number.

mod known;

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use hashbrown::HashTable;

/// The name of an element or attribute.
///
/// Names of HTML, SVG and MathML are constants; the text of other names is stored with the page.
/// [`Dom::name_text`](crate::Dom::name_text) returns the text of either.
///
/// ```
/// use tamis_html::{Name, parse};
///
/// let dom = parse("<p>one <my-word>two</my-word>");
/// let p = dom.descendants().find(|node| node.is(Name::P)).unwrap();
/// assert_eq!(p.name(), Some("p"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub(crate) u32);

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.known_text() {
            Some(text) => write!(f, "Name({text})"),
            None => write!(f, "Name(#{})", self.0),
        }
    }
}

/// A name in three bytes, as stored in nodes and attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SmallName([u8; 3]);

impl SmallName {
    /// No name.
    pub(crate) const NONE: SmallName = SmallName([0xFF; 3]);

    #[inline(always)]
    pub(crate) fn of(name: Name) -> SmallName {
        let [a, b, c, _] = name.0.to_le_bytes();
        SmallName([a, b, c])
    }

    #[inline(always)]
    pub(crate) fn name(self) -> Name {
        let [a, b, c] = self.0;
        Name(u32::from_le_bytes([a, b, c, 0]))
    }
}

/// The maximum number of custom names of a page, so that all numbers fit into [`SmallName`]: sixteen million, which
/// only a hostile page exceeds. Further names share the last number.
const MOST_OWN: usize = (1 << 24) - 2 - KNOWN_COUNT;

/// The number of names of HTML elements, which have the first numbers.
pub(crate) const HTML_COUNT: usize = Name::SVG.0 as usize;

/// The number of names with fixed numbers.
pub(crate) const KNOWN_COUNT: usize = known::KNOWN.len();

const RECENT: usize = 64;

/// The names of one page, by number and by text.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// The concatenated custom names of the page.
    texts: String,
    /// The end of each custom name in `texts`.
    ends: Vec<u32>,
    /// The custom names by text. The hasher has a random seed, so a hostile page cannot cause collisions.
    table: HashTable<u32>,
    hasher: RandomState,
    /// A cache of recent custom names by a cheap hash: pages repeat a few of them.
    recent: [u32; RECENT],
}

impl Default for Names {
    fn default() -> Self {
        Names {
            texts: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            hasher: RandomState::new(),
            recent: [u32::MAX; RECENT],
        }
    }
}

impl Names {
    /// The number of fixed and custom names.
    pub(crate) fn len(&self) -> usize {
        KNOWN_COUNT + self.ends.len()
    }

    /// The memory of the custom names in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.texts.capacity() + self.ends.capacity() * size_of::<u32>() + self.table.allocation_size()
    }

    /// The text of a name.
    pub(crate) fn text(&self, name: Name) -> &str {
        match name.known_text() {
            Some(text) => text,
            None => self.own_text(name.0 - KNOWN_COUNT as u32),
        }
    }

    /// The number of the name at `raw` in a tag, ignoring case; `packed` are its verbatim bytes, or zero if they do not
    /// fit.
    #[inline(always)]
    pub(crate) fn of_tag(&mut self, packed: u128, source: &str, raw: Range<usize>) -> Name {
        match known::by_packed(packed) {
            Some(name) => name,
            None => self.of_raw(&source[raw]),
        }
    }

    /// The number of a name, ignoring case. NUL characters become U+FFFD.
    #[inline(never)]
    pub(crate) fn of_raw(&mut self, raw: &str) -> Name {
        // The end of a long name is more distinctive than its start, as in `data-…`.
        let hash = raw
            .bytes()
            .rev()
            .take(8)
            .fold(raw.len(), |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte | 0x20)));
        let recent = hash % RECENT;
        let own = self.recent[recent];
        if own != u32::MAX && self.own_text(own).eq_ignore_ascii_case(raw) {
            return Name(KNOWN_COUNT as u32 + own);
        }
        let is_canonical = !raw.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0);
        let text = match is_canonical {
            true => Cow::Borrowed(raw),
            false => Cow::Owned(raw.to_ascii_lowercase().replace('\0', "\u{FFFD}")),
        };
        if let Some(name) = known::by_lower_text(&text) {
            return name;
        }
        let own = self.own(&text);
        self.recent[recent] = own;
        Name(KNOWN_COUNT as u32 + own)
    }

    /// The number of a name given by a caller, if the page has it.
    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        known::by_text(text).or_else(|| {
            let own = self.table.find(self.hasher.hash_one(text), |&own| self.own_text(own) == text)?;
            Some(Name(KNOWN_COUNT as u32 + own))
        })
    }

    /// The number of a custom name, which is added if it is new.
    fn own(&mut self, text: &str) -> u32 {
        let hash = self.hasher.hash_one(text);
        if let Some(&own) = self.table.find(hash, |&own| self.own_text(own) == text) {
            return own;
        }
        if self.ends.len() == MOST_OWN {
            return self.ends.len() as u32 - 1;
        }
        let own = self.ends.len() as u32;
        self.texts.push_str(text);
        self.ends.push(self.texts.len() as u32);
        let (texts, ends, hasher) = (&self.texts, &self.ends, &self.hasher);
        self.table.insert_unique(hash, own, |&own| hasher.hash_one(own_text(texts, ends, own)));
        own
    }

    fn own_text(&self, own: u32) -> &str {
        own_text(&self.texts, &self.ends, own)
    }
}

fn own_text<'t>(texts: &'t str, ends: &[u32], own: u32) -> &'t str {
    let own = own as usize;
    let start = if own == 0 { 0 } else { ends[own - 1] };
    &texts[start as usize..ends[own] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_fold_case_and_keep_their_number() {
        let mut names = Names::default();
        let first = names.of_raw("My-Word");
        let long = names.of_raw("a-name-of-more-than-sixteen-bytes");
        assert_ne!(first, long);
        assert_eq!(names.of_raw("my-word"), first);
        assert_eq!(names.of_raw("A-name-of-more-than-sixteen-BYTES"), long);
        assert_eq!(names.text(first), "my-word");
        assert_eq!(names.find("my-word"), Some(first));
        assert_eq!(names.find("never-seen"), None);
        assert_eq!(names.len(), KNOWN_COUNT + 2);
        let nul = names.of_raw("a\0b");
        assert_eq!(names.text(nul), "a\u{FFFD}b");
    }

    #[test]
    fn known_names_keep_their_fixed_number_however_they_are_written() {
        let mut names = Names::default();
        assert_eq!(names.of_raw("preserveAspectRatio"), Name::LOW_PRESERVEASPECTRATIO);
        assert_eq!(names.of_raw("viewBox"), Name::LOW_VIEWBOX);
        assert_eq!(names.len(), KNOWN_COUNT);
    }
}
