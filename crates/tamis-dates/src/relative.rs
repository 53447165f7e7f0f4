//! Relative dates: "3 hours ago", "yesterday".

use jiff::{Span, ToSpan};

use crate::lexicon::Role;
use crate::moment::{Moment, Precision};
use crate::reader::Reader;
use crate::tokens::{Token, is_unspaced};

/// Units in minutes, as in the data.
const DAY: i32 = 1_440;
const MONTH: i32 = 43_200;
const YEAR: i32 = 525_600;

/// In longer texts, only spans with a number in digits are relative dates. Doubled in scripts in which a character may
/// be a token.
const MAX_TOKENS: usize = 12;
/// The same for words that denote a day without a time.
const MAX_DAY_TOKENS: usize = 6;

impl Reader<'_> {
    /// The date of words at a token, and the token after them.
    pub(crate) fn relative(&self, at: usize) -> Option<(Moment, usize)> {
        let reference = self.reference.filter(|_| self.is_line)?;
        let token = self.token(at)?;
        if self.is_short(token, MAX_TOKENS) {
            if token.is(Role::Now) && self.is_short(token, MAX_DAY_TOKENS) {
                return Ago::new(0, 1).before(reference).map(|moment| (moment, at + 1));
            }
            if let Some(minutes) = token.value(Role::SpanAgo, &self.locale) {
                return Ago::new(1, minutes).before(reference).map(|moment| (moment, at + 1));
            }
            if let Some(days) = self.relative_day(token) {
                let found = self.days_back(reference, days, at + 1)?;
                return (found.0.hour().is_some() || self.is_short(token, MAX_DAY_TOKENS)).then_some(found);
            }
            if let Some(found) = self.span_without_number(at, token, reference) {
                return Some(found);
            }
        }
        self.span(at, reference)
    }

    fn is_short(&self, token: &Token<'_>, most: usize) -> bool {
        let is_unspaced = token.text.chars().next().is_some_and(is_unspaced);
        self.tokens.len() <= if is_unspaced { 2 * most } else { most }
    }

    /// The number of days before the reference that a word means. Depends on the language, if known: "hier" is
    /// yesterday in French.
    fn relative_day(&self, token: &Token<'_>) -> Option<i32> {
        let entry = token.entry.filter(|_| token.is(Role::RelativeDay))?;
        match self.locale.language {
            Some(_) => entry.value(Role::RelativeDay, &self.locale),
            None => entry.any_value(Role::RelativeDay, &self.locale),
        }
    }

    /// A number of days before the reference, with the time of day after it, or after marks and words for "at".
    fn days_back(&self, reference: Moment, days: i32, behind: usize) -> Option<(Moment, usize)> {
        let moment = day_before(reference, i64::from(days).days())?;
        let is_link = |at: &usize| self.token(*at).is_some_and(|it| it.mark().is_some() || it.is(Role::At));
        let links = (behind..behind + 3).take_while(is_link).count();
        Some(match self.clock(behind + links) {
            Some((clock, end)) => (moment.with_clock(clock), end),
            None => (moment, behind),
        })
    }

    /// Spans whose number is part of the word, such as duals.
    fn span_without_number(
        &self,
        at: usize,
        token: &Token<'_>,
        reference: Moment,
    ) -> Option<(Moment, usize)> {
        let one = token.value(Role::OneUnit, &self.locale).map(|unit| (1, unit));
        let (count, unit) =
            one.or_else(|| token.value(Role::TwoUnits, &self.locale).map(|unit| (2, unit)))?;
        if at.checked_sub(1).is_some_and(|before| self.tokens[before].number().is_some()) {
            return None;
        }
        let end = if self.is(at + 1, Role::AgoAfter) {
            at + 2
        } else {
            // "Since the year 2010" is not a year ago.
            let is_end = count == 2 || self.token(at + 1).is_none_or(|it| it.mark().is_some());
            (is_end && self.is_ago_before(at)).then_some(at + 1)?
        };
        Ago::new(count, unit).before(reference).map(|moment| (moment, end))
    }

    /// One number with its unit or several, the longest first, and "ago" on either side.
    fn span(&self, at: usize, reference: Moment) -> Option<(Moment, usize)> {
        // 1.5 hours ago is not 5 hours ago.
        if let Some([number, mark]) = at.checked_sub(2).and_then(|from| self.tokens.get(from..at))
            && number.number().is_some()
            && matches!(mark.mark(), Some('.' | ','))
            && !mark.spaced
            && !self.tokens[at].spaced
        {
            return None;
        }
        let (first, after_first) = self.count_and_unit(at)?;
        let (mut total, mut next, mut is_joined) = (first, after_first, true);
        loop {
            if self.is(next, Role::AgoAfter) {
                return total.before(reference).map(|moment| (moment, next + 1));
            }
            let comma = usize::from(self.is_mark(next, ','));
            let and = usize::from(self.is(next + comma, Role::And));
            let part = self.count_and_unit(next + comma + and);
            let Some((part, behind)) = part.filter(|(part, _)| part.least < total.least) else { break };
            total = Ago { months: total.months + part.months, minutes: total.minutes + part.minutes, ..part };
            next = behind;
            is_joined &= and == 1;
        }
        if !self.is_ago_before(at) {
            return None;
        }
        // "vor 2 Stunden, 5 Min. Lesezeit": a following span may be something else.
        let is_end = self.token(next).is_none_or(|it| it.mark().is_some());
        let (ago, end) = if is_joined || is_end { (total, next) } else { (first, after_first) };
        ago.before(reference).map(|moment| (moment, end))
    }

    /// A number and its unit, and the token after them and a full stop.
    fn count_and_unit(&self, at: usize) -> Option<(Ago, usize)> {
        let token = self.token(at)?;
        let count = match token.number() {
            Some(count) => i32::try_from(count).ok().filter(|_| token.digits <= 3)?,
            None => {
                let count = token.value(Role::Count, &self.locale)?;
                (count == 1 || self.is_short(token, MAX_TOKENS)).then_some(count)?
            }
        };
        let unit_at = at + 1 + usize::from(self.is(at + 1, Role::CountLink));
        let minutes = self.token(unit_at)?.value(Role::Unit, &self.locale)?;
        let has_stop = self.token(unit_at + 1).is_some_and(|it| it.is_mark('.') && !it.spaced);
        Some((Ago::new(count, minutes), unit_at + 1 + usize::from(has_stop)))
    }

    /// Whether "ago" is before a token, possibly with a word for "about" between.
    fn is_ago_before(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map(|place| &self.tokens[place]);
        let about = usize::from(before(1).is_some_and(|it| it.is(Role::About)));
        before(1 + about).is_some_and(|it| it.value(Role::AgoBefore, &self.locale).is_some())
    }
}

