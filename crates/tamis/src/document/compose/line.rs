//! A line in the making: the text of a block with its links and markup.
//!
//! Whitespace collapses exactly as in the block table, so a line has the words of its blocks. A space between words of
//! different markup goes outside of both, where every output format can have it.

use tamis_html::{NodeId, NodeRef, Span};

use super::join;
use crate::document::{Formula, Image, Inline, Style};
use crate::text::characters::{Flags, flags};
use crate::text::whitespace::collapse_whitespace;

/// Links and markup in one line: more are in broken pages only, and cost a hundred times their bytes.
const MAX_LINE_WRAPS: usize = 10_000;

/// An open inline element that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrap {
    pub(super) node: NodeId,
    pub(super) kind: WrapKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrapKind {
    Style(Style),
    Link(NodeId),
    FootnoteRef(NodeId),
}

impl WrapKind {
    /// Whether it points somewhere. Such elements do not nest.
    pub(super) fn is_target(self) -> bool {
        !matches!(self, WrapKind::Style(_))
    }
}

pub(super) struct Line {
    /// The row of its element.
    pub(super) element: u32,
    pub(super) span: Span,
    /// The current block.
    pub(super) block: usize,
    /// Kept blocks.
    blocks: Vec<u32>,
    /// Finished content of the line, then of each open wrap.
    levels: Vec<Vec<LineInline>>,
    /// Wraps around the last words.
    open: Vec<Wrap>,
    /// Wraps opened so far.
    opened: usize,
    /// The code element around the last words.
    in_code: Option<NodeId>,
    /// Whether the current block has words in the line.
    started: bool,
    pending_space: bool,
    after_word: bool,
    pending_break: bool,
}

/// Whether a text has white space before its first and behind its last word, unless only decoding it tells.
pub(super) fn spaces(text: NodeRef<'_>) -> Option<(bool, bool)> {
    let span = text.text_spans().next()?;
    let source = span.of(text.dom().source());
    let (first, last) = (source.chars().next()?, source.chars().next_back()?);
    let is_plain = |c: char| c.is_ascii() || !flags(c).has(Flags::SPACE);
    let is_known = is_plain(first) && is_plain(last) && first != '&' && last != ';';
    (is_known && text.text_spans().nth(1).is_none()).then_some((first <= ' ', last <= ' '))
}

/// Content whose links are not resolved yet.
enum LineInline {
    Done(Inline),
    Wrapped(WrapKind, Vec<LineInline>),
}

impl Line {
    pub(super) fn new(element: u32, block: usize, span: Span, is_kept: bool) -> Line {
        Line {
            element,
            span,
            block,
            blocks: if is_kept { vec![block as u32] } else { Vec::new() },
            levels: vec![Vec::new()],
            open: Vec::new(),
            opened: 0,
            in_code: None,
            started: false,
            pending_space: false,
            after_word: false,
            pending_break: false,
        }
    }

    /// Continues with the next block, after a line break.
    pub(super) fn next_block(&mut self, block: usize, span: Span, is_kept: bool) {
        self.block = block;
        self.blocks.extend(is_kept.then_some(block as u32));
        self.span = join(self.span, span);
        (self.started, self.pending_space, self.after_word) = (false, false, false);
        self.pending_break = true;
    }

    /// Blank text between words.
    pub(super) fn space(&mut self, text: &str) {
        self.pending_space |= text.contains(char::is_whitespace);
    }

    pub(super) fn enter_link(&mut self) {
        // A link right after another link or a span, such as a label, starts a word.
        self.pending_space |= self.after_word;
    }

    pub(super) fn end_word(&mut self) {
        self.after_word = true;
    }

    pub(super) fn text(&mut self, text: &str, wraps: &[Wrap], code: Option<NodeId>) {
        // The first character makes leading space visible.
        let mut words = String::with_capacity(text.len() + 2);
        words.push('.');
        collapse_whitespace(text, &mut words, 0, &mut self.pending_space);
        match words[1..].strip_prefix(' ') {
            Some(words) => self.words(words, true, wraps, code),
            None => self.words(&words[1..], false, wraps, code),
        }
    }

    /// The only text of a block, as the block table has it, with white space around it in the source or not.
    pub(super) fn whole_text(
        &mut self,
        text: &str,
        before: bool,
        behind: bool,
        wraps: &[Wrap],
        code: Option<NodeId>,
    ) {
        self.words(text, self.pending_space || before, wraps, code);
        self.pending_space = behind;
    }

