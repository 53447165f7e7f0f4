//! Markdown in GitHub's flavour.
//!
//! Written so that a CommonMark parser reads back what the document has: words are escaped where a parser could take
//! them for signs, and signs are written only where a parser takes them for such. Where no sign would be read
//! (`**bold,**word`), the HTML element is written instead, which Markdown allows.

mod escape;
mod inline;
mod table;

use super::Options;
use super::posts::{self, At};
use crate::document::{Definition, Document, Inline, Item, Kind, Piece};

pub(super) fn render(document: &Document, options: &Options) -> String {
    let mut markdown = content(document, options);
    if options.comments && !document.comments.is_empty() {
        if !markdown.is_empty() {
            markdown.push_str("\n\n");
        }
        // A rule parts them from the text; as quotes, one sees where each begins and ends.
        markdown.push_str("* * *");
        for comment in &document.comments {
            let quoted = prefixed(&pieces(&comment.content, options), "> ", "> ");
            if !quoted.is_empty() {
                markdown.push_str("\n\n");
                markdown.push_str(&quoted);
            }
        }
    }
    if !markdown.is_empty() {
        markdown.push('\n');
    }
    markdown
}

/// The text, with a rule between the posts of a thread.
fn content(document: &Document, options: &Options) -> String {
    let posts = posts::of(document);
    let begins = |place: &usize| matches!(posts.get(*place), Some(At::Begins(number, _)) if *number > 0);
    let mut markdown = String::new();
    let mut from = 0;
    for end in (1..document.content.len()).filter(begins).chain([document.content.len()]) {
        let part = pieces(&document.content[from..end], options);
        if !markdown.is_empty() && !part.is_empty() {
            markdown.push_str("\n\n* * *\n\n");
        }
        markdown.push_str(&part);
        from = end;
    }
    markdown
}

/// Pieces with blank lines between them, without a line end behind.
fn pieces(pieces: &[Piece], options: &Options) -> String {
    let mut markdown = String::new();
    let mut list_before: Option<(bool, bool)> = None;
    for piece in pieces.iter().filter(|piece| options.shows(piece)) {
        // Two lists of one kind that follow each other would be read as one.
        let alternate = match (&piece.kind, list_before) {
            (Kind::List { ordered, .. }, Some((before, alternate))) => before == *ordered && !alternate,
            (Kind::Definitions { .. }, Some((false, alternate))) => !alternate,
            _ => false,
        };
        let block = block(piece, alternate, options);
        if block.is_empty() {
            continue;
        }
        list_before = match &piece.kind {
            Kind::List { ordered, .. } => Some((*ordered, alternate)),
            Kind::Definitions { .. } => Some((false, alternate)),
            _ => None,
        };
        if !markdown.is_empty() {
            markdown.push_str("\n\n");
        }
        markdown.push_str(&block);
    }
    markdown
}

fn block(piece: &Piece, alternate: bool, options: &Options) -> String {
    match &piece.kind {
        Kind::Heading { level, content } => heading(*level, content, options),
        Kind::Paragraph { content } => inline::paragraph(content, options),
        Kind::List { ordered, start, items } => list(*ordered, *start, items, alternate, options),
        Kind::Definitions { entries } => definitions(entries, alternate, options),
        Kind::Table { caption, rows } => {
            let caption = inline::paragraph(caption, options);
            let table = table::render(rows, options);
            if caption.is_empty() { table } else { format!("{caption}\n\n{table}") }
        }
        Kind::Code { language, text } => fenced(language.as_deref().unwrap_or(""), text),
        Kind::Quote { content } => prefixed(&pieces(content, options), "> ", "> "),
        Kind::Image(image) => {
            let caption = inline::paragraph(&image.caption, options);
            let image = if options.images { inline::image(image) } else { String::new() };
            let gap = if image.is_empty() || caption.is_empty() { "" } else { "\n\n" };
            format!("{image}{gap}{caption}")
        }
        Kind::Formula(formula) => inline::formula(formula),
        Kind::Footnote { label, content } => {
            prefixed(&pieces(content, options), &format!("[^{}]: ", escape::label(label)), "    ")
        }
    }
}

