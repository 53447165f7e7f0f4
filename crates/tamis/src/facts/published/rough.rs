//! The month or the year of publication, where a page names no day.

use super::super::dates::{Moment, Precision, find, read, rough};
use super::super::evidence::{Field, Origin};
use super::labels::{Label, label};
use super::metadata::{meaning, origin};
use super::{Search, visible};

/// A day that weighs less is hardly believed: a month that the page declares is better.
const LEAST: f32 = 20.0;

/// Puts months and years among the candidates, if there is no better one.
pub(super) fn gather(search: &mut Search<'_>) {
    if search.found.iter().any(|it| it.field == Field::Published && it.weight >= LEAST) {
        return;
    }
    let around = search.around;
    let language = search.hints.language;
    let named = around.own_piece().and_then(|piece| piece.text_of("datePublished"));
    if let Some(moment) = named.and_then(|text| rough(text, language)) {
        search.add(Field::Published, moment, Origin::JsonLd, "datePublished", 34.0);
    }
    for meta in &around.scan.metas {
        if let Some((Field::Published, _)) = meaning(&meta.key)
            && let Some(moment) = rough(&meta.content, language)
        {
            let origin = origin(&meta.key, meta.is_microdata);
            search.add(Field::Published, moment, origin, meta.key.clone(), 32.0);
        }
    }
    // A line by the headline that is no more than a month, with a label or without one. A year alone may be anything.
    let mut months: Vec<(Moment, &str)> = Vec::new();
    for place in visible::by_headline(search) {
        let text = around.page.text(&around.page.blocks()[place]);
        if text.len() > 80 {
            continue;
        }
        let mut ends = text.rmatch_indices(char::is_whitespace).map(|(at, _)| at).skip(1).take(2);
        let whole = std::iter::once(0).chain(ends.by_ref()).find_map(|at| {
            let is_said = matches!(label(&text[..at], ""), Some(Label::Published | Label::First));
            let moment = rough(&text[at..], language).filter(|_| at == 0 || is_said)?;
            (moment.precision() == Precision::Month).then_some(moment)
        });
        months.extend(whole.map(|moment| (moment, text)));
    }
    // Several are those of an archive, which lead to what was written in each.
    if let [(moment, text)] = months[..] {
        search.add(Field::Published, moment, Origin::Near, format!("by the headline: {text}"), 30.0);
    }
    if search.found.is_empty() {
        in_one_number(search);
    }
    if search.found.is_empty() {
        of_picture(search);
    }
}

/// A line by the headline that is nothing but 20101215. Where a page has any other date, it may be the number of something.
fn in_one_number(search: &mut Search<'_>) {
    let around = search.around;
    let lines = visible::by_headline(search).into_iter();
    let texts = lines.map(|place| around.page.text(&around.page.blocks()[place]).trim());
    let mut numbers = texts.filter(|text| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()));
    if let (Some(text), None) = (numbers.next(), numbers.next())
        && let Some(moment) = read(text, &search.hints).filter(|it| it.local.year >= 1990)
    {
        search.add(Field::Published, moment, Origin::Near, format!("by the headline: {text}"), 24.0);
    }
}

/// The month in which the picture that stands for an article was put up, where nothing on the page has a date: most are put up
/// with it. Pages of shops and front pages change their pictures, and dates within a text speak of other years often enough.
fn of_picture(search: &mut Search<'_>) {
    let around = search.around;
    if !around.is_article() || around.is_front_page() {
        return;
    }
    let page = around.page;
    let hints = search.hints.without_fetch();
    if page.blocks().iter().any(|block| !find(page.text(block), &hints).is_empty()) {
        return;
    }
    let Some(address) = around.scan.meta_named(&["og:image", "twitter:image"]) else { return };
    if let Some(moment) = month_of(address) {
        search.add(Field::Published, moment, Origin::OpenGraph, "the month of its picture", 6.0);
    }
}

