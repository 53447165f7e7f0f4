//! What a block is by itself: its text and the kind of its element.

use tamis_html::Name;

use super::super::numbers::ln_1p as ln;
use super::super::odds::{Said, text_words};
use super::head::{Head, pair};
use super::section::heading_level;
use super::{LOOKED_UP, Names, Row, Words, bit};
use crate::block::{Block, Hidden};
use crate::characters::{Class, class, is_capital, is_han_at};
use crate::page::Page;

pub(super) struct Own {
    pub(super) characters: f32,
    pub(super) ln_characters: f32,
    pub(super) words: f32,
    pub(super) punctuation: f32,
    pub(super) link_share: f32,
    pub(super) ends_sentence: bool,
    pub(super) digits: f32,
    pub(super) capitals: f32,
    pub(super) whole_words: f32,
    pub(super) arabic: f32,
    pub(super) year: bool,
    pub(super) said: Said,
    pub(super) hash: u64,
    pub(super) title_share: f32,
    pub(super) title_cover: f32,
    pub(super) in_description: f32,
    /// -1 where the page gives no text of its own in JSON-LD.
    pub(super) in_body: f32,
}

impl<N: Names> Row<N> {
    pub(super) fn own(&mut self, block: &Block, own: &Own, page: &Page<'_>) {
        let element = page.element(block);
        let name = element.name_id().unwrap_or(Name::DIV);
        self.add("characters", own.ln_characters);
        self.add("words", ln(own.words));
        self.add("punctuation", ln(own.punctuation));
        self.add("punctuation share", own.punctuation / own.words.max(1.0));
        self.add("link share", own.link_share);
        self.add("links", ln(block.measures.links as f32));
        self.add("images", ln(block.measures.images as f32));
        self.add("ends a sentence", bit(own.ends_sentence));
        self.add("digits", own.digits);
        self.add("capitals", own.capitals);
        self.add("word length", own.characters / own.words.max(1.0));
        self.add("whole words", own.whole_words);
        self.add("arabic", own.arabic);
        self.add("year", bit(own.year));
        self.add("breaks before", f32::from(block.breaks_before));
        self.add("depth", block.depth as f32);
        self.add("veiled", veil(block.veiled));
        self.add("is p", bit(name == Name::P));
        self.add("is li", bit(name == Name::LI));
        self.add("is cell", bit(matches!(name, Name::TD | Name::TH)));
        self.add("is div", bit(name == Name::DIV));
        self.add("heading level", heading_level(Some(name)));
        self.add("words say", own.said.sum);
        self.add("words say mean", own.said.sum / own.said.words.max(1) as f32);
        self.add("words say least", own.said.least);
        self.add("words say most", own.said.most);
        self.add("title share", own.title_share);
        self.add("title cover", own.title_cover);
        self.add("in description", own.in_description);
        self.add("in JSON-LD body", own.in_body);
    }
}

/// What hides a block in the markup; the rarer it is that readers are shown such a text in the end, the higher.
fn veil(by: Option<Hidden>) -> f32 {
    match by {
        None => 0.0,
        Some(Hidden::Aria) => 1.0,
        Some(Hidden::Attribute) => 2.0,
        Some(Hidden::Style) => 3.0,
        Some(Hidden::Noscript) => 4.0,
        Some(Hidden::Template) => 5.0,
    }
}

