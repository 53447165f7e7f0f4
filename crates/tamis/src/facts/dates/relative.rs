//! "3 hours ago" and its like, against the time at which the page was fetched.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::calendar::{day_number, days_in};
use super::clock::clock;
use super::tokens::Token;
use super::{Hints, Moment, Precision};

/// The minutes of a span of time.
const SECOND: i64 = 0;
const MINUTE: i64 = 1;
const HOUR: i64 = 60;
const DAY: i64 = 1_440;
const WEEK: i64 = 10_080;
const MONTH: i64 = 43_200;
const YEAR: i64 = 525_600;

/// In longer lines, numbers in words and spans without a number are those of a story.
const SHORT: usize = 12;

/// Words for spans of time: Germanic and Nordic, Romance, Slavic, others of Europe, then those of Asia.
const UNITS: &[(i64, &[&str])] = &[
    (
        SECOND,
        &[
            "second",
            "seconds",
            "sec",
            "secs",
            "sekunde",
            "sekunden",
            "seconde",
            "secondes",
            "seconden",
            "segundo",
            "segundos",
            "secondo",
            "secondi",
            "sekund",
            "sekunder",
            "sekunnin",
            "секунду",
            "секунды",
            "секунд",
            "saniye",
            "ثانية",
            "ثوان",
            "ثانیه",
            "שניות",
            "सेकंड",
            "detik",
            "giây",
        ],
    ),
    (
        MINUTE,
        &[
            "minute",
            "minutes",
            "min",
            "mins",
            "minuten",
            "minuut",
            "minuter",
            "minutter",
            "minuttia",
            "minuutti",
            "minuto",
            "minutos",
            "minuti",
            "minut",
            "minuts",
            "минуту",
            "минуты",
            "минут",
            "хвилину",
            "хвилини",
            "хвилин",
            "minutę",
            "minuty",
            "minutami",
            "minutou",
            "minútami",
            "minútou",
            "λεπτό",
            "λεπτά",
            "dakika",
            "perccel",
            "perce",
            "دقيقة",
            "دقائق",
            "دقیقه",
            "דקה",
            "דקות",
            "مىنۇت",
            "منٹ",
            "मिनट",
            "মিনিট",
            "menit",
            "minit",
            "phút",
        ],
    ),
    (
        HOUR,
        &[
            "hour",
            "hours",
            "hr",
            "hrs",
            "h",
            "stunde",
            "stunden",
            "std",
            "uur",
            "uren",
            "timme",
            "timmar",
            "time",
            "timer",
            "tuntia",
            "tunti",
            "heure",
            "heures",
            "hora",
            "horas",
            "hores",
            "ora",
            "ore",
            "oră",
            "час",
            "часа",
            "часов",
            "години",
            "годин",
            "годину",
            "godzinę",
            "godziny",
            "godzin",
            "hodinami",
            "hodinou",
            "ώρα",
            "ώρες",
            "saat",
            "órával",
            "órája",
            "ساعة",
            "ساعات",
            "ساعت",
            "שעה",
            "שעות",
            "سائەت",
            "گھنٹے",
            "گھنٹہ",
            "घंटे",
            "घंटा",
            "ঘণ্টা",
            "ঘন্টা",
            "jam",
            "giờ",
            "tiếng",
        ],
    ),
    (
        DAY,
        &[
            "day",
            "days",
            "d",
            "tag",
            "tagen",
            "tage",
            "dag",
            "dagen",
            "dagar",
            "dage",
            "dager",
            "dygn",
            "päivää",
            "päivä",
            "jour",
            "jours",
            "día",
            "días",
            "dia",
            "dias",
            "dies",
            "giorno",
            "giorni",
            "zi",
            "zile",
            "день",
            "дня",
            "дней",
            "дні",
            "днів",
            "dzień",
            "dni",
            "dnem",
            "dny",
            "dňami",
            "dňom",
            "ημέρα",
            "ημέρες",
            "μέρα",
            "μέρες",
            "gün",
            "napja",
            "nappal",
            "يوم",
            "أيام",
            "روز",
            "יום",
            "ימים",
            "كۈن",
            "دن",
            "दिन",
            "দিন",
            "hari",
            "ngày",
        ],
    ),
    (
        WEEK,
        &[
            "week",
            "weeks",
            "wk",
            "wks",
            "woche",
            "wochen",
            "weken",
            "vecka",
            "veckor",
            "uge",
            "uger",
            "uke",
            "uker",
            "viikkoa",
            "viikko",
            "semaine",
            "semaines",
            "semana",
            "semanas",
            "setmana",
            "setmanes",
            "settimana",
            "settimane",
            "săptămână",
            "săptămâni",
            "неделю",
            "недели",
            "недель",
            "тиждень",
            "тижні",
            "тижнів",
            "tydzień",
            "tygodnie",
            "tygodni",
            "týdnem",
            "týdny",
            "týždňom",
            "týždňami",
            "εβδομάδα",
            "εβδομάδες",
            "hafta",
            "héttel",
            "hete",
            "أسبوع",
            "أسابيع",
            "هفته",
            "שבוע",
            "שבועות",
            "ھەپتە",
            "ہفتہ",
            "ہفتے",
            "सप्ताह",
            "हफ़्ते",
            "हफ्ते",
            "সপ্তাহ",
            "minggu",
            "tuần",
        ],
    ),
    (
        MONTH,
        &[
            "month",
            "months",
            "mo",
            "mos",
            "monat",
            "monate",
            "monaten",
            "maand",
            "maanden",
            "månad",
            "månader",
            "måned",
            "måneder",
            "kuukautta",
            "kuukausi",
            "mois",
            "mes",
            "meses",
            "mesos",
            "mês",
            "mese",
            "mesi",
            "lună",
            "luni",
            "месяц",
            "месяца",
            "месяцев",
            "місяць",
            "місяці",
            "місяців",
            "miesiąc",
            "miesiące",
            "miesięcy",
            "měsícem",
            "měsíci",
            "mesiacom",
            "mesiacmi",
            "μήνα",
            "μήνες",
            "ay",
            "hónappal",
            "hónapja",
            "شهر",
            "أشهر",
            "شهور",
            "ماه",
            "חודש",
            "חודשים",
            "ئاي",
            "مہینہ",
            "مہینے",
            "महीना",
            "महीने",
            "माह",
            "মাস",
            "bulan",
            "tháng",
        ],
    ),
    (
        YEAR,
        &[
            "year",
            "years",
            "yr",
            "yrs",
            "jahr",
            "jahre",
            "jahren",
            "jaar",
            "jaren",
            "år",
            "vuotta",
            "vuosi",
            "an",
            "ans",
            "année",
            "années",
            "año",
            "años",
            "ano",
            "anos",
            "any",
            "anys",
            "anno",
            "anni",
            "ani",
            "год",
            "года",
            "лет",
            "рік",
            "роки",
            "років",
            "rok",
            "lata",
            "lat",
            "rokem",
            "roky",
            "lety",
            "rokom",
            "rokmi",
            "χρόνο",
            "χρόνια",
            "έτος",
            "έτη",
            "yıl",
            "évvel",
            "éve",
            "سنة",
            "سنوات",
            "عام",
            "أعوام",
            "سال",
            "שנה",
            "שנים",
            "يىل",
            "साल",
            "वर्ष",
            "বছর",
            "tahun",
            "năm",
        ],
    ),
];

