//! Character references inside a text, which JSON does not have and pages put there, and the markup that comes with them.

use std::borrow::Cow;
use std::collections::HashSet;

/// Elements that stand in texts of data. What is called otherwise is what the text speaks of: "List<String>".
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "b",
    "blockquote",
    "cite",
    "code",
    "del",
    "div",
    "em",
    "figcaption",
    "figure",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "i",
    "iframe",
    "ins",
    "li",
    "mark",
    "nobr",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "script",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "time",
    "tr",
    "u",
    "ul",
    "video",
];
/// Those that nothing closes, or that are closed by what follows.
const OPEN: &[&str] = &["br", "hr", "img", "wbr", "p", "li", "input", "source", "link", "meta"];

/// A text with its references read, and without its markup where it has both.
pub(in super::super) fn references(text: String) -> String {
    if !text.contains('&') || !text.contains(';') {
        return text;
    }
    // A line that ends parts words.
    let lines = if text.contains("<br") { text.replace("<br", " <br") } else { text };
    let dom = tamis_html::parse(&without_words_in_brackets(&lines)).body().map(|body| body.text_content());
    dom.unwrap_or(lines)
}

/// A text in which only markup is in angle brackets: others are written as references. An element that is never closed is a word.
fn without_words_in_brackets(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let closed: HashSet<String> =
        text.match_indices("</").map(|(at, _)| name_at(&text[at + "</".len()..])).collect();
    let is_markup = |rest: &str| match rest.strip_prefix('/') {
        Some(name) => is_element(&name_at(name)),
        None if rest.starts_with(['!', '?']) => true,
        None => {
            let name = name_at(rest);
            OPEN.contains(&name.as_str()) || (is_element(&name) && closed.contains(&name))
        }
    };
    let mut written = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        written.push_str(before);
        written.push_str(if is_markup(behind) { "<" } else { "&lt;" });
        rest = behind;
    }
    written.push_str(rest);
    Cow::Owned(written)
}

fn is_element(name: &str) -> bool {
    ELEMENTS.contains(&name) || OPEN.contains(&name)
}

/// The name of an element that a text begins with, in small letters.
fn name_at(text: &str) -> String {
    const LONGEST: usize = 12;
    let end = text.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    text[..end].to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_angle_brackets_were_taken_for_markup() {
        for (given, expected) in [
            ("Using List<String> &amp; Map<K> in Java", "Using List<String> & Map<K> in Java"),
            ("How to write <table> &amp; more", "How to write <table> & more"),
            ("1 < 2 &amp; 3 > 2", "1 < 2 & 3 > 2"),
            ("<p>Rain &amp; <b>wind</b></p>", "Rain & wind"),
            ("Rain<br>&amp; wind", "Rain & wind"),
            ("Rain &amp; wind <img src=a>", "Rain & wind "),
            ("Rain &lt;3", "Rain <3"),
            ("Rain & wind", "Rain & wind"),
        ] {
            assert_eq!(references(given.to_owned()), expected, "{given}");
        }
    }
}
