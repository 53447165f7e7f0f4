//! One record: the same in Rust, JSON lines and Arrow, described by the schema, and none lost.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tamis::PageType;
use tamis_batch::{
    Error, Fields, Html, InputFields, Inputs, PageIn, Record, RecordField, Run, Summary, Target, Watch, Work,
    WorkOptions,
};

const STORY: &str = "<html lang=en><title>Rain - The Paper</title><nav><a href=/>Home</a></nav><article><h1>Rain</h1>\
    <p>By Ada Finch, 3 May 2021</p><p>It rained in the <a href=/harbour>harbour</a> on Monday, and it poured on Tuesday, so \
    that the ferries stayed at the pier.</p><p><img src=/pier.jpg alt=Pier>On Wednesday the council met, and its members \
    spoke about the old bridge, which had been closed.</p></article>";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, name: &str, bytes: &[u8], change: impl FnOnce(&mut Run)) -> (Vec<Value>, Summary) {
        fs::write(self.path(name), bytes).unwrap();
        let inputs = Inputs::new(&[self.path(name).display().to_string()]).unwrap();
        let out = self.path(&format!("{name}.out.jsonl"));
        let mut run = Run::new(inputs, Target::to(out.clone()));
        run.force = true;
        change(&mut run);
        let summary = run.run(&Watch::default(), &|_| {}).unwrap().summary;
        let lines = fs::read_to_string(out).unwrap();
        (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), summary)
    }
}

fn all() -> Work {
    Work::new(WorkOptions { fields: Fields::ALL, ..WorkOptions::default() })
}

#[test]
fn the_schema_describes_every_field() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/schema/document-2.json")).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    for field in RecordField::ALL {
        assert_eq!(properties[field.name()]["description"], field.description(), "{field:?}");
    }
    assert_eq!(properties.len(), RecordField::ALL.len());
}

#[test]
fn the_types_for_javascript_name_every_field() {
    let types = include_str!("../../tamis-wasm/npm/tamis.d.ts");
    let (_, record) = types.split_once("export interface Record {").unwrap();
    let lines = record
        .lines()
        .take_while(|line| *line != "}")
        .filter(|line| !line.trim_start().starts_with(['/', '*']));
    let names: Vec<&str> =
        lines.filter_map(|line| Some(line.trim().split_once(':')?.0.trim_end_matches('?'))).collect();
    let fields: Vec<&str> = RecordField::ALL.iter().map(|field| field.name()).collect();
    assert_eq!(names, fields);
}

#[test]
fn a_record_has_the_whole_document_and_survives_json() {
    let page = PageIn { url: Some("https://e.com/rain"), ..PageIn::of(Html::Text(STORY)) };
    let record = all().extract(&page);
    let json: Value = serde_json::from_str(&record.to_json(Fields::ALL)).unwrap();
    let document = record.document.as_ref().unwrap();
    let alone: Value = serde_json::from_str(&document.to_json()).unwrap();
    for (name, value) in alone.as_object().unwrap() {
        assert_eq!(&json[name], value, "{name}");
    }
    assert_eq!(json["links"], serde_json::json!([{"url": "https://e.com/harbour", "text": "harbour"}]));
    let image = serde_json::json!([{"url": "https://e.com/pier.jpg", "alt": "Pier", "caption": ""}]);
    assert_eq!(json["images"], image);
    assert!(json["markdown"].as_str().unwrap().contains("It rained") && json["tei"].is_string());
    assert!(json["evidence"].as_array().unwrap().iter().any(|it| it["field"] == "title"));
    assert_eq!(Record::from_json(&record.to_json(Fields::ALL)).unwrap(), record);
}

#[test]
fn batch_rows_are_the_records_of_their_pages_and_say_which() {
    let folder = Folder::new();
    let line =
        serde_json::json!({"id": "a7", "url": "https://e.com/rain", "html": STORY, "set": {"name": "x"}});
    let lines = format!("{{\"html\":\"<p>Sun.\",\"id\":12}}\n{line}\n");
    let keep = |run: &mut Run| {
        run.work = all();
        run.input_fields = InputFields::default().keeping(["set"]).unwrap();
    };
    let (rows, _) = folder.run("in.jsonl", lines.as_bytes(), keep);
    let page = PageIn { url: Some("https://e.com/rain"), ..PageIn::of(Html::Text(STORY)) };
    let mut expected = all().extract(&page).to_map(Fields::ALL);
    let path = folder.path("in.jsonl").display().to_string();
    for (name, value) in [("id", "a7".into()), ("path", path.into()), ("offset", 27.into())] {
        expected.insert(name.to_owned(), value);
    }
    expected.insert("set".to_owned(), serde_json::json!({"name": "x"}));
    let expected: Value = serde_json::from_str(&serde_json::to_string(&expected).unwrap()).unwrap();
    for (name, value) in expected.as_object().unwrap() {
        // Floats of a map have the digits of a double.
        if !value.is_f64() && !["evidence", "blocks"].contains(&name.as_str()) {
            assert_eq!(&rows[1][name], value, "{name}");
        }
    }
    assert_eq!((&rows[0]["id"], &rows[0]["set"]), (&"12".into(), &Value::Null));
}

