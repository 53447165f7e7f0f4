//! Which part of a title is the site's name.

use std::ops::Range;

use super::super::Around;
use super::normal;
use super::quoted::Inside;

/// Marks that stand between a title and a site's name, with space around them.
const SPACED: &[char] = &[
    '|', '-', '–', '—', '·', '•', '»', '«', '›', '‹', ':', '~', '/', '\\', '>', '<', '*', '+', '=', '∣', '−',
];
/// Marks that do without space. `丨` is a character that nobody writes but as one.
const UNSPACED: &[char] =
    &['|', '｜', '_', '—', '－', '›', '»', '«', '•', '·', '︱', '│', '┃', '‖', '~', '～', '丨', '﹣', '─'];

/// What names of Chinese sites end with: behind a dash of two or a dot, which stand in sentences as well, and in brackets at the
/// end, they are one.
const OUTLETS: &[&str] = &[
    "网", "網", "网站", "報", "报", "新闻", "新聞", "博客", "论坛", "論壇", "频道", "社区", "空间", "门户",
    "在线", "日志", "专栏", "主页",
];

/// What names of people's blogs end with.
const BLOGS: &[&str] = &[
    "的博客",
    "的日志",
    "的专栏",
    "的專欄",
    "的空间",
    "的空間",
    "的部落格",
    "的网易博客",
    "的技术博客",
    "的随笔",
    "のブログ",
    "'s blog",
    "’s blog",
    "'s weblog",
    "’s weblog",
    "님의블로그",
];

/// Is a text called as blogs are, after who writes them: 阿达的博客, "Ada's blog"?
pub(super) fn is_named_as_a_blog(text: &str) -> bool {
    let small = text.trim_end().to_lowercase();
    BLOGS.iter().any(|it| small.strip_suffix(it).is_some_and(|who| (1..=40).contains(&who.trim().len())))
}

/// The parts of a title, as ranges of it; one where nothing parts it. What stands in quotation marks stays whole.
pub(in super::super) fn separators(title: &str) -> Vec<Range<usize>> {
    if title.is_ascii() && !may_part(title.as_bytes()) {
        let mut parts = Vec::with_capacity(1);
        push(title, 0..title.len(), &mut parts);
        // A title of marks alone is one part as well.
        if parts.is_empty() {
            parts.push(0..title.len());
        }
        return parts;
    }
    let is_wide = |c: char| matches!(c, '\u{2e80}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffef}');
    // Asked once: a title of nothing but underscores must not be read anew for each.
    let has_wide = title.chars().any(is_wide);
    let has_spaced = has_wide && [" - ", " | ", " – ", " — "].iter().any(|mark| title.contains(mark));
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    let mut inside = Inside::of(title);
    let mut characters = title.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        // No letter is a separator.
        if c.is_ascii_alphanumeric() {
            before = Some(c);
            continue;
        }
        let next = characters.peek().map(|(_, next)| *next);
        let spaced = before.is_none_or(char::is_whitespace) && next.is_none_or(char::is_whitespace);
        // "Rain: the end" has its colon beside the word.
        // A dash of two is a mark of Chinese sentences, and a dot joins the names of foreigners.
        let in_sentence = (matches!(c, '—' | '─') && (before == Some(c) || next == Some(c)))
            || (c == '·' && before.is_some_and(is_wide) && next.is_some_and(is_wide));
        // A name of code is one word in Chinese titles too: rain_at_last的用法.
        let is_code = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_inside = is_code(next) && (is_code(before) || before.is_none_or(char::is_whitespace));
        // Two colons stand in no sentence: " :: " between spaces, ：： without.
        let is_pair = next == Some(c) && (c == '：' || (c == ':' && before.is_none_or(char::is_whitespace)));
        if is_pair && !inside.has(at) {
            let behind = &title[at + 2 * c.len_utf8()..];
            if c == '：' || behind.starts_with(char::is_whitespace) {
                push(title, start..at, &mut parts);
                start = at + 2 * c.len_utf8();
                characters.next();
                before = Some(c);
                continue;
            }
        }
        let is_separator = !in_sentence
            && !inside.has(at)
            && ((SPACED.contains(&c) && spaced)
            || (UNSPACED.contains(&c) && (c != '_' || (has_wide && !is_inside)))
            // Chinese titles put a bare hyphen before the site's name, unless marks with space around them part them.
            || (c == '-' && !has_spaced && (before.is_some_and(is_wide) || next.is_some_and(is_wide))));
        if is_separator {
            push(title, start..at, &mut parts);
            start = at + c.len_utf8();
        }
        before = Some(c);
    }
    push(title, start..title.len(), &mut parts);
    if parts.len() == 1
        && let Some((head, tail)) = weak_end(title)
        && OUTLETS.iter().any(|it| title[tail.clone()].trim_end().ends_with(it))
    {
        parts.clear();
        push(title, 0..head, &mut parts);
        push(title, tail, &mut parts);
    }
    if parts.is_empty() {
        parts.push(0..title.len());
    }
    parts
}