/// Numbers in words, as far as they stand before a span.
const COUNTS: &[(i64, &[&str])] = &[
    (
        1,
        &[
            "a",
            "an",
            "one",
            "ein",
            "einer",
            "einem",
            "einen",
            "une",
            "un",
            "una",
            "uma",
            "um",
            "uno",
            "een",
            "ett",
            "en",
            "et",
            "én",
            "satu",
            "bir",
            "egy",
            "một",
            "μία",
            "μια",
            "ένα",
            "ένας",
            "o",
            "یک",
            "ایک",
            "एक",
            "একটি",
            "بىر",
            "jeden",
            "jedną",
            "jednu",
            "jedním",
        ],
    ),
    (
        2,
        &[
            "two",
            "zwei",
            "deux",
            "dos",
            "due",
            "dois",
            "duas",
            "twee",
            "två",
            "to",
            "kaksi",
            "два",
            "две",
            "дві",
            "dwa",
            "dwie",
            "dwoma",
            "dvěma",
            "dvoma",
            "δύο",
            "δυο",
            "iki",
            "két",
            "دو",
            "שתי",
            "שני",
            "ئىككى",
            "दो",
            "দুই",
            "dua",
            "hai",
            "două",
            "doi",
            "두",
            "两",
            "兩",
        ],
    ),
    (
        3,
        &[
            "three",
            "drei",
            "trois",
            "tres",
            "tre",
            "três",
            "drie",
            "kolme",
            "три",
            "trzy",
            "třemi",
            "tromi",
            "τρεις",
            "τρία",
            "üç",
            "három",
            "سه",
            "ثلاث",
            "ثلاثة",
            "שלוש",
            "שלושה",
            "ئۈچ",
            "तीन",
            "তিন",
            "tiga",
            "ba",
            "trei",
            "세",
        ],
    ),
    (
        4,
        &[
            "four",
            "vier",
            "quatre",
            "cuatro",
            "quattro",
            "quatro",
            "fyra",
            "fire",
            "neljä",
            "четыре",
            "чотири",
            "cztery",
            "čtyřmi",
            "štyrmi",
            "τέσσερις",
            "τέσσερα",
            "dört",
            "négy",
            "چهار",
            "أربع",
            "أربعة",
            "ארבע",
            "ארבעה",
            "تۆت",
            "चार",
            "চার",
            "empat",
            "bốn",
            "patru",
            "네",
        ],
    ),
    (
        5,
        &[
            "five",
            "fünf",
            "cinq",
            "cinco",
            "cinque",
            "vijf",
            "fem",
            "viisi",
            "пять",
            "pięć",
            "pěti",
            "πέντε",
            "beş",
            "öt",
            "پنج",
            "خمس",
            "خمسة",
            "חמש",
            "חמישה",
            "بەش",
            "पाँच",
            "पांच",
            "পাঁচ",
            "lima",
            "cinci",
        ],
    ),
    (
        6,
        &[
            "six",
            "sechs",
            "seis",
            "sei",
            "zes",
            "sex",
            "seks",
            "шесть",
            "sześć",
            "šesti",
            "έξι",
            "altı",
            "hat",
            "شش",
            "ست",
            "ستة",
        ],
    ),
    (
        7,
        &[
            "seven", "sieben", "sept", "siete", "sette", "sete", "zeven", "sju", "syv", "семь", "siedem",
            "επτά", "yedi", "hét", "هفت", "سبع", "سبعة",
        ],
    ),
    (
        8,
        &[
            "eight",
            "acht",
            "huit",
            "ocho",
            "otto",
            "oito",
            "åtta",
            "otte",
            "восемь",
            "osiem",
            "οκτώ",
            "sekiz",
            "nyolc",
            "هشت",
            "ثمان",
            "ثماني",
            "ثمانية",
        ],
    ),
    (
        9,
        &[
            "nine",
            "neun",
            "neuf",
            "nueve",
            "nove",
            "negen",
            "nio",
            "ni",
            "девять",
            "dziewięć",
            "εννέα",
            "dokuz",
            "kilenc",
            "نه",
            "تسع",
            "تسعة",
        ],
    ),
    (
        10,
        &[
            "ten",
            "zehn",
            "dix",
            "diez",
            "dieci",
            "dez",
            "tien",
            "tio",
            "ti",
            "десять",
            "dziesięć",
            "δέκα",
            "tíz",
            "ده",
            "عشر",
            "عشرة",
        ],
    ),
];

