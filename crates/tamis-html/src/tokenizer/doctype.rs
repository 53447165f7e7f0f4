//! Doctypes.

use crate::references::{self, Reading};
use crate::scan::{is_space, skip_space};
use crate::span::Span;

use super::{Token, Tokenizer};

/// A document type declaration.
///
/// ```
/// use tamis_html::tokenizer::{Token, Tokenizer};
///
/// let Token::Doctype(doctype) = Tokenizer::new("<!DOCTYPE HTML PUBLIC 'x'>").next_token() else { panic!() };
/// assert_eq!((doctype.name.as_deref(), doctype.public_id.as_deref()), (Some("html"), Some("x")));
/// assert_eq!((doctype.system_id, doctype.force_quirks), (None, false));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Doctype {
    /// The name in lower case, usually `html`.
    pub name: Option<String>,
    /// The public identifier.
    pub public_id: Option<String>,
    /// The system identifier.
    pub system_id: Option<String>,
    /// Whether an error in the declaration forces quirks mode.
    pub force_quirks: bool,
    /// The source span, from `<` to `>`.
    pub span: Option<Span>,
}

impl Tokenizer<'_> {
    #[cold]
    pub(super) fn doctype(&mut self) -> Token {
        let mut doctype = Doctype::default();
        let start = self.at;
        self.at += "<!doctype".len();
        let well_formed = self.doctype_parts(&mut doctype);
        doctype.force_quirks = well_formed.is_none();
        // The rest before `>` is skipped.
        let bytes = self.source.as_bytes();
        let close = memchr::memchr(b'>', &bytes[self.at..]);
        self.at = close.map_or(bytes.len(), |offset| self.at + offset + 1);
        doctype.span = Some(Span::new(start, self.at));
        Token::Doctype(Box::new(doctype))
    }

    /// Reads the parts and stops at or before `>`; `None` if something is missing.
    fn doctype_parts(&mut self, doctype: &mut Doctype) -> Option<()> {
        let bytes = self.source.as_bytes();
        self.at = skip_space(bytes, self.at);
        let name_at = self.at;
        while self.byte(self.at).is_some_and(|byte| !is_space(byte) && byte != b'>') {
            self.at += 1;
        }
        if self.at == name_at {
            return None;
        }
        let raw = &self.source[name_at..self.at];
        doctype.name = Some(raw.to_ascii_lowercase().replace('\0', "\u{FFFD}"));
        self.at = skip_space(bytes, self.at);
        if self.byte(self.at)? == b'>' {
            return Some(());
        }
        let keyword = bytes.get(self.at..self.at + 6)?;
        let public = keyword.eq_ignore_ascii_case(b"public");
        if !public && !keyword.eq_ignore_ascii_case(b"system") {
            return None;
        }
        self.at = skip_space(bytes, self.at + 6);
        if public {
            self.identifier(&mut doctype.public_id)?;
            self.at = skip_space(bytes, self.at);
            if self.byte(self.at)? == b'>' {
                return Some(());
            }
        }
        self.identifier(&mut doctype.system_id)?;
        // The end of the page is an error here; anything else is skipped.
        self.at = skip_space(bytes, self.at);
        self.byte(self.at).map(|_| ())
    }

    /// A quoted identifier, even if truncated.
    fn identifier(&mut self, into: &mut Option<String>) -> Option<()> {
        let quote = self.byte(self.at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let bytes = self.source.as_bytes();
        let start = self.at + 1;
        let end = memchr::memchr2(quote, b'>', &bytes[start..]).map_or(bytes.len(), |offset| start + offset);
        *into = Some(references::read(&self.source[start..end], Reading::REPLACE_NUL).into_owned());
        self.at = end;
        if self.byte(end)? != quote {
            return None;
        }
        self.at += 1;
        Some(())
    }
}