pub(super) fn own(page: &Page<'_>, block: &Block, words: &Words, head: &Head) -> Own {
    let text = page.text(block);
    let counts = block.measures.text;
    let Letters { letters, digits, capitals, whole, arabic, year } = Letters::of(text);
    let seen = (letters + digits + whole).max(1) as f32;
    let mut said = Said::default();
    let (mut in_title, mut in_description, mut in_body, mut heard, mut before) = (0, 0, 0, 0, 0);
    text_words(text, LOOKED_UP, |word| {
        said.hear(words.texts.of(word));
        in_title += u32::from(head.title.contains(&word));
        if heard > 0 {
            in_description += u32::from(head.description.contains(&pair(before, word)));
            in_body += u32::from(head.body.contains(&pair(before, word)));
        }
        before = word;
        heard += 1;
    });
    let last = text.chars().next_back();
    Own {
        characters: counts.characters as f32,
        ln_characters: ln(counts.characters as f32),
        words: counts.words as f32,
        punctuation: counts.punctuation as f32,
        link_share: block.link_share(),
        ends_sentence: last.is_some_and(|last| {
            matches!(
                last,
                '.' | '!'
                    | '?'
                    | '。'
                    | '！'
                    | '？'
                    | '…'
                    | '؟'
                    | '۔'
                    | '।'
                    | '"'
                    | '”'
                    | '」'
                    | '»'
                    | ')'
            )
        }),
        digits: digits as f32 / seen,
        capitals: capitals as f32 / letters.max(1) as f32,
        whole_words: whole as f32 / seen,
        arabic: arabic as f32 / seen,
        year,
        said,
        hash: xxhash_rust::xxh3::xxh3_64(text.as_bytes()),
        title_share: in_title as f32 / heard.max(1) as f32,
        title_cover: in_title as f32 / head.title.len().max(1) as f32,
        in_description: in_description as f32 / (heard.max(2) - 1) as f32,
        in_body: if head.body.is_empty() { -1.0 } else { in_body as f32 / (heard.max(2) - 1) as f32 },
    }
}

/// So many characters are looked at: a long text is known well enough by its first part.
const LOOKED_AT: usize = 300;

/// Which kinds of letters a text is made of.
#[derive(Default, PartialEq, Debug)]
struct Letters {
    letters: u32,
    digits: u32,
    capitals: u32,
    whole: u32,
    arabic: u32,
    year: bool,
}

impl Letters {
    fn of(text: &str) -> Letters {
        // Where the first bytes are all ASCII, they are the first characters.
        let first = text.as_bytes().get(..LOOKED_AT).unwrap_or(text.as_bytes());
        if first.is_ascii() { Letters::of_ascii(first) } else { Letters::of_any(text) }
    }

    /// As [`Letters::of_any`]: numbers are read only where there are enough digits for a year.
    fn of_ascii(text: &[u8]) -> Letters {
        let mut found = Letters::default();
        for byte in text {
            found.letters += u32::from(byte.is_ascii_alphabetic());
            found.capitals += u32::from(byte.is_ascii_uppercase());
            found.digits += u32::from(byte.is_ascii_digit());
        }
        if found.digits >= 4 {
            let mut numbers = text.split(|byte| !byte.is_ascii_digit()).filter(|number| number.len() == 4);
            found.year = numbers.any(|year| b"1990".as_slice() <= year && year < b"2040".as_slice());
        }
        found
    }

    fn of_any(text: &str) -> Letters {
        let mut found = Letters::default();
        let (mut run, mut number) = (0u32, 0u32);
        let bytes = text.as_bytes();
        let (mut at, mut left) = (0, LOOKED_AT);
        while at < bytes.len() && left > 0 {
            left -= 1;
            let byte = bytes[at];
            if byte.is_ascii_digit() {
                found.digits += 1;
                run += 1;
                number = number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0'));
                at += 1;
                continue;
            }
            found.year |= run == 4 && (1990..2040).contains(&number);
            (run, number) = (0, 0);
            if byte.is_ascii() {
                found.letters += u32::from(byte.is_ascii_alphabetic());
                found.capitals += u32::from(byte.is_ascii_uppercase());
                at += 1;
            } else if is_han_at(bytes, at) {
                found.whole += 1;
                at += 3;
            } else {
                let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
                found.count(character);
                at += character.len_utf8();
            }
        }
        found.year |= run == 4 && (1990..2040).contains(&number);
        found
    }

    fn count(&mut self, character: char) {
        match class(character) {
            Class::WholeWord => self.whole += 1,
            Class::PartOfWord => {
                self.letters += 1;
                self.capitals += u32::from(is_capital(character));
                let code = character as u32;
                self.arabic += u32::from(matches!(code, 0x600..=0x6FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC));
            }
            _ => {}
        }
    }
}

pub(super) fn is_title(own: &Own) -> bool {
    own.title_share > 0.7 && own.title_cover > 0.35 && own.said.words > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_looked_at_as_any_text() {
        let long = format!("{}1999", "A b, ".repeat(60));
        for text in
            ["", "Read more", "1989 1990", "1989", "on 2039-01-02", "2040", "in19991", "12 1 1", &long]
        {
            assert_eq!(Letters::of(text), Letters::of_any(text), "{text}");
        }
    }
}
