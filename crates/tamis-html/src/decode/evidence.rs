//! When the bytes overrule a declared encoding.
//!
//! Servers, templates and editors declare wrong encodings, so declarations are checked: one is rejected if another
//! encoding fits the bytes much better (see [`super::fit`]). The margin protects correct declarations of text in
//! unusual languages or with a few odd characters.

use super::detect;
use super::fit::{self, BIT};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes of the sample.
const SAMPLE: usize = 64 * 1024;

/// The sample of a page: its non-ASCII bytes with their context, up to [`SAMPLE`].
///
/// Markup and scripts without non-ASCII bytes are irrelevant, and on some pages the text comes after hundreds of
/// kilobytes of them.
pub(super) fn sample(bytes: &[u8]) -> Vec<u8> {
    /// The ASCII bytes kept on each side: more than any encoding has within a character.
    const NEAR: usize = 4;
    let mut sample = Vec::with_capacity(SAMPLE.min(bytes.len()));
    let mut rest = bytes;
    while !rest.is_empty() && sample.len() < SAMPLE {
        let (ascii, after) = rest.split_at(Encoding::ascii_valid_up_to(rest));
        if ascii.len() > 2 * NEAR + 1 {
            sample.extend_from_slice(&ascii[..NEAR]);
            // A gap ends the word.
            sample.push(b' ');
            sample.extend_from_slice(&ascii[ascii.len() - NEAR..]);
        } else {
            sample.extend_from_slice(ascii);
        }
        let length = after.iter().position(u8::is_ascii).unwrap_or(after.len());
        sample.extend_from_slice(&after[..length.min(SAMPLE)]);
        rest = &after[length..];
    }
    sample
}

/// Whether bytes that are valid UTF-8 are UTF-8, although another encoding is declared.
///
/// The probability that text in another encoding is valid UTF-8 halves with every character, so little evidence is
/// needed. But `É”` in windows-1252 and some single characters in GBK are valid UTF-8 letters.
pub(super) fn is_utf_8_rather_than(sample: &[u8], declared: &'static Encoding) -> bool {
    // A complete sample has incomplete characters only in a wrong encoding.
    let leaves_errors = sample.len() < SAMPLE && declared.decode_without_bom_handling(sample).1;
    leaves_errors || fit::cost(sample, declared) > fit::cost(sample, UTF_8) + 8 * BIT
}

/// Whether the bytes, which are not valid UTF-8, can be in the declared encoding.
pub(super) fn allows(sample: &[u8], declared: &'static Encoding) -> bool {
    const EAST_ASIAN: [&Encoding; 5] = [GBK, BIG5, SHIFT_JIS, EUC_JP, EUC_KR];
    let declared_cost = fit::cost(sample, declared);
    let beyond_ascii = sample.iter().filter(|b| !b.is_ascii()).count() as u64;
    // Ordinary text has at most this cost per byte, and misread text far more, with one exception: the East Asian sets
    // overlap, and each finds common characters in text of the others.
    let ordinary = declared_cost <= beyond_ascii * 15 * BIT / 2;
    // Invalid bytes alone contradict UTF-8; for other encodings, a few characters are not enough.
    let at_least = if declared == UTF_8 { 16 * BIT } else { 32 * BIT };
    let is_east_asian = EAST_ASIAN.contains(&declared) || declared == GB18030;
    let rivals: &[&'static Encoding] = match (ordinary, is_east_asian) {
        (true, true) => &EAST_ASIAN,
        (true, false) => &[UTF_8],
        (false, _) => &fit::RIVALS,
    };
    let overruled = |rival: &'static Encoding| {
        let cost = fit::cost(sample, rival);
        if is_less(cost, declared_cost, rival, at_least) {
            // The detector is better at alphabets, so its agreement with the declaration decides.
            !(rival.is_single_byte() && fit::are_siblings(detect::guess(sample, None), declared))
        } else {
            is_east_asian && cost + at_least < declared_cost && detect::guess(sample, None) == rival
        }
    };
    !rivals.iter().any(|&rival| overruled(rival))
}

/// Whether the cost of another encoding is lower by more than chance or unusual text explains.
///
/// Other bytes are rarely valid in multi-byte encodings. In single-byte encodings, every byte is a character, so the
/// required margin is larger.
fn is_less(cost: u64, other: u64, rival: &'static Encoding, at_least: u64) -> bool {
    cost + at_least < other
        && if rival.is_single_byte() { cost * 4 < other * 3 } else { cost * 10 < other * 9 }
}

/// The encoding of bytes that are not valid UTF-8, without a credible declaration.
pub(super) fn most_likely(sample: &[u8], tld: Option<&str>) -> &'static Encoding {
    let guess = detect::guess(sample, tld);
    let guess_cost = fit::cost(sample, guess);
    let best = fit::RIVALS
        .into_iter()
        .map(|rival| (fit::cost(sample, rival), rival))
        .filter(|&(cost, rival)| is_less(cost, guess_cost, rival, 4 * BIT))
        .min_by_key(|&(cost, _)| cost);
    if let Some((_, best)) = best {
        return best;
    }
    // Prefer the Windows encoding of a script, the most common one.
    let usual = fit::usual_sibling(guess);
    if usual != guess && fit::cost(sample, usual) < guess_cost { usual } else { guess }
}

