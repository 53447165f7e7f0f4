//! Days that are made out from when a page was fetched: "yesterday", "3 hours ago", "15 Dec". The words for them are plain words too, of one
//! language or another, so they count only where a line is there to tell a day, and never against a date with its year.

use std::ops::Range;

use super::super::Around;
use super::super::dates::{Form, is_weekday, names_day};
use super::super::evidence::Field;
use super::Candidate;
use crate::characters::small;

/// In longer lines, "3 years ago" says when something happened.
const LONGEST: usize = 90;

/// What parts the pieces of a line.
const PARTS: [char; 12] = ['|', '·', '•', '—', '–', '‧', '∙', '/', '｜', '»', '►', '*'];

/// Is a line there to tell the day that stands at a place of it? It begins with it, has it as a piece of its own, or a label before it
/// says so. `Science Today` and `10 May Sales` do none of these.
pub(super) fn tells_its_day(text: &str, at: &Range<usize>, form: Form, is_labelled: bool) -> bool {
    let (before, behind) = (&text[..at.start], &text[at.end..]);
    let is_sentence = text.len() > 40 && text.trim_end().ends_with(['.', '。', '!', '?', '！', '？']);
    if is_sentence && !is_labelled {
        return false;
    }
    let is_named = names_day(&text[at.clone()]);
    if form == Form::Relative && !is_named {
        return is_labelled || text.len() <= LONGEST;
    }
    let begins = !before.contains(char::is_alphanumeric) || follows_small_words(before);
    let is_piece = before.trim_end().ends_with(PARTS)
        || (before.trim_end().ends_with([',', '，', '('])
            && (form == Form::NoYear || has_clock(&text[at.clone()])));
    // 新华社北京12月15日电
    let is_dateline = form == Form::NoYear && behind.trim_start().starts_with(['电', '電', '讯', '訊']);
    is_dateline || ((begins || is_piece || is_labelled) && ends_there(behind, &text[at.clone()], is_named))
}

/// Does nothing go on behind a day: the line ends, a mark parts what follows, or a name follows "by"?
fn ends_there(behind: &str, day: &str, is_named: bool) -> bool {
    const BY: &[&str] = &[
        "by",
        "at",
        "in",
        "von",
        "par",
        "por",
        "di",
        "door",
        "av",
        "af",
        "um",
        "à",
        "from",
        "来源",
        "来源：",
        "作者",
        "编辑",
        "記者",
        "记者",
    ];
    let rest = behind.trim_start();
    let Some(first) = rest.chars().next() else { return true };
    if has_clock(day) || rest.starts_with(PARTS) || matches!(first, ')' | '-' | '<' | '>' | '[' | '(') {
        return true;
    }
    if !first.is_alphanumeric() && !is_named {
        // 15 Dec, Ada Finch; 12月15日，… goes on.
        return !matches!(first, '，' | '、' | '\'' | '’' | '%' | '+');
    }
    let word = rest.split_whitespace().next().unwrap_or_default();
    !is_named && BY.iter().any(|by| small(word) == *by || (!by.is_ascii() && word.starts_with(by)))
        || (is_named && rest.chars().all(|c| !c.is_alphanumeric()) && !rest.contains(['?', '!', '’', '\'']))
}

/// Is the clock told with a day? Few lines that do so are about something else.
fn has_clock(day: &str) -> bool {
    let mut digits = day.char_indices().filter(|(_, c)| c.is_ascii_digit());
    digits.any(|(at, _)| {
        day[at + 1..].starts_with([':', '时', '時', '点', '點', '시', 'h']) || day[at + 1..].starts_with(" h")
    })
}

/// Weekdays and articles before a day: "Wed, 15 Dec", "Am 15. Dezember", "le 15 décembre".
fn follows_small_words(before: &str) -> bool {
    const SMALL: &[&str] =
        &["on", "am", "le", "el", "den", "il", "op", "em", "the", "vom", "du", "от", "den", "dne", "på", "a"];
    let words = || before.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    before.len() <= 24
        && !before.contains(|c: char| c.is_numeric())
        && words().count() <= 2
        && words().all(|word| {
            let word = small(word);
            SMALL.contains(&word.as_ref()) || is_weekday(&word)
        })
}

/// A date with its year in data, or as heavy as one by the headline, is better than what the fetch makes of words.
pub(super) fn whole_dates_first(around: &Around<'_>, found: &mut [Candidate]) {
    const LEAST: f32 = 30.0;
    let Some(fetched) = around.fetched else { return };
    let is_counted = |it: &Candidate| matches!(it.form, Form::NoYear | Form::Relative);
    for field in [Field::Published, Field::Modified] {
        let whole = found
            .iter()
            .filter(|it| {
                it.field == field && !is_counted(it) && it.weight >= LEAST && !it.moment.is_after(&fetched)
            })
            .max_by(|a, b| a.weight.total_cmp(&b.weight))
            .map(|it| (it.moment.day_number(), it.weight));
        let Some((day, weight)) = whole else { continue };
        for candidate in found.iter_mut().filter(|it| it.field == field && is_counted(it)) {
            if candidate.moment.day_number() != day {
                candidate.weight = candidate.weight.min(weight * 0.5);
            }
        }
    }
}
