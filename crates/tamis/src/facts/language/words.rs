//! Common words and letters that tell languages in Latin letters apart.
//!
//! Neighbours share many of both: `de` is a word of six languages, ó a letter of ten. So each counts for all that have it, and the
//! less the more they are; and a letter speaks against the languages that have it not.

use std::sync::OnceLock;

use crate::characters::{is_letter, small};
use crate::hashing::{NumberMap, TextMap};

/// Each language with the letters it has beside those of ASCII, and its common words. None of the words has one letter: those
/// stand in formulas as well.
const WORDS: &[(&str, &str, &[&str])] = &[
    (
        "en",
        "",
        &[
            "the", "and", "of", "to", "is", "that", "for", "with", "was", "are", "this", "have", "it", "you",
            "in", "on", "at", "by", "from", "be", "not", "as", "he", "his", "they", "but", "has", "or", "we",
            "which", "were", "will", "had", "their", "been", "can", "more", "an", "its", "after", "who",
            "see", "man", "over", "plus", "come", "pro", "bar", "all", "up", "out", "our", "your", "my",
            "new", "also", "when", "what", "if", "she", "there", "than", "about", "one", "would", "into",
            "her", "per", "us",
        ],
    ),
    (
        "de",
        "äöüß",
        &[
            "der", "die", "und", "das", "ist", "nicht", "mit", "von", "auf", "für", "ein", "eine", "den",
            "sich", "auch", "im", "in", "zu", "dem", "des", "es", "er", "sie", "wie", "aber", "nach", "bei",
            "hat", "wird", "werden", "einen", "einer", "noch", "aus", "sind", "war", "dass", "wir", "ich",
            "seit", "zum", "zur", "nur", "oder", "über", "am", "um",
        ],
    ),
    (
        "fr",
        "àâæçéèêëîïôœùûüÿ",
        &[
            "les", "des", "est", "une", "dans", "pour", "qui", "pas", "sur", "avec", "plus", "ce", "du",
            "et", "le", "la", "de", "un", "en", "que", "il", "elle", "au", "aux", "par", "ne", "se", "son",
            "sa", "ses", "mais", "ont", "été", "cette", "nous", "vous", "leur", "comme", "depuis", "ou",
            "je", "sont", "deux",
        ],
    ),
    (
        "es",
        "áéíñóúü",
        &[
            "los", "las", "una", "por", "con", "para", "del", "es", "como", "más", "pero", "el", "su", "la",
            "de", "en", "que", "un", "se", "al", "lo", "sus", "este", "esta", "ya", "ha", "no", "fue", "son",
            "entre", "cuando", "muy", "sin", "sobre", "también", "hasta", "hay", "desde", "porque", "todo",
            "años", "está",
        ],
    ),
    (
        "it",
        "àèéìòù",
        &[
            "di", "che", "non", "il", "per", "una", "sono", "della", "con", "del", "più", "anche", "gli",
            "nel", "la", "le", "un", "da", "in", "si", "ha", "dei", "delle", "al", "alla", "come", "lo",
            "ma", "suo", "sua", "questo", "questa", "stato", "dopo", "nella", "dal", "dalla", "ed", "ci",
            "tra", "hanno",
        ],
    ),
    (
        "pt",
        "áâãàçéêíóôõú",
        &[
            "não", "uma", "para", "com", "dos", "mais", "por", "os", "da", "do", "em", "são", "ao", "um",
            "que", "de", "as", "na", "no", "se", "das", "pela", "pelo", "como", "foi", "ou", "mas", "também",
            "já", "seu", "sua", "nos", "nas", "muito", "até", "está", "ele", "ela", "entre", "depois",
            "quando", "há", "isso", "às",
        ],
    ),
    (
        "nl",
        "éëïöü",
        &[
            "het", "een", "van", "niet", "dat", "zijn", "op", "met", "voor", "ook", "aan", "maar", "wordt",
            "de", "en", "bij", "naar", "heeft", "deze", "in", "is", "te", "er", "om", "als", "door", "uit",
            "nog", "worden", "dan", "meer", "hij", "over", "zich", "ze", "werd", "hebben", "geen", "kan",
            "al", "was", "twee",
        ],
    ),
    (
        "sv",
        "åäöé",
        &[
            "och", "att", "det", "som", "på", "är", "inte", "för", "har", "med", "jag", "till", "den", "en",
            "av", "ett", "de", "om", "var", "vi", "men", "från", "så", "kan", "han", "ska", "efter", "också",
            "när", "vid", "eller", "nu", "sig", "man", "alla", "ut", "skulle", "nya", "mycket",
        ],
    ),
    (
        "da",
        "åæøé",
        &[
            "og", "det", "er", "ikke", "til", "på", "af", "for", "at", "jeg", "som", "har", "blev", "den",
            "en", "de", "et", "med", "der", "var", "fra", "om", "han", "vi", "men", "kan", "ud", "efter",
            "også", "skal", "nu", "sig", "ved", "eller", "når", "hvor", "mere", "blevet", "over", "meget",
        ],
    ),
    (
        "nb",
        "åæøé",
        &[
            "og", "det", "er", "ikke", "til", "på", "av", "for", "jeg", "som", "har", "ble", "den", "en",
            "de", "et", "med", "var", "fra", "om", "han", "vi", "men", "kan", "ut", "etter", "også", "skal",
            "nå", "seg", "ved", "eller", "når", "hvor", "mer", "blitt", "over", "mye", "at",
        ],
    ),
    (
        "is",
        "áðéíóúýþæö",
        &[
            "og", "að", "er", "sem", "við", "það", "um", "ekki", "hefur", "eru", "fyrir", "með", "af", "til",
            "þá", "en", "var", "hann", "frá", "ég", "því", "þetta", "þess", "eftir", "segir", "verið",
            "hafa", "þegar", "úr", "eða", "svo", "upp", "voru", "hún",
        ],
    ),
    (
        "fi",
        "äöå",
        &[
            "ja", "on", "ei", "että", "oli", "se", "hän", "mutta", "ovat", "kun", "myös", "joka", "sen",
            "ole", "niin", "kuin", "nyt", "jo", "sekä", "mukaan", "eivät", "vain", "hänen", "tai", "ollut",
            "jos", "kanssa", "olla", "ennen", "mitä", "ne", "vielä", "enää",
        ],
    ),
    (
        "pl",
        "ąćęłńóśźż",
        &[
            "nie", "się", "na", "jest", "że", "to", "do", "jak", "oraz", "który", "przez", "są", "od", "po",
            "za", "dla", "ale", "już", "tylko", "co", "czy", "tym", "jego", "może", "było", "był", "była",
            "także", "tego", "też", "ze", "we", "przy", "które", "która", "będzie", "bardzo",
        ],
    ),
    (
        "cs",
        "áčďéěíňóřšťúůýž",
        &[
            "se", "je", "na", "že", "to", "by", "pro", "jsou", "ale", "jak", "při", "byl", "už", "nebo",
            "do", "za", "ve", "po", "od", "jako", "podle", "který", "která", "jeho", "také", "tak", "být",
            "bylo", "není", "jen", "si", "ze", "které", "před", "co", "aby", "kde", "když", "své", "má",
            "jsem", "nejsou",
        ],
    ),
    (
        "sk",
        "áäčďéíĺľňóôŕšťúýž",
        &[
            "sa", "je", "na", "že", "pre", "ako", "nie", "by", "alebo", "sú", "bol", "pri", "ale", "už",
            "aby", "čo", "som", "do", "to", "pod", "za", "po", "od", "tak", "aj", "ktorý", "ktorá", "jeho",
            "podľa", "bola", "bolo", "len", "si", "zo", "vo", "pred", "keď", "kde", "má", "ešte", "svoje",
            "ktoré", "cez", "sme", "boli",
        ],
    ),
    (
        "hu",
        "áéíóöőúüű",
        &[
            "hogy", "nem", "egy", "az", "és", "is", "csak", "volt", "meg", "már", "van", "de", "ha", "még",
            "mint", "azt", "ez", "akkor", "el", "minden", "vagy", "után", "ki", "mert", "ezt", "között",
            "pedig", "lesz", "lehet", "nagyon", "két", "kell", "szerint",
        ],
    ),
    (
        "ro",
        "ăâîșțşţ",
        &[
            "și", "şi", "în", "nu", "este", "care", "pentru", "din", "mai", "sunt", "pe", "cu", "la", "de",
            "un", "că", "au", "fost", "să", "se", "ce", "sau", "lui", "dar", "după", "prin", "fi", "avea",
            "aceasta", "acest", "către", "până", "foarte", "va", "își", "cele", "ale", "al",
        ],
    ),
    (
        "tr",
        "çğıöşüâ",
        &[
            "bir",
            "ve",
            "bu",
            "için",
            "ile",
            "olarak",
            "daha",
            "çok",
            "olan",
            "gibi",
            "da",
            "de",
            "ne",
            "kadar",
            "var",
            "sonra",
            "en",
            "ama",
            "her",
            "olduğu",
            "ki",
            "göre",
            "mi",
            "değil",
            "yeni",
            "ancak",
            "iki",
            "artık",
            "ise",
            "dedi",
            "oldu",
            "tarafından",
            "üzerinde",
            "bile",
        ],
    ),
    (
        "id",
        "é",
        &[
            "yang", "dan", "di", "dengan", "untuk", "dari", "ini", "tidak", "pada", "dalam", "itu", "akan",
            "adalah", "juga", "ke", "oleh", "sudah", "ada", "karena", "bisa", "saat", "para", "telah",
            "lebih", "atau", "menjadi", "mereka", "hari", "tersebut", "kata", "seperti", "tahun", "dua",
            "lagi",
        ],
    ),
    (
        "vi",
        "àáâãèéêìíòóôõùúýăđĩũơư",
        &[
            "của", "và", "là", "không", "được", "có", "cho", "người", "trong", "những", "một", "các", "với",
            "đã", "này", "khi", "để", "ra", "đến", "cũng", "như", "vào", "ông", "tại", "nhiều", "năm", "bị",
            "từ", "trên", "còn", "về", "ngày", "nước", "hai", "sau", "nói", "rằng",
        ],
    ),
    (
        "hr",
        "čćđšž",
        &[
            "je", "se", "na", "da", "su", "koji", "nije", "za", "što", "kako", "ili", "više", "jer", "gdje",
            "prije", "poslije", "također", "vrijeme", "tko", "ovdje", "riječ", "dvije", "dio", "uvijek",
            "tijekom", "od", "do", "kod", "iz", "bi", "će", "ali", "samo", "bio", "to", "ne", "nakon", "kao",
            "sve", "nisu", "kaže", "biti",
        ],
    ),
    (
        "sr",
        "čćđšž",
        &[
            "je", "se", "na", "da", "su", "koji", "nije", "za", "što", "kako", "ili", "više", "jer", "gde",
            "pre", "posle", "takođe", "šta", "vreme", "ovde", "reč", "dve", "deo", "uvek", "od", "do", "kod",
            "iz", "bi", "će", "ali", "samo", "bio", "to", "ne", "nakon", "kao", "sve", "nisu", "kaže",
            "biti",
        ],
    ),
    (
        "sl",
        "čšž",
        &[
            "je", "in", "se", "na", "da", "za", "ki", "so", "ni", "pa", "tudi", "več", "ali", "kot", "ker",
            "zelo", "bi", "od", "do", "po", "pri", "že", "še", "kako", "bil", "bilo", "bila", "ne", "ter",
            "kar", "pred", "niso", "samo", "lahko", "med",
        ],
    ),
    (
        "lt",
        "ąčęėįšųūž",
        &[
            "ir", "kad", "yra", "tai", "su", "bet", "ne", "buvo", "iš", "kaip", "apie", "jau", "po", "dėl",
            "arba", "nuo", "bus", "tik", "per", "už", "prie", "dar", "gali", "jo", "savo", "labai", "kurie",
            "kai", "dienas", "iki",
        ],
    ),
    (
        "lv",
        "āčēģīķļņšūž",
        &[
            "un", "ir", "ka", "par", "no", "ar", "bet", "kas", "tika", "kā", "arī", "uz", "pie", "vai",
            "lai", "gan", "pēc", "ne", "jau", "tas", "to", "nav", "bija", "kad", "ļoti", "līdz", "savu",
            "vairs", "tikai", "dienas",
        ],
    ),
    (
        "et",
        "äõöüšž",
        &[
            "ja", "on", "ei", "et", "oli", "kui", "see", "ka", "aga", "või", "ning", "mis", "ta", "oma",
            "kes", "pärast", "ole", "seda", "mitte", "enam", "selle", "siis", "üle", "juba", "väga", "veel",
            "nii", "ütles", "ütleb",
        ],
    ),
    (
        "ca",
        "àçèéíïòóúü",
        &[
            "els", "les", "amb", "per", "una", "que", "dels", "és", "més", "no", "la", "de", "el", "un",
            "en", "del", "al", "va", "han", "ha", "però", "també", "són", "com", "aquest", "aquesta", "seva",
            "seu", "ja", "molt", "fins", "des", "perquè", "què", "està", "sense",
        ],
    ),
    (
        "sq",
        "çë",
        &[
            "dhe", "në", "të", "një", "për", "me", "që", "është", "nga", "së", "si", "por", "ka", "nuk",
            "do", "janë", "kjo", "ky", "më", "pas", "shumë", "edhe", "kishte", "ishte", "tha",
        ],
    ),
    (
        "af",
        "êëéôûïöáè",
        &[
            "die", "en", "het", "nie", "is", "wat", "vir", "met", "om", "van", "dit", "sê", "ook", "by",
            "aan", "in", "te", "se", "hy", "sy", "was", "dat", "op", "ek", "ons", "hulle", "uit", "sal",
            "kan", "maar", "al", "oor", "na", "word", "toe", "twee", "meer",
        ],
    ),
    (
        "sw",
        "",
        &[
            "ya", "na", "wa", "kwa", "ni", "katika", "za", "kuwa", "hiyo", "la", "kama", "hii", "wake",
            "yake", "baada", "cha", "hilo", "alisema", "wao", "pia", "hizo", "sasa", "lakini", "watu",
            "tena", "siku",
        ],
    ),
    (
        "ug",
        "éöü",
        &[
            "we", "bilen", "bir", "bu", "üchün", "bolghan", "qilghan", "dep", "emes", "bolup", "ularning",
            "heqqide", "kéyin", "yaki", "bar", "idi", "hem", "yéngi", "qilip", "boldi", "kishi", "köp",
            "uning", "shu", "uyghur", "xelq",
        ],
    ),
    (
        "eu",
        "ñ",
        &[
            "eta", "da", "ez", "du", "bat", "dira", "zuen", "ere", "izan", "baina", "den", "hau", "egin",
            "dute", "zen", "hori", "dela", "bi", "ditu", "diren", "oso", "beste", "baino", "edo", "gabe",
            "ziren", "ari",
        ],
    ),
];

