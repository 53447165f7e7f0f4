//! "3 hours ago" and its like, against the time at which the page was fetched.

use super::calendar::day_number;
use super::clock::clock;
use super::tokens::{Token, tokens};
use super::{Hints, Moment, Precision};

/// The minutes of the longest spans.
const MONTH: i64 = 43_200;
const YEAR: i64 = 525_600;

/// Words for spans of time, with the minutes they take.
const UNITS: &[(&str, i64)] = &[
    // English
    ("second", 0),
    ("seconds", 0),
    ("sec", 0),
    ("secs", 0),
    ("minute", 1),
    ("minutes", 1),
    ("min", 1),
    ("mins", 1),
    ("hour", 60),
    ("hours", 60),
    ("hr", 60),
    ("hrs", 60),
    ("h", 60),
    ("day", 1_440),
    ("days", 1_440),
    ("week", 10_080),
    ("weeks", 10_080),
    ("month", 43_200),
    ("months", 43_200),
    ("year", 525_600),
    ("years", 525_600),
    // German, Dutch, Nordic
    ("minuten", 1),
    ("stunde", 60),
    ("stunden", 60),
    ("std", 60),
    ("tag", 1_440),
    ("tagen", 1_440),
    ("tage", 1_440),
    ("woche", 10_080),
    ("wochen", 10_080),
    ("uur", 60),
    ("uren", 60),
    ("dag", 1_440),
    ("dagen", 1_440),
    ("weken", 10_080),
    ("minuter", 1),
    ("minutter", 1),
    ("timme", 60),
    ("timmar", 60),
    ("time", 60),
    ("timer", 60),
    ("dagar", 1_440),
    ("dage", 1_440),
    ("dager", 1_440),
    ("minuuttia", 1),
    ("tuntia", 60),
    ("tunti", 60),
    ("päivää", 1_440),
    // Romance
    ("heure", 60),
    ("heures", 60),
    ("jour", 1_440),
    ("jours", 1_440),
    ("semaine", 10_080),
    ("semaines", 10_080),
    ("minuto", 1),
    ("minutos", 1),
    ("hora", 60),
    ("horas", 60),
    ("día", 1_440),
    ("días", 1_440),
    ("dia", 1_440),
    ("dias", 1_440),
    ("semana", 10_080),
    ("semanas", 10_080),
    ("minuti", 1),
    ("ora", 60),
    ("ore", 60),
    ("giorno", 1_440),
    ("giorni", 1_440),
    ("settimana", 10_080),
    ("settimane", 10_080),
    ("minut", 1),
    ("oră", 60),
    ("zile", 1_440),
    // Slavic, Greek, Turkic
    ("минуту", 1),
    ("минуты", 1),
    ("минут", 1),
    ("час", 60),
    ("часа", 60),
    ("часов", 60),
    ("день", 1_440),
    ("дня", 1_440),
    ("дней", 1_440),
    ("хвилин", 1),
    ("години", 60),
    ("годин", 60),
    ("годину", 60),
    ("дні", 1_440),
    ("днів", 1_440),
    ("godzinę", 60),
    ("godziny", 60),
    ("godzin", 60),
    ("dzień", 1_440),
    ("dni", 1_440),
    ("minutami", 1),
    ("hodinami", 60),
    ("hodinou", 60),
    ("dny", 1_440),
    ("λεπτά", 1),
    ("ώρες", 60),
    ("ώρα", 60),
    ("ημέρες", 1_440),
    ("dakika", 1),
    ("saat", 60),
    ("gün", 1_440),
    ("hafta", 10_080),
    ("perccel", 1),
    ("órával", 60),
    ("órája", 60),
    ("napja", 1_440),
    ("nappal", 1_440),
    // Arabic script
    ("دقيقة", 1),
    ("دقائق", 1),
    ("ساعة", 60),
    ("ساعات", 60),
    ("يوم", 1_440),
    ("أيام", 1_440),
    ("دقیقه", 1),
    ("ساعت", 60),
    ("روز", 1_440),
    ("דקות", 1),
    ("שעות", 60),
    ("ימים", 1_440),
    ("سائەت", 60),
    ("مىنۇت", 1),
    ("كۈن", 1_440),
    ("منٹ", 1),
    ("گھنٹے", 60),
    ("دن", 1_440),
    // South and South-East Asia
    ("मिनट", 1),
    ("घंटे", 60),
    ("घंटा", 60),
    ("दिन", 1_440),
    ("মিনিট", 1),
    ("ঘণ্টা", 60),
    ("ঘন্টা", 60),
    ("দিন", 1_440),
    ("menit", 1),
    ("jam", 60),
    ("hari", 1_440),
    ("phút", 1),
    ("giờ", 60),
    ("ngày", 1_440),
    ("tuần", 10_080),
];

