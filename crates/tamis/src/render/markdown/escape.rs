//! Escaping of characters that a Markdown parser would take for signs.

use std::borrow::Cow;

use super::super::uri::uri;

/// Where in its line a text starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// At the start of a line.
    Start,
    /// After nothing but digits.
    AfterNumber,
    Inside,
}

/// Appends text. `before_bracket` says that a bracket follows.
pub(super) fn push_text(text: &str, position: Position, before_bracket: bool, out: &mut String) {
    let rest = match position {
        Position::Start => push_line_start(text.trim_start_matches(' '), out),
        Position::AfterNumber => push_number(text, out),
        Position::Inside => text,
    };
    // Signs are rare: what is between them is copied as it is.
    let mut copied = 0;
    for (index, byte) in rest.bytes().enumerate().filter(|(_, byte)| MAY_BE_SIGN[usize::from(*byte)]) {
        let next = || rest[index + 1..].chars().next();
        let is_sign = match byte {
            // Inside a word it is no sign.
            b'_' => {
                let before = rest[..index].chars().next_back().or_else(|| out.chars().next_back());
                !(before.is_some_and(char::is_alphanumeric) && next().is_some_and(char::is_alphanumeric))
            }
            b'&' => is_reference(&rest[index..]),
            b'!' => next().map_or(before_bracket, |next| next == '['),
            _ => true,
        };
        if is_sign {
            out.push_str(&rest[copied..index]);
            out.push('\\');
            copied = index;
        }
    }
    out.push_str(&rest[copied..]);
}

/// Bytes that a parser may take for signs.
const MAY_BE_SIGN: [bool; 256] = {
    let (signs, mut table, mut at) = (b"\\`*[]<~_&!", [false; 256], 0);
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

/// Appends what would begin a block, escaped, and returns the rest.
fn push_line_start<'t>(text: &'t str, out: &mut String) -> &'t str {
    let Some(first) = text.chars().next() else { return text };
    let rest = &text[first.len_utf8()..];
    match first {
        '#' | '>' | '=' | '|' | ':' => out.push('\\'),
        // A list, a rule, a setext heading or a table delimiter.
        '-' | '+' if !rest.starts_with(char::is_alphanumeric) => out.push('\\'),
        '0'..='9' => return push_number(text, out),
        _ => return text,
    }
    out.push(first);
    rest
}

/// Appends the number of a list item, escaped, and returns the rest.
fn push_number<'t>(text: &'t str, out: &mut String) -> &'t str {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(digits);
    if digits > 9 || !rest.starts_with(['.', ')']) {
        return text;
    }
    out.push_str(number);
    out.push('\\');
    out.push_str(&rest[..1]);
    &rest[1..]
}

/// Whether text would be read as a character reference.
fn is_reference(text: &str) -> bool {
    let Some(end) = text.bytes().take(40).position(|byte| byte == b';') else { return false };
    let name = &text.as_bytes()[1..end];
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
}

/// Appends code between more backticks than it has in a row.
pub(super) fn push_code(text: &str, out: &mut String) {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let padding = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    for part in [&fence, padding, text, padding, &fence] {
        out.push_str(part);
    }
}

/// Appends the URL of a link.
pub(super) fn push_destination(url: &str, out: &mut String) {
    out.push('(');
    let url = uri(url);
    for (index, character) in url.char_indices() {
        match character {
            '(' | ')' => out.extend(['\\', character]),
            '&' if is_reference(&url[index..]) => out.push_str("&amp;"),
            character => out.push(character),
        }
    }
    out.push(')');
}

/// The label of a footnote.
pub(super) fn label(label: &str) -> Cow<'_, str> {
    if label.chars().all(|c| c.is_alphanumeric() || c == '-') {
        Cow::Borrowed(label)
    } else {
        Cow::Owned(label.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped_and_words_are_not() {
        for (text, markdown) in [
            ("*a* _b_ snake_case", "\\*a\\* \\_b\\_ snake_case"),
            ("# a", "\\# a"),
            ("1. a", "1\\. a"),
            ("1234567890. a", "1234567890. a"),
            ("- a", "\\- a"),
            ("-5 a", "-5 a"),
            ("a - b", "a - b"),
            ("a & b &amp; c", "a & b \\&amp; c"),
            ("[a](b) ![c]", "\\[a\\](b) \\!\\[c\\]"),
            ("<b> a > b", "\\<b> a > b"),
            (" + a", "\\+ a"),
            ("Hello, world!", "Hello, world!"),
        ] {
            let mut out = String::new();
            push_text(text, Position::Start, false, &mut out);
            assert_eq!(out, markdown);
        }
    }

    #[test]
    fn urls_and_code_stay_within_their_signs() {
        let mut out = String::new();
        push_destination("/a (b)?c=1&copy;&d", &mut out);
        assert_eq!(out, "(/a%20\\(b\\)?c=1&amp;copy;&d)");
        out.clear();
        push_code("a ``b``", &mut out);
        assert_eq!(out, "``` a ``b`` ```");
    }
}
