//! The words that count back from now, in many languages: "ago" on either side, days with names of their own; units and numbers are in
//! `spans.rs`.

mod spans;

use std::sync::OnceLock;

use crate::hashing::TextMap;

pub(super) use spans::{COUNTS, DUALS, HALVES, SINGLE, UNITS};

/// The minutes of a span of time.
pub(super) const SECOND: i64 = 0;
pub(super) const MINUTE: i64 = 1;
pub(super) const HOUR: i64 = 60;
pub(super) const DAY: i64 = 1_440;
pub(super) const WEEK: i64 = 10_080;
pub(super) const MONTH: i64 = 43_200;
pub(super) const YEAR: i64 = 525_600;

/// In longer lines, numbers in words and spans without a number are those of a story.
pub(super) const SHORT: usize = 12;

/// "ago" before the number: vor 3 Stunden, hace 3 horas. French "a" and Portuguese "ha" need more: see `is_ago_before`.
pub(super) const BEFORE: &[&str] =
    &["vor", "hace", "há", "pred", "před", "przed", "acum", "πριν", "منذ", "قبل", "fa", "לפני", "fai"];

/// What may stand between "ago" and the number: πριν από 3 ώρες.
pub(super) const BETWEEN: &[&str] =
    &["από", "etwa", "rund", "ungefähr", "environ", "unos", "unas", "circa", "asi", "około"];

/// "ago" behind the unit: 3 hours ago, 3 часа назад, 3 saat önce.
pub(super) const BEHIND: &[&str] = &[
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
    "trước",
    "zpět",
    "ezelőtt",
    "پہلے",
    "earlier",
];

/// Words between two spans that make one: 2 hours and 5 minutes ago.
pub(super) const AND: &[&str] = &[
    "and", "und", "et", "y", "e", "en", "och", "og", "ja", "и", "і", "i", "a", "și", "και", "ve", "és", "و",
    "और",
];

/// Words between a day and its clock.
pub(super) const AT: &[&str] = &[
    "at", "um", "à", "a", "las", "la", "às", "as", "alle", "om", "kl", "klo", "в", "о", "об", "o", "w",
    "saat", "στις", "pukul", "jam", "lúc", "ob", "u", "fra", "från", "von", "gegen",
];

/// Spans in scripts that do not put spaces between words; longer words first.
pub(super) const UNSPACED: &[(i64, &[&str])] = &[
    (SECOND, &["秒钟", "秒鐘", "秒", "วินาที"]),
    (MINUTE, &["分钟", "分鐘", "分", "분", "นาที"]),
    (HOUR, &["个小时", "個小時", "小时", "小時", "時間", "시간", "ชั่วโมง"]),
    (DAY, &["天", "日", "일", "วัน"]),
    (WEEK, &["个星期", "個星期", "星期", "周", "週間", "週", "주일", "주", "สัปดาห์"]),
    (MONTH, &["个月", "個月", "か月", "ヶ月", "カ月", "ヵ月", "ケ月", "箇月", "개월", "달", "เดือน"]),
    (YEAR, &["年", "년", "ปี"]),
];

/// "ago" in these.
pub(super) const UNSPACED_AGO: &[&str] = &["前", "之前", "以前", "전", "ที่แล้ว", "ที่ผ่านมา", "ก่อน"];

