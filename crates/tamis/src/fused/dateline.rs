//! When and by whom a text was written, glued to its first sentence: `Updated: 9 December 2024If you are serving food`,
//! `By Ada Lind, March 3, 2026 The ferry`.
//!
//! It may stand in elements of its own. Else it stands in one row of words with the text, so that only its form tells it from a
//! sentence that begins with a day: "On 9 December 2024 the ferry" is text, and so is the dateline of an agency. So what is read is a
//! row of items, each a day, a label and a day, or a label and a name; and behind the last of them a sentence must begin.
//!
//! A day may also be that of what is told: "December 9, 2024 Storm Ada hit the pier", "Date: 3 March Place: Harbour Hall". So a day
//! without a word that says what it is must be parted from the sentence by a mark or an element, or be the one that the head of
//! the page declares ([`declared`](super::declared)); and one that is far from that is none.

use std::ops::Range;

use tamis_html::{NodeId, NodeRef};

use super::declared::{Fit, fit};
use super::mixed::words::{BY, DAYS, VALUES, begins, is_one};
use super::mixed::{Apart, PIECE, Row, TEXT, begins_anew, is_letter};
use crate::block::{Block, Run};
use crate::characters::{count, is_capital};
use crate::facts::dates::{Dated, Form, Hints, Moment, find};
use crate::facts::labels_a_day;
use crate::page::Page;

/// So much of a text is looked at: labels, days and names are short.
const LOOKED_AT: usize = 240;
/// A label has at most so many words, of which one is a character in Chinese.
const LABEL: u32 = 6;
/// Words of a name, and characters of a value in Chinese.
const NAME: usize = 4;
const VALUE: usize = 20;
/// Items that are read at most.
const ITEMS: usize = 8;
/// So many blocks below are looked at for other days.
const BELOW: usize = 24;

/// Leaves out what the first block with a sentence begins with, if it tells when and by whom the text was written.
pub(super) fn leave_out(page: &Page<'_>, place: usize, apart: &mut Apart) {
    let block = &page.blocks()[place];
    let runs = page.runs(block);
    let set_apart = set_apart(page, block, runs);
    if !set_apart.is_empty() && !is_day_of_several(page, place) {
        apart.whole.extend(set_apart);
        return;
    }
    let Some(first) = runs.first().filter(|run| !run.in_link) else { return };
    // Most texts have no number so early, and do not name anybody.
    let begin = page.text(block);
    let begin = &begin[..begin.floor_char_boundary(LOOKED_AT)];
    let may_begin = begin.contains(char::is_numeric)
        || (is_set_apart(page.node(first.node), block.element) && begins(begin, BY).is_some());
    if !may_begin {
        return;
    }
    let row = Row::of(page, runs);
    let items = Items::of(page, &row);
    if let Some(end) = items.read()
        && count(&row.text[..end]).words + TEXT <= block.measures.text.words
        && !is_day_of_several(page, place)
    {
        row.leave_out(0..end, apart);
    }
}

/// The runs before the first sentence that stand in elements of their own and tell when it was written.
fn set_apart(page: &Page<'_>, block: &Block, runs: &[Run]) -> Vec<NodeId> {
    let (mut words, mut tells) = (0, false);
    for (at, run) in runs.iter().enumerate() {
        let node = page.node(run.node);
        let text = node.text();
        // What follows begins anew: not with a comma, nor with a bracket that closes.
        let begins = |first| is_letter(first) || "“\"「『‘(（【[—–-".contains(first);
        let rest = text.trim_start();
        if tells && words > 0 && rest.starts_with(begins) && !is_set_apart(node, block.element) {
            let is_one_of_labels = begins_with_label(rest);
            return runs[..at].iter().map(|run| run.node).filter(|_| !is_one_of_labels).collect();
        }
        words += count(&text).words;
        if words > PIECE || words + TEXT > block.measures.text.words || !is_set_apart(node, block.element) {
            break;
        }
        let days = find(&text, &Hints::default());
        if days.iter().any(|day| fit(page, &day.moment) == Fit::Far) {
            break;
        }
        tells |= !days.is_empty();
    }
    Vec::new()
}

/// Does a text stand in an inline element inside of the block's own?
fn is_set_apart(text: NodeRef<'_>, block: NodeId) -> bool {
    text.parent().is_some_and(|parent| parent.id() != block)
}

