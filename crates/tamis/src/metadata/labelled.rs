//! `Label: value` lines: bylines, editors, sources, and the words beside a date.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::lexicon::{Phrase, Phrases, Starts, is_east_asian, is_spaced, phrases};
use crate::text::characters::lowercase;

/// Longer lines are running text, in bytes.
pub(crate) const MAX_LINE: usize = 320;
/// Labels are shorter, in bytes.
const MAX_LABEL: usize = 64;
/// Marks between the parts of a line.
const PARTING: [char; 8] = ['|', '•', '·', '—', '–', '｜', '\t', '\u{3000}'];

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelKind {
    Byline,
    Editor,
    /// A reporter; the name follows without a mark.
    Reporter,
    Source,
}

/// A label with its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled<'t> {
    pub(crate) kind: LabelKind,
    pub(crate) phrase: &'static Phrase,
    pub(crate) has_colon: bool,
    /// Whether the label is written with a capital, or in a script without them.
    pub(crate) is_capital: bool,
    /// What precedes the label in the line.
    pub(crate) before: &'t str,
    pub(crate) value: &'t str,
}

/// The phrases of all kinds, and how they start.
static LABELS: LazyLock<([(LabelKind, &Phrases); 4], Starts)> = LazyLock::new(|| {
    let kinds = [
        (LabelKind::Editor, phrases("editor")),
        (LabelKind::Byline, phrases("byline")),
        (LabelKind::Reporter, phrases("reporter")),
        (LabelKind::Source, phrases("source")),
    ];
    (kinds, kinds.iter().skip(1).fold(*kinds[0].1.starts(), |all, (_, phrases)| all.union(phrases.starts())))
});

/// The labels of a line, in order. `language` is the base of the page's language tag.
pub(crate) fn labelled<'t>(line: &'t str, language: Option<&str>) -> Vec<Labelled<'t>> {
    // Without marks, only the start of a line can be a label in scripts with spaces.
    let is_plain = line.is_ascii() && !line.bytes().any(|byte| matches!(byte, b':' | b'|' | b'\t'));
    let head = if is_plain { &line[..line.len().min(MAX_LABEL)] } else { line };
    let lowercase = lowercase(head);
    // Lowercase letters may take other bytes than capitals; then offsets do not agree.
    let differs = |lower: &str| !line.chars().map(char::len_utf8).eq(lower.chars().map(char::len_utf8));
    if line.len() > MAX_LINE || matches!(&lowercase, Cow::Owned(lower) if !line.is_ascii() && differs(lower))
    {
        return Vec::new();
    }
    let (kinds, starts) = &*LABELS;
    // Labels with the ends of their text and of the mark behind it.
    let mut found: Vec<(usize, usize, LabelKind, &'static Phrase, bool)> = Vec::new();
    let mut until = 0;
    for at in starts.places(&lowercase) {
        if at < until {
            continue;
        }
        if is_plain && !line[..at].trim_ascii_start().is_empty() {
            break;
        }
        let before = || lowercase[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        for (kind, phrases) in kinds {
            let kind = *kind;
            let rest = &lowercase[at..];
            let accept = |phrase: &Phrase| {
                let behind = rest[phrase.text.len()..].trim_start();
                let is_wide = phrase.text.starts_with(is_east_asian);
                let has_colon = behind.starts_with([':', '：'])
                    || (is_wide && behind.starts_with(['｜', '|', '/', '丨']));
                let starts_part =
                    line[..at].trim_end().is_empty() || line[..at].trim_end().ends_with(PARTING);
                // One character is the end of many words.
                let is_part_of_word = phrase.text.chars().count() == 1 && is_wide && before();
                let ends_word = !rest[phrase.text.len()..].starts_with(is_spaced);
                phrase.applies(language)
                    && ends_word
                    && !is_part_of_word
                    && (has_colon
                        || kind == LabelKind::Reporter
                        || (!phrase.flags.colon && kind != LabelKind::Source && starts_part))
            };
            let Some(phrase) = phrases.at_start(rest, accept) else { continue };
            let end = at + phrase.text.len();
            let behind = &line[end..];
            let spaces = behind.len() - behind.trim_start().len();
            let mark = behind
                .trim_start()
                .chars()
                .next()
                .filter(|mark| [':', '：', '｜', '|', '/', '丨'].contains(mark));
            let value = end + spaces + mark.map_or(0, char::len_utf8);
            found.push((at, value, kind, phrase, mark.is_some()));
            until = end;
            break;
        }
    }
    let starts: Vec<usize> = found.iter().map(|it| it.0).chain([line.len()]).collect();
    let labels = found.iter().enumerate();
    labels
        .map(|(place, (at, value, kind, phrase, has_colon))| {
            let end = starts[place + 1].max(*value);
            let value = line[*value..end].trim_start_matches([':', '：']).trim();
            let value = if value.starts_with(is_east_asian) { value } else { before_next_label(value) };
            let is_capital = !line[*at..].starts_with(char::is_lowercase);
            Labelled {
                kind: *kind,
                phrase,
                has_colon: *has_colon,
                is_capital,
                before: line[..*at].trim(),
                value,
            }
        })
        .collect()
}

/// The text before an unknown label with a colon: "Ada Finch Date: 15 May". Labels of several words begin with a capital
/// and go on in lowercase ("Posted on").
fn before_next_label(text: &str) -> &str {
    let last_word = |text: &str| text.trim_end().rfind(char::is_whitespace).map_or(0, |at| at);
    let Some(colon) = text.find([':', '：']).filter(|colon| *colon > 0) else { return text };
    let mut end = last_word(&text[..colon]);
    while text[end..].trim_start().starts_with(char::is_lowercase) && end > 0 {
        end = last_word(&text[..end]);
    }
    if end == 0 { text } else { text[..end].trim_end() }
}

/// What the words beside a date say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateLabel {
    Published,
    /// Published at first, and later again.
    FirstPublished,
    Modified,
    /// Something else: a copyright, an event, a comment.
    Other,
    /// A noun for a date, without more.
    Date,
}

