//! Changing the words of a document, wherever they stand.

use super::{Document, Image, Inline, Kind, Piece};

impl Document {
    /// Is there no content?
    ///
    /// ```
    /// assert!(tamis::extract("<nav><a href=/>Home</a></nav>").is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// Puts other words in the place of those for which `change` has some: in titles, paragraphs, captions, tables and
    /// so on, but not in code, formulas or addresses.
    ///
    /// ```
    /// let mut document = tamis::Document { title: Some("one".into()), ..Default::default() };
    /// document.change_words(&|words| Some(words.to_uppercase()));
    /// assert_eq!(document.title.as_deref(), Some("ONE"));
    /// ```
    pub fn change_words(&mut self, change: &impl Fn(&str) -> Option<String>) {
        if let Some(title) = &mut self.title {
            replace(title, change);
        }
        in_pieces(&mut self.content, change);
        for comment in &mut self.comments {
            in_pieces(&mut comment.content, change);
            comment.author.iter_mut().for_each(|author| replace(author, change));
        }
        for post in &mut self.posts {
            replace(&mut post.text, change);
            post.quotes.iter_mut().for_each(|quoted| replace(&mut quoted.text, change));
            post.author.iter_mut().for_each(|author| replace(author, change));
        }
        for entry in &mut self.entries {
            replace(&mut entry.title, change);
            replace(&mut entry.text, change);
        }
    }
}

fn replace(words: &mut String, change: &impl Fn(&str) -> Option<String>) {
    if let Some(changed) = change(words) {
        *words = changed;
    }
}

// Pieces hold pieces and inlines hold inlines only to a bounded depth: see `assemble`.
fn in_pieces(pieces: &mut [Piece], change: &impl Fn(&str) -> Option<String>) {
    for piece in pieces {
        match &mut piece.kind {
            Kind::Heading { content, .. } | Kind::Paragraph { content } => in_line(content, change),
            Kind::List { items, .. } => {
                items.iter_mut().for_each(|item| in_pieces(&mut item.content, change))
            }
            Kind::Definitions { entries } => {
                entries.iter_mut().for_each(|entry| in_pieces(&mut entry.content, change));
            }
            Kind::Table { caption, rows } => {
                in_line(caption, change);
                let cells = rows.iter_mut().flat_map(|row| &mut row.cells);
                cells.for_each(|cell| in_pieces(&mut cell.content, change));
            }
            Kind::Quote { content } | Kind::Footnote { content, .. } => in_pieces(content, change),
            Kind::Image(image) => in_image(image, change),
            Kind::Code { .. } | Kind::Formula(_) => {}
        }
    }
}

fn in_line(line: &mut [Inline], change: &impl Fn(&str) -> Option<String>) {
    for inline in line {
        match inline {
            Inline::Text { text } => replace(text, change),
            Inline::Styled { content, .. }
            | Inline::Link { content, .. }
            | Inline::FootnoteRef { content, .. } => {
                in_line(content, change);
            }
            Inline::Image(image) => in_image(image, change),
            Inline::Code { .. } | Inline::Formula(_) | Inline::Break => {}
        }
    }
}

fn in_image(image: &mut Image, change: &impl Fn(&str) -> Option<String>) {
    replace(&mut image.alt, change);
    in_line(&mut image.caption, change);
}
