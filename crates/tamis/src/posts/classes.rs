//! What the class names of a page say about posts, each read once: a page has thousands of elements and some dozens of
//! classes.

use std::sync::LazyLock;

use tamis_html::{Name, NodeRef};

use super::words::{APART, AUTHOR, QUOTE, REMARKS, STATE, TIME, TITLE, words};
use crate::hashing::NumberMap;

/// What a `class` says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Class {
    /// Bits, one for each list of words that has a word of it.
    says: u8,
    /// A number for its first name that says more than how a piece is at the moment; digits do not count.
    pub(crate) shape: u64,
}

const LISTS: [(&[&str], u8); 7] = [
    (&APART, Class::APART),
    (&AUTHOR, Class::AUTHOR),
    (&QUOTE, Class::QUOTE),
    (&REMARKS, Class::REMARKS),
    (&TIME, Class::TIME),
    (&TITLE, Class::TITLE),
    (&STATE, Class::STATE),
];

/// What single words say.
static KNOWN: LazyLock<NumberMap<u64, u8>> = LazyLock::new(|| {
    let mut known = NumberMap::default();
    for (list, bit) in LISTS {
        list.iter().for_each(|word| *known.entry(number(word)).or_default() |= bit);
    }
    known
});

/// A number for a word, whatever its case.
fn number(word: &str) -> u64 {
    word.bytes().fold(SEED, |hash, byte| step(hash, byte.to_ascii_lowercase()))
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn step(hash: u64, byte: u8) -> u64 {
    let hash = (hash ^ u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash ^ hash >> 29
}

impl Class {
    /// It is given to what is not said in a post: [`APART`].
    pub(super) const APART: u8 = 1;
    /// To names of writers.
    pub(super) const AUTHOR: u8 = 2;
    /// To words of others.
    pub(super) const QUOTE: u8 = 4;
    /// To remarks below a post.
    pub(super) const REMARKS: u8 = 8;
    /// To times.
    pub(super) const TIME: u8 = 16;
    /// To headlines.
    pub(super) const TITLE: u8 = 32;
    /// There are names in it at all.
    pub(super) const ANY: u8 = 64;
    /// To how a piece is at the moment.
    const STATE: u8 = 128;

    fn of(class: &str) -> Class {
        let known = &*KNOWN;
        let says_of = |word: &str| known.get(&number(word)).copied().unwrap_or(0);
        let mut says = 0;
        let mut first = None;
        for name in class.split_ascii_whitespace() {
            let own = words(name).fold(Class::ANY, |own, word| own | says_of(word));
            says |= own;
            if own & Class::STATE == 0 {
                first = first.or(Some(name));
            }
        }
        let shape = first.unwrap_or_default().bytes().filter(|byte| !byte.is_ascii_digit()).fold(SEED, step);
        Class { says, shape }
    }

    /// The same, of an element that holds remarks by another of its attributes.
    pub(super) fn with_remarks(mut self) -> Class {
        self.says |= Class::REMARKS;
        self
    }

    /// Does it say this?
    pub(super) fn has(self, bit: u8) -> bool {
        self.says & bit != 0
    }
}

/// The classes that were met.
#[derive(Default)]
pub(crate) struct Classes {
    known: NumberMap<u64, Class>,
}

impl Classes {
    /// What the class of an element says.
    pub(crate) fn of(&mut self, node: NodeRef<'_>) -> Class {
        node.attribute_named(Name::CLASS).map_or(Class::default(), |class| self.read(&class))
    }

    /// What a class says.
    pub(super) fn read(&mut self, class: &str) -> Class {
        if class.is_empty() {
            return Class::default();
        }
        let key = xxhash_rust::xxh3::xxh3_64(class.as_bytes());
        *self.known.entry(key).or_insert_with(|| Class::of(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_says_several_things() {
        let class = Class::of("post-12 odd userName quote-time");
        assert!(class.has(Class::AUTHOR) && class.has(Class::QUOTE) && class.has(Class::TIME));
        assert!(!class.has(Class::TITLE) && !class.has(Class::APART));
        assert!(!Class::of("superuserx").has(Class::AUTHOR));
    }

    #[test]
    fn posts_have_one_shape_whatever_their_number_and_state() {
        assert_eq!(Class::of("odd post12 x").shape, Class::of("even post7").shape);
        assert_ne!(Class::of("post").shape, Class::of("reply").shape);
    }
}
