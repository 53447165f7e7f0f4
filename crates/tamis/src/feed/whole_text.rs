//! Does a feed have the whole text of a page, or only its beginning?
//!
//! The rule: it has at least 150 words (of scripts without spaces, pairs of characters), and its end is that of a sentence: no letter
//! or digit, no dots that say that it goes on, no arrow that leads there. The line that some programs put behind a text to say where it
//! comes from does not count.

use super::Entry;
use crate::fused::odds::text_words;

/// A shorter text may be a teaser that ends where its sentence does.
const FEWEST_WORDS: usize = 150;

/// The words of the whole text of an entry, if it has it.
pub(super) fn of(entry: &Entry) -> Option<String> {
    [&entry.content, &entry.summary].into_iter().flatten().find_map(|content| {
        let mut words = content.words();
        words.truncate(without_credit(&words).len());
        is_whole(&words).then_some(words)
    })
}

/// A text without the line that says where it comes from: "The post Rain appeared first on Gazette."
pub(super) fn without_credit(words: &str) -> &str {
    const LONGEST: usize = 600;
    let tail = words.ceil_char_boundary(words.len().saturating_sub(LONGEST));
    let Some(at) = words[tail..].rfind("The post ").map(|at| tail + at) else { return words };
    let is_credit = [" appeared first on ", " first appeared on "].iter().any(|it| words[at..].contains(it));
    if is_credit { words[..at].trim_end() } else { words }
}

fn is_whole(words: &str) -> bool {
    let end = words.trim_end_matches([' ', ']', ')', '）', '】', '"', '”', '»']);
    let goes_on = words.trim_end().ends_with(['→', '»', '›', '>', '…'])
        || end.ends_with("..")
        || end.ends_with('…')
        || end.ends_with(char::is_alphanumeric) && end.len() == words.trim_end().len();
    if goes_on {
        return false;
    }
    let mut count = 0;
    text_words(words, FEWEST_WORDS, |_| count += 1);
    count >= FEWEST_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::Content;

    fn whole(html: String) -> Option<String> {
        of(&Entry { content: Some(Content::Html(html)), ..Entry::default() })
    }

    #[test]
    fn a_teaser_is_not_taken_for_the_text() {
        let long = "It rained in the harbour on Monday, and the gardens were glad of it. ".repeat(15);
        let chinese = "星期一港口下了一整天的雨，花园很高兴。".repeat(12);
        for (end, is_whole) in [
            ("It poured.", true),
            ("“It poured.”", true),
            ("(It poured.)", true),
            ("It poured. <p>The post <a href=x>Rain</a> appeared first on <a href=y>Gazette</a>.</p>", true),
            ("It poured. <p>The post <a href=x>Rain</a> first appeared on <a href=y>Gazette</a>.</p>", true),
            ("It poured […]", false),
            (
                "It poured [...] <p>The post <a href=x>Rain</a> first appeared on <a href=y>Gazette</a>.</p>",
                false,
            ),
            (
                "It poured [...] <p>The post <a href=x>Rain</a> appeared first on <a href=y>Gazette</a>.</p>",
                false,
            ),
            ("It poured …", false),
            ("It poured...", false),
            ("It poured. <a href=x>Read more →</a>", false),
            ("It poured. <a href=x>Read more &raquo;</a>", false),
            ("It poured. <a href=x>Continue reading</a>", false),
        ] {
            assert_eq!(whole(format!("<p>{long}</p>{end}")).is_some(), is_whole, "{end}");
        }
        assert!(whole(chinese.clone()).is_some());
        assert!(whole(chinese + "阅读全文").is_none());
        assert!(whole("<p>It rained in the harbour on Monday.".to_owned()).is_none());
    }

    #[test]
    fn a_whole_text_may_stand_where_the_summary_should() {
        let long = "It rained in the harbour on Monday, and the gardens were glad of it. ".repeat(15);
        let entry = Entry {
            content: Some(Content::Text("It rained …".into())),
            summary: Some(Content::Html(long.clone())),
            ..Entry::default()
        };
        assert_eq!(of(&entry).as_deref(), Some(long.trim()));
    }
}
