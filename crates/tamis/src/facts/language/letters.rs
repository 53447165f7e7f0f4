//! What the letters of a text say of its language: their scripts, and letters that one language has alone.

use unicode_normalization::UnicodeNormalization;

/// So many Chinese characters say more than the Latin letters of code and names around them.
const ENOUGH: u32 = 60;
/// So many say more than Latin letters that make no words.
const SOME: u32 = 20;

/// How many letters of each script, and of those that tell its languages apart.
#[derive(Default)]
pub(super) struct Letters {
    latin: u32,
    han: u32,
    kana: u32,
    hangul: u32,
    cyrillic: u32,
    ukrainian: u32,
    kazakh: u32,
    /// ј and its like, which Serbian and Macedonian have; and those that each has alone.
    southern: u32,
    serbian: u32,
    macedonian: u32,
    /// ъ, rare in Russian and a vowel of Bulgarian; ы, э and ё, which that has not.
    hard: u32,
    russian: u32,
    belarusian: u32,
    tajik: u32,
    tatar: u32,
    /// ө and ү, which Kyrgyz and Mongolian have; ң, which of these only Kyrgyz has.
    rounded: u32,
    nasal: u32,
    /// ә, ғ, қ, ұ, which Kyrgyz has not.
    not_kyrgyz: u32,
    arabic: u32,
    uyghur: u32,
    /// Those of Uyghur that Kazakh in Arabic letters has not; the high hamza, which only that has; those of Kyrgyz.
    not_kazakh: u32,
    high_hamza: u32,
    kyrgyz: u32,
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

/// How many letters of ASCII a text has. By chunks, which the compiler turns into vector code.
fn ascii_letters(text: &str) -> u32 {
    let of_chunk =
        |chunk: &[u8]| chunk.iter().fold(0_u8, |sum, byte| sum + u8::from(byte.is_ascii_alphabetic()));
    text.as_bytes().chunks(128).map(|chunk| u32::from(of_chunk(chunk))).sum()
}

impl Letters {
    pub(super) fn count(&mut self, text: &str) {
        // In ASCII all letters are Latin.
        if text.is_ascii() {
            self.latin += ascii_letters(text);
            return;
        }
        // Letters as they look at the beginning or the end of a word stand for the letters themselves.
        let has_looks =
            |text: &str| text.chars().any(|c| matches!(c, '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'));
        // All of them begin with this byte.
        if memchr::memchr(0xEF, text.as_bytes()).is_some() && has_looks(text) {
            self.count_each(text.nfkc());
            return;
        }
        // No byte of another character is a letter of ASCII: they are counted at once, and the others one by one.
        self.latin += ascii_letters(text);
        let mut rest = text;
        while let Some(next) = rest.bytes().position(|byte| !byte.is_ascii()) {
            rest = &rest[next..];
            let end = rest.bytes().position(|byte| byte.is_ascii()).unwrap_or(rest.len());
            self.count_each(rest[..end].chars());
            rest = &rest[end..];
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
                    match c {
                        'ј' | 'љ' | 'њ' | 'џ' => self.southern += 1,
                        'ђ' | 'ћ' => (self.southern, self.serbian) = (self.southern + 1, self.serbian + 1),
                        'ѓ' | 'ќ' | 'ѕ' => {
                            (self.southern, self.macedonian) = (self.southern + 1, self.macedonian + 1);
                        }
                        'ъ' => self.hard += 1,
                        'ы' | 'э' | 'ё' => self.russian += 1,
                        'ў' => self.belarusian += 1,
                        'ӣ' | 'ӯ' | 'ҳ' | 'ҷ' => self.tajik += 1,
                        'җ' => self.tatar += 1,
                        'ө' | 'ү' => self.rounded += 1,
                        'ң' => self.nasal += 1,
                        'ә' | 'ғ' | 'қ' | 'ұ' => self.not_kyrgyz += 1,
                        _ => {}
                    }
                }
                '\u{600}'..='\u{6ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => {
                    self.arabic += 1;
                    self.uyghur += u32::from(matches!(c, 'ۇ' | 'ۆ' | 'ۈ' | 'ۋ' | 'ې' | 'ە' | 'ڭ'));
                    self.not_kazakh += u32::from(matches!(c, 'ې' | 'ۈ' | 'ئ' | 'ۆ'));
                    self.high_hamza += u32::from(c == 'ٴ');
                    self.kyrgyz += u32::from(matches!(c, 'ۅ' | 'ۉ'));
                    self.kurdish += u32::from(matches!(c, 'ێ' | 'ڵ' | 'ڕ'));
                    self.pashto += u32::from(matches!(c, 'ښ' | 'ځ' | 'څ' | 'ړ' | 'ډ' | 'ټ' | 'ۍ'));
                    self.persian += u32::from(matches!(c, 'پ' | 'چ' | 'ژ' | 'گ' | 'ی' | 'ک'));
                    self.urdu += u32::from(matches!(c, 'ٹ' | 'ڈ' | 'ے' | 'ں' | 'ہ'));
                }
                // Behind the last of them stand quotation marks, dashes and wide marks.
                '\u{250}'..'\u{1800}' => {
                    if let Some(place) = OTHERS.iter().position(|(range, _)| range.contains(&c)) {
                        self.others[place] += 1;
                    }
                }
                _ => {}
            }
        }
    }

    /// The language of Cyrillic letters: each has some that its neighbours have not.
    fn of_cyrillic(&self) -> (&'static str, f32) {
        let is_often = |count: u32| count * 50 > self.cyrillic;
        if is_often(self.tajik) {
            ("tg", 0.8)
        } else if is_often(self.southern) {
            (if self.macedonian > self.serbian { "mk" } else { "sr" }, 0.8)
        } else if self.tatar * 400 > self.cyrillic {
            ("tt", 0.7)
        } else if is_often(self.rounded) && self.not_kyrgyz * 100 < self.cyrillic {
            (if self.nasal * 400 > self.cyrillic { "ky" } else { "mn" }, 0.7)
        } else if is_often(self.kazakh) {
            ("kk", 0.5)
        } else if self.belarusian * 100 > self.cyrillic {
            ("be", 0.8)
        } else if is_often(self.ukrainian) {
            ("uk", 0.8)
        } else if self.hard * 120 > self.cyrillic && self.russian * 4 < self.hard {
            ("bg", 0.8)
        } else {
            ("ru", 0.6)
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
    pub(super) fn asian(&self) -> Option<&'static str> {
        (self.han + self.kana + self.hangul >= SOME).then(|| self.of_asian())
    }

    /// The language, where the script tells it; nothing for Latin letters.
    pub(super) fn language(&self) -> Option<(Option<&'static str>, f32)> {
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
            self.of_cyrillic()
        } else if self.arabic * 2 > total {
            if self.kurdish * 40 > self.arabic {
                ("ckb", 0.8)
            } else if self.pashto * 40 > self.arabic {
                ("ps", 0.8)
            } else if self.kyrgyz * 60 > self.arabic {
                ("ky-Arab", 0.8)
            } else if self.high_hamza * 100 > self.arabic && self.not_kazakh < self.high_hamza {
                ("kk-Arab", 0.8)
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
