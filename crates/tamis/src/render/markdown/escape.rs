//! Which characters of words a Markdown parser would take for signs.

use std::borrow::Cow;

/// Adds words; `at_start` says that they begin a line, `before_bracket` that a bracket comes next.
pub(super) fn words(text: &str, at_start: bool, before_bracket: bool, to: &mut String) {
    let mut rest = text;
    if at_start {
        rest = line_start(text, to);
    }
    let mut before = to.chars().last().unwrap_or(' ');
    let mut characters = rest.char_indices().peekable();
    while let Some((place, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let is_sign = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
            // Inside a word it is no sign.
            '_' => !(before.is_alphanumeric() && next.is_some_and(char::is_alphanumeric)),
            '&' => is_reference(&rest[place..]),
            '!' => next.map_or(before_bracket, |next| next == '['),
            _ => false,
        };
        if is_sign {
            to.push('\\');
        }
        to.push(character);
        before = character;
    }
}

/// Adds what would begin a block at the start of a line, escaped, and gives back the rest.
fn line_start<'t>(text: &'t str, to: &mut String) -> &'t str {
    let Some(first) = text.chars().next() else { return text };
    let rest = &text[first.len_utf8()..];
    match first {
        '#' | '>' | '=' | '|' | ':' => to.push('\\'),
        // A sign before anything but a word: a list, a line, the rule below a heading or in a table.
        '-' | '+' if !rest.starts_with(char::is_alphanumeric) => to.push('\\'),
        '0'..='9' => {
            let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
            let (number, rest) = text.split_at(digits);
            if digits <= 9 && rest.starts_with(['.', ')']) {
                to.push_str(number);
                to.push('\\');
                to.push_str(&rest[..1]);
                return &rest[1..];
            }
            return text;
        }
        _ => return text,
    }
    to.push(first);
    rest
}

/// Would it be read as a character reference?
fn is_reference(text: &str) -> bool {
    let Some(end) = text.bytes().take(40).position(|byte| byte == b';') else { return false };
    let name = &text.as_bytes()[1..end];
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
}

/// Code inside a line, between more backticks than it has in a row.
pub(super) fn code(text: &str, to: &mut String) {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    for part in [&fence, pad, text, pad, &fence] {
        to.push_str(part);
    }
}

/// An address in the brackets of a link.
pub(super) fn destination(address: &str, to: &mut String) {
    to.push('(');
    let address = super::super::uri::uri(address);
    for (place, character) in address.char_indices() {
        match character {
            '(' | ')' => to.extend(['\\', character]),
            '&' if is_reference(&address[place..]) => to.push_str("&amp;"),
            character => to.push(character),
        }
    }
    to.push(')');
}

/// The label of a footnote.
pub(super) fn label(label: &str) -> Cow<'_, str> {
    if label.chars().all(|character| character.is_alphanumeric() || character == '-') {
        Cow::Borrowed(label)
    } else {
        Cow::Owned(label.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect())
    }
}

#[cfg(test)]
mod tests {
    fn escaped(text: &str) -> String {
        let mut to = String::new();
        super::words(text, true, false, &mut to);
        to
    }

    #[test]
    fn signs_are_escaped_and_words_are_not() {
        for (text, markdown) in [
            ("*a* _b_ snake_case", "\\*a\\* \\_b\\_ snake_case"),
            ("# a", "\\# a"),
            ("1. a", "1\\. a"),
            ("1.5 a", "1\\.5 a"),
            ("1234567890. a", "1234567890. a"),
            ("- a", "\\- a"),
            ("-5 a", "-5 a"),
            ("a - b", "a - b"),
            ("a & b &amp; c", "a & b \\&amp; c"),
            ("[a](b) ![c]", "\\[a\\](b) \\!\\[c\\]"),
            ("<b> a > b", "\\<b> a > b"),
            ("Hello, world!", "Hello, world!"),
        ] {
            assert_eq!(escaped(text), markdown);
        }
    }

    #[test]
    fn addresses_and_code_keep_within_their_signs() {
        let mut to = String::new();
        super::destination("/a (b)?c=1&copy;&d", &mut to);
        assert_eq!(to, "(/a%20\\(b\\)?c=1&amp;copy;&d)");
        to.clear();
        super::code("a ``b``", &mut to);
        assert_eq!(to, "``` a ``b`` ```");
    }
}
