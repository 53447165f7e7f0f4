//! The days that a page declares for itself in its head. A day in front of the first sentence may be that of the page, or that of
//! what it tells; where the head names one, they can be told apart.

use memchr::memmem;
use tamis_html::Name;

use crate::facts::dates::Moment;
use crate::facts::tells_its_time;
use crate::page::Page;

/// Days between a day that is shown and the one declared that are still the same: clocks differ.
const SAME: i64 = 1;
/// Days from which on it is another.
const FAR: i64 = 31;
/// So many days are read at most.
const MOST: usize = 16;
/// So long the value of a date in JSON-LD is at most.
const VALUE: usize = 64;

/// How a day fits those that the page declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fit {
    /// It is one of them.
    Same,
    /// It is close to one, or none is declared.
    Unknown,
    /// It is far from all of them.
    Far,
}

/// How a day fits what the page declares. Few pages have a day to ask for, so the head is read only then.
pub(super) fn fit(page: &Page<'_>, day: &Moment) -> Fit {
    let away = days(page).into_iter().map(|declared| (declared - day.day_number()).abs()).min();
    match away {
        Some(away) if away <= SAME => Fit::Same,
        Some(away) if away >= FAR => Fit::Far,
        _ => Fit::Unknown,
    }
}

fn days(page: &Page<'_>) -> Vec<i64> {
    let mut days = Vec::new();
    for entry in page.in_order().list.iter().filter(|entry| entry.is(Name::META) || entry.is(Name::SCRIPT)) {
        if days.len() >= MOST {
            break;
        }
        let node = page.node(entry.id);
        if entry.is(Name::META) {
            let named = |name| node.attribute_named(name);
            let key = named(Name::PROPERTY).or_else(|| named(Name::NAME)).or_else(|| named(Name::ITEMPROP));
            if key.is_some_and(|key| tells_its_time(&key.to_ascii_lowercase())) {
                days.extend(node.attribute_named(Name::CONTENT).and_then(|value| day(&value)));
            }
        } else if node.attribute_named(Name::TYPE).is_some_and(|kind| kind.contains("ld+json")) {
            let text = node.text_content();
            for key in ["\"datePublished\"", "\"dateModified\"", "\"dateCreated\""] {
                let places = memmem::find_iter(text.as_bytes(), key).take(MOST);
                days.extend(places.filter_map(|at| day(json_value(&text[at + key.len()..])?)));
            }
        }
    }
    days
}

/// A day that is known exactly.
fn day(value: &str) -> Option<i64> {
    Moment::read(value).filter(|moment| moment.rough.is_none()).map(|moment| moment.day_number())
}

/// The string behind a key.
fn json_value(text: &str) -> Option<&str> {
    let value = text.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let value = &value[..value.floor_char_boundary(VALUE)];
    Some(value.split('"').next().unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_head_are_read() {
        let of = |head: &str, day: &str| fit(&Page::parse(head), &Moment::read(day).expect("a day"));
        let meta = "<meta property=article:published_time content='2026-03-03T23:10:00Z'>";
        assert_eq!(of(meta, "March 4, 2026"), Fit::Same);
        assert_eq!(of(meta, "March 14, 2026"), Fit::Unknown);
        assert_eq!(of(meta, "July 20, 1969"), Fit::Far);
        let json = r#"<script type="application/ld+json">{"datePublished" : "2026-03-03"}</script>"#;
        assert_eq!(of(json, "March 3, 2026"), Fit::Same);
        assert_eq!(of("<p>March 3, 2026", "March 3, 2026"), Fit::Unknown);
        assert_eq!(
            of(r#"<script type="application/ld+json">"datePublished</script>"#, "2026-03-03"),
            Fit::Unknown
        );
    }
}
