//! What each HTML element means for the document.

use tamis_html::{Name, NodeRef};

use super::Composer;
use super::code::Code;
use super::formula::Swallowed;
use super::frame::{Lines, List, Role, Table};
use super::line::{Wrap, WrapKind};
use crate::document::layout;
use crate::document::preformatted::is_preformatted;
use crate::document::{MAX_INLINE_NESTING, Style};

/// Bounds of HTML.
const MAX_COLSPAN: u16 = 1000;
const MAX_ROWSPAN: u16 = 65_534;

impl Composer<'_> {
    /// Enters an HTML element that may hold kept text. Returns whether to descend.
    pub(super) fn enter_html(&mut self, node: NodeRef<'_>, name: Name, row: Option<u32>) -> bool {
        match name {
            Name::IMG | Name::AMP_IMG => {
                self.image(node);
                return false;
            }
            Name::BR => self.code_line_break(),
            Name::INPUT => self.checkbox(node),
            _ => {}
        }
        if !self.is_in_text() {
            if let Some(role) = self.role(node, name, row) {
                self.open_frame(node, role);
            }
            if let Some(label) = self.footnotes.label_of_note(node.id())
                && !self.frames.iter().any(|frame| matches!(frame.role, Role::Footnote { .. }))
            {
                let label = label.to_owned();
                self.open_frame(node, Role::Footnote { label });
            }
        }
        if !self.in_code() {
            self.enter_inline(node, name);
        }
        true
    }

    /// The frame that an element opens.
    fn role(&mut self, node: NodeRef<'_>, name: Name, row: Option<u32>) -> Option<Role> {
        let (page, row) = (self.page, row?);
        let may_nest = self.may_nest() && !self.holds_post(row);
        let quote = match name {
            // A figure of a quotation holds who said it as well.
            Name::FIGURE => quote_in(node),
            Name::BLOCKQUOTE => Some(node).filter(|_| !self.is_layout_quote(row)),
            _ => None,
        };
        let cite = quote.and_then(|quote| quote.attribute_named(Name::CITE));
        let around = &mut self.frames.last_mut()?.role;
        let role = match (name, around) {
            (Name::TR, Role::Table(table)) => {
                table.begin_row();
                return None;
            }
            (Name::LI, Role::List(_)) => Role::Item { checked: None },
            (Name::DT | Name::DD, Role::Definitions(_)) => Role::Definition { term: name == Name::DT },
            (Name::TD | Name::TH, Role::Table(_)) => cell(node),
            (Name::CAPTION, Role::Table(table)) if table.is_empty() => Role::Caption(Lines::default()),
            (Name::UL | Name::OL | Name::MENU | Name::DIR, _) => {
                // One without text holds pictures.
                if !may_nest || !self.sums.holds(page, row) || layout::is_layout_list(page, row, &self.sums) {
                    return None;
                }
                Role::List(List::new(node))
            }
            (Name::DL, _) if may_nest && !layout::is_layout_definitions(page, row, &self.sums) => {
                Role::Definitions(Vec::new())
            }
            (Name::TABLE, _) if may_nest && layout::is_data_table(page, row, &self.sums) => {
                Role::Table(Table::default())
            }
            (Name::BLOCKQUOTE, Role::Quote { .. }) if node.parent().and_then(quote_in).is_some() => {
                return None;
            }
            (Name::FIGURE | Name::BLOCKQUOTE, _) if may_nest && quote.is_some() => {
                Role::Quote { cite: cite.and_then(|url| self.urls.resolve(&url)) }
            }
            (name, _) if is_preformatted(name) => Role::Code(Code::new(node)),
            _ => Role::Heading { level: node.heading_level()?, lines: Lines::default() },
        };
        Some(role)
    }

    /// Whether a quotation only indents: it is most of the text, or all quotations together are nearly all of it.
    fn is_layout_quote(&self, row: u32) -> bool {
        (self.quotes_are_layout && layout::is_outermost_quote(self.page, row))
            || layout::is_layout_quote(self.page, row, &self.sums)
    }

    fn enter_inline(&mut self, node: NodeRef<'_>, name: Name) {
        let kind = match name {
            Name::EM | Name::I | Name::CITE | Name::DFN | Name::VAR => WrapKind::Style(Style::Emphasis),
            Name::STRONG | Name::B => WrapKind::Style(Style::Strong),
            Name::S | Name::STRIKE | Name::DEL => WrapKind::Style(Style::Strike),
            Name::U | Name::INS => WrapKind::Style(Style::Underline),
            Name::MARK => WrapKind::Style(Style::Mark),
            Name::SUB => WrapKind::Style(Style::Subscript),
            Name::SUP => WrapKind::Style(Style::Superscript),
            Name::Q => WrapKind::Style(Style::Quotation),
            Name::RUBY => WrapKind::Style(Style::Ruby),
            Name::RT => WrapKind::Style(Style::RubyText),
            Name::CODE | Name::KBD | Name::SAMP | Name::TT => {
                self.code.get_or_insert(node.id());
                return;
            }
            Name::A if self.is_back_link(node) => {
                self.swallowed = Some(Swallowed::discard(node));
                return;
            }
            Name::A if self.footnotes.label_of_call(node.id()).is_some() => WrapKind::FootnoteRef(node.id()),
            // Within the document, the call of a note that is not kept leads nowhere.
            Name::A if self.footnotes.is_dangling(node.id()) && !self.urls.has_base() => return,
            Name::A if super::is_link(node) => WrapKind::Link(node.id()),
            _ => return,
        };
        let is_repeated = if kind.is_target() {
            self.wraps.iter().any(|wrap| wrap.kind.is_target())
        } else {
            self.has_open(kind)
        };
        let is_misplaced = kind == WrapKind::Style(Style::RubyText)
            && !self.wraps.last().is_some_and(|wrap| wrap.kind == WrapKind::Style(Style::Ruby));
        if !is_repeated && !is_misplaced && self.wraps.len() < MAX_INLINE_NESTING {
            self.wraps.push(Wrap { node: node.id(), kind });
        }
    }

    pub(super) fn has_open(&self, kind: WrapKind) -> bool {
        self.wraps.iter().any(|wrap| wrap.kind == kind)
    }

    /// Whether a link is the arrow from a footnote back to its reference.
    fn is_back_link(&self, link: NodeRef<'_>) -> bool {
        self.frames.iter().any(|frame| matches!(frame.role, Role::Footnote { .. }))
            && link.attribute_named(Name::HREF).is_some_and(|href| href.trim().starts_with('#'))
            && !link.descendants().take(32).any(|node| node.text().contains(char::is_alphanumeric))
    }

    /// The checkbox of a task.
    fn checkbox(&mut self, input: NodeRef<'_>) {
        let kind = input.attribute_named(Name::TYPE).unwrap_or_default();
        if let Some(frame) = self.frames.last_mut()
            && let Role::Item { checked } = &mut frame.role
            && frame.content.is_empty()
            && self.line.is_none()
            && kind.eq_ignore_ascii_case("checkbox")
        {
            *checked = Some(input.attribute_named(Name::CHECKED).is_some());
        }
    }
}

/// The quotation of a figure, if it has a caption to go with it.
fn quote_in(figure: NodeRef<'_>) -> Option<NodeRef<'_>> {
    if !figure.is(Name::FIGURE) {
        return None;
    }
    let mut children = figure.children().take(16);
    let quote = children.clone().find(|child| child.is(Name::BLOCKQUOTE));
    quote.filter(|_| children.any(|child| child.is(Name::FIGCAPTION)))
}

fn cell(node: NodeRef<'_>) -> Role {
    let number = |name| {
        let value = node.attribute_named(name)?;
        let digits = value.trim().split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u64>().ok()
    };
    let bounded = |number: u64, max: u16| u16::try_from(number).unwrap_or(max).min(max);
    Role::Cell {
        header: node.is(Name::TH),
        colspan: number(Name::COLSPAN).map_or(1, |number| bounded(number, MAX_COLSPAN).max(1)),
        rowspan: number(Name::ROWSPAN).map_or(1, |number| bounded(number, MAX_ROWSPAN)),
    }
}
