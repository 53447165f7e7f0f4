//! Short texts that posts repeat: buttons, ranks, "Location: Pier 4". Each block is read once, and known by a number for its
//! letters.

use super::outline::Outline;
use super::parts::LINE;
use super::runs::Unit;
use crate::characters::is_letter;
use crate::hashing::NumberMap;

/// What is repeated from post to post, labels and subjects, has at most so many words; two posts may only agree in so many
/// letters.
const LABEL: u32 = 20;
const SHORT: usize = 20;
/// How many blocks are looked at for labels, for each block of the page: posts may stand inside of posts.
const BUDGET: usize = 8;

/// Short texts that posts have in common, by their letters.
pub(super) struct Labels {
    /// The block that `own` begins with.
    first: usize,
    own: Vec<Own>,
    /// In how many posts a text stands.
    counts: NumberMap<u64, u32>,
    /// How many posts there are.
    posts: u32,
}

/// What a block may be a label by.
#[derive(Clone, Copy, Default)]
struct Own {
    /// Its letters, if it is short.
    letters: Option<Letters>,
    /// The letters before its colon, if something stands behind it.
    lead: Option<Letters>,
}

/// The letters of a text.
#[derive(Clone, Copy)]
struct Letters {
    key: u64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    None,
    Few,
    Many,
    BeforeColon,
}

impl Letters {
    /// `put` holds the letters while they are read.
    fn of(text: &str, is_lead: bool, put: &mut String) -> Letters {
        put.clear();
        put.extend(text.chars().filter(|c| is_letter(*c)));
        let kind = match () {
            () if put.is_empty() => Kind::None,
            () if is_lead => Kind::BeforeColon,
            () if put.len() <= SHORT || put.chars().count() <= SHORT => Kind::Few,
            () => Kind::Many,
        };
        Letters { key: xxhash_rust::xxh3::xxh3_64_with_seed(put.as_bytes(), u64::from(is_lead)), kind }
    }
}

impl Labels {
    pub(super) fn of(outline: &Outline<'_>, units: &[Unit]) -> Labels {
        let blocks = outline.page.blocks();
        let first = units.iter().map(|unit| unit.blocks.start).min().unwrap_or(0);
        let last = units.iter().map(|unit| unit.blocks.end).max().unwrap_or(0).min(blocks.len());
        let mut put = String::new();
        let own = blocks.get(first..last).unwrap_or_default().iter().map(|block| {
            let (words, text) = (block.measures.text.words, outline.page.text(block));
            let letters = (words <= LABEL).then(|| Letters::of(text, false, &mut put));
            let lead = if words <= LINE { lead(text, &mut put) } else { None };
            Own { letters, lead }
        });
        let mut labels =
            Labels { first, own: own.collect(), counts: NumberMap::default(), posts: units.len() as u32 };
        let mut met: NumberMap<u64, (usize, u32)> = NumberMap::default();
        let mut budget = BUDGET * blocks.len();
        for (number, unit) in units.iter().enumerate() {
            for place in unit.blocks.clone().take(budget) {
                budget -= 1;
                // What is quoted is repeated because somebody said it.
                let Own { letters: Some(letters), lead } = labels.own(place) else { continue };
                if outline.is_quoted(place) {
                    continue;
                }
                for letters in [Some(letters), lead].into_iter().flatten() {
                    let (last, posts) = met.entry(letters.key).or_insert((usize::MAX, 0));
                    *posts += u32::from(*last != number);
                    *last = number;
                }
            }
        }
        labels.counts =
            met.into_iter().map(|(key, (_, posts))| (key, posts)).filter(|(_, posts)| *posts > 1).collect();
        labels
    }

    /// In how many posts a text stands, where that makes it a label; 0 where it does not.
    pub(super) fn times(&self, text: &str) -> u32 {
        self.times_of(Letters::of(text, false, &mut String::new()))
    }

    /// Is a block a label, or without letters?
    pub(super) fn is_label(&self, place: usize) -> bool {
        let is_one = |letters: Letters| letters.kind == Kind::None || self.times_of(letters) > 0;
        self.own(place).letters.is_some_and(is_one)
    }

    /// Do most posts begin a line as this block begins: "Location:"?
    pub(super) fn has_lead(&self, place: usize) -> bool {
        self.own(place).lead.is_some_and(|lead| self.times_of(lead) > 0)
    }

    /// Does another post have the same line, or do most begin a line so? Ranks and signatures are repeated, though not in all
    /// posts.
    pub(super) fn is_told(&self, place: usize) -> bool {
        let is_repeated = |letters: Letters| self.counts.contains_key(&letters.key);
        self.own(place).letters.is_some_and(is_repeated) || self.has_lead(place)
    }

    fn own(&self, place: usize) -> Own {
        place.checked_sub(self.first).and_then(|at| self.own.get(at)).copied().unwrap_or_default()
    }

    fn times_of(&self, letters: Letters) -> u32 {
        let often = match letters.kind {
            // Whoever wrote "Note:" once may do so again.
            Kind::BeforeColon => (self.posts * 3).div_ceil(5).max(2),
            Kind::Few | Kind::None => (self.posts / 2).max(2),
            Kind::Many => (self.posts / 2).max(3),
        };
        self.counts.get(&letters.key).copied().filter(|count| *count >= often).unwrap_or(0)
    }
}

/// What a short line says before its colon, where more follows: "Location: Pier 4", "Rank: Captain".
fn lead(text: &str, put: &mut String) -> Option<Letters> {
    let (lead, rest) = text.split_once([':', '：'])?;
    let is_label = lead.chars().count() <= SHORT && rest.chars().any(char::is_alphanumeric);
    Some(lead)
        .filter(|_| is_label)
        .map(|lead| Letters::of(lead, true, put))
        .filter(|it| it.kind != Kind::None)
}