/// Spans that mean one without saying so: час назад.
const SINGLE: &[&str] = &[
    "час",
    "минуту",
    "день",
    "неделю",
    "месяц",
    "год",
    "годину",
    "хвилину",
    "тиждень",
    "місяць",
    "рік",
    "godzinę",
    "minutę",
    "dzień",
    "tydzień",
    "miesiąc",
    "rok",
    "hodinou",
    "minutou",
    "dnem",
    "týdnem",
    "měsícem",
    "rokem",
    "minútou",
    "dňom",
    "týždňom",
    "mesiacom",
    "rokom",
    "tunti",
    "minuutti",
    "päivä",
    "viikko",
    "kuukausi",
    "vuosi",
    "ساعة",
    "دقيقة",
    "يوم",
    "أسبوع",
    "شهر",
    "سنة",
    "عام",
    "שעה",
    "דקה",
    "יום",
    "שבוע",
    "חודש",
    "שנה",
];

/// Spans that are two by their form: قبل ساعتين.
const DUALS: &[(&str, i64)] = &[
    ("دقيقتين", MINUTE),
    ("ساعتين", HOUR),
    ("ساعتان", HOUR),
    ("يومين", DAY),
    ("يومان", DAY),
    ("أسبوعين", WEEK),
    ("شهرين", MONTH),
    ("سنتين", YEAR),
    ("عامين", YEAR),
    ("שעתיים", HOUR),
    ("יומיים", DAY),
    ("שבועיים", WEEK),
    ("חודשיים", MONTH),
    ("שנתיים", YEAR),
];

