//! Inline content as Markdown.
//!
//! A sign such as `**` opens only before a word and closes only after one; beside punctuation it depends on the other
//! side. So each sign is written with regard to the characters around it, and replaced by an HTML element where a parser
//! would not read it.

use super::super::RenderOptions;
use super::escape::{self, Position};
use crate::document::{Formula, Image, Inline, Style, is_safe_url};

/// A paragraph, with hard line breaks.
pub(super) fn paragraph(content: &[Inline], options: &RenderOptions) -> String {
    Writer::write(content, "\\\n", true, options)
}

/// The text of a heading.
pub(super) fn single_line(content: &[Inline], options: &RenderOptions) -> String {
    Writer::write(content, " ", false, options)
}

/// The text of a table cell.
pub(super) fn cell(content: &[Inline], options: &RenderOptions) -> String {
    Writer::write(content, "<br>", false, options)
}

/// A term in bold, unless it has markup of its own.
pub(super) fn bold(content: &[Inline], options: &RenderOptions) -> String {
    match content {
        [Inline::Text { .. }] => {
            let bold = Inline::Styled { style: Style::Strong, content: content.to_vec() };
            paragraph(&[bold], options)
        }
        content => paragraph(content, options),
    }
}

pub(super) fn image(image: &Image) -> String {
    let mut markdown = String::from("![");
    escape::push_text(&image.alt, Position::Inside, false, &mut markdown);
    markdown.push(']');
    escape::push_destination(&image.src, &mut markdown);
    markdown
}

pub(super) fn formula(formula: &Formula, at_start: bool) -> String {
    let Some(tex) = &formula.tex else {
        let mut markdown = String::new();
        let position = if at_start { Position::Start } else { Position::Inside };
        escape::push_text(&formula.text, position, false, &mut markdown);
        return markdown;
    };
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    if formula.display { format!("$${tex}$$") } else { format!("${tex}$") }
}

struct Writer<'o> {
    markdown: String,
    line_break: &'static str,
    /// Whether signs at the start of lines begin blocks.
    begins_blocks: bool,
    options: &'o RenderOptions,
}

