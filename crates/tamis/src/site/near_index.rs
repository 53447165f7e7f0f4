//! Finding a text that is near to a given one among thousands, at the cost of a few table look-ups.
//!
//! Near means: the same tag name, and an edit distance of at most one for every eight characters of the shorter text.
//! A text of `l` characters may thus differ from a near one by `k <= l / 8` edits. Cut into `k + 1` pieces, at least
//! one piece is untouched and has moved by no more than `k` places (the pigeonhole principle). So the beginnings of
//! the pieces are indexed, a text that is looked for is scanned once for places where one of them stands, and only
//! where it does are two texts compared.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::edit_distance;

/// One edit is allowed for so many characters of the shorter text (the paper, section 4).
const CHARACTERS_PER_EDIT: usize = 8;

/// Texts with more characters are near only when they are equal: templates are short, and a page must not be able to
/// make us compare books with each other.
const MAX_COMPARED: usize = 1_000;

/// The longest beginning of a piece that is indexed. Pieces have seven characters or eight, in short texts fewer.
const MAX_GRAM: usize = 7;
const MIN_GRAM: usize = 4;

/// How many edits two texts may be apart and still be near.
pub(crate) fn allowed_edits(a: usize, b: usize) -> usize {
    a.min(b) / CHARACTERS_PER_EDIT
}

/// Texts with their tag names, numbered in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearIndex {
    /// Digests of name and text.
    equal: HashMap<u128, u32>,
    texts: Vec<Indexed>,
    /// From a gram's hash to the last place where it was put, whose `next` leads to the others.
    grams: HashMap<u64, u32>,
    places: Vec<Place>,
    filter: Filter,
}

#[derive(Clone, Debug)]
struct Indexed {
    name: Box<str>,
    text: Box<str>,
    /// In characters.
    length: u32,
}

/// A gram of an indexed text.
#[derive(Clone, Copy, Debug)]
struct Place {
    text: u32,
    /// Where in the text; nothing where it stands at several places.
    at: Option<u32>,
    next: Option<u32>,
}

impl NearIndex {
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The name and text with this number.
    pub(crate) fn get(&self, number: u32) -> Option<(&str, &str)> {
        self.texts.get(number as usize).map(|indexed| (&*indexed.name, &*indexed.text))
    }

    /// Adds a text and gives its number; one that is there already keeps its number.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> u32 {
        let number = self.texts.len() as u32;
        let known = *self.equal.entry(digest(name, text)).or_insert(number);
        if known != number {
            return known;
        }
        let characters: Vec<char> = text.chars().take(MAX_COMPARED + 1).collect();
        if is_compared(characters.len()) {
            self.add_grams(number, xxh3_64(name.as_bytes()), &characters);
        }
        self.texts.push(Indexed { name: name.into(), text: text.into(), length: characters.len() as u32 });
        number
    }

    fn add_grams(&mut self, number: u32, name: u64, characters: &[char]) {
        let gram = gram_length(characters.len());
        let pieces = allowed_edits(characters.len(), characters.len()) + 1;
        for piece in 0..pieces {
            let at = piece * characters.len() / pieces;
            let hash = Roller::new(gram).of(&characters[at..at + gram]) ^ name;
            let last = self.grams.get(&hash).copied();
            if let Some(last) = last.and_then(|last| self.places.get_mut(last as usize))
                && last.text == number
            {
                last.at = None;
                continue;
            }
            self.filter.add(hash);
            self.grams.insert(hash, self.places.len() as u32);
            self.places.push(Place { text: number, at: Some(at as u32), next: last });
        }
    }

    /// The number of a text that is equal, else of the first that is near.
    pub(crate) fn find(&self, name: &str, text: &str) -> Option<u32> {
        if let Some(&equal) = self.equal.get(&digest(name, text)) {
            return Some(equal);
        }
        if text.len() < CHARACTERS_PER_EDIT || self.places.is_empty() {
            return None;
        }
        let characters: Vec<char> = text.chars().take(MAX_COMPARED + 1).collect();
        if is_compared(characters.len()) { self.find_near(name, &characters) } else { None }
    }

    fn find_near(&self, name: &str, characters: &[char]) -> Option<u32> {
        let length = characters.len();
        let name_hash = xxh3_64(name.as_bytes());
        // The lengths that a near text may have, with the same number of edits or one fewer or more.
        let shortest = length - allowed_edits(length, length);
        let longest = length + allowed_edits(length, length);
        let mut found: Option<u32> = None;
        let mut compared: HashSet<u32> = HashSet::new();
        for gram in gram_length(shortest)..=gram_length(longest) {
            let mut roller = Roller::new(gram);
            for (end, &character) in characters.iter().enumerate() {
                let leaving = if end >= gram { characters[end - gram] } else { '\0' };
                let hash = roller.roll(character, leaving) ^ name_hash;
                if end + 1 < gram || !self.filter.may_have(hash) {
                    continue;
                }
                let at = end + 1 - gram;
                let mut next = self.grams.get(&hash).copied();
                while let Some(place) = next.and_then(|place| self.places.get(place as usize)) {
                    next = place.next;
                    let Some(other) = self.texts.get(place.text as usize) else { break };
                    let edits = allowed_edits(length, other.length as usize);
                    if length.abs_diff(other.length as usize) > edits
                        || place.at.is_some_and(|there| at.abs_diff(there as usize) > edits)
                        || found.is_some_and(|found| found <= place.text)
                        || !compared.insert(place.text)
                    {
                        continue;
                    }
                    let other_characters: Vec<char> = other.text.chars().collect();
                    if *other.name == *name && edit_distance::within(characters, &other_characters, edits) {
                        found = Some(place.text);
                    }
                }
            }
        }
        found
    }
}

