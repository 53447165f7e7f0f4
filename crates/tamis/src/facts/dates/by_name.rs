//! Dates whose month has a name: day first, month first, with and without a year.

use super::calendar::from_jalali;
use super::clock::clock;
use super::months::{is_spoken, jalali_month, month};
use super::reader::{Day, Reader, moment};
use super::tokens::Token;
use super::words::{CONNECTORS, ORDINALS, YEAR_MARKS};
use super::{Form, in_numbers};

impl Reader<'_, '_> {
    /// 15 December 2010, 15 de diciembre de 2010, 15. prosince 2010
    pub(super) fn day_then_month(&self, at: usize) -> Option<Day> {
        let day = self.small_number(at).filter(|day| (1..=31).contains(day))?;
        for next in at + 1..at + 6 {
            if let Some((month, behind)) = self.jalali_at(next) {
                let (year_at, ..) = self.skip(behind, YEAR_MARKS, 3);
                let year = self.number_of(year_at, 4)?;
                let (year, month, day) = from_jalali(year, month, day)?;
                return self.whole(year, month, day, year_at + 1);
            }
            if let Some((month, behind)) = self.month_at(next) {
                return self.year_behind(month, day, at, behind);
            }
            let token = self.tokens.get(next)?;
            if !self.is_skipped(token, ORDINALS) {
                return None;
            }
        }
        None
    }

    /// Dec 15, 2010; Diciembre 15 de 2010; Dec 15 08:30:00 UTC 2010
    pub(super) fn month_first(&self, at: usize) -> Option<Day> {
        // A name has three tokens at most, and two may stand behind it: no number there, no day.
        let ahead = self.tokens.get(at + 1..(at + 6).min(self.tokens.len())).unwrap_or_default();
        if !ahead.iter().any(|token| token.number().is_some()) {
            return None;
        }
        let (month, behind) = self.month_at(at)?;
        let (day_at, ..) = self.skip(behind, CONNECTORS, 2);
        let day = self.small_number(day_at).filter(|day| (1..=31).contains(day))?;
        let mut behind = day_at + 1;
        // December 15-17, 2010
        if self.tokens.get(behind).is_some_and(|it| it.mark() == Some('-'))
            && self.small_number(behind + 1).is_some()
        {
            behind += 2;
        }
        if let Some((clock, year_at)) = clock(&self.tokens, behind, self.hints.language)
            && let Some(year) = self.number_of(year_at, 4)
        {
            let found = self.whole(year, month, day, year_at + 1)?;
            return Some(Day { clock: Some(clock), ..found });
        }
        self.year_behind(month, day, at, behind)
    }

