//! Stripping the headline from the start of a text.
//!
//! Sets differ in whether the main text includes its headline, and tools win or lose by that alone. Stripping it from
//! both sides makes them comparable.

use crate::tokens::{normal, tokens};

/// The text without its first line if that line is the title: its tokens are a contiguous part of the title's, and at
/// least half of them (titles often end with the name of the site).
pub(crate) fn stripped<'t>(text: &'t str, title: &str) -> &'t str {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text.trim_start(), ""));
    let (first, title) = (normal(first), normal(title));
    let (line, title): (Vec<&str>, Vec<&str>) = (tokens(&first).collect(), tokens(&title).collect());
    let is_title = !line.is_empty()
        && line.len() * 2 >= title.len()
        && title.windows(line.len()).any(|part| part == line);
    if is_title { rest.trim_start() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_title_is_stripped() {
        assert_eq!(stripped("\n\n A b c\n\nd", "a, b: c"), "d");
        assert_eq!(stripped("a b c d\ne", "a b c"), "a b c d\ne");
        assert_eq!(stripped("a b c", "a b c"), "");
        assert_eq!(stripped("…\na", "a"), "…\na");
        assert_eq!(stripped("", ""), "");
    }
}
