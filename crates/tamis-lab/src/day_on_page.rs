//! Is a day written on a page at all? A truth whose day stands nowhere on its page was found elsewhere, or is wrong; no reading of
//! the page can give it.

use tamis_dates::{Found, Hints, find, read};

/// Longer stretches without a mark are code and pictures.
const LONGEST: usize = 2_000;
/// Digits of moments that are counted from 1970, in seconds and in thousandths.
const COUNTED: [usize; 2] = [10, 13];

/// Does the source of a page hold a day, in a text, an attribute or a script, in any way of writing that is known, in either order of day
/// and month? A moment that is counted from 1970 has two days, since nobody says where its page is read.
///
/// ```
/// use tamis_lab::day_on_page::is_written;
///
/// let page = r#"<time datetime="2010-12-15">yesterday</time><p>3/4/2021</p><script>{"at":1292401800}</script>"#;
/// assert!(is_written(page, (2010, 12, 15)));
/// assert!(is_written(page, (2021, 3, 4)) && is_written(page, (2021, 4, 3)));
/// assert!(!is_written(page, (2019, 12, 15)));
/// ```
pub fn is_written(source: &str, day: (u32, u32, u32)) -> bool {
    let (year, month, date) = day;
    // As addresses and scripts write it.
    let plain = format!("{year}{month:02}{date:02}");
    if source.contains(&plain) {
        return true;
    }
    let is_day = |text: String| crate::date::day(&text) == Some(day);
    let is_of = |dated: &Found| {
        is_day(dated.moment.to_string()) || dated.alternative.is_some_and(|other| is_day(other.to_string()))
    };
    let languages = [None, Some("th"), Some("fa"), Some("zh")];
    // Elements may stand between the parts of a date: once by pieces of the source, once without its marks.
    let bare = without_tags(source);
    let pieces = source.split(['<', '>', '"', '\'']).chain(bare.split('\n'));
    pieces.filter(|piece| (6..=LONGEST).contains(&piece.len())).any(|piece| {
        let is_counted = || {
            let numbers = piece.split(|c: char| !c.is_ascii_digit()).filter(|it| COUNTED.contains(&it.len()));
            numbers.filter_map(|it| it.get(..10)?.parse::<i64>().ok()).any(|seconds| {
                [-43_200, 0, 43_200].into_iter().any(|shift| {
                    read(&(seconds + shift).to_string(), &Hints::default())
                        .is_some_and(|moment| is_day(moment.to_string()))
                })
            })
        };
        let found = languages.iter().any(|language| {
            // What may hold sixteen dates is read in pieces.
            let hints = Hints { language: *language, ..Hints::default() };
            find(piece, &hints).iter().any(is_of)
        });
        found || is_counted()
    })
}

/// The words of a source, a line for each stretch between marks of blocks; marks inside of a line are left out.
fn without_tags(source: &str) -> String {
    let mut text = String::new();
    for (place, piece) in source.split('<').enumerate() {
        if place == 0 {
            text.push_str(piece);
            continue;
        }
        let (tag, said) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag
            .trim_start_matches('/')
            .split(|c: char| !c.is_ascii_alphanumeric())
            .next()
            .unwrap_or_default();
        let is_inline =
            ["span", "a", "b", "i", "em", "strong", "sup", "font", "small", "time", "abbr"].contains(&name);
        text.push(if is_inline { ' ' } else { '\n' });
        text.push_str(said);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_many_places() {
        let day = (2010, 12, 15);
        for source in [
            "<p>15 December 2010</p>",
            "<p><span>15</span> <b>Dezember</b> 2010</p>",
            "<a href=/2010/12/15/rain>x</a>",
            "<img src=/rain-20101215.jpg>",
            "<p>12/15/2010</p>",
            "<p>2010年12月15日</p>",
            "<meta content='1292401800000'>",
        ] {
            assert!(is_written(source, day), "{source}");
        }
        for source in
            ["<p>15 December</p>", "<p>December 2010</p>", "<p>2010</p>", "", "<p>14 December 2010</p>"]
        {
            assert!(!is_written(source, day), "{source}");
        }
    }
}
