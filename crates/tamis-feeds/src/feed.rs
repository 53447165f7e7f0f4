//! A feed, and which of its entries is about a page.

use std::collections::HashMap;

use url::Url;
use xxhash_rust::xxh3::xxh3_128;

use crate::address::{self, Part};
use crate::entry::{Entry, EntryDraft, set_once};
use crate::{FeedError, json, terms, xml};

/// Bounds on what a feed may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes; a larger feed is refused. Default: 32 MiB.
    pub bytes: usize,
    /// Entries; later ones are dropped. Default: 10,000.
    pub entries: usize,
    /// Links, authors and categories of an entry, each; more are dropped. Default: 100.
    pub values_per_entry: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 32 << 20, entries: 10_000, values_per_entry: 100 }
    }
}

/// How a feed was served, and within which limits it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions<'a> {
    /// The `Content-Type` header; without it, the XML declaration gives the encoding, unless the bytes contradict it.
    pub content_type: Option<&'a str>,
    /// The address of the feed, which links may be relative to.
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
    /// The sites the feed declares to be of; empty where it declares none.
    sites: Vec<String>,
    entries: Vec<Entry>,
    /// Entries by page; `None` where different entries claim the same page.
    by_page: HashMap<String, Option<usize>>,
    digest: u128,
}

/// A feed while it is read, addresses as written.
#[derive(Default)]
pub(crate) struct FeedDraft {
    /// Whether a root element or a list of items was seen.
    pub(crate) is_feed: bool,
    /// What the feed says about itself.
    pub(crate) head: EntryDraft,
    /// The home page of the site.
    pub(crate) home: Option<String>,
    /// The home page and the address of the feed itself.
    pub(crate) addresses: Vec<String>,
    pub(crate) entries: Vec<EntryDraft>,
}

impl FeedDraft {
    /// Adds an address that the feed calls its home or its own.
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

    /// Reads a feed as served at an address, which its links may be relative to.
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

    /// Resolves addresses, and finds out which entry is about which page.
    fn finish(draft: FeedDraft, url: Option<&Url>) -> Feed {
        let FeedDraft { head, home, addresses, entries, .. } = draft;
        let Entry { title, language, authors, .. } = head.entry;
        let declared: Vec<Url> = addresses.iter().filter_map(|it| address::resolve(it, url)).collect();
        let base = head.base.and_then(|base| address::resolve(&base, url)).or_else(|| {
            let home =
                home.and_then(|home| address::resolve(&home, url)).or_else(|| declared.first().cloned());
            // A feed that another host serves has links relative to its own.
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

    /// The entry about a page, by the page's address or else by the canonical one it declares. Scheme, `www.`, fragment
    /// and tracking parameters do not matter.
    ///
    /// `None` also where the feed declares another site as its own: an aggregator's dates, names and categories are not
    /// those of the page. Comment feeds have entries for no page.
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

    /// Differs between feeds, and between states of one feed.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// The entries, in the order of the feed.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The title: mostly the site's name.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The language tag, as written.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

/// Entries by page; comments, parts of pages and contested pages have none.
fn index_pages(entries: &[Entry]) -> HashMap<String, Option<usize>> {
    let mut by_page = HashMap::new();
    for (place, entry) in entries.iter().enumerate() {
        let links: Vec<Url> = entry.links.iter().filter_map(|link| Url::parse(link).ok()).collect();
        if links.iter().any(|link| address::part(link) == Part::Comment) {
            continue;
        }
        for link in links.iter().filter(|link| address::part(link) == Part::Whole) {
            let claimed = by_page.entry(address::page_key(link)).or_insert(Some(place));
            // An entry may come twice; but where all lead to the front page, none is about it.
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