/// "ago" before the number: vor 3 Stunden, il y a 3 heures, hace 3 horas.
const BEFORE: &[&str] =
    &["vor", "a", "hace", "há", "ha", "pred", "před", "acum", "πριν", "منذ", "قبل", "fa", "לפני", "fai"];

/// "ago" behind the unit: 3 hours ago, 3 часа назад, 3 saat önce.
const BEHIND: &[&str] = &[
    "ago",
    "geleden",
    "sedan",
    "siden",
    "sitten",
    "fa",
    "atrás",
    "назад",
    "тому",
    "temu",
    "önce",
    "پیش",
    "قبل",
    "ئىلگىرى",
    "بۇرۇن",
    "पहले",
    "আগে",
    "lalu",
    "yang",
    "trước",
    "zpět",
    "ezelőtt",
    "پہلے",
    "earlier",
];

/// Spans in scripts that do not put spaces between words, "ago" included.
const UNSPACED: &[(&str, i64)] = &[
    ("秒前", 0),
    ("秒钟前", 0),
    ("分前", 1),
    ("分钟前", 1),
    ("分鐘前", 1),
    ("小时前", 60),
    ("小時前", 60),
    ("個小時前", 60),
    ("个小时前", 60),
    ("時間前", 60),
    ("天前", 1_440),
    ("日前", 1_440),
    ("周前", 10_080),
    ("週間前", 10_080),
    ("週前", 10_080),
    ("个月前", 43_200),
    ("個月前", 43_200),
    ("か月前", 43_200),
    ("ヶ月前", 43_200),
    ("年前", 525_600),
    ("분 전", 1),
    ("분전", 1),
    ("시간 전", 60),
    ("시간전", 60),
    ("일 전", 1_440),
    ("일전", 1_440),
    ("주 전", 10_080),
    ("นาทีที่แล้ว", 1),
    ("ชั่วโมงที่แล้ว", 60),
    ("วันที่แล้ว", 1_440),
    ("นาทีที่ผ่านมา", 1),
    ("ชั่วโมงที่ผ่านมา", 60),
    ("วันที่ผ่านมา", 1_440),
];

/// Words for days, and how many they lie back.
const DAYS: &[(&str, i64)] = &[
    ("today", 0),
    ("yesterday", 1),
    ("heute", 0),
    ("gestern", 1),
    ("vorgestern", 2),
    ("hier", 1),
    ("hoy", 0),
    ("ayer", 1),
    ("oggi", 0),
    ("ieri", 1),
    ("hoje", 0),
    ("ontem", 1),
    ("vandaag", 0),
    ("gisteren", 1),
    ("i går", 1),
    ("igår", 1),
    ("eilen", 1),
    ("сегодня", 0),
    ("вчера", 1),
    ("вчора", 1),
    ("сьогодні", 0),
    ("dzisiaj", 0),
    ("dziś", 0),
    ("wczoraj", 1),
    ("včera", 1),
    ("dnes", 0),
    ("bugün", 0),
    ("dün", 1),
    ("اليوم", 0),
    ("أمس", 1),
    ("امروز", 0),
    ("دیروز", 1),
    ("بۈگۈن", 0),
    ("تۈنۈگۈن", 1),
    ("أول أمس", 2),
    ("कल", 1),
    ("आज", 0),
    ("hari ini", 0),
    ("kemarin", 1),
    ("hôm nay", 0),
    ("hôm qua", 1),
    ("σήμερα", 0),
    ("χθες", 1),
    ("אתמול", 1),
    ("היום", 0),
    ("ma", 0),
    ("tegnap", 1),
    ("azi", 0),
];

