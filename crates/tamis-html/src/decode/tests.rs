//! Precedence of declarations, and the choice if some are wrong.

use super::*;
use encoding_rs::{BIG5, EUC_JP, GBK, SHIFT_JIS, WINDOWS_1251};

const CHINESE: &str = "昨天下午我们在图书馆里看了一本关于历史的书，大家都觉得很有意思。";
const RUSSIAN: &str = "Вчера днём мы читали в библиотеке книгу об истории нашего города.";

fn page(declared: &str, text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let page = format!("<html><head><meta charset=\"{declared}\"></head><body>{text}</body></html>");
    encoding.encode(&page).0.into_owned()
}

#[track_caller]
fn assert_decodes(bytes: &[u8], header: Option<&str>, encoding: &'static Encoding, decided_by: DecidedBy) {
    let decoded = decode(bytes, header);
    assert_eq!((decoded.encoding, decoded.decided_by), (encoding, decided_by));
}

#[test]
fn the_order_is_mark_header_meta() {
    let bytes = page("windows-1251", "plain", UTF_8);
    assert_decodes(&bytes, None, WINDOWS_1251, DecidedBy::Meta);
    assert_decodes(&bytes, Some("text/html; charset=gbk"), GBK, DecidedBy::Header);
    let marked = [b"\xEF\xBB\xBF", &bytes[..]].concat();
    assert_decodes(&marked, Some("text/html; charset=gbk"), UTF_8, DecidedBy::Bom);
    assert_decodes(b"plain", None, WINDOWS_1252, DecidedBy::Ascii);
}

#[test]
fn valid_utf_8_is_borrowed_and_ascii_too() {
    for bytes in [CHINESE.as_bytes(), b"<meta charset=gbk>plain", "\u{FEFF}é".as_bytes(), b""] {
        let decoded = decode(bytes, None);
        assert!(matches!(decoded.text, Cow::Borrowed(_)));
        assert!(!decoded.replaced);
    }
}

#[test]
fn a_declaration_loses_against_the_bytes() {
    for (declared, encoding, text) in [
        ("gbk", UTF_8, CHINESE),
        ("windows-1251", UTF_8, RUSSIAN),
        ("iso-8859-1", UTF_8, RUSSIAN),
        ("utf-8", GBK, CHINESE),
        ("iso-8859-1", GBK, CHINESE),
        ("big5", GBK, CHINESE),
        ("utf-8", WINDOWS_1251, RUSSIAN),
        ("koi8-r", WINDOWS_1251, RUSSIAN),
        ("utf-8", BIG5, "昨天下午我們在圖書館裡看了一本關於歷史的書"),
        ("euc-jp", SHIFT_JIS, "きのうの午後、わたしたちは図書館で本を読みました。"),
        ("shift_jis", EUC_JP, "きのうの午後、わたしたちは図書館で本を読みました。"),
    ] {
        let against = Encoding::for_label(declared.as_bytes()).unwrap();
        let bytes = page(declared, text, encoding);
        assert_decodes(&bytes, None, encoding, DecidedBy::Evidence { against });
        assert!(decode(&bytes, None).text.contains(text));
    }
}

#[test]
fn a_wrong_header_leaves_the_word_to_the_page() {
    let bytes = page("windows-1251", RUSSIAN, WINDOWS_1251);
    assert_decodes(&bytes, Some("text/html; charset=iso-8859-1"), WINDOWS_1251, DecidedBy::Meta);
    let bytes = page("utf-8", RUSSIAN, UTF_8);
    assert_decodes(&bytes, Some("text/html; charset=iso-8859-1"), UTF_8, DecidedBy::Meta);
}

#[test]
fn utf_8_with_a_few_broken_bytes_stays_utf_8() {
    let mut bytes = page("utf-8", CHINESE, UTF_8);
    let start = bytes.iter().position(|b| !b.is_ascii()).unwrap();
    bytes.remove(start + 4);
    for header in [None, Some("text/html; charset=iso-8859-1"), Some("text/html; charset=gbk")] {
        let decoded = decode(&bytes, header);
        assert_eq!(decoded.encoding, UTF_8);
        assert!(decoded.replaced);
    }
    bytes.drain(6..35);
    assert_decodes(&bytes, None, UTF_8, DecidedBy::Detected);
}