/// Undeclared UTF-16: every second byte of its markup is zero.
pub(super) fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(4096)];
    memchr::memchr(0, start)?;
    let pairs = start.chunks_exact(2);
    let of = pairs.len();
    let (mut first, mut second) = (0, 0);
    for pair in pairs {
        first += usize::from(pair[0] == 0 && pair[1] != 0);
        second += usize::from(pair[1] == 0 && pair[0] != 0);
    }
    // Markup makes up more than a quarter of any page; zeros on the other side are other characters' halves.
    let few = |zeros: usize| zeros * 20 <= of;
    let many = |zeros: usize| zeros * 4 > of;
    match () {
        () if many(second) && few(first) => Some(UTF_16LE),
        () if many(first) && few(second) => Some(UTF_16BE),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{ISO_8859_2, ISO_8859_7, KOI8_R, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253};

    fn bytes(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    #[test]
    fn the_sample_keeps_the_context_of_non_ascii_bytes() {
        let page = format!("{}één{}twee ñ", "a".repeat(5000), "b".repeat(5000));
        assert_eq!(sample(&bytes(&page, WINDOWS_1252)), b"aaaa aaaa\xE9\xE9nbbb wee \xF1");
        assert!(sample(&vec![0xE9; 10 * SAMPLE]).len() <= SAMPLE);
    }

    #[test]
    fn text_after_long_scripts_once_stayed_out_of_the_sample() {
        let page = format!("©{}Bücher über Brücken", " ".repeat(300_000));
        assert!(sample(&bytes(&page, WINDOWS_1252)).ends_with(b"Br\xFCcken"));
    }

    #[test]
    fn a_copyright_sign_of_utf_8_is_enough_to_know_it() {
        let page = "<p>© 2009</p>".as_bytes();
        assert!(is_utf_8_rather_than(page, WINDOWS_1252));
        assert!(is_utf_8_rather_than(page, GBK));
    }

    #[test]
    fn one_character_that_is_valid_utf_8_by_chance_is_not() {
        // É” of windows-1252, 模 of GBK.
        assert!(!is_utf_8_rather_than(b"<p>the CAF\xC9\x94</p>", WINDOWS_1252));
        assert!(!is_utf_8_rather_than(b"<p>\xC4\xA3</p>", GBK));
    }

    #[test]
    fn an_honest_declaration_stands() {
        let polish = "Wczoraj po południu czytaliśmy w bibliotece książkę o dziejach miasta";
        assert!(allows(&bytes(polish, ISO_8859_2), ISO_8859_2));
        let japanese_in_gbk = "日语的「ありがとう」是谢谢的意思，「さようなら」是再见的意思。";
        assert!(allows(&bytes(japanese_in_gbk, GBK), GBK));
        assert!(allows(&bytes("繁體字也可以用這種編碼來寫，這是誠實的聲明。", GBK), GBK));
        assert!(allows(&bytes("●●● news ●●● more ● end", GBK), GBK));
    }

    #[test]
    fn a_page_in_capitals_once_looked_like_thai() {
        let greek = bytes("ΚΑΛΕΣ ΣΥΝΤΑΓΕΣ ΜΑΓΕΙΡΙΚΗΣ ΓΙΑ ΟΛΗ ΤΗΝ ΗΜΕΡΑ", WINDOWS_1253);
        assert!(allows(&greek, WINDOWS_1253));
        assert!(allows(&greek, ISO_8859_7));
    }

    #[test]
    fn a_lie_does_not_stand() {
        let russian = bytes("Вчера днём мы читали в библиотеке книгу об истории города", KOI8_R);
        assert!(!allows(&russian, WINDOWS_1251));
        assert!(!allows(&russian, WINDOWS_1252));
        assert!(!allows(&russian, GBK));
        let chinese = bytes("昨天下午我们在图书馆里看了一本关于历史的书", GBK);
        assert!(!allows(&chinese, UTF_8));
        assert!(!allows(&chinese, WINDOWS_1251));
        assert!(!allows(&chinese, BIG5));
    }

    #[test]
    fn one_cut_character_once_ruled_gbk_out() {
        let mut page = bytes(&"昨天下午我们在图书馆里看了一本关于历史的书。".repeat(9), GBK);
        page.splice(40..41, *b"<br>");
        assert_eq!(most_likely(&page, None), GBK);
    }

    #[test]
    fn a_pound_sign_stays_a_pound_sign() {
        let page = bytes("I stand to win £825, not bad for a £2 bet.", WINDOWS_1252);
        assert_eq!(most_likely(&page, None), WINDOWS_1252);
    }

    #[test]
    fn zeros_tell_utf_16_apart_but_not_from_rubbish() {
        let page = "<html><p>Привет, 世界</p></html>";
        let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(utf_16_without_mark(&little), Some(UTF_16LE));
        assert_eq!(utf_16_without_mark(&big), Some(UTF_16BE));
        assert_eq!(utf_16_without_mark(&[0; 500]), None);
        assert_eq!(utf_16_without_mark(b"<p>a\0b</p>"), None);
    }
}
