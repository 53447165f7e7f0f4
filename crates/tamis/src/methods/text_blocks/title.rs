//! The title of a page without the name of its site: the paper's "stop-word list".
//!
//! Pages write "headline - section - site" or "site: headline", with many separators. Some of these stand in
//! headlines too, so they only count where a part beside them is known to be no headline.

/// Separators that hardly ever stand inside a headline.
const STRONG: [char; 12] = ['|', '｜', '¦', '_', '＿', '»', '«', '›', '‹', '•', '·', '丨'];

/// Separators that headlines have too: they count between spaces, and beside Chinese characters without.
const WEAK: [char; 7] = ['-', '－', '–', '—', '―', ':', '：'];

/// Words that name sites and their sections, not stories. Chinese ones count anywhere in a part, the others as words.
const STOP_WORDS: [&str; 40] = [
    "网",
    "網",
    "新闻中心",
    "新闻频道",
    "频道",
    "頻道",
    "门户",
    "首页",
    "首頁",
    "论坛",
    "論壇",
    "博客",
    "日报",
    "日報",
    "晚报",
    "早报",
    "在线",
    "官方",
    "电视台",
    "新闻",
    "blog",
    "channel",
    "daily",
    "forum",
    "gazette",
    "herald",
    "home",
    "homepage",
    "journal",
    "magazine",
    "news",
    "newspaper",
    "official",
    "online",
    "post",
    "press",
    "times",
    "tribune",
    "website",
    "wiki",
];

/// A part of more characters than this is no site's name, whatever words it has.
const LONGEST_NAME: usize = 24;

/// So many parts are taken off at each end; a title of more is none.
const MOST_PARTS: usize = 16;

/// Takes the name of the site, and of its sections, off a page's title.
///
/// ```
/// use tamis::methods::text_blocks::clean_title;
///
/// assert_eq!(clean_title("Nine days of rain | The Daily News"), "Nine days of rain");
/// assert_eq!(clean_title("大雨持续九天_新闻中心_某某网"), "大雨持续九天");
/// assert_eq!(clean_title("Rain - and then snow"), "Rain - and then snow");
/// ```
pub fn clean_title(title: &str) -> String {
    let mut title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    // From the end, where names mostly stand, then from the start.
    for _ in 0..MOST_PARTS {
        let Some((at, length, is_strong)) = separators(&title).last() else { break };
        let (head, tail) = (title[..at].trim(), title[at + length..].trim());
        if head.is_empty()
            || !(tail.is_empty() || names_a_site(tail) || (is_strong && is_shorter(tail, head)))
        {
            break;
        }
        title = head.to_owned();
    }
    for _ in 0..MOST_PARTS {
        let Some((at, length, is_strong)) = separators(&title).next() else { break };
        let (head, tail) = (title[..at].trim(), title[at + length..].trim());
        if tail.is_empty()
            || !(head.is_empty() || names_a_site(head) || (is_strong && is_shorter(head, tail)))
        {
            break;
        }
        title = tail.to_owned();
    }
    title
}

fn is_shorter(one: &str, other: &str) -> bool {
    one.chars().count() < other.chars().count()
}

/// Does this part of a title name a site or a section of it?
fn names_a_site(part: &str) -> bool {
    if part.chars().count() > LONGEST_NAME {
        return false;
    }
    let lower = part.to_lowercase();
    let looks_like_a_host =
        !lower.contains(' ') && [".com", ".cn", ".net", ".org"].iter().any(|end| lower.contains(end));
    let mut words = lower.split(|character: char| !character.is_alphanumeric());
    looks_like_a_host
        || STOP_WORDS.iter().any(|word| !word.is_ascii() && lower.contains(word))
        || words.any(|word| word.is_ascii() && STOP_WORDS.contains(&word))
}

/// Where separators stand, how long they are, and whether they are strong ones.
fn separators(title: &str) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
    title.char_indices().filter_map(move |(at, character)| {
        let length = character.len_utf8();
        if STRONG.contains(&character) {
            return Some((at, length, true));
        }
        let before = title[..at].chars().next_back();
        let after = title[at + length..].chars().next();
        let stands_apart = |neighbour: Option<char>| neighbour.is_none_or(|it| it == ' ' || !it.is_ascii());
        let is_weak = WEAK.contains(&character)
            && (stands_apart(before) || matches!(character, ':' | '：'))
            && stands_apart(after);
        is_weak.then_some((at, length, false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_site_is_taken_off_at_either_end() {
        for (title, clean) in [
            ("Nine days of rain - The Daily News", "Nine days of rain"),
            ("The Daily News: Nine days of rain", "Nine days of rain"),
            ("Nine days of rain | Weather | Example", "Nine days of rain"),
            ("Example » Nine days of rain", "Nine days of rain"),
            ("大雨持续九天－某某新闻网", "大雨持续九天"),
            ("大雨持续九天——某某在线", "大雨持续九天"),
            ("大雨持续九天 ｜ 某某日报", "大雨持续九天"),
            ("某某网_大雨持续九天", "大雨持续九天"),
            ("  Nine \n days  ", "Nine days"),
            ("Rain - example.com", "Rain"),
            ("", ""),
        ] {
            assert_eq!(clean_title(title), clean, "{title}");
        }
    }

    #[test]
    fn a_headline_with_a_dash_stays_whole() {
        for title in
            ["Rain - and then snow", "Well-known: a story", "Rain", "大雨：九天的记录", "News", "- | -"]
        {
            let clean = clean_title(title);
            assert!(!clean.is_empty());
            if title != "- | -" {
                assert_eq!(clean, title);
            }
        }
    }

    #[test]
    fn a_title_of_separators_ends() {
        assert!(!clean_title(&"| a ".repeat(100_000)).is_empty());
    }
}
