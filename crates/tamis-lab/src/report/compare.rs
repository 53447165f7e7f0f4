//! Texts side by side: a row per line of the first text, with missing and extra words of the other texts marked in
//! place.

use std::collections::HashSet;
use std::ops::Range;

use tamis::text::characters::{Flags, flags};
use tamis_diff::{Match, matches};

use super::escape;
use super::words::{Numbers, Words};

/// Bytes of a text that are compared and shown.
const SHOWN: usize = 300_000;

/// Consecutive words that count as moved instead of missing and extra.
const MOVED: usize = 4;

/// The result for a range of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// In both.
    Same,
    /// Only in the first text.
    Missing,
    /// Only in the other text.
    Extra,
}

/// The rows of the table.
pub(super) struct Rows {
    /// The content of the `tbody`.
    pub(super) html: String,
    /// Characters that were truncated from each text.
    pub(super) cut: Vec<usize>,
}

/// A cell.
#[derive(Clone, Default)]
struct Cell {
    html: String,
    /// Whether it equals the line of the first text.
    same: bool,
}

/// Compares each text with the first.
pub(super) fn rows(first: &str, others: &[&str]) -> Rows {
    let mut numbers = Numbers::default();
    let truth = Words::of(first, SHOWN, &mut numbers);
    let mut cut = vec![truth.cut];
    let columns: Vec<Vec<Cell>> = others
        .iter()
        .map(|text| {
            let other = Words::of(text, SHOWN, &mut numbers);
            cut.push(other.cut);
            column(&truth, &other)
        })
        .collect();
    let mut html = String::with_capacity(first.len() * (others.len() + 1));
    // Text before, between and after lines has separate rows.
    for place in 0..=2 * truth.lines.len() {
        let line = (place % 2 == 1).then(|| truth.lines[place / 2].0);
        if line.is_none() && columns.iter().all(|cells| cells[place].html.is_empty()) {
            continue;
        }
        html.push_str("<tr><td dir=auto>");
        escape::push(&mut html, line.unwrap_or_default());
        for (at, cells) in columns.iter().enumerate() {
            let hidden = if at > 1 { " hidden" } else { "" };
            let on = if at == 0 { "on" } else { "" };
            let cell = &cells[place];
            if cell.same {
                html.push_str(&format!("<td class=\"s {on}\"{hidden}>"));
            } else if cell.html.is_empty() {
                html.push_str(&format!("<td{hidden}>"));
            } else {
                let class = if on.is_empty() { String::new() } else { format!(" class={on}") };
                html.push_str(&format!("<td dir=auto{class}{hidden}>{}", cell.html));
            }
        }
        html.push('\n');
    }
    Rows { html, cut }
}

/// The cells of one text: before the first line, the first line, between the first and the second, and so on.
fn column(truth: &Words<'_>, other: &Words<'_>) -> Vec<Cell> {
    let found = matches(&truth.numbers, &other.numbers);
    let moved = Moved::of(truth, other, &found);
    let mut cells = vec![Cell::default(); 2 * truth.lines.len() + 1];
    let mut writer = Writer { truth, other, moved, cells: &mut cells, place: 0 };
    let (mut at, mut other_at) = (0, 0);
    let end = Match { first: truth.list.len(), second: other.list.len(), length: 0 };
    for it in found.iter().chain([&end]) {
        writer.gap(at..it.first, other_at..it.second);
        writer.same(it);
        (at, other_at) = (it.first + it.length, it.second + it.length);
    }
    mark_same(truth, &found, &mut cells);
    cells
}

/// Marks lines that match completely, so that they are not repeated.
fn mark_same(truth: &Words<'_>, found: &[Match], cells: &mut [Cell]) {
    let mut found = found.iter().peekable();
    for (line, &(_, begin)) in truth.lines.iter().enumerate() {
        let end = truth.lines.get(line + 1).map_or(truth.list.len(), |next| next.1);
        while found.peek().is_some_and(|it| it.first + it.length < end) {
            found.next();
        }
        let whole = found.peek().is_some_and(|it| it.first <= begin && it.first + it.length >= end);
        let cell = &mut cells[2 * line + 1];
        if (whole || begin == end) && !cell.html.contains("<ins") {
            *cell = Cell { html: String::new(), same: true };
        }
    }
}

/// Writes ranges of words into their cells.
struct Writer<'w, 't> {
    truth: &'w Words<'t>,
    other: &'w Words<'t>,
    moved: Moved,
    cells: &'w mut [Cell],
    /// The current cell.
    place: usize,
}

