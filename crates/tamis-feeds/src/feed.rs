//! A feed, and the lookup of the entry of a page.

use std::collections::HashMap;

use url::Url;
use xxhash_rust::xxh3::xxh3_128;

use crate::address::{self, Part};
use crate::entry::{Entry, EntryDraft, set_once};
use crate::{FeedError, json, terms, xml};

/// Limits of a feed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum size in bytes; larger feeds are refused. Default: 32 MiB.
    pub bytes: usize,
    /// Maximum number of entries; later ones are dropped. Default: 10,000.
    pub entries: usize,
    /// Maximum number of links, of authors and of categories of an entry; further ones are dropped. Default: 100.
    pub values_per_entry: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 32 << 20, entries: 10_000, values_per_entry: 100 }
    }
}

/// How a feed was served, and limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions<'a> {
    /// The `Content-Type` header; without it, the XML declaration gives the encoding, unless the bytes contradict it.
    pub content_type: Option<&'a str>,
    /// The URL of the feed, the base of relative links.
    pub url: Option<&'a str>,
    /// Bounds.
    pub limits: Limits,
}

/// Authors of the feed that an entry without its own inherits.
const MAX_INHERITED_AUTHORS: usize = 10;

/// A feed of a site.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Feed {
    title: Option<String>,
    language: Option<String>,
    /// The sites that the feed declares as its own; empty if it declares none.
    sites: Vec<String>,
    entries: Vec<Entry>,
    /// Entries by page; `None` if different entries claim the same page.
    by_page: HashMap<String, Option<usize>>,
    digest: u128,
}

/// A feed under construction, URLs as written.
#[derive(Default)]
pub(crate) struct FeedDraft {
    /// Whether a root element or a list of items was seen.
    pub(crate) is_feed: bool,
    /// The metadata of the feed itself.
    pub(crate) head: EntryDraft,
    /// The home page of the site.
    pub(crate) home: Option<String>,
    /// URLs of the home page and of the feed itself.
    pub(crate) addresses: Vec<String>,
    pub(crate) entries: Vec<EntryDraft>,
}

impl FeedDraft {
    /// Adds a URL that the feed declares as its home page or its own.
    pub(crate) fn add_address(&mut self, address: String, is_home: bool, limit: usize) {
        if !address.is_empty() && self.addresses.len() < limit {
            if is_home {
                set_once(&mut self.home, address.clone());
            }
            self.addresses.push(address);
        }
    }
}

impl Feed {
    /// Reads a decoded feed.
    pub fn read(text: &str) -> Result<Feed, FeedError> {
        Feed::read_text(text, Limits::default().bytes, &ReadOptions::default())
    }

    /// Reads a feed as served. `content_type` is the header of the response.
    pub fn from_bytes(bytes: &[u8], content_type: Option<&str>) -> Result<Feed, FeedError> {
        Feed::read_with(bytes, &ReadOptions { content_type, ..ReadOptions::default() })
    }

    /// Reads a feed as served at a URL, the base of relative links.
    pub fn from_address(url: &str, bytes: &[u8], content_type: Option<&str>) -> Result<Feed, FeedError> {
        Feed::read_with(bytes, &ReadOptions { content_type, url: Some(url), ..ReadOptions::default() })
    }

    /// Reads a feed as served, with options.
    pub fn read_with(bytes: &[u8], options: &ReadOptions<'_>) -> Result<Feed, FeedError> {
        if bytes.len() > options.limits.bytes {
            return Err(FeedError::TooLarge(options.limits.bytes));
        }
        if let Some(format) = compression(bytes) {
            return Err(FeedError::Compressed(format));
        }
        // An XML declaration counts only at the very beginning.
        let decoded = tamis_html::decode::decode(bytes.trim_ascii_start(), options.content_type);
        // Characters may take more bytes in UTF-8.
        Feed::read_text(&decoded.text, options.limits.bytes.saturating_mul(4), options)
    }

