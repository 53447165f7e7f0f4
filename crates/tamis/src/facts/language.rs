//! The language of the main text, and its direction.
//!
//! A page's frame may be in another language than its text, and templates declare `en` whatever they hold. The
//! script of the text's letters, letters that only one language has, and the commonest words decide where they can;
//! where they cannot, the page's own word is taken.

use std::collections::HashMap;
use std::sync::OnceLock;

use tamis_html::{Name, NodeRef};
use unicode_normalization::UnicodeNormalization;

use super::Around;
use super::evidence::{Evidence, Field, Origin};
use crate::judgement::Judgement;

/// How much of the text is looked at for words, and for letters, in bytes.
const SAMPLE: usize = 1_600;
const LETTERS: usize = 6_000;
/// So many Chinese characters say more than the Latin letters of code and names around them.
const ENOUGH: u32 = 60;
/// So many say more than Latin letters that make no words.
const SOME: u32 = 20;

/// Common words that tell languages in Latin letters apart: each language's own, hardly another's.
const WORDS: &[(&str, &[&str])] = &[
    (
        "en",
        &["the", "and", "of", "to", "is", "that", "for", "with", "was", "are", "this", "have", "it", "you"],
    ),
    (
        "de",
        &[
            "der", "die", "und", "das", "ist", "nicht", "mit", "von", "auf", "für", "ein", "eine", "den",
            "sich", "auch",
        ],
    ),
    (
        "fr",
        &[
            "les", "des", "est", "une", "dans", "pour", "qui", "pas", "sur", "avec", "plus", "ce", "du",
            "et", "à",
        ],
    ),
    ("es", &["los", "las", "una", "por", "con", "para", "del", "es", "como", "más", "pero", "el", "y", "su"]),
    (
        "it",
        &[
            "di", "che", "non", "il", "per", "una", "sono", "della", "con", "del", "più", "anche", "gli",
            "nel",
        ],
    ),
    ("pt", &["não", "uma", "para", "com", "dos", "mais", "por", "os", "da", "do", "em", "são", "ao", "o"]),
    ("nl", &["het", "een", "van", "niet", "dat", "zijn", "op", "met", "voor", "ook", "aan", "maar", "wordt"]),
    ("sv", &["och", "att", "det", "som", "på", "är", "inte", "för", "har", "med", "jag", "till"]),
    ("da", &["og", "det", "er", "ikke", "til", "på", "af", "for", "at", "jeg", "som", "har", "blev"]),
    ("nb", &["og", "det", "er", "ikke", "til", "på", "av", "for", "å", "jeg", "som", "har", "ble"]),
    ("fi", &["ja", "on", "ei", "että", "oli", "se", "hän", "mutta", "ovat", "kun", "myös"]),
    ("pl", &["nie", "się", "na", "jest", "że", "to", "w", "z", "do", "jak", "oraz", "który"]),
    ("cs", &["se", "je", "na", "že", "to", "by", "pro", "jsou", "ale", "jak", "při", "byl"]),
    ("sk", &["sa", "je", "na", "že", "pre", "ako", "nie", "by", "alebo", "sú", "bol", "pri"]),
    ("hu", &["hogy", "nem", "egy", "az", "és", "is", "csak", "volt", "meg", "már", "van"]),
    ("ro", &["și", "în", "nu", "este", "care", "pentru", "din", "mai", "sunt", "pe", "cu"]),
    ("tr", &["bir", "ve", "bu", "için", "ile", "olarak", "daha", "çok", "olan", "gibi", "da"]),
    ("id", &["yang", "dan", "di", "dengan", "untuk", "dari", "ini", "tidak", "pada", "dalam", "itu"]),
    ("vi", &["của", "và", "là", "không", "được", "có", "cho", "người", "trong", "những"]),
    ("hr", &["je", "se", "na", "da", "su", "koji", "nije", "za", "što", "kako", "ili"]),
    ("lt", &["ir", "kad", "yra", "tai", "su", "bet", "ne", "buvo", "iš", "kaip"]),
    ("lv", &["un", "ir", "ka", "par", "no", "ar", "bet", "kas", "tika", "kā"]),
    ("et", &["ja", "on", "ei", "et", "oli", "kui", "see", "ka", "aga", "või"]),
    ("ca", &["els", "les", "amb", "per", "una", "que", "dels", "és", "més", "no"]),
    ("sq", &["dhe", "në", "të", "një", "për", "me", "që", "është", "nga"]),
    ("af", &["die", "en", "het", "nie", "is", "wat", "vir", "met", "om", "van"]),
    ("sw", &["ya", "na", "wa", "kwa", "ni", "katika", "za", "kuwa", "hiyo"]),
    ("eu", &["eta", "da", "ez", "du", "bat", "dira", "zuen", "ere", "izan"]),
];

