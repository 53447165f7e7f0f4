//! Dates whose month has a name: day first, month first, with and without a year.

use crate::Form;
use crate::calendar::from_buddhist;
use crate::lexicon::{Role, Sense, bits};
use crate::locale::Locale;
use crate::reader::{Day, Reader, short_year};
use crate::tokens::Token;

/// Templates of pages in any language use English months.
const TEMPLATES: &str = "en";

impl Reader<'_> {
    /// 15 December 2010, 15 de diciembre de 2010, 15. prosince 2010
    pub(crate) fn day_then_month(&self, at: usize) -> Option<Day> {
        /// Tokens between a day and its month.
        const MAX_LINKS: usize = 4;
        let day = self.small_number(at).filter(|day| (1..=31).contains(day))?;
        let month_at = self.skip_to_month(at + 1, MAX_LINKS);
        if let Some(token) = self.token(month_at)
            && let Some(month) = token.value(Role::JalaliMonth, &self.locale)
        {
            let (year_at, ..) = self.skip(month_at + 1, Role::YearLink, 3);
            return self.persian_day(self.number_of(year_at, 4)?, month as u32, day, year_at + 1);
        }
        let (month, behind) = self.month_at(month_at)?;
        self.behind_month(month, day, at, behind)
    }

    /// Skips linking words up to a month; such a word may be a month itself: 4 mar 2010.
    fn skip_to_month(&self, at: usize, most: usize) -> usize {
        let months = bits(&[Role::Month, Role::JalaliMonth, Role::MonthPrefix]);
        let step = (at..at + most).find(|&next| {
            self.token(next).is_some_and(|it| it.roles() & months != 0)
                || self.skip(next, Role::DayLink, 1).0 == next
        });
        step.unwrap_or(at + most)
    }

    /// Dec 15, 2010; Diciembre 15 de 2010; Dec 15 08:30:00 UTC 2010
    pub(crate) fn month_then_day(&self, at: usize) -> Option<Day> {
        let (month, behind) = self.month_at(at)?;
        let (day_at, ..) = self.skip(behind, Role::MonthLink, 2);
        let day = self.small_number(day_at).filter(|day| (1..=31).contains(day))?;
        let mut behind = day_at + 1;
        // December 15-17, 2010
        if self.is_mark(behind, '-') && self.small_number(behind + 1).is_some() {
            behind += 2;
        }
        if let Some((clock, year_at)) = self.clock(behind)
            && let Some(year) = self.number_of(year_at, 4)
        {
            let found = self.day(year, month, day, year_at + 1)?;
            return Some(Day { clock: Some(clock), ..found });
        }
        self.behind_month(month, day, at, behind)
    }

    /// The year after day and month, or the default.
    fn behind_month(&self, month: u32, day: u32, at: usize, behind: usize) -> Option<Day> {
        let mut next = behind;
        // Two names for one month.
        if (self.is_mark(next, '/') || self.is_mark(next, '('))
            && let Some((_, second)) = self.month_at(next + 1)
        {
            next = second;
        }
        let (year_at, ..) = self.skip(next, Role::YearLink, 5);
        let is_thai = |it: &Token<'_>| it.text.starts_with(|c| matches!(c, '\u{e01}'..='\u{eff}'));
        let is_buddhist = self.locale.habits.buddhist
            || self.tokens.get(at..year_at).unwrap_or_default().iter().any(is_thai);
        if let Some(year) = self.number_of(year_at, 4) {
            let year = from_buddhist(year).filter(|_| is_buddhist).unwrap_or(year);
            return self.day(year, month, day, self.skip_day_unit(year_at + 1));
        }
        let short = self.number_of(year_at, 2);
        let is_clock = self.is_mark(year_at + 1, ':');
        let year = match short {
            Some(year) if self.is_short_year_at(year_at) => short_year(year),
            // 15 Dec 53 is in 2553.
            Some(year @ 33..=82) if is_buddhist && !is_clock => from_buddhist(2_500 + year),
            _ => None,
        };
        if let Some(year) = year {
            let found = self.day(year, month, day, year_at + 1)?;
            return Some(Day { form: Form::ShortYear, ..found });
        }
        // 6 Mar 20266 Mar 2026: two dates without a space between.
        if self.token(year_at).is_some_and(|it| it.number().is_some() && it.digits > 2) {
            return None;
        }
        self.reference?;
        let named = self.tokens.get(at..behind).unwrap_or_default();
        if !named.iter().any(|it| self.is_spoken_month(it)) {
            return None;
        }
        self.day_without_year(month, day, behind)
    }

    /// Whether a year of two digits follows a mark: Dec 15 '10, 15-Dec-10. A dash with spaces around it does not count.
    fn is_short_year_at(&self, at: usize) -> bool {
        let Some([mark, year]) = at.checked_sub(1).and_then(|from| self.tokens.get(from..=at)) else {
            return false;
        };
        match mark.mark() {
            Some('\'') => !year.spaced,
            Some('-' | '/') => !year.spaced && !mark.spaced,
            _ => false,
        }
    }

    /// Whether a word is a month in the language of the text, or in that of templates. Beside a year, the name of a
    /// month in any language counts. Without one, names in other languages are usually other words ("10 pro tips", "4.5
    /// out of 5"), and languages that capitalise months require the capital ("16 may not"). If the language is unknown,
    /// the name must be long. Scripts other than Latin belong to few languages each, so their names count.
    fn is_spoken_month(&self, token: &Token<'_>) -> bool {
        const MIN_LETTERS: usize = 5;
        if token.is(Role::MonthPrefix) {
            return true;
        }
        let Some(entry) = token.entry.filter(|_| token.is(Role::Month)) else { return false };
        if token
            .text
            .chars()
            .any(|c| c.is_alphabetic() && c >= '\u{370}' && !matches!(c, '\u{1e00}'..='\u{1eff}'))
        {
            return true;
        }
        let has_capital = token.text.starts_with(char::is_uppercase);
        let is_long = token.text.chars().count() >= MIN_LETTERS;
        let is_spoken = |sense: &Sense| match self.locale.language {
            // With an ending only in the language of the text: "Generic" is not a Catalan January.
            Some(language) if token.has_ending => language != TEMPLATES && sense.is_in(language),
            Some(language) => sense.is_in(language) || sense.is_in(TEMPLATES),
            None => !token.has_ending && (sense.is_in(TEMPLATES) || is_long),
        };
        entry
            .senses(Role::Month)
            .any(|sense| is_spoken(sense) && (has_capital || !Locale::writes_capitals(sense.languages)))
    }
}
