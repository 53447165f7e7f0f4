//! Markdown in GitHub's flavour.
//!
//! Written so that a CommonMark parser reads back what the document has: text is escaped where a parser could take it
//! for a sign, and signs are written only where a parser takes them for one. Elsewhere (`**bold,**word`) the HTML
//! element is written, which Markdown allows.

mod escape;
mod front_matter;
mod inline;
mod table;

use super::{RenderOptions, post_starts};
use crate::document::{Comment, Definition, Document, Inline, Kind, ListItem, Piece};

const RULE: &str = "* * *";

pub(super) fn render(document: &Document, options: &RenderOptions) -> String {
    let mut parts = Vec::new();
    if options.metadata {
        parts.push(front_matter::render(document));
    }
    if let Some(title) = options.headline_of(document) {
        parts.push(heading(
            1,
            &[Inline::text(title.split_whitespace().collect::<Vec<_>>().join(" "))],
            options,
        ));
    }
    let starts = post_starts(document);
    let mut from = 0;
    for end in (1..=document.content.len()).filter(|end| starts.get(*end).is_none_or(Option::is_some)) {
        let part = pieces(without_outer_rules(&document.content[from..end], from == 0), options);
        if from > 0 && !part.is_empty() {
            parts.push(RULE.to_owned());
        }
        parts.push(part);
        from = end;
    }
    if options.comments && !document.comments.is_empty() {
        parts.push(RULE.to_owned());
        parts.extend(document.comments.iter().map(|comment| quoted_comment(comment, options)));
    }
    parts.retain(|part| !part.is_empty());
    let mut markdown = parts.join("\n\n");
    if !markdown.is_empty() {
        markdown.push('\n');
    }
    markdown
}

/// A post without rules at its ends: a rule is written between posts anyway.
fn without_outer_rules(post: &[Piece], is_first: bool) -> &[Piece] {
    let is_text = |piece: &Piece| !matches!(piece.kind, Kind::Rule);
    let from = if is_first { Some(0) } else { post.iter().position(is_text) };
    let end = post.iter().rposition(is_text).map_or(0, |last| last + 1);
    from.and_then(|from| post.get(from..end)).unwrap_or_default()
}

/// A comment as a quotation, with its author and time.
fn quoted_comment(comment: &Comment, options: &RenderOptions) -> String {
    let time = comment.time.as_ref().map(ToString::to_string).or_else(|| comment.time_text.clone());
    let mut line = Vec::new();
    line.extend(comment.author.clone().map(Inline::text));
    line.extend(time.map(|time| Inline::text(if line.is_empty() { time } else { format!(", {time}") })));
    let lines = comment.text.lines().map(|line| vec![Inline::text(line)]);
    let paragraphs: Vec<String> = std::iter::once(line)
        .chain(lines)
        .map(|content| inline::paragraph(&content, options))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    prefixed(&paragraphs.join("\n\n"), "> ", "> ")
}

/// Pieces separated by blank lines.
pub(super) fn pieces(pieces: &[Piece], options: &RenderOptions) -> String {
    let mut markdown = String::new();
    let mut list_before: Option<(bool, bool)> = None;
    for piece in pieces.iter().filter(|piece| options.shows(piece)) {
        // Adjacent lists of one kind need different markers, or they would be read as one.
        let alternate = match (&piece.kind, list_before) {
            (Kind::List { ordered, .. }, Some((before, alternate))) => before == *ordered && !alternate,
            (Kind::Definitions { entries }, Some((false, alternate)))
                if entries.first().is_some_and(|it| !it.term) =>
            {
                !alternate
            }
            _ => false,
        };
        let block = block(piece, alternate, options);
        if block.is_empty() {
            continue;
        }
        list_before = match &piece.kind {
            Kind::List { ordered, .. } => Some((*ordered, alternate)),
            Kind::Definitions { entries } if entries.last().is_some_and(|it| !it.term) => {
                Some((false, alternate))
            }
            _ => None,
        };
        if !markdown.is_empty() {
            markdown.push_str("\n\n");
        }
        markdown.push_str(&block);
    }
    markdown
}

