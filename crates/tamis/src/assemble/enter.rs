//! What each element means for the document when it is entered.

use tamis_html::{Name, Namespace, NodeRef};

use super::Assembler;
use super::code::{Code, is_preformatted};
use super::figure::{Figure, is_caption};
use super::formula::Swallowed;
use super::frame::{Frame, Lines, Role};
use super::line::{Says, Wrap};
use super::list::List;
use super::table::{self, Table};
use crate::document::{Kind, MAX_INLINE_NESTING, Piece, Style};

/// Is it a link as blocks count them?
pub(super) fn is_link(node: NodeRef<'_>) -> bool {
    node.is(Name::A) && node.attribute_named(Name::HREF).is_some()
}

impl Assembler<'_> {
    pub(super) fn enter(&mut self, node: NodeRef<'_>) {
        if self.swallow_formula(node) || node.namespace() != Namespace::Html {
            return;
        }
        if is_link(node) {
            self.links += 1;
            if let Some(line) = &mut self.line {
                line.entered_link();
            }
        }
        match node.name_id() {
            Some(Name::IMG) => self.image(node),
            Some(Name::BR) => self.code_break(),
            Some(Name::TR) => {
                if let Some(Frame { role: Role::Table(table), .. }) = self.frames.last_mut() {
                    table.begin_row();
                }
            }
            _ => {}
        }
        if !self.frames.last().is_some_and(|frame| frame.role.is_text())
            && let Some(role) = self.role(node)
        {
            self.open_frame(node, role);
        }
        if !self.in_code() {
            self.enter_note(node);
            self.enter_inline(node);
        }
    }

    /// The frame that an element opens, if any.
    fn role(&self, node: NodeRef<'_>) -> Option<Role> {
        let around = self.frames.last().map(|frame| &frame.role)?;
        let name = node.name_id()?;
        let role = match name {
            Name::UL | Name::OL | Name::MENU | Name::DIR if self.may_nest() => Role::List(List::of(node)),
            Name::LI if matches!(around, Role::List(_)) => Role::Item,
            Name::DL if self.may_nest() => Role::Definitions(Vec::new()),
            Name::DT | Name::DD if matches!(around, Role::Definitions(_)) => {
                Role::Definition { term: name == Name::DT }
            }
            Name::TABLE if self.may_nest() => Role::Table(Table::of(node)),
            Name::TD | Name::TH if matches!(around, Role::Table(_)) => table::cell(node),
            Name::CAPTION if matches!(around, Role::Table(table) if table.has_no_rows()) => {
                Role::Caption(Lines::default())
            }
            Name::BLOCKQUOTE if self.may_nest() => Role::Quote,
            Name::H1 => Role::Heading { level: 1, lines: Lines::default() },
            Name::H2 => Role::Heading { level: 2, lines: Lines::default() },
            Name::H3 => Role::Heading { level: 3, lines: Lines::default() },
            Name::H4 => Role::Heading { level: 4, lines: Lines::default() },
            Name::H5 => Role::Heading { level: 5, lines: Lines::default() },
            Name::H6 => Role::Heading { level: 6, lines: Lines::default() },
            Name::FIGURE => Role::Figure(Figure::default()),
            Name::FIGCAPTION if matches!(around, Role::Figure(_)) => Role::Caption(Lines::default()),
            _ if is_preformatted(node) => Role::Code(Code::of(node)),
            Name::P | Name::DIV if self.follows_picture() && is_caption(node) => {
                Role::Caption(Lines::default())
            }
            _ => return None,
        };
        Some(role)
    }

    /// Is a picture without a caption the last piece?
    fn follows_picture(&self) -> bool {
        let last = self.frames.last().and_then(|frame| frame.content.last());
        self.line.is_none()
            && matches!(last, Some(Piece { kind: Kind::Image(image), .. }) if image.caption.is_empty())
    }

    fn enter_note(&mut self, node: NodeRef<'_>) {
        let is_text = self.frames.last().is_some_and(|frame| frame.role.is_text());
        if let Some(key) = self.footnotes.key_of_note(node.id())
            && self.may_nest()
            && !is_text
        {
            let key = key.to_owned();
            self.open_frame(node, Role::Footnote { key });
        }
    }

    fn enter_inline(&mut self, node: NodeRef<'_>) {
        let Some(name) = node.name_id() else { return };
        let says = match name {
            Name::EM | Name::I | Name::CITE | Name::DFN | Name::VAR => Says::Style(Style::Emphasis),
            Name::STRONG | Name::B => Says::Style(Style::Strong),
            Name::S | Name::STRIKE | Name::DEL => Says::Style(Style::Strike),
            Name::U | Name::INS => Says::Style(Style::Underline),
            Name::MARK => Says::Style(Style::Mark),
            Name::SUB => Says::Style(Style::Subscript),
            Name::SUP => Says::Style(Style::Superscript),
            Name::Q => Says::Style(Style::Quotation),
            Name::CODE | Name::KBD | Name::SAMP | Name::TT => {
                self.code.get_or_insert(node.id());
                return;
            }
            Name::A if self.leads_back(node) => {
                self.swallowed = Some(Swallowed::nothing(node));
                return;
            }
            Name::A if self.footnotes.key_of_call(node.id()).is_some() => Says::FootnoteRef,
            Name::A if self.address.leads(node) => Says::Link,
            _ => return,
        };
        let is_target = |says: Says| matches!(says, Says::Link | Says::FootnoteRef);
        let repeats =
            self.wraps.iter().any(|wrap| wrap.says == says || (is_target(wrap.says) && is_target(says)));
        if !repeats && self.wraps.len() < MAX_INLINE_NESTING {
            self.wraps.push(Wrap { node: node.id(), says });
        }
    }

    /// Is it the arrow that leads from a footnote back to its call?
    fn leads_back(&self, link: NodeRef<'_>) -> bool {
        self.frames.iter().any(|frame| matches!(frame.role, Role::Footnote { .. }))
            && link.attribute_named(Name::HREF).is_some_and(|href| href.trim().starts_with('#'))
            && !link.text_content().contains(char::is_alphanumeric)
    }
}