/// Halves, with all that belongs to them.
const HALVES: &[(&str, i64, i64)] = &[
    ("half an hour ago", 30, MINUTE),
    ("полчаса назад", 30, MINUTE),
    ("半小时前", 30, MINUTE),
    ("半小時前", 30, MINUTE),
    ("半个小时前", 30, MINUTE),
    ("半個小時前", 30, MINUTE),
    ("半時間前", 30, MINUTE),
    ("半年前", 6, MONTH),
];

/// "ago" before the number: vor 3 Stunden, hace 3 horas. French "a" and Portuguese "ha" need more: see `is_ago_before`.
const BEFORE: &[&str] =
    &["vor", "hace", "há", "pred", "před", "przed", "acum", "πριν", "منذ", "قبل", "fa", "לפני", "fai"];

/// What may stand between "ago" and the number: πριν από 3 ώρες.
const BETWEEN: &[&str] =
    &["από", "etwa", "rund", "ungefähr", "environ", "unos", "unas", "circa", "asi", "około"];

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
    "trước",
    "zpět",
    "ezelőtt",
    "پہلے",
    "earlier",
];

/// Words between two spans that make one: 2 hours and 5 minutes ago.
const AND: &[&str] = &[
    "and", "und", "et", "y", "e", "en", "och", "og", "ja", "и", "і", "i", "a", "și", "και", "ve", "és", "و",
    "और",
];

/// Spans in scripts that do not put spaces between words; longer words first.
const UNSPACED: &[(i64, &[&str])] = &[
    (SECOND, &["秒钟", "秒鐘", "秒", "วินาที"]),
    (MINUTE, &["分钟", "分鐘", "分", "분", "นาที"]),
    (HOUR, &["个小时", "個小時", "小时", "小時", "時間", "시간", "ชั่วโมง"]),
    (DAY, &["天", "日", "일", "วัน"]),
    (WEEK, &["个星期", "個星期", "星期", "周", "週間", "週", "주일", "주", "สัปดาห์"]),
    (MONTH, &["个月", "個月", "か月", "ヶ月", "カ月", "ヵ月", "ケ月", "箇月", "개월", "달", "เดือน"]),
    (YEAR, &["年", "년", "ปี"]),
];

