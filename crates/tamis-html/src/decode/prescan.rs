//! The search for a declared encoding in the bytes of a page: the prescan of the HTML Standard
//! ("prescan a byte stream to determine its encoding"), with extensions.
//!
//! There are two differences. The standard searches the first 1024 bytes and leaves a later `meta` to the parser, which
//! then restarts; here one search covers [`LIMIT`] bytes, since many pages have long scripts and styles before the
//! `meta`. And the standard accepts a `meta` inside of a script or style; here it counts only if the page has no other
//! and it is within the first 1024 bytes.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memchr_iter, memmem};

/// Bytes that are searched.
pub(super) const LIMIT: usize = 64 * 1024;

/// Bytes that the standard searches, in which a `meta` within a script counts.
const STANDARD_LIMIT: usize = 1024;

/// The encoding that a page declares: its first valid `meta`, or else its XML declaration.
pub(super) fn declared_encoding(page: &[u8]) -> Option<&'static Encoding> {
    let head = &page[..page.len().min(LIMIT)];
    search(head, RawText::Skip).or_else(|| xml_declaration(head))
}

/// The encoding in a `Content-Type` value of a header or a `meta`.
pub(super) fn encoding_of_content_type(value: &[u8]) -> Option<&'static Encoding> {
    charset_label(value).and_then(encoding_for_label)
}

/// The encoding of a label of the Encoding Standard, or of a few other labels in use (code page numbers of Windows,
/// MySQL's name of UTF-8).
pub(super) fn encoding_for_label(label: &[u8]) -> Option<&'static Encoding> {
    if let Some(encoding) = Encoding::for_label(label) {
        return Some(encoding);
    }
    let standard: &[u8] = match label.trim_ascii().to_ascii_lowercase().as_slice() {
        b"cp936" | b"ms936" | b"windows-936" => b"gbk",
        b"cp950" | b"ms950" | b"windows-950" => b"big5",
        b"cp949" | b"ms949" | b"uhc" => b"euc-kr",
        b"cp932" | b"windows-932" => b"shift_jis",
        b"cp874" => b"windows-874",
        b"utf8mb4" | b"utf-8mb4" | b"utf_8" => b"utf-8",
        _ => return None,
    };
    Encoding::for_label(standard)
}

/// Whether the content of scripts and styles is skipped.
#[derive(Clone, Copy, PartialEq)]
enum RawText {
    Skip,
    Search,
}

/// Walks the tags and comments of `head` up to the first `meta` that declares a known encoding.
fn search(head: &[u8], raw_text: RawText) -> Option<&'static Encoding> {
    let mut within_raw_text = None;
    let mut at = 0;
    while let Some(found) = memchr(b'<', &head[at..]) {
        at += found;
        let tag = &head[at..];
        if tag.starts_with(b"<!--") {
            // The opening dashes may also be the closing ones: `<!-->` is a complete comment.
            let Some(end) = memmem::find(&tag[2..], b"-->") else { break };
            at += 2 + end + 3;
            continue;
        }
        let closing = usize::from(tag.get(1) == Some(&b'/'));
        if !tag.get(1 + closing).is_some_and(u8::is_ascii_alphabetic) {
            if matches!(tag.get(1), Some(b'!' | b'/' | b'?')) {
                let Some(end) = memchr(b'>', tag) else { break };
                at += end + 1;
            } else {
                at += 1;
            }
            continue;
        }
        let name_length = tag[1..].iter().position(|&b| is_space(b) || b == b'>').unwrap_or(tag.len() - 1);
        let name = &tag[1..1 + name_length];
        let mut attributes = Attributes { bytes: head, at: at + 1 + name_length };
        if is_meta(name) {
            // `<meta/charset=…>` is a meta too: its attributes start at the slash.
            attributes.at = at + "<meta".len();
            match meta_encoding(&mut attributes) {
                Ok(Some(encoding)) => return Some(encoding),
                Ok(None) => at = attributes.at,
                Err(CutOff) => break,
            }
            continue;
        }
        loop {
            match attributes.next() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(CutOff) => return within_raw_text,
            }
        }
        at = attributes.at;
        let raw_name: Option<&[u8]> =
            [&b"script"[..], b"style"].into_iter().find(|raw| name.eq_ignore_ascii_case(raw));
        if let (Some(raw_name), RawText::Skip) = (raw_name, raw_text) {
            let end = end_tag(head, at, raw_name);
            if within_raw_text.is_none() && at < STANDARD_LIMIT {
                within_raw_text = search(&head[at..end.min(STANDARD_LIMIT)], RawText::Search);
            }
            at = end;
        }
    }
    within_raw_text
}

