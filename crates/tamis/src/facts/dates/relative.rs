//! "3 hours ago" and its like, against the time at which the page was fetched.

mod words;

use super::calendar::{day_number, days_in};
use super::clock::clock;
use super::tokens::{Token, tokens};
use super::{Hints, Moment, Precision};
use crate::characters::small;
use words::{
    AND, AT, BEFORE, BEHIND, BETWEEN, DAY, DAYS, DUALS, HALVES, MINUTE, MONTH, NOW, SHORT, SINGLE, UNSPACED,
    UNSPACED_AGO, UNSPACED_DAYS, YEAR, may_be_unspaced, words,
};

/// The moment that such words at a place mean, and the place behind them.
pub(super) fn at(text: &str, tokens: &[Token<'_>], at: usize, hints: &Hints<'_>) -> Option<(Moment, usize)> {
    let fetched = hints.fetched?;
    let token = &tokens[at];
    if !token.is_word() {
        return counted(text, tokens, at, hints, fetched);
    }
    let rest = &text[token.start..];
    let behind_bytes = |bytes: usize| from_byte(tokens, token.start + bytes);
    let is_short = tokens.len() <= SHORT;
    // Few letters begin these: every word of a line is asked.
    if is_short
        && (rest.starts_with(['j', 'J']) || !rest.as_bytes()[0].is_ascii())
        && let Some(word) = NOW.iter().find(|word| rest.starts_with(*word))
    {
        return Span::of(0, MINUTE).before(fetched).map(|moment| (moment, behind_bytes(word.len())));
    }
    if may_begin_unspaced(rest)
        && let Some((word, days)) = UNSPACED_DAYS.iter().find(|(word, _)| rest.starts_with(word))
    {
        // 今天是2010年12月15日 says what day it is, and of nothing that it was written then.
        if rest[word.len()..].starts_with(['是', '为', '為']) {
            return None;
        }
        return day_back(tokens, fetched, *days, behind_bytes(word.len()), hints);
    }
    let small = small(token.text);
    // In a longer line, a day's name says when things happened.
    if is_short && let Some(told) = words().telling.get(small.as_ref()) {
        let is_spoken = |languages: &str| match hints.language {
            Some(language) => {
                let base = language.split(['-', '_']).next().unwrap_or_default();
                // Templates speak English everywhere.
                languages == "en" || languages.split(' ').any(|it| it.eq_ignore_ascii_case(base))
            }
            None => true,
        };
        if let Some(days) = told.days.filter(|_| is_spoken(told.languages)) {
            return day_back(tokens, fetched, days, at + 1, hints);
        }
        let in_two = || {
            let second = crate::characters::small(tokens.get(at + 1)?.text);
            DAYS.iter().find(|(word, _, languages)| {
                word.split_once(' ') == Some((small.as_ref(), second.as_ref())) && is_spoken(languages)
            })
        };
        if told.is_begun
            && let Some((_, days, _)) = in_two()
        {
            return day_back(tokens, fetched, *days, at + 2, hints);
        }
    }
    if is_short && let Some(found) = without_number(tokens, at, &small, rest, hints, fetched) {
        return Some(found);
    }
    counted(text, tokens, at, hints, fetched)
}

/// Does a word in small letters stand between a day and its clock?
pub(super) fn is_at(word: &str) -> bool {
    AT.contains(&word)
}

/// Does a word of ASCII, without which nothing counts back, stand in a line? "ago" and its like, and the days with names.
pub(super) fn is_telling(word: &[u8]) -> bool {
    const LONGEST: usize = 12;
    if !(2..=LONGEST).contains(&word.len()) {
        return false;
    }
    let mut small = [0; LONGEST];
    let small = &mut small[..word.len()];
    small.copy_from_slice(word);
    small.make_ascii_lowercase();
    std::str::from_utf8(small).is_ok_and(|word| {
        words().telling.contains_key(word) || BEFORE.contains(&word) || matches!(word, "just" | "half" | "il")
    })
}

/// Does a text begin with the name of a day: yesterday, 昨天?
pub(crate) fn names_day(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let two = text.split(|c: char| !c.is_alphabetic() && c != ' ').next().unwrap_or_default();
    let (word, two) = (small(word), small(two.trim()));
    words().telling.get(word.as_ref()).is_some_and(|told| told.days.is_some())
        || DAYS.iter().any(|(day, ..)| day.contains(' ') && two.starts_with(day))
        || UNSPACED_DAYS.iter().any(|(day, _)| text.starts_with(day))
}

/// Could one of [`UNSPACED_DAYS`] begin here?
fn may_begin_unspaced(rest: &str) -> bool {
    rest.starts_with(['今', '昨', '前', '오', '어', '그', '\u{e40}', '\u{e27}'])
}

/// So many days before the fetch, with the clock that stands right behind, or behind a mark or "at".
fn day_back(
    tokens: &[Token<'_>],
    fetched: Moment,
    days: i64,
    behind: usize,
    hints: &Hints<'_>,
) -> Option<(Moment, usize)> {
    let mut moment = Moment::of_day_number(fetched.day_number() - days)?;
    let mut next = behind;
    // hier à 08h30, ayer a las 08:30, вчера в 08:30; with a comma before.
    while next < behind + 3
        && tokens
            .get(next)
            .is_some_and(|it| it.mark().is_some() || (it.is_word() && AT.contains(&small(it.text).as_ref())))
    {
        next += 1;
    }
    if let Some((clock, end)) = clock(tokens, next, hints.language) {
        (moment.local.hour, moment.local.minute, moment.local.second) =
            (Some(clock.hour), clock.minute, clock.second);
        moment.offset = clock.offset;
        return Some((moment, end));
    }
    Some((moment, behind))
}

/// Does a short line count back from some time, whenever that was? It takes less than to read it: the unit may be any word.
pub(super) fn tells_span(text: &str) -> bool {
    // Alone, these are other words as well.
    const VAGUE: [&str; 5] = ["a", "fa", "fai", "ha", "yang"];
    if may_be_unspaced(text) {
        let is_ago = |rest: &str| UNSPACED_AGO.iter().any(|ago| rest.trim_start().starts_with(ago));
        let mut units = UNSPACED.iter().flat_map(|(_, words)| words.iter());
        let mut days = UNSPACED_DAYS.iter().filter(|(_, days)| *days > 0);
        if units.any(|unit| text.split_once(unit).is_some_and(|(_, rest)| is_ago(rest)))
            || days.any(|(word, _)| text.contains(word))
        {
            return true;
        }
    }
    let small = small(text);
    let tokens = tokens(&small);
    let is_count = |token: &Token<'_>| token.number().is_some() && token.digits <= 3;
    let is_unit =
        |token: Option<&Token<'_>>| token.is_some_and(|token| words().units.contains_key(token.text));
    tokens.iter().enumerate().filter(|(_, token)| token.is_word()).any(|(at, token)| {
        let is_plain = !VAGUE.contains(&token.text);
        // What is done today has numbers as well, unless the line begins so.
        let is_head = at == 0 && tokens.len() <= 6;
        let told = words().telling.get(token.text).copied().unwrap_or_default();
        if told.days.is_some_and(|days| days > 0 || is_head) {
            return true;
        }
        if told.is_behind {
            let before = &tokens[at.saturating_sub(4)..at];
            let is_strict =
                || at >= 2 && is_unit(tokens.get(at - 1)) && tokens.get(at - 2).is_some_and(is_count);
            if (is_plain && before.iter().any(is_count)) || is_strict() {
                return true;
            }
        }
        let is_sure = || is_plain || token.text == "a";
        tokens.get(at + 1).is_some_and(is_count)
            && tokens.get(at + 2).is_some_and(Token::is_word)
            && is_ago_before(&tokens, at + 1, &Hints::default())
            && (is_sure() || is_unit(tokens.get(at + 2)))
    })
}

/// Halves, and spans that need no number.
fn without_number(
    tokens: &[Token<'_>],
    at: usize,
    small: &str,
    rest: &str,
    hints: &Hints<'_>,
    fetched: Moment,
) -> Option<(Moment, usize)> {
    let may_be_half = rest.starts_with(['h', 'H', 'п', 'П', '半']);
    if may_be_half
        && let Some((phrase, count, unit)) = HALVES
            .iter()
            .find(|(phrase, ..)| rest.get(..phrase.len()).is_some_and(|it| it.to_lowercase() == *phrase))
    {
        let behind = from_byte(tokens, tokens[at].start + phrase.len());
        return Span::of(*count, *unit).before(fetched).map(|moment| (moment, behind));
    }
    let (count, unit) = match words().units.get(small) {
        Some(unit) => SINGLE.contains(&small).then_some((1, *unit))?,
        None if small.is_ascii() => return None,
        None => DUALS.iter().find(|(word, _)| *word == small).map(|(_, unit)| (2, *unit))?,
    };
    // 21 день тому is no single day.
    if at > 0 && tokens[at - 1].number().is_some() {
        return None;
    }
    let behind = match ago_behind(tokens, at + 1) {
        Some(behind) => behind,
        // منذ عام 2010 is since that year.
        None => {
            let is_end = count == 2 || tokens.get(at + 1).is_none_or(|it| it.mark().is_some());
            (is_end && is_ago_before(tokens, at, hints)).then_some(at + 1)?
        }
    };
    Span::of(count, unit).before(fetched).map(|moment| (moment, behind))
}

/// One number with its span or several, the longest first, and "ago" on either side.
fn counted(
    text: &str,
    tokens: &[Token<'_>],
    at: usize,
    hints: &Hints<'_>,
    fetched: Moment,
) -> Option<(Moment, usize)> {
    // 1.5 hours ago are not five.
    if let Some([number, mark]) = at.checked_sub(2).and_then(|from| tokens.get(from..at))
        && number.number().is_some()
        && matches!(mark.mark(), Some('.' | ','))
        && !mark.spaced
        && !tokens[at].spaced
    {
        return None;
    }
    let Part { span: first, behind: mut next, mut end } = part(text, tokens, at)?;
    let (mut span, mut least) = (first, first.least);
    let (after_first, mut is_joined) = (next, true);
    loop {
        let ago = match end {
            Some(end) => unspaced_ago(text, tokens, end),
            None => ago_behind(tokens, next),
        };
        if let Some(behind) = ago {
            return span.before(fetched).map(|moment| (moment, behind));
        }
        let comma = usize::from(tokens.get(next).is_some_and(|it| it.mark() == Some(',')));
        let and =
            tokens.get(next + comma).is_some_and(|it| it.is_word() && AND.contains(&small(it.text).as_ref()));
        let part = part(text, tokens, next + comma + usize::from(and));
        let Some(Part { span: more, behind, end: its_end }) = part.filter(|part| part.span.least < least)
        else {
            break;
        };
        span = Span {
            months: span.months + more.months,
            minutes: span.minutes + more.minutes,
            least: more.least,
        };
        (least, next, end) = (more.least, behind, its_end);
        is_joined &= and;
    }
    if !is_ago_before(tokens, at, hints) {
        return None;
    }
    // vor 2 Stunden, 5 Min. Lesezeit: what only stands behind it may be another thing.
    let is_end = tokens.get(next).is_none_or(|it| it.mark().is_some());
    let (span, behind) = if is_joined || is_end { (span, next) } else { (first, after_first) };
    span.before(fetched).map(|moment| (moment, behind))
}

/// A number and its unit.
struct Part {
    span: Span,
    /// The place behind them and a full stop.
    behind: usize,
    /// The byte behind a unit of a script without spaces.
    end: Option<usize>,
}

fn part(text: &str, tokens: &[Token<'_>], at: usize) -> Option<Part> {
    let token = tokens.get(at)?;
    let count = match token.number() {
        Some(count) => i64::try_from(count).ok().filter(|_| token.digits <= 3)?,
        None if token.is_word() => {
            let count = *words().counts.get(small(token.text).as_ref())?;
            (count == 1 || tokens.len() <= SHORT).then_some(count)?
        }
        None => return None,
    };
    // Romanian: 20 de minute
    let of = usize::from(tokens.get(at + 1).is_some_and(|it| it.text == "de"));
    let unit = tokens.get(at + 1 + of).filter(|it| it.is_word())?;
    let rest = &text[unit.start..];
    // None of them is of ASCII.
    let is_other_script = !rest.as_bytes()[0].is_ascii();
    let unspaced = UNSPACED.iter().filter(|_| is_other_script).find_map(|(minutes, words)| {
        words.iter().find(|word| rest.starts_with(**word)).map(|word| (*minutes, word.len()))
    });
    if let Some((minutes, length)) = unspaced {
        let end = unit.start + length;
        return Some(Part { span: Span::of(count, minutes), behind: from_byte(tokens, end), end: Some(end) });
    }
    let minutes = *words().units.get(small(unit.text).as_ref())?;
    let behind = at + 2 + of;
    let dot = usize::from(tokens.get(behind).is_some_and(|it| it.mark() == Some('.') && !it.spaced));
    Some(Part { span: Span::of(count, minutes), behind: behind + dot, end: None })
}

/// The place behind "ago", where that stands at a place.
fn ago_behind(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let is = |place: usize, words: &[&str]| {
        tokens.get(place).is_some_and(|it| it.is_word() && words.contains(&small(it.text).as_ref()))
    };
    if is(at, BEHIND) {
        return Some(at + 1);
    }
    // 3 tahun yang lalu; "yang" alone is "who".
    (is(at, &["yang"]) && is(at + 1, &["lalu"])).then_some(at + 2)
}

/// The place behind "ago" in scripts without spaces, from the byte behind a unit.
fn unspaced_ago(text: &str, tokens: &[Token<'_>], from: usize) -> Option<usize> {
    let rest = text[from..].trim_start();
    let ago = UNSPACED_AGO.iter().find(|ago| rest.starts_with(**ago))?;
    let behind = &rest[ago.len()..];
    // 3년 전국 and 3年前后 are other words.
    let next = behind.chars().next();
    let is_other = match *ago {
        "전" => next.is_some_and(|next| next.is_alphabetic() && next != '에'),
        "前" => next.is_some_and(|next| matches!(next, '后' | '後' | '期' | '半')),
        _ => false,
    };
    (!is_other).then(|| from_byte(tokens, text.len() - behind.len()))
}

/// Does "ago" stand before a place?
fn is_ago_before(tokens: &[Token<'_>], at: usize, hints: &Hints<'_>) -> bool {
    let word = |back: usize| {
        at.checked_sub(back).and_then(|place| tokens.get(place)).map(|it| small(it.text)).unwrap_or_default()
    };
    let skip = usize::from(BETWEEN.contains(&word(1).as_ref()));
    match word(1 + skip).as_ref() {
        // il y a 3 heures
        "a" => word(2 + skip) == "y",
        // Italian children have years: ha 3 anni.
        "ha" => hints.language.is_some_and(|it| ["pt", "gl"].iter().any(|base| it.starts_with(base))),
        // în urmă cu 3 ore
        "cu" => word(2 + skip) == "urmă",
        before => BEFORE.contains(&before),
    }
}

/// The first token at a byte or behind it.
fn from_byte(tokens: &[Token<'_>], byte: usize) -> usize {
    tokens.iter().position(|it| it.start >= byte).unwrap_or(tokens.len())
}

/// A span of time, and the minutes of the least unit it is told in.
#[derive(Clone, Copy)]
struct Span {
    months: i64,
    minutes: i64,
    least: i64,
}

impl Span {
    fn of(count: i64, unit: i64) -> Span {
        match unit {
            YEAR => Span { months: 12 * count, minutes: 0, least: unit },
            MONTH => Span { months: count, minutes: 0, least: unit },
            unit => Span { months: 0, minutes: count * unit, least: unit },
        }
    }

    /// So long before; to the minute below a day, above it to the day, and of months and years no more than these.
    fn before(self, fetched: Moment) -> Option<Moment> {
        let month = 12 * i64::from(fetched.local.year) + i64::from(fetched.local.month) - 1 - self.months;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
        let last = days_in(u32::try_from(year).ok()?, u32::try_from(month).ok()?)?;
        let day = day_number(year, month, i64::from(fetched.local.day).min(i64::from(last)));
        if self.least >= MONTH {
            let rough = if self.least >= YEAR { Precision::Year } else { Precision::Month };
            return Moment::of_day_number(day).map(|moment| Moment { rough: Some(rough), ..moment });
        }
        let Some(hour) = fetched.local.hour.filter(|_| self.least < DAY) else {
            return Moment::of_day_number(day - self.minutes / DAY);
        };
        let clock = i64::from(hour) * 60 + i64::from(fetched.local.minute.unwrap_or(0));
        let local = day * DAY + clock - self.minutes;
        let mut moment = Moment::of_day_number(local.div_euclid(DAY))?;
        let clock = local.rem_euclid(DAY);
        moment.local.hour = Some((clock / 60) as u8);
        moment.local.minute = Some((clock % 60) as u8);
        moment.offset = fetched.offset;
        Some(moment)
    }
}