/// Puts the candidates for the language among the evidence.
pub(super) fn gather(around: &Around<'_>, judgement: &Judgement, evidence: &mut Evidence) {
    let html = around.page.dom().html();
    let sources = [
        (
            html.and_then(|html| html.attribute_named(Name::LANG)).map(|it| it.into_owned()),
            Origin::Html,
            "lang",
            60.0,
        ),
        (
            around.piece().and_then(|piece| piece.text_of("inLanguage")).map(str::to_owned),
            Origin::JsonLd,
            "inLanguage",
            58.0,
        ),
        (
            around
                .scan
                .meta_named(&["content-language", "dc.language", "dcterms.language", "language"])
                .map(str::to_owned),
            Origin::Meta,
            "language",
            50.0,
        ),
        (around.scan.meta_named(&["og:locale"]).map(str::to_owned), Origin::OpenGraph, "og:locale", 48.0),
    ];
    let (found, share) = of_text(around, judgement);
    for (value, origin, detail, weight) in sources {
        let Some(tag) = value.as_deref().and_then(tag) else { continue };
        // What the text says outweighs what the frame says, unless both say the same.
        let agrees = found.is_some_and(|found| base(&tag) == base(found) || is_near(&base(&tag), found));
        let weight = if agrees { weight + 40.0 } else { weight };
        evidence.add(Field::Language, tag, origin, detail, weight);
    }
    if let Some(found) = found {
        let sure = if share >= 0.6 { 80.0 } else { 40.0 };
        evidence.add(Field::Language, found, Origin::Text, "letters and words of the text", sure);
    }
}

/// Languages that the words here cannot tell apart well enough to gainsay the page.
fn is_near(declared: &str, found: &str) -> bool {
    const GROUPS: &[&[&str]] = &[
        &["da", "nb", "no", "nn"],
        &["cs", "sk"],
        &["hr", "bs", "sr", "sl", "sh"],
        &["id", "ms", "jv", "su"],
        &["es", "gl", "ca", "ast", "pt"],
        &["nl", "af", "fy"],
        &["ru", "bg", "uk", "be", "mk", "sr", "kk", "ky", "tg", "mn", "tt"],
        &["fa", "ar", "ur", "ps", "ug", "ckb", "sd"],
        &["hi", "mr", "ne", "sa"],
        &["zh", "yue"],
        &["de", "lb", "gsw"],
        &["fr", "oc"],
        &["it", "la"],
        &["fi", "et"],
        &["he", "yi"],
        &["bn", "as"],
    ];
    GROUPS.iter().any(|group| group.contains(&declared) && group.contains(&found))
}

fn base(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or(tag).to_ascii_lowercase()
}

/// A language tag that looks like one: `en`, `zh-CN`, `ug`.
pub(super) fn tag(value: &str) -> Option<String> {
    let value = value.split([',', ';', ' ']).next().unwrap_or(value).trim();
    let sound = value
        .split(['-', '_'])
        .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    let first = value.split(['-', '_']).next().unwrap_or_default();
    (sound && (2..=3).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_alphabetic()))
        .then(|| as_usual(value))
}

/// A tag with its letters as tags have them: `EN` is `en`, `zh_hans_cn` is `zh-Hans-CN`.
fn as_usual(tag: &str) -> String {
    let mut usual = String::with_capacity(tag.len());
    for (place, part) in tag.split(['-', '_']).enumerate() {
        let small = part.to_ascii_lowercase();
        match (place, part.len()) {
            (0, _) => usual.push_str(&small),
            (_, 2) => usual.push_str(&format!("-{}", small.to_ascii_uppercase())),
            (_, 4) if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                usual.push_str(&format!("-{}{}", small[..1].to_ascii_uppercase(), &small[1..]));
            }
            _ => usual.push_str(&format!("-{small}")),
        }
    }
    usual
}

