//! Sitemaps: XML (`urlset`, `sitemapindex`, with news) and plain text, optionally gzipped.
//!
//! Files are streamed, so memory is bounded by the entries. Of a broken file, the entries before the error are used.
//! Entities declared in the file are never expanded.

use std::io::{BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};
use url::Url;

use crate::clock::milliseconds;
use crate::urls;

/// Length of the prefix that determines the type of a file.
const SNIFFED_BYTES: u64 = 1024;
/// Buffer size for decompression.
const CHUNK_BYTES: usize = 1 << 16;
/// Longest field.
const MAX_FIELD_BYTES: usize = 4096;

/// Limits of a sitemap. The defaults are those of sitemaps.org.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of entries. Default: 50,000.
    pub entries: usize,
    /// Maximum size after decompression, in bytes. Default: 50 MiB.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { entries: 50_000, bytes: 50 << 20 }
    }
}

/// What the entries of a sitemap are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SitemapKind {
    /// Pages.
    Pages,
    /// Further sitemaps.
    Index,
}

/// The news elements of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// `news:publication_date`, in milliseconds since 1970.
    pub published: Option<i64>,
    /// `news:title`.
    pub title: Option<String>,
    /// `news:language`, as written.
    pub language: Option<String>,
}

/// A page or a further sitemap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SitemapEntry {
    /// Normalised URL.
    pub url: String,
    /// `lastmod`, in milliseconds since 1970.
    pub modified: Option<i64>,
    /// The `news:news` of the entry.
    pub news: Option<News>,
}

/// A sitemap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitemap {
    /// What the entries are.
    pub kind: SitemapKind,
    /// The entries, in the order of the file.
    pub entries: Vec<SitemapEntry>,
    /// Entries without a valid web URL, which are skipped.
    pub skipped: usize,
    /// Whether the file exceeds the limits.
    pub truncated: bool,
    /// Position and nature of the damage; `entries` are those before it.
    pub damaged: Option<String>,
}

/// Why a file cannot be read as a sitemap.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SitemapError {
    /// The file is empty.
    #[error("the sitemap is empty")]
    Empty,
    /// It is an RSS or Atom feed.
    #[error("this is a feed, not a sitemap: add it as a feed")]
    Feed,
    /// It is a web page.
    #[error("this is a web page, not a sitemap: the server may answer so for files it does not have")]
    WebPage,
    /// It is neither XML nor a list of URLs, or another kind of XML.
    #[error("this is not a sitemap: expected <urlset>, <sitemapindex> or a URL on each line, found {0}")]
    Unknown(String),
    /// It cannot be decompressed.
    #[error("the sitemap cannot be unpacked: {0}")]
    Packed(String),
}

/// Reads a sitemap as served at `base`.
pub fn parse(bytes: &[u8], base: &Url, limits: Limits) -> Result<Sitemap, SitemapError> {
    let is_wide = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    if is_wide {
        return parse_decoded(bytes, base, limits);
    }
    if !bytes.starts_with(b"\x1F\x8B") {
        return match read(bytes, bytes.take(limits.bytes), base, limits)? {
            Outcome::Read(sitemap) => Ok(sitemap),
            Outcome::NotUtf8 => parse_decoded(bytes, base, limits),
        };
    }
    let mut unpacked = MultiGzDecoder::new(bytes).take(limits.bytes);
    let mut start = Vec::new();
    if let Err(error) = (&mut unpacked).take(SNIFFED_BYTES).read_to_end(&mut start)
        && start.is_empty()
    {
        return Err(SitemapError::Packed(error.to_string()));
    }
    let rest = BufReader::with_capacity(CHUNK_BYTES, unpacked);
    match read(&start, Cursor::new(start.as_slice()).chain(rest), base, limits)? {
        Outcome::Read(sitemap) => Ok(sitemap),
        Outcome::NotUtf8 => {
            let mut all = Vec::new();
            // Data before an error is used.
            let _ = MultiGzDecoder::new(bytes).take(limits.bytes).read_to_end(&mut all);
            parse_decoded(&all, base, limits)
        }
    }
}

