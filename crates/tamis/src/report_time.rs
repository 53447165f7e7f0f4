//! When a text was reported: the dates that news pages write beside their text.
//!
//! The forms are those of the paper behind `blocks`: 2010-12-15, 2010/12/15, 2010.12.15, 2010年12月15日 and
//! 二零一零年十二月十五日, in digits of half or full width or in Chinese numerals, with a clock time where one follows. A
//! date that no calendar has is no date.

use std::fmt;

use crate::facts::dates::calendar::days_in;
use crate::facts::dates::numerals::{digit, numeral};

/// A day, and a time of day as far as it is said. Without a time zone: pages do not say one.
///
/// ```
/// use tamis::report_time::ReportTime;
///
/// let time = ReportTime::find("Reported on 2010-12-15 08:30:15 by our staff").unwrap();
/// assert_eq!((time.year, time.month, time.day), (2010, 12, 15));
/// assert_eq!(time.to_string(), "2010-12-15T08:30:15");
/// assert_eq!(ReportTime::find("二〇一〇年十二月十五日").unwrap().to_string(), "2010-12-15");
/// assert_eq!(ReportTime::find("2010-02-30"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ReportTime {
    /// From 1900 to 2099.
    pub year: u16,
    /// From 1 to 12.
    pub month: u8,
    /// From 1 to the month's last.
    pub day: u8,
    /// From 0 to 23.
    pub hour: Option<u8>,
    /// From 0 to 59; only with an hour.
    pub minute: Option<u8>,
    /// From 0 to 59; only with a minute.
    pub second: Option<u8>,
}

impl fmt::Display for ReportTime {
    /// As ISO 8601 has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)?;
        for (mark, part) in [('T', self.hour), (':', self.minute), (':', self.second)] {
            let Some(part) = part else { break };
            write!(f, "{mark}{part:02}")?;
        }
        Ok(())
    }
}

impl ReportTime {
    /// A day, without a time of day. The caller knows that there is such a day.
    pub(crate) fn of_day(year: u16, month: u8, day: u8) -> ReportTime {
        ReportTime { year, month, day, hour: None, minute: None, second: None }
    }

    /// The first date in a text.
    ///
    /// ```
    /// use tamis::report_time::ReportTime;
    ///
    /// assert_eq!(ReportTime::find("２０１０年１２月１５日 下午3时05分").unwrap().to_string(), "2010-12-15T15:05");
    /// assert_eq!(ReportTime::find("call 2010-12"), None);
    /// ```
    pub fn find(text: &str) -> Option<ReportTime> {
        // Most texts have nothing that could begin a date: no digit, no numeral.
        let may_begin = |found: bool, byte: &u8| found | byte.is_ascii_digit() | (*byte >= 0xE2);
        // By chunks without a way out, which the compiler turns into vector code.
        if !text.as_bytes().chunks(64).any(|chunk| chunk.iter().fold(false, may_begin)) {
            return None;
        }
        let mut in_number = false;
        for (at, character) in text.char_indices() {
            let is_digit = digit(character).is_some();
            // A date begins where a number does; among Chinese numerals at any.
            let may_begin = (is_digit && !in_number) || numeral(character).is_some();
            in_number = is_digit;
            if may_begin && let Some(time) = Reader(&text[at..]).date() {
                return Some(time);
            }
        }
        None
    }
}

/// What is left to be read. Every method that finds what it wants steps behind it, and else stays.
#[derive(Clone, Copy)]
struct Reader<'t>(&'t str);

