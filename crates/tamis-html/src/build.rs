//! Tree construction: from tokens to the tree, by the rules of the HTML standard.
//!
//! The standard is a state machine of some twenty insertion modes. Each file implements related modes in the order of
//! the standard's sections. "Reprocess the token" is [`Next::Again`]: a loop instead of recursion.

mod adoption;
mod before_body;
mod behind_body;
mod foreign;
mod formatting;
mod formatting_list;
mod in_body;
mod in_head;
mod in_table;
mod insert;
mod modes;
mod open_elements;
mod quirks;
mod selected_content;
mod text;
mod traits;

use std::hash::RandomState;

use crate::arena::{Arena, NONE, RawNode};
use crate::attribute;
use crate::dom::{Namespace, QuirksMode};
use crate::forecast::forecast;
use crate::limits::{Limit, Limits};
use crate::name::Name;
use crate::node::NodeKind;
use crate::references;
use crate::span::Span;
use crate::tokenizer::{Piece, Tag, Token, Tokenizer};
use crate::tokens::TokenLog;

use formatting_list::FormattingList;
use insert::Repeated;
use modes::Mode;
use open_elements::{Open, OpenElements};
use selected_content::SelectedContent;

/// The result of applying a rule to a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// The token is consumed.
    Done,
    /// The mode has changed: reprocess the token.
    Again,
}

/// The context element of a fragment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) namespace: Namespace,
    pub(crate) name: Name,
    pub(crate) html_inside: bool,
}

/// The result of a parse.
pub(crate) struct Built {
    pub(crate) arena: Arena,
    pub(crate) quirks: QuirksMode,
    pub(crate) limit_reached: Option<Limit>,
    pub(crate) tokens: Option<TokenLog>,
}

pub(crate) struct Builder<'s> {
    tokenizer: Tokenizer<'s>,
    /// Names and attributes belong to the tokenizer until the end.
    arena: Arena,
    mode: Mode,
    /// The mode to return to from the text modes.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    open: OpenElements,
    formatting: FormattingList,
    /// For fingerprints of formatting elements; the random seed prevents deliberate collisions.
    hasher: RandomState,
    head: u32,
    form: u32,
    context: Option<Open>,
    scripting: bool,
    /// Whether the text of `noscript` is dropped, with scripting.
    pub(crate) drops_noscript: bool,
    frameset_ok: bool,
    foster_parenting: bool,
    skip_line_feed: bool,
    quirks: QuirksMode,
    table_text: Vec<Piece>,
    selected_content: Option<SelectedContent>,
    repeated: Vec<Repeated>,
    /// NUL is rare, so one search of the whole page saves searching every text.
    has_nul: bool,
    /// The current token; an element that it closes ends before it, or after it if it is the element's end tag.
    token: Span,
    token_closes: Option<Name>,
    /// The ends of `</body>` and `</html>`, if nothing follows them.
    body_end: Option<u32>,
    html_end: Option<u32>,
    limits: Limits,
    limit_reached: Option<Limit>,
    /// The tokens, if they are recorded.
    pub(crate) tokens: Option<TokenLog>,
}

const DOCUMENT: u32 = 0;

impl<'s> Builder<'s> {
    pub(crate) fn new(
        mut tokenizer: Tokenizer<'s>,
        context: Option<Context>,
        scripting: bool,
        limits: Limits,
    ) -> Self {
        let source = tokenizer.source;
        tokenizer.set_max_attributes(limits.attributes);
        let mut arena = Arena::default();
        // A lower bound: one node per 100 bytes. For the rest see `forecast`.
        arena.nodes.reserve_exact(source.len() / 128 + Self::NODES_PER_TOKEN + 4);
        tokenizer.attributes.reserve_exact(source.len() / 256 + 8);
        let root = if context.is_some() { NodeKind::Fragment } else { NodeKind::Document };
        arena.add(RawNode::other(root, Span::new(0, source.len())));
        let mut builder = Builder {
            has_nul: memchr::memchr(0, source.as_bytes()).is_some(),
            tokenizer,
            arena,
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            open: OpenElements::new(),
            formatting: FormattingList::new(),
            hasher: RandomState::new(),
            head: NONE,
            form: NONE,
            context: None,
            scripting,
            drops_noscript: false,
            frameset_ok: true,
            foster_parenting: false,
            skip_line_feed: false,
            quirks: QuirksMode::NoQuirks,
            table_text: Vec::new(),
            selected_content: None,
            repeated: Vec::new(),
            token: Span::new(0, 0),
            token_closes: None,
            body_end: None,
            html_end: None,
            limits,
            limit_reached: None,
            tokens: None,
        };
        if let Some(context) = context {
            builder.enter_context(context);
        }
        builder
    }

