//! Preformatted text: white space as it stands, and the language where the page names it.

use tamis_html::{Name, NodeId, NodeRef, Span};

use super::frame::{Frame, Role};
use super::{Assembler, gutter, join};
use crate::characters::{Class, class};
use crate::document::Kind;

#[derive(Default)]
pub(super) struct Code {
    language: Option<String>,
    text: String,
    blocks: Vec<u32>,
    span: Option<Span>,
    /// The texts in it that number its lines, sorted.
    numbers: Vec<NodeId>,
    /// Is it all numbers, beside code in another cell?
    is_gutter: bool,
    /// The last words were kept, so white space behind them is, too.
    kept_last: bool,
}

impl Code {
    pub(super) fn of(node: NodeRef<'_>) -> Code {
        Code {
            language: language(node),
            numbers: gutter::numbers(node),
            is_gutter: gutter::is_column_of_numbers(node),
            ..Code::default()
        }
    }
}

/// Is its white space shown as it stands?
pub(super) fn is_preformatted(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::PRE | Name::LISTING | Name::XMP | Name::PLAINTEXT))
}

/// The language that a `pre`, the `code` in it or the elements closest around it name.
fn language(pre: NodeRef<'_>) -> Option<String> {
    let code = pre.children().find(|child| child.is(Name::CODE));
    std::iter::once(pre).chain(code).chain(pre.ancestors().take(2)).find_map(named_language)
}

fn named_language(node: NodeRef<'_>) -> Option<String> {
    // `brush: js;` is a name of two words.
    let class = node.attribute_named(Name::CLASS).unwrap_or_default().replace("brush: ", "brush:");
    let named = class.split_ascii_whitespace().find_map(|class| {
        let prefixes = ["language-", "lang-", "highlight-source-", "brush:"];
        prefixes.iter().find_map(|prefix| usable(class.strip_prefix(prefix)?))
    });
    // `lang` itself is the language of people.
    named.or_else(|| ["data-lang", "data-language"].iter().find_map(|name| usable(&node.attribute(name)?)))
}

/// A name that every format can carry. Highlighters write `none` and `plaintext` where they know no language.
fn usable(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches(';');
    let is_name = !name.is_empty()
        && name.len() <= 32
        && name.chars().all(|character| character.is_ascii_alphanumeric() || "+-#._".contains(character))
        && !matches!(name, "none" | "plaintext" | "nohighlight");
    is_name.then(|| name.to_ascii_lowercase())
}

impl Assembler<'_> {
    pub(super) fn in_code(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { role: Role::Code(_), .. }))
    }

    fn open_code(&mut self) -> Option<(NodeId, &mut Code)> {
        match self.frames.last_mut() {
            Some(Frame { node, role: Role::Code(code), .. }) => Some((*node, code)),
            _ => None,
        }
    }

    /// A text that no kept block has. White space is kept beside words that are.
    pub(super) fn code_space(&mut self, text: NodeRef<'_>) {
        let space = text.text();
        let is_space = space.chars().all(|character| class(character) == Class::Space);
        let next = self.places.neighbours(text.span()).1.filter(|next| self.judgement.keeps(*next));
        let next = next.and_then(|next| self.page.blocks().get(next)).map(|block| block.element);
        let Some((node, code)) = self.open_code() else { return };
        if !is_space {
            code.kept_last = false;
        } else if code.kept_last || next == Some(node) {
            push_lines(&mut code.text, &space);
        }
    }

    /// Is a text the number of a line of the open code?
    pub(super) fn is_line_number(&self, text: NodeId) -> bool {
        matches!(self.frames.last(), Some(Frame { role: Role::Code(code), .. }) if code.numbers.binary_search(&text).is_ok())
    }

    pub(super) fn code_text(&mut self, text: &str, block: usize, span: Option<Span>) {
        let Some((_, code)) = self.open_code() else { return };
        code.kept_last = true;
        if code.blocks.last() != Some(&(block as u32)) {
            // Blocks are lines, whatever parts them.
            if !code.blocks.is_empty() && !code.text.ends_with('\n') {
                code.text.push('\n');
            }
            code.blocks.push(block as u32);
        }
        push_lines(&mut code.text, text);
        code.span = code.span.map_or(span, |own| span.map(|span| join(own, span)));
    }

    pub(super) fn code_break(&mut self) {
        if let Some((_, code)) = self.open_code()
            && code.kept_last
        {
            code.text.push('\n');
        }
    }

    pub(super) fn close_code(&mut self, node: NodeId, mut code: Code) {
        if code.blocks.is_empty() || code.is_gutter {
            return;
        }
        if code.text.ends_with('\n') {
            code.text.pop();
        }
        let span = code.span.unwrap_or_else(|| self.span_of(node, &[]));
        self.push(Kind::Code { language: code.language, text: code.text }, node, span, code.blocks);
    }
}

/// Adds a text with all its white space; line ends that references made are line ends like others.
fn push_lines(to: &mut String, text: &str) {
    if text.contains('\r') {
        to.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
    } else {
        to.push_str(text);
    }
}
