//! JSON Feed, version 1 and its like. Broken JSON is read as that of pages is.

use super::entry::{MOST, add_person};
use super::{Content, Draft, Entry, FeedError, Limits};
use crate::facts::json_ld::{self, Budget, Json};
use crate::facts::without_markup;

/// Values an entry may have on the average before the rest is left out.
const VALUES_AN_ENTRY: usize = 100;

pub(super) fn read(text: &str, limits: Limits) -> Result<Draft, FeedError> {
    let values = limits.entries.saturating_mul(VALUES_AN_ENTRY);
    let values = json_ld::read(text, &mut Budget::of_data(limits.bytes, values));
    let Some((feed, items)) = values.iter().find_map(|value| value.get("items").map(|items| (value, items)))
    else {
        return Err(FeedError::NotAFeed("JSON without \"items\"".to_owned()));
    };
    let owned = |value: &Json, key: &str| value.text_of(key).map(str::to_owned);
    let mut authors = Vec::new();
    people(feed, &mut authors);
    let items = items.each().filter(|item| matches!(item, Json::Object(_)));
    Ok(Draft {
        title: title(feed),
        language: owned(feed, "language"),
        authors,
        base: None,
        site: owned(feed, "home_page_url").or_else(|| owned(feed, "feed_url")),
        entries: items.take(limits.entries).map(entry).collect(),
    })
}

fn entry(item: &Json) -> Entry {
    let owned = |key: &str| item.text_of(key).map(str::to_owned);
    let content = |key: &str, form: fn(String) -> Content| owned(key).map(form).filter(|it| !it.is_empty());
    let mut entry = Entry {
        // What it is known by is an address on most sites; `external_url` is that of another page, on which this one speaks.
        links: ["url", "id"].into_iter().filter_map(owned).collect(),
        title: title(item),
        published: owned("date_published"),
        updated: owned("date_modified"),
        summary: content("summary", Content::Text),
        content: content("content_html", Content::Html).or_else(|| content("content_text", Content::Text)),
        language: owned("language"),
        ..Entry::default()
    };
    people(item, &mut entry.authors);
    for tag in item.get("tags").into_iter().flat_map(Json::each).filter_map(Json::text).take(MOST) {
        entry.add_category(tag);
    }
    entry
}

fn title(of: &Json) -> Option<String> {
    of.text_of("title").map(without_markup).filter(|title| !title.is_empty())
}

/// `authors` of version 1.1, and `author` of 1.0.
fn people(of: &Json, people: &mut Vec<String>) {
    let all = of.get("authors").into_iter().chain(of.get("author")).flat_map(Json::each);
    for name in all.filter_map(|it| it.text_of("name").or_else(|| it.text())).take(MOST) {
        add_person(people, name);
    }
}
