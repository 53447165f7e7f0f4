//! The date in an address: `/2010/12/15/`, `/2010/december/15/`, `/2010-12/15/`, `/2010-12-15-`, `/20101215/`.

use super::super::dates::{Dated, Hints, find};
use super::super::evidence::{Field, Origin};
use super::Search;

/// Puts the date in the page's address among the candidates.
pub(super) fn gather(search: &mut Search<'_>) {
    let path = search.around.path();
    if let Some((dated, weight)) = date(path, &search.hints) {
        search.add(Field::Published, dated.moment, Origin::Url, path.to_owned(), weight);
        if let Some(last) = search.found.last_mut() {
            last.other = dated.other;
        }
    }
}

/// The first date in a path, and its weight.
fn date(path: &str, hints: &Hints<'_>) -> Option<(Dated, f32)> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    // Before an address within an address stands the time at which that was archived.
    let inner = parts.iter().rposition(|part| matches!(*part, "http:" | "https:"));
    let own = inner.or_else(|| parts.windows(2).position(|two| is_stamp(two[0]) && two[1].contains('.')));
    let parts = &parts[own.map_or(0, |at| at + 1)..];
    // Only the order matters: years are our own in addresses, whatever the language.
    let hints = Hints { month_first: hints.month_first, ..Hints::default() };
    let sound =
        |text: String| find(&text, &hints).into_iter().next().filter(|it| it.moment.local.year >= 1990);
    let whole = |place: usize| in_parts(&parts[place..]).or_else(|| in_part(parts[place])).and_then(sound);
    if let Some(dated) = (0..parts.len()).find_map(whole) {
        // Which number is the month is not always clear.
        let weight = if dated.other.is_some() { 70.0 } else { 82.0 };
        return Some((dated, weight));
    }
    // A day may also belong to a name.
    let ends = parts.iter().find_map(|part| day_before_year(part));
    ends.and_then(sound).map(|dated| (dated, 70.0))
}

fn is_number(text: &str, digits: std::ops::RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A date that begins with the first of these parts and goes on in the next.
fn in_parts(parts: &[&str]) -> Option<String> {
    let (first, next) = (*parts.first()?, *parts.get(1)?);
    // The day may go on as a name: /2010/12/15-rain
    let day = |part: &str| {
        let day: String = part.chars().take_while(char::is_ascii_digit).collect();
        (1..=2).contains(&day.len()).then_some(day)
    };
    if let Some((year, month)) = first.split_once('-') {
        // /2010-12/15/
        return (is_number(year, 4..=4) && is_number(month, 1..=2))
            .then(|| day(next).map(|day| format!("{year}-{month}-{day}")))?;
    }
    if !is_number(first, 4..=4) {
        return None;
    }
    let is_month =
        is_number(next, 1..=2) || (next.len() >= 3 && next.bytes().all(|byte| byte.is_ascii_alphabetic()));
    if is_month && parts.len() > 2 {
        return day(parts[2]).map(|day| format!("{first}-{next}-{day}"));
    }
    // /2010/1215/
    is_number(next, 4..=4).then(|| format!("{first}-{}-{}", &next[..2], &next[2..]))
}

/// `2010-12-15`, `29-10-2021`, `20101215` or `20101215083000` in a part of an address.
fn in_part(part: &str) -> Option<String> {
    let bytes = part.as_bytes();
    if bytes.len() == 10 && bytes[2] == b'-' && bytes[5] == b'-' {
        return Some(part.to_owned());
    }
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut at = 0;
    while at < bytes.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let end = (at..=bytes.len()).find(|&end| !digit(end)).unwrap_or(bytes.len());
        let year: u32 = if end - at >= 4 { part[at..at + 4].parse().ok()? } else { 0 };
        if (1990..=2099).contains(&year) {
            let numbers = &part[at..end];
            if numbers.len() == 8 || is_clock(numbers.get(8..).unwrap_or_default()) {
                return Some(format!("{}-{}-{}", &numbers[..4], &numbers[4..6], &numbers[6..8]));
            }
            if end - at == 4 && matches!(bytes.get(end), Some(b'-' | b'_')) {
                let rest = &part[end + 1..];
                let mut numbers = rest.split(['-', '_', '.']);
                let (month, day) = (numbers.next()?, numbers.next().unwrap_or_default());
                if is_number(month, 1..=2) && is_number(day, 1..=2) {
                    return Some(format!("{}-{month}-{day}", &part[at..end]));
                }
            }
        }
        at = end;
    }
    None
}