/// Could a mark of ASCII part a title? Bars and waves do anywhere, and the others of [`SPACED`] where no letter stands before them. A
/// cheap look, since most headings have none.
fn may_part(title: &[u8]) -> bool {
    title.iter().enumerate().any(|(at, byte)| match byte {
        b'|' | b'~' => true,
        b'-' | b':' | b'/' | b'\\' | b'>' | b'<' | b'*' | b'+' | b'=' => at == 0 || title[at - 1] <= b' ',
        _ => false,
    })
}

/// Where a title ends and what may be the site's name behind it, by a mark that stands in sentences as well: a dash of two, a
/// dot, brackets at the end.
fn weak_end(title: &str) -> Option<(usize, Range<usize>)> {
    if let Some(bare) = title.trim_end().strip_suffix('】') {
        let open = bare.rfind('【')?;
        return Some((open, open + '【'.len_utf8()..bare.len()));
    }
    let ends = ["——", "──", "·", "–", "／"].iter().filter_map(|mark| title.rsplit_once(mark));
    let (head, tail) = ends.min_by_key(|(_, tail)| tail.len())?;
    Some((head.len(), title.len() - tail.len()..title.len()))
}

/// A title without the site's name behind a mark that parts no title by itself: a bare hyphen, a dot, brackets. Only where
/// the name is known, and spelt just so.
fn without_known_end<'t>(title: &'t str, around: &Around<'_>) -> Option<&'t str> {
    let hyphen = title.rfind(['-', '–']).map(|at| {
        let mark = title[at..].chars().next().map_or(0, char::len_utf8);
        (at, at + mark..title.len())
    });
    let is_known = |tail: &Range<usize>| {
        let tail = normal(&title[tail.clone()]);
        !tail.is_empty() && around.site_names.iter().chain(&around.host_names).any(|name| *name == tail)
    };
    let ends = weak_end(title).into_iter().chain(hyphen);
    let head = ends.filter(|(_, tail)| is_known(tail)).map(|(head, _)| title[..head].trim_end());
    head.filter(|head| head.chars().any(char::is_alphanumeric)).min_by_key(|head| head.len())
}

/// A title without the site's name and a colon before it: "Gazette: Rain at last". The name may as well be what the page is about, so it
/// must be spelt just so, and the address must have the rest and not the name.
fn without_known_start<'t>(title: &'t str, around: &Around<'_>) -> Option<&'t str> {
    let (head, rest) = title.split_once(": ")?;
    let (name, own) = (normal(head), normal(rest));
    let is_known = around.site_names.iter().chain(&around.host_names).any(|it| *it == name);
    if name.is_empty() || !is_known {
        return None;
    }
    let slug = around.slug_words();
    let spelt = slug.iter().filter(|word| own.contains(word.as_str())).count();
    let has_name = slug.iter().any(|word| name.contains(word.as_str()));
    (slug.len() >= 2 && !has_name && spelt * 10 >= slug.len() * 7).then(|| rest.trim())
}

/// What forums call the page that shows a thread, in small letters.
const VIEWS: &[&str] = &[
    "view topic",
    "view thread",
    "viewtopic",
    "read topic",
    "show thread",
    "viewing thread",
    "thema anzeigen",
    "voir le sujet",
    "ver tema",
    "ver tópico",
    "exibir tópico",
    "просмотр темы",
    "zobacz temat",
    "查看主题",
    "浏览主题",
];

/// The title of a thread in that of its page: "Gazette :: View topic - Rain at last".
pub(super) fn thread_title<'t>(title: &'t str, around: &Around<'_>) -> Option<&'t str> {
    let is_mark = |c: char| SPACED.contains(&c) || UNSPACED.contains(&c);
    let small = title.to_lowercase();
    let (at, view) = VIEWS.iter().find_map(|view| small.find(view).map(|at| (at, view)))?;
    // Small letters may take other bytes than the letters they stand for; then nothing is said.
    let (before, rest) = (title.get(..at)?.trim_end(), title.get(at + view.len()..)?.trim_start());
    let stands_alone = (before.is_empty() || before.ends_with(is_mark)) && rest.starts_with(is_mark);
    let rest = rest.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
    Some(without_tail(rest, around).trim()).filter(|rest| stands_alone && !rest.is_empty())
}

