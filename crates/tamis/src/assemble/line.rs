//! A line of text in the making: the words of a block with the links, emphasis and so on that they stand in.
//!
//! White space is folded as the blocks fold it, so that the words of a line are those of its block. A space between
//! differently styled words is put outside of both styles, where every output format can have it.

use tamis_html::{NodeId, Span};

use super::address::Address;
use super::footnotes::Footnotes;
use super::join;
use crate::characters::{Class, class};
use crate::document::{Formula, Image, Inline, Style};
use crate::page::Page;
use crate::visible::PLAIN;

/// An open inline element that says something about its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wrap {
    pub(super) node: NodeId,
    pub(super) says: Says,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Says {
    Style(Style),
    Link,
    FootnoteRef,
}

/// What stands around the current place.
pub(super) struct Around<'a> {
    pub(super) wraps: &'a [Wrap],
    pub(super) code: Option<NodeId>,
    pub(super) page: &'a Page<'a>,
    pub(super) address: &'a Address,
    pub(super) footnotes: &'a Footnotes,
}

/// An inline element that the last words of the line stand in.
struct Inside {
    wrap: Wrap,
    /// Where a link leads; which footnote is called.
    target: String,
    content: Vec<Inline>,
}

impl Inside {
    fn open(wrap: Wrap, around: &Around<'_>) -> Inside {
        let target = match wrap.says {
            Says::Style(_) => String::new(),
            Says::Link => around.address.of_link(around.page.node(wrap.node)).unwrap_or_default(),
            Says::FootnoteRef => around.footnotes.key_of_call(wrap.node).unwrap_or_default().to_owned(),
        };
        Inside { wrap, target, content: Vec::new() }
    }

    fn close(self) -> Inline {
        let (target, content) = (self.target, self.content);
        match self.wrap.says {
            Says::Style(style) => Inline::Styled { style, content },
            Says::Link => Inline::Link { href: target, content },
            Says::FootnoteRef => Inline::FootnoteRef { label: target, content },
        }
    }
}

pub(super) struct Line {
    pub(super) element: NodeId,
    pub(super) span: Span,
    pub(super) blocks: Vec<u32>,
    done: Vec<Inline>,
    inside: Vec<Inside>,
    /// The code element that the last words stand in.
    in_code: Option<NodeId>,
    /// The current block has words in the line.
    started: bool,
    space_due: bool,
    after_link: bool,
    break_due: bool,
}

impl Line {
    pub(super) fn new(element: NodeId, block: usize, span: Span) -> Line {
        Line {
            element,
            span,
            blocks: vec![block as u32],
            done: Vec::new(),
            inside: Vec::new(),
            in_code: None,
            started: false,
            space_due: false,
            after_link: false,
            break_due: false,
        }
    }

    pub(super) fn last_block(&self) -> usize {
        self.blocks.last().map_or(0, |block| *block as usize)
    }

    /// Goes on with the next block, after a line break.
    pub(super) fn next_block(&mut self, block: usize, span: Span) {
        self.blocks.push(block as u32);
        self.span = join(self.span, span);
        (self.started, self.space_due, self.after_link) = (false, false, false);
        self.break_due = true;
    }

    /// White space between words.
    pub(super) fn space(&mut self, text: &str) {
        self.space_due |= text.contains(char::is_whitespace);
    }

    pub(super) fn entered_link(&mut self) {
        // Two links that touch are two words.
        self.space_due |= self.after_link;
    }

    pub(super) fn left_link(&mut self) {
        self.after_link = true;
    }

    pub(super) fn text(&mut self, text: &str, around: &Around<'_>) {
        let Some((words, space_before)) = self.fold(text) else { return };
        let code = around.code;
        let same_code =
            code.is_some() && self.in_code == code && !self.break_due && self.stands_in(around.wraps);
        self.go_into(around, space_before && !same_code);
        match (self.level().last_mut(), code) {
            (Some(Inline::Code { text }), Some(_)) if same_code => {
                if space_before {
                    text.push(' ');
                }
                text.push_str(&words);
            }
            (_, Some(_)) => self.level().push(Inline::Code { text: words }),
            (Some(Inline::Text { text }), None) => text.push_str(&words),
            (_, None) => self.level().push(Inline::Text { text: words }),
        }
        self.in_code = code;
    }

