//! Removal of the site's name from `<title>`: the paper's stop-word list.
//!
//! Pages write "headline - section - site" or "site: headline" with many separators. Some of these occur in headlines
//! too and count only where a part beside them is known to be no headline.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::data;

/// Separators that hardly ever occur inside a headline.
const STRONG: &str = "|｜¦_＿»«›‹•·丨";
/// Separators that occur in headlines too: they count between spaces, and beside Chinese characters without.
const WEAK: &str = "-－–—―:：";
/// Longer parts are not the name of a site, whatever words they have.
const MAX_NAME_LENGTH: usize = 24;
/// Parts removed at each end, at most.
const MAX_PARTS: usize = 16;
/// Titles are cut to this many bytes first.
const MAX_TITLE_BYTES: usize = 4096;

static SITE_NAMES: LazyLock<SiteNames> = LazyLock::new(|| {
    let of =
        |list: &'static str| data::rows(data::SITE_NAMES).filter(move |row| row.0 == list).map(|row| row.1);
    SiteNames { anywhere: of("zh").collect(), words: of("en").collect(), hosts: of("host").collect() }
});

struct SiteNames {
    anywhere: Vec<&'static str>,
    words: HashSet<&'static str>,
    hosts: Vec<&'static str>,
}

/// Removes the names of the site and its sections from a page's title.
pub fn clean_title(title: &str) -> String {
    let title = &title[..title.floor_char_boundary(MAX_TITLE_BYTES)];
    let mut title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_name = |part: &str, rest: &str, is_strong: bool| {
        let is_shorter = || part.chars().count() < rest.chars().count();
        part.is_empty() || names_a_site(part) || (is_strong && is_shorter())
    };
    // From the end, where names mostly are, then from the start.
    for _ in 0..MAX_PARTS {
        let Some((at, length, is_strong)) = separators(&title).last() else { break };
        let (head, tail) = (title[..at].trim(), title[at + length..].trim());
        if head.is_empty() || !is_name(tail, head, is_strong) {
            break;
        }
        title = head.to_owned();
    }
    for _ in 0..MAX_PARTS {
        let Some((at, length, is_strong)) = separators(&title).next() else { break };
        let (head, tail) = (title[..at].trim(), title[at + length..].trim());
        if tail.is_empty() || !is_name(head, tail, is_strong) {
            break;
        }
        title = tail.to_owned();
    }
    title
}

/// Whether a part of a title names a site or a section.
fn names_a_site(part: &str) -> bool {
    if part.chars().count() > MAX_NAME_LENGTH {
        return false;
    }
    let names = &*SITE_NAMES;
    let lower = part.to_lowercase();
    let is_host = !lower.contains(' ') && names.hosts.iter().any(|end| lower.contains(end));
    let mut words = lower.split(|character: char| !character.is_alphanumeric());
    is_host
        || names.anywhere.iter().any(|word| lower.contains(word))
        || words.any(|word| names.words.contains(word))
}

/// Position and length of each separator, and whether it is a strong one.
fn separators(title: &str) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
    title.char_indices().filter_map(move |(at, character)| {
        let length = character.len_utf8();
        if STRONG.contains(character) {
            return Some((at, length, true));
        }
        let before = title[..at].chars().next_back();
        let after = title[at + length..].chars().next();
        let is_apart = |neighbour: Option<char>| neighbour.is_none_or(|it| it == ' ' || !it.is_ascii());
        let is_weak = WEAK.contains(character)
            && (is_apart(before) || matches!(character, ':' | '：'))
            && is_apart(after);
        is_weak.then_some((at, length, false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_site_is_removed_at_either_end() {
        for (title, clean) in [
            ("Nine days of rain - The Daily News", "Nine days of rain"),
            ("The Daily News: Nine days of rain", "Nine days of rain"),
            ("Nine days of rain | Weather | Example", "Nine days of rain"),
            ("Example » Nine days of rain", "Nine days of rain"),
            ("大雨持续九天_新闻中心_某某网", "大雨持续九天"),
            ("大雨持续九天－某某新闻网", "大雨持续九天"),
            ("大雨持续九天——某某在线", "大雨持续九天"),
            ("大雨持续九天 ｜ 某某日报", "大雨持续九天"),
            ("某某网_大雨持续九天", "大雨持续九天"),
            ("  Nine \n days  ", "Nine days"),
            ("Rain - example.com", "Rain"),
            // Headlines with a dash or colon stay whole.
            ("Rain - and then snow", "Rain - and then snow"),
            ("Well-known: a story", "Well-known: a story"),
            ("大雨：九天的记录", "大雨：九天的记录"),
            ("News", "News"),
            ("", ""),
        ] {
            assert_eq!(clean_title(title), clean, "{title}");
        }
        assert!(!clean_title(&"| a ".repeat(100_000)).is_empty());
    }
}
