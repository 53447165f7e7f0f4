//! Finding a text that is near to a given one among thousands, at the cost of a few table look-ups.
//!
//! Near means: the same tag name, and an edit distance of at most one for every eight characters of the shorter text.
//! A text of `l` characters may thus differ from a near one by `k <= l / 8` edits. Cut into `k + 1` pieces, at least
//! one piece is untouched and has moved by no more than `k` places (the pigeonhole principle). So the beginnings of
//! the pieces are indexed, a text that is looked for is scanned for places where one of them stands, and only where
//! it does are two texts compared.
//!
//! Short texts share their pieces with many others ("page 1 of", "page 2 of"), and there are few places to which a
//! piece of theirs can have moved: their pieces are indexed with their number and `k`. Long texts are few and their
//! pieces say more, but there are many places: theirs are indexed as they are.

#[cfg(test)]
mod cost;
mod grams;
mod quick_checks;

use std::cell::OnceCell;
use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed, xxh3_128_with_seed};

use self::grams::{GramFilter, GramMap, Grams, Seed, anywhere, gram_length, key};
use self::quick_checks::{Lengths, Letters};
use super::edit_distance;
use crate::hashing::{NumberMap, NumberSet};

/// One edit is allowed for so many characters of the shorter text (the paper, section 4).
const CHARACTERS_PER_EDIT: usize = 8;

/// Texts with more characters are near only when they are equal: templates are short, and a page must not be able to
/// make us compare books with each other.
const MAX_COMPARED: usize = 1_000;

/// Texts with no more characters are compared without memory of their own.
const FEW: usize = 120;

/// Texts that allow so many edits or fewer are short.
const SHORT: usize = 6;

/// How many edits two texts may be apart and still be near.
pub(crate) fn allowed_edits(a: usize, b: usize) -> usize {
    a.min(b) / CHARACTERS_PER_EDIT
}

/// Texts with their tag names, numbered in the order in which they came, and found again by texts that are near.
///
/// ```
/// use tamis::site::NearIndex;
///
/// let mut index = NearIndex::default();
/// index.add("p", "Page 17 of this site");
/// assert_eq!(index.find("p", "Page 99 of this site"), Some(0));
/// assert_eq!(index.find("li", "Page 17 of this site"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NearIndex {
    /// Digests of name and text.
    equal: HashMap<u128, u32>,
    texts: Vec<Indexed>,
    /// Which lengths there are, by the hash of the tag name.
    lengths: NumberMap<u64, Lengths>,
    /// From a gram's key to the last place where it was put, whose `next` leads to the others.
    grams: GramMap,
    places: Vec<Place>,
    filter: GramFilter,
    seed: Seed,
}

#[derive(Clone, Debug)]
struct Indexed {
    name: Box<str>,
    text: Box<str>,
    letters: Letters,
}

/// A gram of an indexed text.
#[derive(Clone, Copy, Debug)]
struct Place {
    text: u32,
    /// The text's length, at hand so that most texts need not be looked at.
    length: u32,
    /// Where in the text; nothing where it stands at several places.
    at: Option<u32>,
    next: Option<u32>,
}

impl NearIndex {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The name and text with this number.
    pub fn get(&self, number: u32) -> Option<(&str, &str)> {
        self.texts.get(number as usize).map(|indexed| (&*indexed.name, &*indexed.text))
    }

