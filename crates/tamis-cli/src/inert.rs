//! Untrusted text on a terminal: escape codes and bidirectional controls lose their effect.

#[cfg(feature = "collect")]
use unicode_width::UnicodeWidthChar;

/// One line: line breaks and tabs become spaces, control characters and bidirectional overrides U+FFFD.
pub(crate) fn inert(text: &str) -> String {
    text.chars()
        .map(|it| if matches!(it, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}') { ' ' } else { safe(it) })
        .collect()
}

/// Like [`inert`], with line breaks and tabs.
#[cfg(feature = "collect")]
pub(crate) fn inert_lines(text: &str) -> String {
    text.chars().map(|it| if matches!(it, '\n' | '\t') { it } else { safe(it) }).collect()
}

fn safe(character: char) -> char {
    let reorders = matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    if character.is_control() || reorders { '\u{FFFD}' } else { character }
}

/// The start of a line that fits into `columns` of a terminal.
#[cfg(feature = "collect")]
pub(crate) fn truncated(line: &str, columns: usize) -> String {
    if line_width(line) <= columns {
        return line.to_owned();
    }
    // One column is for the ellipsis.
    let mut used = 1;
    let fits = |(_, character): &(usize, char)| {
        used += character.width().unwrap_or(0);
        used <= columns
    };
    let end =
        line.char_indices().take_while(fits).last().map_or(0, |(at, character)| at + character.len_utf8());
    format!("{}…", &line[..end])
}

/// Columns of a line on a terminal.
#[cfg(feature = "collect")]
pub(crate) fn line_width(line: &str) -> usize {
    line.chars().filter_map(UnicodeWidthChar::width).sum()
}

#[cfg(all(test, feature = "collect"))]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_have_no_effect() {
        for (text, shown) in [
            ("plain, 中文", "plain, 中文"),
            ("\u{1b}]0;owned\u{7}", "\u{FFFD}]0;owned\u{FFFD}"),
            ("a\u{9b}31mb\rc\nd", "a\u{FFFD}31mb c d"),
            ("\u{202E}evil\u{2066}", "\u{FFFD}evil\u{FFFD}"),
        ] {
            assert_eq!(inert(text), shown);
        }
        assert_eq!(inert_lines("a\n\tb\u{1b}\r"), "a\n\tb\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn lines_are_cut_to_columns() {
        for (line, columns, cut) in [
            ("harbour", 7, "harbour"),
            ("harbour", 6, "harbo…"),
            ("北京大学", 8, "北京大学"),
            ("北京大学", 7, "北京大…"),
            ("北京大学", 6, "北京…"),
            ("e\u{301}tude", 4, "e\u{301}tu…"),
            ("x", 0, "…"),
        ] {
            assert_eq!(truncated(line, columns), cut, "{line} {columns}");
        }
    }
}
