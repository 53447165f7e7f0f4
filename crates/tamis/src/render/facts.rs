//! Metadata as named strings, for formats that list it.

use crate::document::Document;

/// The metadata that a document has, in output order. Lists give one entry per element.
pub(super) fn facts(document: &Document) -> Vec<(&'static str, String)> {
    let metadata = &document.metadata;
    let mut facts = Vec::new();
    fn push<T: ToString>(
        facts: &mut Vec<(&'static str, String)>,
        name: &'static str,
        values: impl IntoIterator<Item = T>,
    ) {
        facts.extend(values.into_iter().map(|value| (name, value.to_string())));
    }
    push(&mut facts, "title", &metadata.title);
    push(&mut facts, "published", metadata.published);
    push(&mut facts, "modified", metadata.modified);
    push(&mut facts, "author", &metadata.authors);
    push(&mut facts, "editor", &metadata.editors);
    push(&mut facts, "byline", &metadata.byline);
    push(&mut facts, "organisation", &metadata.organisation);
    push(&mut facts, "source", &metadata.source);
    push(&mut facts, "site-name", &metadata.site_name);
    push(&mut facts, "description", &metadata.description);
    push(&mut facts, "tag", &metadata.tags);
    push(&mut facts, "category", &metadata.categories);
    push(&mut facts, "lead-image", &metadata.image);
    push(&mut facts, "licence", &metadata.licence);
    push(&mut facts, "canonical", &metadata.canonical);
    push(&mut facts, "next-page", &metadata.next_page);
    push(&mut facts, "comments-page", &metadata.comments_page);
    push(&mut facts, "feed", &metadata.feeds);
    facts
}

/// Whether the text runs from right to left.
pub(super) fn is_right_to_left(document: &Document) -> bool {
    document.metadata.direction == Some(crate::metadata::Direction::Rtl)
}

/// One fact, by its name.
pub(super) fn fact<'f>(facts: &'f [(&'static str, String)], name: &str) -> Option<&'f str> {
    facts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}
