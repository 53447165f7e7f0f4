//! Whole pages through the decoder: the evaluation sets with known encodings, the encoding tests of
//! html5lib, and pages made here whose text must come back.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests fail and report as tests do")]

use encoding_rs::{Encoding, UTF_8};
use proptest::prelude::*;
use serde_json::Value;
use std::borrow::Cow;
use std::path::Path;
use tamis_html::decode::{Decoder, decode};

/// Decodes every page of a set and compares with the encoding that its truth names. Another encoding is as
/// good where it gives the same text.
fn check_set(name: &str) {
    let Some(folder) = tamis_testdata::set(name) else { return };
    let truth = std::fs::read_to_string(folder.join("truth.jsonl")).unwrap();
    let mut wrong = Vec::new();
    let mut pages = 0;
    for line in truth.lines() {
        let fact: Value = serde_json::from_str(line).unwrap();
        let id = fact["id"].as_str().unwrap();
        let bytes = std::fs::read(folder.join("pages").join(format!("{id}.html"))).unwrap();
        let mut decoder = Decoder::new();
        if let Some(url) = fact["url"].as_str() {
            decoder = decoder.url(url);
        }
        let decoded = decoder.decode(&bytes);
        let expected = encoding_of_truth(fact["true_encoding"].as_str().unwrap());
        pages += 1;
        if decoded.encoding != expected && decoded.text != expected.decode(&bytes).0 {
            wrong.push(format!(
                "{id}: {} ({}) for {}",
                decoded.encoding.name(),
                decoded.decided_by,
                expected.name()
            ));
        }
    }
    println!("{name}: {} of {pages} pages right", pages - wrong.len());
    assert!(pages > 0 && wrong.is_empty(), "{name}: {wrong:#?}");
}

/// The truth names encodings as Python does.
fn encoding_of_truth(name: &str) -> &'static Encoding {
    let label = match name {
        "cp932" => "shift_jis",
        "cp936" => "gbk",
        "cp949" => "euc-kr",
        "cp950" => "big5",
        "utf_16_le" => "utf-16le",
        "utf_16_be" => "utf-16be",
        other => other,
    };
    let dashed = label.replace('_', "-");
    Encoding::for_label(label.as_bytes())
        .or_else(|| Encoding::for_label(dashed.as_bytes()))
        .unwrap_or_else(|| panic!("the truth names an encoding that is not known: {name}"))
}

#[test]
fn real_pages_are_decoded_correctly() {
    check_set("encodings-real");
}

#[test]
fn rewritten_pages_are_decoded_correctly() {
    check_set("encodings-synthetic");
}

/// The tests of html5lib whose answer is not ours, with the reason.
const HTML5LIB_EXCEPTIONS: [(&str, &str); 1] = [(
    "test-yahoo-jp.dat",
    "its bytes are valid UTF-8 throughout, long Japanese text included, though it declares euc-jp: \
     the bytes win",
)];

#[test]
fn html5lib_encoding_tests_pass() {
    let Some(shared) = tamis_testdata::shared() else { return };
    let folder = shared.join("html5lib-tests/encoding");
    if !folder.is_dir() {
        tamis_testdata::skipped("no html5lib-tests/encoding in the shared folder");
        return;
    }
    let (mut right, mut excepted) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "dat") {
            continue;
        }
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for (data, label) in html5lib_tests(&path) {
            let expected = Encoding::for_label(label.as_bytes()).unwrap();
            let found = decode(&data, None).encoding;
            if HTML5LIB_EXCEPTIONS.iter().any(|(name, _)| *name == file) {
                assert_ne!(found, expected, "{file} is no exception any more");
                excepted += 1;
            } else {
                assert_eq!(found, expected, "{file}: {}", String::from_utf8_lossy(&data));
                right += 1;
            }
        }
    }
    println!("html5lib encoding tests: {right} right, {excepted} excepted");
    assert!(right > 0);
}

/// The pages of a test file and the encodings they are expected to have.
fn html5lib_tests(path: &Path) -> Vec<(Vec<u8>, String)> {
    let file = std::fs::read(path).unwrap();
    let mut tests = Vec::new();
    let (mut data, mut in_data, mut label_next) = (Vec::new(), false, false);
    for line in file.split(|&b| b == b'\n') {
        match line {
            b"#data" => (data, in_data) = (Vec::new(), true),
            b"#encoding" => {
                // The line break before the heading belongs to the file.
                data.pop();
                (in_data, label_next) = (false, true);
            }
            _ if label_next => {
                tests.push((std::mem::take(&mut data), String::from_utf8(line.to_vec()).unwrap()));
                label_next = false;
            }
            _ if in_data => {
                data.extend_from_slice(line);
                data.push(b'\n');
            }
            _ => {}
        }
    }
    tests
}

