//! Which stretches of a title stand in quotation marks or brackets: no mark inside of them parts the title.

use std::ops::Range;

/// Marks that open and what closes them. Quotation marks of one form may be closed by several.
const PAIRS: &[(char, &[char])] = &[
    ('“', &['”']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('›', &['‹']),
    ('《', &['》']),
    ('〈', &['〉']),
    ('「', &['」']),
    ('『', &['』']),
    ('(', &[')']),
    ('（', &['）']),
    ('[', &[']']),
    ('【', &['】']),
];

/// How many marks may be open at once; a title of more is none.
const MOST_OPEN: usize = 16;

/// The stretches of a text between marks that belong together, the marks among them, in the order of their ends. A mark
/// without its partner is in none, if not inside of another pair.
pub(super) fn quoted(text: &str) -> Vec<Range<usize>> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut found = Vec::new();
    let mut before: Option<char> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        // No letter and no space is a mark.
        if c.is_ascii_alphanumeric() || c == ' ' {
            before = Some(c);
            continue;
        }
        let next = characters.peek().map(|(_, next)| *next);
        let closes = |(mark, _): &(char, usize)| match c {
            // The same mark opens and closes: by a word's head or by its end. Inches are neither.
            '"' => *mark == '"' && !next.is_some_and(char::is_alphanumeric),
            _ => PAIRS.iter().any(|(opens, closing)| opens == mark && closing.contains(&c)),
        };
        let opens = match c {
            '"' => !before.is_some_and(char::is_alphanumeric),
            _ => PAIRS.iter().any(|(opens, _)| *opens == c),
        };
        if let Some(place) = open.iter().rposition(closes) {
            found.push(open[place].1..at + c.len_utf8());
            open.truncate(place);
        } else if opens {
            if open.len() >= MOST_OPEN {
                open.remove(0);
            }
            open.push((c, at));
        }
        before = Some(c);
    }
    found
}

/// Whether places of a text, asked in order, stand in one of the stretches.
pub(super) struct Inside {
    /// The outermost stretches, in order.
    ranges: Vec<Range<usize>>,
    next: usize,
}

impl Inside {
    pub(super) fn of(text: &str) -> Inside {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in quoted(text) {
            // What a later one holds ends before it.
            while ranges.last().is_some_and(|last| last.start >= range.start) {
                ranges.pop();
            }
            ranges.push(range);
        }
        Inside { ranges, next: 0 }
    }

    /// Is this place inside? Places must not fall.
    pub(super) fn has(&mut self, at: usize) -> bool {
        while self.ranges.get(self.next).is_some_and(|range| range.end <= at) {
            self.next += 1;
        }
        self.ranges.get(self.next).is_some_and(|range| range.contains(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_their_partners() {
        for (text, expected) in [
            ("« Rain » at last", vec!["« Rain »"]),
            ("»Rain« at last", vec!["»Rain«"]),
            ("Gazette » News » Rain", vec![]),
            ("Rain « News « Gazette", vec![]),
            ("“Rain «at» last” now", vec!["“Rain «at» last”"]),
            ("„Rain“ and „wind”", vec!["„Rain“", "„wind”"]),
            ("\"Rain - at last\" - Gazette", vec!["\"Rain - at last\""]),
            ("A 24\" screen - a 30\" screen", vec![]),
            ("《雨-终于来了》今日上映", vec!["《雨-终于来了》"]),
            ("Rain :-) at last", vec![]),
        ] {
            let inside = Inside::of(text);
            let found: Vec<&str> = inside.ranges.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