/// The time to the second at which an archive kept a page: `20140226083000`, `20140226083000id_`.
fn is_stamp(part: &str) -> bool {
    let digits = part.bytes().take_while(u8::is_ascii_digit).count();
    digits == 14 && (part.len() == 14 || part.ends_with('_'))
}

/// Hours, minutes and perhaps seconds without signs between; a count of things seldom looks like it.
fn is_clock(digits: &str) -> bool {
    let below = |at: usize, most: u8| {
        digits.get(at..at + 2).and_then(|it| it.parse().ok()).is_some_and(|it: u8| it < most)
    };
    match digits.len() {
        4 => below(0, 24) && below(2, 60),
        6 => below(0, 24) && below(2, 60) && below(4, 60),
        _ => false,
    }
}

/// `15-12-2010` at the end of a name: `rain-15-12-2010.html`.
fn day_before_year(part: &str) -> Option<String> {
    let name = part.split('.').next().unwrap_or(part);
    let mut words = name.rsplit(['-', '_']);
    let (year, second, first) = (words.next()?, words.next()?, words.next()?);
    (is_number(year, 4..=4) && is_number(second, 1..=2) && is_number(first, 1..=2))
        .then(|| format!("{first}/{second}/{year}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_addresses() {
        for (path, expected) in [
            ("/2010/12/15/rain", Some("2010-12-15")),
            ("/2010/december/15/rain", Some("2010-12-15")),
            ("/2010/12/15-rain", Some("2010-12-15")),
            ("/news/2010/1215/rain.html", Some("2010-12-15")),
            ("/news/2010-12-15-rain", Some("2010-12-15")),
            ("/news/29-10-2021/rain", Some("2021-10-29")),
            ("/t20101215_77.html", Some("2010-12-15")),
            ("/rain-123456789", None),
            ("/2010/12/rain", None),
            ("/99991231/rain", None),
        ] {
            let found = date(path, &Hints::default()).map(|(dated, _)| dated.moment.to_string());
            assert_eq!(found.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn days_that_stood_in_addresses_were_not_read() {
        for (path, expected) in [
            ("/politics/2010-12/15/c_1.htm", Some("2010-12-15")),
            ("/GB/2010-12/15/content_77.htm", Some("2010-12-15")),
            ("/20101215083000.html", Some("2010-12-15")),
            ("/a/201012150830", Some("2010-12-15")),
            ("/rain-15-12-2010", Some("2010-12-15")),
            ("/rain_at_last_15_12_2010.html", Some("2010-12-15")),
            ("/web/20140226083000/http://rain.example/news", None),
            ("/web/20140226083000/http://rain.example/2010/12/15/rain", Some("2010-12-15")),
            ("/web/20140226083000/rain.example/2010/12/rain.html", None),
            ("/web/20140226083000id_/rain.example/2010/12/15/rain", Some("2010-12-15")),
            // A number of a story, and months without a day.
            ("/20101215997788.html", None),
            ("/2010-12/content_77.htm", None),
            ("/2010-12/1234/rain.htm", None),
            ("/rain-15-77-2010", None),
        ] {
            let found = date(path, &Hints::default()).map(|(dated, _)| dated.moment.to_string());
            assert_eq!(found.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn the_order_of_the_page_was_not_asked() {
        let of = |path: &str, month_first: bool| {
            let hints = Hints { month_first: Some(month_first), ..Hints::default() };
            date(path, &hints).map(|(dated, weight)| {
                (dated.moment.to_string(), dated.other.map(|it| it.to_string()), weight)
            })
        };
        let (march, april) = ("2021-03-04".to_owned(), "2021-04-03".to_owned());
        let path = "/news/03-04-2021/rain";
        assert_eq!(of(path, true), Some((march.clone(), Some(april.clone()), 70.0)));
        assert_eq!(of(path, false), Some((april, Some(march), 70.0)));
        assert_eq!(of("/news/29-10-2021/rain", true), Some(("2021-10-29".to_owned(), None, 82.0)));
    }
}
