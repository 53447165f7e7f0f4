//! The phrases of `data/lexicon/regions.tsv`: labels around names, quotes, edit notes and message headers.

use std::sync::LazyLock;

use crate::text::characters::is_alphanumeric;

/// What a phrase announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    Byline,
    Wrote,
    NameEnd,
    Quoting,
    Edited,
    Profile,
    ListLink,
    Field,
    Foot,
}

const KINDS: [(&str, Phrase); 9] = [
    ("byline", Phrase::Byline),
    ("wrote", Phrase::Wrote),
    ("name-end", Phrase::NameEnd),
    ("quoting", Phrase::Quoting),
    ("edited", Phrase::Edited),
    ("profile", Phrase::Profile),
    ("list-link", Phrase::ListLink),
    ("field", Phrase::Field),
    ("foot", Phrase::Foot),
];

/// Phrases by their first character modulo the number of lists.
type PhraseList = [Vec<&'static str>; 64];

static PHRASES: LazyLock<[PhraseList; KINDS.len()]> = LazyLock::new(|| {
    let mut lists = std::array::from_fn(|_| std::array::from_fn(|_| Vec::new()));
    for line in include_str!("../../data/lexicon/regions.tsv").lines() {
        let mut fields = line.split('\t');
        if let (Some(kind), _, Some(phrase)) = (fields.next(), fields.next(), fields.next())
            && let Some(at) = KINDS.iter().position(|(name, _)| *name == kind)
            && let Some(first) = phrase.chars().next()
        {
            let list: &mut PhraseList = &mut lists[at];
            list[first as usize % list.len()].push(phrase);
        }
    }
    lists
});

impl Phrase {
    /// The phrases that may start with a lowercase character.
    fn starting_with(self, first: char) -> &'static [&'static str] {
        let list = &PHRASES[self as usize];
        &list[first as usize % list.len()]
    }

    /// What follows the phrase at the start of `text`.
    pub(super) fn after(self, text: &str) -> Option<&str> {
        let is_before = |c: char| {
            matches!(c, ' ' | '“' | '"' | '«' | '「' | '.' | '·' | '•' | '(' | '*' | '[') || c.is_whitespace()
        };
        let text = text.trim_start_matches(is_before);
        let first = lowercase(text.chars().next()?);
        let phrases = self.starting_with(first).iter();
        let rest = phrases.filter_map(|phrase| strip_prefix(text, phrase)).min_by_key(|rest| rest.len())?;
        let is_end = rest.chars().next().is_none_or(|next| !next.is_alphabetic())
            || !text[..text.len() - rest.len()].is_ascii();
        is_end.then_some(rest)
    }

    /// The text before and after the first occurrence of the phrase as separate words.
    pub(super) fn around(self, text: &str) -> Option<(&str, &str)> {
        let mut previous = None;
        for (at, first) in text.char_indices() {
            let before = previous.replace(first);
            // Words of scripts with spaces stand alone.
            if first.is_ascii() && before.is_some_and(is_alphanumeric) {
                continue;
            }
            let phrases = self.starting_with(lowercase(first));
            let behind = |phrase: &&str| {
                let rest = strip_prefix(&text[at..], phrase)?;
                (!phrase.is_ascii() || !rest.starts_with(is_alphanumeric)).then_some(rest)
            };
            if let Some(rest) = phrases.iter().filter_map(behind).min_by_key(|rest| rest.len()) {
                return Some((&text[..at], rest));
            }
        }
        None
    }

    /// The earliest occurrence of a separator in `text`.
    pub(super) fn position(self, text: &str) -> Option<usize> {
        PHRASES[self as usize].iter().flatten().filter_map(|phrase| text.find(phrase)).min()
    }
}

fn lowercase(character: char) -> char {
    match character.is_ascii() {
        true => character.to_ascii_lowercase(),
        false => character.to_lowercase().next().unwrap_or(character),
    }
}

fn strip_prefix<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let start = text.get(..phrase.len())?;
    let is_same = start.eq_ignore_ascii_case(phrase)
        || (!phrase.is_ascii() && start.chars().map(lowercase).eq(phrase.chars()));
    is_same.then(|| &text[phrase.len()..])
}

/// Names have at most so many words.
const MAX_NAME_WORDS: usize = 5;
/// And characters.
const MAX_NAME_CHARACTERS: usize = 40;