/// The direction in which a language is written.
pub(super) fn direction(language: &str) -> &'static str {
    let rtl = ["ar", "fa", "he", "ur", "ug", "ps", "ckb", "sd", "yi", "dv", "iw"];
    if rtl.contains(&base(language).as_str()) { "rtl" } else { "ltr" }
}

/// What the text itself says, and how sure that is.
fn of_text(around: &Around<'_>, judgement: &Judgement) -> (Option<&'static str>, f32) {
    let mut letters = Letters::default();
    let mut sample = String::with_capacity(SAMPLE);
    let mut counted = 0;
    for place in judgement.kept() {
        let Some(block) = around.page.blocks().get(place) else { continue };
        // Code is in no language of people.
        if is_code(around.page.element(block)) {
            continue;
        }
        let text = around.page.text(block);
        let head = |room: usize| &text[..text.floor_char_boundary(room)];
        letters.count(head(LETTERS - counted));
        counted += head(LETTERS - counted).len();
        sample.push_str(head(SAMPLE.saturating_sub(sample.len())));
        sample.push(' ');
        if counted + 3 >= LETTERS {
            break;
        }
    }
    if let Some(script) = letters.language() {
        return script;
    }
    let asian = letters.asian();
    // Latin letters: the language with most of its common words.
    let mut words: Vec<u32> = vec![0; WORDS.len()];
    let mut seen = 0_u32;
    sample.make_ascii_lowercase();
    for word in sample.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        seen += 1;
        // A letter by itself stands in formulas as well.
        if word.len() == 1 {
            continue;
        }
        let mut languages = common_words().get(word).copied().unwrap_or(0);
        while languages != 0 {
            words[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
    let mut order: Vec<usize> = (0..WORDS.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(words[place]));
    let (first, second) = (words[order[0]], words[order[1]]);
    // Formulas and names of commands between Chinese sentences make no language.
    if first * 7 < seen
        && let Some(asian) = asian
    {
        return (Some(asian), 0.8);
    }
    if seen < 20 || first * 20 < seen {
        return (None, 0.0);
    }
    let near = is_near(WORDS[order[0]].0, WORDS[order[1]].0);
    let sure = if first > second + second / 3 || near { 0.9 } else { 0.4 };
    (Some(WORDS[order[0]].0), sure)
}

/// Does a block stand in code?
fn is_code(node: NodeRef<'_>) -> bool {
    let around = std::iter::once(node).chain(node.ancestors()).take(4);
    around.filter_map(|it| it.name_id()).any(|name| matches!(name, Name::PRE | Name::CODE | Name::LISTING))
}

/// The common words with the languages that have them, a bit each.
fn common_words() -> &'static HashMap<&'static str, u32> {
    static ALL: OnceLock<HashMap<&'static str, u32>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = HashMap::new();
        for (place, (_, words)) in WORDS.iter().enumerate() {
            for word in *words {
                *all.entry(*word).or_insert(0) |= 1 << place;
            }
        }
        all
    })
}

/// How many letters of each script, and of those that tell its languages apart.
#[derive(Default)]
struct Letters {
    latin: u32,
    han: u32,
    kana: u32,
    hangul: u32,
    cyrillic: u32,
    ukrainian: u32,
    kazakh: u32,
    arabic: u32,
    uyghur: u32,
    kurdish: u32,
    pashto: u32,
    persian: u32,
    urdu: u32,
    others: [u32; 13],
}

/// Scripts that stand for one language, mostly.
const OTHERS: [(std::ops::RangeInclusive<char>, &str); 13] = [
    ('\u{370}'..='\u{3ff}', "el"),
    ('\u{530}'..='\u{58f}', "hy"),
    ('\u{590}'..='\u{5ff}', "he"),
    ('\u{900}'..='\u{97f}', "hi"),
    ('\u{980}'..='\u{9ff}', "bn"),
    ('\u{a80}'..='\u{aff}', "gu"),
    ('\u{b80}'..='\u{bff}', "ta"),
    ('\u{c00}'..='\u{c7f}', "te"),
    ('\u{d00}'..='\u{d7f}', "ml"),
    ('\u{e00}'..='\u{e7f}', "th"),
    ('\u{1000}'..='\u{109f}', "my"),
    ('\u{10a0}'..='\u{10ff}', "ka"),
    ('\u{1780}'..='\u{17ff}', "km"),
];

