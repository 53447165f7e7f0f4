//! HTML escaping. Reports show untrusted pages, so all text is written through this module.

/// Appends an escaped text, for element content and quoted attributes.
///
/// Control characters become the replacement character, and direction overrides are shown by name, since they would
/// reverse the text after them.
pub(super) fn push(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(character),
            '\r' => out.push('\n'),
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("\u{FFFD}U+{:04X}", u32::from(character)));
            }
            // Noncharacters and controls.
            '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            _ if character.is_control() => out.push('\u{FFFD}'),
            _ => out.push(character),
        }
    }
}

/// The escaped text.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    push(&mut out, text);
    out
}

/// Truncates to `limit` characters, with an ellipsis.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// A value of the attribute `lang`; empty for invalid language tags.
pub(super) fn language(tag: &str) -> &str {
    let good = (2..=35).contains(&tag.len())
        && tag.split('-').all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    if good { tag } else { "" }
}

/// A URL that may become a link: http or https only.
pub(super) fn web_address(url: &str) -> Option<&str> {
    let scheme = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let web = scheme.starts_with("http://") || scheme.starts_with("https://");
    (web && !url.contains(|c: char| c.is_control() || c.is_whitespace())).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        let text = escaped("</script><img src=x onerror=\"f('&')\">\0\u{202E}");
        assert!(!text.contains(['<', '>', '"', '\'', '\0', '\u{202E}']), "{text}");
        assert_eq!(escaped("a\r\nb"), "a\n\nb");
    }

    #[test]
    fn only_web_urls_become_links() {
        assert!(web_address("https://example.org/a?b=c#d").is_some());
        for url in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "HTTPS://a b", "//x", ""]
        {
            assert_eq!(web_address(url), None, "{url}");
        }
    }

    #[test]
    fn language_tags_are_checked() {
        assert_eq!(language("zh-Hant-TW"), "zh-Hant-TW");
        for tag in ["", "x\" onload=\"", "en us", "en-", "a"] {
            assert_eq!(language(tag), "", "{tag}");
        }
    }

    #[test]
    fn texts_are_truncated_between_characters() {
        assert_eq!(shortened("港口新闻", 2), "港口…");
        assert_eq!(shortened("港口", 2), "港口");
    }
}
