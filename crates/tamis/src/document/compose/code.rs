//! Preformatted text in the making.

use tamis_html::{NodeId, NodeRef, Span};

use super::frame::{Frame, Role};
use super::{Composer, join};
use crate::document::Kind;
use crate::document::preformatted::{LineNumbers, language, normalize_line_ends};
use crate::text::whitespace::is_blank;

pub(super) struct Code {
    language: Option<String>,
    numbers: LineNumbers,
    text: String,
    /// Whitespace that counts once kept text follows.
    space: String,
    blocks: Vec<u32>,
    span: Option<Span>,
}

impl Code {
    pub(super) fn new(pre: NodeRef<'_>) -> Code {
        Code {
            language: language(pre),
            numbers: LineNumbers::new(pre),
            text: String::new(),
            space: String::new(),
            blocks: Vec::new(),
            span: None,
        }
    }

    pub(super) fn push(&mut self, text: &str, block: usize, span: Option<Span>) {
        self.text.push_str(&std::mem::take(&mut self.space));
        if self.blocks.last() != Some(&(block as u32)) {
            // Blocks are lines, whatever separates them.
            if !self.blocks.is_empty() && !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            self.blocks.push(block as u32);
        }
        self.text.push_str(&normalize_line_ends(text));
        self.span = self.span.map_or(span, |own| Some(span.map_or(own, |span| join(own, span))));
    }
}

impl Composer<'_> {
    pub(super) fn in_code(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { role: Role::Code(_), .. }))
    }

    pub(super) fn open_code(&mut self) -> Option<&mut Code> {
        match self.frames.last_mut() {
            Some(Frame { role: Role::Code(code), .. }) => Some(code),
            _ => None,
        }
    }

    /// Text outside of blocks: whitespace.
    pub(super) fn code_space(&mut self, text: &str) {
        if let Some(code) = self.open_code().filter(|_| is_blank(text)) {
            code.space.push_str(&normalize_line_ends(text));
        }
    }

    /// Text that is not kept.
    pub(super) fn code_gap(&mut self) {
        if let Some(code) = self.open_code() {
            code.space.clear();
        }
    }

    pub(super) fn code_text(&mut self, node: NodeRef<'_>, block: usize) {
        let Some(code) = self.open_code() else { return };
        let is_number = code.numbers.contains(node.id());
        let text = node.text();
        code.push(if is_number { "" } else { &text }, block, node.span());
    }

    pub(super) fn code_line_break(&mut self) {
        if let Some(code) = self.open_code() {
            code.space.push('\n');
        }
    }

    pub(super) fn close_code(&mut self, node: NodeId, mut code: Code) {
        let text = code.text.trim_end_matches('\n').trim_start_matches('\n');
        if code.blocks.is_empty() || code.numbers.is_column || is_blank(text) {
            return;
        }
        let text = text.to_owned();
        let span = code.span.take().unwrap_or_else(|| self.span_of(node, &[]));
        self.push(Kind::Code { language: code.language, text }, node, span, code.blocks);
    }
}