fn block(piece: &Piece, alternate: bool, options: &RenderOptions) -> String {
    match &piece.kind {
        Kind::Heading { level, content } => heading(*level, content, options),
        Kind::Paragraph { content } => inline::paragraph(content, options),
        Kind::List { ordered, start, items } => list(*ordered, *start, items, alternate, options),
        Kind::Definitions { entries } => definitions(entries, alternate, options),
        Kind::Table { caption, rows } => {
            joined(inline::paragraph(caption, options), table::render(rows, options), "\n\n")
        }
        Kind::Code { language, text } => fenced(language.as_deref().unwrap_or(""), text),
        Kind::Quote { content, .. } => prefixed(&pieces(content, options), "> ", "> "),
        Kind::Image(image) => {
            let picture = if options.images { inline::image(image) } else { String::new() };
            joined(picture, inline::paragraph(&image.caption, options), "\n\n")
        }
        Kind::Formula(formula) => inline::formula(formula, true),
        Kind::Footnote { label, content } => {
            prefixed(&pieces(content, options), &format!("[^{}]: ", escape::label(label)), "    ")
        }
        Kind::Rule => RULE.to_owned(),
    }
}

fn joined(first: String, second: String, separator: &str) -> String {
    if first.is_empty() || second.is_empty() { first + &second } else { first + separator + &second }
}

fn heading(level: u8, content: &[Inline], options: &RenderOptions) -> String {
    let mut text = inline::single_line(content, options);
    // Number signs at the end would be read as the closing sequence.
    if text.ends_with('#') {
        text.insert(text.len() - 1, '\\');
    }
    if text.is_empty() { text } else { format!("{} {text}", "#".repeat(usize::from(level.clamp(1, 6)))) }
}

fn list(ordered: bool, start: u32, items: &[ListItem], alternate: bool, options: &RenderOptions) -> String {
    let is_tight = items.iter().all(|item| is_tight(&item.content));
    let mut markdown = String::new();
    let mut number = u64::from(start);
    for item in items {
        let content = item_content(&item.content, options);
        if content.is_empty() {
            continue;
        }
        // Parsers read at most nine digits.
        let marker = match (ordered, alternate) {
            (true, false) => format!("{}. ", number.min(999_999_999)),
            (true, true) => format!("{}) ", number.min(999_999_999)),
            (false, false) => String::from("- "),
            (false, true) => String::from("* "),
        };
        let is_task = matches!(item.content.first(), Some(Piece { kind: Kind::Paragraph { .. }, .. }));
        let task = match item.checked.filter(|_| is_task) {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        if !markdown.is_empty() {
            markdown.push_str(if is_tight { "\n" } else { "\n\n" });
        }
        markdown.push_str(&prefixed(&content, &format!("{marker}{task}"), &" ".repeat(marker.len())));
        number += 1;
    }
    markdown
}

/// Whether an item needs no blank lines: a paragraph, and a list that may follow it directly.
fn is_tight(content: &[Piece]) -> bool {
    let rest = match content {
        [Piece { kind: Kind::Paragraph { .. }, .. }, rest @ ..] => rest,
        rest => rest,
    };
    rest.len() <= 1
        && rest.iter().all(|piece| match &piece.kind {
            Kind::List { ordered, start, items } => {
                (!ordered || *start == 1 || content.len() == 1)
                    && items.iter().all(|item| is_tight(&item.content))
            }
            _ => false,
        })
}

fn item_content(content: &[Piece], options: &RenderOptions) -> String {
    match content {
        [first @ Piece { kind: Kind::Paragraph { .. }, .. }, nested] if is_tight(content) => {
            joined(block(first, false, options), block(nested, false, options), "\n")
        }
        content => pieces(content, options),
    }
}

/// Markdown has no definition lists: terms are bold paragraphs, descriptions items below them.
fn definitions(entries: &[Definition], alternate: bool, options: &RenderOptions) -> String {
    let mut markdown = String::new();
    for entry in entries {
        let content = match entry.content.as_slice() {
            [Piece { kind: Kind::Paragraph { content }, .. }] if entry.term => inline::bold(content, options),
            content => pieces(content, options),
        };
        let marker = if alternate { "* " } else { "- " };
        let content = if entry.term { content } else { prefixed(&content, marker, "  ") };
        markdown = joined(markdown, content, "\n\n");
    }
    markdown
}

/// Code between fences that are longer than any in it.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{}\n{text}\n{fence}", language.replace(['`', ' ', '\n'], ""))
}

/// Puts a prefix before the first line and another before the rest; blank lines stay blank.
fn prefixed(lines: &str, first: &str, rest: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut markdown = String::with_capacity(lines.len() + 16);
    for (index, line) in lines.split('\n').enumerate() {
        if index > 0 {
            markdown.push('\n');
        }
        let prefix = if index == 0 { first } else { rest };
        markdown.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
        markdown.push_str(line);
    }
    markdown
}
