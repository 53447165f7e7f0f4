//! URLs for formats that take only well-formed ones.

/// Escapes what RFC 3986 does not allow. Letters of all scripts stay, as in `anyURI`.
pub(super) fn uri(url: &str) -> String {
    let mut out = String::with_capacity(url.len() + 8);
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    if url[..url.find(['/', '?', '#']).unwrap_or(url.len())].contains(':')
        && !(scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_scheme))
    {
        // A colon before the first slash would make a scheme of what precedes it.
        out.push_str("./");
    }
    let mut has_fragment = false;
    for (index, character) in url.char_indices() {
        let is_escaped = match character {
            '%' => {
                !matches!(url.as_bytes()[index..], [_, a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
            }
            '#' => std::mem::replace(&mut has_fragment, true),
            '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' | '[' | ']' => true,
            _ => character.is_control() || character.is_whitespace(),
        };
        if is_escaped {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn only_what_is_not_allowed_is_escaped() {
        for (url, escaped) in [
            ("", ""),
            (
                "https://user@a.example:80/b%20c;x=1?q=1:2&e#top",
                "https://user@a.example:80/b%20c;x=1?q=1:2&e#top",
            ),
            ("../a/b:c", "../a/b:c"),
            ("mailto:a@b.example", "mailto:a@b.example"),
            ("https://例え.jp/道?ك=1", "https://例え.jp/道?ك=1"),
            ("/a b<c>\"{d}|\\^`[0]", "/a%20b%3Cc%3E%22%7Bd%7D%7C%5C%5E%60%5B0%5D"),
            ("/a#/#b", "/a#/%23b"),
            ("/50%zz%41", "/50%25zz%41"),
            ("mail to:x", "./mail%20to:x"),
            ("/a\u{3000}b\n", "/a%E3%80%80b%0A"),
        ] {
            assert_eq!(uri(url), escaped);
        }
    }
}
