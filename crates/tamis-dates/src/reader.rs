//! The search for dates among the tokens of a text.
//!
//! The formats, each with a time of day before or after it: year first (`year_first.rs`), with the name of the month
//! (`named.rs`), in numbers with the year last (`numeric.rs`), in one number (`values.rs`), relative (`relative.rs`).

use jiff::civil::Date;

use crate::lexicon::{Filter, Role};
use crate::locale::Locale;
use crate::moment::{Clock, Moment, Precision};
use crate::tokens::{Token, Tokens};
use crate::{Form, Found, Hints};

/// Tokens of a text that are searched.
const MAX_TOKENS: usize = 4_000;
/// The longest line, in bytes.
const MAX_LINE: usize = 300;

/// A date without its time.
#[derive(Clone, Copy)]
pub(crate) struct Day {
    pub(crate) date: Date,
    /// With day and month swapped.
    pub(crate) swapped: Option<Date>,
    pub(crate) form: Form,
    pub(crate) clock: Option<Clock>,
    /// The token after it.
    pub(crate) end: usize,
}

pub(crate) struct Reader<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
    pub(crate) locale: Locale<'t>,
    pub(crate) reference: Option<Moment>,
    pub(crate) month_first: bool,
    /// Whether the text should be a date, such as an attribute.
    pub(crate) is_value: bool,
    /// Whether it is short enough for relative dates; in longer texts they usually refer to an event.
    pub(crate) is_line: bool,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, hints: &Hints<'t>, is_value: bool) -> Reader<'t> {
        let locale = Locale::of(hints.language);
        let mut tokens = Vec::with_capacity((text.len() / 3 + 2).min(MAX_TOKENS));
        tokens.extend(Tokens::new(text, Filter::ALL).take(MAX_TOKENS));
        Reader {
            tokens,
            locale,
            reference: hints.reference,
            month_first: hints.month_first.unwrap_or(locale.habits.month_first),
            is_value,
            is_line: text.len() <= MAX_LINE,
        }
    }

    /// The first dates of the text, in order.
    pub(crate) fn dates(&self, most: usize) -> Vec<Found> {
        /// Tokens between a time of day and the date after it.
        const MAX_GAP: usize = 3;
        let mut found = Vec::new();
        let mut at = 0;
        // The range of the last time of day without a date.
        let mut before: Option<(Clock, usize, usize)> = None;
        while at < self.tokens.len() && found.len() < most {
            // 4d ago is not the fourth of August.
            let is_date = |day: &Day| day.form != Form::NoYear || self.relative(at).is_none();
            if let Some(day) = self.day_at(at).filter(is_date) {
                let near = before.take().filter(|&(.., end)| at - end <= MAX_GAP);
                let own = day.clock.map(|clock| (clock, day.end));
                let (clock, start, end) = match (own.or_else(|| self.clock_behind(day.end)), near) {
                    (Some((clock, end)), _) => (Some(clock), at, end),
                    (None, Some((clock, first, _))) => (Some(clock), first, day.end),
                    (None, None) => (None, at, day.end),
                };
                found.extend(self.found(&day, clock, start, end));
                at = end;
            } else if let Some((moment, end)) = self.relative(at) {
                let range = self.tokens[at].start..self.tokens[end - 1].end();
                found.push(Found { moment, range, form: Form::Relative, alternative: None });
                (before, at) = (None, end);
            } else if let Some((clock, end)) = self.clock(at) {
                (before, at) = (Some((clock, at, end)), end);
            } else {
                at += 1;
            }
        }
        found
    }

    /// A date with its time, unless it is in the future. Of two readings, the one that is not.
    fn found(&self, day: &Day, clock: Option<Clock>, start: usize, end: usize) -> Option<Found> {
        let moment = |date: Date| {
            let moment = Moment::of(date, Precision::Day);
            clock.map_or(moment, |clock| moment.with_clock(clock))
        };
        let is_past = |moment: &Moment| !self.is_future(moment);
        let mut readings = [Some(day.date), day.swapped].into_iter().flatten().map(moment).filter(is_past);
        let range = self.tokens[start].start..self.tokens[end - 1].end();
        Some(Found { moment: readings.next()?, range, form: day.form, alternative: readings.next() })
    }

    /// Whether it is more than a day later than the reference.
    pub(crate) fn is_future(&self, moment: &Moment) -> bool {
        self.reference.is_some_and(|reference| moment.day_number() > reference.day_number() + 1)
    }

    fn day_at(&self, at: usize) -> Option<Day> {
        let token = &self.tokens[at];
        match token.number() {
            Some(_) if self.is_tail_of_number(at) => None,
            Some(_) if token.digits == 4 => self.year_first(at),
            Some(_) if token.digits <= 3 => self
                .day_then_month(at)
                .or_else(|| self.year_last(at))
                .or_else(|| self.short_year_with_units(at))
                .or_else(|| self.units_without_year(at)),
            Some(value) if self.is_value => self.in_one_number(at, value),
            Some(_) => None,
            None if token.is_word() => self.era(at).or_else(|| self.month_then_day(at)),
            None => None,
        }
    }

    /// Whether a number is the end of another, as in 1.2010 or 7-2010, or of a version.
    fn is_tail_of_number(&self, at: usize) -> bool {
        if self.is_value {
            return false;
        }
        if let Some([number, mark]) = at.checked_sub(2).and_then(|from| self.tokens.get(from..at))
            && matches!(mark.mark(), Some('.' | '-' | '/' | ':'))
            && !mark.spaced
            && !self.tokens[at].spaced
            && number.number().is_some()
        {
            return true;
        }
        at.checked_sub(1).is_some_and(|before| self.tokens[before].is(Role::Version))
    }

    /// Whether a number continues at a token, as in 1.2.3.4.
    pub(crate) fn goes_on(&self, at: usize, separator: char) -> bool {
        !self.is_value
            && self.token(at).is_some_and(|it| it.is_mark(separator) && !it.spaced)
            && self.token(at + 1).is_some_and(|it| it.number().is_some() && !it.spaced)
    }

    pub(crate) fn token(&self, at: usize) -> Option<&Token<'t>> {
        self.tokens.get(at)
    }

    pub(crate) fn is(&self, at: usize, role: Role) -> bool {
        self.token(at).is_some_and(|it| it.is(role))
    }

    pub(crate) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.token(at).is_some_and(|it| it.is_mark(mark))
    }

    /// A number below 100.
    pub(crate) fn small_number(&self, at: usize) -> Option<u32> {
        self.token(at)?.small_number()
    }

    pub(crate) fn number_of(&self, at: usize, digits: u8) -> Option<u32> {
        let token = self.token(at).filter(|token| token.digits == digits)?;
        token.number().and_then(|value| u32::try_from(value).ok())
    }

    /// Skips marks between the parts of a date and words of a role. Returns the token after them, whether there was
    /// such a word, and the first mark.
    pub(crate) fn skip(&self, at: usize, role: Role, most: usize) -> (usize, bool, Option<char>) {
        let (mut next, mut word, mut first) = (at, false, None);
        while let Some(token) = self.token(next).filter(|it| next - at < most && is_link(it, role)) {
            word |= token.is_word();
            first = first.or(token.mark());
            next += 1;
        }
        (next, word, first)
    }

    /// Skips the unit of a day, possibly with a mark before it.
    pub(crate) fn skip_day_unit(&self, at: usize) -> usize {
        if self.is(at, Role::DayUnit) {
            return at + 1;
        }
        let is_marked = self.is_mark(at, '-') || self.is_mark(at, '.');
        if is_marked && self.is(at + 1, Role::DayUnit) { at + 2 } else { at }
    }

    /// The named month at a token, and the token after it.
    pub(crate) fn month_at(&self, at: usize) -> Option<(u32, usize)> {
        let token = self.token(at)?;
        if token.is(Role::MonthPrefix)
            && let Some(month) = self.small_number(at + 1)
        {
            return Some((month, at + 2));
        }
        let entry = token.entry.filter(|_| token.is(Role::Month))?;
        Some((entry.any_value(Role::Month, &self.locale)? as u32, at + 1))
    }

    /// A Gregorian date, if valid and in the accepted years.
    pub(crate) fn day(&self, year: u32, month: u32, day: u32, end: usize) -> Option<Day> {
        date(year, month, day).map(|date| Day { date, swapped: None, form: Form::Full, clock: None, end })
    }

    /// A day of the Persian calendar.
    pub(crate) fn persian_day(&self, year: u32, month: u32, day: u32, end: usize) -> Option<Day> {
        let date = crate::calendar::from_persian(year, month, day)?;
        Some(Day { date, swapped: None, form: Form::Full, clock: None, end })
    }

    /// The last occurrence of this day before the reference.
    pub(crate) fn day_without_year(&self, month: u32, day: u32, end: usize) -> Option<Day> {
        let reference = self.reference.filter(|_| self.is_line && !self.is_value)?;
        let year = u32::try_from(reference.year()).ok()?;
        let is_past = |day: &Day| !self.is_future(&Moment::of(day.date, Precision::Day));
        let this_year = self.day(year, month, day, end).filter(is_past);
        let found = this_year.or_else(|| self.day(year.checked_sub(1)?, month, day, end))?;
        Some(Day { form: Form::NoYear, ..found })
    }

    /// Whether there may be a Persian year at a token.
    pub(crate) fn is_persian_year(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else { return false };
        let is_year = token.number().is_some_and(|year| crate::calendar::is_persian_year(year as u32));
        is_year && (self.locale.habits.persian || token.text.starts_with('\u{6f1}'))
    }
}

fn is_link(token: &Token<'_>, role: Role) -> bool {
    match token.mark() {
        Some(mark) => {
            matches!(mark, '-' | '/' | '.' | ',' | '\'' | '(' | ')' | '\u{b0}' | '\u{5f3}' | '\u{970}')
        }
        None => token.is(role),
    }
}

/// A date, if valid and in the accepted years.
pub(crate) fn date(year: u32, month: u32, day: u32) -> Option<Date> {
    if !(1900..=2099).contains(&year) || month > 12 || day > 31 {
        return None;
    }
    Date::new(year as i16, month as i8, day as i8).ok()
}

/// The year of two digits.
pub(crate) fn short_year(year: u32) -> Option<u32> {
    match year {
        0..=39 => Some(2_000 + year),
        90..=99 => Some(1_900 + year),
        _ => None,
    }
}
