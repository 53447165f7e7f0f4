//! JSON, XML, TEI and HTML are valid by the schemas in `docs/schema`; the front matter is YAML.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use saphyr::{LoadableYamlNode, Yaml};
use tamis::document::Document;
use tamis::metadata::Direction;
use tamis::render::RenderOptions;
use tamis::{Extractor, Input};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents of the invented pages, with comments.
fn documents() -> Vec<(String, Document)> {
    let extractor = Extractor::builder().comments(true).build();
    let folders = [root().join("examples"), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "html"));
    let documents = pages.map(|path| {
        let html = std::fs::read(&path).unwrap();
        let input = Input::bytes(&html).url("https://a.example/b/c");
        (path.display().to_string(), extractor.extract(input).unwrap())
    });
    let mut documents: Vec<_> = documents.collect();
    documents.push(("nothing".into(), Document::default()));
    assert!(documents.len() > 5);
    assert!(documents.iter().any(|(_, document)| !document.comments.is_empty()));
    assert!(documents.iter().any(|(_, document)| document.posts.len() > 1));
    documents
}

#[test]
fn json_is_valid() {
    let schema = std::fs::read_to_string(root().join("docs/schema/document-2.json")).unwrap();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("document-2.json", serde_json::from_str(&schema).unwrap()).unwrap();
    let mut schemas = boon::Schemas::new();
    let index = compiler.compile("document-2.json", &mut schemas).unwrap();
    for (name, document) in documents() {
        let json = serde_json::from_str(&document.to_json()).unwrap();
        schemas.validate(&json, index).unwrap_or_else(|error| panic!("{name}: {error:#}"));
    }
    let broken = serde_json::json!({ "schema": 2, "content": [{ "type": "poem" }] });
    assert!(schemas.validate(&broken, index).is_err());
}

/// What `xmllint` says against a document, or nothing if it is not installed.
fn errors(text: &str, dtd: &str) -> Option<String> {
    let dtd = root().join("docs/schema").join(dtd);
    let mut child = Command::new("xmllint")
        .args(["--noout", "--nonet", "--huge", "--dtdvalid"])
        .args([dtd.as_os_str(), "-".as_ref()])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(if output.status.success() {
        String::new()
    } else {
        String::from_utf8_lossy(&output.stderr).into_owned()
    })
}

#[test]
fn markup_is_valid() {
    if errors("<a/>", "html-tamis.dtd").is_none() {
        tamis_testdata::skipped("there is no xmllint (apt install libxml2-utils)");
        return;
    }
    for (name, document) in documents() {
        for (dtd, output) in [
            ("document-2.dtd", document.to_xml()),
            ("tei-tamis.dtd", document.to_tei()),
            ("html-tamis.dtd", document.to_html()),
            ("html-tamis.dtd", document.to_html_with(&RenderOptions::new())),
        ] {
            assert_eq!(errors(&output, dtd).unwrap(), "", "{name}\n{output}");
            let broken = output.replacen('>', "><poem/>", 3);
            assert_ne!(errors(&broken, dtd).unwrap(), "", "{dtd} allows anything");
        }
    }
}

#[test]
fn html_says_its_language_and_direction() {
    let mut document = Document::default();
    document.metadata.language = Some("ug".into());
    document.metadata.direction = Some(Direction::Rtl);
    assert!(document.to_html().contains("<html lang=\"ug\" dir=\"rtl\">"));
    document.metadata.direction = Some(Direction::Ltr);
    assert!(document.to_html().contains("<html lang=\"ug\">"));
    assert!(Document::default().to_html().contains("<html>"));
}

fn front_matter(document: &Document) -> String {
    document.to_markdown_with(&RenderOptions::new().metadata(true))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn front_matter_reads_back(title in "\\PC*|[\\x00-\\x{2FF}\u{2028}\u{FEFF}\u{FFFE}]*", author in "[ -~\\n\\t]{1,20}") {
        let mut document = Document::default();
        document.metadata.title = Some(title.clone());
        document.metadata.authors = vec![author.clone(), "no".into()];
        document.url = Some("https://a.example/?q=#x".into());
        let markdown = front_matter(&document);
        let yaml = markdown.strip_prefix("---\n").unwrap().split("\n---").next().unwrap();
        let read = Yaml::load_from_str(yaml).unwrap();
        prop_assert_eq!(read[0]["title"].as_str(), Some(title.as_str()), "{}", yaml);
        prop_assert_eq!(read[0]["authors"][0].as_str(), Some(author.as_str()), "{}", yaml);
        prop_assert_eq!(read[0]["authors"][1].as_str(), Some("no"), "{}", yaml);
        prop_assert_eq!(read[0]["url"].as_str(), document.url.as_deref(), "{}", yaml);
    }
}

#[test]
fn front_matter_stands_before_the_text() {
    let mut document = Document::default();
    assert_eq!(front_matter(&document), "");
    document.metadata.title = Some("Rain: a \"history\"".into());
    document.metadata.tags = vec!["2026-11-18".into()];
    document.metadata.language = Some("en".into());
    assert_eq!(
        front_matter(&document),
        "---\ntitle: \"Rain: a \\\"history\\\"\"\ntags:\n  - \"2026-11-18\"\nlanguage: \"en\"\n---\n\n# Rain: a \"history\"\n"
    );
}