impl Letters {
    fn count(&mut self, text: &str) {
        // Letters as they look at the beginning or the end of a word stand for the letters themselves.
        if text.chars().any(|c| matches!(c, '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')) {
            self.count_each(text.nfkc());
        } else {
            self.count_each(text.chars());
        }
    }

    fn count_each(&mut self, text: impl Iterator<Item = char>) {
        for c in text {
            match c {
                'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => self.latin += 1,
                '\u{3400}'..='\u{9fff}' => self.han += 1,
                '\u{3040}'..='\u{30ff}' => self.kana += 1,
                '\u{ac00}'..='\u{d7a3}' => self.hangul += 1,
                '\u{400}'..='\u{52f}' => {
                    self.cyrillic += 1;
                    self.ukrainian += u32::from(matches!(c, 'і' | 'ї' | 'є' | 'ґ' | 'І' | 'Ї' | 'Є'));
                    self.kazakh += u32::from(matches!(c, 'ә' | 'ғ' | 'қ' | 'ң' | 'ұ' | 'һ'));
                }
                '\u{600}'..='\u{6ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => {
                    self.arabic += 1;
                    self.uyghur += u32::from(matches!(c, 'ۇ' | 'ۆ' | 'ۈ' | 'ۋ' | 'ې' | 'ە' | 'ڭ'));
                    self.kurdish += u32::from(matches!(c, 'ێ' | 'ڵ' | 'ڕ'));
                    self.pashto += u32::from(matches!(c, 'ښ' | 'ځ' | 'څ' | 'ړ' | 'ډ' | 'ټ' | 'ۍ'));
                    self.persian += u32::from(matches!(c, 'پ' | 'چ' | 'ژ' | 'گ' | 'ی' | 'ک'));
                    self.urdu += u32::from(matches!(c, 'ٹ' | 'ڈ' | 'ے' | 'ں' | 'ہ'));
                }
                c if c > '\u{24f}' => {
                    if let Some(place) = OTHERS.iter().position(|(range, _)| range.contains(&c)) {
                        self.others[place] += 1;
                    }
                }
                _ => {}
            }
        }
    }

    /// The language of Chinese, Japanese and Korean letters.
    fn of_asian(&self) -> &'static str {
        let asian = self.han + self.kana + self.hangul;
        if self.kana * 10 > asian {
            "ja"
        } else if self.hangul * 4 > asian {
            "ko"
        } else {
            "zh"
        }
    }

    /// The same among Latin letters, where there are more than a few.
    fn asian(&self) -> Option<&'static str> {
        (self.han + self.kana + self.hangul >= SOME).then(|| self.of_asian())
    }

    /// The language, where the script tells it; nothing for Latin letters.
    fn language(&self) -> Option<(Option<&'static str>, f32)> {
        let others: u32 = self.others.iter().sum();
        let asian = self.han + self.kana + self.hangul;
        // A character of Chinese is worth several letters.
        let total = self.latin + 3 * asian + self.cyrillic + self.arabic + others;
        if total < 20 {
            return Some((None, 0.0));
        }
        // Pages on programs are full of Latin letters, whatever they are written in.
        let is_asian = 3 * asian * 2 > total || (asian >= ENOUGH && 3 * asian * 6 > total);
        if self.latin * 2 > total && !is_asian {
            return None;
        }
        let share = |count: u32| count as f32 / total as f32;
        let best =
            self.others.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(place, _)| place);
        let (language, sure) = if is_asian {
            (self.of_asian(), 0.95)
        } else if self.cyrillic * 2 > total {
            if self.kazakh * 50 > self.cyrillic {
                ("kk", 0.5)
            } else if self.ukrainian * 50 > self.cyrillic {
                ("uk", 0.8)
            } else {
                ("ru", 0.6)
            }
        } else if self.arabic * 2 > total {
            if self.kurdish * 40 > self.arabic {
                ("ckb", 0.8)
            } else if self.pashto * 40 > self.arabic {
                ("ps", 0.8)
            } else if self.uyghur * 30 > self.arabic {
                // Arabic and Persian have none of its vowels; old pages write some of them with Arabic letters.
                ("ug", 0.9)
            } else if self.urdu * 20 > self.arabic {
                ("ur", 0.8)
            } else if self.persian * 20 > self.arabic {
                ("fa", 0.8)
            } else {
                ("ar", 0.8)
            }
        } else if self.others[best] * 2 > total {
            (OTHERS[best].1, 0.8)
        } else {
            return Some((None, share(total)));
        };
        Some((Some(language), sure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn language(html: &str) -> Option<String> {
        let page = Page::parse(html);
        let judgement = Judgement::of(vec![true; page.blocks().len()]);
        let around = Around::of(&page, &judgement, None);
        let mut evidence = Evidence::default();
        gather(&around, &judgement, &mut evidence);
        evidence.choose(Field::Language)
    }

    #[test]
    fn the_text_outweighs_the_frame() {
        let german = "Es regnet seit neun Tagen, und die Gärten sind nicht mehr trocken. Der Fluss ist auf zwei Meter gestiegen, sagt das Amt, \
                      und auch die Brücke am Hafen ist für den Verkehr gesperrt.";
        assert_eq!(language(&format!("<html lang=en><p>{german}")).as_deref(), Some("de"));
        assert_eq!(language(&format!("<html lang=de-AT><p>{german}")).as_deref(), Some("de-AT"));
        assert_eq!(language(&format!("<p>{german}")).as_deref(), Some("de"));
        assert_eq!(
            language("<html lang=en><p>港口下了九天雨，花园终于不再干旱，河水上涨了两米。").as_deref(),
            Some("zh")
        );
        assert_eq!(
            language("<html lang=zh-TW><p>港口下了九天雨，花園終於不再乾旱，河水上漲了兩米。").as_deref(),
            Some("zh-TW")
        );
        assert_eq!(
            language("<p>يامغۇر توققۇز كۈن ياغدى، دەريا سۈيى ئىككى مېتىر ئۆرلىدى").as_deref(),
            Some("ug")
        );
        assert_eq!(language("<html lang=da><p>Det regnede i ni dage, og floden er steget til to meter, siger kontoret, og det er ikke slut endnu.").as_deref(), Some("da"));
        assert_eq!(language("<html lang=fr><p>12345").as_deref(), Some("fr"));
        assert_eq!(language("<html lang='{{lang}}'><p>x"), None);
    }

    #[test]
    fn code_made_chinese_pages_english() {
        let code =
            "<pre>fn main() { let rain = harbour.measure(&gauge); println!(\"{rain}\"); }</pre>".repeat(9);
        let text = "<p>港口下了九天雨，花园终于不再干旱，河水上涨了两米。</p>".repeat(3);
        assert_eq!(language(&format!("<html lang=en>{code}{text}")).as_deref(), Some("zh"));
        // Code that is not marked as such.
        let line = "<p>let rain = harbour.measure(&gauge);</p>".repeat(12);
        assert_eq!(language(&format!("<html lang=en>{line}{text}")).as_deref(), Some("zh"));
        // Formulas.
        let formula = "<p>w x = z, w y = 0, where z in w and sum exp x dx</p>".repeat(9);
        let line = "<p>港口下了九天雨，花园终于不再干旱，河水上涨了两米。</p>";
        assert_eq!(language(&format!("<html lang=en>{formula}{line}")).as_deref(), Some("zh"));
        // A few characters among English words are quoted.
        let english =
            "It rained for nine days, and the gardens of the harbour are no longer dry, says the office. ";
        let english = format!("<p>{}雨</p>", english.repeat(12));
        assert_eq!(language(&english).as_deref(), Some("en"));
    }

    #[test]
    fn letters_as_they_look_hid_uyghur() {
        let forms = "<p>ﻳﺎﻣﻐﯘﺭ ﺗﻮﻗﻘﯘﺯ ﻛﯜﻥ ﻳﺎﻏﺪﻯ، ﺩەﺭﻳﺎ ﺳﯜﻳﻰ ﺋﻰﻛﻜﻰ ﻣﯧﺘﯩﺮ ﺋﯚﺭﻟﯩﺪﻯ";
        assert_eq!(language(forms).as_deref(), Some("ug"));
    }

    #[test]
    fn tags_in_capitals() {
        assert_eq!(tag("EN").as_deref(), Some("en"));
        assert_eq!(tag("zh_hans_cn").as_deref(), Some("zh-Hans-CN"));
        assert_eq!(tag("EN-us").as_deref(), Some("en-US"));
        assert_eq!(tag("es-419").as_deref(), Some("es-419"));
    }

    #[test]
    fn directions() {
        assert_eq!((direction("ug"), direction("zh-CN"), direction("ar-EG")), ("rtl", "ltr", "rtl"));
    }
}