/// The same in scripts without spaces.
const UNSPACED_DAYS: &[(&str, i64)] = &[
    ("今天", 0),
    ("昨天", 1),
    ("前天", 2),
    ("今日", 0),
    ("昨日", 1),
    ("오늘", 0),
    ("어제", 1),
    ("그저께", 2),
    ("เมื่อวานนี้", 1),
    ("เมื่อวาน", 1),
    ("วันนี้", 0),
];

/// This very minute.
const NOW: &[&str] = &["刚刚", "剛剛", "刚才", "just now", "Just now", "방금", "たった今", "ھازىرلا"];

/// The moment that such words at a place mean, and the place behind them.
pub(super) fn at(text: &str, tokens: &[Token<'_>], at: usize, hints: &Hints<'_>) -> Option<(Moment, usize)> {
    let fetched = hints.fetched?;
    let token = &tokens[at];
    let rest = &text[token.start..];
    let day_back = |days: i64, behind: usize| {
        let mut moment = Moment::of_day_number(fetched.day_number() - days)?;
        // A clock right behind it, or behind one mark.
        let skip = usize::from(
            tokens.get(behind).is_some_and(|it| it.mark().is_some() || it.text == "at" || it.text == "um"),
        );
        if let Some((clock, end)) = clock(tokens, behind + skip, hints.language) {
            (moment.local.hour, moment.local.minute, moment.local.second) =
                (Some(clock.hour), clock.minute, clock.second);
            moment.offset = clock.offset;
            return Some((moment, end));
        }
        Some((moment, behind))
    };
    let behind_bytes =
        |bytes: usize| tokens.iter().position(|it| it.start >= token.start + bytes).unwrap_or(tokens.len());
    if token.is_word() {
        if tokens.len() <= 12
            && let Some(word) = NOW.iter().find(|word| rest.starts_with(*word))
        {
            return back(fetched, 0, 1).map(|moment| (moment, behind_bytes(word.len())));
        }
        if let Some((word, days)) = UNSPACED_DAYS.iter().find(|(word, _)| rest.starts_with(word)) {
            // 今天是2010年12月15日 says what day it is, and of nothing that it was written then.
            if rest[word.len()..].starts_with(['是', '为', '為']) {
                return None;
            }
            return day_back(*days, behind_bytes(word.len()));
        }
        // A day's name stands at the head of a line, or at its end: in a sentence it says when things happened.
        let is_short = tokens.len() <= 12;
        let small = token.text.to_lowercase();
        if is_short && let Some((_, days)) = DAYS.iter().find(|(word, _)| *word == small) {
            return day_back(*days, at + 1);
        }
        if is_short
            && let Some((word, days)) =
                DAYS.iter().find(|(word, _)| word.contains(' ') && rest.to_lowercase().starts_with(word))
        {
            return day_back(*days, behind_bytes(word.len()));
        }
        let one = ["a", "an", "one", "einer", "einem", "une", "un", "una", "uma", "ett", "en", "een", "satu"]
            .contains(&small.as_str());
        return if one { span(text, tokens, at, 1, fetched) } else { None };
    }
    let count = token.number().filter(|_| token.digits <= 3).and_then(|count| i64::try_from(count).ok())?;
    span(text, tokens, at, count, fetched)
}

/// Does a short line count back from some time, whenever that was? It takes less than to read it: the unit may be any word.
pub(super) fn tells_span(text: &str) -> bool {
    // Alone, these are other words as well.
    const VAGUE: [&str; 5] = ["a", "fa", "fai", "ha", "yang"];
    if !text.is_ascii() {
        let mut spans = UNSPACED.iter().chain(UNSPACED_DAYS.iter().filter(|(_, days)| *days > 0));
        if spans.any(|(word, _)| text.contains(word)) {
            return true;
        }
    }
    let small = text.to_lowercase();
    let tokens = tokens(&small);
    let is_count = |token: &Token<'_>| token.number().is_some() && token.digits <= 3;
    let is_unit = |token: Option<&Token<'_>>| {
        token.is_some_and(|token| UNITS.iter().any(|(word, _)| *word == token.text))
    };
    tokens.iter().enumerate().filter(|(_, token)| token.is_word()).any(|(at, token)| {
        let is_plain = !VAGUE.contains(&token.text);
        // What is done today has numbers as well, unless the line begins so.
        let is_head = at == 0 && tokens.len() <= 6;
        if DAYS.iter().any(|(word, days)| *word == token.text && (*days > 0 || is_head)) {
            return true;
        }
        if BEHIND.contains(&token.text) {
            let before = &tokens[at.saturating_sub(4)..at];
            let is_strict =
                || at >= 2 && is_unit(tokens.get(at - 1)) && tokens.get(at - 2).is_some_and(is_count);
            if (is_plain && before.iter().any(is_count)) || is_strict() {
                return true;
            }
        }
        // Il y a 3 mois.
        let is_sure = || is_plain || (token.text == "a" && at > 0 && tokens[at - 1].text == "y");
        BEFORE.contains(&token.text)
            && tokens.get(at + 1).is_some_and(is_count)
            && tokens.get(at + 2).is_some_and(Token::is_word)
            && (is_sure() || is_unit(tokens.get(at + 2)))
    })
}

