//! What the head of a page declares: the part that features need, filled for every page, and the index that metadata
//! needs, read on demand.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use tamis_html::{Dom, Name, NodeRef};

use super::json_ld::{JsonLdGraph, plain_text};
use super::microdata::MarkedElements;
use crate::page::Page;
use crate::text::hash::{self, Bloom, bigram};
use crate::text::whitespace::collapse_whitespace;

/// Metadata to compare blocks with.
#[derive(Debug, Default)]
pub struct Head {
    pub title_words: Bloom,
    pub title_word_count: u32,
    pub description_bigrams: Bloom,
    /// Bigrams of `articleBody` in JSON-LD.
    pub body_bigrams: Bloom,
    /// Bits of [`Head::DECLARED_TYPES`].
    pub declared_types: u32,
}

/// Length limit of a JSON-LD `articleBody`, in bytes.
const MAX_BODY_BYTES: usize = 1 << 16;

impl Head {
    /// Types declared by Open Graph and JSON-LD, in bit order.
    pub const DECLARED_TYPES: [&str; 6] = ["og article", "article", "product", "forum", "list", "questions"];

    pub fn fill(&mut self, dom: &Dom<'_>, page: &Page<'_>) {
        self.title_words.clear();
        self.description_bigrams.clear();
        self.body_bigrams.clear();
        self.title_word_count = 0;
        self.declared_types = 0;
        hash::for_each_word(&page.head.title, 32, |word| {
            self.title_words.insert(word, 64);
            self.title_word_count += 1;
        });
        for meta in page.head.metas.iter().filter_map(|id| dom.node(*id)) {
            let (mut key, mut content) = (None, None);
            for attribute in meta.attributes() {
                match attribute.name_id() {
                    Name::NAME | Name::PROPERTY => key = Some(attribute.value()),
                    Name::CONTENT => content = Some(attribute.value()),
                    _ => {}
                }
            }
            let (Some(key), Some(content)) = (key, content) else { continue };
            match &*key {
                "og:type" if content.eq_ignore_ascii_case("article") => self.declared_types |= 1,
                "og:type" if content.contains("product") => self.declared_types |= 4,
                "description" | "Description" | "og:description" => {
                    insert_bigrams(&content, 64, &mut self.description_bigrams, 64)
                }
                _ => {}
            }
        }
        for script in page.head.json_ld.iter().filter_map(|id| dom.node(*id)) {
            self.read_json_ld(&script_text(script));
        }
    }

    /// Scans for `@type` and `articleBody` instead of parsing the JSON.
    fn read_json_ld(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\"@type\"") {
            rest = &rest[at + 7..];
            let value = rest.trim_start_matches([' ', ':', '"', '[', '\n', '\t']);
            let is = |names: &[&str]| names.iter().any(|name| value.starts_with(name));
            self.declared_types |= u32::from(is(&["NewsArticle", "Article", "BlogPosting", "Report"])) << 1
                | u32::from(is(&["Product"])) << 2
                | u32::from(is(&["DiscussionForum"])) << 3
                | u32::from(is(&["ItemList", "CollectionPage"])) << 4
                | u32::from(is(&["QAPage", "Question"])) << 5;
        }
        let mut rest = text;
        while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\"articleBody\"") {
            rest = rest[at + 13..].trim_start_matches([' ', ':', '\n', '\t']);
            if let Some(string) = rest.strip_prefix('"') {
                insert_bigrams(&json_string(string), usize::MAX, &mut self.body_bigrams, 1024);
            }
        }
    }
}

/// The text of a script, which is one node.
fn script_text(script: NodeRef<'_>) -> Cow<'_, str> {
    script.first_child().map(|text| text.text()).unwrap_or_default()
}

/// Unescapes a JSON string up to its closing quote. `text` starts after the opening quote.
fn json_string(text: &str) -> String {
    let mut string = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n' | 'r' | 't') => string.push(' '),
                Some('u') => {
                    let digits: String = characters.by_ref().take(4).collect();
                    string
                        .push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or(' '));
                }
                Some(other) => string.push(other),
                None => break,
            },
            other => string.push(other),
        }
        if string.len() > MAX_BODY_BYTES {
            break;
        }
    }
    string
}

/// Inserts the bigrams of the first `max_words` words into `bloom`.
fn insert_bigrams(text: &str, max_words: usize, bloom: &mut Bloom, size: usize) {
    let mut previous = 0;
    hash::for_each_word(text, max_words, |word| {
        bloom.insert(bigram(previous, word), size);
        previous = word;
    });
}

/// Declares [`MetaField`] with the names in `data/meta-keys.tsv`.
macro_rules! meta_fields {
    ($($variant:ident $name:literal)*) => {
        /// Fields that `meta` elements declare.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum MetaField { $($variant),* }

        impl MetaField {
            fn parse(name: &str) -> Option<MetaField> {
                match name { $($name => Some(MetaField::$variant),)* _ => None }
            }
        }
    };
}

meta_fields! {
    Title "title" Published "published" Modified "modified" Author "author" Handle "handle" SiteName "sitename"
    Description "description" Image "image" Url "url" Language "language" Locale "locale" Tag "tag"
    Category "category" Licence "licence" Source "source" Type "type"
}