    fn read_text(text: &str, max_bytes: usize, options: &ReadOptions<'_>) -> Result<Feed, FeedError> {
        if text.len() > max_bytes {
            return Err(FeedError::TooLarge(max_bytes));
        }
        let text =
            text.trim_start_matches(|it: char| it.is_whitespace() || it.is_control() || it == '\u{feff}');
        let draft = match text.bytes().next() {
            None => return Err(FeedError::Empty),
            Some(b'{' | b'[') => json::read(text, options.limits)?,
            Some(_) => xml::read(text, options.limits)?,
        };
        let url = options.url.and_then(|url| address::resolve(url, None));
        Ok(Feed { digest: xxh3_128(text.as_bytes()), ..Feed::finish(draft, url.as_ref()) })
    }

    /// Resolves URLs and indexes entries by page.
    fn finish(draft: FeedDraft, url: Option<&Url>) -> Feed {
        let FeedDraft { head, home, addresses, entries, .. } = draft;
        let Entry { title, language, authors, .. } = head.entry;
        let declared: Vec<Url> = addresses.iter().filter_map(|it| address::resolve(it, url)).collect();
        let base = head.base.and_then(|base| address::resolve(&base, url)).or_else(|| {
            let home =
                home.and_then(|home| address::resolve(&home, url)).or_else(|| declared.first().cloned());
            // In a feed served by another host, links are relative to the declared site.
            let is_at_home =
                |url: &&Url| home.as_ref().is_none_or(|home| address::host(home) == address::host(url));
            url.filter(is_at_home).cloned().or(home)
        });
        let mut sites: Vec<String> = declared.iter().filter_map(address::site).collect();
        if !sites.is_empty() {
            sites.extend(url.and_then(address::site));
        }
        sites.sort_unstable();
        sites.dedup();
        let entries = entries.into_iter().map(|draft| {
            let mut entry = draft.finish(base.as_ref(), language.as_deref());
            if entry.authors.is_empty() {
                entry.authors.extend(authors.iter().take(MAX_INHERITED_AUTHORS).cloned());
            }
            entry
        });
        let entries: Vec<Entry> = entries.collect();
        let is_comment_feed = title.as_deref().is_some_and(terms::is_comment_feed);
        let by_page = if is_comment_feed { HashMap::new() } else { index_pages(&entries) };
        Feed { title, language, sites, entries, by_page, digest: 0 }
    }

    /// The entry of a page, by the page's URL or else by its canonical URL. Scheme, `www.`, fragment and tracking
    /// parameters are ignored.
    ///
    /// Also `None` if the feed declares another site as its own, since an aggregator's dates, names and categories are
    /// not those of the page, and for comment feeds.
    pub fn entry_for(&self, url: &str, canonical: Option<&str>) -> Option<&Entry> {
        let url = address::resolve(url, None);
        let canonical = canonical.and_then(|it| address::resolve(it, url.as_ref()));
        [&url, &canonical].into_iter().flatten().find_map(|address| {
            let site = address::site(address);
            let is_own = self.sites.is_empty() || site.is_none_or(|site| self.sites.contains(&site));
            let place = self.by_page.get(&address::page_key(address)).copied().flatten()?;
            self.entries.get(place).filter(|_| is_own)
        })
    }

    /// A digest of the feed's content.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// The entries, in the order of the feed.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The title, usually the name of the site.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The language tag, as written.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

/// Indexes entries by page, except comments, parts of pages and pages claimed by several entries.
fn index_pages(entries: &[Entry]) -> HashMap<String, Option<usize>> {
    let mut by_page = HashMap::new();
    for (place, entry) in entries.iter().enumerate() {
        let links: Vec<Url> = entry.links.iter().filter_map(|link| Url::parse(link).ok()).collect();
        if links.iter().any(|link| address::part(link) == Part::Comment) {
            continue;
        }
        for link in links.iter().filter(|link| address::part(link) == Part::Whole) {
            let claimed = by_page.entry(address::page_key(link)).or_insert(Some(place));
            // An entry may be repeated; but if several link to the front page, none describes it.
            if claimed.is_some_and(|other: usize| !entries[other].is_same(entry)) {
                *claimed = None;
            }
        }
    }
    by_page
}

/// The compression format, by the first bytes.
fn compression(bytes: &[u8]) -> Option<&'static str> {
    const FORMATS: [(&[u8], &str); 5] = [
        (b"\x1F\x8B", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"BZh", "bzip2"),
        (b"\x28\xB5\x2F\xFD", "zstd"),
        (b"\xFD7zXZ", "xz"),
    ];
    FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, format)| *format)
}
