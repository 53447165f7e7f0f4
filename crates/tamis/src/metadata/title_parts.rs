//! The parts of a title, and which of them is the name of the site.

use std::ops::Range;

use super::candidate::comparison_key;
use super::lexicon::phrases;
use crate::text::characters::lowercase;

/// Marks that part a title from the name of the site, with space around them.
const SPACED: &[char] = &[
    '|', '-', '–', '—', '·', '•', '»', '«', '›', '‹', ':', '~', '/', '\\', '>', '<', '*', '+', '=', '∣', '−',
];
/// Marks that need no space.
const UNSPACED: &[char] =
    &['|', '｜', '_', '—', '－', '›', '»', '«', '•', '·', '︱', '│', '┃', '‖', '~', '～', '丨', '﹣', '─'];
/// Opening marks with what may close them.
const PAIRS: &[(char, &[char])] = &[
    ('“', &['”']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('《', &['》']),
    ('〈', &['〉']),
    ('「', &['」']),
    ('『', &['』']),
    ('(', &[')']),
    ('（', &['）']),
    ('[', &[']']),
    ('【', &['】']),
];
/// Marks open at once; older ones are forgotten.
const MAX_OPEN: usize = 16;

/// The parts of a title as ranges; one where nothing parts it. Text in quotation marks and brackets stays whole.
pub(crate) fn split(title: &str) -> Vec<Range<usize>> {
    if title.is_ascii() && !has_ascii_mark(title.as_bytes()) {
        let mut parts = Vec::with_capacity(1);
        push_part(title, 0..title.len(), &mut parts);
        if parts.is_empty() {
            parts.push(0..title.len());
        }
        return parts;
    }
    let is_wide = |c: char| matches!(c, '\u{2e80}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffef}');
    let has_wide = title.chars().any(is_wide);
    let has_spaced = has_wide && [" - ", " | ", " – ", " — "].iter().any(|mark| title.contains(mark));
    let quoted = quoted(title);
    let (mut parts, mut start, mut before, mut next_quoted) = (Vec::new(), 0, None::<char>, 0);
    let mut characters = title.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if c.is_ascii_alphanumeric() {
            before = Some(c);
            continue;
        }
        while quoted.get(next_quoted).is_some_and(|range: &Range<usize>| range.end <= at) {
            next_quoted += 1;
        }
        let is_quoted = quoted.get(next_quoted).is_some_and(|range| range.contains(&at));
        let next = characters.peek().map(|(_, next)| *next);
        let is_spaced = before.is_none_or(char::is_whitespace) && next.is_none_or(char::is_whitespace);
        // Two dashes belong to a Chinese sentence, and a dot joins foreign names.
        let in_sentence = (matches!(c, '—' | '─') && (before == Some(c) || next == Some(c)))
            || (c == '·' && before.is_some_and(is_wide) && next.is_some_and(is_wide));
        // An identifier is one word in Chinese titles too.
        let is_code = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let in_identifier = is_code(next) && (is_code(before) || before.is_none_or(char::is_whitespace));
        let double_colon = next == Some(c)
            && (c == '：' || (c == ':' && before.is_none_or(char::is_whitespace)))
            && (c == '：' || title[at + 2..].starts_with(char::is_whitespace));
        let is_separator = !in_sentence
            && !is_quoted
            && (double_colon
                || (SPACED.contains(&c) && is_spaced)
                || (UNSPACED.contains(&c) && (c != '_' || (has_wide && !in_identifier)))
                // Chinese titles put a bare hyphen before the site's name, unless spaced marks part them.
                || (c == '-' && !has_spaced && (before.is_some_and(is_wide) || next.is_some_and(is_wide))));
        if is_separator {
            push_part(title, start..at, &mut parts);
            start = at + c.len_utf8();
        }
        before = Some(c);
    }
    push_part(title, start..title.len(), &mut parts);
    if let ([_], Some((head, tail))) = (parts.as_slice(), weak_end(title))
        && phrases("site_ending").at_end(title[tail.clone()].trim_end()).is_some()
    {
        parts.clear();
        push_part(title, 0..head, &mut parts);
        push_part(title, tail, &mut parts);
    }
    if parts.is_empty() {
        parts.push(0..title.len());
    }
    parts
}

/// Whether a title in ASCII may have several parts: all of its marks but two need a space before them.
fn has_ascii_mark(title: &[u8]) -> bool {
    let is_spaced = |at: usize| at.checked_sub(1).is_none_or(|before| title[before].is_ascii_whitespace());
    title.iter().enumerate().any(|(at, byte)| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' | b',' | b'.' => false,
        b'|' | b'~' | b'\x0b' => true,
        byte => SPACED.contains(&char::from(*byte)) && is_spaced(at),
    })
}