/// The letters that only Vietnamese has, vowels with tones.
const VIETNAMESE: std::ops::RangeInclusive<char> = '\u{1ea0}'..='\u{1ef9}';

/// What a word is worth that one language alone has, what such a letter is worth, and what a letter costs the languages without it.
pub(super) const WORD: i32 = 60;
const LETTER: i32 = 24;
const STRANGE: i32 = 12;

/// How much the words and letters of a text speak for each language.
pub(super) struct Words {
    pub(super) seen: i32,
    /// The language with most, and its points.
    pub(super) most: (&'static str, i32),
    pub(super) next: (&'static str, i32),
    points: Vec<i32>,
}

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let mut points: Vec<i32> = vec![0; WORDS.len()];
        let (mut seen, mut strange) = (0, 0);
        let share = |points: &mut [i32], mut languages: u32, whole: i32, more: i32| {
            let each = whole / (languages.count_ones() as i32).max(1) + more;
            while languages != 0 {
                points[languages.trailing_zeros() as usize] += each;
                languages &= languages - 1;
            }
        };
        let text = small(text);
        for word in text.split(|c: char| !is_letter(c)).filter(|word| !word.is_empty()) {
            seen += 1;
            share(&mut points, tables().words.get(word).copied().unwrap_or(0), WORD, 0);
            if word.is_ascii() {
                continue;
            }
            for letter in word.chars().filter(|c| !c.is_ascii()) {
                let languages = tables().languages_with(letter);
                if languages != 0 {
                    strange += STRANGE;
                    share(&mut points, languages, LETTER, STRANGE);
                }
            }
        }
        for points in &mut points {
            *points = (*points - strange).max(0);
        }
        let mut order: Vec<usize> = (0..WORDS.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(points[place]));
        let of = |place: usize| (WORDS[place].0, points[place]);
        Words { seen, most: of(order[0]), next: of(order[1]), points }
    }

