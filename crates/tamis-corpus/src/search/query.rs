//! The query language and its translation for each database.
//!
//! Words are ANDed; `"a phrase"`, `-excluded`, `prefix*`, and `OR` between neighbours (`a b OR c` is a AND (b OR c)).
//! Everything else is text, so every input is a valid query. [`crate::segment`] defines words; input that it splits
//! into several words (`don't`, a run of Chinese) becomes a phrase.

use crate::segment::{SegmentKind, Segments};

/// Longest query in bytes; the rest is ignored.
const MAX_QUERY_BYTES: usize = 4096;
/// Most words and phrases of a query; the rest is ignored.
const MAX_TERMS: usize = 32;
/// Most words of a phrase; the rest is ignored.
const MAX_PHRASE_WORDS: usize = 32;
/// Fewest characters of a prefix. A single letter would match most of the index.
const MIN_PREFIX_CHARACTERS: usize = 2;

/// A word or a phrase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub(super) words: Vec<String>,
    /// Whether the last word is a prefix.
    pub(super) prefix: bool,
}

/// A parsed query.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) struct Parsed {
    /// Each of these must match with at least one of its terms.
    pub(super) all: Vec<Vec<Term>>,
    /// None of these may match.
    none: Vec<Term>,
}

impl Parsed {
    pub(super) fn new(text: &str) -> Parsed {
        let mut parsed = Parsed::default();
        let mut rest = &text[..text.floor_char_boundary(MAX_QUERY_BYTES)];
        let mut join = false;
        for _ in 0..MAX_TERMS {
            rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            let negated = rest.strip_prefix('-').filter(|rest| !rest.starts_with(char::is_whitespace));
            rest = negated.unwrap_or(rest);
            let (token, quoted);
            (token, rest, quoted) = next_token(rest);
            if token == "OR" && !quoted && negated.is_none() && !parsed.all.is_empty() {
                join = true;
                continue;
            }
            let starred = if quoted { rest.strip_prefix('*') } else { None };
            rest = starred.unwrap_or(rest);
            let Some(term) = Term::new(token, starred.is_some() || (!quoted && token.ends_with('*'))) else {
                continue;
            };
            match (negated, parsed.all.last_mut()) {
                (Some(_), _) => parsed.none.push(term),
                (None, Some(last)) if join => last.push(term),
                (None, _) => parsed.all.push(vec![term]),
            }
            join = false;
        }
        parsed
    }

    /// The query as an FTS5 expression; `None` without positive terms.
    pub(super) fn fts5(&self) -> Option<String> {
        let all = join(self.all.iter().map(|any| any_of(any, Term::fts5, " OR ")), " AND ")?;
        Some(match self.none.is_empty() {
            true => all,
            false => format!("({all}) NOT {}", any_of(&self.none, Term::fts5, " OR ")),
        })
    }

    /// The query as a tsquery; `None` without positive terms.
    pub(super) fn tsquery(&self) -> Option<String> {
        join(self.all.iter().map(|any| any_of(any, Term::tsquery, " | ")), " & ")
    }

    /// A tsquery that the index can answer without a recheck: words in any order, without exclusions, which are left to
    /// [`excluded_tsquery`](Self::excluded_tsquery).
    pub(super) fn words_tsquery(&self) -> Option<String> {
        let mut query = join(self.all.iter().map(|any| any_of(any, Term::words_tsquery, " | ")), " & ")?;
        for term in self.none.iter().filter(|term| term.words.len() == 1) {
            query.push_str(&format!(" & !{}", term.tsquery()));
        }
        Some(query)
    }

    /// Whether [`words_tsquery`](Self::words_tsquery) matches more than the query.
    pub(super) fn needs_recheck(&self) -> bool {
        self.all.iter().flatten().chain(&self.none).any(|term| term.words.len() > 1)
    }

    /// The exclusions as a separate tsquery, since a word in any chunk excludes the whole text.
    pub(super) fn excluded_tsquery(&self) -> Option<String> {
        (!self.none.is_empty()).then(|| any_of(&self.none, Term::tsquery, " | "))
    }
}