/// Keeps a part, trimmed, if it has a letter or digit.
fn push_part(title: &str, range: Range<usize>, parts: &mut Vec<Range<usize>>) {
    let is_edge = |c: char| c.is_whitespace() || c == ':' || c == '：';
    let part = title[range.clone()].trim_start_matches(is_edge);
    let start = range.end - part.len();
    let part = part.trim_end_matches(is_edge);
    if part.chars().any(char::is_alphanumeric) {
        parts.push(start..start + part.len());
    }
}

/// The outermost stretches in quotation marks or brackets, in order.
fn quoted(text: &str) -> Vec<Range<usize>> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut before: Option<char> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if c.is_ascii_alphanumeric() || c == ' ' {
            before = Some(c);
            continue;
        }
        let next = characters.peek().map(|(_, next)| *next);
        let closes = |(mark, _): &(char, usize)| match c {
            '"' => *mark == '"' && !next.is_some_and(char::is_alphanumeric),
            _ => PAIRS.iter().any(|(opens, closing)| opens == mark && closing.contains(&c)),
        };
        let opens = match c {
            '"' => !before.is_some_and(char::is_alphanumeric),
            _ => PAIRS.iter().any(|(opens, _)| *opens == c),
        };
        if let Some(place) = open.iter().rposition(closes) {
            let start = open[place].1;
            while found.last().is_some_and(|inner| inner.start >= start) {
                found.pop();
            }
            found.push(start..at + c.len_utf8());
            open.truncate(place);
        } else if opens {
            if open.len() >= MAX_OPEN {
                open.remove(0);
            }
            open.push((c, at));
        }
        before = Some(c);
    }
    found
}

/// Where a title ends and what may be the site's name behind it, by a mark that sentences use as well.
fn weak_end(title: &str) -> Option<(usize, Range<usize>)> {
    if title.is_ascii() {
        return None;
    }
    if let Some(bare) = title.trim_end().strip_suffix('】') {
        let open = bare.rfind('【')?;
        return Some((open, open + '【'.len_utf8()..bare.len()));
    }
    let ends = ["——", "──", "·", "–", "／"].iter().filter_map(|mark| title.rsplit_once(mark));
    let (head, tail) = ends.min_by_key(|(_, tail)| tail.len())?;
    Some((head.len(), title.len() - tail.len()..title.len()))
}

/// Names of a site as comparison keys.
#[derive(Debug, Default)]
pub(crate) struct SiteNames {
    /// From metadata.
    pub(crate) declared: Vec<String>,
    /// From the host.
    pub(crate) host: Vec<String>,
    /// The site's account elsewhere.
    pub(crate) handle: Option<String>,
}

impl SiteNames {
    /// Whether the site calls itself so.
    pub(crate) fn is_own(&self, key: &str) -> bool {
        !key.is_empty()
            && (self.declared.iter().any(|name| key == name || (name.len() >= 4 && is_close(key, name)))
                || self.agrees_with_host(key))
    }

    /// Like [`is_own`](Self::is_own), the site's account included.
    pub(crate) fn is_site(&self, key: &str) -> bool {
        let is_handle = |name: &String| key == name || (name.len() >= 4 && is_close(key, name));
        self.is_own(key) || (!key.is_empty() && self.handle.as_ref().is_some_and(is_handle))
    }

    pub(crate) fn agrees_with_host(&self, key: &str) -> bool {
        self.host
            .iter()
            .any(|host| host.len() >= 3 && (key == host || (host.len() >= 5 && is_close(key, host))))
    }

    /// Spelt exactly as metadata or the host spell it.
    pub(crate) fn is_exact(&self, key: &str) -> bool {
        !key.is_empty() && self.declared.iter().chain(&self.host).any(|name| name == key)
    }

    /// A heading without the site's name behind it.
    pub(crate) fn without_tail<'t>(&self, heading: &'t str) -> &'t str {
        match split(heading).as_slice() {
            [.., before, last] if self.is_site(&comparison_key(&heading[last.clone()])) => {
                &heading[..before.end]
            }
            [_] => self.without_exact_end(heading).unwrap_or(heading),
            _ => heading,
        }
    }

    /// A title without the parts at its ends that are the site's name; if none is, without the last one where that is
    /// short enough to be a name.
    pub(crate) fn without_site<'t>(&self, title: &'t str) -> &'t str {
        let parts = split(title);
        if parts.len() < 2 {
            return self.without_exact_end(title).unwrap_or(title);
        }
        let (mut first, mut last, mut is_cut) = (0, parts.len() - 1, false);
        let is_site = |part: &Range<usize>| self.is_site(&comparison_key(&title[part.clone()]));
        // Whatever follows the site's name belongs to the site as well.
        if let Some(place) = (1..parts.len().min(12)).find(|place| is_site(&parts[*place])) {
            (last, is_cut) = (place - 1, true);
        }
        if first < last && is_site(&parts[first]) {
            (first, is_cut) = (1, true);
        }
        let length = |place: usize| title[parts[place].clone()].chars().count();
        if !is_cut && (length(last) < length(first) || length(last) <= 24) {
            last -= 1;
        }
        title[parts[first].start..parts[last].end].trim()
    }

    /// A title without a known name behind a bare hyphen, a dot or in brackets.
    fn without_exact_end<'t>(&self, title: &'t str) -> Option<&'t str> {
        let hyphen = title.rfind(['-', '–']).map(|at| {
            let mark = title[at..].chars().next().map_or(0, char::len_utf8);
            (at, at + mark..title.len())
        });
        let ends = weak_end(title).into_iter().chain(hyphen);
        let known = ends.filter(|(_, tail)| self.is_exact(&comparison_key(&title[tail.clone()])));
        let heads = known.map(|(head, _)| title[..head].trim_end());
        heads.filter(|head| head.chars().any(char::is_alphanumeric)).min_by_key(|head| head.len())
    }
}