/// A `meta` element whose key is known.
#[derive(Debug)]
pub(crate) struct Meta {
    pub(crate) field: MetaField,
    /// The key, lowercase without punctuation.
    pub(crate) key: String,
    pub(crate) content: String,
    /// How trustworthy the key is, from 1 to 9.
    pub(crate) priority: u8,
}

/// Everything a page declares about itself, for metadata.
#[derive(Debug)]
pub(crate) struct HeadIndex {
    /// The text of `<title>`, whitespace collapsed.
    pub(crate) title: String,
    pub(crate) metas: Vec<Meta>,
    pub(crate) graph: JsonLdGraph,
    pub(crate) marked: MarkedElements,
}

/// Elements read, and bytes kept of a value.
const MAX_METAS: usize = 400;
const MAX_VALUE_BYTES: usize = 4000;

impl HeadIndex {
    /// Reads `title`, `meta`, JSON-LD, microdata and links.
    pub(crate) fn read(page: &Page<'_>) -> HeadIndex {
        let mut graph = JsonLdGraph::default();
        for script in page.head.json_ld.iter().filter_map(|id| page.dom.node(*id)) {
            graph.read(&script_text(script));
        }
        let title = collapse(&page.head.title[..page.head.title.floor_char_boundary(2000)]);
        HeadIndex { title, metas: read_metas(page), graph, marked: MarkedElements::collect(page) }
    }

    /// The `meta` elements of a field, the most trustworthy first.
    pub(crate) fn metas(&self, field: MetaField) -> Vec<&Meta> {
        let mut metas: Vec<&Meta> = self.metas.iter().filter(|meta| meta.field == field).collect();
        metas.sort_by_key(|meta| std::cmp::Reverse(meta.priority));
        metas
    }
}

/// Collapses whitespace.
pub(crate) fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    collapse_whitespace(text, &mut collapsed, 0, &mut false);
    collapsed
}

fn read_metas(page: &Page<'_>) -> Vec<Meta> {
    let mut metas = Vec::new();
    for meta in page.head.metas.iter().filter_map(|id| page.dom.node(*id)) {
        let (mut key, mut content) = (None, None);
        for attribute in meta.attributes() {
            match attribute.name_id() {
                Name::NAME | Name::PROPERTY | Name::HTTP_EQUIV if key.is_none() => {
                    key = Some(attribute.value())
                }
                Name::CONTENT => content = Some(attribute.value()),
                _ => {}
            }
        }
        let (Some(key), Some(content)) = (key, content) else { continue };
        if key.len() > 60 || content.trim().is_empty() || metas.len() >= MAX_METAS {
            continue;
        }
        if let Some((key, field, priority)) = meta_field(&key) {
            let content = plain_text(content[..content.floor_char_boundary(MAX_VALUE_BYTES)].to_owned());
            metas.push(Meta { field, key, content: collapse(&content), priority });
        }
    }
    metas
}

/// Keys by their text, with field, priority, and whether they match behind a prefix.
static META_KEYS: LazyLock<HashMap<&'static str, (MetaField, u8, bool)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/meta-keys.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut keys = HashMap::new();
    for line in lines {
        let mut columns = line.split('\t');
        let (Some(name), Some(key), Some(priority)) = (columns.next(), columns.next(), columns.next()) else {
            continue;
        };
        let suffix = key.strip_prefix('*');
        if let Some(field) = MetaField::parse(name) {
            keys.insert(suffix.unwrap_or(key), (field, priority.parse().unwrap_or(1), suffix.is_some()));
        }
    }
    keys
});

/// Looks a key up: whole, then without its first parts (`bt:pubDate` as `pubdate`).
fn meta_field(key: &str) -> Option<(String, MetaField, u8)> {
    let parts: Vec<&str> =
        key.trim().split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let whole = parts.concat().to_ascii_lowercase();
    let mut start = 0;
    for part in &parts {
        if let Some((field, priority, is_suffix)) = META_KEYS.get(&whole[start..])
            && (start == 0 || *is_suffix)
        {
            return Some((whole, *field, *priority));
        }
        start += part.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_keys_match_whole_or_behind_a_prefix() {
        let field = |key| meta_field(key).map(|(_, field, _)| field);
        for (key, expected) in [
            ("og:title", Some(MetaField::Title)),
            ("article:published_time", Some(MetaField::Published)),
            ("bt:pubDate", Some(MetaField::Published)),
            ("DC.Creator.PersonalName", Some(MetaField::Author)),
            ("twitter:creator", Some(MetaField::Handle)),
            ("reading_time", None),
            ("web_author", None),
            ("theme-color", None),
        ] {
            assert_eq!(field(key), expected, "{key}");
        }
    }

    #[test]
    fn reads_meta_in_order_of_trust() {
        let page = Page::parse(
            "<title> Rain \n at last </title><meta name=description content='plain'><meta property=og:title content='A &quot;quoted&quot; &amp;amp; title'>\
             <meta name=title content=Other><script type='application/ld+json'>{\"@type\": \"Article\"}</script><p>x",
        );
        let head = HeadIndex::read(&page);
        assert_eq!(head.title, "Rain at last");
        let titles: Vec<&str> =
            head.metas(MetaField::Title).iter().map(|meta| meta.content.as_str()).collect();
        assert_eq!(titles, ["A \"quoted\" & title", "Other"]);
        assert_eq!(head.graph.own_objects().len(), 1);
    }
}