/// Keeps a part, without the space around it, if there is anything in it.
fn push(title: &str, range: Range<usize>, parts: &mut Vec<Range<usize>>) {
    let part = &title[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    if title[start..end].chars().any(char::is_alphanumeric) {
        parts.push(start..end);
    }
}

/// Is a text the site's name, as its metadata or its host spell it?
pub(in super::super) fn is_site_name(text: &str, around: &Around<'_>) -> bool {
    is_normal_site_name(&normal(text), around)
}

/// The same for a text that is [`normal`] already; the site's account elsewhere is a name of it as well.
pub(super) fn is_normal_site_name(text: &str, around: &Around<'_>) -> bool {
    let is_close = |name: &String| text == name || (name.len() >= 4 && close(text, name));
    !text.is_empty() && (around.handle.as_ref().is_some_and(is_close) || is_own_name(text, around))
}

/// Does the site call itself so, or its host? Accounts elsewhere do not count: they may be those of the writer.
pub(in super::super) fn is_own_name(text: &str, around: &Around<'_>) -> bool {
    if text.is_empty() {
        return false;
    }
    let known = around
        .site_names
        .iter()
        .any(|name| !name.is_empty() && (text == *name || (name.len() >= 4 && close(text, name))));
    known || agrees_with_host(text, around)
}

/// Is a text that is [`normal`] what the host is called?
pub(in super::super) fn agrees_with_host(text: &str, around: &Around<'_>) -> bool {
    let is_own = |host: &String| host.len() >= 3 && (text == *host || (host.len() >= 5 && close(text, host)));
    around.host_names.iter().any(is_own)
}

/// Does one hold the other, and not much more?
fn close(text: &str, name: &str) -> bool {
    (text.contains(name) && text.len() <= name.len() + name.len() / 2 + 4)
        || (name.contains(text) && name.len() <= text.len() + text.len() / 2 + 4 && text.len() >= 4)
}

/// A heading without the site's name behind it, as some templates repeat `title`. Only where the name is known to be it.
pub(super) fn without_tail<'t>(heading: &'t str, around: &Around<'_>) -> &'t str {
    let parts = separators(heading);
    match parts.as_slice() {
        [.., before, last] if is_site_name(&heading[last.clone()], around) => &heading[..before.end],
        [_] => without_known_end(heading, around).unwrap_or(heading),
        _ => heading,
    }
}

/// A title without the parts at its ends that are the site's name; where none is known to be, without the last, if that
/// is short enough to be one.
pub(in super::super) fn without_site(title: &str, around: &Around<'_>) -> String {
    let parts = separators(title);
    if parts.len() < 2 {
        let known = without_known_end(title, around).or_else(|| without_known_start(title, around));
        return known.unwrap_or(title).to_owned();
    }
    let (mut first, mut last) = (0, parts.len() - 1);
    let is_site = |part: &Range<usize>| is_site_name(&title[part.clone()], around);
    // From where a site's name stands, everything behind it is the site's as well: "Rain - News - Gazette - Home".
    let mut cut = false;
    if let Some(place) = (1..parts.len()).find(|&place| is_site(&parts[place])) {
        (last, cut) = (place - 1, true);
    }
    if is_site(&parts[first]) && first < last {
        first += 1;
        cut = true;
    }
    if !cut {
        // Nobody says which is the site: the one at the end that is not the longest.
        let length = |place: usize| title[parts[place].clone()].chars().count();
        if length(last) < length(first) || length(last) <= 24 {
            last -= 1;
        }
    }
    title[parts[first].start..parts[last].end].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Judgement;
    use crate::page::Page;

    #[test]
    fn the_board_was_the_title_of_its_threads() {
        let page = Page::parse("<p>x");
        let around = Around::of(&page, &Judgement::of([true]), None);
        for title in ["Gazette • View topic - Rain - at last?", "Gazette :: View topic - Rain - at last?"] {
            assert_eq!(thread_title(title, &around), Some("Rain - at last?"), "{title}");
        }
        assert_eq!(thread_title("View from the harbour - Gazette", &around), None);
    }

    #[test]
    fn titles_were_cut_inside_of_quotation_marks() {
        for (title, expected) in [
            ("《雨-终于来了》今日上映-海港网", vec!["《雨-终于来了》今日上映", "海港网"]),
            ("“海港－山谷论坛”开幕", vec!["“海港－山谷论坛”开幕"]),
            ("« Rain at last » says the mayor", vec!["« Rain at last » says the mayor"]),
            (
                "The mayor: «Rain - at last», says she | Gazette",
                vec!["The mayor: «Rain - at last», says she", "Gazette"],
            ),
            ("»Rain« at last | Gazette", vec!["»Rain« at last", "Gazette"]),
            ("Rain (wind - snow) at last - Gazette", vec!["Rain (wind - snow) at last", "Gazette"]),
            // Alone they part.
            ("Gazette » Rain at last", vec!["Gazette", "Rain at last"]),
            ("Rain at last « Gazette", vec!["Rain at last", "Gazette"]),
        ] {
            assert_eq!(parts(title), expected, "{title}");
        }
    }

    #[test]
    fn a_known_name_behind_a_bare_hyphen_stayed() {
        let page = Page::parse("<meta property=og:site_name content='تور بېكىتى'><p>x");
        let around = Around::of(&page, &Judgement::of([true]), None);
        assert_eq!(without_site("ئاتا-ئانا-تور بېكىتى", &around), "ئاتا-ئانا");
        assert_eq!(without_site("ئاتا-ئانا", &around), "ئاتا-ئانا");
        let page = Page::parse("<meta property=og:site_name content=海港><p>x");
        let around = Around::of(&page, &Judgement::of([true]), None);
        assert_eq!(without_site("终于下雨了·海港", &around), "终于下雨了");
        assert_eq!(without_site("终于下雨了【海港】", &around), "终于下雨了");
    }

    fn parts(title: &str) -> Vec<&str> {
        separators(title).into_iter().map(|part| &title[part]).collect()
    }

    #[test]
    fn parts_of_titles() {
        assert_eq!(parts("Rain at last - The Gazette"), ["Rain at last", "The Gazette"]);
        assert_eq!(parts("Rain at last | Weather | The Gazette"), ["Rain at last", "Weather", "The Gazette"]);
        assert_eq!(parts("Well-known rain: the end"), ["Well-known rain: the end"]);
        assert_eq!(parts("终于下雨了_天气_港口新闻"), ["终于下雨了", "天气", "港口新闻"]);
        assert_eq!(parts("终于下雨了-港口新闻"), ["终于下雨了", "港口新闻"]);
        assert_eq!(parts("终于下雨了｜港口新闻"), ["终于下雨了", "港口新闻"]);
        // A bare hyphen is a part of the title where others have space around them.
        assert_eq!(
            parts("OpenRain-港口的雨 - 阿达的专栏 - 博客频道"),
            ["OpenRain-港口的雨", "阿达的专栏", "博客频道"]
        );
        assert_eq!(parts("雨量测试-2 - 阿达的专栏"), ["雨量测试-2", "阿达的专栏"]);
        // Marks inside of Chinese titles.
        assert_eq!(parts("雨天——港口见闻-港口新闻"), ["雨天——港口见闻", "港口新闻"]);
        assert_eq!(parts("雨天——港口见闻"), ["雨天——港口见闻"]);
        assert_eq!(parts("终于下雨了——港口新闻网"), ["终于下雨了", "港口新闻网"]);
        assert_eq!(parts("阿里江·伊布拉的雨_港口新闻"), ["阿里江·伊布拉的雨", "港口新闻"]);
        assert_eq!(parts("rain_at_last的用法_港口博客"), ["rain_at_last的用法", "港口博客"]);
        assert_eq!(parts("雨的调用 - __rain_at_last - 港口博客"), ["雨的调用", "__rain_at_last", "港口博客"]);
        assert_eq!(parts("snake_case in Rust"), ["snake_case in Rust"]);
        assert_eq!(parts("终于下雨了丨港口新闻"), ["终于下雨了", "港口新闻"]);
        assert_eq!(parts("终于下雨了·港口新闻网"), ["终于下雨了", "港口新闻网"]);
        assert_eq!(parts("终于下雨了【港口日报】"), ["终于下雨了", "港口日报"]);
        assert_eq!(parts("终于下雨了【组图】"), ["终于下雨了【组图】"]);
        // Marks that were not known.
        assert_eq!(parts("Rain at last :: Gazette"), ["Rain at last", "Gazette"]);
        assert_eq!(parts("Gazette :: Rain at last :: News"), ["Gazette", "Rain at last", "News"]);
        assert_eq!(parts("std::rain at last"), ["std::rain at last"]);
        for mark in ["–", "／", "：：", "﹣", "─"] {
            assert_eq!(parts(&format!("终于下雨了{mark}港口新闻网")), ["终于下雨了", "港口新闻网"], "{mark}");
        }
        assert_eq!(parts("晴／雨都好"), ["晴／雨都好"]);
        assert_eq!(parts("雨天──港口見聞"), ["雨天──港口見聞"]);
        assert_eq!(parts(" | "), [" | "]);
        assert_eq!(parts(""), [""]);
    }
}