/// The position of the end tag of a script or style, or of the end.
fn end_tag(head: &[u8], from: usize, name: &[u8]) -> usize {
    memchr_iter(b'<', &head[from..])
        .map(|found| from + found)
        .find(|&at| {
            head[at + 1..].strip_prefix(b"/").is_some_and(|tag| {
                tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            })
        })
        .unwrap_or(head.len())
}

fn is_meta(name: &[u8]) -> bool {
    name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"meta"))
        && name.get(4).is_none_or(|&b| b == b'/')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// The error if the bytes end within a tag.
struct CutOff;

/// The declaration of a `meta`, by its `charset`, or by its `content` with a matching `http-equiv`.
fn meta_encoding(attributes: &mut Attributes<'_>) -> Result<Option<&'static Encoding>, CutOff> {
    let (mut is_content_type, mut seen_http_equiv) = (false, false);
    let (mut charset, mut content) = (None, None);
    while let Some((name, value)) = attributes.next()? {
        if name.eq_ignore_ascii_case(b"http-equiv") && !seen_http_equiv {
            seen_http_equiv = true;
            is_content_type = value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"content") && content.is_none() {
            content = Some(value);
        } else if name.eq_ignore_ascii_case(b"charset") && charset.is_none() {
            charset = Some(value);
        }
    }
    let encoding = match (charset, content) {
        (Some(label), _) => encoding_for_label(label),
        (None, Some(content)) if is_content_type => encoding_of_content_type(content),
        _ => None,
    };
    Ok(encoding.map(readable))
}

/// A `meta` that could be read byte by byte cannot declare UTF-16; `x-user-defined` means windows-1252 (both by the
/// standard).
fn readable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// A name and a value.
type Attribute<'b> = (&'b [u8], &'b [u8]);

/// The attributes of a tag, read as the standard's "get an attribute" reads them.
struct Attributes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Attributes<'b> {
    /// The next name and value. At the end of the tag `None`, with `at` on its `>`.
    fn next(&mut self) -> Result<Option<Attribute<'b>>, CutOff> {
        while is_space(self.here()?) || self.here()? == b'/' {
            self.at += 1;
        }
        if self.here()? == b'>' {
            return Ok(None);
        }
        let start = self.at;
        // A leading `=` is part of the name.
        while !(is_space(self.here()?)
            || matches!(self.here()?, b'/' | b'>')
            || self.here()? == b'=' && self.at > start)
        {
            self.at += 1;
        }
        let name = &self.bytes[start..self.at];
        self.skip_spaces()?;
        if self.here()? != b'=' {
            return Ok(Some((name, b"")));
        }
        self.at += 1;
        self.skip_spaces()?;
        let first = self.here()?;
        if first == b'"' || first == b'\'' {
            let start = self.at + 1;
            let length = memchr(first, &self.bytes[start..]).ok_or(CutOff)?;
            self.at = start + length + 1;
            return Ok(Some((name, &self.bytes[start..start + length])));
        }
        let start = self.at;
        while !is_space(self.here()?) && self.here()? != b'>' {
            self.at += 1;
        }
        Ok(Some((name, &self.bytes[start..self.at])))
    }

    fn here(&self) -> Result<u8, CutOff> {
        self.bytes.get(self.at).copied().ok_or(CutOff)
    }

    fn skip_spaces(&mut self) -> Result<(), CutOff> {
        while is_space(self.here()?) {
            self.at += 1;
        }
        Ok(())
    }
}

/// The label after `charset=` in a `Content-Type` value.
fn charset_label(value: &[u8]) -> Option<&[u8]> {
    const WORD: &[u8] = b"charset";
    let mut rest = value;
    loop {
        let found = rest.windows(WORD.len()).position(|part| part.eq_ignore_ascii_case(WORD))?;
        rest = rest[found + WORD.len()..].trim_ascii_start();
        if let Some(label) = rest.strip_prefix(b"=") {
            rest = label.trim_ascii_start();
            break;
        }
    }
    match rest.first() {
        Some(&quote @ (b'"' | b'\'')) => memchr(quote, &rest[1..]).map(|end| &rest[1..=end]),
        _ => rest.split(|&b| is_space(b) || b == b';').next(),
    }
}