    /// Adds a text and gives its number; one that is there already keeps its number.
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        let number = self.texts.len() as u32;
        let known = *self.equal.entry(digest(name, text)).or_insert(number);
        if known != number {
            return known;
        }
        let characters: Vec<char> = text.chars().take(MAX_COMPARED + 1).collect();
        if is_compared(characters.len()) {
            self.add_grams(number, self.name_hash(name), &characters);
        }
        self.texts.push(Indexed { name: name.into(), text: text.into(), letters: Letters::of(&characters) });
        number
    }

    fn name_hash(&self, name: &str) -> u64 {
        xxh3_64_with_seed(name.as_bytes(), self.seed.0)
    }

    fn add_grams(&mut self, number: u32, name: u64, characters: &[char]) {
        let length = characters.len();
        let edits = allowed_edits(length, length);
        let grams = Grams::of_length(gram_length(edits));
        self.lengths.entry(name).or_default().add(length);
        for piece in 0..=edits {
            let at = piece * length / (edits + 1);
            let gram = grams.first(&characters[at..]) ^ name;
            let key = key(gram, edits, piece);
            let last = self.grams.get(&key).copied();
            if let Some(last) = last.and_then(|last| self.places.get_mut(last as usize))
                && last.text == number
            {
                last.at = None;
                continue;
            }
            self.filter.add(key);
            if edits <= SHORT {
                self.filter.add(anywhere(gram));
            }
            self.grams.insert(key, self.places.len() as u32);
            self.places.push(Place { text: number, length: length as u32, at: Some(at as u32), next: last });
        }
    }

    /// The number of a text that is equal, else of the first that is near.
    pub fn find(&self, name: &str, text: &str) -> Option<u32> {
        if let Some(&equal) = self.equal.get(&digest(name, text)) {
            return Some(equal);
        }
        self.find_near(name, text)
    }

    /// The number of the first text that is near, for callers who know that none is equal.
    pub fn find_near(&self, name: &str, text: &str) -> Option<u32> {
        let length = text.chars().count();
        if !is_compared(length) {
            return None;
        }
        let name_hash = self.name_hash(name);
        let lengths = self.lengths.get(&name_hash)?;
        let own_edits = allowed_edits(length, length);
        let any_near = |first: usize, last: usize| {
            lengths.any(first.max(length - own_edits), last.min(length + own_edits))
        };
        if !any_near(0, usize::MAX) {
            return None;
        }
        let (mut few, many);
        let characters = if length <= FEW {
            few = ['\0'; FEW];
            few.iter_mut().zip(text.chars()).for_each(|(place, character)| *place = character);
            &few[..length]
        } else {
            many = text.chars().collect::<Vec<char>>();
            many.as_slice()
        };
        let mut search = Search::new(self, name, characters);
        // The number of edits that texts allow which are near enough in length.
        let fewest = allowed_edits(length, length - own_edits).max(1);
        let most = (length + own_edits) / CHARACTERS_PER_EDIT;
        for edits in fewest..=most.min(SHORT) {
            let pieces = edits + 1;
            // The lengths of those texts.
            let (shortest, longest) = (edits * CHARACTERS_PER_EDIT, pieces * CHARACTERS_PER_EDIT - 1);
            if !any_near(shortest, longest) {
                continue;
            }
            let moved = edits.min(own_edits);
            // The first and the last piece that can have come to a place; both only grow with it.
            let (mut first, mut last) = (0, 0);
            Grams::of_length(gram_length(edits)).each(characters, |at, gram| {
                let gram = gram ^ name_hash;
                if !self.filter.may_have(anywhere(gram)) {
                    return;
                }
                while (first + 1) * longest <= at.saturating_sub(moved) * pieces {
                    first += 1;
                }
                while (last + 1) * shortest <= (at + moved + 1) * pieces {
                    last += 1;
                }
                for piece in first..=last.min(edits) {
                    search.look_at(key(gram, edits, piece), at);
                }
            });
        }
        if any_near((SHORT + 1) * CHARACTERS_PER_EDIT, usize::MAX) {
            let grams = Grams::of_length(gram_length(SHORT + 1));
            grams.each(characters, |at, gram| search.look_at(anywhere(gram ^ name_hash), at));
        }
        search.found
    }
}

/// A text that is looked for.
struct Search<'i> {
    index: &'i NearIndex,
    name: &'i str,
    characters: &'i [char],
    letters: OnceCell<Letters>,
    found: Option<u32>,
    compared: NumberSet<u32>,
}

impl<'i> Search<'i> {
    fn new(index: &'i NearIndex, name: &'i str, characters: &'i [char]) -> Search<'i> {
        Search {
            index,
            name,
            characters,
            letters: OnceCell::new(),
            found: None,
            compared: NumberSet::default(),
        }
    }

    /// Looks for texts that have this gram. Nearly always there is none.
    #[inline]
    fn look_at(&mut self, key: u64, at: usize) {
        if self.index.filter.may_have(key) {
            self.compare(key, at);
        }
    }

    /// Compares with the texts that have this gram at a place from where it can have come.
    #[inline(never)]
    fn compare(&mut self, key: u64, at: usize) {
        let length = self.characters.len();
        let mut next = self.index.grams.get(&key).copied();
        while let Some(place) = next.and_then(|place| self.index.places.get(place as usize)) {
            next = place.next;
            let edits = allowed_edits(length, place.length as usize);
            if length.abs_diff(place.length as usize) > edits
                || place.at.is_some_and(|there| at.abs_diff(there as usize) > edits)
                || self.found.is_some_and(|found| found <= place.text)
            {
                continue;
            }
            let Some(other) = self.index.texts.get(place.text as usize) else { break };
            let letters = self.letters.get_or_init(|| Letters::of(self.characters));
            if letters.need_more_edits_than(edits, &other.letters)
                || *other.name != *self.name
                || !self.compared.insert(place.text)
            {
                continue;
            }
            let other: Vec<char> = other.text.chars().collect();
            if edit_distance::within(self.characters, &other, edits) {
                self.found = Some(place.text);
            }
        }
    }
}

fn digest(name: &str, text: &str) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), xxh3_64(name.as_bytes()))
}