/// Reads a sitemap that is not UTF-8, which the XML reader does not support. Rare, so not streamed.
fn parse_decoded(bytes: &[u8], base: &Url, limits: Limits) -> Result<Sitemap, SitemapError> {
    let most = usize::try_from(limits.bytes).unwrap_or(usize::MAX);
    let cut = bytes.get(..most);
    let text = tamis_html::decode::decode(cut.unwrap_or(bytes), None).text;
    let bytes = if cut.is_some() { text.len() as u64 } else { u64::MAX };
    match read(text.as_bytes(), text.as_bytes(), base, Limits { bytes, ..limits })? {
        Outcome::Read(sitemap) => Ok(sitemap),
        Outcome::NotUtf8 => Err(SitemapError::Unknown("an unknown encoding".to_owned())),
    }
}

enum Outcome {
    Read(Sitemap),
    NotUtf8,
}

/// Reads decompressed bytes, which begin with `start`.
fn read(start: &[u8], source: impl BufRead, base: &Url, limits: Limits) -> Result<Outcome, SitemapError> {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    match start.first() {
        None => Err(SitemapError::Empty),
        Some(b'<') => read_xml(source, base, limits),
        Some(_) => read_lines(source, base, limits).map(Outcome::Read).ok_or_else(|| {
            let end = start.iter().position(|byte| *byte == b'\n').unwrap_or(start.len()).min(40);
            let line = String::from_utf8_lossy(start.get(..end).unwrap_or_default());
            SitemapError::Unknown(format!("{:?}", line.trim()))
        }),
    }
}

/// A URL on each line; `None` if the first non-blank line is not one.
fn read_lines(source: impl BufRead, base: &Url, limits: Limits) -> Option<Sitemap> {
    let mut sitemap = Sitemap::new(SitemapKind::Pages);
    let mut bytes_read = 0;
    for line in source.split(b'\n') {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                sitemap.damaged = Some(error.to_string());
                break;
            }
        };
        bytes_read += line.len() as u64 + 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        // The limit may truncate the last line, and a truncated URL is a different one.
        if sitemap.entries.len() >= limits.entries || bytes_read >= limits.bytes {
            sitemap.truncated = true;
            break;
        }
        let is_absolute = text.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("http"));
        match is_absolute.then(|| urls::resolve(text, base)).flatten() {
            Some(url) => sitemap.entries.push(SitemapEntry { url: url.into(), ..SitemapEntry::default() }),
            None if sitemap.entries.is_empty() => return None,
            None => sitemap.skipped += 1,
        }
    }
    Some(sitemap)
}

impl Sitemap {
    fn new(kind: SitemapKind) -> Sitemap {
        Sitemap { kind, entries: Vec::new(), skipped: 0, truncated: false, damaged: None }
    }
}

/// A field of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Address,
    Modified,
    Published,
    Title,
    Language,
}

impl Field {
    /// Matches local name and depth, whatever the prefix, so that the `loc` of an image is not taken for the page's.
    fn of(name: &str, depth: usize) -> Option<Field> {
        match (name, depth) {
            ("loc", 3) => Some(Field::Address),
            ("lastmod", 3) => Some(Field::Modified),
            ("publication_date", 4) => Some(Field::Published),
            ("title", 4) => Some(Field::Title),
            ("language", 4 | 5) => Some(Field::Language),
            _ => None,
        }
    }
}

/// An entry under construction.
#[derive(Default)]
struct Draft {
    address: String,
    modified: Option<i64>,
    news: Option<News>,
}

impl Draft {
    fn set(&mut self, field: Field, text: &str) {
        let text = text.trim();
        match field {
            Field::Address => self.address = text.to_owned(),
            Field::Modified => self.modified = time(text),
            Field::Published | Field::Title | Field::Language => {
                // Videos and images have titles, too.
                let Some(news) = &mut self.news else { return };
                match field {
                    Field::Published => news.published = time(text),
                    Field::Title => news.title = Some(text.to_owned()).filter(|it| !it.is_empty()),
                    _ => news.language = Some(text.to_owned()).filter(|it| !it.is_empty()),
                }
            }
        }
    }
}

fn time(text: &str) -> Option<i64> {
    tamis_dates::read(text, &tamis_dates::Hints::default()).map(milliseconds)
}