impl Reader<'_> {
    fn date(mut self) -> Option<ReportTime> {
        let year = self.year()?;
        let separator = self.separator()?;
        let month = self.number()?;
        let day = match separator {
            '年' => {
                self.skip_space();
                self.one_of("月")?;
                self.skip_space();
                let day = self.last_number()?;
                self.skip_space();
                // The paper's pattern ends in "日?".
                let _ = self.one_of("日号號");
                day
            }
            _ => {
                (self.separator()? == separator).then_some(())?;
                let day = self.last_number()?;
                let _ = self.one_of("日");
                day
            }
        };
        if !(1900..=2099).contains(&year) || !(1..=days_in(year, month)?).contains(&day) {
            return None;
        }
        let mut time = ReportTime {
            year: year as u16,
            month: month as u8,
            day: day as u8,
            hour: None,
            minute: None,
            second: None,
        };
        if let Some([hour, minute, second]) = self.clock() {
            (time.hour, time.minute, time.second) = (hour, minute, second);
        }
        Some(time)
    }

    /// Four digits, or four numerals as in 二〇一〇.
    fn year(&mut self) -> Option<u32> {
        let mut year = 0;
        let mut characters = self.0.chars();
        for _ in 0..4 {
            let next = characters.next()?;
            year = year * 10 + digit(next).or_else(|| numeral(next).filter(|&value| value < 10))?;
        }
        self.0 = characters.as_str();
        Some(year)
    }

    /// What stands between year, month and day, brought to one form.
    fn separator(&mut self) -> Option<char> {
        let before = *self;
        self.skip_space();
        let found = match self.one_of("年-./,－．／，") {
            Some('－') => '-',
            Some('．') => '.',
            Some('／') => '/',
            Some('，') => ',',
            Some(found) => found,
            None => {
                *self = before;
                return None;
            }
        };
        if found == '年' {
            self.skip_space();
        }
        Some(found)
    }

    /// A number of one or two digits, or of Chinese numerals up to 99: 五, 十五, 二十五, 廿五, 卅.
    fn number(&mut self) -> Option<u32> {
        let first = self.0.chars().next()?;
        if digit(first).is_some() {
            return self.digits(2);
        }
        let mut rest = self.0.chars();
        let mut value = match numeral(rest.next()?)? {
            // Two numerals side by side, as in 一五, are digits.
            unit @ 0..=9 => match rest.clone().next().and_then(numeral) {
                Some(10) => {
                    rest.next();
                    unit * 10
                }
                Some(second @ 0..=9) => {
                    rest.next();
                    self.0 = rest.as_str();
                    return Some(unit * 10 + second);
                }
                _ => {
                    self.0 = rest.as_str();
                    return Some(unit);
                }
            },
            tens => tens,
        };
        if let Some(unit @ 1..=9) = rest.clone().next().and_then(numeral) {
            rest.next();
            value += unit;
        }
        self.0 = rest.as_str();
        Some(value)
    }

    /// As [`number`](Self::number), with no further digit behind it.
    fn last_number(&mut self) -> Option<u32> {
        let number = self.number()?;
        let goes_on = self.0.chars().next().is_some_and(|next| digit(next).is_some());
        (!goes_on).then_some(number)
    }

    /// One to `most` digits.
    fn digits(&mut self, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(next) = self.0.chars().next().and_then(digit) else { break };
            value = Some(value.unwrap_or(0) * 10 + next);
            self.0 = &self.0[self.0.chars().next().map_or(0, char::len_utf8)..];
        }
        value
    }

    /// A time of day: 08:30, 08:30:15, 8时30分, 上午8点, 8:30 PM.
    fn clock(mut self) -> Option<[Option<u8>; 3]> {
        let _ = self.one_of("T,，");
        self.skip_space();
        self.skip_weekday();
        self.skip_space();
        let half = self.half_of_day();
        self.skip_space();
        let hour = self.number()?;
        let (minute, second) = match self.one_of(":：时時点點")? {
            ':' | '：' => {
                let minute = self.digits(2)?;
                (Some(minute), self.one_of(":：").and_then(|_| self.digits(2)))
            }
            _ => {
                let minute = self.number_before("分");
                let second = if minute.is_some() { self.number_before("秒") } else { None };
                (minute, second)
            }
        };
        let before = self;
        self.skip_space();
        let half = half.or_else(|| self.half_of_day());
        if half.is_none() {
            self = before;
        }
        let goes_on = self.0.chars().next().is_some_and(|next| digit(next).is_some());
        let hour = match half {
            Some(Half::First) if hour == 12 => 0,
            Some(Half::Second) if hour < 12 => hour + 12,
            // 中午11点 is before noon, 中午1点 behind it.
            Some(Half::Noon) if hour < 6 => hour + 12,
            _ => hour,
        };
        let valid = hour < 24 && minute.unwrap_or(0) < 60 && second.unwrap_or(0) < 60 && !goes_on;
        let part = |number: Option<u32>| number.map(|number| number as u8);
        valid.then_some([part(Some(hour)), part(minute), part(second)])
    }

    /// A number that this unit follows.
    fn number_before(&mut self, unit: &str) -> Option<u32> {
        let mut ahead = *self;
        let number = ahead.number()?;
        ahead.one_of(unit)?;
        *self = ahead;
        Some(number)
    }

    fn half_of_day(&mut self) -> Option<Half> {
        const HALVES: [(&str, Half); 12] = [
            ("上午", Half::First),
            ("凌晨", Half::First),
            ("清晨", Half::First),
            ("早上", Half::First),
            ("早晨", Half::First),
            ("中午", Half::Noon),
            ("下午", Half::Second),
            ("傍晚", Half::Second),
            ("晚上", Half::Second),
            ("夜间", Half::Second),
            ("am", Half::First),
            ("pm", Half::Second),
        ];
        let (word, half) = HALVES.into_iter().find(|(word, _)| {
            let start = self.0.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        })?;
        self.0 = &self.0[word.len()..];
        Some(half)
    }

    /// 星期三, 周三, 礼拜三, in brackets or not.
    fn skip_weekday(&mut self) {
        let mut ahead = *self;
        let bracket = ahead.one_of("(（[【");
        let word = ["星期", "礼拜", "周", "週"].into_iter().find(|word| ahead.0.starts_with(word));
        let Some(word) = word else { return };
        ahead.0 = &ahead.0[word.len()..];
        if ahead.one_of("一二三四五六日天").is_none()
            || (bracket.is_some() && ahead.one_of(")）]】").is_none())
        {
            return;
        }
        *self = ahead;
    }

    fn one_of(&mut self, characters: &str) -> Option<char> {
        let next = self.0.chars().next().filter(|&next| characters.contains(next))?;
        self.0 = &self.0[next.len_utf8()..];
        Some(next)
    }

    fn skip_space(&mut self) {
        self.0 = self.0.trim_start();
    }
}

