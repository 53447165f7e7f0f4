//! The decoder on real pages: the evaluation sets with known encodings, and the encoding tests of html5lib.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests fail and report as tests do")]

use std::path::Path;
use std::process::ExitCode;

use encoding_rs::Encoding;
use serde_json::Value;
use tamis_html::decode::{Decoder, decode};

fn main() -> ExitCode {
    tamis_testdata::run_tests(&[
        ("real_pages_are_decoded_as_their_truth_says", || check_set("encodings-real")),
        ("rewritten_pages_are_decoded_as_their_truth_says", || check_set("encodings-synthetic")),
        ("html5lib_encoding_tests_pass", html5lib_encoding_tests_pass),
    ])
}

/// Decodes every page of a set and compares the encoding with that of its truth. Another encoding that gives the same
/// text is accepted.
fn check_set(name: &str) {
    let folder = tamis_testdata::set(name).unwrap();
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

/// Truths have Python's names of encodings.
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

/// The html5lib tests from which we deviate, with the reason.
const HTML5LIB_EXCEPTIONS: [(&str, &str); 1] = [(
    "test-yahoo-jp.dat",
    "its bytes are valid UTF-8 throughout, long Japanese text included, though it declares euc-jp: \
     the bytes win",
)];

fn html5lib_encoding_tests_pass() {
    let folder = tamis_testdata::shared().unwrap().join("html5lib-tests/encoding");
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
