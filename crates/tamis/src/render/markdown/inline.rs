//! Inline content as Markdown.
//!
//! A sign such as `**` opens only before a word and closes only behind one; beside punctuation it depends on what
//! stands on the other side. So each sign is written with an eye on the characters around it.

use super::super::Options;
use super::escape;
use crate::assemble::is_safe;
use crate::document::{Formula, Image, Inline, Style};

/// A paragraph; its line breaks are hard ones.
pub(super) fn paragraph(content: &[Inline], options: &Options) -> String {
    Writer::write(content, "\\\n", true, options)
}

/// The words in one line, for headings.
pub(super) fn single_line(content: &[Inline], options: &Options) -> String {
    Writer::write(content, " ", false, options)
}

/// The words in one line of a table.
pub(super) fn cell(content: &[Inline], options: &Options) -> String {
    Writer::write(content, "<br>", false, options)
}

/// A term in bold type, where it has no style of its own.
pub(super) fn bold(content: &[Inline], options: &Options) -> String {
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
    escape::words(&image.alt, false, false, &mut markdown);
    markdown.push(']');
    escape::destination(&image.src, &mut markdown);
    markdown
}

pub(super) fn formula(formula: &Formula) -> String {
    match &formula.tex {
        Some(tex) => {
            let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
            if formula.display { format!("$${tex}$$") } else { format!("${tex}$") }
        }
        None => {
            let mut markdown = String::new();
            escape::words(&formula.text, true, false, &mut markdown);
            markdown
        }
    }
}

struct Writer<'o> {
    markdown: String,
    line_break: &'static str,
    /// Lines begin blocks, so signs at their start matter.
    begins_blocks: bool,
    options: &'o Options,
}

impl Writer<'_> {
    fn write(content: &[Inline], line_break: &'static str, begins_blocks: bool, options: &Options) -> String {
        let mut writer = Writer { markdown: String::new(), line_break, begins_blocks, options };
        writer.inlines(content, None);
        writer.markdown
    }

    /// Writes inline content; `after` is the character that comes behind all of it.
    fn inlines(&mut self, content: &[Inline], after: Option<char>) {
        for (place, inline) in content.iter().enumerate() {
            let next = content[place + 1..].iter().find_map(|next| self.first_character(next)).or(after);
            self.inline(inline, next);
        }
    }

    fn inline(&mut self, inline: &Inline, next: Option<char>) {
        match inline {
            Inline::Text { text } => {
                escape::words(text, self.is_at_start(), next == Some('['), &mut self.markdown);
            }
            Inline::Code { text } => {
                if self.markdown.ends_with('`') {
                    // Two runs of backticks that touch would be one.
                    self.element("code", |to| escape::words(text, false, false, &mut to.markdown));
                } else {
                    escape::code(text, &mut self.markdown);
                }
            }
            Inline::Styled { style, content } if self.options.formatting => {
                self.styled(*style, content, next);
            }
            Inline::Link { href, content } if self.options.links && is_safe(href) => {
                self.markdown.push('[');
                self.inlines(content, Some(']'));
                self.markdown.push(']');
                escape::destination(href, &mut self.markdown);
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
            Inline::Formula(it) => self.markdown.push_str(&formula(it)),
            Inline::Break => {
                while self.markdown.ends_with(' ') {
                    self.markdown.pop();
                }
                self.markdown.push_str(self.line_break);
            }
        }
    }

    fn is_at_start(&self) -> bool {
        self.begins_blocks && (self.markdown.is_empty() || self.markdown.ends_with('\n'))
    }

    fn styled(&mut self, style: Style, content: &[Inline], next: Option<char>) {
        // Both at once, where one holds nothing but the other.
        if let (Style::Strong, [Inline::Styled { style: Style::Emphasis, content }])
        | (Style::Emphasis, [Inline::Styled { style: Style::Strong, content }]) = (style, content)
            && self.signed("***", content, next)
        {
            return;
        }
        let (sign, name) = match style {
            Style::Emphasis => ("*", "em"),
            Style::Strong => ("**", "strong"),
            Style::Strike => ("~~", "s"),
            Style::Subscript => return self.element("sub", |to| to.inlines(content, Some('<'))),
            Style::Superscript => return self.superscript(content, next),
            // GitHub shows no sign for these.
            Style::Underline | Style::Mark | Style::Quotation => return self.inlines(content, next),
        };
        if !self.signed(sign, content, next) {
            self.element(name, |to| to.inlines(content, Some('<')));
        }
    }

    /// Writes content between signs, or nothing where a parser would not read them as such.
    fn signed(&mut self, sign: &str, content: &[Inline], next: Option<char>) -> bool {
        let character = sign.chars().next();
        let before = self.markdown.chars().last();
        let start = self.markdown.len();
        self.markdown.push_str(sign);
        self.inlines(content, character);
        let inner = &self.markdown[start + sign.len()..];
        let (first, last) = (inner.chars().next(), inner.chars().last());
        // Signs that touch others of their kind are read as one.
        let touches = [before, first, last, next].contains(&character);
        let is_read = !touches && reads(before, first) && reads(next, last);
        if is_read {
            self.markdown.push_str(sign);
        } else {
            self.markdown.truncate(start);
        }
        is_read
    }

    /// A call of a footnote is raised by itself.
    fn superscript(&mut self, content: &[Inline], next: Option<char>) {
        if content.iter().all(|inline| matches!(inline, Inline::FootnoteRef { .. })) {
            self.inlines(content, next);
        } else {
            self.element("sup", |to| to.inlines(content, Some('<')));
        }
    }

    fn element(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        self.markdown.push_str(&format!("<{name}>"));
        content(self);
        self.markdown.push_str(&format!("</{name}>"));
    }

    /// The first character that an inline will be written with; nothing where nothing is written.
    fn first_character(&self, inline: &Inline) -> Option<char> {
        match inline {
            Inline::Text { text } => text.chars().next(),
            Inline::Code { .. } => Some('`'),
            Inline::Styled { style: Style::Emphasis | Style::Strong, .. } if self.options.formatting => {
                Some('*')
            }
            Inline::Styled { style: Style::Strike, .. } if self.options.formatting => Some('~'),
            Inline::Styled { style: Style::Subscript, .. } if self.options.formatting => Some('<'),
            Inline::Link { .. } if self.options.links => Some('['),
            Inline::FootnoteRef { .. } => Some('['),
            Inline::Styled { content, .. } | Inline::Link { content, .. } => {
                content.iter().find_map(|inner| self.first_character(inner))
            }
            Inline::Image(_) => self.options.images.then_some('!'),
            Inline::Formula(_) => Some('$'),
            Inline::Break => Some('\\'),
        }
    }
}

/// Is a sign read as one that stands between `outside` and `inside`? It is if a word is inside; beside punctuation
/// inside only if there is none but punctuation and white space outside.
fn reads(outside: Option<char>, inside: Option<char>) -> bool {
    match inside {
        None => false,
        Some(inside) if inside.is_whitespace() => false,
        Some(inside) if inside.is_alphanumeric() => true,
        Some(_) => outside.is_none_or(|outside| outside.is_whitespace() || is_punctuation(outside)),
    }
}

/// Surely punctuation to every parser. They differ about symbols, and about what Unicode has added since.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character, '，' | '。' | '、' | '：' | '；' | '！' | '？' | '“' | '”')
}
