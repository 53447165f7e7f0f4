//! The language of the main text and the direction of writing.
//!
//! Templates declare a language whatever they hold, so the text may contradict them: by letters that only one language
//! has, by the frequent words of common languages, else by a trigram detector, which is slow.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use tamis_html::Name;

use super::Direction;
use super::candidate::Evidence;
use super::view::View;
use crate::annotate::MetaField;
use crate::page::Region;
use crate::text::arabic;
use crate::text::characters::{Flags, flags};
use crate::text::hash::{FastMap, for_each_word};

/// Bytes of text looked at.
const MAX_SAMPLE: usize = 1200;
/// Fewer letters are no evidence.
const MIN_LETTERS: usize = 20;
/// Fewer Latin letters do not contradict the page.
const MIN_CERTAIN: usize = 150;

/// Finds the language, with its evidence and confidence.
pub(crate) fn find(view: &View<'_>) -> Option<(String, Evidence, f32)> {
    let declared = declared(view);
    let first = declared.first().map(|(tag, _)| base(tag));
    let Some((detected, is_certain)) = detect(&sample(view), first) else {
        return declared.into_iter().next().map(|(tag, evidence)| (tag, evidence, 0.7));
    };
    let agrees =
        |tag: &str| is_near(base(tag), base(&detected)) && (!detected.contains('-') || script(tag).is_some());
    if let Some((tag, evidence)) = declared.iter().find(|(tag, _)| agrees(tag)) {
        return Some((tag.clone(), *evidence, 0.98));
    }
    match declared.into_iter().next() {
        Some((tag, evidence)) if !is_certain => Some((tag, evidence, 0.6)),
        _ => Some((detected, Evidence::Text, if is_certain { 0.9 } else { 0.5 })),
    }
}

/// The direction of a language, or that which the page declares.
pub(crate) fn direction(view: &View<'_>, language: Option<&str>) -> Option<(Direction, Evidence)> {
    let of = |is_rtl: bool| (if is_rtl { Direction::Rtl } else { Direction::Ltr }, Evidence::Attribute);
    const RTL: [&str; 11] = ["ar", "fa", "he", "ur", "ug", "ps", "ckb", "sd", "yi", "dv", "syr"];
    let Some(language) = language else {
        let declared = view.page.dom.html().and_then(|html| html.attribute_named(Name::DIR))?;
        return Some(of(declared.eq_ignore_ascii_case("rtl")));
    };
    let is_rtl = match script(language) {
        Some(script) => matches!(script, "Arab" | "Hebr" | "Thaa" | "Syrc"),
        None => RTL.contains(&base(language)),
    };
    Some(of(is_rtl))
}

/// Tags that the page or the server declare, the most trustworthy first.
fn declared(view: &View<'_>) -> Vec<(String, Evidence)> {
    let html = view.page.dom.html().and_then(|html| html.attribute_named(Name::LANG));
    let metas = |field| {
        view.head.metas(field).into_iter().map(|meta| (Cow::Borrowed(meta.content.as_str()), Evidence::Meta))
    };
    let json = view.piece_text("inLanguage").map(|text| (Cow::Borrowed(text), Evidence::JsonLd));
    let header = view.context.content_language.map(|text| (Cow::Borrowed(text), Evidence::Header));
    let all = html.map(|text| (text, Evidence::Attribute)).into_iter().chain(json);
    let all = all.chain(metas(MetaField::Language)).chain(header).chain(metas(MetaField::Locale));
    all.filter_map(|(text, evidence)| Some((normalise(&text)?, evidence))).collect()
}

/// The start of the main text, without code.
fn sample(view: &View<'_>) -> String {
    let (blocks, elements) = (&view.page.blocks, &view.page.elements);
    let collect = |with_code: bool| {
        let mut sample = String::new();
        for (block, _) in view.prediction.kept.iter().enumerate().filter(|(_, kept)| **kept) {
            let is_code = elements.regions[blocks.element[block] as usize] & Region::Pre.bit() != 0;
            if is_code && !with_code {
                continue;
            }
            let text = blocks.text(block);
            sample.push_str(&text[..text.floor_char_boundary(MAX_SAMPLE - sample.len())]);
            sample.push(' ');
            if sample.len() + 4 >= MAX_SAMPLE {
                break;
            }
        }
        sample
    };
    let sample = collect(false);
    if sample.len() < 60 { collect(true) } else { sample }
}

