//! Text: by the insertion mode, which treats white space and other characters differently outside of the body.

use crate::name::Name;
use crate::references::{self, Reading};
use crate::tokenizer::Piece;

use super::modes::Mode;
use super::{Builder, Next};

impl Builder<'_> {
    pub(super) fn text(&mut self, mut piece: Piece) {
        if self.skip_line_feed {
            self.skip_line_feed = false;
            let raw = piece.span.of(self.tokenizer.source);
            piece.span.start += references::leading_line_feed(raw, piece.reading) as u32;
        }
        while !piece.span.is_empty() {
            if self.is_foreign_for_text() {
                return self.foreign_text(piece);
            }
            match self.mode {
                Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => {
                    return self.in_body_text(piece);
                }
                Mode::Text if self.drops_noscript && self.open.top_is(Name::NOSCRIPT) => return,
                Mode::Text => return self.insert_text(piece),
                Mode::InTable | Mode::InTableBody | Mode::InRow => {
                    if self.in_table_text(piece) == Next::Done {
                        return;
                    }
                }
                Mode::InTableText => return self.keep_table_text(piece),
                _ => piece = self.text_by_mode(piece),
            }
        }
    }

    /// Text outside of the body: white space and other characters have different rules. Returns the rest to be
    /// reprocessed.
    #[cold]
    fn text_by_mode(&mut self, piece: Piece) -> Piece {
        let raw = piece.span.of(self.tokenizer.source);
        let space = references::leading_space(raw, piece.reading);
        let (mut blank, mut rest) = (piece, piece);
        blank.span.end = piece.span.start + space as u32;
        rest.span.start = blank.span.end;
        match self.mode {
            // Dropped.
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => {}
            Mode::AfterBody | Mode::AfterAfterBody | Mode::AfterAfterFrameset if space > 0 => {
                self.in_body_text(blank);
                return rest;
            }
            _ if space > 0 => {
                self.insert_text(blank);
                return rest;
            }
            _ => {}
        }
        if rest.span.is_empty() {
            return rest;
        }
        match self.mode {
            Mode::Initial => self.initial_anything(),
            Mode::BeforeHtml => self.make_html(),
            Mode::BeforeHead => self.make_head(),
            Mode::InHead => self.leave_head(),
            Mode::InHeadNoscript => self.leave_head_noscript(),
            Mode::AfterHead => self.make_body(),
            Mode::InColumnGroup => self.leave_column_group(),
            Mode::AfterBody | Mode::AfterAfterBody => self.leave_after_body(),
            _ => {
                // In framesets, only white space is kept.
                let raw = rest.span.of(self.tokenizer.source);
                rest.span.start += references::leading_ink(raw, rest.reading) as u32;
                return rest;
            }
        };
        // A rule ignores text by leaving mode and stack unchanged.
        if self.mode == Mode::InColumnGroup {
            let raw = rest.span.of(self.tokenizer.source);
            rest.span.start += references::leading_ink(raw, rest.reading) as u32;
        }
        rest
    }

    pub(super) fn in_body_text(&mut self, piece: Piece) {
        // In plain text and similar content, NUL characters are already replaced.
        if self.has_nul && !piece.reading.has(Reading::REPLACE_NUL) {
            return self.in_body_text_with_nul(piece);
        }
        self.reconstruct_formatting();
        self.insert_text(piece);
        if self.frameset_ok {
            self.notice_ink(piece);
        }
    }

    /// NUL characters are dropped; they do not even reopen formatting elements.
    #[cold]
    fn in_body_text_with_nul(&mut self, piece: Piece) {
        for part in self.without_nul(piece) {
            self.reconstruct_formatting();
            self.insert_text(part);
            self.notice_ink(part);
        }
    }

    /// The parts of a text between its NUL characters.
    pub(super) fn without_nul(&self, piece: Piece) -> Vec<Piece> {
        let mut start = piece.span.start;
        let mut parts = Vec::new();
        for part in piece.span.of(self.tokenizer.source).split('\0') {
            let end = start + part.len() as u32;
            if end > start {
                parts.push(Piece { span: crate::Span { start, end }, ..piece });
            }
            start = end + 1;
        }
        parts
    }

    /// After any character but white space, a frameset can no longer replace the body.
    pub(super) fn notice_ink(&mut self, piece: Piece) {
        let raw = piece.span.of(self.tokenizer.source);
        if references::leading_space(raw, piece.reading) < raw.len() {
            self.frameset_ok = false;
        }
    }
}
