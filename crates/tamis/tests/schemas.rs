//! Every output matches the schema that describes it.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::dtd::Dtd;
use common::json_schema::mismatch;
use serde_json::Value;
use tamis::document::{Cell, Comment, Definition, Formula, Image, Inline, Item, Kind, Piece, Row, Style};
use tamis::{Document, Extractor, Judgement, Page, Record, assemble};
use tamis_html::Span;

fn schema(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn documents() -> Vec<Document> {
    let mut documents: Vec<Document> = common::PAGES.iter().map(|name| common::document(name)).collect();
    let mut with_comments = documents[0].clone();
    let comment = |document: &Document| Comment {
        author: Some("Ada".into()),
        time: Some("2026-03-01T10:00".into()),
        time_text: Some("1 March, 10:00".into()),
        reply_to: Some(0),
        content: document.content.clone(),
        path: "/html/body/div[2]".into(),
        span: document.content[0].span,
    };
    with_comments.comments = documents[2..4].iter().map(comment).collect();
    documents.push(common::with_comments());
    documents.push(with_comments);
    documents.push(Document::default());
    let page = Page::parse("<img src=a><h1>only</h1><h3>headings</h3><h2>here</h2>");
    documents.push(assemble(&page, &Judgement::of([true; 3])));
    documents
}

/// As [`documents`], with one that a caller made: every kind of piece inside every kind that holds pieces, and what no
/// page gives, such as lists without items and links to nowhere.
fn strange_documents() -> Vec<Document> {
    let strange = Document { content: everything(1, &mut 0), ..Document::default() };
    documents().into_iter().chain([strange]).collect()
}

fn everything(depth: usize, notes: &mut usize) -> Vec<Piece> {
    let words = || {
        let text = || vec![Inline::text("words & words")];
        let image = Image { src: "/a [1].png#a#b".into(), alt: "a".into(), caption: text() };
        let formula =
            Formula { mathml: Some("<math></math>".into()), text: "x".into(), ..Formula::default() };
        let mut line = vec![
            Inline::Break,
            Inline::Code { text: "a < b".into() },
            Inline::Image(image),
            Inline::Formula(formula),
            Inline::FootnoteRef { label: "1".into(), content: text() },
            Inline::FootnoteRef { label: "none".into(), content: text() },
        ];
        for href in ["", "mail to:x", "http://http://x", "/50%?a[]=1", "javascript:a('b c')"] {
            line.push(Inline::Link { href: href.into(), content: text() });
        }
        for style in [Style::Emphasis, Style::Mark, Style::Superscript, Style::Quotation, Style::Strike] {
            line.push(Inline::Styled { style, content: line.clone().into_iter().take(3).collect() });
        }
        line
    };
    let mut inside = || if depth == 0 { Vec::new() } else { everything(depth - 1, notes) };
    let cell = |content| Cell { header: true, colspan: 2, rowspan: 3, content };
    let image = Image { src: "a.png".into(), alt: "a".into(), caption: words() };
    let mut kinds = vec![
        Kind::Paragraph { content: words() },
        Kind::Heading { level: 3, content: words() },
        Kind::List { ordered: true, start: 0, items: vec![Item::default(), Item { content: inside() }] },
        Kind::List { ordered: false, start: 1, items: Vec::new() },
        Kind::Heading { level: 2, content: Vec::new() },
        Kind::Definitions { entries: vec![Definition { term: true, content: inside() }] },
        Kind::Definitions { entries: Vec::new() },
        Kind::Table {
            caption: words(),
            rows: vec![Row { cells: vec![cell(inside()), cell(Vec::new())] }, Row::default()],
        },
        Kind::Table { caption: words(), rows: Vec::new() },
        Kind::Code { language: Some("rust".into()), text: "a\n  b\n".into() },
        Kind::Code { language: Some("not a word".into()), text: String::new() },
        Kind::Quote { content: inside() },
        Kind::Image(image.clone()),
        Kind::Heading { level: 6, content: words() },
        Kind::Image(Image { alt: String::new(), ..image }),
        Kind::Formula(Formula { tex: Some("x^2".into()), display: true, ..Formula::default() }),
    ];
    let content = inside();
    *notes += 1;
    kinds.push(Kind::Footnote { label: notes.to_string(), content });
    let piece = |kind| Piece { kind, path: "/html".into(), span: Span { start: 0, end: 1 }, blocks: vec![0] };
    kinds.into_iter().map(piece).collect()
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
    for document in strange_documents() {
        assert_eq!(dtd.errors(&document.to_tei()), Vec::<String>::new());
    }
}

/// By the schema that TEI itself publishes, where it and a program that can read it are at hand.
#[test]
fn tei_is_valid_by_the_whole_of_tei() {
    let Some(schema) = std::env::var_os("TAMIS_TEI_SCHEMA") else {
        tamis_testdata::skipped("TAMIS_TEI_SCHEMA does not name a tei_all.rng");
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tei");
    std::fs::create_dir_all(&folder).unwrap();
    let files: Vec<PathBuf> = strange_documents()
        .iter()
        .enumerate()
        .map(|(number, document)| {
            let file = folder.join(format!("{number}.xml"));
            std::fs::write(&file, document.to_tei()).unwrap();
            file
        })
        .collect();
    let mut xmllint = Command::new("xmllint");
    let Ok(output) = xmllint.arg("--noout").arg("--relaxng").arg(schema).args(files).output() else {
        tamis_testdata::skipped("there is no xmllint");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
    for document in strange_documents() {
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

#[test]
fn every_kind_of_page_is_in_the_schema() {
    let schema: Value = serde_json::from_str(&schema("record-1.json")).unwrap();
    let kinds = tamis::fused::PageType::ALL.map(|kind| Value::from(kind.name()));
    let listed: Vec<Value> = kinds.into_iter().chain([Value::Null]).collect();
    assert_eq!(schema["properties"]["page_type"]["enum"], Value::from(listed));
}