/// The label of a date: the nearest in front of it, or in Chinese and its like behind it.
pub(crate) fn date_label(before: &str, behind: &str) -> Option<DateLabel> {
    const MAX_BEFORE: usize = 60;
    const MAX_BEHIND: usize = 24;
    /// Words for other things stand close to their date.
    const MAX_OTHER_DISTANCE: usize = 40;
    let categories = [
        ("other_date", DateLabel::Other),
        ("modified", DateLabel::Modified),
        ("first_published", DateLabel::FirstPublished),
        ("published", DateLabel::Published),
        ("date_noun", DateLabel::Date),
    ];
    let start = before.ceil_char_boundary(before.len().saturating_sub(MAX_BEFORE));
    let tail = lowercase(&before[start..]);
    // The label that ends last; of several at one place the longest.
    let mut nearest: Option<(usize, usize, DateLabel)> = None;
    for (category, label) in categories {
        for (at, phrase) in phrases(category).find(&tail) {
            let end = at + phrase.text.len();
            let between = &tail[end..];
            let is_other = label == DateLabel::Other;
            let ends_word =
                !phrase.text.ends_with(is_spaced) || !between.starts_with(is_spaced) || phrase.text.len() > 6;
            if is_other && (between.len() > MAX_OTHER_DISTANCE || !ends_word)
                || !reaches(&tail[..at], between)
            {
                continue;
            }
            // A qualifier behind a label belongs to it: 更新时间.
            let is_nearer = match nearest {
                None => true,
                Some((_, _, known)) if label == DateLabel::Date && known != DateLabel::Date => false,
                Some((known_end, length, _)) => (end, phrase.text.len()) > (known_end, length),
            };
            if is_nearer {
                nearest = Some((end, phrase.text.len(), label));
            }
        }
    }
    if let Some((.., label)) = nearest {
        return Some(label);
    }
    let head = lowercase(&behind[..behind.floor_char_boundary(MAX_BEHIND)]);
    if !head.contains(is_east_asian) {
        return None;
    }
    let labels = [("modified", DateLabel::Modified), ("published", DateLabel::Published)];
    labels
        .into_iter()
        .find(|(category, _)| {
            phrases(category).find(&head).iter().any(|(_, phrase)| phrase.text.starts_with(is_east_asian))
        })
        .map(|it| it.1)
}

