//! Decoding the bytes of a page.
//!
//! A page declares its encoding in up to three places, any of which may be wrong. Declarations are tried in the order
//! of the HTML Standard (byte order mark, `Content-Type` header, `meta`), and the first one that the bytes do not
//! contradict is used. If there is none, the encoding is detected from the bytes.
//!
//! - `prescan` finds declarations in the page.
//! - `fit` measures how well bytes fit an encoding.
//! - `evidence` decides when that overrules a declaration.
//! - `detect` guesses if nothing is declared.
//! - `not_a_page` detects other formats and binary data.

mod detect;
mod evidence;
mod fit;
mod not_a_page;
mod prescan;
#[cfg(test)]
mod tests;

pub use encoding_rs::Encoding;
pub use not_a_page::{NotAPage, check_page};

use encoding_rs::{ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::borrow::Cow;
use std::fmt;

/// The decoded text of a page.
///
/// ```
/// let page = tamis_html::decode::decode("<p>dépôt</p>".as_bytes(), None);
/// assert_eq!(page.text, "<p>dépôt</p>");
/// assert_eq!(page.encoding.name(), "UTF-8");
/// assert!(!page.replaced);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<'b> {
    /// The text, without a byte order mark. Borrowed if the bytes are UTF-8.
    pub text: Cow<'b, str>,
    /// The encoding.
    pub encoding: &'static Encoding,
    /// Why this encoding was chosen.
    pub decided_by: DecidedBy,
    /// Whether bytes that are invalid in the encoding were replaced by U+FFFD.
    pub replaced: bool,
}

/// The reason for the encoding of a page. `Display` gives a short phrase.
///
/// ```
/// use tamis_html::decode::{DecidedBy, decode};
///
/// let page = decode(b"<p>plain</p>", Some("text/html; charset=big5"));
/// assert_eq!(page.decided_by, DecidedBy::Header);
/// assert_eq!(page.decided_by.to_string(), "header");
///
/// let page = decode("<meta charset=windows-1251><p>Привет</p>".as_bytes(), None);
/// assert_eq!(page.encoding.name(), "UTF-8");
/// assert_eq!(page.decided_by.to_string(), "bytes, against the declared windows-1251");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecidedBy {
    /// The caller requested it ([`Decoder::encoding_label`]).
    Asked,
    /// The page begins with a byte order mark.
    Bom,
    /// The `Content-Type` header declares it.
    Header,
    /// The page declares it, in a `meta` or else in an XML declaration.
    Meta,
    /// Nothing was declared, and the page is ASCII, which is the same in nearly every encoding. Reported as
    /// windows-1252, the default of the HTML Standard.
    Ascii,
    /// Nothing was declared; it was detected from the bytes.
    Detected,
    /// Another encoding was declared, and the bytes contradict it.
    Evidence {
        /// The overruled declaration; of several, the most trusted one.
        against: &'static Encoding,
    },
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("as asked"),
            Self::Bom => f.write_str("byte order mark"),
            Self::Header => f.write_str("header"),
            Self::Meta => f.write_str("meta"),
            Self::Ascii => f.write_str("ASCII only"),
            Self::Detected => f.write_str("detected"),
            Self::Evidence { against } => write!(f, "bytes, against the declared {}", against.name()),
        }
    }
}

/// The error for an unknown encoding label.
///
/// ```
/// let error = tamis_html::decode::Decoder::new().encoding_label("utf-9").unwrap_err();
/// assert_eq!(error.label, "utf-9");
/// assert!(error.to_string().starts_with("unknown encoding \"utf-9\""));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown encoding {label:?}: give a label of the Encoding Standard, such as utf-8, gbk, big5, \
     shift_jis or windows-1251, or none to let the page decide"
)]
#[non_exhaustive]
pub struct UnknownLabel {
    /// The given name.
    pub label: String,
}

/// Decodes a page. `content_type` is the value of the `Content-Type` header, if there is one.
///
/// Never fails: invalid bytes become U+FFFD, and [`Decoded::replaced`] is set. [`Decoder`] takes further hints.
///
/// ```
/// use tamis_html::decode::{DecidedBy, decode};
///
/// // 中文 in GBK, declared by the page.
/// let page = decode(b"<meta charset=gb2312><title>\xD6\xD0\xCE\xC4</title>", None);
/// assert_eq!(page.text, "<meta charset=gb2312><title>中文</title>");
/// assert_eq!((page.encoding.name(), page.decided_by), ("GBK", DecidedBy::Meta));
///
/// // The header takes precedence over the page's declaration.
/// let page = decode(b"<meta charset=utf-8><p>caf\xE9</p>", Some("text/html; charset=iso-8859-1"));
/// assert_eq!(page.text, "<meta charset=utf-8><p>café</p>");
/// ```
#[must_use]
pub fn decode<'b>(bytes: &'b [u8], content_type: Option<&str>) -> Decoded<'b> {
    let decoder = Decoder::new();
    match content_type {
        Some(value) => decoder.content_type(value).decode(bytes),
        None => decoder.decode(bytes),
    }
}

