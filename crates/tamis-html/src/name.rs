//! Names of elements and attributes as small numbers.
//!
//! The parser compares names all the time: as numbers, that is one instruction. Names that the standard or common
//! pages use have fixed numbers, known when Tamis is compiled; every other name of a page gets the next free one.

mod known;

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// The name of an element or attribute.
///
/// Names that HTML, SVG and MathML define are constants; the text of others belongs to the page they stand in.
/// [`Dom::name_text`](crate::Dom::name_text) knows both.
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

/// How many names have fixed numbers.
pub(crate) const KNOWN_COUNT: usize = known::KNOWN.len();

const RECENT: usize = 64;

/// The names of one page: numbers for texts and texts for numbers.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// The texts of the page's own names, one behind the other.
    texts: String,
    /// Where in `texts` each of them ends.
    ends: Vec<u32>,
    /// The page's own names by text. The hasher is seeded at random, so a page cannot be made to collide.
    table: HashTable<u32>,
    hasher: RandomState,
    /// The own names met last, by a cheap hash: pages repeat a few names of their own over and over.
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
    /// How many names there are, fixed and own ones together.
    pub(crate) fn len(&self) -> usize {
        KNOWN_COUNT + self.ends.len()
    }

    /// The bytes of memory that the page's own names take.
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

    /// The number of a name whose bytes (in lower case) are both packed and given as `raw` (in any case).
    #[inline(always)]
    pub(crate) fn of_packed(&mut self, packed: u128, raw: &str) -> Name {
        match known::by_packed(packed) {
            Some(name) => name,
            None => self.own(known::slot(packed), raw),
        }
    }

    /// The number of a name that is too long to be packed, or holds NUL characters (which become U+FFFD).
    #[cold]
    pub(crate) fn of_raw(&mut self, raw: &str) -> Name {
        let text = raw.to_ascii_lowercase().replace('\0', "\u{FFFD}");
        // The end of a long name tells more than its start: think of `data-…`.
        let hash = text.bytes().rev().take(8).fold(text.len(), |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(usize::from(byte))
        });
        known::by_text(&text).unwrap_or_else(|| self.own(hash, &text))
    }

    /// The number of a name as a caller writes it, if the page has it.
    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        match known::pack(text.as_bytes()) {
            Some(packed) => known::by_packed(packed),
            None => known::by_text(text),
        }
        .or_else(|| {
            let own = self.table.find(self.hasher.hash_one(text), |&own| self.own_text(own) == text)?;
            Some(Name(KNOWN_COUNT as u32 + own))
        })
    }

    #[inline(never)]
    fn own(&mut self, hash: usize, raw: &str) -> Name {
        let recent = hash % RECENT;
        let own = self.recent[recent];
        if own != u32::MAX && self.own_text(own).eq_ignore_ascii_case(raw) {
            return Name(KNOWN_COUNT as u32 + own);
        }
        let lower = raw.to_ascii_lowercase();
        let hash = self.hasher.hash_one(lower.as_str());
        let own = match self.table.find(hash, |&own| self.own_text(own) == lower) {
            Some(&own) => own,
            None => {
                let own = self.ends.len() as u32;
                self.texts.push_str(&lower);
                self.ends.push(self.texts.len() as u32);
                let (texts, ends, hasher) = (&self.texts, &self.ends, &self.hasher);
                self.table.insert_unique(hash, own, |&own| hasher.hash_one(own_text(texts, ends, own)));
                own
            }
        };
        self.recent[recent] = own;
        Name(KNOWN_COUNT as u32 + own)
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
        let packed = known::pack(b"my-word").unwrap();
        let first = names.of_packed(packed, "My-Word");
        let long = names.of_raw("a-name-of-more-than-sixteen-bytes");
        assert_ne!(first, long);
        assert_eq!(names.of_packed(packed, "my-word"), first);
        assert_eq!(names.of_raw("A-name-of-more-than-sixteen-BYTES"), long);
        assert_eq!(names.text(first), "my-word");
        assert_eq!(names.find("my-word"), Some(first));
        assert_eq!(names.find("never-seen"), None);
        assert_eq!(names.len(), KNOWN_COUNT + 2);
        let nul = names.of_raw("a\0b");
        assert_eq!(names.text(nul), "a\u{FFFD}b");
    }

    #[test]
    fn long_known_names_keep_their_fixed_number() {
        let mut names = Names::default();
        assert_eq!(names.of_raw("preserveAspectRatio"), Name::LOW_PRESERVEASPECTRATIO);
        assert_eq!(names.len(), KNOWN_COUNT);
    }
}