    pub(super) fn formula(&mut self, formula: Formula, around: &Around<'_>) {
        let space = self.space_due && self.started;
        (self.started, self.space_due, self.after_link) = (true, false, false);
        self.go_into(around, space);
        self.level().push(Inline::Formula(formula));
        self.in_code = None;
    }

    pub(super) fn image(&mut self, image: Image, around: &Around<'_>) {
        let space = self.space_due && self.started;
        self.space_due &= !space;
        self.go_into(around, space);
        self.level().push(Inline::Image(image));
        self.in_code = None;
    }

    pub(super) fn finish(mut self) -> Vec<Inline> {
        self.close_down_to(0);
        self.done
    }

    /// The words of a text with their white space folded, and whether a space is due before them.
    fn fold(&mut self, text: &str) -> Option<(String, bool)> {
        let mut words = String::with_capacity(text.len());
        let mut space_before = false;
        // Where the stretch begins that is taken over as it stands.
        let (mut start, mut at) = (0, 0);
        while let Some(byte) = text.as_bytes().get(at) {
            if PLAIN[usize::from(*byte)] {
                at += 1;
                continue;
            }
            // A single space between two words stands as it is: it would be put between them again.
            let next = text.as_bytes().get(at + 1);
            if *byte == b' ' && at > start && next.is_some_and(|next| matches!(next, 0x21..=0x7E)) {
                at += 1;
                continue;
            }
            let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            let next = at + character.len_utf8();
            if class(character) == Class::Space {
                space_before |= self.put(&text[start..at], &mut words);
                if character.is_whitespace() {
                    self.space_due = true;
                } else if self.started && !self.space_due && joins(character) {
                    words.push(character);
                }
                start = next;
            }
            at = next;
        }
        space_before |= self.put(&text[start..], &mut words);
        if words.is_empty() {
            return None;
        }
        self.after_link = false;
        Some((words, space_before))
    }

    /// Adds a stretch without white space to the words; says whether a space is due before all of them.
    fn put(&mut self, stretch: &str, words: &mut String) -> bool {
        if stretch.is_empty() {
            return false;
        }
        let is_due = self.space_due && self.started;
        let is_due_before = is_due && words.is_empty();
        if is_due && !is_due_before {
            words.push(' ');
        }
        (self.space_due, self.started) = (false, true);
        words.push_str(stretch);
        is_due_before
    }

    /// Closes and opens inline elements until the line stands in exactly these; a space or line break that is due
    /// goes where both the words before and those after it can have it.
    fn go_into(&mut self, around: &Around<'_>, space: bool) {
        let common =
            self.inside.iter().zip(around.wraps).take_while(|(one, other)| one.wrap == **other).count();
        self.close_down_to(common);
        if std::mem::take(&mut self.break_due) && !(self.done.is_empty() && self.inside.is_empty()) {
            self.level().push(Inline::Break);
            self.in_code = None;
        }
        if space {
            match self.level().last_mut() {
                Some(Inline::Text { text }) => text.push(' '),
                _ => self.level().push(Inline::text(" ")),
            }
            self.in_code = None;
        }
        for wrap in &around.wraps[common..] {
            self.inside.push(Inside::open(*wrap, around));
            self.in_code = None;
        }
    }

    fn stands_in(&self, wraps: &[Wrap]) -> bool {
        self.inside.iter().map(|inside| inside.wrap).eq(wraps.iter().copied())
    }

    fn level(&mut self) -> &mut Vec<Inline> {
        match self.inside.last_mut() {
            Some(inside) => &mut inside.content,
            None => &mut self.done,
        }
    }

    fn close_down_to(&mut self, count: usize) {
        while self.inside.len() > count
            && let Some(inside) = self.inside.pop()
        {
            self.in_code = None;
            self.level().push(inside.close());
        }
    }
}

/// Does it show nothing and yet belong to the word it stands in? Joiners shape the letters beside them, and
/// direction marks their order. The soft hyphen, the zero-width space and their like only say where a line may break.
fn joins(character: char) -> bool {
    matches!(character as u32, 0x200C..=0x200F | 0x202A..=0x202E | 0x2066..=0x2069 | 0xFE00..=0xFE0F)
}
