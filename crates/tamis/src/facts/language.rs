//! The language of the main text, and its direction.
//!
//! A page's frame may be in another language than its text, and templates declare `en` whatever they hold. The
//! script of the text's letters, letters that only one language has, and the commonest words decide where they can;
//! where they cannot, the page's own word is taken.

mod letters;
mod tags;

use std::collections::HashMap;
use std::sync::OnceLock;

use tamis_html::{Name, NodeRef};

use super::Around;
use super::evidence::{Evidence, Field, Origin};
use crate::judgement::Judgement;
use letters::Letters;
use tags::base;
pub(super) use tags::{direction, tag};

/// How much of the text is looked at for words, and for letters, in bytes.
const SAMPLE: usize = 1_600;
const LETTERS: usize = 6_000;

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