/// Whether a label reaches the date behind `between`: a mark that parts the line ends its reach, unless the part before
/// it is the label alone.
fn reaches(before: &str, between: &str) -> bool {
    const MARKS: [char; 5] = ['|', '·', '•', '∙', '｜'];
    let Some(end) = between.find(MARKS) else { return true };
    let words = |text: &str| text.split_whitespace().filter(|word| word.contains(is_spaced)).count();
    let part = before.rsplit(MARKS).next().unwrap_or_default();
    let lead = part.trim_matches(|c: char| !c.is_alphanumeric());
    let is_label = lead.is_empty() || phrases("label_lead").contains(lead) || lead.contains(is_east_asian);
    is_label && words(&between[..end]) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_values_of_a_line() {
        for (line, language, expected) in [
            (
                "来源：港口日报 作者：王小明 责任编辑：李雷",
                None,
                vec![
                    (LabelKind::Source, "港口日报"),
                    (LabelKind::Byline, "王小明"),
                    (LabelKind::Editor, "李雷"),
                ],
            ),
            ("By Ada Finch", None, vec![(LabelKind::Byline, "Ada Finch")]),
            ("Author: Ada Finch Date: 15 May", None, vec![(LabelKind::Byline, "Ada Finch")]),
            ("15 May 2010 | Author: Ada Finch | News", None, vec![(LabelKind::Byline, "Ada Finch | News")]),
            ("door Jan de Vries", Some("nl"), vec![(LabelKind::Byline, "Jan de Vries")]),
            ("door Jan de Vries", Some("en"), vec![]),
            ("Stand by your author", None, vec![]),
            ("文/李明", None, vec![(LabelKind::Byline, "李明")]),
            ("中文/英文", None, vec![]),
            ("Quelle: Hafenblatt", None, vec![(LabelKind::Source, "Hafenblatt")]),
        ] {
            let found: Vec<_> = labelled(line, language).into_iter().map(|it| (it.kind, it.value)).collect();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn the_nearest_label_of_a_date_counts() {
        for (before, behind, expected) in [
            ("Published on ", "", Some(DateLabel::Published)),
            ("Published 3 May 2010, last updated ", "", Some(DateLabel::Modified)),
            ("Updated today, originally published on ", "", Some(DateLabel::FirstPublished)),
            ("© ", "", Some(DateLabel::Other)),
            ("发布时间：", "", Some(DateLabel::Published)),
            ("更新时间：", "", Some(DateLabel::Modified)),
            ("", " 更新", Some(DateLabel::Modified)),
            ("Monday, ", " by Ada", None),
            ("By Ada Osborn, ", "", None),
            ("Von Max Seitz, ", "", None),
            ("Peer reviewed · ", "", None),
            ("Last updated · ", "", Some(DateLabel::Modified)),
            ("Date of birth: ", "", Some(DateLabel::Other)),
            ("Join date: ", "", Some(DateLabel::Other)),
        ] {
            assert_eq!(date_label(before, behind), expected, "{before}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read(line in "(By |by: |作者：|记者|来源:|Von |and |, |& |İ|ﬁ|\\(|【|[ -~]|\\PC){0,24}") {
            labelled(&line, Some("de"));
            date_label(&line, &line);
            crate::metadata::names::people(&line);
        }
    }
}