#[derive(Clone, Copy)]
enum Half {
    First,
    Noon,
    Second,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        ReportTime::find(text).map(|time| time.to_string())
    }

    #[track_caller]
    fn is(text: &str, iso: &str) {
        assert_eq!(found(text).as_deref(), Some(iso), "{text}");
    }

    #[test]
    fn the_papers_forms() {
        for text in ["2010-12-15", "2010年12月15日", "2010/12/15", "二零一零年十二月十五日"] {
            is(text, "2010-12-15");
            is(&format!("来源：某报 {text} 记者"), "2010-12-15");
        }
    }

    #[test]
    fn other_separators_and_widths() {
        for text in [
            "2010.12.15",
            "2010,12,15",
            "２０１０－１２－１５",
            "２０１０年１２月１５日",
            "2010 年 12 月 15 日",
            "2010年12月15号",
            "2010年12月15",
            "2010-12-15日",
        ] {
            is(text, "2010-12-15");
        }
        is("2010-1-5", "2010-01-05");
    }

    #[test]
    fn chinese_numerals() {
        is("二〇一〇年十二月十五日", "2010-12-15");
        is("二○一○年一月一日", "2010-01-01");
        is("二零一一年十月十日", "2011-10-10");
        is("二零一一年十月二十日", "2011-10-20");
        is("二零一一年十月二十五日", "2011-10-25");
        is("二零一一年十月廿五日", "2011-10-25");
        is("二零一一年十月廿日", "2011-10-20");
        is("二零一一年十月卅一日", "2011-10-31");
        is("二零一一年十月三十日", "2011-10-30");
        is("一九九九年一二月三一日", "1999-12-31");
        is("2010年十二月15日", "2010-12-15");
    }

    #[test]
    fn a_clock_time_may_follow() {
        is("2010-12-15 08:30", "2010-12-15T08:30");
        is("2010-12-15 08:30:15", "2010-12-15T08:30:15");
        is("2010-12-15T08:30:15Z", "2010-12-15T08:30:15");
        is("2010年12月15日8时30分", "2010-12-15T08:30");
        is("2010年12月15日 8时30分15秒", "2010-12-15T08:30:15");
        is("2010年12月15日8点", "2010-12-15T08");
        is("2010年12月15日08：30", "2010-12-15T08:30");
        is("２０１０年１２月１５日　０８：３０", "2010-12-15T08:30");
        is("2010年12月15日 上午8:30", "2010-12-15T08:30");
        is("2010年12月15日 下午3:05", "2010-12-15T15:05");
        is("2010年12月15日下午12:30", "2010-12-15T12:30");
        is("2010年12月15日凌晨12:30", "2010-12-15T00:30");
        is("2010年12月15日晚上8点", "2010-12-15T20");
        is("2010年12月15日（星期三） 08:30", "2010-12-15T08:30");
        is("二零一零年十二月十五日上午八时三十分", "2010-12-15T08:30");
        is("2010/12/15 8:30 PM", "2010-12-15T20:30");
    }

    #[test]
    fn a_clock_that_does_not_exist_is_left_out() {
        is("2010-12-15 24:00", "2010-12-15");
        is("2010-12-15 12:75", "2010-12-15");
        is("2010-12-15 3:1 won", "2010-12-15T03:01");
        is("2010-12-15 阅读", "2010-12-15");
    }

    #[test]
    fn days_that_do_not_exist_are_no_dates() {
        for text in [
            "2010-13-01",
            "2010-00-10",
            "2010-02-30",
            "2010-02-29",
            "1900-02-29",
            "2010-04-31",
            "2010-12-00",
            "2010-12-32",
            "0999-12-15",
            "2010-12-150",
            "12010-12-15",
            "2010-12/15",
            "2010-12",
            "2010年12月",
            "2010年",
            "",
            "no date",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        is("2012-02-29", "2012-02-29");
        is("2000-02-29", "2000-02-29");
        is("2010-02-30 and 2010-03-01", "2010-03-01");
    }

    #[test]
    fn times_sort_by_when_they_are() {
        let time = |text| ReportTime::find(text).unwrap();
        assert!(time("2010-12-15") < time("2010-12-15 08:30"));
        assert!(time("2009-12-31") < time("2010-01-01"));
    }
}
