//! Start and end tags with their attributes.

use crate::attribute::RawAttribute;
use crate::forecast::forecast;
use crate::name::Name;
use crate::references::Reading;
use crate::scan;
use crate::span::Span;

use super::{ContentModel, Token, Tokenizer};

/// A start or end tag.
///
/// ```
/// use tamis_html::{Name, tokenizer::{Token, Tokenizer}};
///
/// let source = "<BR class=wide />";
/// let Token::StartTag(tag) = Tokenizer::new(source).next_token() else { panic!("no tag") };
/// assert_eq!((tag.name, tag.self_closing, tag.span.of(source)), (Name::BR, true, source));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, in lower case.
    pub name: Name,
    /// Whether it ends in `/>`.
    pub self_closing: bool,
    /// The source span, from `<` to `>`.
    pub span: Span,
    /// The index of its first attribute.
    pub(crate) attributes: u32,
}

/// The value of `attributes` for a tag without attributes.
pub(crate) const NO_ATTRIBUTES: u32 = u32::MAX;

impl Tokenizer<'_> {
    /// `<name …>`
    #[inline]
    pub(super) fn start_tag(&mut self) -> Option<Token> {
        let tag = self.tag(self.at, self.at + 1)?;
        self.last_start = Some(tag.name);
        Some(Token::StartTag(tag))
    }

    /// `</name …>`
    #[inline]
    pub(super) fn end_tag(&mut self) -> Option<Token> {
        let mark = self.attributes.len();
        let tag = self.tag(self.at, self.at + 2)?;
        self.model = ContentModel::Data;
        if tag.attributes != NO_ATTRIBUTES {
            // Read only because the end of the tag depends on them.
            self.attributes.truncate(mark);
        }
        Some(Token::EndTag(Tag { attributes: NO_ATTRIBUTES, ..tag }))
    }

    /// Reads a tag from `start` with its name at `name_at`. A tag truncated by the end of the page is dropped.
    #[inline(always)]
    fn tag(&mut self, start: usize, name_at: usize) -> Option<Tag> {
        let bytes = self.source.as_bytes();
        let scan = scan::name::<false>(bytes, name_at);
        let name = self.names.of_tag(scan.packed, self.source, name_at..scan.end);
        // Most tags, and nearly all end tags, end here.
        if bytes.get(scan.end) == Some(&b'>') {
            self.at = scan.end + 1;
            return Some(Tag {
                name,
                self_closing: false,
                span: Span::new(start, self.at),
                attributes: NO_ATTRIBUTES,
            });
        }
        let first = self.attributes.len();
        let end = if self.skips_attributes {
            self.skip_attributes(scan.end)
        } else {
            self.read_attributes(scan.end)
        };
        let Some(self_closing) = end else {
            self.attributes.truncate(first);
            self.at = bytes.len();
            return None;
        };
        let attributes = match self.attributes.len() - first {
            0 => NO_ATTRIBUTES,
            _ => {
                if let Some(attribute) = self.attributes.last_mut() {
                    attribute.set_last(true);
                }
                first as u32
            }
        };
        Some(Tag { name, self_closing, span: Span::new(start, self.at), attributes })
    }

    /// Reads attributes from `at` to the end of the tag; returns whether it is `/>`, or `None` if the page ends before.
    #[inline]
    fn read_attributes(&mut self, mut at: usize) -> Option<bool> {
        let bytes = self.source.as_bytes();
        let first = self.attributes.len();
        self.tag_count += 1;
        loop {
            at = scan::skip_space(bytes, at);
            match *bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(false);
                }
                b'/' => {
                    at += 1;
                    if *bytes.get(at)? == b'>' {
                        self.at = at + 1;
                        return Some(true);
                    }
                    continue;
                }
                _ => {}
            }
            let name = scan::name::<true>(bytes, at);
            let name_at = at;
            at = name.end;
            let mut value = Span::new(at, at);
            let mut reading = Reading::PLAIN;
            // White space may surround the equals sign.
            let equals = if bytes.get(at) == Some(&b'=') { at } else { scan::skip_space(bytes, at) };
            if *bytes.get(equals)? == b'=' {
                at = equals + 1;
                if !matches!(bytes.get(at), Some(b'"' | b'\'')) {
                    at = scan::skip_space(bytes, at);
                }
                let found;
                (found, at) = match *bytes.get(at)? {
                    quote @ (b'"' | b'\'') => {
                        let found = scan::until(bytes, at + 1, quote);
                        value = Span::new(at + 1, found.at);
                        bytes.get(found.at)?;
                        (found, found.at + 1)
                    }
                    _ => {
                        let found = unquoted(bytes, at);
                        value = Span::new(at, found.at);
                        (found, found.at)
                    }
                };
                if found.ampersand {
                    reading = Reading::ATTRIBUTE;
                }
            }
            if self.attributes.len() - first >= self.max_attributes as usize {
                // At the limit: the rest is skipped.
                self.attributes_cut = true;
                continue;
            }
            let name = self.names.of_tag(name.packed, self.source, name_at..name.end);
            if self.is_new(name) {
                // NUL is rare, so it is searched for when the value is decoded.
                let attribute = RawAttribute::new(name, value, reading.and(Reading::REPLACE_NUL));
                if self.attributes.len() == self.attributes.capacity() {
                    self.make_room_for_attributes();
                }
                self.attributes.push(attribute);
            }
        }
    }

    #[cold]
    fn make_room_for_attributes(&mut self) {
        let wanted = forecast(self.attributes.len(), self.at, self.source.len());
        self.attributes.reserve_exact(wanted - self.attributes.len());
    }

    /// Skips attributes from `at` to the end of the tag, like [`read_attributes`](Self::read_attributes); returns
    /// whether it is `/>`, or `None` if the page ends before.
    #[inline]
    fn skip_attributes(&mut self, mut at: usize) -> Option<bool> {
        let bytes = self.source.as_bytes();
        // Whether a name without a value is directly before `at`.
        let mut named = false;
        loop {
            let stop = scan::until_either(bytes, at, b'=', b'>');
            if *bytes.get(stop)? == b'>' {
                self.at = stop + 1;
                return Some(stop > at && bytes[stop - 1] == b'/');
            }
            // An equals sign after a name, possibly with white space between, is one; elsewhere it starts a name.
            if let Some(last) = bytes[at..stop].iter().rposition(|&byte| !scan::is_space(byte)) {
                named = bytes[at + last] != b'/';
            }
            if !named {
                at = scan::name::<true>(bytes, stop).end;
                named = true;
                continue;
            }
            named = false;
            at = stop + 1;
            if !matches!(bytes.get(at), Some(b'"' | b'\'')) {
                at = scan::skip_space(bytes, at);
            }
            at = match *bytes.get(at)? {
                quote @ (b'"' | b'\'') => {
                    let close = scan::until(bytes, at + 1, quote).at;
                    bytes.get(close)?;
                    close + 1
                }
                _ => unquoted(bytes, at).at,
            };
        }
    }

    /// Whether the current tag has no attribute of this name yet. The first one counts.
    #[inline(always)]
    fn is_new(&mut self, name: Name) -> bool {
        let number = name.0 as usize;
        if number >= self.seen_in_tag.len() {
            self.seen_in_tag.resize(self.names.len(), 0);
        }
        let seen = self.seen_in_tag[number] == self.tag_count;
        self.seen_in_tag[number] = self.tag_count;
        !seen
    }
}