fn read_xml(source: impl BufRead, base: &Url, limits: Limits) -> Result<Outcome, SitemapError> {
    let mut reader = Reader::from_reader(source);
    reader.config_mut().expand_empty_elements = true;
    // A bare `&` in a URL is the most frequent error, and harmless.
    reader.config_mut().allow_dangling_amp = true;
    let mut buffer = Vec::new();
    let mut sitemap: Option<Sitemap> = None;
    let (mut depth, mut in_news) = (0_usize, false);
    let mut draft = Draft::default();
    let (mut field, mut text) = (None, String::new());
    let damaged = loop {
        buffer.clear();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(quick_xml::Error::Encoding(_)) => return Ok(Outcome::NotUtf8),
            Err(error) => break Some(error.to_string()),
        };
        match event {
            Event::Start(tag) => {
                depth += 1;
                let name = tag.local_name();
                match depth {
                    1 => sitemap = Some(Sitemap::new(kind_of(name.as_ref())?)),
                    2 => {
                        if sitemap.as_ref().is_some_and(|it| it.entries.len() >= limits.entries) {
                            break None;
                        }
                        draft = Draft::default();
                    }
                    3 if name.as_ref() == "news" => {
                        in_news = true;
                        draft.news = Some(News::default());
                    }
                    _ => {}
                }
                field = Field::of(name.as_ref(), depth).filter(|_| depth == 3 || in_news);
                text.clear();
            }
            Event::Text(part) if field.is_some() => push(&mut text, &part),
            Event::CData(part) if field.is_some() => push(&mut text, &part),
            Event::GeneralRef(reference) if field.is_some() => push_reference(&mut text, &reference),
            Event::End(_) => {
                if let Some(field) = field.take() {
                    draft.set(field, &text);
                }
                in_news &= depth > 3;
                if depth == 2
                    && let Some(sitemap) = &mut sitemap
                {
                    sitemap.finish(std::mem::take(&mut draft), base);
                }
                depth = depth.saturating_sub(1);
            }
            Event::Eof if depth > 0 => break Some("the file ends before its last element does".to_owned()),
            Event::Eof => break None,
            _ => {}
        }
    };
    let is_cut = reader.buffer_position() >= limits.bytes;
    let Some(mut sitemap) = sitemap else {
        return Err(SitemapError::Unknown(damaged.unwrap_or_else(|| "no element".to_owned())));
    };
    sitemap.truncated = is_cut || (damaged.is_none() && depth > 0);
    sitemap.damaged =
        damaged.filter(|_| !is_cut).map(|why| format!("{why} (byte {})", reader.buffer_position()));
    Ok(Outcome::Read(sitemap))
}

impl Sitemap {
    fn finish(&mut self, draft: Draft, base: &Url) {
        let url = Some(draft.address).filter(|it| !it.is_empty()).and_then(|it| urls::resolve(&it, base));
        match url {
            Some(url) => self.entries.push(SitemapEntry {
                url: url.into(),
                modified: draft.modified,
                news: draft.news,
            }),
            None => self.skipped += 1,
        }
    }
}

fn kind_of(root: &str) -> Result<SitemapKind, SitemapError> {
    match root.to_ascii_lowercase().as_str() {
        "urlset" => Ok(SitemapKind::Pages),
        "sitemapindex" => Ok(SitemapKind::Index),
        "rss" | "feed" | "rdf" => Err(SitemapError::Feed),
        "html" | "head" | "body" | "script" | "meta" => Err(SitemapError::WebPage),
        name => {
            let name: String = name.chars().take(40).collect();
            Err(SitemapError::Unknown(format!("{:?}", format!("<{name}>"))))
        }
    }
}

fn push(text: &mut String, part: &str) {
    if text.len() + part.len() <= MAX_FIELD_BYTES {
        text.push_str(part);
    } else {
        // Too long for a URL; a truncated one would be a different URL.
        text.clear();
        text.push_str("too long:");
    }
}

/// Decodes the five entities of XML and character numbers; others are kept as written.
fn push_reference(text: &mut String, reference: &BytesRef<'_>) {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return push(text, character.encode_utf8(&mut [0; 4]));
    }
    match quick_xml::escape::resolve_xml_entity(reference) {
        Some(character) => push(text, character),
        None => push(text, &format!("&{};", &**reference)),
    }
}

#[cfg(test)]
mod tests;