impl Writer<'_, '_> {
    fn same(&mut self, it: &Match) {
        let mut at = it.first;
        while at < it.first + it.length {
            let line = self.truth.list[at].line;
            let rest = &self.truth.list[at..it.first + it.length];
            let length = rest.iter().take_while(|word| word.line == line).count();
            self.place = 2 * line + 1;
            let from = it.second + at - it.first;
            self.write(Mark::Same, from..from + length);
            at += length;
        }
    }

    /// Writes the words between two matches, which are only in one of the texts.
    fn gap(&mut self, missing: Range<usize>, extra: Range<usize>) {
        let mut at = missing.start;
        while at < missing.end {
            let line = self.truth.list[at].line;
            let length = self.truth.list[at..missing.end].iter().take_while(|word| word.line == line).count();
            // Replacements follow the missing words in the same line.
            self.place = 2 * line + 1;
            self.write(Mark::Missing, at..at + length);
            at += length;
        }
        if extra.is_empty() {
            return;
        }
        // In the middle of a line of the truth, extra words belong to that line. Between two lines, the rest of the
        // other text's line belongs to the earlier one, and the start of its next line to the later one.
        let line_of = |at: usize| self.truth.list.get(at).map(|word| word.line);
        let before = missing.end.checked_sub(1).and_then(line_of);
        let behind = line_of(missing.end);
        if before.is_some() && before == behind {
            return self.write(Mark::Extra, extra);
        }
        let line_of = |at: usize| self.other.list.get(at).map(|word| word.line);
        let (mut start, mut end) = (extra.start, extra.end);
        if let (Some(line), Some(before)) = (extra.start.checked_sub(1).and_then(line_of), before) {
            while start < end && line_of(start) == Some(line) {
                start += 1;
            }
            self.place = 2 * before + 1;
            self.write(Mark::Extra, extra.start..start);
        }
        if let (Some(line), Some(_)) = (line_of(extra.end), behind) {
            while end > start && line_of(end - 1) == Some(line) {
                end -= 1;
            }
        }
        self.place = behind.map_or(self.cells.len() - 1, |line| 2 * line);
        self.write(Mark::Extra, start..end);
        if let Some(behind) = behind {
            self.place = 2 * behind + 1;
            self.write(Mark::Extra, end..extra.end);
        }
    }

    /// Writes words into the current cell: from the first text if they are missing, otherwise from the other.
    fn write(&mut self, mark: Mark, words: Range<usize>) {
        let (source, moved) = match mark {
            Mark::Missing => (self.truth, &self.moved.missing),
            Mark::Same | Mark::Extra => (self.other, &self.moved.extra),
        };
        let out = &mut self.cells[self.place].html;
        let mut at = words.start;
        while at < words.end {
            // Up to the end of the line or of the moved words.
            let word = source.list[at];
            let is_moved = mark != Mark::Same && moved.contains(&at);
            let alike = |&it: &usize| {
                source.list[it].line == word.line && (mark == Mark::Same || moved.contains(&it) == is_moved)
            };
            let length = (at..words.end).take_while(alike).count();
            let last = source.list[at + length - 1];
            // The line ends in this text and continues in the other.
            if !out.is_empty() && at == source.lines[word.line].1 {
                out.push(if mark == Mark::Missing { ' ' } else { '\n' });
            } else if out.ends_with("</del>") || out.ends_with("</ins>") {
                out.push_str(separator(&source.text[word.start..last.end]));
            }
            let class = if is_moved { " class=m" } else { "" };
            let text = source.text[word.start..last.end].trim_start();
            // Trailing white space is not marked.
            let (shown, space) = text.split_at(text.trim_end().len());
            match mark {
                Mark::Same => escape::push(out, shown),
                Mark::Missing | Mark::Extra => {
                    let name = if mark == Mark::Missing { "del" } else { "ins" };
                    out.push_str(&format!("<{name}{class}>"));
                    escape::push(out, shown);
                    out.push_str(&format!("</{name}>"));
                }
            }
            if !space.is_empty() {
                out.push(' ');
            }
            at += length;
        }
    }
}

/// The separator before a word: a space, but not in scripts without spaces.
fn separator(next: &str) -> &'static str {
    let whole = next.chars().next().is_some_and(|first| flags(first).has(Flags::UNSEGMENTED));
    if whole { "" } else { " " }
}

/// Runs of words that are missing in one place and extra in another: they do not affect scores by bags of words.
#[derive(Default)]
struct Moved {
    missing: HashSet<usize>,
    extra: HashSet<usize>,
}

