//! Where a value ends because the label of another one begins: "Ada Finch Date: 15 May". What a colon stands behind is a label, and
//! not a part of what was said before it.

/// Words that begin labels of several words in scripts without capitals: تاريخ النشر.
const FIRST_WORDS: [&str; 4] = ["تاريخ", "تاریخ", "وقت", "زمان"];

/// The text before the label of another value; all of it where no colon stands behind.
///
/// Labels of several words begin with a capital and go on small ("Posted on", "Дата публикации"), where there are capitals.
pub(super) fn value(text: &str) -> &str {
    let Some(end) = text.find([':', '：']) else { return text };
    let mut rest = without_last(&text[..end]);
    let label = text[rest.len()..end].trim();
    if label.starts_with(char::is_lowercase) {
        while last(rest).starts_with(char::is_lowercase) {
            rest = without_last(rest);
        }
        // The word with the capital, unless nothing but a name is left.
        if rest.split_whitespace().count() > 2 {
            rest = without_last(rest);
        }
    } else if FIRST_WORDS.contains(&last(rest)) {
        rest = without_last(rest);
    }
    rest
}

fn last(text: &str) -> &str {
    text.split_whitespace().next_back().unwrap_or_default()
}

fn without_last(text: &str) -> &str {
    let text = text.trim_end();
    text[..text.len() - last(text).len()].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_label_was_a_part_of_the_name() {
        for (text, expected) in [
            ("Ada Finch", "Ada Finch"),
            ("Ada Finch Date: 15 May", "Ada Finch"),
            ("Ada Finch Posted on: 15 May", "Ada Finch"),
            ("Иван Петров Дата публикации: 15 мая", "Иван Петров"),
            ("Nguyễn Văn An Nguồn: Báo", "Nguyễn Văn An"),
            ("آدا فينش التاريخ: 15", "آدا فينش"),
            ("آدا فينش تاريخ النشر: 15", "آدا فينش"),
            ("Birzat ۋاقتى: 2010-12-15", "Birzat"),
            ("Date: 15 May", ""),
            (":", ""),
            ("", ""),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }
}