/// The month that the address of a picture names: `/uploads/2010/12/rain.jpg`, `/files/2010-12/rain.jpg`, `rain.jpg?v=1292401800`.
fn month_of(address: &str) -> Option<Moment> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let parts: Vec<&str> = path.split('/').collect();
    let is_month =
        |part: &str| part.len() == 2 && part.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month));
    let is_year =
        |part: &str| part.len() == 4 && part.parse::<u16>().is_ok_and(|year| (1995..=2099).contains(&year));
    let of_path = parts.iter().enumerate().find_map(|(place, part)| {
        let next = parts.get(place + 1)?;
        match part.split_once('-') {
            _ if is_year(part) && is_month(next) => Some(format!("{part}-{next}")),
            Some((year, month)) if is_year(year) && is_month(month) => Some(format!("{year}-{month}")),
            _ => None,
        }
    });
    let of_query = || {
        let version = query.split('&').find_map(|it| it.strip_prefix("v="))?;
        let seconds: i64 = version.parse().ok().filter(|_| version.len() == 10)?;
        let day = Moment::from_unix(seconds)?.local;
        Some(format!("{}-{:02}", day.year, day.month))
    };
    rough(&of_path.or_else(of_query)?, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Around;
    use crate::facts::evidence::Evidence;
    use crate::judgement::Judgement;
    use crate::page::Page;

    #[test]
    fn months_of_pictures() {
        for (address, expected) in [
            ("https://gazette.example/wp-content/uploads/2010/12/rain.jpg", Some("2010-12")),
            ("https://gazette.example/files/2010-12/rain.jpg", Some("2010-12")),
            ("https://gazette.example/rain.jpg?width=3&v=1292401800", Some("2010-12")),
            ("https://gazette.example/2010/13/rain.jpg", None),
            ("https://gazette.example/rain-2010-12.jpg", None),
            ("https://gazette.example/rain.jpg?v=3", None),
        ] {
            assert_eq!(month_of(address).map(|it| it.to_string()).as_deref(), expected, "{address}");
        }
    }

    /// The day, and where it was found.
    fn published(html: &str) -> Option<(String, Origin)> {
        let page = Page::parse(html);
        let judgement = Judgement::of(vec![true; page.blocks().len()]);
        let around = Around::of(&page, &judgement, None);
        let mut evidence = Evidence::default();
        let (moment, _) = super::super::gather(&around, Some("en"), &mut evidence);
        let chosen = evidence.candidates.iter().find(|it| it.chosen && it.field == Field::Published);
        moment.map(|it| it.to_string()).zip(chosen.map(|it| it.origin))
    }

    const TEXT: &str =
        "<p>It rained for nine days, and the gardens of the harbour are no longer dry, says the office.";

    #[test]
    fn months_in_data_were_all_of_meta() {
        for (name, origin) in [
            ("article:published_time", Origin::OpenGraph),
            ("dc.date", Origin::DublinCore),
            ("pubdate", Origin::Meta),
        ] {
            let found = published(&format!("<meta name={name} content=2010-12><h1>Rain</h1>{TEXT}"));
            assert_eq!(found, Some(("2010-12".to_owned(), origin)), "{name}");
        }
    }

    #[test]
    fn a_day_in_one_number_alone() {
        let found = published(&format!("<h1>Rain</h1><p>20101215</p>{TEXT}"));
        assert_eq!(found, Some(("2010-12-15".to_owned(), Origin::Near)));
        let other =
            published(&format!("<h1>Rain</h1><p>20101215</p>{TEXT} It began on 3 May 2011, it says."));
        assert_ne!(other.map(|(day, _)| day).as_deref(), Some("2010-12-15"));
        assert_eq!(published(&format!("<h1>Rain</h1><p>20101277</p>{TEXT}")), None);
    }

    #[test]
    fn pictures_on_pages_with_other_dates() {
        let picture = "<meta property=og:image content=https://gazette.example/uploads/2010/12/rain.jpg>";
        let article = "<meta property=og:type content=article>";
        let found = published(&format!("{article}{picture}<h1>Rain</h1>{TEXT}"));
        assert_eq!(found, Some(("2010-12".to_owned(), Origin::OpenGraph)));
        assert_eq!(published(&format!("{picture}<h1>Rain</h1>{TEXT}")), None);
        let dated = published(&format!(
            "{article}{picture}<h1>Rain</h1>{TEXT} Nobody had seen as much since 3 May 1998, the day of the great flood."
        ));
        assert_ne!(dated.map(|(day, _)| day).as_deref(), Some("2010-12"));
    }
}