/// Encodings with words of a language that is written in them.
const WORDS: [(&str, &str); 20] = [
    ("utf-8", "été 学校 школа σχολείο مدرسة 학교 โรงเรียน 🙂"),
    ("gbk", "我们 学校 图书馆 历史 意思 昨天 下午 大家 觉得 问题 工作 时间 城市 的 是"),
    ("gb18030", "我们 学校 图书馆 历史 意思 昨天 下午 大家 觉得 问题 工作 时间 城市 的 是"),
    ("big5", "我們 學校 圖書館 歷史 意思 昨天 下午 大家 覺得 問題 工作 時間 城市 的 是"),
    ("shift_jis", "わたしたち 学校で 図書館の 歴史を 読みました きのう テレビ カメラ です。"),
    ("euc-jp", "わたしたち 学校で 図書館の 歴史を 読みました きのう テレビ カメラ です。"),
    ("iso-2022-jp", "わたしたち 学校で 図書館の 歴史を 読みました きのう テレビ カメラ です。"),
    ("euc-kr", "우리는 학교에서 도서관의 역사를 읽었습니다 어제 오후에 사람들이 시간이"),
    ("windows-1251", "мы читали вчера книгу об истории нашего города в библиотеке Москва"),
    ("koi8-r", "мы читали вчера книгу об истории нашего города в библиотеке Москва"),
    ("koi8-u", "ми читали вчора книгу про історію нашого міста в бібліотеці Київ"),
    ("iso-8859-5", "мы читали вчера книгу об истории нашего города в библиотеке Москва"),
    ("windows-1252", "l’été où nous étions à l’école «déjà» süß über größer niño mañana œuvre"),
    ("iso-8859-2", "wczoraj czytaliśmy książkę o dziejach miasta żółty źródło łąka město"),
    ("windows-1250", "wczoraj czytaliśmy książkę o dziejach miasta żółty źródło łąka město"),
    ("windows-1253", "διαβάσαμε χθες ένα βιβλίο για την ιστορία της πόλης στη βιβλιοθήκη"),
    ("windows-1254", "dün öğleden sonra şehrin tarihi hakkında güzel bir kitap okuduk ığdır"),
    ("windows-1255", "אתמול קראנו בספרייה ספר על תולדות העיר שלנו"),
    ("windows-1256", "قرأنا أمس في المكتبة كتابا عن تاريخ مدينتنا"),
    ("windows-874", "เมื่อวาน เรา อ่านหนังสือ เกี่ยวกับ ประวัติศาสตร์ ในห้องสมุด"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_decoded(bytes: Vec<u8>, header: String, url: String) {
        let decoder = Decoder::new().content_type(&header).url(&url).top_level_domain(&url);
        let decoded = decoder.decode(&bytes);
        prop_assert!(decoded.text.len() <= 3 * bytes.len() + 3);
    }

    #[test]
    fn any_bytes_behind_a_declaration_are_decoded(
        bytes: Vec<u8>,
        label in "[a-z]{2,4}-?[0-9]{0,4}|utf-16|gbk|big5|shift_jis|euc-jp|euc-kr|iso-2022-jp|hz-gb-2312",
    ) {
        let page = [format!("<meta charset={label}>").as_bytes(), &bytes].concat();
        let _ = decode(&page, Some(&format!("text/html; charset={label}")));
        if let Ok(decoder) = Decoder::new().encoding_label(&label) {
            let _ = decoder.decode(&bytes);
        }
    }

    #[test]
    fn valid_utf_8_comes_back_exactly(text in "[^\0\u{1B}]*") {
        let decoded = decode(text.as_bytes(), Some("text/html; charset=utf-8"));
        prop_assert_eq!(&decoded.text, text.strip_prefix('\u{FEFF}').unwrap_or(&text));
        prop_assert!(matches!(decoded.text, Cow::Borrowed(_)));
        prop_assert_eq!(decoded.encoding, UTF_8);
        prop_assert!(!decoded.replaced);
    }

    #[test]
    fn a_page_in_the_encoding_it_declares_comes_back(
        which in 0..WORDS.len(),
        order in prop::collection::vec(0..8_usize, 1..80),
        by_header: bool,
    ) {
        let (label, words) = WORDS[which];
        let words: Vec<&str> = words.split(' ').collect();
        let text: Vec<&str> = order.iter().map(|&at| words[at % words.len()]).collect();
        let meta = if by_header { String::new() } else { format!("<meta charset={label}>") };
        let header = by_header.then(|| format!("text/html; charset={label}"));
        let page = format!("<html><head>{meta}<title>{}</title></head></html>", text.join(" "));
        let (bytes, _, unmappable) = Encoding::for_label(label.as_bytes()).unwrap().encode(&page);
        prop_assert!(!unmappable, "{}", label);
        let decoded = decode(&bytes, header.as_deref());
        prop_assert_eq!(&*decoded.text, page.as_str());
        prop_assert!(!decoded.replaced);
    }
}