/// May a text of so many characters be near to one that is not equal?
fn is_compared(length: usize) -> bool {
    (CHARACTERS_PER_EDIT..=MAX_COMPARED).contains(&length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(a: &str, b: &str) -> bool {
        let mut index = NearIndex::default();
        index.add("p", a);
        index.find("p", b).is_some()
    }

    #[test]
    fn up_to_seven_characters_near_means_equal() {
        assert!(near("1234567", "1234567"));
        assert!(!near("1234567", "1234568"));
        assert!(near("12345678", "12345679"));
        assert!(!near("12345678", "1234567"), "the shorter one has seven");
        assert!(!near("12345678", "12345699"));
        assert!(near("0123456789abcdef", "0123456789abcde"));
        assert!(!near("0123456789abcdef", "x123456789abcde"), "fifteen characters allow one edit");
    }

    #[test]
    fn the_tag_name_must_be_the_same() {
        let mut index = NearIndex::default();
        index.add("p", "a text of some length");
        assert_eq!(index.find("p", "a text of same length"), Some(0));
        assert_eq!(index.find("div", "a text of same length"), None);
        assert_eq!(index.find("div", "a text of some length"), None);
    }

    #[test]
    fn equal_comes_before_near_and_else_the_first_counts() {
        let mut index = NearIndex::default();
        index.add("p", "responsible: one");
        index.add("p", "responsible: two");
        assert_eq!(index.len(), 2, "three edits are one too many for sixteen characters");
        index.add("p", "responsible: ons");
        assert_eq!(index.find("p", "responsible: ons"), Some(2));
        assert_eq!(index.find("p", "responsible: onx"), Some(0));
        assert_eq!(index.add("p", "responsible: one"), 0);
    }

    #[test]
    fn long_texts_are_compared_as_a_whole_only() {
        let long = "字".repeat(MAX_COMPARED + 1);
        assert!(near(&long, &long));
        assert!(!near(&long, &"字".repeat(MAX_COMPARED)));
        assert!(near(&"字".repeat(MAX_COMPARED), &"字".repeat(MAX_COMPARED - 99)));
    }

    fn by_comparing_all(texts: &[String], text: &str) -> Option<u32> {
        let wanted: Vec<char> = text.chars().collect();
        let equal = texts.iter().position(|it| it == text);
        let near = || {
            texts.iter().position(|it| {
                let it: Vec<char> = it.chars().collect();
                edit_distance::within(&it, &wanted, allowed_edits(it.len(), wanted.len()))
            })
        };
        equal.or_else(near).map(|at| at as u32)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn it_finds_what_comparing_with_all_finds(
            texts in prop::collection::vec("[ab字]{0,70}", 1..6),
            which in 0_usize..6,
            edits in prop::collection::vec((0_usize..70, 0_u8..3, "[abc]"), 0..9),
        ) {
            let mut index = NearIndex::default();
            let mut distinct: Vec<String> = Vec::new();
            for text in &texts {
                if !distinct.contains(text) {
                    index.add("p", text);
                    distinct.push(text.clone());
                }
            }
            let mut text: Vec<char> = texts[which % texts.len()].chars().collect();
            for (at, kind, new) in edits {
                let at = at % (text.len() + 1);
                match kind {
                    0 => text.insert(at, new.chars().next().unwrap()),
                    1 if at < text.len() => text[at] = new.chars().next().unwrap(),
                    _ if at < text.len() => { text.remove(at); }
                    _ => {}
                }
            }
            let text: String = text.into_iter().collect();
            prop_assert_eq!(index.find("p", &text), by_comparing_all(&distinct, &text));
        }
    }
}
