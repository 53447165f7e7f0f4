//! The table of pager words in `data/pager-words.tsv`.

use std::collections::HashSet;
use std::sync::LazyLock;

const TABLE: &str = include_str!("../../data/pager-words.tsv");

/// The role of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Next,
    Symbol,
    Class,
    Parameter,
    Offset,
}

static WORDS: LazyLock<HashSet<(Kind, &'static str)>> =
    LazyLock::new(|| rows().filter_map(|(kind, word)| Some((kind?, word))).collect());

fn rows() -> impl Iterator<Item = (Option<Kind>, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.filter_map(|line| line.split_once('\t')).map(|(kind, word)| {
        let kind = match kind {
            "next" => Some(Kind::Next),
            "symbol" => Some(Kind::Symbol),
            "class" => Some(Kind::Class),
            "parameter" => Some(Kind::Parameter),
            "offset" => Some(Kind::Offset),
            _ => None,
        };
        (kind, word)
    })
}

/// Whether a word, in lower case, is of a kind.
pub(super) fn is(word: &str, kind: Kind) -> bool {
    // The set has `'static` keys, but a shorter borrow suffices for a lookup.
    WORDS.contains(&(kind, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_known_kind_and_a_lower_case_word() {
        assert!(rows().count() > 100);
        for (kind, word) in rows() {
            assert!(kind.is_some(), "{word}: unknown kind");
            assert_eq!(word, word.to_lowercase());
        }
    }
}