    /// Prepares for parsing the content of an element: the standard's fragment case.
    fn enter_context(&mut self, context: Context) {
        let Context { namespace, name, html_inside } = context;
        self.context = Some(Open::new(NONE, NONE, namespace, name, html_inside));
        // In the standard, the root is an `html` element whose children are returned; here it is the fragment itself.
        self.push(Open::new(DOCUMENT, DOCUMENT, Namespace::Html, Name::HTML, false));
        if namespace == Namespace::Html {
            if name == Name::TEMPLATE {
                self.template_modes.push(Mode::InTemplate);
            }
            let model = self.content_model_of(name);
            self.tokenizer.set_content_model(model);
        }
        if namespace == Namespace::Html && name == Name::FORM {
            // Only the existence of an outer form matters: nested forms are ignored.
            self.form = DOCUMENT;
        }
        self.reset_mode();
    }

    /// Parses to the end.
    pub(crate) fn run(mut self) -> Built {
        let mut tokens = 0_u32;
        loop {
            tokens = tokens.wrapping_add(1);
            if tokens.is_multiple_of(Self::TOKENS_PER_LOOK) && self.limits.deadline.is_some() {
                self.look_at_the_clock();
            }
            self.tokenizer.cdata_allowed = self.in_foreign_content();
            let start = self.tokenizer.position();
            if self.nodes_run_out() {
                self.make_room();
            }
            let model = self.tokenizer.content_model();
            let token = self.tokenizer.advance();
            if let Some(log) = &mut self.tokens {
                log.note(&token, model);
            }
            self.token = Span::new(start, self.tokenizer.position());
            match token {
                Token::Text(piece) => {
                    self.token = piece.span;
                    self.text(piece);
                }
                Token::StartTag(tag) => {
                    self.token = tag.span;
                    self.skip_line_feed = false;
                    self.start_tag(tag);
                }
                Token::EndTag(tag) => {
                    self.token = tag.span;
                    self.token_closes = Some(tag.name);
                    self.end_tag(tag);
                    self.token_closes = None;
                }
                Token::Comment(piece) => self.comment(piece),
                Token::Doctype(doctype) => self.doctype(*doctype),
                Token::EndOfFile => {
                    self.end_of_file();
                    return self.finish();
                }
            }
        }
    }

    fn finish(mut self) -> Built {
        while self.open.len() > 0 {
            self.pop();
        }
        if self.tokenizer.attributes_cut {
            self.reach(Limit::Attributes(self.limits.attributes));
        }
        self.settle_repeated();
        self.arena.attributes = self.tokenizer.attributes;
        self.arena.names = self.tokenizer.names;
        let is_whole = self.limit_reached.is_none() && !self.tokenizer.met_cdata;
        let tokens = self.tokens.filter(|_| is_whole);
        Built { arena: self.arena, quirks: self.quirks, limit_reached: self.limit_reached, tokens }
    }

    /// Tokens between two checks of the deadline: some tenths of a millisecond.
    const TOKENS_PER_LOOK: u32 = 4096;

    /// Stops parsing at the deadline.
    #[cold]
    fn look_at_the_clock(&mut self) {
        if self.limits.deadline.is_some_and(|deadline| deadline.has_passed()) {
            self.reach(Limit::Time);
            self.tokenizer.stop();
        }
    }

    /// The maximum number of nodes that one token can create, without reopened formatting elements.
    const NODES_PER_TOKEN: usize = 48;

