//! An extracted story or comment, ready to be stored.

use std::borrow::Cow;

use tamis::PageType;
use tamis_batch::Near;
use tamis_dates::Moment;
use url::Url;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::near;

const MAX_LINE: usize = 1_000;
const MAX_NAME: usize = 200;
const MAX_AUTHORS: usize = 50;
/// Longest URL in bytes; PostgreSQL limits index entries to 2,704.
const MAX_URL: usize = 2_048;
const MAX_TEXT: usize = 4_000_000;
const MAX_COMMENT: usize = 100_000;

/// The story extracted from a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// The URL of the page, without credentials and fragment.
    pub url: String,
    /// The canonical URL that the page declares.
    pub canonical: Option<String>,
    /// Host of `url`, with the port unless it is the scheme's default.
    pub host: String,
    /// The outlet that the story was taken from.
    pub source: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Title.
    pub title: Option<String>,
    /// ISO 8601, as precise as the page.
    pub published: Option<String>,
    /// ISO 8601.
    pub modified: Option<String>,
    /// Names.
    pub authors: Vec<String>,
    /// BCP 47 tag.
    pub language: Option<String>,
    /// Name of a [`PageType`].
    pub page_type: Option<String>,
    /// Probability of the page type, from 0 to 1.
    pub page_type_probability: Option<f32>,
    /// The confidence of the extraction, from 0 to 1.
    pub confidence: Option<f32>,
    /// The main text.
    pub text: String,
    /// The main text as Markdown.
    pub markdown: String,
    /// Reader comments on the page.
    pub comments: Vec<CommentDraft>,
    /// Absolute URL of the next part of the story.
    pub next_page: Option<String>,
    /// Absolute URL of the page with its comments.
    pub comments_page: Option<String>,
    /// Absolute URLs of the site's feeds.
    pub feeds: Vec<String>,
    /// Robots directives of page or server, such as `noindex, noarchive`.
    pub robots: Option<String>,
    /// Number of pages in the site memory during extraction.
    pub memory_pages: u32,
    /// [`Engine::version`](crate::Engine::version) of the extraction.
    pub extractor: String,
    /// URL that identifies the story; unique in a corpus. [`Draft::new`] sets it to `url`.
    pub identity: String,
    pub(crate) seal: Option<Seal>,
}

/// A reader comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CommentDraft {
    /// Name of the author.
    pub author: Option<String>,
    /// ISO 8601.
    pub time: Option<String>,
    /// The text.
    pub text: String,
    /// Index of the comment it answers.
    pub reply_to: Option<u32>,
}

/// Values computed from title and text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Seal {
    digest: String,
    near: Option<Box<Near>>,
}

impl Draft {
    /// An empty draft of the page at `url`.
    pub fn new(url: &str) -> Draft {
        let url = match Url::parse(url) {
            Ok(parsed) => bare_url(parsed),
            Err(_) => url.to_owned(),
        };
        Draft { host: host_of(&url), identity: url.clone(), url, ..Draft::default() }
    }

    /// Uses the canonical URL as identity if it is credible: on the same host, and not the front page, which careless
    /// sites declare on every page.
    pub fn trust_canonical(&mut self) {
        let Some(canonical) = self.canonical.as_deref().and_then(|url| Url::parse(url).ok()) else { return };
        let canonical = bare_url(canonical);
        let is_front_page =
            Url::parse(&canonical).is_ok_and(|url| url.path() == "/" && url.query().is_none());
        if host_of(&canonical) == self.host && !is_front_page {
            self.identity = canonical;
        }
    }

    /// Whether the page is a story, by its page type: not a listing, a front page or a text without letters. Imported
    /// rows of unknown type count as stories.
    pub fn is_story(&self) -> bool {
        const STORIES: [PageType; 4] =
            [PageType::Article, PageType::Forum, PageType::Documentation, PageType::Product];
        let page_type = self.page_type.as_deref();
        self.text.contains(char::is_alphabetic)
            && page_type.is_none_or(|name| STORIES.iter().any(|story| story.name() == name))
    }

    /// Sets the URL of the page, and its host.
    pub(crate) fn move_to(&mut self, url: &str) {
        self.url = url.to_owned();
        self.host = host_of(url);
        self.identity = url.to_owned();
    }

