//! Dates that start with the year: 2010-12-15, 2010. december 15., years of an era.

use crate::Form;
use crate::calendar::from_buddhist;
use crate::lexicon::Role;
use crate::reader::{Day, Reader, short_year};

impl Reader<'_> {
    /// A year in four digits, Gregorian or of another calendar, depending on language and digits.
    pub(crate) fn year_first(&self, at: usize) -> Option<Day> {
        let token = self.token(at)?;
        let year = token.number()? as u32;
        if (1900..=2099).contains(&year) {
            return self.behind_year(at, year);
        }
        if self.is_persian_year(at) {
            let (month_at, ..) = self.skip(at + 1, Role::YearUnit, 4);
            let month = self.small_number(month_at)?;
            let (day_at, ..) = self.skip(month_at + 1, Role::MonthUnit, 3);
            return self.persian_day(year, month, self.small_number(day_at)?, day_at + 1);
        }
        let is_buddhist = self.locale.habits.buddhist || token.text.starts_with('\u{e52}');
        self.behind_year(at, from_buddhist(year).filter(|_| is_buddhist)?)
    }

    /// Month and day after a year.
    fn behind_year(&self, at: usize, year: u32) -> Option<Day> {
        let (first_at, has_unit, separator) = self.skip(at + 1, Role::YearUnit, 4);
        // 2010. december 15.
        if let Some((month, behind)) = self.month_at(first_at) {
            let (day_at, ..) = self.skip(behind, Role::MonthLink, 3);
            let day = self.small_number(day_at)?;
            return self.day(year, month, day, self.skip_day_unit(day_at + 1));
        }
        let first = self.small_number(first_at)?;
        // 2010. 15. december
        let (month_at, ..) = self.skip(first_at + 1, Role::DayLink, 3);
        if let Some((month, end)) = self.month_at(month_at) {
            return self.day(year, month, first, end);
        }
        let (second_at, has_month_unit, second_separator) = self.skip(first_at + 1, Role::MonthUnit, 4);
        let second = self.small_number(second_at)?;
        if !has_unit && !has_month_unit {
            let agrees = separator == second_separator && matches!(separator, Some('-' | '/' | '.' | ','));
            let is_bare = self.is_value && separator.is_none() && second_separator.is_none();
            // A dash with spaces around it separates unrelated numbers.
            let is_loose = matches!(separator, Some('-' | ','))
                && self.tokens[first_at].spaced != self.tokens[second_at].spaced;
            if !(agrees || is_bare) || is_loose || self.goes_on(second_at + 1, separator.unwrap_or('-')) {
                return None;
            }
        } else {
            // Numbers without a unit between them are a list: 2010- year 4-, 5-.
            let is_list = !has_month_unit && second_at > first_at + 2;
            let is_bare = has_unit != has_month_unit && separator.is_none() && second_separator.is_none();
            if is_list || is_bare {
                return None;
            }
        }
        self.day(year, first, second, self.skip_day_unit(second_at + 1))
    }

    /// Years of an era, with units or marks after them.
    pub(crate) fn era(&self, at: usize) -> Option<Day> {
        let before = self.token(at)?.value(Role::Era, &self.locale)?;
        let year = self.token(at + 1)?.number().filter(|year| (1..=199).contains(year))? as u32;
        let unit = self.token(at + 2)?;
        if !unit.is(Role::YearUnit) && !matches!(unit.mark(), Some('/' | '.' | '-')) {
            return None;
        }
        self.behind_year(at + 1, year + before as u32)
    }

    /// 18年3月8日 in languages without eras.
    pub(crate) fn short_year_with_units(&self, at: usize) -> Option<Day> {
        let year = self.number_of(at, 2).filter(|year| self.locale.habits.short_year && *year < 40)?;
        let units = [(at + 1, Role::YearUnit), (at + 3, Role::MonthUnit), (at + 5, Role::DayUnit)];
        if !units.iter().all(|(place, role)| self.is(*place, *role)) {
            return None;
        }
        let (month, day) = (self.small_number(at + 2)?, self.small_number(at + 4)?);
        let found = self.day(short_year(year)?, month, day, at + 6)?;
        Some(Day { form: Form::ShortYear, ..found })
    }

    /// 12月15日, 12월 15일
    pub(crate) fn units_without_year(&self, at: usize) -> Option<Day> {
        let (month, day) = (self.small_number(at)?, self.small_number(at + 2)?);
        // 99年12月15日 has an unknown year.
        if at.checked_sub(1).is_some_and(|before| self.is(before, Role::YearUnit)) {
            return None;
        }
        if !self.is(at + 1, Role::MonthUnit) || !self.is(at + 3, Role::DayUnit) {
            return None;
        }
        self.day_without_year(month, day, at + 4)
    }
}
