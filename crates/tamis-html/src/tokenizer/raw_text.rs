//! Content models without tags: titles, styles, scripts.

use memchr::{memchr, memchr2};

use crate::references::Reading;
use crate::scan::is_space;

use super::{ContentModel, Piece, Token, Tokenizer};

impl Tokenizer<'_> {
    /// The next token in a content model other than data.
    #[inline(never)]
    pub(super) fn other_content(&mut self) -> Option<Token> {
        let bytes = self.source.as_bytes();
        let close = match self.model {
            ContentModel::PlainText => bytes.len(),
            ContentModel::Script => self.script_end(),
            ContentModel::Cdata => return self.cdata(),
            _ => self.raw_end(),
        };
        if close == self.at {
            return self.end_tag();
        }
        let references = self.model == ContentModel::Rcdata && memchr(b'&', &bytes[self.at..close]).is_some();
        let reading = Reading::references_if(references).and(Reading::REPLACE_NUL);
        let piece = Piece::new(self.at, close, reading);
        self.at = close;
        Some(Token::Text(piece))
    }

    /// The position of the end tag that closes the element, or the end of the page.
    fn raw_end(&self) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        while let Some(offset) = memchr(b'<', &bytes[at..]) {
            at += offset;
            if self.closes(at) {
                return at;
            }
            at += 1;
        }
        bytes.len()
    }

    /// Whether the end tag of the open element starts at this `<`.
    fn closes(&self, at: usize) -> bool {
        let Some(name) = self.last_start else { return false };
        self.byte(at + 1) == Some(b'/') && self.word_at(at + 2, self.names.text(name).as_bytes())
    }

    /// Whether `word` is at `at`, ignoring case and followed by a character that ends a name.
    fn word_at(&self, at: usize, word: &[u8]) -> bool {
        let end = at + word.len();
        let bytes = self.source.as_bytes();
        bytes.get(at..end).is_some_and(|there| there.eq_ignore_ascii_case(word))
            && bytes.get(end).is_some_and(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    /// The position of the script's end tag. After `<!--`, a further `<script` hides the next `</script`, up to `-->`.
    fn script_end(&self) -> usize {
        #[derive(PartialEq)]
        enum Escaped {
            Not,
            Once,
            Twice,
        }
        let bytes = self.source.as_bytes();
        let mut escaped = Escaped::Not;
        let mut at = self.at;
        loop {
            let next = match escaped {
                Escaped::Not => memchr(b'<', &bytes[at..]),
                _ => memchr2(b'<', b'-', &bytes[at..]),
            };
            let Some(offset) = next else { return bytes.len() };
            at += offset;
            let rest = &bytes[at..];
            match escaped {
                Escaped::Not if rest.starts_with(b"<!--") => {
                    escaped = Escaped::Once;
                    // The two dashes may already be those of `-->`.
                    at += 2;
                    continue;
                }
                Escaped::Once | Escaped::Twice if rest.starts_with(b"-->") => escaped = Escaped::Not,
                Escaped::Not | Escaped::Once if self.closes(at) => return at,
                Escaped::Once if self.word_at(at + 1, b"script") && rest[0] == b'<' => {
                    escaped = Escaped::Twice;
                }
                Escaped::Twice if rest.starts_with(b"</") && self.word_at(at + 2, b"script") => {
                    escaped = Escaped::Once;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_in(model: ContentModel, tag: &str, page: &str) -> String {
        let mut tokenizer = Tokenizer::new(page);
        tokenizer.set_content_model(model);
        tokenizer.set_last_start_tag(tag);
        match tokenizer.next_token() {
            Token::Text(piece) => tokenizer.text(piece).into_owned(),
            _ => String::new(),
        }
    }

    #[test]
    fn a_script_ends_where_the_standard_ends_it() {
        for (page, script) in [
            ("a</script>x", "a"),
            ("a</SCRIPT >x", "a"),
            ("a</scripty>x</script>", "a</scripty>x"),
            ("<!--<script></script>b</script>x", "<!--<script></script>b"),
            ("<!--<script>--></script>x", "<!--<script>-->"),
            ("<!--></script>-->x", "<!-->"),
            ("<!--a</script>-->x", "<!--a"),
            ("<!-- <scriptx> </script>", "<!-- <scriptx> "),
            ("<!--<script>", "<!--<script>"),
            ("no end </script", "no end </script"),
        ] {
            assert_eq!(text_in(ContentModel::Script, "script", page), script, "{page}");
        }
    }

    #[test]
    fn references_are_read_in_titles_but_not_in_styles() {
        assert_eq!(text_in(ContentModel::Rcdata, "title", "a &amp; <b></title>"), "a & <b>");
        assert_eq!(
            text_in(ContentModel::RawText, "style", "a &amp; <b></title></style>"),
            "a &amp; <b></title>"
        );
        assert_eq!(text_in(ContentModel::PlainText, "plaintext", "</plaintext>"), "</plaintext>");
    }
}
