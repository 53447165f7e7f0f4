//! JSON Feed, streamed: values of the wrong type are skipped, and entries before a syntax error are kept.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::entry::{EntryDraft, add_person, set_content, set_once};
use crate::feed::{FeedDraft, Limits};
use crate::{Content, FeedError, text};

pub(crate) fn read(source: &str, limits: Limits) -> Result<FeedDraft, FeedError> {
    // Outside strings, control characters are white space; inside, they are a frequent error.
    let source = source.replace(|it: char| it.is_ascii_control(), " ");
    let mut feed = FeedDraft::default();
    let mut json = serde_json::Deserializer::from_str(&source);
    // Entries before an error are kept.
    let _ = Node::Feed(&mut feed, limits).deserialize(&mut json);
    if feed.is_feed { Ok(feed) } else { Err(FeedError::JsonWithoutItems) }
}

/// A node of the document and the target of its value. serde_json limits nesting.
enum Node<'d> {
    Feed(&'d mut FeedDraft, Limits),
    Items(&'d mut Vec<EntryDraft>, Limits),
    /// An item, and whether it is an object.
    Item(&'d mut EntryDraft, &'d mut bool, usize),
    Tags(&'d mut EntryDraft, usize),
    /// A person or a list of persons, each an object or a name.
    People(&'d mut Vec<String>, usize),
    Text(&'d mut String),
}

/// Ignores values of other types.
macro_rules! ignore {
    ($($visit:ident: $type:ty),*) => { $(fn $visit<E>(self, _: $type) -> Result<(), E> { Ok(()) })* };
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match self {
            Node::Feed(feed, limits) => {
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    feed_value(&key, feed, limits, &mut map)?;
                }
            }
            Node::Item(draft, is_object, limit) => {
                *is_object = true;
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    item_value(&key, draft, limit, &mut map)?;
                }
            }
            Node::People(people, limit) => {
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    let written = value(&mut map)?;
                    if key == "name" {
                        add_person(people, &written, limit);
                    }
                }
            }
            _ => while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {},
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        match self {
            Node::Items(entries, limits) => {
                while entries.len() < limits.entries {
                    let (mut draft, mut is_object) = (EntryDraft::default(), false);
                    let item = Node::Item(&mut draft, &mut is_object, limits.values_per_entry);
                    let read = list.next_element_seed(item);
                    // The beginning of a truncated item is kept.
                    entries.extend(is_object.then_some(draft));
                    if read?.is_none() {
                        return Ok(());
                    }
                }
            }
            Node::Tags(draft, limit) => while list.next_element_seed(Node::Tags(draft, limit))?.is_some() {},
            Node::People(people, limit) => {
                while list.next_element_seed(Node::People(people, limit))?.is_some() {}
            }
            _ => {}
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, written: &str) -> Result<(), E> {
        match self {
            Node::Text(field) => *field = written.trim().to_owned(),
            Node::People(people, limit) => add_person(people, written, limit),
            Node::Tags(draft, limit) => draft.add_category(written, limit),
            _ => {}
        }
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        if let Node::Text(field) = self {
            *field = number.to_string();
        }
        Ok(())
    }

    ignore!(visit_i64: i64, visit_f64: f64, visit_bool: bool);

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// The text of a value; empty if it has another type.
fn value<'de, A: MapAccess<'de>>(map: &mut A) -> Result<String, A::Error> {
    let mut text = String::new();
    map.next_value_seed(Node::Text(&mut text))?;
    Ok(text)
}

/// A field of the feed, most of which items have, too.
fn feed_value<'de, A: MapAccess<'de>>(
    key: &str,
    feed: &mut FeedDraft,
    limits: Limits,
    map: &mut A,
) -> Result<(), A::Error> {
    let limit = limits.values_per_entry;
    feed.is_feed |= key == "items";
    match key {
        "items" => map.next_value_seed(Node::Items(&mut feed.entries, limits))?,
        "home_page_url" => feed.add_address(value(map)?, true, limit),
        "feed_url" => feed.add_address(value(map)?, false, limit),
        _ => item_value(key, &mut feed.head, limit, map)?,
    }
    Ok(())
}

/// A field of an item. `external_url` is ignored: it is another page that this one discusses.
fn item_value<'de, A: MapAccess<'de>>(
    key: &str,
    draft: &mut EntryDraft,
    limit: usize,
    map: &mut A,
) -> Result<(), A::Error> {
    let entry = &mut draft.entry;
    match key {
        "url" => draft.links.extend((draft.links.len() < limit).then_some(value(map)?)),
        "id" => draft.add_id(&value(map)?, true, limit),
        "title" => set_once(&mut entry.title, text::plain(&value(map)?)),
        "date_published" => set_once(&mut draft.published, value(map)?),
        "date_modified" => set_once(&mut draft.updated, value(map)?),
        "language" => set_once(&mut entry.language, value(map)?),
        "summary" => set_content(&mut entry.summary, Content::Text(value(map)?)),
        // Preferred to `content_text`, which may come first.
        "content_html" => {
            entry.content =
                Some(Content::Html(value(map)?)).filter(|it| !it.is_blank()).or(entry.content.take());
        }
        "content_text" => set_content(&mut entry.content, Content::Text(value(map)?)),
        "author" | "authors" => map.next_value_seed(Node::People(&mut entry.authors, limit))?,
        "tags" => map.next_value_seed(Node::Tags(draft, limit))?,
        _ => drop(map.next_value::<IgnoredAny>()?),
    }
    Ok(())
}