fn digest(name: &str, text: &str) -> u128 {
    let mut digest = Xxh3Default::new();
    digest.update(name.as_bytes());
    digest.update(&[0]);
    digest.update(text.as_bytes());
    digest.digest128()
}

/// May a text of so many characters be near to one that is not equal?
fn is_compared(length: usize) -> bool {
    (CHARACTERS_PER_EDIT..=MAX_COMPARED).contains(&length)
}

/// How many characters of each piece are indexed in a text of this length: no more than the shortest piece has in any
/// text that is cut into as many. It grows with the length, so a band of lengths has a band of these.
fn gram_length(length: usize) -> usize {
    let edits = allowed_edits(length, length);
    (edits * CHARACTERS_PER_EDIT / (edits + 1)).clamp(MIN_GRAM, MAX_GRAM)
}

/// A hash of the last few characters that costs the same whatever their number.
struct Roller {
    length: usize,
    hash: u64,
    /// What the character that leaves was multiplied with.
    leaving: u64,
}

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

impl Roller {
    fn new(length: usize) -> Roller {
        Roller { length, hash: 0, leaving: BASE.wrapping_pow(length as u32) }
    }

    fn roll(&mut self, entering: char, leaving: char) -> u64 {
        let kept = self.hash.wrapping_mul(BASE).wrapping_sub(u64::from(leaving).wrapping_mul(self.leaving));
        self.hash = kept.wrapping_add(u64::from(entering));
        self.mixed()
    }

    fn of(mut self, gram: &[char]) -> u64 {
        for &character in gram {
            self.roll(character, '\0');
        }
        self.mixed()
    }

    fn mixed(&self) -> u64 {
        let mixed = (self.hash ^ self.length as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }
}

/// Says of most hashes that are not in the index that they are not, from a table small enough to stay in the cache.
#[derive(Clone, Debug, Default)]
struct Filter {
    /// A power of two of them, or none.
    words: Vec<u64>,
    hashes: Vec<u64>,
}

impl Filter {
    fn add(&mut self, hash: u64) {
        self.hashes.push(hash);
        // Eight bits a hash: one in eight look-ups that should fail passes.
        if self.hashes.len() * 8 > self.words.len() * 64 {
            let words = (self.words.len() * 2).max(64);
            self.words = vec![0; words];
            for at in 0..self.hashes.len() {
                self.set(self.hashes[at]);
            }
        } else {
            self.set(hash);
        }
    }

    fn set(&mut self, hash: u64) {
        let word = self.word(hash);
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << (hash & 63);
        }
    }

    fn may_have(&self, hash: u64) -> bool {
        self.words.get(self.word(hash)).is_some_and(|word| word >> (hash & 63) & 1 == 1)
    }

    fn word(&self, hash: u64) -> usize {
        (hash >> 6) as usize & self.words.len().wrapping_sub(1)
    }
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

    /// `cargo test --release -p tamis --lib -- --ignored --nocapture no_more_than_parsing`
    #[test]
    #[ignore = "measures time, so it wants a quiet machine and an optimised build"]
    fn looking_up_a_page_costs_no_more_than_parsing_it() {
        use std::fmt::Write as _;
        use std::time::{Duration, Instant};

        use crate::Page;
        use crate::site::leaf_tags;

        // Sentences from a small vocabulary, so that texts share many of their pieces.
        let words = [
            "river",
            "editor",
            "copyright",
            "today",
            "of",
            "the",
            "all",
            "rights",
            "page",
            "news",
            "站",
            "编辑",
        ];
        let mut state = 1_u64;
        let mut text = |most: u64| {
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 33
            };
            let number = 1 + random() % most;
            (0..number).map(|_| words[random() as usize % words.len()]).collect::<Vec<_>>().join(" ")
        };
        let mut index = NearIndex::default();
        while index.len() < 5_000 {
            index.add(["a", "p", "span", "li"][index.len() % 4], &text(12));
        }
        let mut html = String::new();
        for _ in 0..100 {
            let (a, span, p, li) = (text(4), text(6), text(40), text(12));
            let _ = writeln!(
                html,
                "<div class='item box'><a href='/a/page.html' target=_blank>{a}</a><span class=date>{span}</span>\
                 <p style='margin:0'>{p}</p><ul class=list><li class=entry>{li}</ul></div>\n"
            );
        }
        let page = Page::parse(&html);
        let tags = leaf_tags(&page);
        assert_eq!(tags.len(), 400);
        let best = |mut work: Box<dyn FnMut() + '_>| {
            (0..50).fold(Duration::MAX, |best, _| {
                let start = Instant::now();
                work();
                best.min(start.elapsed())
            })
        };
        let mut found = 0;
        let tags_time = best(Box::new(|| drop(std::hint::black_box(leaf_tags(&page)))));
        let find = best(Box::new(|| {
            found = tags.iter().filter(|tag| index.find(tag.name, &tag.text).is_some()).count();
        }));
        let parse = best(Box::new(|| drop(std::hint::black_box(tamis_html::parse(&html)))));
        let measure = best(Box::new(|| drop(std::hint::black_box(Page::parse(&html)))));
        println!(
            "{} bytes: tree {parse:?}, page {measure:?}; 400 leaf tags {tags_time:?}, looked up among 5,000 {find:?} ({found} near)",
            html.len()
        );
        assert!(find <= measure, "looking up {find:?}, parsing {measure:?}");
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
