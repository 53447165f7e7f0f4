//! The modes of tables: "in table", its text, "in caption", "in column group", "in table body", "in row", "in cell".

use crate::name::Name;
use crate::references;
use crate::tokenizer::{Piece, Tag};

use super::formatting_list::Formatting;
use super::traits::Traits;
use super::{Builder, Mode, Next};

const ROW_GROUPS: [Name; 3] = [Name::TBODY, Name::THEAD, Name::TFOOT];

impl Builder<'_> {
    /// Text in a table is collected first, since foster parenting depends on all of it.
    pub(super) fn in_table_text(&mut self, piece: Piece) -> Next {
        let top = self.open.top_traits();
        if top.has(Traits::FOSTERS) || self.open.top_is(Name::TEMPLATE) {
            self.table_text.clear();
            self.original_mode = self.mode;
            self.mode = Mode::InTableText;
            return Next::Again;
        }
        self.fostering(|builder| {
            builder.in_body_text(piece);
            Next::Done
        })
    }

    pub(super) fn keep_table_text(&mut self, piece: Piece) {
        if self.has_nul {
            let parts = self.without_nul(piece);
            self.table_text.extend(parts);
        } else {
            self.table_text.push(piece);
        }
    }

    /// The token after the text: white space stays in the table, anything else goes before it.
    pub(super) fn end_table_text(&mut self) -> Next {
        let source = self.tokenizer.source;
        let is_blank = |piece: &Piece| {
            let raw = piece.span.of(source);
            references::leading_space(raw, piece.reading) == raw.len()
        };
        let pieces = std::mem::take(&mut self.table_text);
        if pieces.iter().all(is_blank) {
            for &piece in &pieces {
                self.insert_text(piece);
            }
        } else {
            for &piece in &pieces {
                self.fostering(|builder| {
                    builder.in_body_text(piece);
                    Next::Done
                });
            }
        }
        self.table_text = pieces;
        self.table_text.clear();
        self.mode = self.original_mode;
        Next::Again
    }

    /// Applies a rule of the body, with foster parenting, to content that is not allowed in a table.
    fn fostering(&mut self, rule: impl FnOnce(&mut Self) -> Next) -> Next {
        self.foster_parenting = true;
        let next = rule(self);
        self.foster_parenting = false;
        next
    }

    pub(super) fn in_table_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::CAPTION => {
                self.clear_to_table();
                self.formatting.push(Formatting::MARKER);
                self.insert_html(tag);
                self.mode = Mode::InCaption;
            }
            Name::COLGROUP => {
                self.clear_to_table();
                self.insert_html(tag);
                self.mode = Mode::InColumnGroup;
            }
            Name::COL => {
                self.clear_to_table();
                self.insert_implied(Name::COLGROUP);
                self.mode = Mode::InColumnGroup;
                return Next::Again;
            }
            Name::TBODY | Name::TFOOT | Name::THEAD => {
                self.clear_to_table();
                self.insert_html(tag);
                self.mode = Mode::InTableBody;
            }
            Name::TD | Name::TH | Name::TR => {
                self.clear_to_table();
                self.insert_implied(Name::TBODY);
                self.mode = Mode::InTableBody;
                return Next::Again;
            }
            Name::TABLE => {
                if self.open.in_table_scope(Name::TABLE) {
                    self.pop_until(Name::TABLE);
                    self.reset_mode();
                    return Next::Again;
                }
            }
            Name::STYLE | Name::SCRIPT | Name::TEMPLATE => return self.in_head_start(tag),
            Name::INPUT if self.is_hidden_input(tag) => return self.insert_void(tag),
            Name::FORM => {
                if self.form == crate::arena::NONE && !self.open.contains(Name::TEMPLATE) {
                    self.form = self.insert_html(tag);
                    self.pop();
                }
            }
            _ => return self.fostering(|builder| builder.in_body_start(tag)),
        }
        Next::Done
    }

    pub(super) fn in_table_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TABLE => {
                if self.open.in_table_scope(Name::TABLE) {
                    self.pop_until(Name::TABLE);
                    self.reset_mode();
                }
                Next::Done
            }
            Name::BODY
            | Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => Next::Done,
            Name::TEMPLATE => self.template_end(),
            _ => self.fostering(|builder| builder.in_body_end(tag)),
        }
    }

    /// Pops down to the table.
    fn clear_to_table(&mut self) {
        self.clear_to(&[Name::TABLE, Name::TEMPLATE, Name::HTML]);
    }

    fn clear_to(&mut self, names: &[Name]) {
        if let Some(place) = self.open.highest_of(names) {
            self.pop_to(place + 1);
        }
    }

    pub(super) fn in_caption_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => self.close_caption(Next::Again),
            _ => self.in_body_start(tag),
        }
    }

    pub(super) fn in_caption_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::CAPTION => self.close_caption(Next::Done),
            Name::TABLE => self.close_caption(Next::Again),
            Name::BODY
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => Next::Done,
            _ => self.in_body_end(tag),
        }
    }

    fn close_caption(&mut self, next: Next) -> Next {
        if !self.open.in_table_scope(Name::CAPTION) {
            return Next::Done;
        }
        self.imply_ends();
        self.pop_until(Name::CAPTION);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        next
    }

    pub(super) fn in_column_group_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::COL => self.insert_void(tag),
            Name::TEMPLATE => self.in_head_start(tag),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn in_column_group_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::COLGROUP => {
                self.leave_column_group();
                Next::Done
            }
            Name::COL => Next::Done,
            Name::TEMPLATE => self.template_end(),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn leave_column_group(&mut self) -> Next {
        if !self.open.top_is(Name::COLGROUP) {
            return Next::Done;
        }
        self.pop();
        self.mode = Mode::InTable;
        Next::Again
    }

    pub(super) fn in_table_body_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TR => {
                self.clear_to_table_body();
                self.insert_html(tag);
                self.mode = Mode::InRow;
                Next::Done
            }
            Name::TH | Name::TD => {
                self.clear_to_table_body();
                self.insert_implied(Name::TR);
                self.mode = Mode::InRow;
                Next::Again
            }
            Name::CAPTION | Name::COL | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD => {
                self.leave_table_body()
            }
            _ => self.in_table_start(tag),
        }
    }

    pub(super) fn in_table_body_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TBODY | Name::TFOOT | Name::THEAD => {
                if self.open.in_table_scope(tag.name) {
                    self.clear_to_table_body();
                    self.pop();
                    self.mode = Mode::InTable;
                }
                Next::Done
            }
            Name::TABLE => self.leave_table_body(),
            Name::BODY
            | Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::HTML
            | Name::TD
            | Name::TH
            | Name::TR => Next::Done,
            _ => self.in_table_end(tag),
        }
    }

    fn clear_to_table_body(&mut self) {
        self.clear_to(&[Name::TBODY, Name::TFOOT, Name::THEAD, Name::TEMPLATE, Name::HTML]);
    }

    fn leave_table_body(&mut self) -> Next {
        if !ROW_GROUPS.into_iter().any(|name| self.open.in_table_scope(name)) {
            return Next::Done;
        }
        self.clear_to_table_body();
        self.pop();
        self.mode = Mode::InTable;
        Next::Again
    }

    pub(super) fn in_row_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TH | Name::TD => {
                self.clear_to_row();
                self.insert_html(tag);
                self.mode = Mode::InCell;
                self.formatting.push(Formatting::MARKER);
                Next::Done
            }
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TFOOT
            | Name::THEAD
            | Name::TR => self.leave_row(Next::Again),
            _ => self.in_table_start(tag),
        }
    }

    pub(super) fn in_row_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TR => self.leave_row(Next::Done),
            Name::TABLE => self.leave_row(Next::Again),
            Name::TBODY | Name::TFOOT | Name::THEAD => {
                if self.open.in_table_scope(tag.name) {
                    self.leave_row(Next::Again)
                } else {
                    Next::Done
                }
            }
            Name::BODY | Name::CAPTION | Name::COL | Name::COLGROUP | Name::HTML | Name::TD | Name::TH => {
                Next::Done
            }
            _ => self.in_table_end(tag),
        }
    }

    fn clear_to_row(&mut self) {
        self.clear_to(&[Name::TR, Name::TEMPLATE, Name::HTML]);
    }

    fn leave_row(&mut self, next: Next) -> Next {
        if !self.open.in_table_scope(Name::TR) {
            return Next::Done;
        }
        self.clear_to_row();
        self.pop();
        self.mode = Mode::InTableBody;
        next
    }

    pub(super) fn in_cell_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => self.close_cell(),
            _ => self.in_body_start(tag),
        }
    }

    pub(super) fn in_cell_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TD | Name::TH => {
                if self.open.in_table_scope(tag.name) {
                    self.imply_ends();
                    self.pop_until(tag.name);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
                Next::Done
            }
            Name::BODY | Name::CAPTION | Name::COL | Name::COLGROUP | Name::HTML => Next::Done,
            Name::TABLE | Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR => {
                if self.open.in_table_scope(tag.name) { self.close_cell() } else { Next::Done }
            }
            _ => self.in_body_end(tag),
        }
    }

    fn close_cell(&mut self) -> Next {
        let Some(place) = self.open.highest_of(&[Name::TD, Name::TH]) else { return Next::Done };
        // Whether there is an open cell in the table.
        if !self.open.in_table_scope(Name::TD) && !self.open.in_table_scope(Name::TH) {
            return Next::Done;
        }
        self.imply_ends();
        self.pop_to(place);
        self.clear_formatting_to_marker();
        self.mode = Mode::InRow;
        Next::Again
    }
}