/// Whether one contains the other and not much more.
fn is_close(text: &str, name: &str) -> bool {
    (text.contains(name) && text.len() <= name.len() + name.len() / 2 + 4)
        || (text.len() >= 4 && name.contains(text) && name.len() <= text.len() + text.len() / 2 + 4)
}

/// The title of a thread in that of its page: "Gazette :: View topic - Rain at last".
pub(crate) fn thread_title(title: &str) -> Option<&str> {
    let is_mark = |c: char| SPACED.contains(&c) || UNSPACED.contains(&c);
    let lowercase = lowercase(title);
    let (at, view) = phrases("view_topic").find(&lowercase).into_iter().next()?;
    // Lowercase letters may take other bytes than capitals; then nothing is said.
    let (before, rest) = (title.get(..at)?.trim_end(), title.get(at + view.text.len()..)?.trim_start());
    let stands_alone = (before.is_empty() || before.ends_with(is_mark)) && rest.starts_with(is_mark);
    let rest = rest.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    (stands_alone && !rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_marks_that_part_titles() {
        for (title, expected) in [
            ("Rain at last - The Gazette", vec!["Rain at last", "The Gazette"]),
            ("Rain at last | Weather | The Gazette", vec!["Rain at last", "Weather", "The Gazette"]),
            ("Well-known rain: the end", vec!["Well-known rain: the end"]),
            ("终于下雨了_天气_港口新闻", vec!["终于下雨了", "天气", "港口新闻"]),
            ("终于下雨了-港口新闻", vec!["终于下雨了", "港口新闻"]),
            ("OpenRain-港口的雨 - 阿达的专栏", vec!["OpenRain-港口的雨", "阿达的专栏"]),
            ("雨天——港口见闻-港口新闻", vec!["雨天——港口见闻", "港口新闻"]),
            ("终于下雨了——港口新闻网", vec!["终于下雨了", "港口新闻网"]),
            ("阿里江·伊布拉的雨_港口新闻", vec!["阿里江·伊布拉的雨", "港口新闻"]),
            ("rain_at_last的用法_港口博客", vec!["rain_at_last的用法", "港口博客"]),
            ("终于下雨了【组图】", vec!["终于下雨了【组图】"]),
            ("Gazette :: Rain at last :: News", vec!["Gazette", "Rain at last", "News"]),
            ("std::rain at last", vec!["std::rain at last"]),
            ("《雨-终于来了》今日上映-海港网", vec!["《雨-终于来了》今日上映", "海港网"]),
            ("« Rain - at last » says the mayor", vec!["« Rain - at last » says the mayor"]),
            ("Gazette » Rain at last", vec!["Gazette", "Rain at last"]),
            ("A 24\" screen - a 30\" screen", vec!["A 24\" screen", "a 30\" screen"]),
            (" | ", vec![" | "]),
            ("", vec![""]),
        ] {
            let parts: Vec<&str> = split(title).into_iter().map(|part| &title[part]).collect();
            assert_eq!(parts, expected, "{title}");
        }
    }

    #[test]
    fn names_of_sites_are_cut() {
        let names = SiteNames { declared: vec!["gazette".into(), "海港".into()], ..SiteNames::default() };
        for (title, expected) in [
            ("Rain at last - The Gazette", "Rain at last"),
            ("The Gazette | Rain - at last", "Rain - at last"),
            ("Rain | Gazette | Home", "Rain"),
            ("终于下雨了【海港】", "终于下雨了"),
            ("Rain at last-Gazette", "Rain at last"),
            ("Rain at last", "Rain at last"),
        ] {
            assert_eq!(names.without_site(title), expected, "{title}");
        }
        assert_eq!(thread_title("Gazette • View topic - Rain - at last?"), Some("Rain - at last?"));
        assert_eq!(thread_title("View from the harbour - Gazette"), None);
    }

    #[test]
    fn many_marks_take_linear_time() {
        for title in ["_ ".repeat(20_000), "a - ".repeat(20_000), "«".repeat(20_000), "雨-".repeat(20_000)]
        {
            split(&title);
        }
    }
}