#[test]
fn a_page_without_text_is_no_article() {
    for html in ["", " \n", "<html><body></body></html>"] {
        let document = all().extract(&PageIn::of(Html::Text(html))).document.unwrap();
        assert_eq!((document.page_type, document.text.as_str()), (PageType::Other, ""), "{html}");
        assert_eq!(document.confidence, 0.0, "{html}");
    }
}

fn packed(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn response(number: usize, status: u16) -> String {
    let http = format!("HTTP/1.1 {status} X\r\nContent-Type: text/html\r\n\r\n{STORY}{number}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://e.com/{number}\r\nWARC-Record-ID: <urn:{number}>\r\n\
         Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn each_broken_member_of_an_archive_is_a_row() {
    let folder = Folder::new();
    let members: Vec<Vec<u8>> = (0..8).map(|number| packed(&response(number, 200))).collect();
    let cases = [vec![3], vec![3, 4], vec![2, 3, 4, 5], vec![0, 1], vec![6, 7]];
    let damages: [fn(usize) -> bool; 4] =
        [|_| false, |_| true, |number| number % 2 == 0, |number| number % 2 == 1];
    for (broken, in_header) in cases.iter().flat_map(|case| damages.map(|damage| (case, damage))) {
        let mut archive = Vec::new();
        for (number, member) in members.iter().enumerate() {
            let mut member = member.clone();
            if broken.contains(&number) {
                let at = if in_header(number) { 0 } else { member.len() / 2 };
                member[at..at + 8].fill(0xFF);
            }
            archive.extend(member);
        }
        let (rows, summary) = folder.run("crawl.warc.gz", &archive, |_| {});
        assert_eq!((rows.len(), summary.pages), (8, 8), "{broken:?}: {rows:?}");
        assert_eq!(summary.damaged, broken.len() as u64, "{broken:?}");
        let sound: Vec<&str> =
            rows.iter().filter(|row| row["error"].is_null()).filter_map(|row| row["id"].as_str()).collect();
        let ids: Vec<String> =
            (0..8).filter(|it| !broken.contains(it)).map(|it| format!("urn:{it}")).collect();
        assert_eq!(sound, ids);
    }
}

#[test]
fn each_damaged_line_is_one_row() {
    let folder = Folder::new();
    let lines: Vec<String> = (0..8)
        .map(|id| format!("{}\n", serde_json::json!({"id": id, "html": format!("{STORY} {}", id * 7_919)})))
        .collect();
    let members: Vec<Vec<u8>> = lines.iter().map(|line| packed(line)).collect();
    let places: [fn(usize) -> usize; 3] = [|_| 0, |length| length / 2, |length| length - 8];
    for (broken, place) in [0, 3, 7].into_iter().flat_map(|it| places.map(|place| (it, place))) {
        let mut members = members.clone();
        let at = place(members[broken].len());
        members[broken][at..at + 8].fill(0xFF);
        let (rows, summary) = folder.run("lines.jsonl.gz", &members.concat(), |_| {});
        assert_eq!((rows.len(), summary.pages, summary.failed), (8, 8, 1), "{broken} at {at}: {rows:?}");
        assert!(rows[broken]["error"].is_string(), "{broken} at {at}");
    }
    // Members that end within lines: what is left of a damaged line is no row of its own.
    let whole = lines.concat();
    let (start, rest) = whole.split_at(whole.len() / 2);
    let (middle, end) = rest.split_at(rest.find('\n').unwrap() + 50);
    let mut damaged = packed(middle);
    let at = damaged.len() / 2;
    damaged[at..at + 8].fill(0xFF);
    let (rows, summary) = folder.run("cut.jsonl.gz", &[packed(start), damaged, packed(end)].concat(), |_| {});
    assert_eq!((summary.failed, summary.damaged), (1, 1), "{rows:?}");
    assert!(rows.last().unwrap()["error"].is_null());
}

#[test]
fn pages_without_success_are_counted_as_failed_and_keep_their_text() {
    let folder = Folder::new();
    let archive: String =
        [200, 429, 999].iter().enumerate().map(|(n, status)| response(n, *status)).collect();
    let (rows, summary) = folder.run("crawl.warc", archive.as_bytes(), |_| {});
    assert_eq!((summary.pages, summary.failed, summary.partial), (3, 2, 2));
    assert!(rows[0]["error"].is_null() && rows[1]["error"].as_str().unwrap().contains("wait"));
    assert_eq!(rows[2]["error"], "the server answered 999: not a standard status, access is probably denied");
}

#[test]
fn a_status_may_be_text() {
    let folder = Folder::new();
    let line = serde_json::json!({"html": STORY, "status": "404"}).to_string();
    let (rows, _) = folder.run("pages.jsonl", line.as_bytes(), |_| {});
    assert_eq!(rows[0]["status"], 404);
    assert!(rows[0]["error"].as_str().unwrap().ends_with("offset 0: the server answered 404: not found"));
}

#[test]
fn rows_of_incomplete_pages_have_text_and_say_so() {
    let folder = Folder::new();
    let cut = response(0, 200).replacen("WARC-Record-ID", "WARC-Truncated: length\r\nWARC-Record-ID", 1);
    let long: String = (0..2_000).map(|number| format!("<p>{STORY} {}", number * 7_919 % 1_009)).collect();
    let half = packed(&long);
    for (name, bytes, error) in [
        ("a.warc", cut.as_bytes(), "the archive has only a part of the page (WARC-Truncated: length)"),
        (
            "a.html.gz",
            &half[..half.len() / 2],
            "truncated or damaged, only a part could be decompressed (gzip)",
        ),
    ] {
        let (rows, summary) = folder.run(name, bytes, |_| {});
        assert_eq!((summary.pages, summary.failed, summary.partial), (1, 1, 1), "{name}");
        assert!(rows[0]["text"].as_str().is_some_and(|text| text.len() > 20), "{name}");
        assert!(rows[0]["error"].as_str().unwrap().contains(error), "{name}: {}", rows[0]["error"]);
    }
    let (rows, _) = folder.run("b.html.gz", b"\x1F\x8B\x08\0\0\0", |_| {});
    assert!(rows[0]["error"].as_str().unwrap().contains("cannot decompress the page (gzip)"));
}

#[test]
fn pages_inside_mhtml_and_gzip_are_read_wherever_they_stand() {
    let folder = Folder::new();
    let saved = format!(
        "From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n\
         Content-Type: text/html\r\nContent-Location: https://saved.example/rain\r\n\r\n{STORY}\r\n--b--\r\n"
    );
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: multipart/related\r\n\r\n{saved}");
    let warc = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}",
        http.len()
    );
    let line = serde_json::json!({ "html": saved }).to_string();
    for (name, bytes) in [
        ("a.mhtml", saved.clone().into_bytes()),
        ("a.mht.gz", packed(&saved)),
        ("a.html", packed(&saved)),
        ("a.jsonl", line.into_bytes()),
        ("a.warc", warc.into_bytes()),
    ] {
        let (rows, _) = folder.run(name, &bytes, |_| {});
        assert_eq!(rows[0]["url"], "https://saved.example/rain", "{name}: {}", rows[0]["error"]);
        assert!(
            rows[0]["text"].as_str().unwrap().contains("It rained") && rows[0]["error"].is_null(),
            "{name}"
        );
    }
}