    /// Truncates title and text to their limits and computes their digest and MinHash values. Saving does this if
    /// necessary; doing it before keeps it out of the transaction. Call it again after changing title, text or
    /// Markdown.
    pub fn seal(&mut self) {
        self.title = line(self.title.as_deref(), MAX_LINE);
        bound_text(&mut self.text, MAX_TEXT);
        bound_text(&mut self.markdown, MAX_TEXT);
        let digest = digest(self.title.as_deref(), &self.text);
        self.seal = Some(Seal { digest, near: near::of(&self.text) });
    }

    /// This draft, sealed.
    pub(crate) fn sealed(&self) -> Cow<'_, Draft> {
        match self.seal {
            Some(_) => Cow::Borrowed(self),
            None => {
                let mut sealed = self.clone();
                sealed.seal();
                Cow::Owned(sealed)
            }
        }
    }

    /// Digest of title and text; empty before [`seal`](Self::seal).
    pub fn digest(&self) -> &str {
        self.seal.as_ref().map_or("", |seal| &seal.digest)
    }

    pub(crate) fn near(&self) -> Option<&Near> {
        self.seal.as_ref()?.near.as_deref()
    }

    /// The authors as a JSON array.
    pub(crate) fn authors_json(&self) -> String {
        let authors = self.authors.iter().filter_map(|author| line(Some(author), MAX_NAME)).take(MAX_AUTHORS);
        serde_json::Value::from(authors.collect::<Vec<_>>()).to_string()
    }
}

impl CommentDraft {
    /// Truncated, without control characters; `None` if nothing is left.
    pub(crate) fn cleaned(&self) -> Option<CommentDraft> {
        let mut text = self.text.trim().to_owned();
        bound_text(&mut text, MAX_COMMENT);
        let (author, time) = (line(self.author.as_deref(), MAX_NAME), line(self.time.as_deref(), 40));
        (!text.is_empty()).then_some(CommentDraft { author, time, text, reply_to: self.reply_to })
    }

    /// The identity of a comment.
    pub(crate) fn digest(&self) -> String {
        digest(self.author.as_deref(), &self.text)
    }
}

/// Hexadecimal XXH3-128 of a heading and a text.
pub(crate) fn digest(heading: Option<&str>, text: &str) -> String {
    let mut hash = Xxh3::new();
    hash.update(heading.unwrap_or_default().as_bytes());
    // A separator, since neither contains NUL.
    hash.update(b"\0");
    hash.update(text.trim_end().as_bytes());
    format!("{:032x}", hash.digest128())
}

/// A single-line field: white space collapsed, control characters and bidirectional overrides removed, at most
/// `most` characters. `None` if nothing is left.
pub(crate) fn line(text: Option<&str>, most: usize) -> Option<String> {
    let mut clean = String::new();
    let mut count = 0;
    for word in text?.split_whitespace() {
        let mut space = !clean.is_empty();
        for c in word.chars().filter(|c| !is_unsafe(*c)) {
            if count + usize::from(space) >= most {
                return Some(clean);
            }
            if std::mem::take(&mut space) {
                clean.push(' ');
                count += 1;
            }
            clean.push(c);
            count += 1;
        }
    }
    (!clean.is_empty()).then_some(clean)
}

/// A single-line field with the usual limit.
pub(crate) fn short_line(text: &Option<String>) -> Option<String> {
    line(text.as_deref(), MAX_LINE)
}

/// Control characters and bidirectional overrides.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Removes control characters other than line feed and tab, and truncates to `most` characters.
pub(crate) fn bound_text(text: &mut String, most: usize) {
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        text.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    }
    if text.len() > most
        && let Some((end, _)) = text.char_indices().nth(most)
    {
        text.truncate(end);
    }
}

/// Joins the parts of a story with blank lines.
pub(crate) fn join(parts: impl Iterator<Item = String>) -> String {
    let mut whole = String::new();
    for part in parts {
        let part = part.trim_end();
        if !whole.is_empty() && !part.is_empty() {
            whole.push_str("\n\n");
        }
        whole.push_str(part);
    }
    if !whole.is_empty() {
        whole.push('\n');
    }
    bound_text(&mut whole, MAX_TEXT);
    whole
}