    /// The year behind day and month, or what to do without one.
    pub(super) fn year_behind(&self, month: u32, day: u32, at: usize, behind: usize) -> Option<Day> {
        let mut next = behind;
        // Two names for one month: كانون الأول/ديسمبر
        if self.tokens.get(next).is_some_and(|it| matches!(it.mark(), Some('/' | '(')))
            && let Some((_, second)) = self.month_at(next + 1)
        {
            next = second;
        }
        let (year_at, ..) = self.skip(next, YEAR_MARKS, 5);
        // Thai years stand behind Thai names, which need no more proof.
        let is_thai = self.hints.language.is_some_and(|it| it.starts_with("th") || it.starts_with("lo"))
            || (self.tokens.get(at..year_at).unwrap_or_default().iter())
                .any(|it| it.text.starts_with(|c| matches!(c, '\u{e01}'..='\u{eff}')));
        if let Some(year) = self.number_of(year_at, 4) {
            let year = if is_thai && (2443..=2642).contains(&year) { year - 543 } else { year };
            // What stands behind is a clock, not a year: 15 Dec 2010:30 is nothing.
            return self.whole(year, month, day, self.skip_day_words(year_at + 1));
        }
        if let Some(year) = self.number_of(year_at, 2)
            && self.is_short_year_at(year_at)
            && let Some(year) = in_numbers::short_year(year)
        {
            let found = self.whole(year, month, day, year_at + 1)?;
            return Some(Day { form: Form::ShortYear, ..found });
        }
        // 15 ธ.ค. 53 is 2553; what a clock begins with is no year.
        if is_thai
            && let Some(year) = self.number_of(year_at, 2).filter(|year| (33..=82).contains(year))
            && self.tokens.get(year_at + 1).is_none_or(|it| it.mark() != Some(':'))
        {
            let found = self.whole(2_500 + year - 543, month, day, year_at + 1)?;
            return Some(Day { form: Form::ShortYear, ..found });
        }
        // 6 Mar 20266 Mar 2026: two dates that a template glues.
        if self.tokens.get(year_at).is_some_and(|it| it.number().is_some() && it.digits > 2) {
            return None;
        }
        // Only a name that the page speaks is a month without a year beside it.
        self.hints.fetched?;
        let mut names = self.tokens.get(at..behind).unwrap_or_default().iter().filter(|it| it.is_word());
        let is_spoken = |it: &Token<'_>| {
            is_spoken(it.text, self.hints.language)
                || matches!(it.text, "tháng" | "Tháng" | "THÁNG" | "thg" | "Thg")
        };
        if !names.any(is_spoken) {
            return None;
        }
        self.without_year(month, day, behind)
    }

    /// Does a mark that belongs to it stand before a year in two digits: Dec 15 '10, 15-Dec-10? With space around it, a dash is before
    /// something else: 9 December – 12 December 2010, 15 Dec - 10 things.
    fn is_short_year_at(&self, at: usize) -> bool {
        let (mark, year) = (&self.tokens[at - 1], &self.tokens[at]);
        match mark.mark() {
            Some('\'') => !year.spaced,
            Some('-' | '/') => !year.spaced && !mark.spaced,
            _ => false,
        }
    }

    /// 18年3月8日 on pages of the mainland; Japan and Taiwan count such years by an era.
    pub(super) fn han_short_year(&self, at: usize) -> Option<Day> {
        let language = self.hints.language?;
        let is_far = ["TW", "HK", "MO", "Hant"].iter().any(|it| language.ends_with(it));
        if !language.starts_with("zh") || is_far {
            return None;
        }
        let year = self.number_of(at, 2).filter(|year| *year < 40)?;
        self.tokens.get(at + 1).filter(|it| it.text == "年")?;
        self.tokens.get(at + 3).filter(|it| it.text == "月")?;
        self.tokens.get(at + 5).filter(|it| matches!(it.text, "日" | "号"))?;
        let (month, day) = (self.small_number(at + 2)?, self.small_number(at + 4)?);
        let found = self.whole(2_000 + year, month, day, at + 6)?;
        Some(Day { form: Form::ShortYear, ..found })
    }

    /// 12月15日, 12월 15일
    pub(super) fn han_without_year(&self, at: usize) -> Option<Day> {
        let month = self.small_number(at)?;
        // 99年12月15日 has a year, if not one that is known.
        if at.checked_sub(1).is_some_and(|before| matches!(self.tokens[before].text, "年" | "년")) {
            return None;
        }
        self.tokens.get(at + 1).filter(|it| matches!(it.text, "月" | "월"))?;
        let day = self.small_number(at + 2)?;
        self.tokens.get(at + 3).filter(|it| matches!(it.text, "日" | "号" | "號" | "일"))?;
        self.without_year(month, day, at + 4)
    }

    /// The last such day before the page was fetched.
    pub(super) fn without_year(&self, month: u32, day: u32, behind: usize) -> Option<Day> {
        let fetched = self.hints.fetched.filter(|_| !self.is_value)?;
        let this_year = u32::from(fetched.local.year);
        let later = moment(this_year, month, day, None)
            .is_none_or(|moment| moment.day_number() > fetched.day_number() + 1);
        let found = self.whole(this_year - u32::from(later), month, day, behind)?;
        Some(Day { form: Form::NoYear, ..found })
    }

    /// The month that is named at a place: one word, two (كانون الأول), letters with full stops (ธ.ค.), or tháng 12.
    pub(super) fn month_at(&self, at: usize) -> Option<(u32, usize)> {
        let token = self.tokens.get(at).filter(|token| token.is_word())?;
        let language = self.hints.language;
        let next = self.tokens.get(at + 1);
        if matches!(token.text, "tháng" | "Tháng" | "THÁNG" | "thg" | "Thg") {
            return self.small_number(at + 1).map(|month| (month, at + 2));
        }
        // The second word of a name in two, Irish ones excepted, is never in ASCII.
        if token.text.is_ascii() && next.is_none_or(|next| next.text.is_ascii()) {
            return month(token.text, language).map(|month| (u32::from(month), at + 1));
        }
        let first = token.text.chars().next()?;
        if matches!(first, '\u{3400}'..='\u{9fff}') {
            return None;
        }
        let joined = |last: &Token<'_>| month(&self.text[token.start..last.end()], language);
        if let Some(second) = next.filter(|next| next.is_word())
            && let Some(month) = joined(second)
        {
            return Some((u32::from(month), at + 2));
        }
        if let Some(last) = self.tokens.get(at + 2).filter(|last| last.is_word() && !last.spaced)
            && next.is_some_and(|next| next.mark() == Some('.') && !next.spaced)
            && let Some(month) = joined(last)
        {
            return Some((u32::from(month), at + 3));
        }
        month(token.text, language).map(|month| (u32::from(month), at + 1))
    }

    fn jalali_at(&self, at: usize) -> Option<(u32, usize)> {
        let token = self.tokens.get(at).filter(|token| token.is_word() && !token.text.is_ascii())?;
        jalali_month(token.text).map(|month| (u32::from(month), at + 1))
    }
}
