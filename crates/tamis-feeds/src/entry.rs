//! Entries of feeds.

use tamis::Hints;
use tamis_dates::Moment;
use url::Url;

use crate::{address, terms, text};

/// Longer texts are not names.
const MAX_NAME_BYTES: usize = 200;

/// An entry of a feed: metadata of one page.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Entry {
    /// Absolute URLs of the page, best first: the original URL behind a click counter, the link, then ids that are
    /// URLs.
    pub links: Vec<String>,
    /// `guid` or `id`, as written.
    pub id: Option<String>,
    /// The title, without markup.
    pub title: Option<String>,
    /// When it was published.
    pub published: Option<Moment>,
    /// When it was last changed.
    pub updated: Option<Moment>,
    /// Names without mail addresses; those of the feed if the entry has none.
    pub authors: Vec<String>,
    /// Categories, without placeholders such as `Uncategorized`.
    pub categories: Vec<String>,
    /// The language tag, as written.
    pub language: Option<String>,
    /// A summary. Some feeds have the full text here.
    pub summary: Option<Content>,
    /// The full text, or its beginning.
    pub content: Option<Content>,
}

/// A text of a feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// HTML, as written.
    Html(String),
}

impl Content {
    /// The text without markup, in one line. At most 1 MiB of it is read.
    pub fn to_text(&self) -> String {
        match self {
            Content::Text(plain) => text::one_line(plain),
            Content::Html(html) => text::from_html(html),
        }
    }

    pub(crate) fn is_blank(&self) -> bool {
        let (Content::Text(text) | Content::Html(text)) = self;
        text.trim().is_empty()
    }
}

impl Entry {
    /// The metadata of the entry, for [`tamis::Input::hints`].
    pub fn hints(&self) -> Hints {
        Hints {
            title: self.title.clone(),
            published: self.published,
            modified: self.updated,
            authors: self.authors.clone(),
            tags: self.categories.clone(),
        }
    }

    /// The longer of content and summary.
    pub fn text(&self) -> Option<String> {
        let texts = [&self.content, &self.summary].into_iter().flatten().map(Content::to_text);
        texts.reduce(|content, summary| if summary.len() > content.len() { summary } else { content })
    }

    /// Whether two entries with the same URL describe the same page: by title, or else by text.
    pub(crate) fn is_same(&self, other: &Entry) -> bool {
        let has_same_text = self.content == other.content && self.summary == other.summary;
        self.title == other.title && (self.title.is_some() || has_same_text)
    }
}

/// An entry under construction: links and dates as written.
#[derive(Default)]
pub(crate) struct EntryDraft {
    pub(crate) entry: Entry,
    pub(crate) original_link: Option<String>,
    pub(crate) links: Vec<String>,
    pub(crate) published: Option<String>,
    pub(crate) updated: Option<String>,
    pub(crate) base: Option<String>,
    /// Ids, which count as URLs only if they are absolute.
    pub(crate) ids: Vec<String>,
}

impl EntryDraft {
    /// Adds an id, which may be a URL.
    pub(crate) fn add_id(&mut self, id: &str, is_permalink: bool, limit: usize) {
        if id.is_empty() {
            return;
        }
        self.entry.id.get_or_insert_with(|| id.to_owned());
        if is_permalink && self.ids.len() < limit {
            self.ids.push(id.to_owned());
        }
    }

    /// Adds a category, unless it is a URL or a placeholder.
    pub(crate) fn add_category(&mut self, category: &str, limit: usize) {
        let category = text::plain(category);
        let is_address = category.contains("://") || category.starts_with("www.");
        if !is_address && !terms::is_placeholder_category(&category) {
            add_unique(&mut self.entry.categories, category, limit);
        }
    }

    /// Resolves links and parses dates, once the whole feed is known.
    pub(crate) fn finish(self, feed_base: Option<&Url>, language: Option<&str>) -> Entry {
        let own_base = self.base.as_deref().and_then(|base| address::resolve(base, feed_base));
        let base = own_base.as_ref().or(feed_base);
        let mut entry = self.entry;
        let written =
            self.original_link.iter().chain(&self.links).filter_map(|it| address::resolve(it, base));
        // `<id>1</id>` is not a relative link.
        let ids = self.ids.iter().filter_map(|id| address::resolve(id, None));
        for link in written.chain(ids) {
            add_unique(&mut entry.links, link.into(), usize::MAX);
        }
        let language = entry.language.as_deref().or(language);
        let hints = tamis_dates::Hints { language, ..tamis_dates::Hints::default() };
        let read = |value: Option<String>| {
            value.and_then(|value| tamis_dates::read(&with_full_year(&value), &hints))
        };
        (entry.published, entry.updated) = (read(self.published), read(self.updated));
        entry
    }
}

/// Expands the two-digit year of RFC 822: `14 Dec 10 08:30 GMT`.
fn with_full_year(value: &str) -> String {
    let words: Vec<&str> = value.split_whitespace().collect();
    let is_year = |at: usize| {
        let before_clock = words.get(at + 1).is_some_and(|next| next.contains(':'));
        let after_month = at > 0 && words[at - 1].bytes().all(|byte| byte.is_ascii_alphabetic());
        words[at].len() == 2
            && words[at].bytes().all(|byte| byte.is_ascii_digit())
            && after_month
            && before_clock
    };
    let century = |at: usize| match words[at] {
        _ if !is_year(at) => "",
        year if year < "70" => "20",
        _ => "19",
    };
    words.iter().enumerate().map(|(at, word)| format!("{}{word} ", century(at))).collect()
}

/// Sets a field unless it is set already.
pub(crate) fn set_once(field: &mut Option<String>, value: String) {
    if field.is_none() && !value.is_empty() {
        *field = Some(value);
    }
}

/// Sets a content unless it is set already.
pub(crate) fn set_content(field: &mut Option<Content>, content: Content) {
    if field.is_none() && !content.is_blank() {
        *field = Some(content);
    }
}

/// Adds the name of a person, if any: `desk@gazette.example (Ada Finch)`, `Ada Finch <ada@gazette.example>`.
pub(crate) fn add_person(people: &mut Vec<String>, written: &str, limit: usize) {
    let line = text::one_line(written);
    let bracketed = line.split_once('(').and_then(|(mail, rest)| {
        let name = rest.trim_end().strip_suffix(')')?;
        (mail.contains('@') && !name.contains('@')).then_some(name)
    });
    let words = bracketed.unwrap_or(&line).split(' ').filter(|word| !word.contains('@'));
    let name = words.collect::<Vec<_>>().join(" ");
    let name = text::plain(&name);
    if name.len() <= MAX_NAME_BYTES {
        add_unique(people, name, limit);
    }
}

fn add_unique(list: &mut Vec<String>, value: String, limit: usize) {
    if !value.is_empty() && list.len() < limit && !list.contains(&value) {
        list.push(value);
    }
}
