//! Common words that tell languages in Latin letters apart.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Each language's own words, hardly another's. None has one letter: those stand in formulas as well.
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
        &["les", "des", "est", "une", "dans", "pour", "qui", "pas", "sur", "avec", "plus", "ce", "du", "et"],
    ),
    ("es", &["los", "las", "una", "por", "con", "para", "del", "es", "como", "más", "pero", "el", "su"]),
    (
        "it",
        &[
            "di", "che", "non", "il", "per", "una", "sono", "della", "con", "del", "più", "anche", "gli",
            "nel",
        ],
    ),
    ("pt", &["não", "uma", "para", "com", "dos", "mais", "por", "os", "da", "do", "em", "são", "ao"]),
    (
        "nl",
        &[
            "het", "een", "van", "niet", "dat", "zijn", "op", "met", "voor", "ook", "aan", "maar", "wordt",
            "de", "en", "bij", "naar", "heeft", "deze",
        ],
    ),
    ("sv", &["och", "att", "det", "som", "på", "är", "inte", "för", "har", "med", "jag", "till"]),
    ("da", &["og", "det", "er", "ikke", "til", "på", "af", "for", "at", "jeg", "som", "har", "blev"]),
    ("nb", &["og", "det", "er", "ikke", "til", "på", "av", "for", "jeg", "som", "har", "ble"]),
    (
        "is",
        &[
            "og", "að", "er", "sem", "við", "það", "um", "ekki", "hefur", "eru", "fyrir", "með", "af", "til",
            "þá", "en", "var", "hann",
        ],
    ),
    ("fi", &["ja", "on", "ei", "että", "oli", "se", "hän", "mutta", "ovat", "kun", "myös"]),
    ("pl", &["nie", "się", "na", "jest", "że", "to", "do", "jak", "oraz", "który", "przez", "są", "od"]),
    ("cs", &["se", "je", "na", "že", "to", "by", "pro", "jsou", "ale", "jak", "při", "byl", "už", "nebo"]),
    (
        "sk",
        &[
            "sa", "je", "na", "že", "pre", "ako", "nie", "by", "alebo", "sú", "bol", "pri", "ale", "už",
            "aby", "čo", "som", "do", "to", "pod",
        ],
    ),
    ("hu", &["hogy", "nem", "egy", "az", "és", "is", "csak", "volt", "meg", "már", "van"]),
    ("ro", &["și", "în", "nu", "este", "care", "pentru", "din", "mai", "sunt", "pe", "cu"]),
    ("tr", &["bir", "ve", "bu", "için", "ile", "olarak", "daha", "çok", "olan", "gibi", "da"]),
    ("id", &["yang", "dan", "di", "dengan", "untuk", "dari", "ini", "tidak", "pada", "dalam", "itu"]),
    ("vi", &["của", "và", "là", "không", "được", "có", "cho", "người", "trong", "những"]),
    (
        "hr",
        &[
            "je", "se", "na", "da", "su", "koji", "nije", "za", "što", "kako", "ili", "više", "jer", "gdje",
            "prije", "poslije", "također", "vrijeme", "tko", "ovdje", "riječ", "dvije", "dio", "uvijek",
            "tijekom",
        ],
    ),
    (
        "sr",
        &[
            "je", "se", "na", "da", "su", "koji", "nije", "za", "što", "kako", "ili", "više", "jer", "gde",
            "pre", "posle", "takođe", "šta", "vreme", "ovde", "reč", "dve", "deo", "uvek",
        ],
    ),
    (
        "sl",
        &[
            "je", "in", "se", "na", "da", "za", "ki", "so", "ni", "pa", "tudi", "več", "ali", "kot", "ker",
            "zelo",
        ],
    ),
    ("lt", &["ir", "kad", "yra", "tai", "su", "bet", "ne", "buvo", "iš", "kaip"]),
    ("lv", &["un", "ir", "ka", "par", "no", "ar", "bet", "kas", "tika", "kā"]),
    ("et", &["ja", "on", "ei", "et", "oli", "kui", "see", "ka", "aga", "või"]),
    ("ca", &["els", "les", "amb", "per", "una", "que", "dels", "és", "més", "no"]),
    ("sq", &["dhe", "në", "të", "një", "për", "me", "që", "është", "nga"]),
    (
        "af",
        &["die", "en", "het", "nie", "is", "wat", "vir", "met", "om", "van", "dit", "sê", "ook", "by", "aan"],
    ),
    ("sw", &["ya", "na", "wa", "kwa", "ni", "katika", "za", "kuwa", "hiyo"]),
    (
        "ug",
        &[
            "we", "bilen", "bir", "bu", "üchün", "bolghan", "qilghan", "dep", "emes", "bolup", "ularning",
            "heqqide", "kéyin", "yaki", "bar", "idi", "hem", "yéngi", "qilip", "boldi", "kishi", "köp",
            "uning", "shu", "uyghur", "xelq",
        ],
    ),
    ("eu", &["eta", "da", "ez", "du", "bat", "dira", "zuen", "ere", "izan"]),
];

/// How many of its words each language has in a text.
pub(super) struct Words {
    pub(super) seen: u32,
    /// The language with most, and how many.
    pub(super) most: (&'static str, u32),
    pub(super) next: (&'static str, u32),
    counts: Vec<u32>,
}

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let mut counts: Vec<u32> = vec![0; WORDS.len()];
        let mut seen = 0_u32;
        let text = text.to_lowercase();
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            seen += 1;
            let mut languages = common_words().get(word).copied().unwrap_or(0);
            while languages != 0 {
                counts[languages.trailing_zeros() as usize] += 1;
                languages &= languages - 1;
            }
        }
        let mut order: Vec<usize> = (0..WORDS.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(counts[place]));
        let of = |place: usize| (WORDS[place].0, counts[place]);
        Words { seen, most: of(order[0]), next: of(order[1]), counts }
    }

    /// Do the words speak against what a page says of itself? A language that is known here must be all but absent; of others
    /// nobody can say that, so another one must be plain to see.
    pub(super) fn may_gainsay(&self, declared: &str) -> bool {
        match WORDS.iter().position(|(language, _)| *language == declared) {
            Some(place) => self.counts[place] * 3 < self.most.1,
            None => self.most.1 * 5 >= self.seen,
        }
    }
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

    #[test]
    fn the_table_is_sound() {
        assert!(WORDS.len() <= 32, "a bit for each");
        for (language, words) in WORDS {
            for word in *words {
                assert!(word.chars().count() > 1, "{language} {word}");
                assert_eq!(*word, word.to_lowercase(), "{language}");
                assert_eq!(words.iter().filter(|it| *it == word).count(), 1, "{language} {word}");
            }
        }
    }
}
