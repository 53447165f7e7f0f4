//! Records the tokens that a tree is built from, for methods that also process a page as a token stream: tokenising
//! twice would take much of the time of building the tree.

use crate::dom::Dom;
use crate::name::Name;
use crate::references::Reading;
use crate::span::Span;
use crate::tokenizer::{ContentModel, NO_ATTRIBUTES, Piece, Tag, Token};

/// A token in twelve bytes.
#[derive(Clone, Copy, Debug)]
struct Small {
    span: Span,
    /// From the lowest bit: the name of a tag or the reading of a text, the [kind](Kind), whether the tag closes
    /// itself, and the content model.
    what: u32,
}

const KIND: u32 = 24;
const CLOSES: u32 = 26;
const MODEL: u32 = 27;
const NAME: u32 = (1 << KIND) - 1;

/// The tokens of a page while its tree is built.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenLog {
    list: Vec<Small>,
    /// The content model at the end of the page.
    last: ContentModel,
}

const TEXT: u32 = 0;
const START: u32 = 1;
const END: u32 = 2;

impl TokenLog {
    pub(crate) fn for_page(length: usize) -> TokenLog {
        // Typical of pages: a tag every forty bytes, and as many texts.
        TokenLog { list: Vec::with_capacity(length / 32 + 8), last: ContentModel::Data }
    }

    /// Records a token with its content model.
    #[inline]
    pub(crate) fn note(&mut self, token: &Token, model: ContentModel) {
        let (span, what) = match token {
            Token::Text(piece) => (piece.span, u32::from(piece.reading.bits()) | TEXT << KIND),
            Token::StartTag(tag) => (tag.span, of_tag(tag, START)),
            Token::EndTag(tag) => (tag.span, of_tag(tag, END)),
            Token::Comment(_) | Token::Doctype(_) => return,
            Token::EndOfFile => {
                self.last = model;
                return;
            }
        };
        self.list.push(Small { span, what: what | (model as u32) << MODEL });
    }
}

#[inline]
fn of_tag(tag: &Tag, kind: u32) -> u32 {
    tag.name.0 & NAME | kind << KIND | u32::from(tag.self_closing) << CLOSES
}

/// The texts and tags of a page in order, without attributes; see [`Dom::tokens`].
///
/// ```
/// use tamis_html::{Name, Parser, tokenizer::{ContentModel, Token}};
///
/// let dom = Parser::new().keep_tokens(true).parse("<title>A</title><p>B");
/// let mut tokens = dom.tokens().unwrap();
/// assert!(matches!(tokens.next(), Some((ContentModel::Data, Token::StartTag(tag))) if tag.name == Name::TITLE));
/// assert!(matches!(tokens.next(), Some((ContentModel::Rcdata, Token::Text(_)))));
/// assert_eq!(tokens.count(), 4); // `</title>`, `<p>`, B and the end of the page
/// ```
#[derive(Clone, Debug)]
pub struct Tokens<'d> {
    rest: std::slice::Iter<'d, Small>,
    last: Option<ContentModel>,
}

impl Iterator for Tokens<'_> {
    type Item = (ContentModel, Token);

    #[inline]
    fn next(&mut self) -> Option<(ContentModel, Token)> {
        let Some(Small { span, what }) = self.rest.next().copied() else {
            return self.last.take().map(|model| (model, Token::EndOfFile));
        };
        let tag = || Tag {
            name: Name(what & NAME),
            self_closing: what >> CLOSES & 1 != 0,
            span,
            attributes: NO_ATTRIBUTES,
        };
        let token = match what >> KIND & 3 {
            TEXT => Token::Text(Piece { span, reading: Reading::from_bits(what as u8) }),
            START => Token::StartTag(tag()),
            _ => Token::EndTag(tag()),
        };
        Some((model(what >> MODEL), token))
    }
}

#[inline]
fn model(number: u32) -> ContentModel {
    [
        ContentModel::Data,
        ContentModel::Rcdata,
        ContentModel::RawText,
        ContentModel::Script,
        ContentModel::PlainText,
        ContentModel::Cdata,
    ][number as usize % 6]
}

impl Dom<'_> {
    /// The texts and tags that the tree was built from, each with its content model. `None` if they were [not
    /// recorded](crate::Parser::keep_tokens), the page exceeded a limit, or it has CDATA sections, which depend on the
    /// tree.
    ///
    /// ```
    /// assert!(tamis_html::parse("<p>One.").tokens().is_none());
    /// ```
    pub fn tokens(&self) -> Option<Tokens<'_>> {
        let log = self.tokens.as_ref()?;
        Some(Tokens { rest: log.list.iter(), last: Some(log.last) })
    }
}

#[cfg(test)]
mod tests {
    use crate::tokenizer::{Token, Tokenizer};
    use crate::{Parser, parse};

    #[test]
    fn kept_tokens_equal_those_of_a_tokenizer() {
        let page = "<!doctype html><title>A &amp; b</title><x-y a='>'><p/>B &lt;<!-- c --></p><br><script>a<b</script>";
        let dom = Parser::new().keep_tokens(true).parse(page);
        let mut tokenizer = Tokenizer::new(page);
        for (model, kept) in dom.tokens().unwrap() {
            let read = loop {
                match tokenizer.next_token() {
                    Token::Comment(_) | Token::Doctype(_) => {}
                    token => break token,
                }
            };
            let tell = |token: &Token| match token {
                Token::Text(piece) => format!("{piece:?}"),
                Token::StartTag(tag) | Token::EndTag(tag) => {
                    let name = dom.name_text(tag.name).to_owned();
                    format!("{name} {:?} {}", tag.span, tag.self_closing)
                }
                _ => String::new(),
            };
            assert_eq!(tell(&kept), tell(&read), "{model:?}");
            if let Token::StartTag(tag) = read {
                tokenizer.follow(tag.name);
            }
        }
    }

    #[test]
    fn tokens_that_only_a_tree_can_tell_are_not_given() {
        let parser = Parser::new().keep_tokens(true);
        assert!(parser.parse("<svg><![CDATA[x]]></svg>").tokens().is_none());
        assert!(parser.parse("<svg></svg>").tokens().is_some() && parse("<svg></svg>").tokens().is_none());
    }
}
