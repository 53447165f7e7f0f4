//! Lexicons: one automaton maps a short text to the set of categories whose phrases it contains.

use std::sync::LazyLock;

use super::characters::{Flags, flags};

/// Phrase categories, in bit order.
pub const CATEGORIES: [&str; 16] = [
    "month",
    "ago",
    "author",
    "comment",
    "reply",
    "related",
    "share",
    "copyright",
    "consent",
    "account",
    "navigation",
    "more",
    "advert",
    "source",
    "tags",
    "contact",
];

/// Concepts of class tokens, in bit order.
pub const CONCEPTS: [&str; 16] = [
    "content", "comment", "nav", "footer", "header", "sidebar", "related", "share", "ad", "meta", "consent",
    "title", "author", "date", "post", "caption",
];

pub const MONTH: u32 = categories(&["month"]);
pub const AGO: u32 = categories(&["ago"]);
pub const AUTHOR: u32 = categories(&["author"]);
pub(crate) const COMMENT: u32 = categories(&["comment"]);

pub const CLASS_COMMENT: u32 = concepts(&["comment"]);
pub const CLASS_AUTHOR: u32 = concepts(&["author"]);
pub const CLASS_DATE: u32 = concepts(&["date"]);

/// Bits of [`CATEGORIES`].
pub(crate) const fn categories(names: &[&str]) -> u32 {
    bits(&CATEGORIES, names)
}

/// Bits of [`CONCEPTS`].
pub(crate) const fn concepts(names: &[&str]) -> u32 {
    bits(&CONCEPTS, names)
}

/// Bits of names by their place; a constant with an unknown name does not compile.
const fn bits(all: &[&str], names: &[&str]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < names.len() {
        let mut bit = 0;
        while !is_equal(all[bit].as_bytes(), names[at].as_bytes()) {
            bit += 1;
        }
        bits |= 1 << bit;
        at += 1;
    }
    bits
}

/// `==` in constants.
const fn is_equal(left: &[u8], right: &[u8]) -> bool {
    let mut at = 0;
    while at < left.len() && at < right.len() && left[at] == right[at] {
        at += 1;
    }
    at == left.len() && at == right.len()
}

/// A set of phrases, each with a category: a trie over bytes, entered at word starts only.
pub struct Lexicon {
    nodes: Vec<Node>,
    /// Outgoing edges of all nodes, sorted by byte within a node.
    edges: Vec<(u8, u32)>,
    /// Targets of the root's edges by byte; 0 for no edge.
    root: [u32; 256],
    /// A bit for each pair of bytes that a phrase starts with: most positions of a text are ruled out by it.
    first_pairs: Box<[u64; 1024]>,
}

#[derive(Clone, Copy, Default)]
struct Node {
    first_edge: u32,
    edge_count: u32,
    /// Categories of phrases that end here and must end at a word boundary.
    whole_word: u32,
    /// Categories of phrases that may go on.
    prefix: u32,
}

impl Lexicon {
    /// Parses lines of `category<TAB>language<TAB>phrase`. A trailing `*` makes the phrase a prefix.
    fn parse(lines: &str, categories: &[&str]) -> Lexicon {
        let mut phrases: Vec<(Vec<u8>, u32, u32)> = Vec::new();
        for line in lines.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(category), _, Some(phrase)) = (fields.next(), fields.next(), fields.next()) else {
                continue;
            };
            let Some(bit) = categories.iter().position(|known| *known == category) else { continue };
            let prefix = phrase.strip_suffix('*');
            let text = prefix.unwrap_or(phrase).to_lowercase();
            let (whole, open) = if prefix.is_some() { (0, 1 << bit) } else { (1 << bit, 0) };
            // Matching folds the case of ASCII only: other scripts are added capitalised as well.
            let mut characters = text.chars();
            if let Some(first) = characters.next().filter(|first| !first.is_ascii()) {
                let capital: String = first.to_uppercase().chain(characters).collect();
                phrases.push((capital.into_bytes(), whole, open));
            }
            phrases.push((text.into_bytes(), whole, open));
        }
        phrases.sort();
        Lexicon::build(&phrases)
    }

    /// Builds the trie from sorted phrases, level by level.
    fn build(phrases: &[(Vec<u8>, u32, u32)]) -> Lexicon {
        let mut lexicon = Lexicon {
            nodes: vec![Node::default()],
            edges: Vec::new(),
            root: [0; 256],
            first_pairs: Box::new([0; 1024]),
        };
        // Nodes still to expand: their phrases and depth. A node's phrases are contiguous.
        let mut pending = std::collections::VecDeque::from([(0, 0..phrases.len(), 0)]);
        while let Some((node, range, depth)) = pending.pop_front() {
            let mut at = range.start;
            while at < range.end && phrases[at].0.len() == depth {
                lexicon.nodes[node].whole_word |= phrases[at].1;
                lexicon.nodes[node].prefix |= phrases[at].2;
                at += 1;
            }
            lexicon.nodes[node].first_edge = lexicon.edges.len() as u32;
            while at < range.end {
                let byte = phrases[at].0[depth];
                let end = at + phrases[at..range.end].partition_point(|phrase| phrase.0[depth] == byte);
                let child = lexicon.nodes.len();
                lexicon.nodes.push(Node::default());
                lexicon.edges.push((byte, child as u32));
                lexicon.nodes[node].edge_count += 1;
                pending.push_back((child, at..end, depth + 1));
                at = end;
            }
        }
        for (byte, child) in &lexicon.edges[..lexicon.nodes[0].edge_count as usize] {
            lexicon.root[usize::from(*byte)] = *child;
        }
        for (phrase, ..) in phrases {
            let [first, rest @ ..] = phrase.as_slice() else { continue };
            for first in [*first, first.to_ascii_uppercase()] {
                let seconds = 0..=255_u8;
                for second in seconds.filter(|second| {
                    rest.first().is_none_or(|expected| *expected == second.to_ascii_lowercase())
                }) {
                    let (at, bit) = pair(first, second);
                    lexicon.first_pairs[at] |= bit;
                }
            }
        }
        lexicon
    }

    /// The categories whose phrases occur in `text`, as a bit set.
    #[inline]
    pub fn bits(&self, text: &str) -> u32 {
        let bytes = text.as_bytes();
        let (mut bits, mut at) = (0, 0);
        while let Some(first) = bytes.get(at) {
            let start = at;
            at += 1;
            let (place, bit) = pair(*first, bytes.get(at).copied().unwrap_or(0));
            // Continuation bytes of UTF-8 start no phrase.
            if self.first_pairs[place] & bit != 0 {
                bits |= self.matches_at(text, start, self.root[usize::from(first.to_ascii_lowercase())]);
            }
            // Phrases start at word starts.
            if first.is_ascii_alphabetic() {
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            }
        }
        bits
    }

    /// The categories of phrases that start at `start`, whose first byte leads to `node`.
    fn matches_at(&self, text: &str, start: usize, mut node: u32) -> u32 {
        let bytes = text.as_bytes();
        let (mut bits, mut at) = (0, start + 1);
        loop {
            let Node { first_edge, edge_count, whole_word, prefix } = self.nodes[node as usize];
            bits |= prefix;
            if whole_word != 0 && is_boundary(text, at) {
                bits |= whole_word;
            }
            let Some(byte) = bytes.get(at).map(u8::to_ascii_lowercase) else { break };
            let edges = &self.edges[first_edge as usize..][..edge_count as usize];
            let Some(edge) = edges.iter().find(|edge| edge.0 == byte) else { break };
            node = edge.1;
            at += 1;
        }
        // Scripts with spaces: a phrase inside a longer word is another word.
        if bits != 0 && !bytes[start].is_ascii() && !is_boundary(text, start) { 0 } else { bits }
    }
}