fn span(text: &str, tokens: &[Token<'_>], at: usize, count: i64, fetched: Moment) -> Option<(Moment, usize)> {
    let unit = tokens.get(at + 1)?;
    let rest = &text[unit.start..];
    if let Some((word, minutes)) = UNSPACED.iter().find(|(word, _)| rest.starts_with(word)) {
        let behind = tokens.iter().position(|it| it.start >= unit.start + word.len()).unwrap_or(tokens.len());
        return back(fetched, count, *minutes).map(|moment| (moment, behind));
    }
    let small = unit.text.to_lowercase();
    let (_, minutes) = UNITS.iter().find(|(word, _)| *word == small)?;
    let is = |place: Option<usize>, words: &[&str]| {
        place
            .and_then(|place| tokens.get(place))
            .is_some_and(|it| words.contains(&it.text.to_lowercase().as_str()))
    };
    let dot = usize::from(tokens.get(at + 2).is_some_and(|it| it.mark() == Some('.')));
    if is(Some(at + 2 + dot), BEHIND) {
        return back(fetched, count, *minutes).map(|moment| (moment, at + 3 + dot));
    }
    if is(at.checked_sub(1), BEFORE) {
        return back(fetched, count, *minutes).map(|moment| (moment, at + 2));
    }
    None
}

/// So many times so many minutes before; to the minute below a day, above it to the day, and of months and years no more
/// than these.
fn back(fetched: Moment, count: i64, minutes: i64) -> Option<Moment> {
    let before = count.checked_mul(minutes)?;
    if minutes >= MONTH {
        let (months, rough) =
            if minutes >= YEAR { (12 * count, Precision::Year) } else { (count, Precision::Month) };
        let month = 12 * i64::from(fetched.local.year) + i64::from(fetched.local.month) - 1 - months;
        // Every month has so many days.
        let day = i64::from(fetched.local.day.min(28));
        let number = day_number(month.div_euclid(12), month.rem_euclid(12) + 1, day);
        return Moment::of_day_number(number).map(|moment| Moment { rough: Some(rough), ..moment });
    }
    if minutes >= 1_440 || fetched.local.hour.is_none() {
        return Moment::of_day_number(fetched.day_number() - before / 1_440);
    }
    let offset = i64::from(fetched.offset.unwrap_or(0));
    let local = fetched.minutes() + offset - before;
    let mut moment = Moment::of_day_number(local.div_euclid(1_440))?;
    let clock = local.rem_euclid(1_440);
    moment.local.hour = Some((clock / 60) as u8);
    moment.local.minute = Some((clock % 60) as u8);
    moment.offset = fetched.offset;
    Some(moment)
}