    fn words(&mut self, words: &str, is_spaced: bool, wraps: &[Wrap], code: Option<NodeId>) {
        if words.is_empty() {
            return;
        }
        let space = is_spaced && self.started;
        (self.started, self.after_word) = (true, false);
        let continues_code =
            code.is_some() && self.in_code == code && !self.pending_break && self.open == wraps;
        self.move_to(wraps, space && !continues_code);
        let level = self.level();
        match (level.last_mut(), code) {
            (Some(LineInline::Done(Inline::Code { text })), Some(_)) if continues_code => {
                if space {
                    text.push(' ');
                }
                text.push_str(words);
            }
            (Some(LineInline::Done(Inline::Text { text })), None) => text.push_str(words),
            (_, Some(_)) => level.push(LineInline::Done(Inline::Code { text: words.to_owned() })),
            (_, None) => level.push(LineInline::Done(Inline::text(words))),
        }
        self.in_code = code;
    }

    pub(super) fn formula(&mut self, formula: Formula, wraps: &[Wrap]) {
        self.object(Inline::Formula(Box::new(formula)), wraps);
        (self.started, self.after_word) = (true, false);
    }

    pub(super) fn image(&mut self, image: Image, wraps: &[Wrap]) {
        self.object(Inline::Image(Box::new(image)), wraps);
    }

    fn object(&mut self, inline: Inline, wraps: &[Wrap]) {
        let space = self.pending_space && self.started;
        self.pending_space &= !space;
        self.move_to(wraps, space);
        self.level().push(LineInline::Done(inline));
        self.in_code = None;
    }

    /// The content, with the URLs and labels that `resolve` knows, and the kept blocks.
    pub(super) fn finish(mut self, resolve: &impl Fn(WrapKind) -> Option<String>) -> (Vec<Inline>, Vec<u32>) {
        self.close_to(0);
        let content = self.levels.pop().unwrap_or_default();
        let mut finished = Vec::with_capacity(content.len());
        finish(content, resolve, &mut finished);
        (finished, self.blocks)
    }

    /// Closes and opens wraps until exactly `wraps` are open. A pending space or break goes between. Of a line with too
    /// many wraps, only the words are kept.
    fn move_to(&mut self, wraps: &[Wrap], space: bool) {
        let wraps = if self.opened > MAX_LINE_WRAPS { &[] } else { wraps };
        let common = self.open.iter().zip(wraps).take_while(|(one, other)| one == other).count();
        self.close_to(common);
        if std::mem::take(&mut self.pending_break) && !(self.levels[0].is_empty() && self.open.is_empty()) {
            self.level().push(LineInline::Done(Inline::Break));
            self.in_code = None;
        }
        if space {
            match self.level().last_mut() {
                Some(LineInline::Done(Inline::Text { text })) => text.push(' '),
                _ => self.level().push(LineInline::Done(Inline::text(" "))),
            }
            self.in_code = None;
        }
        for wrap in &wraps[common..] {
            self.open.push(*wrap);
            self.opened += 1;
            self.levels.push(Vec::new());
            self.in_code = None;
        }
    }

    fn level(&mut self) -> &mut Vec<LineInline> {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn close_to(&mut self, count: usize) {
        while self.open.len() > count
            && let (Some(wrap), Some(mut content)) = (self.open.pop(), self.levels.pop())
        {
            content.shrink_to_fit();
            self.in_code = None;
            self.level().push(LineInline::Wrapped(wrap.kind, content));
        }
    }
}

fn finish(content: Vec<LineInline>, resolve: &impl Fn(WrapKind) -> Option<String>, out: &mut Vec<Inline>) {
    for inline in content {
        let (kind, content) = match inline {
            LineInline::Done(inline) => {
                push_merged(inline, out);
                continue;
            }
            LineInline::Wrapped(kind, content) => (kind, content),
        };
        let target = resolve(kind);
        if target.is_none() && kind.is_target() {
            finish(content, resolve, out);
            continue;
        }
        let mut inside = Vec::with_capacity(content.len());
        finish(content, resolve, &mut inside);
        let target = target.unwrap_or_default();
        let finished = match kind {
            WrapKind::Style(style) => Inline::Styled { style, content: inside },
            WrapKind::Link(_) => Inline::Link { href: target, content: inside },
            WrapKind::FootnoteRef(_) => Inline::FootnoteRef { label: target, content: inside },
        };
        push_merged(finished, out);
    }
}

/// Appends to the last text, or to the last text of the same markup, where possible.
fn push_merged(inline: Inline, out: &mut Vec<Inline>) {
    match (out.last_mut(), inline) {
        (Some(Inline::Text { text: last }), Inline::Text { text }) => last.push_str(&text),
        (Some(Inline::Styled { style: last, content: before }), Inline::Styled { style, content })
            if *last == style && !matches!(style, Style::Quotation | Style::Ruby | Style::RubyText) =>
        {
            content.into_iter().for_each(|inline| push_merged(inline, before));
        }
        (_, inline) => out.push(inline),
    }
}
