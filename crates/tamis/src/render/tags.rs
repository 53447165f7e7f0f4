//! Tags of XML, written so that every one that is opened is closed.

use super::{attribute, escape_xml};

/// XML in the making.
pub(super) struct Tags {
    xml: String,
}

impl Tags {
    pub(super) fn new() -> Tags {
        Tags { xml: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }
    }

    pub(super) fn finish(self) -> String {
        self.xml
    }

    /// An element inside a line, with what `inside` writes.
    pub(super) fn inline(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Self)) {
        self.xml.push('<');
        self.xml.push_str(name);
        for (name, value) in attributes {
            attribute(name, value, &mut self.xml);
        }
        self.xml.push('>');
        let before = self.xml.len();
        inside(self);
        if self.xml.len() == before {
            self.xml.insert(before - 1, '/');
        } else {
            self.xml.push_str("</");
            self.xml.push_str(name);
            self.xml.push('>');
        }
    }

    /// An element that holds words, on a line of its own.
    pub(super) fn line(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Self)) {
        self.inline(name, attributes, inside);
        self.xml.push('\n');
    }

    /// An element that holds elements, on lines of their own.
    pub(super) fn block(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Self)) {
        self.line(name, attributes, |tags| {
            let before = tags.xml.len();
            tags.xml.push('\n');
            inside(tags);
            if tags.xml.len() == before + 1 {
                tags.xml.pop();
            }
        });
    }

    /// Words.
    pub(super) fn text(&mut self, text: &str) {
        escape_xml(text, &mut self.xml);
    }

    /// A start tag that [`close`](Self::close) ends: for sections, which no piece holds together.
    pub(super) fn open(&mut self, name: &str) {
        self.xml.push('<');
        self.xml.push_str(name);
        self.xml.push_str(">\n");
    }

    pub(super) fn close(&mut self, name: &str) {
        self.xml.push_str("</");
        self.xml.push_str(name);
        self.xml.push_str(">\n");
    }

    /// What is well-formed already.
    pub(super) fn raw(&mut self, xml: &str) {
        self.xml.push_str(xml);
    }
}
