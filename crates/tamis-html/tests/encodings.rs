//! The decoder recovers the text of generated pages in many encodings.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests fail and report as tests do")]

use encoding_rs::{Encoding, UTF_8};
use proptest::prelude::*;
use std::borrow::Cow;
use tamis_html::decode::{Decoder, decode};

/// Encodings with words of a language that uses them.
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