#[test]
fn fields_that_are_not_written_still_filter() {
    let folder = Folder::new();
    let line = serde_json::json!({"html": STORY});
    let (rows, summary) = folder.run("in.jsonl", format!("{line}\n").as_bytes(), |run| {
        run.work = Work::new(WorkOptions { fields: "text".parse().unwrap(), ..WorkOptions::default() });
        run.filter.languages = vec!["de".to_owned()];
    });
    assert_eq!((rows.len(), summary.language), (0, 1));
}

#[test]
fn another_choice_of_fields_is_another_run() {
    let folder = Folder::new();
    fs::write(folder.path("in.jsonl"), "{\"html\":\"<p>Rain.\"}\n").unwrap();
    let run = |fields: Fields| {
        let inputs = Inputs::new(&[folder.path("in.jsonl").display().to_string()]).unwrap();
        let mut run = Run::new(inputs, Target::to(folder.path("out.jsonl")));
        run.work = Work::new(WorkOptions { fields, ..WorkOptions::default() });
        run.run(&Watch::default(), &|_| {})
    };
    assert!(!run(Fields::default()).unwrap().repeated);
    assert!(run(Fields::default()).unwrap().repeated);
    assert!(matches!(run("text".parse().unwrap()), Err(Error::Exists { .. })));
}
