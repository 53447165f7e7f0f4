//! The words that stand between the parts of a date, in many languages.

/// Words behind a year.
pub(super) const YEAR_WORDS: &[&str] = &[
    "年",
    "년",
    "m",
    "gada",
    "e",
    "ko",
    "eko",
    "год",
    "года",
    "г",
    "р",
    "року",
    "оны",
    "жылы",
    "жылғы",
    "жыл",
    "ж",
    "يىلى",
    "يىل",
    "يىلنىڭ",
    "yili",
    "yilning",
    "سال",
    "ل",
    "წლის",
    "թ",
    "թվականի",
    "god",
    "godine",
    "év",
];
/// Words behind the number of a month.
pub(super) const MONTH_WORDS: &[&str] =
    &["月", "월", "сарын", "сар", "р", "ئاينىڭ", "ئاي", "ئايىنىڭ", "ayning", "ayining", "ay", "ماه"];
/// Words behind the number of a day.
pub(super) const DAY_WORDS: &[&str] =
    &["日", "号", "號", "일", "كۈنى", "كۈن", "küni", "ний", "ны", "d", "ა", "ին"];
/// What stands between a day and the name of its month: ends of ordinal numbers, and "of".
pub(super) const ORDINALS: &[&str] = &[
    "º", "ª", "st", "nd", "rd", "th", "er", "re", "e", "eme", "ème", "ste", "de", "di", "d", "del", "of",
    "da", "do", "dei", "den", "der", "го", "е", "ий", "a", "ta", "της", "일", "日", "mh", "ú", "la", "ngày",
    "gada",
];
/// What stands between the name of a month and a day.
pub(super) const CONNECTORS: &[&str] =
    &["сарын", "сар", "the", "ko", "de", "of", "le", "day", "日", "dia", "día"];
/// What stands between a month and its year.
pub(super) const YEAR_MARKS: &[&str] = &[
    "de", "del", "di", "of", "do", "da", "d", "năm", "พ", "ศ", "ค", "ปี", "th", "st", "nd", "rd", "r", "roku",
    "god", "года", "г", "a", "year", "عام", "سنة", "سال", "den", "o", "ko", "jaar", "v",
];
