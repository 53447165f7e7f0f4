//! Escaping for XML and HTML.

/// Appends text; characters that XML cannot have become spaces, so that no words are glued.
pub(crate) fn push_escaped(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A bare one would be read as a line end.
            '\r' => out.push_str("&#13;"),
            '\t' | '\n' => out.push(character),
            '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => out.push(' '),
            character => out.push(character),
        }
    }
}

/// Appends an attribute of a tag.
pub(crate) fn push_attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for part in value.split_inclusive(['"', '\n', '\t', '\r']) {
        let text = part.trim_end_matches(['"', '\n', '\t', '\r']);
        push_escaped(text, out);
        if part.ends_with('"') {
            out.push_str("&quot;");
        } else if text.len() < part.len() {
            // XML reads line ends and tabs as spaces.
            out.push(' ');
        }
    }
    out.push('"');
}
