//! Start and end tags with their attributes.

use crate::attribute::{AttributeNamespace, RawAttribute};
use crate::name::Name;
use crate::references::Reading;
use crate::scan;
use crate::span::Span;

use super::{ContentModel, Token, Tokenizer};

/// A start or end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, in lower case.
    pub name: Name,
    /// Does it end in `/>`?
    pub self_closing: bool,
    /// From `<` to behind `>`.
    pub span: Span,
    /// Where its attributes begin among all.
    pub(crate) attributes: u32,
}

/// A tag without attributes has them "behind the last one".
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
            // Read because the tag's end depends on them; of no further use.
            self.attributes.truncate(mark);
        }
        Some(Token::EndTag(Tag { attributes: NO_ATTRIBUTES, ..tag }))
    }

    /// Reads a tag from `start` whose name begins at `name_at`. A tag that the page's end cuts off is no tag.
    #[inline(always)]
    fn tag(&mut self, start: usize, name_at: usize) -> Option<Tag> {
        let bytes = self.source.as_bytes();
        let scan = scan::name::<false>(bytes, name_at);
        let name = self.names.of_tag(scan.packed, self.source, name_at..scan.end);
        // Most tags, and nearly all end tags, stop here.
        if bytes.get(scan.end) == Some(&b'>') {
            self.at = scan.end + 1;
            return Some(Tag { name, self_closing: false, span: Span::new(start, self.at), attributes: NO_ATTRIBUTES });
        }
        let first = self.attributes.len();
        let Some(self_closing) = self.read_attributes(scan.end) else {
            self.attributes.truncate(first);
            self.at = bytes.len();
            return None;
        };
        let attributes = match self.attributes.len() - first {
            0 => NO_ATTRIBUTES,
            _ => {
                if let Some(attribute) = self.attributes.last_mut() {
                    attribute.last = true;
                }
                first as u32
            }
        };
        Some(Tag { name, self_closing, span: Span::new(start, self.at), attributes })
    }

    /// Reads attributes from `at` up to the tag's end; says whether it is `/>`, or nothing if the page ends before.
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
            // White space may stand around the equals sign.
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
            let name = self.names.of_tag(name.packed, self.source, name_at..name.end);
            if self.is_new(name) {
                if self.attributes.len() - first < self.max_attributes as usize {
                    // NUL is rare and shown as U+FFFD: whether there is one is only looked for when it is read.
                    let reading = reading.and(Reading::REPLACE_NUL);
                    let namespace = AttributeNamespace::None;
                    self.attributes.push(RawAttribute { name, value, reading, namespace, last: false });
                } else {
                    self.attributes_cut = true;
                }
            }
        }
    }

    /// Has the current tag not had an attribute of this name? The first one counts.
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