/// The stored form of a URL. A long one becomes a prefix and a digest, so that it stays unique.
pub(crate) fn bounded_url(url: &str) -> Cow<'_, str> {
    if url.len() <= MAX_URL && !url.contains(is_unsafe) {
        return Cow::Borrowed(url);
    }
    let kept: String = url.chars().filter(|c| !is_unsafe(*c)).collect();
    let end = (0..=(MAX_URL - 33).min(kept.len())).rev().find(|at| kept.is_char_boundary(*at)).unwrap_or(0);
    Cow::Owned(format!("{}#{:032x}", &kept[..end], xxh3_128(url.as_bytes())))
}

/// Removes credentials, which must not be stored, and the fragment, which does not identify another page.
pub(crate) fn bare_url(mut url: Url) -> String {
    // Fails for URLs that cannot have credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url.into()
}

fn host_of(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Milliseconds since 1970 of an ISO 8601 date or time, also of a year or month. Local times count as UTC.
pub(crate) fn milliseconds(iso: &str) -> Option<i64> {
    Moment::parse_iso(iso.trim()).map(|moment| moment.to_unix() * 1_000)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn published_times_are_read_as_precisely_as_they_are_given() {
        for (iso, expected) in [
            ("2010", "2010-01-01T00:00:00Z"),
            ("2010-12", "2010-12-01T00:00:00Z"),
            ("2010-12-15", "2010-12-15T00:00:00Z"),
            ("2010-12-15T08:30", "2010-12-15T08:30:00Z"),
            ("2010-12-15T08:30:01", "2010-12-15T08:30:01Z"),
            ("2010-12-15T08:30+08:00", "2010-12-15T00:30:00Z"),
            ("2010-12-15T08:30:00Z", "2010-12-15T08:30:00Z"),
        ] {
            let expected: Timestamp = expected.parse().unwrap();
            assert_eq!(milliseconds(iso), Some(expected.as_millisecond()), "{iso}");
        }
        for iso in ["", "soon", "2010-13", "20ab"] {
            assert_eq!(milliseconds(iso), None, "{iso}");
        }
    }

    #[test]
    fn lines_are_bounded_and_inert() {
        for (text, most, expected) in [
            ("  Rain\n at\t last ", 100, Some("Rain at last")),
            ("\u{1B}[31mRed\u{7}", 100, Some("[31mRed")),
            ("a\u{202E}b\u{2066}c\u{85}d", 100, Some("abc d")),
            ("雨 雪 风", 3, Some("雨 雪")),
            ("雨 雪 风", 4, Some("雨 雪")),
            ("\u{0} \u{1}", 100, None),
        ] {
            assert_eq!(line(Some(text), most).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn long_urls_stay_within_bounds_and_unique() {
        let long = |end: &str| format!("https://example.com/{}{end}", "ü".repeat(2_000_000));
        let (one, other) = (long("1"), long("2"));
        assert!(bounded_url(&one).len() <= MAX_URL && bounded_url(&one) != bounded_url(&other));
        assert_eq!(bounded_url("https://example.com/"), "https://example.com/");
    }

    #[test]
    fn drafts_carry_no_credentials() {
        let draft = Draft::new("https://ada:secret@example.com:8080/rain#top");
        assert_eq!(
            (draft.url.as_str(), draft.host.as_str()),
            ("https://example.com:8080/rain", "example.com:8080")
        );
    }

    #[test]
    fn canonical_urls_are_trusted_on_the_same_host_only() {
        for (canonical, identity) in [
            ("https://example.com/story", "https://example.com/story"),
            ("https://u:p@example.com/story#x", "https://example.com/story"),
            ("https://example.com/", "https://example.com/story?utm=1"),
            ("https://example.org/story", "https://example.com/story?utm=1"),
            ("no url", "https://example.com/story?utm=1"),
        ] {
            let mut draft = Draft::new("https://example.com/story?utm=1");
            draft.canonical = Some(canonical.to_owned());
            draft.trust_canonical();
            assert_eq!(draft.identity, identity, "{canonical}");
        }
    }
}