/// Does a text begin with a word or two and a colon? A day before that is one of several things that are told so.
fn begins_with_label(text: &str) -> bool {
    /// Characters that are looked at.
    const BEGIN: usize = 24;
    let begin = text.char_indices().nth(BEGIN).map_or(text, |(end, _)| &text[..end]);
    begin.split_once([':', '：']).is_some_and(|(label, rest)| {
        count(label).words <= LABEL
            && label.split_whitespace().count() <= 3
            && label.chars().all(|it| it.is_alphabetic() || it.is_whitespace() || "-'’".contains(it))
            && !rest.starts_with("//")
    })
}

/// Do other blocks below begin with a day as well? Then it is a diary, or a chronicle, and the days are its text.
fn is_day_of_several(page: &Page<'_>, place: usize) -> bool {
    let below = page.blocks()[place + 1..].iter().filter(|block| block.hidden.is_none()).take(BELOW);
    let begins_with_day = |text: &str| {
        let begin = &text[..text.floor_char_boundary(LOOKED_AT)];
        find(begin, &Hints::default()).first().is_some_and(|day| day.place.start == 0)
    };
    below.filter(|block| block.measures.text.words >= TEXT).any(|block| begins_with_day(page.text(block)))
}

/// What an item tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    /// A day without a label; does it have a time of day?
    Day { with_clock: bool },
    /// A day with a label; does a colon end that, and does it say that the day is the text's own?
    Labelled { by_colon: bool, is_own: bool },
    /// Who wrote it, or where it comes from; does the name end where an element ends, and is it sure that it is one?
    Name { is_run: bool, is_sure: bool },
}

/// The head of a text, while it is read.
struct Items<'r> {
    page: &'r Page<'r>,
    row: &'r Row<'r>,
    head: &'r str,
    days: Vec<Dated>,
}

