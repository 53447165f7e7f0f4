//! Feeds: what a site's RSS, Atom or JSON Feed says of a page.
//!
//! A feed names its pages with title, time, writers and often the whole text, in a form that hardly changes from site to site. Give
//! one to an [`Extractor`](crate::Extractor::feed), and what it says of a page is evidence among the rest: for the facts
//! ([`Origin::Feed`](crate::facts::Origin::Feed)), and for the text where the feed has all of it.
//!
//! Read are RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed 1.x, sound or not: bare `&`, references of HTML, end tags that
//! are missing or wrong, any prefixes of namespaces, line ends before the first tag, several writings of a time. Entities that a feed
//! declares itself are never replaced, so none can grow.
//!
//! ```
//! use tamis::feed::Feed;
//!
//! let feed = Feed::read(
//!     "<rss><channel><title>Harbour Gazette</title><item><title>Rain at last</title>\
//!      <link>https://gazette.example/rain</link><author>desk@gazette.example (Ada Finch)</author></item></channel></rss>",
//! )?;
//! // Scheme, `www.`, fragments and parameters that follow visitors do not matter.
//! let entry = feed.entry("http://www.gazette.example/rain/?utm_source=mail#top").unwrap();
//! assert_eq!((entry.title.as_deref(), entry.authors[0].as_str()), (Some("Rain at last"), "Ada Finch"));
//! # Ok::<(), tamis::feed::FeedError>(())
//! ```

mod entry;
mod json;
mod told;
mod vocabulary;
mod whole_text;
mod whose;
mod xml;

use std::collections::HashMap;

pub use entry::{Content, Entry};
pub(crate) use told::{Told, note, told};

use xxhash_rust::xxh3::xxh3_128;

use crate::assemble::Address;
use crate::page_address::{Part, known_by, part_of};

/// Bounds on what a feed may cost.
///
/// ```
/// use tamis::feed::{Feed, Limits};
///
/// let feed = "<feed><entry><id>https://a.example/1</id></entry><entry><id>https://a.example/2</id></entry></feed>";
/// assert_eq!(Feed::within(feed, Limits { entries: 1, ..Limits::default() })?.entries().len(), 1);
/// assert!(Feed::within(feed, Limits { bytes: 10, ..Limits::default() }).is_err());
/// # Ok::<(), tamis::feed::FeedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes; a larger feed is refused. Default: 32 MiB.
    pub bytes: usize,
    /// Entries; those behind are left out. Default: 10,000.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 32 << 20, entries: 10_000 }
    }
}

/// Why something cannot be read as a feed.
///
/// ```
/// use tamis::feed::{Feed, FeedError};
///
/// assert_eq!(Feed::read("<!doctype html><html><p>It rained.").unwrap_err(), FeedError::WebPage);
/// assert_eq!(Feed::read(" ").unwrap_err(), FeedError::Empty);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeedError {
    /// It has more bytes than it may.
    #[error("the feed has more than {0} bytes, which are read at most: keep its newest entries")]
    TooLarge(usize),
    /// There is nothing in it.
    #[error("it is empty: a feed begins with <rss>, <rdf:RDF> or <feed>, or is a JSON object")]
    Empty,
    /// It is packed, in this way.
    #[error("it is packed ({0}): unpack it, and give what comes out")]
    Packed(&'static str),
    /// It is a page of the site, not its feed.
    #[error("it is a web page and no feed: the page's <link rel=\"alternate\"> names its feeds")]
    WebPage,
    /// It is something else, which begins so.
    #[error("it is no feed, since it begins with {0}: feeds are RSS, Atom or JSON Feed (version 1)")]
    NotAFeed(String),
}

/// A feed of a site.
///
/// ```
/// use tamis::feed::Feed;
///
/// let feed = Feed::read(
///     r#"{"version": "https://jsonfeed.org/version/1.1", "title": "港口日报", "language": "zh",
///         "items": [{"id": "7", "url": "https://gazette.example/7", "title": "下雨了"}]}"#,
/// )?;
/// assert_eq!((feed.title(), feed.language()), (Some("港口日报"), Some("zh")));
/// assert_eq!(feed.entries()[0].title.as_deref(), Some("下雨了"));
/// # Ok::<(), tamis::feed::FeedError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Feed {
    title: Option<String>,
    language: Option<String>,
    authors: Vec<String>,
    /// The sites that the feed says it is of; none where it does not say.
    sites: Vec<String>,
    entries: Vec<Entry>,
    /// The entry of each address; none where entries that say different things claim the same.
    by_address: HashMap<String, Option<usize>>,
    digest: u128,
}

