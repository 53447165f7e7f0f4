//! The modes after the body, and those of framesets.

use crate::name::Name;
use crate::tokenizer::Tag;

use super::{Builder, Mode, Next};

impl Builder<'_> {
    pub(super) fn after_body_start(&mut self, tag: Tag) -> Next {
        if tag.name == Name::HTML { self.in_body_start(tag) } else { self.leave_after_body() }
    }

    pub(super) fn after_body_end(&mut self, tag: Tag) -> Next {
        if tag.name != Name::HTML {
            return self.leave_after_body();
        }
        if self.context.is_none() {
            self.mode = Mode::AfterAfterBody;
            self.html_end = Some(self.token.end);
        }
        Next::Done
    }

    /// Content after the body goes into it.
    pub(super) fn leave_after_body(&mut self) -> Next {
        self.mode = Mode::InBody;
        (self.body_end, self.html_end) = (None, None);
        Next::Again
    }

    pub(super) fn after_after_body_start(&mut self, tag: Tag) -> Next {
        self.after_body_start(tag)
    }

    pub(super) fn in_frameset_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::FRAMESET => {
                self.insert_html(tag);
                Next::Done
            }
            Name::FRAME => self.insert_void(tag),
            Name::NOFRAMES => self.in_head_start(tag),
            _ => Next::Done,
        }
    }

    pub(super) fn in_frameset_end(&mut self, tag: Tag) -> Next {
        if tag.name == Name::FRAMESET && self.open.len() > 1 {
            self.pop();
            if self.context.is_none() && !self.open.top_is(Name::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Next::Done
    }

    pub(super) fn after_frameset_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::NOFRAMES => self.in_head_start(tag),
            _ => Next::Done,
        }
    }

    pub(super) fn after_frameset_end(&mut self, tag: Tag) -> Next {
        if tag.name == Name::HTML {
            self.mode = Mode::AfterAfterFrameset;
            self.html_end = Some(self.token.end);
        }
        Next::Done
    }

    pub(super) fn after_after_frameset_start(&mut self, tag: Tag) -> Next {
        self.after_frameset_start(tag)
    }
}
