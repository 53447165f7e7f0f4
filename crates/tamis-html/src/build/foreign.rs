//! SVG and MathML inside of HTML.

use crate::attribute::AttributeNamespace;
use crate::dom::Namespace;
use crate::name::Name;
use crate::references::Reading;
use crate::tokenizer::{ContentModel, Piece, Tag};

use super::traits::Traits;
use super::{Builder, Next};

impl Builder<'_> {
    /// Whether the rules for foreign content apply to a start tag of this name.
    #[inline(always)]
    pub(super) fn is_foreign_for_tag(&self, name: Name) -> bool {
        match self.adjusted_current() {
            Some(node) if node.traits.has(Traits::FOREIGN) => {
                let html = (node.traits.has(Traits::TEXT_POINT)
                    && !matches!(name, Name::MGLYPH | Name::MALIGNMARK))
                    || node.traits.has(Traits::HTML_POINT)
                    || (node.name == Name::ANNOTATION_XML
                        && node.namespace == Namespace::MathMl
                        && name == Name::SVG);
                !html
            }
            _ => false,
        }
    }

    /// Whether the rules for foreign content apply to text.
    #[inline(always)]
    pub(super) fn is_foreign_for_text(&self) -> bool {
        self.adjusted_current().is_some_and(|node| {
            let traits = node.traits;
            traits.has(Traits::FOREIGN) && !traits.has(Traits::TEXT_POINT) && !traits.has(Traits::HTML_POINT)
        })
    }

    pub(super) fn foreign_text(&mut self, mut piece: Piece) {
        if self.frameset_ok {
            // NUL becomes U+FFFD, but does not count as text.
            for part in self.without_nul(piece) {
                self.notice_ink(part);
            }
        }
        piece.reading = piece.reading.and(Reading::REPLACE_NUL);
        self.insert_text(piece);
    }

    /// Inserts an element of `namespace`, by the name that its tag has.
    pub(super) fn start_foreign(&mut self, namespace: Namespace, tag: Tag) {
        let name = if namespace == Namespace::Svg { tag.name.svg_element() } else { tag.name };
        let html_inside = namespace == Namespace::MathMl
            && name == Name::ANNOTATION_XML
            && self.tag_attribute(tag, Name::ENCODING).is_some_and(|encoding| {
                ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
            });
        self.adjust_attributes(namespace, tag);
        self.insert_foreign(namespace, name, html_inside, tag);
    }

    /// Adjusts case and namespaces of the attributes of a foreign element.
    fn adjust_attributes(&mut self, namespace: Namespace, tag: Tag) {
        let from = (tag.attributes as usize).min(self.tokenizer.attributes.len());
        for attribute in &mut self.tokenizer.attributes[from..] {
            let name = attribute.name();
            let (name, space) = match name {
                Name::XLINK_ACTUATE => (Name::ACTUATE, AttributeNamespace::XLink),
                Name::XLINK_ARCROLE => (Name::ARCROLE, AttributeNamespace::XLink),
                Name::XLINK_HREF => (Name::HREF, AttributeNamespace::XLink),
                Name::XLINK_ROLE => (Name::ROLE, AttributeNamespace::XLink),
                Name::XLINK_SHOW => (Name::SHOW, AttributeNamespace::XLink),
                Name::XLINK_TITLE => (Name::TITLE, AttributeNamespace::XLink),
                Name::XLINK_TYPE => (Name::TYPE, AttributeNamespace::XLink),
                Name::XML_LANG => (Name::LANG, AttributeNamespace::Xml),
                Name::XML_SPACE => (Name::SPACE, AttributeNamespace::Xml),
                Name::XMLNS => (Name::XMLNS, AttributeNamespace::Xmlns),
                Name::XMLNS_XLINK => (Name::XLINK, AttributeNamespace::Xmlns),
                Name::LOW_DEFINITIONURL if namespace == Namespace::MathMl => {
                    (Name::MATH_DEFINITIONURL, AttributeNamespace::None)
                }
                _ if namespace == Namespace::Svg => (name.svg_attribute(), AttributeNamespace::None),
                _ => (name, AttributeNamespace::None),
            };
            attribute.rename(name, space);
        }
    }

    pub(super) fn foreign_start(&mut self, tag: Tag) -> Next {
        if self.ends_foreign_content(tag) {
            self.leave_foreign_content();
            return self.start_by_mode(tag);
        }
        let namespace = self.adjusted_current().map_or(Namespace::Html, |node| node.namespace);
        self.start_foreign(namespace, tag);
        Next::Done
    }

    /// Whether an HTML element breaks out of SVG and MathML.
    fn ends_foreign_content(&self, tag: Tag) -> bool {
        match tag.name {
            Name::FONT => [Name::COLOR, Name::FACE, Name::SIZE]
                .into_iter()
                .any(|name| self.tag_attribute(tag, name).is_some()),
            Name::B
            | Name::BIG
            | Name::BLOCKQUOTE
            | Name::BODY
            | Name::BR
            | Name::CENTER
            | Name::CODE
            | Name::DD
            | Name::DIV
            | Name::DL
            | Name::DT
            | Name::EM
            | Name::EMBED
            | Name::H1
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
            | Name::HEAD
            | Name::HR
            | Name::I
            | Name::IMG
            | Name::LI
            | Name::LISTING
            | Name::MENU
            | Name::META
            | Name::NOBR
            | Name::OL
            | Name::P
            | Name::PRE
            | Name::RUBY
            | Name::S
            | Name::SMALL
            | Name::SPAN
            | Name::STRONG
            | Name::STRIKE
            | Name::SUB
            | Name::SUP
            | Name::TABLE
            | Name::TT
            | Name::U
            | Name::UL
            | Name::VAR => true,
            _ => false,
        }
    }

    fn leave_foreign_content(&mut self) {
        while let Some(top) = self.open.top()
            && top.traits.has(Traits::FOREIGN)
            && !top.traits.has(Traits::TEXT_POINT)
            && !top.traits.has(Traits::HTML_POINT)
        {
            self.pop();
        }
    }

    pub(super) fn foreign_end(&mut self, tag: Tag) -> Next {
        if matches!(tag.name, Name::BR | Name::P) {
            self.leave_foreign_content();
            return self.end_by_mode(tag);
        }
        if self.open.len() == 1 {
            // Only the root of a fragment is open.
            return Next::Done;
        }
        if let Some(place) = self.open.find_foreign(tag.name) {
            self.pop_to(place);
            return Next::Done;
        }
        self.end_by_mode(tag)
    }

    /// The content model of an HTML element.
    pub(super) fn content_model_of(&self, name: Name) -> ContentModel {
        match name {
            Name::TITLE | Name::TEXTAREA => ContentModel::Rcdata,
            Name::STYLE | Name::XMP | Name::IFRAME | Name::NOEMBED | Name::NOFRAMES => ContentModel::RawText,
            Name::NOSCRIPT if self.scripting => ContentModel::RawText,
            Name::SCRIPT => ContentModel::Script,
            Name::PLAINTEXT => ContentModel::PlainText,
            _ => ContentModel::Data,
        }
    }
}