impl<'r> Items<'r> {
    fn of(page: &'r Page<'r>, row: &'r Row<'r>) -> Items<'r> {
        let head = &row.text[..row.text.floor_char_boundary(LOOKED_AT)];
        // "3 hours ago" is found where it can be counted from something; from what, does not matter here.
        let hints = Hints { fetched: Moment::read("2030-01-01T12:00Z"), ..Hints::default() };
        Items { page, row, head, days: find(head, &hints) }
    }

    /// Where the row of items ends and a sentence begins.
    fn read(&self) -> Option<usize> {
        let (mut at, mut told) = (0, Vec::new());
        let is_mark = |it: char| it.is_whitespace() || "|·•–—-/,，、;:：".contains(it);
        while told.len() < ITEMS {
            let next = self.head.len() - self.head[at..].trim_start_matches(is_mark).len();
            let Some((end, tells)) = self.item(next) else { break };
            told.push(tells);
            at = end;
        }
        if at == 0 {
            return None;
        }
        let rest =
            self.row.text[at..].trim_start_matches(|it: char| it.is_whitespace() || "|·•–—-.".contains(it));
        let end = self.row.text.len() - rest.len();
        self.is_head(&told, at..end).then_some(end)
    }

    /// Are these items set in front of a sentence, and no part of it? Between them and the sentence stands what `gap` tells.
    fn is_head(&self, told: &[Tells], gap: Range<usize>) -> bool {
        let (between, rest) = (&self.row.text[gap.clone()], &self.row.text[gap.end..]);
        let Some(first) = rest.chars().next().filter(|first| first.is_alphabetic() || begins_anew(rest))
        else {
            return false;
        };
        let fit = self.fit(gap.start);
        let labelled = |it: &Tells| matches!(it, Tells::Labelled { .. });
        let by_colon = told.iter().any(|it| matches!(it, Tells::Labelled { by_colon: true, .. }));
        let is_own = told.iter().any(|it| matches!(it, Tells::Labelled { is_own: true, .. }));
        let has_name = told.iter().any(|it| matches!(it, Tells::Name { .. }));
        let has_day = told.iter().any(|it| matches!(it, Tells::Day { .. }));
        if told.iter().any(labelled) {
            let begins = if by_colon || has_name { !first.is_lowercase() } else { first.is_uppercase() };
            return begins && (is_own || (fit != Fit::Far && !begins_with_label(rest)));
        }
        // "December 9, 2024 — The ferry" is how agencies begin.
        let is_agency = between.contains(['–', '—', '-']);
        if has_name && has_day {
            let is_sure =
                fit == Fit::Same || !told.iter().any(|it| matches!(it, Tells::Name { is_sure: false, .. }));
            return !is_agency && !first.is_lowercase() && fit != Fit::Far && is_sure;
        }
        if !has_day {
            // A name alone must be set apart: "<em>By Ada Lind</em> The ferry".
            return matches!(told, [Tells::Name { is_run: true, .. }]) && first.is_uppercase();
        }
        // A day among others is one of a list.
        let has_space = between.contains(char::is_whitespace);
        let has_clock = told.contains(&Tells::Day { with_clock: true });
        !is_agency
            && self.days.len() == told.len()
            && (fit == Fit::Same || (fit == Fit::Unknown && self.is_parted(gap)))
            && (first.is_uppercase() || (has_space && has_clock && !first.is_lowercase()))
    }

    /// How the days before a place fit what the page declares: the best of them counts.
    fn fit(&self, before: usize) -> Fit {
        let days = self.days.iter().filter(|day| day.place.end <= before);
        let fits: Vec<Fit> = days.map(|day| fit(self.page, &day.moment)).collect();
        if fits.contains(&Fit::Same) {
            Fit::Same
        } else if fits.contains(&Fit::Far) && !fits.contains(&Fit::Unknown) {
            Fit::Far
        } else {
            Fit::Unknown
        }
    }

    /// Does more than white space part the day from the sentence: a mark, an element; or nothing, so that something was there?
    fn is_parted(&self, gap: Range<usize>) -> bool {
        let between = &self.row.text[gap.clone()];
        between.is_empty()
            || between.contains(['|', '·', '•'])
            || (gap.start..=gap.end).any(|at| self.row.is_border(at))
    }

    /// The item at a place: where it ends, and what it tells.
    fn item(&self, at: usize) -> Option<(usize, Tells)> {
        let rest = &self.head[at..];
        let day = self.days.iter().find(|day| day.place.start >= at);
        if let Some(day) = day.filter(|day| day.place.start == at && matches!(day.form, Form::Whole)) {
            let with_clock = self.head[day.place.clone()].contains(':');
            let unit = if with_clock { clock_unit(&self.head[day.place.end..]) } else { 0 };
            return Some((day.place.end + unit, Tells::Day { with_clock }));
        }
        if let Some(day) = day
            && let Some(label) = label(&self.head[at..day.place.start])
        {
            return Some((day.place.end + clock_unit(&self.head[day.place.end..]), label));
        }
        if let Some(length) = begins(rest, VALUES) {
            let end = value(&rest[length..])?;
            return Some((at + length + end, Tells::Name { is_run: false, is_sure: true }));
        }
        let length = begins(rest, BY)?;
        let from = at + rest.len() - rest[length..].trim_start().len();
        let end = self.name(from, day.map_or(self.head.len(), |day| day.place.start))?;
        let is_run = self.row.is_border(end) || self.row.is_border(end + spaces(&self.head[end..]));
        // "Von Neumann, 3 March 1903", "By Jove": one word behind such a word may be the rest of a name, or no name.
        let is_sure = is_run
            || rest[..length].trim_end().ends_with(':')
            || self.head[from..end].contains(char::is_whitespace)
            || !self.head[from..end].starts_with(is_capital);
        Some((end, Tells::Name { is_run, is_sure }))
    }

    /// Where the name at a place ends: at a mark, where its element ends, before a day; or behind one small word before a capital.
    fn name(&self, from: usize, day: usize) -> Option<usize> {
        let rest = &self.head[from..];
        let is_end = |(at, it): (usize, char)| {
            let is_dash = matches!(it, '-' | '–' | '—') && rest[..at].ends_with(char::is_whitespace);
            is_dash
                || "|·•,，;\n".contains(it)
                || from + at == day
                || (at > 0 && self.row.is_border(from + at))
        };
        let end = rest.char_indices().find(|it| is_end(*it)).map(|(at, _)| at)?;
        let name = rest[..end].trim_end();
        let is_name = |name: &str| {
            (1..=NAME).contains(&name.split_whitespace().count())
                && name
                    .split_whitespace()
                    .all(|word| word.starts_with(|it: char| is_capital(it) || is_uncased(it)))
        };
        if is_name(name) {
            return Some(from + name.len());
        }
        // "by admin The ferry"
        let (account, behind) = rest.split_once(' ')?;
        let is_account = !account.is_empty()
            && account.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && account.len() > 2
            && !is_one(account, SMALL)
            && behind.trim_start().starts_with(is_capital);
        is_account.then_some(from + account.len())
    }
}