/// Decodes pages, using hints besides their bytes.
///
/// ```
/// use tamis_html::decode::Decoder;
///
/// let decoder = Decoder::new().content_type("text/html").url("https://example.ru/");
/// let page = decoder.decode(b"<p>\xCF\xF0\xE8\xE2\xE5\xF2</p>");
/// assert_eq!(page.text, "<p>Привет</p>");
/// assert_eq!(page.encoding.name(), "windows-1251");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    asked: Option<&'static Encoding>,
    header: Option<&'static Encoding>,
    tld: Option<String>,
}

impl Decoder {
    /// A decoder without hints.
    ///
    /// ```
    /// let page = tamis_html::decode::Decoder::new().decode(b"\xEF\xBB\xBFpage");
    /// assert_eq!(page.text, "page");
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the `Content-Type` header. A value without a known encoding is ignored.
    ///
    /// ```
    /// let decoder = tamis_html::decode::Decoder::new().content_type("text/html; charset=Shift_JIS");
    /// assert_eq!(decoder.decode(b"\x82\xA0").text, "あ");
    /// ```
    #[must_use]
    pub fn content_type(mut self, value: &str) -> Self {
        self.header = prescan::encoding_of_content_type(value.as_bytes());
        self
    }

    /// Sets the URL of the page. Only its top-level domain is used, and only if the encoding must be guessed.
    ///
    /// ```
    /// let bytes = b"<p>\xB3\xA1\xB0\xED</p>";
    /// let korean = tamis_html::decode::Decoder::new().url("https://example.co.kr/news?id=1");
    /// assert_eq!(korean.decode(bytes).encoding.name(), "EUC-KR");
    /// let chinese = tamis_html::decode::Decoder::new().url("https://example.cn/");
    /// assert_eq!(chinese.decode(bytes).encoding.name(), "GBK");
    /// ```
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.tld = detect::top_level_domain(url);
        self
    }

    /// Sets the top-level domain of the page, if its URL is unknown: `cn`, `.jp`.
    ///
    /// ```
    /// let decoder = tamis_html::decode::Decoder::new().top_level_domain("cn");
    /// assert_eq!(decoder.decode(b"<p>\xB3\xA1\xB0\xED</p>").encoding.name(), "GBK");
    /// ```
    #[must_use]
    pub fn top_level_domain(mut self, label: &str) -> Self {
        self.tld = detect::clean_tld(label);
        self
    }

    /// Forces an encoding by its label.
    ///
    /// # Errors
    ///
    /// If the label is unknown, or of an encoding that browsers refuse to read (`iso-2022-kr`).
    ///
    /// ```
    /// # fn main() -> Result<(), tamis_html::decode::UnknownLabel> {
    /// let decoder = tamis_html::decode::Decoder::new().encoding_label("koi8-r")?;
    /// assert_eq!(decoder.decode(b"<meta charset=utf-8>\xD0\xCF").text, "<meta charset=utf-8>по");
    /// # Ok(())
    /// # }
    /// ```
    pub fn encoding_label(mut self, label: &str) -> Result<Self, UnknownLabel> {
        match prescan::encoding_for_label(label.as_bytes()) {
            Some(encoding) if encoding != REPLACEMENT => {
                self.asked = Some(encoding);
                Ok(self)
            }
            _ => Err(UnknownLabel { label: label.to_owned() }),
        }
    }

    /// Decodes one page. See [`decode`](fn@decode).
    ///
    /// ```
    /// let page = tamis_html::decode::Decoder::new().decode(b"");
    /// assert_eq!(page.text, "");
    /// ```
    #[must_use]
    pub fn decode<'b>(&self, bytes: &'b [u8]) -> Decoded<'b> {
        if let Some(asked) = self.asked {
            let (text, replaced) = asked.decode_with_bom_removal(bytes);
            return Decoded { text, encoding: asked, decided_by: DecidedBy::Asked, replaced };
        }
        let (mark, body) = match Encoding::for_bom(bytes) {
            Some((encoding, length)) => (Some(encoding), &bytes[length..]),
            None => (None, bytes),
        };
        let (encoding, decided_by) = match mark {
            Some(encoding) if encoding != UTF_8 => (encoding, DecidedBy::Bom),
            // This validates with vector instructions, and most pages need no more.
            _ => match UTF_8.decode_without_bom_handling_and_without_replacement(body) {
                Some(Cow::Borrowed(text)) => {
                    let (encoding, decided_by) = self.encoding_of_valid(text, mark);
                    let is_the_text = encoding == UTF_8
                        || encoding.is_ascii_compatible() && encoding != ISO_2022_JP && text.is_ascii();
                    if is_the_text {
                        return Decoded { text: Cow::Borrowed(text), encoding, decided_by, replaced: false };
                    }
                    (encoding, decided_by)
                }
                _ => self.encoding_of_invalid(body, mark),
            },
        };
        let (text, replaced) = encoding.decode_without_bom_handling(body);
        Decoded { text, encoding, decided_by, replaced }
    }

    /// The declarations for the page, most trusted first. The page is searched lazily.
    fn declarations(
        &self,
        body: &[u8],
        mark: Option<&'static Encoding>,
    ) -> impl Iterator<Item = (&'static Encoding, DecidedBy)> {
        let mark = mark.map(|encoding| (encoding, DecidedBy::Bom));
        let header = self.header.map(|encoding| (encoding, DecidedBy::Header));
        let meta = std::iter::once_with(|| prescan::declared_encoding(body))
            .flatten()
            .map(|encoding| (encoding, DecidedBy::Meta));
        mark.into_iter()
            .chain(header)
            .chain(meta)
            // The standard decodes a page with such a label to a single U+FFFD. The text is more useful, and most such
            // pages are ASCII or in another encoding.
            .filter(|&(encoding, _)| encoding != REPLACEMENT)
            // UTF-16 would have been recognised by its zero bytes.
            .filter(|&(encoding, _)| encoding != UTF_16LE && encoding != UTF_16BE)
            .map(|(encoding, by)| (if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding }, by))
    }

    /// The encoding of bytes that are valid UTF-8.
    fn encoding_of_valid(
        &self,
        text: &str,
        mark: Option<&'static Encoding>,
    ) -> (&'static Encoding, DecidedBy) {
        let body = text.as_bytes();
        if let Some(found) = self.utf_16_without_mark(body) {
            return found;
        }
        let mut declarations = self.declarations(body, mark);
        let first = declarations.next();
        if text.is_ascii() {
            let declared = first.filter(|&(encoding, _)| encoding == ISO_2022_JP);
            if declared.is_none() && detect::is_iso_2022_jp(body) {
                return (ISO_2022_JP, overruling(first.map(|(encoding, _)| encoding)));
            }
            return first.unwrap_or((WINDOWS_1252, DecidedBy::Ascii));
        }
        let Some((declared, by)) = first else { return (UTF_8, DecidedBy::Detected) };
        if declared == UTF_8 {
            return (UTF_8, by);
        }
        let sample = evidence::sample(body);
        std::iter::once((declared, by))
            .chain(declarations)
            .find(|&(encoding, _)| encoding == UTF_8 || !evidence::is_utf_8_rather_than(&sample, encoding))
            .unwrap_or((UTF_8, overruling(Some(declared))))
    }

    /// The encoding of bytes that are not valid UTF-8.
    fn encoding_of_invalid(
        &self,
        body: &[u8],
        mark: Option<&'static Encoding>,
    ) -> (&'static Encoding, DecidedBy) {
        if let Some(found) = self.utf_16_without_mark(body) {
            return found;
        }
        let sample = evidence::sample(body);
        let mut against = None;
        for (encoding, by) in self.declarations(body, mark) {
            if evidence::allows(&sample, encoding) {
                return (encoding, by);
            }
            against = against.or(Some(encoding));
        }
        (evidence::most_likely(&sample, self.tld.as_deref()), overruling(against))
    }

    fn utf_16_without_mark(&self, body: &[u8]) -> Option<(&'static Encoding, DecidedBy)> {
        let encoding = evidence::utf_16_without_mark(body)?;
        let decided_by =
            if self.header == Some(encoding) { DecidedBy::Header } else { overruling(self.header) };
        Some((encoding, decided_by))
    }
}

/// The reason for a decision by the bytes.
fn overruling(declared: Option<&'static Encoding>) -> DecidedBy {
    match declared {
        Some(against) => DecidedBy::Evidence { against },
        None => DecidedBy::Detected,
    }
}
