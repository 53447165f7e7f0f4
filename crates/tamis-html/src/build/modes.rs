//! The insertion modes, and which rules each of them has for tags.

use crate::arena::NONE;
use crate::name::Name;
use crate::tokenizer::Tag;

use super::{Builder, Next};

/// The insertion modes of the standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl Builder<'_> {
    pub(super) fn start_by_mode(&mut self, tag: Tag) -> Next {
        match self.mode {
            Mode::Initial => self.initial_anything(),
            Mode::BeforeHtml => self.before_html_start(tag),
            Mode::BeforeHead => self.before_head_start(tag),
            Mode::InHead => self.in_head_start(tag),
            Mode::InHeadNoscript => self.in_head_noscript_start(tag),
            Mode::AfterHead => self.after_head_start(tag),
            Mode::InBody => self.in_body_start(tag),
            // Raw text has no tags.
            Mode::Text => Next::Done,
            Mode::InTable => self.in_table_start(tag),
            Mode::InTableText => self.end_table_text(),
            Mode::InCaption => self.in_caption_start(tag),
            Mode::InColumnGroup => self.in_column_group_start(tag),
            Mode::InTableBody => self.in_table_body_start(tag),
            Mode::InRow => self.in_row_start(tag),
            Mode::InCell => self.in_cell_start(tag),
            Mode::InTemplate => self.in_template_start(tag),
            Mode::AfterBody => self.after_body_start(tag),
            Mode::InFrameset => self.in_frameset_start(tag),
            Mode::AfterFrameset => self.after_frameset_start(tag),
            Mode::AfterAfterBody => self.after_after_body_start(tag),
            Mode::AfterAfterFrameset => self.after_after_frameset_start(tag),
        }
    }

    pub(super) fn end_by_mode(&mut self, tag: Tag) -> Next {
        match self.mode {
            Mode::Initial => self.initial_anything(),
            Mode::BeforeHtml => self.before_html_end(tag),
            Mode::BeforeHead => self.before_head_end(tag),
            Mode::InHead => self.in_head_end(tag),
            Mode::InHeadNoscript => self.in_head_noscript_end(tag),
            Mode::AfterHead => self.after_head_end(tag),
            Mode::InBody => self.in_body_end(tag),
            Mode::Text => self.text_end(),
            Mode::InTable => self.in_table_end(tag),
            Mode::InTableText => self.end_table_text(),
            Mode::InCaption => self.in_caption_end(tag),
            Mode::InColumnGroup => self.in_column_group_end(tag),
            Mode::InTableBody => self.in_table_body_end(tag),
            Mode::InRow => self.in_row_end(tag),
            Mode::InCell => self.in_cell_end(tag),
            Mode::InTemplate => self.in_template_end(tag),
            Mode::AfterBody => self.after_body_end(tag),
            Mode::InFrameset => self.in_frameset_end(tag),
            Mode::AfterFrameset => self.after_frameset_end(tag),
            Mode::AfterAfterBody => self.leave_after_body(),
            Mode::AfterAfterFrameset => Next::Done,
        }
    }

    /// The mode that fits the open elements.
    pub(super) fn reset_mode(&mut self) {
        const DECISIVE: &[Name] = &[
            Name::TD,
            Name::TH,
            Name::TR,
            Name::TBODY,
            Name::THEAD,
            Name::TFOOT,
            Name::CAPTION,
            Name::COLGROUP,
            Name::TABLE,
            Name::TEMPLATE,
            Name::HEAD,
            Name::BODY,
            Name::FRAMESET,
            Name::HTML,
        ];
        let place = self.open.highest_of(DECISIVE).unwrap_or(0);
        let mut name = self.open.get(place).map_or(Name::HTML, |entry| entry.name);
        let mut last = place == 0;
        if let Some(context) = &self.context
            && last
        {
            name = if context.is_html() { context.name } else { Name::SPAN };
        } else if self.context.is_none() {
            last = false;
        }
        self.mode = match name {
            Name::TD | Name::TH if !last => Mode::InCell,
            Name::TR => Mode::InRow,
            Name::TBODY | Name::THEAD | Name::TFOOT => Mode::InTableBody,
            Name::CAPTION => Mode::InCaption,
            Name::COLGROUP => Mode::InColumnGroup,
            Name::TABLE => Mode::InTable,
            Name::TEMPLATE => self.template_modes.last().copied().unwrap_or(Mode::InBody),
            Name::HEAD if !last => Mode::InHead,
            Name::FRAMESET => Mode::InFrameset,
            Name::HTML if self.head == NONE => Mode::BeforeHead,
            Name::HTML => Mode::AfterHead,
            _ => Mode::InBody,
        };
    }
}
