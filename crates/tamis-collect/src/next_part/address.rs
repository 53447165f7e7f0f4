//! Tells by two URLs alone whether one is the next part of the other's story.
//!
//! A URL may number its part by a parameter (`?page=2`), a path word (`/page/2`, `/page-2`), the last segment
//! (`/rain/2`) or the end of a file name (`rain_2.html`, `rain-p2`); every such reading is tried. The next part has the
//! same URL except for that number, which is higher by one.

use url::Url;

use super::lexicon::{self, Kind};
use crate::urls::{MAX_PARAMETERS, looks_like_story, site_of};

/// Highest part number; larger numbers are usually years or story ids.
const MAX_PART: u32 = 99;

/// Where a reading found its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// A parameter or path word that numbers pages unambiguously; some count from 0.
    Named,
    /// A parameter that counts entries, so that any increase is possible.
    Offset,
    /// A number at the end of the path. Without a story's name before it, it may be the id of the story.
    Bare { of_story: bool },
}

/// One reading of a URL: the number, and the URL without it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reading {
    stem: String,
    number: u32,
    place: Place,
}

/// Whether `next` is the next part of the story at `current`, rather than the next story.
///
/// ```
/// use tamis_collect::next_part::is_next_part;
/// use tamis_collect::urls::parse;
///
/// let is_next = |current, next| is_next_part(&parse(current).unwrap(), &parse(next).unwrap());
/// assert!(is_next("https://a.example/rain.html", "https://a.example/rain_2.html"));
/// assert!(!is_next("https://a.example/story/7", "https://a.example/story/8"));
/// ```
pub fn is_next_part(current: &Url, next: &Url) -> bool {
    if site_of(current) != site_of(next) {
        return false;
    }
    let own = readings(current);
    let unnumbered = stem(&segments(current), &parameters(current));
    readings(next).into_iter().any(|reading| {
        let starts = reading.stem == unnumbered
            && match reading.place {
                Place::Named => (1..=2).contains(&reading.number),
                Place::Offset => reading.number > 0,
                Place::Bare { .. } => reading.number == 2,
            };
        let counts = |it: &Reading| {
            it.stem == reading.stem
                && it.place == reading.place
                && match it.place {
                    Place::Named | Place::Bare { of_story: true } => reading.number == it.number + 1,
                    Place::Offset => reading.number > it.number,
                    Place::Bare { of_story: false } => false,
                }
        };
        starts || own.iter().any(counts)
    })
}

/// Whether a URL numbers its page: a later page of a list or part of a story, not a separate story. Of the 5,084
/// articles of the evaluation sets, one has such a URL.
pub(crate) fn is_numbered(url: &Url) -> bool {
    page_number(url).is_some_and(|number| number > 1)
}

/// The page number in a parameter or path word that numbers pages.
pub(super) fn page_number(url: &Url) -> Option<u32> {
    let named = readings(url).into_iter().find(|reading| reading.place == Place::Named);
    named.map(|reading| reading.number)
}

fn readings(url: &Url) -> Vec<Reading> {
    let (segments, parameters) = (segments(url), parameters(url));
    let mut readings = Vec::new();
    if parameters.len() > MAX_PARAMETERS {
        return readings;
    }
    for (index, parameter) in parameters.iter().enumerate() {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let name = name.to_ascii_lowercase();
        // `?p=123` is usually a story id.
        let max_digits = if name.len() == 1 { 2 } else { 4 };
        let place = match number(value, max_digits) {
            Some(_) if lexicon::is(&name, Kind::Parameter) => Place::Named,
            Some(_) if lexicon::is(&name, Kind::Offset) => Place::Offset,
            _ => continue,
        };
        let mut rest = parameters.clone();
        rest.remove(index);
        let number = number(value, max_digits).unwrap_or_default();
        readings.push(Reading { stem: stem(&segments, &rest), number, place });
    }
    if let Some((last, before)) = segments.split_last() {
        path_readings(last, before, &parameters, &mut readings);
    }
    readings
}