/// What was read of a feed, addresses as they are written.
#[derive(Default)]
struct Draft {
    title: Option<String>,
    language: Option<String>,
    authors: Vec<String>,
    /// What addresses are relative to, and the site's own, which they are relative to where nothing else is said.
    base: Option<String>,
    site: Option<String>,
    /// All that the feed calls its home or its own address.
    homes: Vec<String>,
    entries: Vec<Entry>,
}

impl Feed {
    /// Reads a feed.
    ///
    /// ```
    /// use tamis::feed::Feed;
    ///
    /// let feed = Feed::read("<feed><title>Gazette</title><entry><title>Rain & wind</title></entry></feed>")?;
    /// assert_eq!(feed.entries()[0].title.as_deref(), Some("Rain & wind"));
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn read(text: &str) -> Result<Feed, FeedError> {
        Feed::within(text, Limits::default())
    }

    /// Reads a feed as it was served. `content_type` is the value of the `Content-Type` header that came with it, if any; without one
    /// the feed's first line says how it is written, and loses against bytes that contradict it.
    ///
    /// ```
    /// use tamis::feed::Feed;
    ///
    /// let served = b"<?xml version='1.0' encoding='gbk'?><rss><channel><title>\xB8\xDB\xBF\xDA\xC8\xD5\xB1\xA8</title></channel></rss>";
    /// assert_eq!(Feed::from_bytes(served, None)?.title(), Some("港口日报"));
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], content_type: Option<&str>) -> Result<Feed, FeedError> {
        Feed::decoded(bytes, content_type, None)
    }

    /// Reads a feed as it was served at an address, which links in it may be relative to.
    ///
    /// ```
    /// use tamis::feed::Feed;
    ///
    /// let served = b"<rss><item><link>/rain</link></item></rss>";
    /// let feed = Feed::from_address("https://gazette.example/feed.xml", served, Some("application/rss+xml"))?;
    /// assert!(feed.entry("https://gazette.example/rain").is_some());
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn from_address(url: &str, bytes: &[u8], content_type: Option<&str>) -> Result<Feed, FeedError> {
        Feed::decoded(bytes, content_type, Some(url))
    }

    fn decoded(bytes: &[u8], content_type: Option<&str>, url: Option<&str>) -> Result<Feed, FeedError> {
        let limits = Limits::default();
        if bytes.len() > limits.bytes {
            return Err(FeedError::TooLarge(limits.bytes));
        }
        if let Some(packed) = packed(bytes) {
            return Err(FeedError::Packed(packed));
        }
        // The first line counts only where it is one.
        let decoded = tamis_html::decode::decode(bytes.trim_ascii_start(), content_type);
        // Characters of other encodings may take more bytes.
        Feed::found(&decoded.text, Limits { bytes: 4 * limits.bytes, ..limits }, url)
    }

    /// Reads a feed within other bounds than the usual ones.
    ///
    /// ```
    /// use tamis::feed::{Feed, FeedError, Limits};
    ///
    /// let few = Limits { bytes: 100, ..Limits::default() };
    /// assert_eq!(Feed::within(&"<rss>".repeat(100), few).unwrap_err(), FeedError::TooLarge(100));
    /// ```
    pub fn within(text: &str, limits: Limits) -> Result<Feed, FeedError> {
        Feed::found(text, limits, None)
    }

    fn found(text: &str, limits: Limits, url: Option<&str>) -> Result<Feed, FeedError> {
        if text.len() > limits.bytes {
            return Err(FeedError::TooLarge(limits.bytes));
        }
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}');
        let draft = match text.bytes().next() {
            None => return Err(FeedError::Empty),
            Some(b'{' | b'[') => json::read(text, limits)?,
            Some(_) => xml::read(text, limits)?,
        };
        Ok(Feed { digest: xxh3_128(text.as_bytes()), ..Feed::of(draft, url) })
    }

    fn of(draft: Draft, url: Option<&str>) -> Feed {
        let Draft { title, language, authors, base, site, homes, mut entries } = draft;
        let outer = Address::relative_to(url);
        let base = base.or(site).map(|base| outer.resolve(&base));
        let address = Address::relative_to(base.as_deref()).or_from(url);
        let mut sites: Vec<String> =
            homes.iter().filter_map(|home| whose::site_of(&outer.resolve(home))).collect();
        // Where it was served does not make it another site's, since many have theirs served by others.
        if !sites.is_empty() {
            sites.extend(url.and_then(whose::site_of));
        }
        sites.sort_unstable();
        sites.dedup();
        let is_of_comments = title.as_deref().is_some_and(whose::is_of_comments);
        let mut by_address = HashMap::new();
        for place in 0..entries.len() {
            entries[place].settle(&address, language.as_deref());
            let entry = &entries[place];
            if is_of_comments || entry.links.iter().any(|link| part_of(link) == Some(Part::Comment)) {
                continue;
            }
            let links = entry.links.iter().filter(|link| part_of(link).is_none());
            for known in links.filter_map(|link| known_by(link)) {
                let others = by_address.entry(known).or_insert(Some(place));
                // A feed may have an entry twice; but where all lead to the front page, none is its.
                if others.is_some_and(|other: usize| !entries[other].is_same(entry)) {
                    *others = None;
                }
            }
        }
        Feed { title, language, authors, sites, entries, by_address, digest: 0 }
    }

    /// Does the feed say that it is of other sites than the page with this address?
    fn is_of_another_site(&self, url: &str) -> bool {
        whose::site_of(url).is_some_and(|site| !self.sites.is_empty() && !self.sites.contains(&site))
    }

    /// The entry of the page with this address.
    ///
    /// ```
    /// use tamis::feed::Feed;
    ///
    /// let feed = Feed::read("<feed><entry><link href='https://a.example/?p=7'/></entry></feed>")?;
    /// assert!(feed.entry("https://a.example/?p=7&fbclid=x").is_some());
    /// assert!(feed.entry("https://a.example/?p=8").is_none());
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn entry(&self, url: &str) -> Option<&Entry> {
        self.place(url).and_then(|place| self.entries.get(place))
    }

    /// The same, by its place.
    fn place(&self, url: &str) -> Option<usize> {
        self.by_address.get(&known_by(url)?).copied().flatten()
    }

    /// A number that another feed, or another state of this one, does not have.
    ///
    /// ```
    /// use tamis::feed::Feed;
    ///
    /// assert_ne!(Feed::read("<rss></rss>")?.digest(), Feed::read("<rss><channel></channel></rss>")?.digest());
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// The entries, in the order of the feed.
    ///
    /// ```
    /// assert!(tamis::feed::Feed::read("<rss></rss>")?.entries().is_empty());
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The title of the feed: most often the site's name.
    ///
    /// ```
    /// let feed = tamis::feed::Feed::read("<rss><channel><title>Gazette &amp;amp; Post</title></channel></rss>")?;
    /// assert_eq!(feed.title(), Some("Gazette & Post"));
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The language that the feed says it is in, as it is written.
    ///
    /// ```
    /// assert_eq!(tamis::feed::Feed::read("<feed xml:lang='ug'></feed>")?.language(), Some("ug"));
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// Who writes the entries that name nobody.
    ///
    /// ```
    /// let feed = tamis::feed::Feed::read("<feed><author><name>Ada Finch</name></author></feed>")?;
    /// assert_eq!(feed.authors(), ["Ada Finch"]);
    /// # Ok::<(), tamis::feed::FeedError>(())
    /// ```
    pub fn authors(&self) -> &[String] {
        &self.authors
    }
}

/// In which way something is packed, if it is.
fn packed(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 5] = [
        (b"\x1F\x8B", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"BZh", "bzip2"),
        (b"\x28\xB5\x2F\xFD", "zstd"),
        (b"\xFD7zXZ", "xz"),
    ];
    kinds.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod tests;
