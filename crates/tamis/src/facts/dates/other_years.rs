//! Dates whose years are counted otherwise: in one number with month and day, by an era, by another calendar.

use super::Moment;
use super::calendar::from_jalali;
use super::clock::{Clock, compact};
use super::reader::{Day, Reader};
use super::words::{MONTH_WORDS, YEAR_WORDS};

/// May a number be a year of the Persian calendar?
pub(super) fn is_jalali_year(value: u32) -> bool {
    (1250..=1450).contains(&value)
}

impl Reader<'_, '_> {
    /// Years of the Thai and the Persian calendar, where the page or the digits say so.
    pub(super) fn thai_or_persian(&self, at: usize) -> Option<Day> {
        let token = &self.tokens[at];
        let value = token.number()? as u32;
        let is =
            |tags: &[&str]| self.hints.language.is_some_and(|it| tags.contains(&it.get(..2).unwrap_or(it)));
        if is_jalali_year(value) && (self.counts_as_persians_do() || token.text.starts_with('۱')) {
            let (month_at, ..) = self.skip(at + 1, YEAR_WORDS, 4);
            let month = self.small_number(month_at)?;
            let (day_at, ..) = self.skip(month_at + 1, MONTH_WORDS, 3);
            let (year, month, day) = from_jalali(value, month, self.small_number(day_at)?)?;
            return self.whole(year, month, day, day_at + 1);
        }
        if (2443..=2642).contains(&value) && (is(&["th", "lo"]) || token.text.starts_with('๒')) {
            return self.behind_year(at, value - 543);
        }
        None
    }

    /// Is the page in a language whose pages count years as Persians do?
    pub(super) fn counts_as_persians_do(&self) -> bool {
        let language = self.hints.language.unwrap_or_default();
        ["fa", "prs", "ps", "ku", "ckb", "az-Arab", "mzn", "glk", "lrc"].iter().any(|it| {
            language.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
        })
    }

    /// 20101215, 20101215083000, seconds or milliseconds since 1970
    pub(super) fn in_one_number(&self, at: usize, value: u64) -> Option<Day> {
        let digits = self.tokens[at].digits;
        let (date, rest) = match digits {
            8 => (value, None),
            12 => (value / 10_000, Some(value % 10_000 * 100)),
            14 => (value / 1_000_000, Some(value % 1_000_000)),
            10 | 13 if self.tokens.len() == 1 => {
                let seconds = if digits == 13 { value / 1_000 } else { value };
                let moment = Moment::from_unix(i64::try_from(seconds).ok()?)?.local;
                let found = self.whole(
                    u32::from(moment.year),
                    u32::from(moment.month),
                    u32::from(moment.day),
                    at + 1,
                )?;
                let clock = Clock {
                    hour: moment.hour?,
                    minute: moment.minute,
                    second: moment.second,
                    offset: Some(0),
                };
                return Some(Day { clock: Some(clock), ..found });
            }
            _ => return None,
        };
        let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
        let mut found = self.whole(year as u32, month as u32, day as u32, at + 1)?;
        if let Some(rest) = rest.filter(|rest| rest / 10_000 < 24 && rest / 100 % 100 < 60 && rest % 100 < 60)
        {
            let part = |value: u64| value as u8;
            found.clock = Some(Clock {
                hour: part(rest / 10_000),
                minute: Some(part(rest / 100 % 100)),
                second: (digits == 14).then_some(part(rest % 100)),
                offset: None,
            });
        } else if self.tokens.get(at + 1).is_some_and(|it| matches!(it.text, "T" | "t"))
            && let Some((clock, behind)) = compact(&self.tokens, at + 2)
        {
            (found.clock, found.behind) = (Some(clock), behind);
        }
        Some(found)
    }

    /// 民國99年12月15日, 民國109/05/20, 令和2年12月15日
    pub(super) fn era(&self, at: usize) -> Option<Day> {
        // Every word is asked.
        if self.tokens[at].text.as_bytes()[0].is_ascii() {
            return None;
        }
        let pair = (self.tokens[at].text, self.tokens.get(at + 1)?.text);
        let before = match pair {
            ("民", "國" | "国") => 1911,
            ("令", "和") => 2018,
            ("平", "成") => 1988,
            ("昭", "和") => 1925,
            _ => return None,
        };
        // 109, 一百零九
        let year = self.tokens.get(at + 2)?.number().filter(|year| (1..=199).contains(year))? as u32;
        self.tokens.get(at + 3).filter(|it| it.text == "年" || matches!(it.mark(), Some('/' | '.' | '-')))?;
        self.behind_year(at + 2, year + before)
    }
}
