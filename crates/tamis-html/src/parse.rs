//! The entry point: parses text into a tree.

use std::borrow::Cow;

use crate::build::{Builder, Built, Context};
use crate::dom::{Dom, Namespace};
use crate::limits::{Limit, Limits};
use crate::references;
use crate::tokenizer::{Tokenizer, prefix};
use crate::tokens::TokenLog;

/// Parses a page. Never fails, since every text is a valid page.
///
/// ```
/// let dom = tamis_html::parse("<title>Hello</title><p>One &amp; two");
/// assert_eq!(dom.body().unwrap().text_content(), "One & two");
/// ```
pub fn parse(page: &str) -> Dom<'_> {
    Parser::new().parse(page)
}

/// A parser with settings.
///
/// ```
/// use tamis_html::{Limits, Parser};
///
/// let parser = Parser::new().scripting(true).limits(Limits { depth: 1000, ..Limits::default() });
/// let dom = parser.parse("<noscript><p>not a paragraph</noscript>");
/// assert!(!dom.descendants().any(|node| node.name() == Some("p")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    scripting: bool,
    drops_noscript: bool,
    keeps_tokens: bool,
    limits: Limits,
}

impl Parser {
    /// A parser with the default settings.
    pub fn new() -> Parser {
        Parser::default()
    }

    /// Parse as if scripting were enabled: `noscript` contains text instead of elements. Default: off.
    #[must_use]
    pub fn scripting(mut self, scripting: bool) -> Parser {
        self.scripting = scripting;
        self
    }

    /// Drop the content of `noscript`, which with [scripting](Parser::scripting) is unparsed markup. Default: off.
    ///
    /// ```
    /// let parser = tamis_html::Parser::new().scripting(true).drop_noscript(true);
    /// assert_eq!(parser.parse("<noscript><p>one</noscript><p>two").root().text_content(), "two");
    /// ```
    #[must_use]
    pub fn drop_noscript(mut self, drop: bool) -> Parser {
        self.drops_noscript = drop;
        self
    }

    /// Record the [tokens](Dom::tokens) that the tree is built from. Default: off.
    ///
    /// ```
    /// use tamis_html::Parser;
    ///
    /// assert_eq!(Parser::new().keep_tokens(true).parse("<p>One.").tokens().unwrap().count(), 3);
    /// ```
    #[must_use]
    pub fn keep_tokens(mut self, keep: bool) -> Parser {
        self.keeps_tokens = keep;
        self
    }

    /// Limits of a page.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Parser {
        self.limits = limits;
        self
    }

    /// Parses a page.
    pub fn parse<'s>(&self, page: &'s str) -> Dom<'s> {
        self.finish(Cow::Borrowed(page), None)
    }

    /// Parses a page and stores its source in the tree, which then borrows nothing.
    ///
    /// ```
    /// fn tree_of(word: &str) -> tamis_html::Dom<'static> {
    ///     tamis_html::Parser::new().parse_owned(format!("<p>{word}"))
    /// }
    /// assert_eq!(tree_of("here").root().text_content(), "here");
    /// ```
    pub fn parse_owned(&self, page: String) -> Dom<'static> {
        self.finish(Cow::Owned(page), None)
    }

    /// Parses the content of an element, as `innerHTML` does. The context is the element's name, prefixed by `svg ` or
    /// `math ` for elements that are not HTML.
    ///
    /// ```
    /// let dom = tamis_html::Parser::new().parse_fragment("<td>one<td>two", "tr");
    /// let cells: Vec<_> = dom.root().children().map(|cell| cell.text_content()).collect();
    /// assert_eq!(cells, ["one", "two"]);
    /// ```
    pub fn parse_fragment<'s>(&self, fragment: &'s str, context: &str) -> Dom<'s> {
        self.finish(Cow::Borrowed(fragment), Some(context))
    }

    fn finish<'s>(&self, page: Cow<'s, str>, context: Option<&str>) -> Dom<'s> {
        let source = prefix(&page, self.limits.bytes.min(Limits::NONE.bytes) as usize);
        let cut = source.len() < page.len();
        let mut tokenizer = Tokenizer::new(source);
        let context = context.map(|context| {
            let (namespace, name) = match context.split_once(' ') {
                Some(("svg", name)) => (Namespace::Svg, name),
                Some(("math", name)) => (Namespace::MathMl, name),
                _ => (Namespace::Html, context),
            };
            let name = tokenizer.names.of_raw(name);
            let name = if namespace == Namespace::Svg { name.svg_element() } else { name };
            Context { namespace, name, html_inside: false }
        });
        let limits =
            Limits { nodes: self.limits.nodes.max(64), depth: self.limits.depth.max(8), ..self.limits };
        let mut builder = Builder::new(tokenizer, context, self.scripting, limits);
        builder.drops_noscript = self.drops_noscript;
        builder.tokens = self.keeps_tokens.then(|| TokenLog::for_page(source.len()));
        let Built { arena, quirks, limit_reached, tokens } = builder.run();
        let cut = cut && limit_reached != Some(Limit::Time);
        let limit_reached = if cut { Some(Limit::Bytes(self.limits.bytes)) } else { limit_reached };
        let length = source.len();
        let source = match page {
            Cow::Borrowed(page) => Cow::Borrowed(&page[..length]),
            Cow::Owned(mut page) => {
                page.truncate(length);
                Cow::Owned(page)
            }
        };
        let is_plain = references::is_plain(&source);
        Dom { source, is_plain, arena, quirks, scripting: self.scripting, limit_reached, tokens }
    }
}
