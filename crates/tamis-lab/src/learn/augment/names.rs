//! Class names and ids: kept, dropped, or put into words that mean nothing.

use super::super::lessons::site_number;

/// What becomes of class names and ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Names {
    Keep,
    Drop,
    /// The seed tells which words they are put into.
    Rename(u64),
}

impl Names {
    /// The new value of an attribute, or none if it goes.
    pub(super) fn changed(self, value: &str) -> Option<String> {
        match self {
            Names::Keep => Some(value.to_owned()),
            Names::Drop => None,
            Names::Rename(seed) => Some(renamed(value, seed)),
        }
    }
}

/// Each word of letters becomes another one, the same for the same word; digits and signs stay, since `post-12` and
/// `post-13` are one design.
fn renamed(value: &str, seed: u64) -> String {
    let mut out = String::with_capacity(2 * value.len());
    let mut rest = value;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphabetic();
        let end = rest.find(|c: char| c.is_alphabetic() != is_word).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        match is_word {
            true => out.push_str(&made_up(site_number(&part.to_lowercase()) ^ seed)),
            false => out.push_str(part),
        }
        rest = after;
    }
    out
}

/// A word of no language.
pub(in crate::learn) fn made_up(number: u64) -> String {
    const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    // Numbers that differ little give words that have nothing in common.
    let mut bits = crate::sample::Chance::of(number);
    let mut word = String::new();
    for _ in 0..3 {
        word.push(char::from(CONSONANTS[bits.below(CONSONANTS.len())]));
        word.push(char::from(VOWELS[bits.below(VOWELS.len())]));
    }
    word.push(char::from(CONSONANTS[bits.below(CONSONANTS.len())]));
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_new_name_and_numbers_stay() {
        let new = renamed("post-12 post_body body", 7);
        let words: Vec<&str> = new.split(['-', '_', ' ']).collect();
        assert_eq!((words[1], words[0], words[3]), ("12", words[2], words[4]));
        assert!(words[0] != words[3] && !new.contains("post"), "{new}");
        assert_ne!(new, renamed("post-12 post_body body", 8), "another page has other names");
        assert_eq!(renamed("Post", 7), renamed("post", 7));
    }

    #[test]
    fn words_are_told_apart() {
        let words: std::collections::HashSet<String> = (0..300).map(made_up).collect();
        assert_eq!(words.len(), 300);
    }
}