/// The language of a text, and whether that is certain enough to contradict the page.
///
/// With a `declared` language, only common ones are compared with it.
pub(crate) fn detect(text: &str, declared: Option<&str>) -> Option<(String, bool)> {
    let text = arabic::fold(text, true);
    let (mut latin, mut east_asian, mut kana, mut arabic, mut cyrillic, mut letters) = (0, 0, 0, 0, 0, 0);
    for character in text.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => latin += 1,
            '\u{3040}'..='\u{30ff}' => (kana, east_asian) = (kana + 1, east_asian + 1),
            '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => east_asian += 1,
            '\u{600}'..='\u{6ff}' => arabic += 1,
            '\u{400}'..='\u{52f}' => cyrillic += 1,
            _ => letters += usize::from(flags(character).has(Flags::LETTER | Flags::UNSEGMENTED)),
        }
    }
    letters += latin + 3 * east_asian + arabic + cyrillic;
    if letters < MIN_LETTERS {
        return None;
    }
    if arabic * 2 > letters {
        return Some((by_letters(&text, "arabic", arabic).unwrap_or("ar").to_owned(), true));
    }
    if cyrillic * 2 > letters
        && let Some(tag) = by_letters(&text, "cyrillic", cyrillic)
    {
        return Some((tag.to_owned(), true));
    }
    // Pages on programming are full of Latin letters, whatever they are written in.
    if 3 * east_asian * 2 > letters || (east_asian >= 60 && 3 * east_asian * 6 > letters) {
        let is_korean =
            text.chars().filter(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')).count() * 4 > east_asian;
        let tag = if kana * 10 > east_asian {
            "ja"
        } else if is_korean {
            "ko"
        } else {
            "zh"
        };
        return Some((tag.to_owned(), true));
    }
    if let Some(tag) = by_words(&text) {
        return Some((tag.to_owned(), latin * 2 <= letters || latin >= MIN_CERTAIN));
    }
    let own = declared.and_then(|tag| LANGUAGES.iter().find(|(known, ..)| *known == tag)).map(|it| it.1);
    let common = || LANGUAGES.iter().filter(|(.., is_common)| *is_common).map(|it| it.1);
    let detector = match own {
        Some(own) => whatlang::Detector::with_allowlist(common().chain([own]).collect()),
        None => whatlang::Detector::new(),
    };
    let info = detector.detect(&text)?;
    let tag = CODES.get(info.lang().code())?;
    let is_certain = if latin * 2 > letters { info.is_reliable() && latin >= MIN_CERTAIN } else { true };
    Some(((*tag).to_owned(), is_certain))
}

/// The language with many frequent words in a text, if no other has nearly as many.
fn by_words(text: &str) -> Option<&'static str> {
    const MIN_WORDS: u32 = 12;
    let (mut total, mut counts) = (0, [0_u32; WordTable::MAX_LANGUAGES]);
    for_each_word(text, usize::MAX, |word| {
        total += 1;
        let bits = WORDS.languages_of.get(&word).copied().unwrap_or(0);
        if bits != 0 {
            counts.iter_mut().enumerate().for_each(|(bit, count)| *count += bits >> bit & 1);
        }
    });
    let (most, tag) = counts.iter().zip(&WORDS.languages).max()?;
    let next = counts.iter().zip(&WORDS.languages).filter(|(_, other)| *other != tag).map(|it| it.0).max()?;
    (*most >= MIN_WORDS && most * 6 >= total && most * 2 >= next * 3).then_some(tag)
}

/// Frequent words of languages, by their hashes.
#[derive(Default)]
struct WordTable {
    languages: Vec<&'static str>,
    /// A bit for each language.
    languages_of: FastMap<u32, u32>,
}

impl WordTable {
    const MAX_LANGUAGES: usize = 32;
}

static WORDS: LazyLock<WordTable> = LazyLock::new(|| {
    let lines = include_str!("../../data/language-words.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut table = WordTable::default();
    for (tag, words) in lines.filter_map(|line| line.split_once('\t')).take(WordTable::MAX_LANGUAGES) {
        let bit = 1 << table.languages.len();
        table.languages.push(tag);
        for_each_word(words, usize::MAX, |word| *table.languages_of.entry(word).or_default() |= bit);
    }
    table
});

static CODES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/language-codes.tsv").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(code, tag)| (code, tag.trim_end_matches("\tcommon")))
        .collect()
});

/// Languages of the detector: tag, language, whether pages are often in it whatever they declare.
static LANGUAGES: LazyLock<Vec<(&'static str, whatlang::Lang, bool)>> = LazyLock::new(|| {
    let lines =
        include_str!("../../data/language-codes.tsv").lines().filter_map(|line| line.split_once('\t'));
    let tags = lines.filter_map(|(code, tag)| Some((whatlang::Lang::from_code(code)?, tag)));
    tags.map(|(language, tag)| (tag.trim_end_matches("\tcommon"), language, tag.ends_with("common")))
        .collect()
});

/// The language whose own letters are frequent enough.
fn by_letters(text: &str, script: &str, count: usize) -> Option<&'static str> {
    let mut counts: FastMap<char, usize> = FastMap::default();
    text.chars().flat_map(char::to_lowercase).for_each(|c| *counts.entry(c).or_default() += 1);
    let lines = include_str!("../../data/language-letters.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let mut next = || columns.next();
            Some((next()?, next()?, next()?, next()?.parse::<usize>().ok()?, next().unwrap_or_default()))
        })
        .filter(|(_, of, ..)| *of == script)
        .find(|(_, _, letters, share, lacks)| {
            let sum = |letters: &str| letters.chars().filter_map(|c| counts.get(&c)).sum::<usize>();
            sum(letters) * 1000 >= count * share && (lacks.is_empty() || sum(lacks) * 100 < count)
        })
        .map(|(tag, ..)| tag)
}