/// The name in a text that says who wrote something, without labels.
pub(super) fn name_in(text: &str) -> Option<&str> {
    let mut name = text.trim();
    // An address in angle brackets or parentheses follows the name.
    if let Some(address) = name.find(['<', '(']).filter(|at| *at > 0 && name.ends_with(['>', ')'])) {
        name = &name[..address];
    }
    if let Some(rest) = Phrase::Byline.after(name)
        && (rest.is_empty() || rest.starts_with(is_separator))
    {
        name = rest.trim_start_matches(is_separator);
        if let Some(end) = Phrase::NameEnd.position(name) {
            name = &name[..end];
        }
    }
    if let Some((before, behind)) = Phrase::Wrote.around(name)
        && behind.trim_matches(is_separator).len() < 40
        && !before.trim().is_empty()
    {
        name = before;
    }
    let name = name.trim_matches(is_separator).trim_start_matches('@');
    is_name(name).then_some(name)
}

/// Whether a text has the shape of a name: short, with letters, no sentence.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= MAX_NAME_CHARACTERS
        && name.split_whitespace().count() <= MAX_NAME_WORDS
        && name.chars().any(is_alphanumeric)
        && !name.ends_with(['?', '!', '…', '。', '؟'])
        && !name.contains("://")
        && !name.split_once('@').is_some_and(|(_, host)| host.contains('.'))
}

fn is_separator(character: char) -> bool {
    match character {
        'a'..='z' | 'A'..='Z' => false,
        ' ' | ':' | '：' | ',' | '，' | ';' | '|' | '»' | '«' | '·' | '•' | '-' | '–' | '—' => {
            true
        }
        '>' | '→' | '↑' | '"' | '“' | '”' | '(' | ')' | '[' | ']' => true,
        _ => character.is_whitespace(),
    }
}

/// The number that a short text gives a post: `#3`, `Post 3`, `3楼`.
pub(super) fn number_in(text: &str) -> Option<u32> {
    if text.len() > 32 || text.split_whitespace().count() > 3 {
        return None;
    }
    // Names may end with digits.
    let bytes = text.as_bytes();
    if bytes.windows(2).any(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit()) {
        return None;
    }
    let mut runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let number = runs.next().filter(|run| run.len() <= 7)?;
    if runs.next().is_some() { None } else { number.parse().ok() }
}

/// Whom a quote is from, by its first line: `Ann wrote:`, `Quote from: Ann on May 3`.
pub(super) fn quoted_name(line: &str) -> Option<&str> {
    if line.chars().count() > 120 {
        return None;
    }
    if let Some(rest) = Phrase::Quoting.after(line) {
        let rest = rest.trim_start_matches(is_separator);
        let end = Phrase::NameEnd.position(rest).filter(|end| *end > 0).unwrap_or(rest.len());
        let name = Phrase::Wrote.around(&rest[..end]).map_or(&rest[..end], |(before, _)| before);
        let name = name.trim_matches(is_separator);
        return is_name(name).then_some(name);
    }
    let (before, behind) = Phrase::Wrote.around(line)?;
    let is_label = behind.trim().is_empty()
        || line.trim_end().ends_with([':', '：', '↑', '→', '»'])
        || behind.trim_start().starts_with([':', '：'])
        || behind.bytes().any(|byte| byte.is_ascii_digit());
    // "On May 3, 2011, Ann wrote:"
    let name = before.rsplit([',', '，', ')', '>']).next().unwrap_or(before).trim_matches(is_separator);
    let name = name.trim_start_matches('@');
    (is_label && is_name(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_labels() {
        for (text, name) in [
            ("by Ann", Some("Ann")),
            ("Posted by Ann B. on May 3, 2011", Some("Ann B.")),
            ("Ann wrote:", Some("Ann")),
            ("@ann", Some("ann")),
            ("From: Ann B. <ann@example.org>", Some("Ann B.")),
            ("作者：小雨", Some("小雨")),
            ("Byron", Some("Byron")),
            ("Author", None),
            ("Does anybody know when the ferry runs?", None),
            ("", None),
        ] {
            assert_eq!(name_in(text), name, "{text}");
        }
    }

    #[test]
    fn quotes_name_their_writers() {
        for (line, name) in [
            ("Ann wrote:", Some("Ann")),
            ("Originally Posted by Ann", Some("Ann")),
            ("Quote from: Ann on May 3, 2011", Some("Ann")),
            ("On May 3, 2011, Ann wrote:", Some("Ann")),
            ("@ann said in Boats:", Some("ann")),
            ("小雨 发表于 2010-3-4 11:22", Some("小雨")),
            ("She wrote a letter and said nothing", None),
            ("The ferry is late", None),
        ] {
            assert_eq!(quoted_name(line), name, "{line}");
        }
    }

    #[test]
    fn numbers_stand_alone() {
        assert_eq!(number_in("#3"), Some(3));
        assert_eq!(number_in("3楼"), Some(3));
        assert_eq!(number_in("maik005"), None);
        assert_eq!(number_in("2 of 3"), None);
        assert_eq!(number_in("May 3, 2011 at noon"), None);
    }
}
