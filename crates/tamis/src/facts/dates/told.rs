//! Whether a short line tells a day or a span of time, by the tables that dates are read with.
//!
//! A day without its year, and a span whose end nobody knows, are no dates yet; where posts stand, they are told by them all the same.

use super::months::is_month_beside_number;
use super::{Hints, reader, relative};
use crate::characters::is_letter_or_number;

/// For lines that have a number; the others tell none.
pub(crate) fn tells_day(text: &str) -> bool {
    reader::first(text, &Hints::default(), false).is_some() || has_month(text) || relative::tells_span(text)
}

/// `3 May`, `May 3`, `März 2010`.
fn has_month(text: &str) -> bool {
    let is_number = |word: &str| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&digits) && word.len() <= digits + 2 || (digits == 4 && word.len() == 4)
    };
    // A month counts beside a number only, so no other word need be looked up.
    let mut before: Option<(&str, bool)> = None;
    for word in text.split(|c: char| !is_letter_or_number(c)).filter(|word| !word.is_empty()) {
        let number = is_number(word);
        if before.is_some_and(|(before, is)| {
            (is && is_month_beside_number(word)) || (number && is_month_beside_number(before))
        }) {
            return true;
        }
        before = Some((word, number));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_spans_of_other_languages_told_nothing() {
        for yes in [
            "5 Kasım 2010",
            "12 stycznia 2011",
            "3 mei 2012",
            "7 luglio 2013",
            "15 грудня 2014",
            "15 Δεκεμβρίου 2010",
            "۲۴ آذر ۱۳۸۹",
            "15 ธันวาคม 2553",
            "5 בנובמבר 2010",
            "15 ديسمبر 2010",
            "3 saat önce",
            "3 uur geleden",
            "vor 3 Jahren",
            "il y a 2 mois",
            "2 ore fa",
            "5d ago",
            "05 Aoû 2003",
            "10+ years ago",
            "3 小时前",
            "Yesterday, 5 pm",
        ] {
            assert!(tells_day(yes), "{yes}");
        }
        for no in [
            "10 out of 10",
            "Set 2",
            "Windows 10 Pro 2",
            "General 5",
            "Market 10",
            "5 orang yang",
            "今日推荐 5",
        ] {
            assert!(!tells_day(no), "{no}");
        }
    }
}