/// "ago" in these.
const UNSPACED_AGO: &[&str] = &["前", "之前", "以前", "전", "ที่แล้ว", "ที่ผ่านมา", "ก่อน"];

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
    let behind_bytes = |bytes: usize| from_byte(tokens, token.start + bytes);
    if token.is_word() {
        if tokens.len() <= SHORT
            && let Some(word) = NOW.iter().find(|word| rest.starts_with(*word))
        {
            return Span::of(0, MINUTE).before(fetched).map(|moment| (moment, behind_bytes(word.len())));
        }
        if let Some((word, days)) = UNSPACED_DAYS.iter().find(|(word, _)| rest.starts_with(word)) {
            // 今天是2010年12月15日 says what day it is, and of nothing that it was written then.
            if rest[word.len()..].starts_with(['是', '为', '為']) {
                return None;
            }
            return day_back(*days, behind_bytes(word.len()));
        }
        // A day's name stands at the head of a line, or at its end: in a sentence it says when things happened.
        let is_short = tokens.len() <= SHORT;
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
        if is_short && let Some(found) = without_number(tokens, at, rest, hints, fetched) {
            return Some(found);
        }
    }
    counted(text, tokens, at, hints, fetched)
}

/// Halves, and spans that need no number.
fn without_number(
    tokens: &[Token<'_>],
    at: usize,
    rest: &str,
    hints: &Hints<'_>,
    fetched: Moment,
) -> Option<(Moment, usize)> {
    if let Some((phrase, count, unit)) = HALVES
        .iter()
        .find(|(phrase, ..)| rest.get(..phrase.len()).is_some_and(|it| it.to_lowercase() == *phrase))
    {
        let behind = from_byte(tokens, tokens[at].start + phrase.len());
        return Span::of(*count, *unit).before(fetched).map(|moment| (moment, behind));
    }
    let small = tokens[at].text.to_lowercase();
    let dual = DUALS.iter().find(|(word, _)| *word == small).map(|(_, unit)| (2, *unit));
    let single =
        || SINGLE.contains(&small.as_str()).then(|| words().units.get(small.as_str()).map(|unit| (1, *unit)));
    let (count, unit) = dual.or_else(|| single().flatten())?;
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
        let and = tokens.get(next + comma).is_some_and(|it| AND.contains(&it.text.to_lowercase().as_str()));
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
            let count = *words().counts.get(token.text.to_lowercase().as_str())?;
            (count == 1 || tokens.len() <= SHORT).then_some(count)?
        }
        None => return None,
    };
    // Romanian: 20 de minute
    let of = usize::from(tokens.get(at + 1).is_some_and(|it| it.text == "de"));
    let unit = tokens.get(at + 1 + of).filter(|it| it.is_word())?;
    let rest = &text[unit.start..];
    let unspaced = UNSPACED.iter().find_map(|(minutes, words)| {
        words.iter().find(|word| rest.starts_with(**word)).map(|word| (*minutes, word.len()))
    });
    if let Some((minutes, length)) = unspaced {
        let end = unit.start + length;
        return Some(Part { span: Span::of(count, minutes), behind: from_byte(tokens, end), end: Some(end) });
    }
    let minutes = *words().units.get(unit.text.to_lowercase().as_str())?;
    let behind = at + 2 + of;
    let dot = usize::from(tokens.get(behind).is_some_and(|it| it.mark() == Some('.') && !it.spaced));
    Some(Part { span: Span::of(count, minutes), behind: behind + dot, end: None })
}

/// The place behind "ago", where that stands at a place.
fn ago_behind(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let is = |place: usize, words: &[&str]| {
        tokens.get(place).is_some_and(|it| it.is_word() && words.contains(&it.text.to_lowercase().as_str()))
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
        at.checked_sub(back)
            .and_then(|place| tokens.get(place))
            .map(|it| it.text.to_lowercase())
            .unwrap_or_default()
    };
    let skip = usize::from(BETWEEN.contains(&word(1).as_str()));
    match word(1 + skip).as_str() {
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

/// The tables, to be asked by word.
struct Words {
    units: HashMap<&'static str, i64>,
    counts: HashMap<&'static str, i64>,
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let all = |table: &[(i64, &'static [&'static str])]| {
            table.iter().flat_map(|(value, words)| words.iter().map(move |word| (*word, *value))).collect()
        };
        Words { units: all(UNITS), counts: all(COUNTS) }
    })
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
    }
}
