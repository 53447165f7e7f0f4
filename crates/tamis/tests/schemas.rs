//! Every output matches the schema that describes it.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::PathBuf;

use common::dtd::Dtd;
use common::json_schema::mismatch;
use serde_json::Value;
use tamis::{Document, Extractor, Judgement, Page, Record, assemble};

fn schema(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn documents() -> Vec<Document> {
    let mut documents: Vec<Document> = common::PAGES.iter().map(|name| common::document(name)).collect();
    let mut with_comments = documents[0].clone();
    with_comments.comments = documents[3].content.clone();
    documents.push(with_comments);
    documents.push(Document::default());
    let page = Page::parse("<img src=a><h1>only</h1><h3>headings</h3><h2>here</h2>");
    documents.push(assemble(&page, &Judgement::of([true; 3])));
    documents
}

#[test]
fn xml_is_valid() {
    let dtd = Dtd::parse(&schema("document-1.dtd"));
    for document in documents() {
        assert_eq!(dtd.errors(&document.to_xml()), Vec::<String>::new());
    }
}

#[test]
fn tei_is_valid() {
    let dtd = Dtd::parse(&schema("tei-tamis.dtd"));
    for document in documents() {
        assert_eq!(dtd.errors(&document.to_tei()), Vec::<String>::new());
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let dtd = Dtd::parse(&schema("tei-tamis.dtd"));
    let tei = common::document("harvest").to_tei();
    for (right, wrong) in [
        ("<body>", "<body>words"),
        ("<list rend=\"bulleted\">", "<list rend=\"bulleted\"></list><list rend=\"bulleted\">"),
        ("rend=\"bulleted\"", "rend=\"round\""),
        ("rend=\"bulleted\"", ""),
        ("<p>", "<p onclick=\"x\">"),
        ("<head>", "<p/><head>"),
        ("<hi rend=\"bold\">", "<b>"),
        ("note-2", "note-1"),
        ("</body>", ""),
    ] {
        assert!(tei.contains(right));
        assert_ne!(dtd.errors(&tei.replace(right, wrong)), Vec::<String>::new(), "{wrong}");
    }
}

#[test]
fn json_matches_its_schema_and_is_read_back() {
    let schema: Value = serde_json::from_str(&schema("document-1.json")).unwrap();
    for document in documents() {
        let json = document.to_json();
        let value: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(mismatch(&value, &schema, &schema), None);
        let back: Document = serde_json::from_str(&json).unwrap();
        assert_eq!(back, document);
    }
    for wrong in [r#"{"schema":1}"#, r#"{"schema":2}"#, "[]"] {
        assert!(mismatch(&serde_json::from_str(wrong).unwrap(), &schema, &schema).is_some());
    }
    let text = r#"{"type":"image","alt":"x","path":"/","span":[0,1],"blocks":[]}"#;
    let piece = &schema["$defs"]["piece"];
    assert!(
        mismatch(&serde_json::from_str(text).unwrap(), piece, &schema).is_some(),
        "a picture without an address"
    );
}

#[test]
fn json_lines_match_their_schema() {
    let schema: Value = serde_json::from_str(&schema("record-1.json")).unwrap();
    let check = |record: &Record| {
        let line: Value = serde_json::from_str(&serde_json::to_string(record).unwrap()).unwrap();
        assert_eq!(mismatch(&line, &schema, &schema), None);
        line
    };
    for name in common::PAGES {
        let html = common::source(name);
        let page = Page::parse(&html);
        for method in tamis::Method::ALL {
            let extractor = Extractor::new().method(method);
            let judgement = extractor.judge(&page);
            let record = Record::of(&page, &judgement, &extractor.document(&page, &judgement));
            check(&Record { id: Some("a".into()), path: Some("a.html".into()), ..record });
        }
    }
    let mut failed = check(&Record::failed("cannot read it"));
    assert_eq!(failed["schema"], tamis::RECORD_SCHEMA);
    failed["blocks"] = serde_json::json!([{ "text": "a", "kind": "p", "path": "/p", "span": [0], "score": 1, "kept": true }]);
    assert!(mismatch(&failed, &schema, &schema).is_some(), "half a span");
    failed["blocks"] = serde_json::json!([]);
    failed["schema"] = 2.into();
    assert!(mismatch(&failed, &schema, &schema).is_some(), "another version");
}