fn path_readings(last: &str, before: &[&str], parameters: &[&str], readings: &mut Vec<Reading>) {
    let mut add = |segments: &[&str], number, place| {
        readings.push(Reading { stem: stem(segments, parameters), number, place });
    };
    let of_story = before.last().is_some_and(|segment| looks_like_story(segment));
    if let (Some(count), Some((word, outer))) = (number(last, 4), before.split_last())
        && lexicon::is(&word.to_ascii_lowercase(), Kind::Parameter)
    {
        add(outer, count, Place::Named);
    } else if let Some(count) = number(last, 2).filter(|_| !before.is_empty()) {
        add(before, count, Place::Bare { of_story });
    }
    let (name, ending) = match last.rsplit_once('.') {
        Some((name, ending)) if (1..=5).contains(&ending.len()) => (name, ending),
        _ => (last, ""),
    };
    let head = name.trim_end_matches(|it: char| it.is_ascii_digit());
    let Some(count) = name.get(head.len()..).and_then(|digits| number(digits, 4)) else { return };
    let marked = head.trim_end_matches(['-', '_', '=', ',']);
    let word_at = marked.rfind(['-', '_', ',']).map_or(0, |at| at + 1);
    let word = marked.get(word_at..).unwrap_or_default().to_ascii_lowercase();
    let rejoin = |stem: &str| if ending.is_empty() { stem.to_owned() } else { format!("{stem}.{ending}") };
    if lexicon::is(&word, Kind::Parameter) {
        // `rain-p2.html`, `/rain/page-2`, `/rain/page2.html`
        let stem = marked.get(..word_at).unwrap_or_default().trim_end_matches(['-', '_', ',']);
        let whole = rejoin(stem);
        let outer = [before, &[whole.as_str()][..]].concat();
        add(if stem.is_empty() { before } else { &outer }, count, Place::Named);
    } else if head.len() != marked.len() && !marked.is_empty() && count <= MAX_PART {
        // `rain_2.html`, `content_123456_2.htm`
        let of_story = looks_like_story(marked);
        let whole = rejoin(marked);
        add(&[before, &[whole.as_str()][..]].concat(), count, Place::Bare { of_story });
    }
}

/// The number in a text of digits.
fn number(text: &str, max_digits: usize) -> Option<u32> {
    let is_number = (1..=max_digits).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn segments(url: &Url) -> Vec<&str> {
    url.path().split('/').filter(|segment| !segment.is_empty()).collect()
}

fn parameters(url: &Url) -> Vec<&str> {
    url.query().into_iter().flat_map(|query| query.split('&')).filter(|it| !it.is_empty()).collect()
}

/// Path and sorted parameters, without the name of an index file.
fn stem(segments: &[&str], parameters: &[&str]) -> String {
    let mut segments = segments;
    if let Some((last, before)) = segments.split_last()
        && last.split_once('.').map_or(*last, |(name, _)| name).eq_ignore_ascii_case("index")
    {
        segments = before;
    }
    let mut parameters = parameters.to_vec();
    parameters.sort_unstable();
    format!("{}?{}", segments.join("/"), parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urls::parse;

    #[test]
    fn numbered_pages_are_told_by_their_address() {
        for (path, expected) in [
            ("/world/page/2/", true),
            ("/world/?page=2", true),
            ("/world/page/1/", false),
            ("/?p=7123", false),
            ("/news/7", false),
            ("/story-7.html", false),
        ] {
            assert_eq!(is_numbered(&parse(&format!("https://a.com{path}")).unwrap()), expected, "{path}");
        }
    }

    #[test]
    fn addresses_tell_parts_from_other_stories() {
        for (current, next, expected) in [
            ("/rain", "/rain?page=2", true),
            ("/rain?page=2", "/rain?page=3", true),
            ("/rain?a=1&page=2&b=2", "/rain?b=2&page=3&a=1", true),
            ("/rain", "/rain?page=1", true),
            ("/rain?page=2", "/rain?page=4", false),
            ("/rain?page=3", "/rain?page=2", false),
            ("/rain?id=7", "/rain?id=8", false),
            ("/?p=7123", "/?p=7124", false),
            ("/thread?t=9", "/thread?t=9&start=20", true),
            ("/thread?t=9&start=20", "/thread?t=9&start=40", true),
            ("/thread?t=9&start=20", "/thread?t=9&start=0", false),
            ("/2026/rain", "/2026/rain/2", true),
            ("/2026/rain-at-last/2/", "/2026/rain-at-last/3/", true),
            ("/news/7", "/news/8", false),
            ("/rain/", "/rain/page/2/", true),
            ("/rain/page/9", "/rain/page/10", true),
            ("/rain/page-2", "/rain/page-3", true),
            ("/rain", "/rain/page2.html", true),
            ("/rain.html", "/rain_2.html", true),
            ("/rain.html", "/rain-2.html", true),
            ("/c/content_123456.htm", "/c/content_123456_2.htm", true),
            ("/c/content_123456_2.htm", "/c/content_123456_3.htm", true),
            ("/c/content_123456.htm", "/c/content_123457.htm", false),
            ("/story-7.html", "/story-8.html", false),
            ("/rain-p1.html", "/rain-p2.html", true),
            ("/rain,seite-2.html", "/rain,seite-3.html", true),
            ("/rain/index.html", "/rain/index_2.html", true),
            ("/rain/", "/rain/index_2.html", true),
            ("/rain", "/wind", false),
            ("/rain", "/wind?page=2", false),
            ("/rain", "/rain", false),
            ("/", "/page/2/", true),
        ] {
            let [current, next] = [current, next].map(|path| parse(&format!("https://a.com{path}")).unwrap());
            assert_eq!(is_next_part(&current, &next), expected, "{current} {next}");
        }
        let [here, elsewhere] =
            ["https://a.com/rain", "https://b.com/rain?page=2"].map(|it| parse(it).unwrap());
        assert!(!is_next_part(&here, &elsewhere));
        let secure = parse("http://www.a.com/rain?page=2").unwrap();
        assert!(is_next_part(&here, &secure));
    }
}
