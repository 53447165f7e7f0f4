//! Removes the site's name from `<title>` by the paper's stop-word list.
//!
//! Titles have the form "headline - section - site" or "site: headline", with many separators. Those that also occur in
//! headlines count only beside a part that is known to be a name.

use crate::data;

/// Separators that rarely occur inside headlines.
const STRONG: &str = "|｜¦_＿»«›‹•·丨";
/// Separators that also occur in headlines; they must be between spaces, or beside Chinese characters.
const WEAK: &str = "-－–—―:：";
/// Longer parts are not the name of a site.
const MAX_NAME_LENGTH: usize = 24;
/// Most parts removed at each end.
const MAX_PARTS: usize = 16;
/// Titles are truncated to this many bytes first.
const MAX_TITLE_BYTES: usize = 4096;

/// Removes the names of the site and its sections from a page's title.
pub fn clean_title(title: &str) -> String {
    let title = &title[..title.floor_char_boundary(MAX_TITLE_BYTES)];
    let mut title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    // From the end, where names usually are, then from the start.
    for from_end in [true, false] {
        for _ in 0..MAX_PARTS {
            let separator = if from_end { separators(&title).last() } else { separators(&title).next() };
            let Some((at, length, is_strong)) = separator else { break };
            let (head, tail) = (title[..at].trim(), title[at + length..].trim());
            let (part, rest) = if from_end { (tail, head) } else { (head, tail) };
            let is_shorter = || part.chars().count() < rest.chars().count();
            let is_name = part.is_empty() || names_a_site(part) || (is_strong && is_shorter());
            if rest.is_empty() || !is_name {
                break;
            }
            title = rest.to_owned();
        }
    }
    title
}

/// Whether a part of a title names a site or a section.
fn names_a_site(part: &str) -> bool {
    if part.chars().count() > MAX_NAME_LENGTH {
        return false;
    }
    let part = part.to_lowercase();
    data::rows(data::SITE_NAMES).any(|(list, name)| match list {
        "zh" => part.contains(name),
        "host" => !part.contains(' ') && part.contains(name),
        _ => part.split(|character: char| !character.is_alphanumeric()).any(|word| word == name),
    })
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
