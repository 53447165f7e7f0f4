//! Converts markup in feed fields to plain text.

use tamis_html::Name;
use tamis_html::tokenizer::{ContentModel, Token, Tokenizer};

/// The maximum length of a title, name or category in bytes; longer ones are ignored.
const MAX_LINE_BYTES: usize = 16_000;
/// The maximum length of plain text made from HTML content, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// Elements that do not separate words.
const INLINE: &str = "a abbr b bdi cite code del em font i ins kbd link mark q s script small span strong sub sup time tt u wbr";

/// A text on one line, without control characters and invisible marks.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let start = line.len();
        if start > 0 {
            line.push(' ');
        }
        let visible = line.len();
        line.extend(word.chars().filter(|character| !is_invisible(*character)));
        if line.len() == visible {
            line.truncate(start);
        }
    }
    line
}

/// Bidirectional controls and invisible characters, except joiners, which are part of words.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}' | '\u{e0000}'..='\u{e007f}')
}

/// The text of a field that should be plain but may contain markup or be escaped twice.
pub(crate) fn plain(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(MAX_LINE_BYTES)];
    let decoded = unescape(text);
    let has_markup = ["</", "<p", "<br", "/>"].iter().any(|mark| decoded.contains(mark));
    if has_markup { from_html(&decoded) } else { one_line(&decoded) }
}

/// Replaces character references, and leaves tags alone.
fn unescape(text: &str) -> String {
    let mut tokens = Tokenizer::new(text);
    tokens.set_content_model(ContentModel::Rcdata);
    let mut plain = String::with_capacity(text.len());
    while let Token::Text(piece) = tokens.next_token() {
        plain.push_str(&tokens.text(piece));
    }
    plain
}

/// The text of HTML on one line; block-level tags become spaces.
pub(crate) fn from_html(html: &str) -> String {
    let mut tokens = Tokenizer::new(html);
    let mut text = String::new();
    let mut skipped: Option<Name> = None;
    while text.len() < MAX_TEXT_BYTES {
        match tokens.next_token() {
            Token::Text(piece) if skipped.is_none() => text.push_str(&tokens.text(piece)),
            Token::StartTag(tag) => {
                tokens.follow(tag.name);
                let is_silent = matches!(tag.name, Name::SCRIPT | Name::STYLE | Name::NOSCRIPT | Name::TITLE);
                if skipped.is_none() && is_silent {
                    skipped = Some(tag.name);
                }
                separate(tokens.name(tag.name), &mut text);
            }
            Token::EndTag(tag) => {
                skipped = skipped.filter(|name| *name != tag.name);
                separate(tokens.name(tag.name), &mut text);
            }
            Token::EndOfFile => break,
            _ => {}
        }
    }
    one_line(&text)
}

/// Appends a space unless the element is inline.
fn separate(name: &str, text: &mut String) {
    if !INLINE.split(' ').any(|inline| inline == name) {
        text.push(' ');
    }
}
