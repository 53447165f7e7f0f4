//! The html5lib tests of the tokenizer: every case, in every state it names.
//!
//! Parse errors, which the files also list, are not compared, since the parser does not report them.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]
#![allow(clippy::print_stdout, reason = "the figures are for people to read")]

use std::fs;
use std::process::ExitCode;

use serde_json::{Value, json};
use tamis_html::tokenizer::{ContentModel, Token, Tokenizer};

/// The tokens of a text in the form of the test files, neighbouring characters joined.
fn tokens(input: &str, state: &str, last_start_tag: Option<&str>) -> Vec<Value> {
    let mut tokenizer = Tokenizer::new(input);
    tokenizer.set_content_model(match state {
        "PLAINTEXT state" => ContentModel::PlainText,
        "RCDATA state" => ContentModel::Rcdata,
        "RAWTEXT state" => ContentModel::RawText,
        "Script data state" => ContentModel::Script,
        "CDATA section state" => ContentModel::Cdata,
        _ => ContentModel::Data,
    });
    if let Some(name) = last_start_tag {
        tokenizer.set_last_start_tag(name);
    }
    let mut output: Vec<Value> = Vec::new();
    loop {
        let token = tokenizer.next_token();
        let token = match token {
            Token::EndOfFile => return output,
            Token::Text(piece) => {
                let text = tokenizer.text(piece);
                if let Some(Value::Array(last)) = output.last_mut()
                    && last[0] == "Character"
                {
                    last[1] = json!(format!("{}{text}", last[1].as_str().unwrap()));
                    continue;
                }
                json!(["Character", text])
            }
            Token::StartTag(tag) => {
                let attributes: serde_json::Map<_, _> =
                    tokenizer.attributes(&tag).map(|it| (it.name().to_owned(), json!(it.value()))).collect();
                let mut token = json!(["StartTag", tokenizer.name(tag.name), attributes]);
                if tag.self_closing {
                    token.as_array_mut().unwrap().push(json!(true));
                }
                token
            }
            Token::EndTag(tag) => json!(["EndTag", tokenizer.name(tag.name)]),
            Token::Comment(piece) => json!(["Comment", tokenizer.text(piece)]),
            Token::Doctype(it) => json!(["DOCTYPE", it.name, it.public_id, it.system_id, !it.force_quirks]),
        };
        output.push(token);
    }
}

/// Decodes the second layer of escapes that some cases have; `None` if the result is not valid Unicode.
fn unescape(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        units.push(u16::from_str_radix(rest.get(at + 2..at + 6)?, 16).ok()?);
        rest = &rest[at + 6..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

fn unescape_all(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => json!(unescape(text)?),
        Value::Array(items) => Value::Array(items.iter().map(unescape_all).collect::<Option<_>>()?),
        Value::Object(map) => {
            let unescaped = map.iter().map(|(key, value)| Some((unescape(key)?, unescape_all(value)?)));
            Value::Object(unescaped.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

fn main() -> ExitCode {
    tamis_testdata::run_tests(&[("every_tokenizer_case", every_tokenizer_case)])
}

fn every_tokenizer_case() {
    let folder = tamis_testdata::shared().unwrap().join("html5lib-tests/tokenizer");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut count, mut run, mut surrogates, mut failures) = (0, 0, 0, Vec::new());
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "test")) {
        let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        // The file of XML violations has its cases under another key; it is for tokenizers with XML rules.
        let Some(cases) = file["tests"].as_array() else { continue };
        for case in cases {
            count += 1;
            let (mut input, mut expected) = (case["input"].clone(), case["output"].clone());
            if case["doubleEscaped"] == true {
                match (unescape_all(&input), unescape_all(&expected)) {
                    (Some(plain_input), Some(plain_expected)) => {
                        (input, expected) = (plain_input, plain_expected);
                    }
                    _ => {
                        // A lone surrogate is impossible in a Rust string.
                        surrogates += 1;
                        continue;
                    }
                }
            }
            let default_states = vec![json!("Data state")];
            for state in case["initialStates"].as_array().unwrap_or(&default_states) {
                run += 1;
                let state = state.as_str().unwrap();
                let got = Value::Array(tokens(input.as_str().unwrap(), state, case["lastStartTag"].as_str()));
                if got != expected {
                    failures.push(format!(
                        "{}: {} ({state})\n  input    {input}\n  expected {expected}\n  got      {got}",
                        path.file_name().unwrap().to_string_lossy(),
                        case["description"]
                    ));
                }
            }
        }
    }
    println!(
        "{count} tokenizer cases, {run} runs, {} failures, {surrogates} with half a surrogate pair left out",
        failures.len()
    );
    assert!(failures.is_empty(), "{} of {run} runs failed:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 6000, "only {count} cases were found in {}", folder.display());
}