/// Words for days, how many they lie back, and the languages that say so: German "hier" is here, not yesterday.
pub(super) const DAYS: &[(&str, i64, &str)] = &[
    ("today", 0, "en"),
    ("yesterday", 1, "en"),
    ("heute", 0, "de"),
    ("gestern", 1, "de"),
    ("vorgestern", 2, "de"),
    ("hier", 1, "fr"),
    ("hoy", 0, "es gl"),
    ("ayer", 1, "es"),
    ("oggi", 0, "it"),
    ("ieri", 1, "it ro"),
    ("hoje", 0, "pt gl"),
    ("ontem", 1, "pt"),
    ("vandaag", 0, "nl af"),
    ("gisteren", 1, "nl af"),
    ("i går", 1, "sv da nb no nn"),
    ("igår", 1, "sv da nb no nn"),
    ("eilen", 1, "fi"),
    ("сегодня", 0, "ru"),
    ("вчера", 1, "ru bg"),
    ("вчора", 1, "uk"),
    ("сьогодні", 0, "uk"),
    ("dzisiaj", 0, "pl"),
    ("dziś", 0, "pl"),
    ("wczoraj", 1, "pl"),
    ("včera", 1, "cs sk"),
    ("dnes", 0, "cs sk"),
    ("bugün", 0, "tr az"),
    ("dün", 1, "tr"),
    ("اليوم", 0, "ar"),
    ("أمس", 1, "ar"),
    ("امروز", 0, "fa"),
    ("دیروز", 1, "fa"),
    ("بۈگۈن", 0, "ug"),
    ("تۈنۈگۈن", 1, "ug"),
    ("أول أمس", 2, "ar"),
    ("कल", 1, "hi"),
    ("आज", 0, "hi mr ne"),
    ("hari ini", 0, "id ms"),
    ("kemarin", 1, "id"),
    ("hôm nay", 0, "vi"),
    ("hôm qua", 1, "vi"),
    ("σήμερα", 0, "el"),
    ("χθες", 1, "el"),
    ("אתמול", 1, "he"),
    ("היום", 0, "he"),
    ("ma", 0, "hu"),
    ("tegnap", 1, "hu"),
    ("azi", 0, "ro"),
];

/// The same in scripts without spaces.
pub(super) const UNSPACED_DAYS: &[(&str, i64)] = &[
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
pub(super) const NOW: &[&str] =
    &["刚刚", "剛剛", "刚才", "just now", "Just now", "방금", "たった今", "ھازىرلا"];

/// The tables, to be asked by word.
pub(super) struct Words {
    pub(super) units: TextMap<&'static str, i64>,
    pub(super) counts: TextMap<&'static str, i64>,
    /// [`DAYS`] and [`BEHIND`] in one, since every word of a short line is asked for both.
    pub(super) telling: TextMap<&'static str, Telling>,
}

/// What a word tells of the time by itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Telling {
    /// How many days the day lies back that it names.
    pub(super) days: Option<i64>,
    /// The languages in which it does.
    pub(super) languages: &'static str,
    /// Is it the first of two words that name a day?
    pub(super) is_begun: bool,
    /// Does it mean "ago", behind a unit?
    pub(super) is_behind: bool,
}

/// Could one of [`UNSPACED_AGO`] or of [`UNSPACED_DAYS`] stand in a text? A character of each tells; most texts have none.
pub(super) fn may_be_unspaced(text: &str) -> bool {
    // All of them begin with a byte from here on.
    text.bytes().any(|byte| byte >= 0xE0)
        && text
            .chars()
            .any(|c| matches!(c, '前' | '전' | '今' | '昨' | '오' | '어' | '그' | '\u{e01}'..='\u{e5b}'))
}

pub(super) fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let all = |table: &[(i64, &'static [&'static str])]| {
            table.iter().flat_map(|(value, words)| words.iter().map(move |word| (*word, *value))).collect()
        };
        let mut telling: TextMap<&'static str, Telling> = TextMap::default();
        for (word, days, languages) in DAYS {
            let told = telling.entry(word).or_default();
            (told.days, told.languages) = (Some(*days), languages);
            if let Some((first, _)) = word.split_once(' ') {
                telling.entry(first).or_default().is_begun = true;
            }
        }
        BEHIND.iter().for_each(|word| telling.entry(word).or_default().is_behind = true);
        Words { units: all(UNITS), counts: all(COUNTS), telling }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sound() {
        let units = UNITS.iter().map(|(_, words)| words.len()).sum::<usize>();
        let counts = COUNTS.iter().map(|(_, words)| words.len()).sum::<usize>();
        assert_eq!((words().units.len(), words().counts.len()), (units, counts), "a word stands there twice");
        for word in SINGLE {
            assert!(words().units.contains_key(word), "{word}");
        }
        for (word, days, _) in DAYS {
            assert_eq!(words().telling[word].days, Some(*days), "{word} stands there twice");
        }
        assert!(BEHIND.iter().all(|word| words().telling[word].is_behind));
    }

    #[test]
    fn words_without_spaces_pass_the_first_look() {
        for word in UNSPACED_AGO.iter().chain(UNSPACED_DAYS.iter().map(|(word, _)| word)) {
            assert!(may_be_unspaced(word), "{word}");
        }
        assert!(!may_be_unspaced("Am 3. März — здесь") && !may_be_unspaced("港口 5 年"));
    }
}