/// The encoding of `<?xml … encoding="…"?>`, which the standard uses if there is no `meta`.
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let after = &declaration[memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let after = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let &quote @ (b'"' | b'\'') = after.first()? else { return None };
    let label = &after[1..][..memchr(quote, &after[1..])?];
    if label.iter().any(|&b| b <= b' ') { None } else { encoding_for_label(label).map(readable) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GBK, ISO_8859_2, SHIFT_JIS, WINDOWS_1251};

    #[test]
    fn a_meta_declares_by_charset_or_by_content() {
        for page in [
            &b"<meta charset=gbk>"[..],
            b"<META CharSet = 'GB2312' >",
            b"<meta/charset=\"x-gbk\"/>",
            b"<meta http-equiv=content-type content='text/html; charset=gb2312'>",
            b"<meta content='a; charset=\"gbk\"' name=x http-equiv=Content-Type>",
            b"<p title='<meta charset=big5>'><meta charset=cp936>",
        ] {
            assert_eq!(declared_encoding(page), Some(GBK), "{}", String::from_utf8_lossy(page));
        }
        for page in [
            &b"<meta name=charset content=gbk>"[..],
            b"<meta content='text/html; charset=gbk'>",
            b"<meta charset=gbk",
            b"<metal charset=gbk>",
            b"<!-- <meta charset=gbk>",
            b"<meta charset=nonsense>",
        ] {
            assert_eq!(declared_encoding(page), None, "{}", String::from_utf8_lossy(page));
        }
    }

    #[test]
    fn a_late_meta_is_found_behind_scripts_up_to_the_limit() {
        let script = format!("<script>{}</script>", "if (a < b) { c('<p>') }".repeat(1000));
        let page = |filler: usize| format!("{script}{}<meta charset=big5>", " ".repeat(filler));
        assert_eq!(declared_encoding(page(10_000).as_bytes()), Some(BIG5));
        assert_eq!(declared_encoding(page(LIMIT).as_bytes()), None);
    }

    #[test]
    fn a_meta_that_a_script_writes_counts_only_where_there_is_no_other() {
        let script = "<script>document.write('<meta charset=big5>')</script>";
        assert_eq!(declared_encoding(script.as_bytes()), Some(BIG5));
        let page = format!("{script}<meta charset=shift_jis>");
        assert_eq!(declared_encoding(page.as_bytes()), Some(SHIFT_JIS));
        let page = format!("{}{script}", " ".repeat(STANDARD_LIMIT));
        assert_eq!(declared_encoding(page.as_bytes()), None);
    }

    #[test]
    fn impossible_encodings_of_a_meta_are_replaced() {
        assert_eq!(declared_encoding(b"<meta charset=utf-16be>"), Some(UTF_8));
        assert_eq!(declared_encoding(b"<meta charset=x-user-defined>"), Some(WINDOWS_1252));
    }

    #[test]
    fn an_xml_declaration_comes_after_every_meta() {
        let xml = "<?xml version='1.0' encoding='iso-8859-2'?><html>";
        assert_eq!(declared_encoding(xml.as_bytes()), Some(ISO_8859_2));
        assert_eq!(declared_encoding(format!("{xml}<meta charset=gbk>").as_bytes()), Some(GBK));
        assert_eq!(declared_encoding(b"<?xml encoding='iso 8859-2'?>"), None);
    }

    #[test]
    fn a_content_type_value_is_read_leniently() {
        for value in
            ["text/html;charset=windows-1251", "TEXT/HTML; CHARSET = \"CP1251\"; x=y", "charset='cp1251'"]
        {
            assert_eq!(encoding_of_content_type(value.as_bytes()), Some(WINDOWS_1251), "{value}");
        }
        for value in ["", "text/html", "text/html; charset", "charset=", "charset=\"gbk", "charset=nonsense"]
        {
            assert_eq!(encoding_of_content_type(value.as_bytes()), None, "{value}");
        }
    }
}