/// The place of a pair of bytes in a set of pairs.
#[inline]
fn pair(first: u8, second: u8) -> (usize, u64) {
    (usize::from(first) << 2 | usize::from(second >> 6), 1 << (second & 63))
}

/// Whether a word may start or end at a byte offset: between scripts without spaces, or beside a non-letter.
fn is_boundary(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is_letter = |character: char| flags(character).has(Flags::LETTER);
    if at == 0 || at >= bytes.len() {
        return true;
    }
    if bytes[at].is_ascii() || bytes[at - 1].is_ascii() {
        return !(bytes[at].is_ascii_alphabetic() && bytes[at - 1].is_ascii_alphabetic());
    }
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    !(before.chars().next_back().is_some_and(is_letter) && after.chars().next().is_some_and(is_letter))
}

/// Phrases in the text of short blocks.
pub static PHRASES: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::parse(include_str!("../../data/lexicon/blocks.tsv"), &CATEGORIES));

/// Tokens in `class` and `id` values.
pub static CLASS_TOKENS: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::parse(include_str!("../../data/class-tokens.tsv"), &CONCEPTS));

/// Tokens in `class`, `id` and `href` values that matter inside posts and entries, in bit order.
pub const REGION_TOKEN_CATEGORIES: [&str; 7] =
    ["state", "writer", "profile", "quote", "signature", "control", "number"];

pub const TOKEN_STATE: u32 = bits(&REGION_TOKEN_CATEGORIES, &["state"]);
pub const TOKEN_WRITER: u32 = bits(&REGION_TOKEN_CATEGORIES, &["writer"]);
pub const TOKEN_PROFILE: u32 = bits(&REGION_TOKEN_CATEGORIES, &["profile"]);
pub const TOKEN_QUOTE: u32 = bits(&REGION_TOKEN_CATEGORIES, &["quote"]);
pub const TOKEN_SIGNATURE: u32 = bits(&REGION_TOKEN_CATEGORIES, &["signature"]);
pub const TOKEN_CONTROL: u32 = bits(&REGION_TOKEN_CATEGORIES, &["control"]);
pub const TOKEN_NUMBER: u32 = bits(&REGION_TOKEN_CATEGORIES, &["number"]);

/// Tokens of posts, comments and entries.
pub static REGION_TOKENS: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::parse(include_str!("../../data/region-tokens.tsv"), &REGION_TOKEN_CATEGORIES));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_match_at_word_boundaries() {
        assert_eq!(PHRASES.bits("3 hours ago") & AGO, AGO);
        assert_eq!(PHRASES.bits("dragon boats") & AGO, 0);
        assert_eq!(PHRASES.bits("3시간 전") & AGO, AGO);
        assert_eq!(PHRASES.bits("전화번호") & AGO, 0);
        assert_eq!(PHRASES.bits("5小时前发布") & AGO, AGO);
        assert_eq!(PHRASES.bits("Комментарии: 3") & COMMENT, COMMENT);
        assert_eq!(PHRASES.bits(""), 0);
        assert_eq!(CLASS_TOKENS.bits("post-comments") & CLASS_COMMENT, CLASS_COMMENT);
    }
}
