//! Every output matches the schema that describes it.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::PathBuf;

use common::dtd::Dtd;
use serde_json::Value;
use tamis::document::Comment;
use tamis::{Document, Judgement, Page, assemble};

fn schema(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn documents() -> Vec<Document> {
    let mut documents: Vec<Document> = common::PAGES.iter().map(|name| common::document(name)).collect();
    let mut with_comments = documents[0].clone();
    let comment = |document: &Document| Comment {
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

/// Where and how a value does not match a schema. Knows the words that our schema uses and refuses others.
fn mismatch(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    for (word, wanted) in schema.as_object().unwrap() {
        let is_right = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                if let Some(wrong) = mismatch(value, &root["$defs"][name], root) {
                    return Some(wrong);
                }
                true
            }
            "type" => match wanted {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(value, kind)),
                kind => is_of(value, kind),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
            "minItems" => value.as_array().unwrap().len() as u64 >= wanted.as_u64().unwrap(),
            "maxItems" => value.as_array().unwrap().len() as u64 <= wanted.as_u64().unwrap(),
            "required" => {
                wanted.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, schema) in wanted.as_object().unwrap() {
                    if let Some(wrong) = value.get(name).and_then(|value| mismatch(value, schema, root)) {
                        return Some(format!("{name}: {wrong}"));
                    }
                }
                true
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                if let Some(wrong) = items.find_map(|item| mismatch(item, wanted, root)) {
                    return Some(wrong);
                }
                true
            }
            "oneOf" => {
                let kinds = wanted.as_array().unwrap().iter();
                kinds.filter(|schema| mismatch(value, schema, root).is_none()).count() == 1
            }
            word => return Some(format!("the checker does not know {word}")),
        };
        if !is_right {
            return Some(format!("{value} is not {word} {wanted}"));
        }
    }
    None
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}