/// The end of a value without quotes.
fn unquoted(bytes: &[u8], at: usize) -> scan::Found {
    let mut end = at;
    let mut ampersand = false;
    while let Some(&byte) = bytes.get(end) {
        if byte == b'>' || scan::is_space(byte) {
            break;
        }
        ampersand |= byte == b'&';
        end += 1;
    }
    scan::Found { at: end, ampersand }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every tag with its end and kind, as read with and without attributes.
    fn tags(page: &str, skip: bool) -> Vec<(Span, String, bool)> {
        let mut tokenizer = Tokenizer::new(page);
        tokenizer.set_skip_attributes(skip);
        let mut tags = Vec::new();
        loop {
            match tokenizer.next_token() {
                Token::StartTag(tag) | Token::EndTag(tag) => {
                    tags.push((tag.span, tokenizer.name(tag.name).to_owned(), tag.self_closing));
                }
                Token::EndOfFile => return tags,
                _ => {}
            }
        }
    }

    #[test]
    fn skipped_attributes_end_where_read_ones_do() {
        for page in [
            "<p a=\"x > y\" b='>' c=d>text</p>",
            "<p =\"a>b\">",
            "<p ==\"a>b\">",
            "<p a = \"b>c\" d>",
            "<p a= 'b>c'/>",
            "<p a=b/><p a/><p/ ><p / >",
            "<p a/=\"b>c\">",
            "<p a=b=\"c>d\">",
            "<p a=\"b\"=\"c>d\">",
            "<p a\"b>c\">",
            "<p a=>b",
            "<p a=\"unclosed>",
            "<p a",
            "<p a=",
        ] {
            assert_eq!(tags(page, true), tags(page, false), "{page}");
        }
    }

    proptest! {
        #[test]
        fn skipped_attributes_end_where_read_ones_do_on_any_tag(inside in "[ab =\"'/>\n<]{0,40}") {
            let page = format!("<p {inside}> and <b {inside}\"'> more");
            prop_assert_eq!(tags(&page, true), tags(&page, false));
        }
    }
}
