//! The time of day and the offset next to a date.

use crate::lexicon::{Role, bits};
use crate::moment::Clock;
use crate::reader::Reader;
use crate::tokens::Token;

/// Values of [`Role::Half`].
const MORNING: i32 = 0;
const NOON: i32 = 1;
const AFTERNOON: i32 = 2;
const NIGHT: i32 = 3;

/// Offsets reach from -14 to +14 hours.
const MAX_OFFSET: u64 = 14 * 60;

impl Reader<'_> {
    /// The time of day that starts at a token, and the token after it.
    pub(crate) fn clock(&self, at: usize) -> Option<(Clock, usize)> {
        let mut half = self.half_at(at);
        let hour_at = at + usize::from(half.is_some());
        let hour = u64::from(self.small_number(hour_at)?);
        let unit = self.token(hour_at + 1)?;
        let (minute, second, mut end) = match unit.mark() {
            // 2:1 is a score.
            Some(':') => self.minute_behind_colon(hour_at + 2)?,
            Some('.') if !unit.spaced => (self.dotted_minute(hour_at)?, None, hour_at + 3),
            Some(_) => return None,
            None => self.minute_behind_mark(hour_at, unit)?,
        };
        if half.is_none() {
            half = self.half_at(end);
            end += usize::from(half.is_some());
        }
        let hour = match half {
            Some(MORNING) if hour == 12 => 0,
            // Ambiguous: midnight at the start or the end of the day.
            Some(NIGHT) if hour == 12 => return None,
            Some(AFTERNOON | NIGHT) if hour < 12 => hour + 12,
            // "Eleven at noon" is before noon, "one at noon" after it.
            Some(NOON) if hour < 6 => hour + 12,
            _ => hour,
        };
        if self.token(end).is_some_and(|it| it.number().is_some() && !it.spaced) {
            return None;
        }
        let mut clock = Clock::new(hour, u64::from(minute), second)?;
        // With seconds or after a T, a signed number is an offset.
        let before = hour_at.checked_sub(1).and_then(|before| self.token(before));
        let is_behind_t = before.is_some_and(|it| it.text == "T") && !self.tokens[hour_at].spaced;
        let is_plain = second.is_none() && !is_behind_t;
        let minutes = hour * 60 + u64::from(minute);
        if let Some((offset, behind)) = self.offset(end)
            && !(is_plain && self.is_range_or_count(end, behind, minutes))
        {
            (clock.offset, end) = (Some(offset), behind);
        }
        Some((clock, end))
    }

    /// The time of day after a date, with a few words or a weekday between.
    pub(crate) fn clock_behind(&self, behind: usize) -> Option<(Clock, usize)> {
        const MAX_TOKENS: usize = 9;
        const MAX_BYTES: usize = 32;
        let end = self.token(behind.checked_sub(1)?)?.end();
        for at in behind..behind + MAX_TOKENS {
            let token = self.token(at).filter(|it| it.start <= end + MAX_BYTES)?;
            if at == behind + 1
                && self.tokens[behind].text == "T"
                && (self.is_value || !(self.tokens[behind].spaced || token.spaced))
                && let Some(found) = self.compact_clock(at)
            {
                return Some(found);
            }
            if let Some(found) = self.clock(at) {
                return Some(found);
            }
            // A number before a word is a duration or a score. In scripts without spaces, words are not separated.
            let links = bits(&[Role::At, Role::ClockLabel, Role::Weekday]);
            let is_other = token.is_word() && token.text.is_ascii() && token.roles() & links == 0;
            // Numbered weekdays are not written in digits.
            let is_number = token.number().is_some() && token.text.is_ascii();
            if (is_other && !self.is_value) || is_number || self.half_at(at) == Some(NIGHT) {
                return None;
            }
        }
        None
    }

    /// The clock of `20101215T083000Z`.
    pub(crate) fn compact_clock(&self, at: usize) -> Option<(Clock, usize)> {
        let value = self.token(at)?.number()?;
        let mut clock = match self.tokens[at].digits {
            4 => Clock::new(value / 100, value % 100, None)?,
            6 => Clock::new(value / 10_000, value / 100 % 100, Some(value % 100))?,
            _ => return None,
        };
        let mut end = at + 1;
        if let Some((offset, behind)) = self.offset(end) {
            (clock.offset, end) = (Some(offset), behind);
        }
        Some((clock, end))
    }

    fn half_at(&self, at: usize) -> Option<i32> {
        self.token(at)?.value(Role::Half, &self.locale)
    }

    /// A minute and its seconds; a fraction is ignored.
    fn minute_behind_colon(&self, at: usize) -> Option<(u32, Option<u64>, usize)> {
        let minute = self.number_of(at, 2)?;
        let second = self.small_number(at + 2).filter(|_| self.is_mark(at + 1, ':')).map(u64::from);
        let has_fraction = (self.is_mark(at + 3, '.') || self.is_mark(at + 3, ','))
            && self.token(at + 4).is_some_and(|it| it.number().is_some() && !it.spaced);
        Some((
            minute,
            second,
            at + if second.is_none() {
                1
            } else if has_fraction {
                5
            } else {
                3
            },
        ))
    }

    /// 8.30 is a time of day only with a word for it before or after.
    fn dotted_minute(&self, hour_at: usize) -> Option<u32> {
        let minute = self.small_number(hour_at + 2)?;
        let before = self.tokens[..hour_at].iter().rev().take(3).find(|it| it.mark().is_none());
        let is_said = before.is_some_and(|it| it.is(Role::DottedClockBefore));
        (is_said || self.is(hour_at + 3, Role::DottedClockAfter)).then_some(minute)
    }

    /// 8时30分15秒, 8h30, 8 h 30, 8 pm
    fn minute_behind_mark(&self, hour_at: usize, unit: &Token<'_>) -> Option<(u32, Option<u64>, usize)> {
        let at = hour_at + 2;
        match unit.value(Role::HourMark, &self.locale) {
            Some(0) => {
                let part = |at: usize, role: Role| self.small_number(at).filter(|_| self.is(at + 1, role));
                Some(match (part(at, Role::MinuteMark), part(at + 2, Role::SecondMark)) {
                    (None, _) => (0, None, at),
                    (Some(minute), None) => (minute, None, at + 2),
                    (Some(minute), Some(second)) => (minute, Some(u64::from(second)), at + 4),
                })
            }
            Some(_) => {
                let next = self.token(at).filter(|it| it.spaced == unit.spaced);
                let minute = next.and_then(Token::small_number);
                if unit.spaced && self.token(at).is_some() && self.number_of(at, 2).is_none() {
                    return None;
                }
                Some((minute.unwrap_or(0), None, at + usize::from(minute.is_some())))
            }
            None => self.half_at(hour_at + 1).map(|_| (0, None, hour_at + 1)),
        }
    }

    /// Whether what looks like an offset is the end of a range (10:00-11:30), or a number of something (8:30 +12
    /// votes).
    fn is_range_or_count(&self, at: usize, behind: usize, minutes: u64) -> bool {
        let Some(sign) = self.token(at).and_then(Token::mark).filter(|mark| matches!(mark, '+' | '-')) else {
            return false;
        };
        let number = |place: usize| self.token(place).and_then(Token::number).unwrap_or(0);
        if behind == at + 4 {
            return sign == '-' && number(at + 1) * 60 + number(at + 3) > minutes;
        }
        self.token(behind).is_some_and(|it| it.is_word() && it.spaced && self.zone(it).is_none())
    }

    /// Minutes ahead of UTC, by a name or a sign: Z, +08:00, GMT+8, CET.
    fn offset(&self, at: usize) -> Option<(i16, usize)> {
        let at = at + usize::from(self.is_mark(at, '('));
        let token = self.token(at)?;
        if !token.is_word() {
            return self.signed_offset(at);
        }
        let named = self.zone(token)?;
        let signed = if named == 0 { self.signed_offset(at + 1) } else { None };
        Some(signed.unwrap_or((named, at + 1)))
    }

    fn signed_offset(&self, at: usize) -> Option<(i16, usize)> {
        let is_east = match self.token(at)?.mark()? {
            '+' => true,
            '-' => false,
            _ => return None,
        };
        let number = self.token(at + 1).filter(|it| !it.spaced)?;
        let value = number.number()?;
        let (minutes, end) = match number.digits {
            4 => (value / 100 * 60 + value % 100, at + 2),
            1 | 2 => {
                let colon = self.token(at + 2).filter(|it| it.is_mark(':') && !it.spaced);
                match colon.and_then(|_| self.small_number(at + 3)) {
                    Some(rest) => (value * 60 + u64::from(rest), at + 4),
                    // A dash and a number are a range.
                    None if !is_east && self.tokens[at].spaced => return None,
                    None => (value * 60, at + 2),
                }
            }
            _ => return None,
        };
        let minutes = i16::try_from(minutes).ok().filter(|_| minutes <= MAX_OFFSET)?;
        Some((if is_east { minutes } else { -minutes }, end))
    }

    /// The offset of a time zone abbreviation, in capitals; one letter may be lower case.
    fn zone(&self, token: &Token<'_>) -> Option<i16> {
        let value = token.value(Role::Zone, &self.locale)?;
        let is_name = token.text.len() == 1 || token.text.chars().all(char::is_uppercase);
        is_name.then_some(value as i16)
    }
}