    /// Do the words speak against what a page says of itself? A language that is known here must be all but absent; of others
    /// nobody can say that, so another one must be plain to see.
    pub(super) fn may_gainsay(&self, declared: &str) -> bool {
        match WORDS.iter().position(|(language, ..)| *language == declared) {
            Some(place) => self.points[place] * 3 < self.most.1,
            None => self.most.1 * 5 >= self.seen * WORD,
        }
    }
}

/// Words and letters with the languages that have them, a bit each.
struct Tables {
    words: TextMap<&'static str, u32>,
    letters: NumberMap<char, u32>,
    vietnamese: u32,
}

impl Tables {
    fn languages_with(&self, letter: char) -> u32 {
        if VIETNAMESE.contains(&letter) {
            return self.vietnamese;
        }
        self.letters.get(&letter).copied().unwrap_or(0)
    }
}

fn tables() -> &'static Tables {
    static ALL: OnceLock<Tables> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Tables { words: TextMap::default(), letters: NumberMap::default(), vietnamese: 0 };
        for (place, (language, letters, words)) in WORDS.iter().enumerate() {
            let bit = 1 << place;
            for word in *words {
                *all.words.entry(*word).or_insert(0) |= bit;
            }
            for letter in letters.chars() {
                *all.letters.entry(letter).or_insert(0) |= bit;
            }
            if *language == "vi" {
                all.vietnamese = bit;
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
        for (language, letters, words) in WORDS {
            assert!(letters.chars().all(|c| !c.is_ascii() && c.is_lowercase()), "{language} {letters}");
            for word in *words {
                assert!(word.chars().count() > 1, "{language} {word}");
                assert_eq!(*word, word.to_lowercase(), "{language}");
                assert_eq!(words.iter().filter(|it| *it == word).count(), 1, "{language} {word}");
                let is_own = |c: char| c.is_ascii() || letters.contains(c) || VIETNAMESE.contains(&c);
                assert!(word.chars().all(is_own), "{language} {word}");
            }
        }
    }
}