/// A span of time and its smallest unit.
#[derive(Clone, Copy)]
struct Ago {
    months: i32,
    minutes: i32,
    least: i32,
}

impl Ago {
    fn new(count: i32, unit: i32) -> Ago {
        match unit {
            YEAR => Ago { months: 12 * count, minutes: 0, least: unit },
            MONTH.. => Ago { months: count * (unit / MONTH), minutes: 0, least: MONTH },
            _ => Ago { months: 0, minutes: count * unit, least: unit },
        }
    }

    /// The reference minus a span: with minutes below a day, days above it, and only months or years for those.
    fn before(self, reference: Moment) -> Option<Moment> {
        let months = i64::from(self.months).months();
        if self.least < DAY && reference.hour().is_some() {
            let local = reference.local().checked_sub(months).ok()?;
            return reference.at_minute(local.checked_sub(i64::from(self.minutes).minutes()).ok()?);
        }
        let day = day_before(reference, months.days(i64::from(self.minutes / DAY)))?;
        Some(match self.least {
            YEAR.. => Moment::of(day.local().date().first_of_year(), Precision::Year),
            MONTH.. => Moment::of(day.local().date().first_of_month(), Precision::Month),
            _ => day,
        })
    }
}

/// A date, if in the accepted years.
fn day_before(reference: Moment, span: Span) -> Option<Moment> {
    let date = reference.local().date().checked_sub(span).ok()?;
    (1900..=2099).contains(&date.year()).then(|| Moment::of(date, Precision::Day))
}
