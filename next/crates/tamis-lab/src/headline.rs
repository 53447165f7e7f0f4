//! The headline at the head of a text, taken off.
//!
//! Sets differ in whether the main text begins with its headline; a tool that keeps it, or not, wins or loses by that
//! alone. With the headline taken off on both sides the question is out of the way.

use crate::tokens::{normal, tokens};

/// The text without its first line, if that line is the title: all of its tokens in a row in the title, and at least
/// half as many as the title has (titles often end with the name of the site).
///
/// ```
/// use tamis_lab::headline::stripped;
///
/// assert_eq!(stripped("# Rain at last\nIt rained.", "Rain at Last | Gazette"), "It rained.");
/// assert_eq!(stripped("Rain\nIt rained.", "Rain at last"), "Rain\nIt rained.");
/// ```
pub fn stripped<'t>(text: &'t str, title: &str) -> &'t str {
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
    fn only_the_title_goes() {
        assert_eq!(stripped("\n\n A b c\n\nd", "a, b: c"), "d");
        assert_eq!(stripped("a b c d\ne", "a b c"), "a b c d\ne");
        assert_eq!(stripped("a b c", "a b c"), "");
        assert_eq!(stripped("…\na", "a"), "…\na");
        assert_eq!(stripped("", ""), "");
    }
}
