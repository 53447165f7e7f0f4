//! Markup after `<`: tags, comments, doctypes, CDATA sections and bogus comments.

use memchr::{memchr, memchr_iter, memmem};

use crate::references::Reading;

use super::{ContentModel, Piece, Token, Tokenizer};

impl Tokenizer<'_> {
    /// The token at the current `<`, which is known to open markup; `None` if it is dropped.
    #[inline]
    pub(super) fn markup(&mut self) -> Option<Token> {
        match self.byte(self.at + 1)? {
            b'/' => match self.byte(self.at + 2)? {
                byte if byte.is_ascii_alphabetic() => self.end_tag(),
                b'>' => {
                    self.at += 3;
                    None
                }
                _ => Some(self.bogus_comment(self.at + 2)),
            },
            b'!' => self.declaration(),
            b'?' => Some(self.bogus_comment(self.at + 1)),
            _ => self.start_tag(),
        }
    }

    #[cold]
    fn declaration(&mut self) -> Option<Token> {
        let rest = &self.source.as_bytes()[self.at + 2..];
        if rest.starts_with(b"--") {
            Some(self.comment())
        } else if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            Some(self.doctype())
        } else if self.cdata_allowed && rest.starts_with(b"[CDATA[") {
            self.at += 9;
            self.model = ContentModel::Cdata;
            self.met_cdata = true;
            None
        } else {
            Some(self.bogus_comment(self.at + 2))
        }
    }

    /// A comment ends at the first `-->` or `--!>`, and at `>` if only dashes precede it.
    fn comment(&mut self) -> Token {
        let bytes = self.source.as_bytes();
        let start = self.at + 4;
        for close in memchr_iter(b'>', &bytes[start..]).map(|offset| start + offset) {
            // The dashes of `<!--` may also be those of the end.
            let end = if bytes[..close].ends_with(b"--") {
                (close - 2).max(start)
            } else if bytes[start..close].ends_with(b"--!") {
                close - 3
            } else {
                continue;
            };
            self.at = close + 1;
            return comment_token(start, end);
        }
        self.at = bytes.len();
        let open = &bytes[start..];
        let dangling = [&b"--!"[..], b"--", b"-"].into_iter().find(|tail| open.ends_with(tail));
        comment_token(start, bytes.len() - dangling.map_or(0, <[u8]>::len))
    }

    /// Everything up to `>` becomes a comment.
    fn bogus_comment(&mut self, start: usize) -> Token {
        let bytes = self.source.as_bytes();
        let end = memchr(b'>', &bytes[start..]).map_or(bytes.len(), |offset| start + offset);
        self.at = (end + 1).min(bytes.len());
        comment_token(start, end)
    }

    /// The text of a CDATA section, after its start was consumed by [`Tokenizer::declaration`].
    pub(super) fn cdata(&mut self) -> Option<Token> {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let close = memmem::find(&bytes[start..], b"]]>");
        let end = close.map_or(bytes.len(), |offset| start + offset);
        self.at = (end + 3).min(bytes.len());
        self.model = ContentModel::Data;
        (end > start).then(|| Token::Text(Piece::new(start, end, Reading::PLAIN)))
    }
}

fn comment_token(start: usize, end: usize) -> Token {
    Token::Comment(Piece::new(start, end, Reading::REPLACE_NUL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_where_the_standard_ends_them() {
        for (page, data) in [
            ("<!-- a -->x", " a "),
            ("<!-->x", ""),
            ("<!--->x", ""),
            ("<!---->x", ""),
            ("<!--->-->x", ""),
            ("<!--a--!>x", "a"),
            ("<!--!>-->x", "!>"),
            ("<!---!>-->x", "-!>"),
            ("<!--a--!b-->x", "a--!b"),
            ("<!--a--->x", "a-"),
            ("<!--a", "a"),
            ("<!--a-", "a"),
            ("<!--a--", "a"),
            ("<!--a---", "a-"),
            ("<!--a--!", "a"),
            ("<!---!", "-!"),
            ("<!-- <!-- b -->x", " <!-- b "),
            ("<!x>x", "x"),
            ("<!>x", ""),
            ("<?xml?>x", "?xml?"),
            ("</ b>x", " b"),
            ("<![CDATA[a]]>x", "[CDATA[a]]"),
        ] {
            let mut tokenizer = Tokenizer::new(page);
            let Token::Comment(piece) = tokenizer.next_token() else { panic!("{page} is a comment") };
            assert_eq!(tokenizer.text(piece), data, "{page}");
        }
    }
}