fn heading(level: u8, content: &[Inline], options: &Options) -> String {
    let mut words = inline::single_line(content, options);
    // A run of number signs at the end would be read as part of the heading's own.
    if words.ends_with('#') {
        words.insert(words.len() - 1, '\\');
    }
    if words.is_empty() { words } else { format!("{} {words}", "#".repeat(usize::from(level.clamp(1, 6)))) }
}

fn list(ordered: bool, start: u32, items: &[Item], alternate: bool, options: &Options) -> String {
    // Nine digits are what a parser takes for a number; of all numbers, it only looks at the first.
    let number = |place: usize| (u64::from(start) + place as u64).min(999_999_999);
    let contents: Vec<String> = items.iter().map(|item| pieces_of_item(&item.content, options)).collect();
    let contents: Vec<&String> = contents.iter().filter(|content| !content.is_empty()).collect();
    let is_tight = items.iter().all(|item| is_tight(&item.content));
    let mut markdown = String::new();
    for (place, content) in contents.iter().enumerate() {
        let marker = match (ordered, alternate) {
            (true, false) => format!("{}. ", number(place)),
            (true, true) => format!("{}) ", number(place)),
            (false, false) => String::from("- "),
            (false, true) => String::from("* "),
        };
        if place > 0 {
            markdown.push_str(if is_tight { "\n" } else { "\n\n" });
        }
        markdown.push_str(&prefixed(content, &marker, &" ".repeat(marker.len())));
    }
    markdown
}

/// Can an item be written without blank lines: a paragraph, and lists that may stand directly below one?
fn is_tight(content: &[Piece]) -> bool {
    let mut rest = content;
    if let [Piece { kind: Kind::Paragraph { .. }, .. }, others @ ..] = content {
        rest = others;
    }
    rest.len() <= 1
        && rest.iter().all(|piece| match &piece.kind {
            Kind::List { ordered, start, items } => {
                (!ordered || *start == 1 || content.len() == 1)
                    && items.iter().all(|item| is_tight(&item.content))
            }
            _ => false,
        })
}

fn pieces_of_item(content: &[Piece], options: &Options) -> String {
    match content {
        [first @ Piece { kind: Kind::Paragraph { .. }, .. }, nested] if is_tight(content) => {
            let nested = block(nested, false, options);
            let first = block(first, false, options);
            if first.is_empty() || nested.is_empty() { first + &nested } else { format!("{first}\n{nested}") }
        }
        content => pieces(content, options),
    }
}

/// Markdown has no lists of terms: terms stand in bold type, descriptions as items below them.
fn definitions(entries: &[Definition], alternate: bool, options: &Options) -> String {
    let mut markdown = String::new();
    for entry in entries {
        let content = match entry.content.as_slice() {
            [Piece { kind: Kind::Paragraph { content }, .. }] if entry.term => inline::bold(content, options),
            content => pieces(content, options),
        };
        if content.is_empty() {
            continue;
        }
        if !markdown.is_empty() {
            markdown.push_str("\n\n");
        }
        let marker = if alternate { "* " } else { "- " };
        markdown.push_str(&if entry.term { content } else { prefixed(&content, marker, "  ") });
    }
    markdown
}

/// Code between fences that are longer than any in it.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}{}\n{text}\n{fence}", language.replace(['`', ' ', '\n'], ""))
}

/// Lines with one prefix before the first of them and another before the rest; blank lines stay blank.
fn prefixed(lines: &str, first: &str, rest: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut markdown = String::with_capacity(lines.len() + 16);
    for (place, line) in lines.split('\n').enumerate() {
        if place > 0 {
            markdown.push('\n');
        }
        let prefix = if place == 0 { first } else { rest };
        markdown.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
        markdown.push_str(line);
    }
    markdown
}