impl Moved {
    fn of(truth: &Words<'_>, other: &Words<'_>, found: &[Match]) -> Moved {
        let gaps = |length: usize, begin: fn(&Match) -> usize| {
            let mut at = 0;
            let mut gaps = Vec::new();
            for it in found {
                gaps.push(at..begin(it));
                at = begin(it) + it.length;
            }
            gaps.push(at..length);
            gaps
        };
        let missing = gaps(truth.list.len(), |it| it.first);
        let extra = gaps(other.list.len(), |it| it.second);
        let in_missing = runs(&truth.numbers, &missing);
        if in_missing.is_empty() {
            return Moved::default();
        }
        let in_extra = runs(&other.numbers, &extra);
        let covered = |words: &[u32], gaps: &[Range<usize>], known: &HashSet<&[u32]>| {
            let mut covered = HashSet::new();
            for gap in gaps {
                for (at, run) in words[gap.clone()].windows(MOVED).enumerate() {
                    if known.contains(run) {
                        covered.extend(gap.start + at..gap.start + at + MOVED);
                    }
                }
            }
            covered
        };
        Moved {
            missing: covered(&truth.numbers, &missing, &in_extra),
            extra: covered(&other.numbers, &extra, &in_missing),
        }
    }
}

/// The runs of words in gaps.
fn runs<'n>(words: &'n [u32], gaps: &[Range<usize>]) -> HashSet<&'n [u32]> {
    gaps.iter().flat_map(|gap| words[gap.clone()].windows(MOVED)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_and_extra_words_are_marked_in_place() {
        let rows = rows("The rain came.\nIt stayed long.", &["The heavy rain came.\nIt long."]);
        assert_eq!(
            rows.html,
            "<tr><td dir=auto>The rain came.<td dir=auto class=on>The <ins>heavy</ins> rain came.\n\
             <tr><td dir=auto>It stayed long.<td dir=auto class=on>It <del>stayed</del> long.\n"
        );
    }

    #[test]
    fn extra_lines_have_separate_rows() {
        let rows = rows("One two.\nThree four.", &["Home\nOne two.\nShare this\nThree four.\nFooter"]);
        assert_eq!(
            rows.html,
            "<tr><td dir=auto><td dir=auto class=on><ins>Home</ins>\n\
             <tr><td dir=auto>One two.<td class=\"s on\">\n\
             <tr><td dir=auto><td dir=auto class=on><ins>Share this</ins>\n\
             <tr><td dir=auto>Three four.<td class=\"s on\">\n\
             <tr><td dir=auto><td dir=auto class=on><ins>Footer</ins>\n"
        );
    }

    #[test]
    fn line_breaks_do_not_matter() {
        for (first, other) in [("One two three.", "One\ntwo three."), ("One two.\nThree.", "One two. Three.")]
        {
            let rows = rows(first, &[other]);
            assert!(!rows.html.contains("<ins") && !rows.html.contains("<del"), "{}", rows.html);
        }
    }

    #[test]
    fn moved_words_are_marked_as_moved() {
        let rows = rows(
            "A title of five words.\nThen the text goes on and on for a while.",
            &["Then the text goes on and on for a while.\nA title of five words."],
        );
        assert!(rows.html.contains("<del class=m>A title of five words.</del>"), "{}", rows.html);
        assert!(rows.html.contains("<ins class=m>A title of five words.</ins>"), "{}", rows.html);
    }

    #[test]
    fn all_words_are_shown_and_escaped() {
        let first = "<b>a</b> </script> b\n\n&amp; c";
        let other = "<img src=x onerror=f()> b\nd </td></table>";
        let rows = rows(first, &[other, ""]);
        for bad in ["<b>", "<img", "</script", "</table"] {
            assert!(!rows.html.contains(bad), "{}", rows.html);
        }
        for word in ["&lt;img src=x onerror=f()&gt;", "d &lt;/td&gt;&lt;/table&gt;", "&amp;amp; c"] {
            assert!(rows.html.contains(word), "{word} in {}", rows.html);
        }
    }

    #[test]
    fn empty_texts() {
        assert_eq!(rows("", &["", ""]).html, "");
        assert_eq!(rows("a b", &[""]).html, "<tr><td dir=auto>a b<td dir=auto class=on><del>a b</del>\n");
        assert_eq!(rows("", &["x"]).html, "<tr><td dir=auto><td dir=auto class=on><ins>x</ins>\n");
    }
}
