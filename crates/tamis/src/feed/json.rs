//! JSON Feed, version 1 and its like. Broken JSON is read as that of pages is.

use super::entry::{MOST, add_person};
use super::{Content, Draft, Entry, FeedError, Limits};
use crate::facts::json_ld::{self, Budget, Json};
use crate::facts::without_markup;

/// Values an entry may have on the average before the rest is left out.
const VALUES_AN_ENTRY: usize = 100;

pub(super) fn read(text: &str, limits: Limits) -> Result<Draft, FeedError> {
    let most = limits.entries.saturating_mul(VALUES_AN_ENTRY);
    let read = |text: &str| json_ld::read(text, &mut Budget::of_data(limits.bytes, most));
    let has_items = |values: &[Json]| values.iter().any(|value| value.get("items").is_some());
    let mut values = read(text);
    if !has_items(&values)
        && let Cut::Behind(end) = cut(text, most)
    {
        // A list that is too long is lost as a whole; its beginning is not.
        values = end.map(|end| read(&text[..end])).unwrap_or_default();
        if !has_items(&values) {
            let what =
                format!("JSON of more than {most} values, and no entry of \"items\" among the first of them");
            return Err(FeedError::NotAFeed(what));
        }
    }
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
        homes: [owned(feed, "home_page_url"), owned(feed, "feed_url")].into_iter().flatten().collect(),
        entries: items.take(limits.entries).map(entry).collect(),
    })
}

/// How far JSON may be read.
enum Cut {
    /// All of it.
    Nowhere,
    /// Up to the end of an entry, if one is whole.
    Behind(Option<usize>),
}

/// Where JSON of more values than these is cut: behind the last object of a list of the outermost object.
fn cut(text: &str, most: usize) -> Cut {
    let (mut values, mut end) = (1, None);
    let mut is_text = false;
    let mut is_escaped = false;
    // Whether each that is open is a list.
    let mut open: Vec<bool> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if is_text {
            is_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match byte {
            b'"' => is_text = true,
            b'{' => open.push(false),
            b'[' => {
                open.push(true);
                values += 1;
            }
            b'}' | b']' => {
                open.pop();
                if byte == b'}' && open == [false, true] {
                    end = Some(at + 1);
                }
            }
            b':' => values += 1,
            b',' => values += usize::from(open.last() == Some(&true)),
            _ => {}
        }
        if values >= most {
            return Cut::Behind(end);
        }
    }
    Cut::Nowhere
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