    /// Whether the next token may exceed the reserved capacity.
    #[inline(always)]
    fn nodes_run_out(&self) -> bool {
        let room = self.arena.nodes.capacity().min(self.limits.nodes as usize);
        self.arena.nodes.len() + self.formatting.len() + Self::NODES_PER_TOKEN > room
    }

    /// Reserves capacity for more nodes, or stops parsing at the limit.
    #[cold]
    fn make_room(&mut self) {
        let used = self.arena.nodes.len();
        let margin = self.formatting.len() + Self::NODES_PER_TOKEN;
        if used + margin > self.limits.nodes as usize {
            self.reach(Limit::Nodes(self.limits.nodes));
            self.tokenizer.stop();
            return;
        }
        let wanted = forecast(used, self.tokenizer.position(), self.tokenizer.source.len());
        self.arena.nodes.reserve_exact(wanted - used + margin);
    }

    fn reach(&mut self, limit: Limit) {
        if self.limit_reached.is_none_or(|reached| limit.severity() > reached.severity()) {
            self.limit_reached = Some(limit);
        }
    }

    /// The current node, or the context element of a fragment if only the root is open.
    #[inline(always)]
    fn adjusted_current(&self) -> Option<&Open> {
        match &self.context {
            Some(context) if self.open.len() == 1 => Some(context),
            _ => self.open.top(),
        }
    }

    #[inline(always)]
    fn in_foreign_content(&self) -> bool {
        self.adjusted_current().is_some_and(|node| !node.is_html())
    }

    fn start_tag(&mut self, tag: Tag) {
        loop {
            let next = if self.is_foreign_for_tag(tag.name) {
                self.foreign_start(tag)
            } else {
                self.start_by_mode(tag)
            };
            if next == Next::Done {
                return;
            }
        }
    }

    fn end_tag(&mut self, tag: Tag) {
        self.skip_line_feed = false;
        loop {
            let next = if self.in_foreign_content() { self.foreign_end(tag) } else { self.end_by_mode(tag) };
            if next == Next::Done {
                return;
            }
        }
    }

    fn comment(&mut self, piece: Piece) {
        self.skip_line_feed = false;
        if self.mode == Mode::InTableText {
            self.end_table_text();
        }
        let node = self.arena.add(RawNode::text(NodeKind::Comment, piece));
        match self.mode {
            // In SVG and MathML, which `</body>` does not close, comments stay in place.
            _ if self.in_foreign_content() => {
                let place = self.place();
                self.insert_at(place, node);
            }
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.arena.append(DOCUMENT, node);
            }
            Mode::AfterBody => {
                let html = self.open.node_at(0);
                self.arena.append(html, node);
            }
            _ => {
                let place = self.place();
                self.insert_at(place, node);
            }
        }
    }

    fn end_of_file(&mut self) {
        loop {
            let next = match self.mode {
                Mode::Initial => self.initial_anything(),
                Mode::BeforeHtml => self.make_html(),
                Mode::BeforeHead => self.make_head(),
                Mode::InHead => self.leave_head(),
                Mode::InHeadNoscript => self.leave_head_noscript(),
                Mode::AfterHead => self.make_body(),
                Mode::Text => self.text_cut_off(),
                Mode::InTableText => self.end_table_text(),
                Mode::AfterBody
                | Mode::AfterAfterBody
                | Mode::InFrameset
                | Mode::AfterFrameset
                | Mode::AfterAfterFrameset => Next::Done,
                _ if self.template_modes.is_empty() => Next::Done,
                _ => self.in_template_end_of_file(),
            };
            if next == Next::Done {
                return;
            }
        }
    }

    /// The decoded value of an attribute of the current tag.
    fn tag_attribute(&self, tag: Tag, name: Name) -> Option<std::borrow::Cow<'s, str>> {
        let attributes = attribute::run(&self.tokenizer.attributes, tag.attributes);
        let found = attributes.iter().find(|attribute| attribute.name() == name)?;
        Some(references::read(found.value.of(self.tokenizer.source), found.reading()))
    }
}
