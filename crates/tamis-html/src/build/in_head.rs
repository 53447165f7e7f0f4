//! The modes "in head", "in head noscript", "after head", "text" and "in template".

use crate::name::Name;
use crate::tokenizer::{ContentModel, Tag};

use super::formatting_list::Formatting;
use super::open_elements::Open;
use super::{Builder, Mode, Next};

impl Builder<'_> {
    pub(super) fn in_head_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::BASE | Name::BASEFONT | Name::BGSOUND | Name::LINK | Name::META => self.insert_void(tag),
            Name::TITLE => self.insert_raw(tag, ContentModel::Rcdata),
            Name::NOSCRIPT if !self.scripting => {
                self.insert_html(tag);
                self.mode = Mode::InHeadNoscript;
                Next::Done
            }
            Name::NOSCRIPT | Name::NOFRAMES | Name::STYLE => self.insert_raw(tag, ContentModel::RawText),
            Name::SCRIPT => self.insert_raw(tag, ContentModel::Script),
            Name::TEMPLATE => {
                self.insert_template(tag);
                self.formatting.push(Formatting::MARKER);
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                Next::Done
            }
            Name::HEAD => Next::Done,
            _ => self.leave_head(),
        }
    }

    pub(super) fn in_head_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HEAD => {
                self.pop();
                self.mode = Mode::AfterHead;
                Next::Done
            }
            Name::BODY | Name::HTML | Name::BR => self.leave_head(),
            Name::TEMPLATE => self.template_end(),
            _ => Next::Done,
        }
    }

    pub(super) fn leave_head(&mut self) -> Next {
        self.pop();
        self.mode = Mode::AfterHead;
        Next::Again
    }

    pub(super) fn template_end(&mut self) -> Next {
        if self.open.contains(Name::TEMPLATE) {
            self.imply_ends_thoroughly();
            self.close_template();
        }
        Next::Done
    }

    fn close_template(&mut self) {
        self.pop_until(Name::TEMPLATE);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn in_head_noscript_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::BASEFONT | Name::BGSOUND | Name::LINK | Name::META | Name::NOFRAMES | Name::STYLE => {
                self.in_head_start(tag)
            }
            Name::HEAD | Name::NOSCRIPT => Next::Done,
            _ => self.leave_head_noscript(),
        }
    }

    pub(super) fn in_head_noscript_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::NOSCRIPT => {
                self.pop();
                self.mode = Mode::InHead;
                Next::Done
            }
            Name::BR => self.leave_head_noscript(),
            _ => Next::Done,
        }
    }

    pub(super) fn leave_head_noscript(&mut self) -> Next {
        self.pop();
        self.mode = Mode::InHead;
        Next::Again
    }

    pub(super) fn after_head_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::BODY => {
                self.insert_html(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Next::Done
            }
            Name::FRAMESET => {
                self.insert_html(tag);
                self.mode = Mode::InFrameset;
                Next::Done
            }
            name if goes_into_head(name) => self.late_in_head(tag),
            Name::HEAD => Next::Done,
            _ => self.make_body(),
        }
    }

    /// An element of the head after `</head>` still goes into it.
    fn late_in_head(&mut self, tag: Tag) -> Next {
        let head = self.head;
        self.push(Open::new(head, head, crate::Namespace::Html, Name::HEAD, false));
        let next = self.in_head_start(tag);
        // Remove the head from the stack, at any position.
        if let Some(place) = self.open.place_of(Name::HEAD, head) {
            self.open.remove(place);
        }
        next
    }

    pub(super) fn after_head_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::TEMPLATE => self.template_end(),
            Name::BODY | Name::HTML | Name::BR => self.make_body(),
            _ => Next::Done,
        }
    }

    pub(super) fn make_body(&mut self) -> Next {
        self.insert_implied(Name::BODY);
        self.mode = Mode::InBody;
        Next::Again
    }

    /// The end tag of a title, script, style, …
    pub(super) fn text_end(&mut self) -> Next {
        self.pop();
        self.mode = self.original_mode;
        Next::Done
    }

    /// The page ends inside of a title, script, style, …
    pub(super) fn text_cut_off(&mut self) -> Next {
        self.pop();
        self.mode = self.original_mode;
        Next::Again
    }

    pub(super) fn in_template_start(&mut self, tag: Tag) -> Next {
        let mode = match tag.name {
            name if goes_into_head(name) => return self.in_head_start(tag),
            Name::CAPTION | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD => Mode::InTable,
            Name::COL => Mode::InColumnGroup,
            Name::TR => Mode::InTableBody,
            Name::TD | Name::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Next::Again
    }

    pub(super) fn in_template_end(&mut self, tag: Tag) -> Next {
        if tag.name == Name::TEMPLATE { self.template_end() } else { Next::Done }
    }

    /// The page ends inside of a template.
    pub(super) fn in_template_end_of_file(&mut self) -> Next {
        if !self.open.contains(Name::TEMPLATE) {
            return Next::Done;
        }
        self.close_template();
        Next::Again
    }
}

/// Elements of the head, at any position in the page.
fn goes_into_head(name: Name) -> bool {
    matches!(
        name,
        Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::LINK
            | Name::META
            | Name::NOFRAMES
            | Name::SCRIPT
            | Name::STYLE
            | Name::TEMPLATE
            | Name::TITLE
    )
}