/// Whether two languages are the same, or too close to distinguish.
fn is_near(one: &str, other: &str) -> bool {
    let groups = include_str!("../../data/language-groups.tsv").lines().filter(|line| !line.starts_with('#'));
    let has = |group: &str, tag: &str| group.split(' ').any(|known| known == tag);
    one == other || groups.into_iter().any(|group| has(group, one) && has(group, other))
}

/// A tag without script and region.
pub(crate) fn base(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

/// The script that a tag names.
fn script(tag: &str) -> Option<&str> {
    tag.split('-').skip(1).find(|part| part.len() == 4 && part.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// A language tag in its usual form: `EN_us` is `en-US`. Codes that were withdrawn, and codes of countries, are replaced.
pub(crate) fn normalise(value: &str) -> Option<String> {
    // A locale of POSIX ends with its encoding.
    let value = value.split([',', ';', ' ', '.', '@']).find(|part| !part.is_empty())?;
    let (mut tag, mut is_extension) = (String::new(), false);
    for (place, part) in value.split(['-', '_']).enumerate() {
        let is_sound = (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_base = (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_sound || (place == 0 && !is_base) {
            return None;
        }
        let lower = part.to_ascii_lowercase();
        // Undetermined, several, none, uncoded.
        if place == 0 && matches!(lower.as_str(), "und" | "mul" | "zxx" | "mis") {
            return None;
        }
        match (place, part.len()) {
            (0, _) => tag.push_str(CODES.get(lower.as_str()).copied().unwrap_or(&lower)),
            (_, 2) if !is_extension => tag.push_str(&format!("-{}", lower.to_ascii_uppercase())),
            (_, 4) if !is_extension && part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                tag.push_str(&format!("-{}{}", lower[..1].to_ascii_uppercase(), &lower[1..]));
            }
            _ => tag.push_str(&format!("-{lower}")),
        }
        is_extension |= part.len() == 1;
    }
    Some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_normalised() {
        for (value, expected) in [
            ("EN_us", Some("en-US")),
            ("zh_hans_cn", Some("zh-Hans-CN")),
            ("zh_CN", Some("zh-CN")),
            ("ZH-HANT-tw", Some("zh-Hant-TW")),
            ("es-419", Some("es-419")),
            ("fa-IR-u-CA-Persian", Some("fa-IR-u-ca-persian")),
            ("en_US.UTF-8", Some("en-US")),
            ("iw", Some("he")),
            ("iw_IL", Some("he-IL")),
            ("und", None),
            ("english", None),
            ("en-", None),
            ("de, en", Some("de")),
            ("x", None),
            ("{{lang}}", None),
        ] {
            assert_eq!(normalise(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn letters_and_words_tell_languages() {
        for (text, expected) in [
            ("بۈگۈن ھاۋا ناھايىتى ياخشى بولدى، كۆپ ئادەم باغچىغا چىقتى", "ug"),
            ("بۇگىن كۇن جىلى بولىپ، ادامدار باققا بارىپ، ەرتەڭ دە جاڭبىر جاۋمايدى دەپ ايتتى", "kk-Arab"),
            ("آج موسم بہت اچھا تھا اور بہت سے لوگ باغ میں گئے", "ur"),
            ("اڄ موسم تمام سٺي هئي ۽ ڪيترائي ماڻهو باغ ۾ ويا", "sd"),
            ("نن هوا ډېره ښه وه او ډېر خلک بڼ ته لاړل", "ps"),
            ("ئەمڕۆ کەشوهەوا زۆر خۆش بوو و خەڵکێکی زۆر چوون بۆ باخچەکە", "ckb"),
            ("امروز هوا خيلي خوب بود و مردم زيادي به پارك رفتند تا كنار چشمه گردش كنند", "fa"),
            ("امروز هوا خیلی خوب بود و مردم زیادی به پارک رفتند", "fa"),
            ("كان الطقس جميلا اليوم وخرج الكثير من الناس", "ar"),
            ("Сьогодні була гарна погода, і люди вийшли на вулицю", "uk"),
            ("今天天气很好，很多人去了公园散步。", "zh"),
            ("今日は天気がとても良かったので、公園へ行きました。", "ja"),
            (
                "Es regnet seit neun Tagen, und die Gärten sind nicht mehr trocken. Der Fluss ist gestiegen.",
                "de",
            ),
        ] {
            assert_eq!(detect(text, None).map(|(tag, _)| tag).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(detect("12 km", Some("en")), None);
    }

    #[test]
    fn frequent_words_tell_languages() {
        let text = "It rained in the harbour for the first time since the spring, and all of the boats that had been \
            on land were back at sea by the evening.";
        assert_eq!(by_words(text), Some("en"));
        assert_eq!(by_words("the rain"), None);
    }
}