#[test]
fn a_mark_before_another_encoding_loses_too() {
    let bytes = [b"\xEF\xBB\xBF", &page("gbk", CHINESE, GBK)[..]].concat();
    assert_decodes(&bytes, None, GBK, DecidedBy::Meta);
}

#[test]
fn a_page_cut_within_a_character_keeps_its_encoding() {
    for encoding in [UTF_8, GBK] {
        let mut bytes = page(encoding.name(), CHINESE, encoding);
        let end = bytes.iter().rposition(|b| !b.is_ascii()).unwrap();
        bytes.truncate(end);
        let decoded = decode(&bytes, None);
        assert_eq!((decoded.encoding, decoded.decided_by), (encoding, DecidedBy::Meta));
        assert!(decoded.replaced);
        assert!(decoded.text.ends_with('\u{FFFD}'));
    }
}

#[test]
fn utf_16_is_found_with_and_without_a_mark() {
    let text = "<html><meta charset=gbk><p>Привет, 世界</p></html>";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let header = "text/html; charset=utf-16le";
    for (bytes, header, encoding, decided_by) in [
        (little.clone(), None, UTF_16LE, DecidedBy::Detected),
        (little.clone(), Some(header), UTF_16LE, DecidedBy::Header),
        (big.clone(), Some(header), UTF_16BE, DecidedBy::Evidence { against: UTF_16LE }),
        ([b"\xFF\xFE", &little[..]].concat(), None, UTF_16LE, DecidedBy::Bom),
        ([b"\xFE\xFF", &big[..]].concat(), None, UTF_16BE, DecidedBy::Bom),
    ] {
        assert_decodes(&bytes, header, encoding, decided_by);
        assert_eq!(decode(&bytes, header).text, text);
    }
    // A wrong declaration.
    assert_decodes(b"<p>plain</p>", Some(header), WINDOWS_1252, DecidedBy::Ascii);
}

#[test]
fn iso_2022_jp_is_found_whatever_was_declared() {
    let text = "きのうの午後、本を読みました。";
    assert_decodes(&page("iso-2022-jp", text, ISO_2022_JP), None, ISO_2022_JP, DecidedBy::Meta);
    let bytes = page("utf-8", text, ISO_2022_JP);
    assert_decodes(&bytes, None, ISO_2022_JP, DecidedBy::Evidence { against: UTF_8 });
    assert!(decode(&bytes, None).text.contains(text));
    let bytes = page("iso-2022-jp", text, SHIFT_JIS);
    assert_decodes(&bytes, None, SHIFT_JIS, DecidedBy::Evidence { against: ISO_2022_JP });
}

#[test]
fn a_label_that_browsers_refuse_is_ignored() {
    for label in ["hz-gb-2312", "iso-2022-kr", "replacement"] {
        assert_decodes(&page(label, "plain", UTF_8), None, WINDOWS_1252, DecidedBy::Ascii);
        assert_decodes(&page(label, CHINESE, GBK), None, GBK, DecidedBy::Detected);
        assert!(Decoder::new().encoding_label(label).is_err());
    }
}

#[test]
fn a_forced_encoding_is_used() {
    let decoder = Decoder::new().content_type("text/html; charset=big5").encoding_label(" GBK ").unwrap();
    let decoded = decoder.decode(CHINESE.as_bytes());
    assert_eq!((decoded.encoding, decoded.decided_by), (GBK, DecidedBy::Asked));
    assert_ne!(decoded.text, CHINESE);
}

#[test]
fn four_bytes_of_gb18030_are_read_under_every_name_of_gbk() {
    let text = format!("{CHINESE}𠮷");
    let bytes = page("gb2312", &text, encoding_rs::GB18030);
    assert!(decode(&bytes, None).text.contains(&text));
}

#[test]
fn rubbish_is_decoded_somehow() {
    let rubbish: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    assert!(!decode(&rubbish, Some("\0;charset=;charset=\u{FFFD}")).text.is_empty());
    assert_eq!(decode(&[0; 100], None).text.len(), 100);
}

#[test]
fn one_character_at_the_very_end_overrules_the_declared_gbk() {
    let page = decode("<meta charset=gbk><body>中".as_bytes(), None);
    assert_eq!((page.encoding.name(), page.replaced), ("UTF-8", false));
}