/// Small words that are no names of accounts.
const SMALL: &[&str] = &[
    "and", "but", "der", "die", "das", "far", "her", "his", "les", "los", "las", "our", "the", "una", "une",
];

/// How long the word is that belongs to a time of day before it: "10:20 Uhr", "10:20 CET".
fn clock_unit(behind: &str) -> usize {
    const UNITS: &[&str] = &["uhr", "h", "hrs", "ч", "мск"];
    const ZONES: &[&str] = &[
        "gmt", "utc", "cet", "cest", "mez", "mesz", "est", "edt", "cst", "cdt", "pst", "pdt", "bst", "ist",
        "jst", "msk", "wib",
    ];
    let word = behind.trim_start();
    let before = behind.len() - word.len();
    let is_zone = |length: &usize| word[..*length].chars().all(is_capital);
    let length = begins(word, UNITS).or_else(|| begins(word, ZONES).filter(is_zone));
    length.map_or(0, |length| before + length)
}

/// Is it a letter of a script without capitals?
fn is_uncased(letter: char) -> bool {
    letter.is_alphabetic() && !letter.is_uppercase() && !letter.is_lowercase()
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Do these words label the day behind them?
fn label(words: &str) -> Option<Tells> {
    let words = words.trim();
    let bare = words.trim_end_matches([':', '：']).trim_end();
    let by_colon = bare.len() < words.len();
    let is_own = !is_one(bare, DAYS);
    let is_label = (1..=LABEL).contains(&count(bare).words)
        && !bare.contains(char::is_numeric)
        && (labels_a_day(words) || (by_colon && !is_own));
    is_label.then_some(Tells::Labelled { by_colon, is_own })
}

/// How long a colon and the value without spaces behind it are: 来源：港口新闻网.
fn value(text: &str) -> Option<usize> {
    let rest = text.trim_start().strip_prefix([':', '：'])?.trim_start_matches(' ');
    let end = rest.find(char::is_whitespace)?;
    let value = &rest[..end];
    let is_value = !value.is_empty()
        && value.chars().nth(VALUE).is_none()
        && !value.contains(['，', '。', '！', '？', '；', ',', '.', '“', '”']);
    is_value.then(|| text.len() - rest.len() + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "The ferry runs again, says the company: twice a day, if the ice allows, and thrice in May.";

    fn left_out(html: &str) -> Option<String> {
        let page = Page::parse(html);
        let mut apart = Apart::default();
        leave_out(&page, 0, &mut apart);
        let whole = apart.whole.iter().map(|node| page.node(*node).text().into_owned());
        let part = |(node, bytes): &(_, Range<usize>)| page.node(*node).text()[bytes.clone()].to_owned();
        let all: String = whole.chain(apart.parts.iter().map(part)).collect();
        (!all.is_empty()).then_some(all)
    }

    #[test]
    fn a_day_glued_to_the_first_sentence_is_left_out() {
        for lead in
            ["Updated: December 9, 2024", "Published on 9 December 2024 | ", "Posted 2024-12-09 10:20 - "]
        {
            assert_eq!(left_out(&format!("<p>{lead}{TEXT}</p>")).as_deref(), Some(lead));
        }
        let parted = format!("<p>Updated: 9 December 2024<img src=ferry.png>{TEXT}</p>");
        assert_eq!(left_out(&parted).as_deref(), Some("Updated: 9 December 2024"));
        let chinese = "<p>发布时间：2010-12-15 08:30 渡轮今天恢复航行，公司说每天开两班，如果冰情允许。";
        assert_eq!(left_out(chinese).as_deref(), Some("发布时间：2010-12-15 08:30 "));
    }

    #[test]
    fn datelines_stayed_in_front_of_the_first_sentence() {
        for lead in [
            "March 3, 2026 | ",
            "March 3, 2026",
            "Posted on March 3, 2026 by admin ",
            "By Ada Lind, March 3, 2026 ",
            "Last updated 3 hours ago ",
            "Published: 2026-03-03 10:20 Updated: 2026-03-04 09:00 ",
            "Von Ada Lind | 3. März 2026 ",
            "Publié le 3 mars 2026 ",
            "Datum: 03.03.2026 ",
        ] {
            assert_eq!(left_out(&format!("<p>{lead}{TEXT}</p>")).as_deref(), Some(lead));
        }
        let declared = "<meta property=article:published_time content=2026-03-03>";
        for lead in [
            "March 3, 2026 ",
            "2026-03-03 10:20 ",
            "By Ada, March 3, 2026 ",
            "03.03.2026, 10:20 Uhr ",
            "Stand: 03.03.2026, 10:20 Uhr | ",
            "2026-03-03 10:20 CET ",
        ] {
            assert_eq!(left_out(&format!("{declared}<p>{lead}{TEXT}</p>")).as_deref(), Some(lead));
        }
        let spans = format!("<p><span>Mar 3, 2026</span> | <span>By Ada Lind</span> | {TEXT}</p>");
        assert_eq!(left_out(&spans).as_deref(), Some("Mar 3, 2026 | By Ada Lind | "));
        let chinese = "2026年03月03日 10:20 来源：港口新闻网 作者：张三 ";
        let text = "渡轮今天恢复航行，公司说每天开两班，如果冰情允许。";
        assert_eq!(left_out(&format!("<p>{chinese}{text}")).as_deref(), Some(chinese));
        assert_eq!(left_out(&format!("<p><em>By Ada Lind</em> {TEXT}")).as_deref(), Some("By Ada Lind "));
    }

    #[test]
    fn sentences_that_begin_with_a_day_stay() {
        for lead in [
            "On 9 December 2024 ",
            "December 9, 2024 — ",
            "HARBOUR, 9 December 2024 - ",
            "BREST, March 3 (AFP) — ",
            "Updated on 9 December 2024 by ",
            "March 3, 2026 was a Tuesday. ",
            "March 3, 2026, a Tuesday: ",
            "By March 3, 2026 all had left. ",
            "By far the best of all, in 2026 ",
            "3 hours ago ",
            "1 May 2025 Labour Day, 3 May 2025 Spring Fair: ",
        ] {
            assert_eq!(left_out(&format!("<p>{lead}{TEXT}</p>")), None, "{lead}");
        }
        for text in [
            "Published on 9 December 2024 it was read by all who sail there, and by many who do not.",
            "2026年3月3日 渡轮恢复航行，公司说每天开两班，如果冰情允许，五月份开三班。",
            "来源：港口新闻网，渡轮恢复航行，公司说每天开两班，2026年3月3日起如果冰情允许，五月份开三班。",
        ] {
            assert_eq!(left_out(&format!("<p>{text}")), None, "{text}");
        }
    }

    #[test]
    fn times_of_what_is_told_were_datelines() {
        for lead in [
            "December 9, 2024 Storm Ada hit the pier. ",
            "1 May 2025 Labour Day: ",
            "9. November 1989 Die Mauer fällt. ",
            "2024年12月9日 10:20 台风登陆。",
            "Von Neumann, 3 March 1903 Born in Budapest, came by boat. ",
            "By Jove, March 3, 2026 Was cold. ",
            "Date: March 3, 2026 Place: Harbour Hall Present: Ada Lind; ",
            "Datum: 03.03.2026 Ort: Hafensaal ",
            "时间：2026年3月3日 地点：港口会议室 ",
            "ۋاقتى: 2026-03-03 ئورنى: پورت زالى. ",
            "التاريخ: 3 مارس 2026 المكان: قاعة الميناء ",
            "<span>Date: March 3, 2026</span> Place: Harbour Hall ",
        ] {
            assert_eq!(left_out(&format!("<p>{lead}{TEXT}</p>")), None, "{lead}");
        }
        let declared = "<meta property=article:published_time content=2026-03-03>";
        for lead in ["<time>July 20, 1969</time> ", "July 20, 1969 | ", "By Ada Lind, July 20, 1969 "] {
            assert_eq!(left_out(&format!("{declared}<p>{lead}{TEXT}</p>")), None, "{lead}");
        }
    }
}
