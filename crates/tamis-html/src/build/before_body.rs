//! The modes before the head: "initial", "before html" and "before head".

use crate::arena::RawNode;
use crate::dom::QuirksMode;
use crate::name::Name;
use crate::node::NodeKind;
use crate::tokenizer::{Doctype, Tag};

use super::quirks::quirks_mode;
use super::{Builder, DOCUMENT, Mode, Next};

impl Builder<'_> {
    /// A doctype counts only at the very start.
    #[cold]
    pub(super) fn doctype(&mut self, doctype: Doctype) {
        self.skip_line_feed = false;
        if self.mode == Mode::InTableText {
            self.end_table_text();
        }
        if self.mode != Mode::Initial {
            return;
        }
        self.quirks = quirks_mode(&doctype);
        let mut node = RawNode::other(NodeKind::Doctype, self.token);
        node.data = self.arena.doctypes.len() as u32;
        self.arena.doctypes.push(doctype);
        let node = self.arena.add(node);
        self.arena.append(DOCUMENT, node);
        self.mode = Mode::BeforeHtml;
    }

    /// Any other token: the page has no doctype.
    pub(super) fn initial_anything(&mut self) -> Next {
        self.quirks = QuirksMode::Quirks;
        self.mode = Mode::BeforeHtml;
        Next::Again
    }

    pub(super) fn before_html_start(&mut self, tag: Tag) -> Next {
        if tag.name == Name::HTML {
            self.insert_html(tag);
            self.mode = Mode::BeforeHead;
            return Next::Done;
        }
        self.make_html()
    }

    pub(super) fn before_html_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HEAD | Name::BODY | Name::HTML | Name::BR => self.make_html(),
            _ => Next::Done,
        }
    }

    pub(super) fn make_html(&mut self) -> Next {
        self.insert_implied(Name::HTML);
        self.mode = Mode::BeforeHead;
        Next::Again
    }

    pub(super) fn before_head_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HTML => self.in_body_start(tag),
            Name::HEAD => {
                self.head = self.insert_html(tag);
                self.mode = Mode::InHead;
                Next::Done
            }
            _ => self.make_head(),
        }
    }

    pub(super) fn before_head_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::HEAD | Name::BODY | Name::HTML | Name::BR => self.make_head(),
            _ => Next::Done,
        }
    }

    pub(super) fn make_head(&mut self) -> Next {
        self.head = self.insert_implied(Name::HEAD);
        self.mode = Mode::InHead;
        Next::Again
    }
}