impl Writer<'_> {
    fn write(
        content: &[Inline],
        line_break: &'static str,
        begins_blocks: bool,
        options: &RenderOptions,
    ) -> String {
        let mut writer = Writer { markdown: String::new(), line_break, begins_blocks, options };
        writer.inlines(content, None);
        let text = writer.markdown.trim_end_matches(' ').len();
        writer.markdown.truncate(text);
        writer.markdown
    }

    /// Writes inline content; `after` is the character that follows.
    fn inlines(&mut self, content: &[Inline], after: Option<char>) {
        let mut next_characters = Vec::with_capacity(content.len());
        let mut next = after;
        for inline in content.iter().rev() {
            next_characters.push(next);
            next = self.first_character(inline).or(next);
        }
        for (inline, next) in content.iter().zip(next_characters.into_iter().rev()) {
            self.inline(inline, next);
        }
    }

    fn inline(&mut self, inline: &Inline, next: Option<char>) {
        match inline {
            Inline::Text { text } => {
                escape::push_text(text, self.position(), next == Some('['), &mut self.markdown);
            }
            // Adjacent runs of backticks would be read as one.
            Inline::Code { text } if self.markdown.ends_with('`') => self.element("code", |writer| {
                escape::push_text(text, Position::Inside, false, &mut writer.markdown);
            }),
            Inline::Code { text } => escape::push_code(text, &mut self.markdown),
            Inline::Styled { style, content } if self.options.formatting => {
                self.styled(*style, content, next)
            }
            Inline::Styled { style: Style::RubyText, content } => self.parenthesized(content),
            Inline::Link { href, content } if self.options.links && is_safe_url(href) => {
                self.markdown.push('[');
                self.inlines(content, Some(']'));
                self.markdown.push(']');
                escape::push_destination(href, &mut self.markdown);
            }
            Inline::FootnoteRef { label, .. } => {
                self.markdown.push_str(&format!("[^{}]", escape::label(label)));
            }
            Inline::Styled { content, .. } | Inline::Link { content, .. } => self.inlines(content, next),
            Inline::Image(picture) => {
                if self.options.images {
                    self.markdown.push_str(&image(picture));
                }
            }
            Inline::Formula(it) => {
                let formula = formula(it, self.position() == Position::Start);
                self.markdown.push_str(&formula);
            }
            Inline::Break => {
                let text = self.markdown.trim_end_matches(' ').len();
                self.markdown.truncate(text);
                // A break at the start of a block would be read as a backslash.
                if !self.markdown.is_empty() {
                    self.markdown.push_str(self.line_break);
                }
            }
        }
    }

    fn position(&self) -> Position {
        if !self.begins_blocks {
            return Position::Inside;
        }
        let digits = self.markdown.bytes().rev().take(10).take_while(u8::is_ascii_digit).count();
        let before = &self.markdown[..self.markdown.len() - digits];
        match digits {
            _ if !(before.is_empty() || before.ends_with('\n')) => Position::Inside,
            0 => Position::Start,
            _ => Position::AfterNumber,
        }
    }

    fn styled(&mut self, style: Style, content: &[Inline], next: Option<char>) {
        // Both at once, where one holds only the other.
        if let (Style::Strong, [Inline::Styled { style: Style::Emphasis, content }])
        | (Style::Emphasis, [Inline::Styled { style: Style::Strong, content }]) = (style, content)
        {
            return self.signed("***", ["<strong><em>", "</em></strong>"], content, next);
        }
        match style {
            Style::Emphasis => self.signed("*", ["<em>", "</em>"], content, next),
            Style::Strong => self.signed("**", ["<strong>", "</strong>"], content, next),
            Style::Strike => self.signed("~~", ["<s>", "</s>"], content, next),
            Style::Subscript => self.element("sub", |writer| writer.inlines(content, Some('<'))),
            // A footnote reference is raised by itself.
            Style::Superscript if content.iter().all(|it| matches!(it, Inline::FootnoteRef { .. })) => {
                self.inlines(content, next);
            }
            Style::Superscript => self.element("sup", |writer| writer.inlines(content, Some('<'))),
            Style::Quotation => {
                self.markdown.push('"');
                self.inlines(content, Some('"'));
                self.markdown.push('"');
            }
            Style::RubyText => self.parenthesized(content),
            // Markdown has no sign for these.
            Style::Underline | Style::Mark | Style::Ruby => self.inlines(content, next),
        }
    }

    fn parenthesized(&mut self, content: &[Inline]) {
        self.markdown.push('(');
        self.inlines(content, Some(')'));
        self.markdown.push(')');
    }

    /// Writes content between signs, or in an element where a parser would not read the signs.
    fn signed(&mut self, sign: &str, element: [&str; 2], content: &[Inline], next: Option<char>) {
        let character = sign.chars().next();
        let before = self.markdown.chars().next_back();
        let start = self.markdown.len();
        self.markdown.push_str(sign);
        self.inlines(content, character);
        let inner = &self.markdown[start + sign.len()..];
        let (first, last) = (inner.chars().next(), inner.chars().next_back());
        if first.is_none() {
            self.markdown.truncate(start);
            return;
        }
        // Signs that touch others of their kind are read as one.
        let touches = [before, first, last, next].contains(&character);
        if !touches && is_delimiter(before, first) && is_delimiter(next, last) {
            self.markdown.push_str(sign);
        } else {
            self.markdown.replace_range(start..start + sign.len(), element[0]);
            self.markdown.push_str(element[1]);
        }
    }

    fn element(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        self.markdown.push_str(&format!("<{name}>"));
        content(self);
        self.markdown.push_str(&format!("</{name}>"));
    }

    /// The first character that will be written for an inline, if any.
    fn first_character(&self, inline: &Inline) -> Option<char> {
        match inline {
            Inline::Text { text } => text.chars().next(),
            Inline::Code { .. } => Some('`'),
            Inline::Styled { style, .. } if self.options.formatting && sign(*style).is_some() => sign(*style),
            Inline::Styled { style: Style::RubyText, .. } => Some('('),
            Inline::Link { .. } if self.options.links => Some('['),
            Inline::FootnoteRef { .. } => Some('['),
            Inline::Styled { content, .. } | Inline::Link { content, .. } => {
                content.iter().find_map(|inner| self.first_character(inner))
            }
            Inline::Image(_) => self.options.images.then_some('!'),
            Inline::Formula(formula) if formula.tex.is_none() => formula.text.chars().next(),
            Inline::Formula(_) => Some('$'),
            Inline::Break => Some('\\'),
        }
    }
}

fn sign(style: Style) -> Option<char> {
    match style {
        Style::Emphasis | Style::Strong => Some('*'),
        Style::Strike => Some('~'),
        Style::Subscript => Some('<'),
        Style::Quotation => Some('"'),
        _ => None,
    }
}

/// Whether a parser reads a sign between these characters: before a word, or before punctuation if only punctuation and
/// whitespace is outside.
fn is_delimiter(outside: Option<char>, inside: Option<char>) -> bool {
    match inside {
        None => false,
        Some(inside) if inside.is_whitespace() => false,
        Some(inside) if inside.is_alphanumeric() => true,
        Some(_) => outside.is_none_or(|outside| outside.is_whitespace() || is_punctuation(outside)),
    }
}

/// Punctuation to every parser; they differ about symbols and about recent additions to Unicode.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character, '，' | '。' | '、' | '：' | '；' | '！' | '？' | '“' | '”')
}