impl Term {
    fn new(text: &str, starred: bool) -> Option<Term> {
        let mut words = Vec::new();
        let (mut last, mut before) = (None, None);
        let mut segments = Segments::new(text);
        while let Some(segment) = segments.next_segment()
            && words.len() < MAX_PHRASE_WORDS
        {
            (before, last) = (last, Some(segment.kind));
            words.push(segment.word.to_owned());
        }
        let mut prefix = starred && words.last()?.chars().nth(MIN_PREFIX_CHARACTERS - 1).is_some();
        if last == Some(SegmentKind::Last) {
            // If the text continues after the match, the last character is part of a pair there.
            if before == Some(SegmentKind::Pair) {
                words.pop();
            } else {
                prefix = true;
            }
        }
        (!words.is_empty()).then_some(Term { words, prefix })
    }

    // Words contain letters, digits and marks only, so they cannot close the quotes.

    fn fts5(&self) -> String {
        format!("\"{}\"{}", self.words.join(" "), if self.prefix { " *" } else { "" })
    }

    fn words_tsquery(&self) -> String {
        format!("('{}'{})", self.words.join("' & '"), if self.prefix { ":*" } else { "" })
    }

    fn tsquery(&self) -> String {
        format!("('{}'{})", self.words.join("' <-> '"), if self.prefix { ":*" } else { "" })
    }
}

/// The next word or quoted phrase, the rest after it, and whether it was quoted.
fn next_token(text: &str) -> (&str, &str, bool) {
    const QUOTES: [char; 3] = ['"', '“', '”'];
    if let Some(quoted) = text.strip_prefix(QUOTES) {
        let end = quoted.find(QUOTES).unwrap_or(quoted.len());
        let (phrase, rest) = quoted.split_at(end);
        return (phrase, rest.strip_prefix(QUOTES).unwrap_or(rest), true);
    }
    let end = text.find(|character: char| character.is_whitespace() || QUOTES.contains(&character));
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word, rest, false)
}

fn any_of(terms: &[Term], write: fn(&Term) -> String, or: &str) -> String {
    let terms: Vec<String> = terms.iter().map(write).collect();
    format!("({})", terms.join(or))
}

fn join(clauses: impl Iterator<Item = String>, and: &str) -> Option<String> {
    let clauses: Vec<String> = clauses.collect();
    (!clauses.is_empty()).then(|| clauses.join(and))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_translated_for_both_databases() {
        for (query, fts5, tsquery, excluded) in [
            ("Harbour bridge", r#"("harbour") AND ("bridge")"#, "(('harbour')) & (('bridge'))", ""),
            (
                r#""old town" -Rain*"#,
                r#"(("old town")) NOT ("rain" *)"#,
                "(('old' <-> 'town'))",
                "(('rain':*))",
            ),
            ("a OR b c", r#"("a" OR "b") AND ("c")"#, "(('a') | ('b')) & (('c'))", ""),
            ("don't", r#"("don t")"#, "(('don' <-> 't'))", ""),
            ("北京大学", r#"("北京 京大 大学")"#, "(('北京' <-> '京大' <-> '大学'))", ""),
            ("京", r#"("京" *)"#, "(('京':*))", ""),
            ("x*", r#"("x")"#, "(('x'))", ""),
            ("OR", r#"("or")"#, "(('or'))", ""),
            ("\"unclosed AND (", r#"("unclosed and")"#, "(('unclosed' <-> 'and'))", ""),
            ("title:x' & !", r#"("title x")"#, "(('title' <-> 'x'))", ""),
            ("-rain", "", "", "(('rain'))"),
            ("* - \" OR", r#"("or")"#, "(('or'))", ""),
        ] {
            let parsed = Parsed::new(query);
            assert_eq!(parsed.fts5().unwrap_or_default(), fts5, "{query}");
            assert_eq!(parsed.tsquery().unwrap_or_default(), tsquery, "{query}");
            assert_eq!(parsed.excluded_tsquery().unwrap_or_default(), excluded, "{query}");
        }
    }
}
