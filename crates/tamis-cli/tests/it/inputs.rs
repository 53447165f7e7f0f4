//! What pages may come from, and where their results go.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::run::{Folder, tamis};

const STORY: &str = "The ferry runs again, says the company: twice a day, and three times a day from May on.";

fn page() -> String {
    format!("<title>Ferry</title><h1>Ferry</h1><p>{STORY}</p>")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_page_needs_no_command() {
    let folder = Folder::new();
    let file = folder.write("page.html", page());
    let long = tamis(&["extract", &file], "");
    assert!(long.code == 0 && long.out.contains(STORY), "{long:?}");
    assert_eq!(tamis(&[&file], ""), long);
    assert_eq!(tamis(&["-"], page()).out, long.out);
    let markdown = tamis(&["-q", "-f", "md", &file], "");
    assert!(markdown.out.starts_with("# Ferry\n"), "{markdown:?}");
    assert!(tamis(&["missing.html"], "").err.contains("cannot read missing.html"));
    assert!(tamis(&["extrct"], "").err.contains("extract"), "clap suggests a command");
}

#[test]
fn gzip_and_mhtml_are_unpacked() {
    let folder = Folder::new();
    let packed = folder.write("page.html.gz", gzip(page().as_bytes()));
    assert!(tamis(&["extract", &packed], "").out.contains(STORY));
    let mhtml = format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\
         Content-Location: https://e.com/ferry\r\n\r\n{}\r\n--b--\r\n",
        page()
    );
    let file = folder.write("page.mhtml", &mhtml);
    for (arguments, input) in
        [(["extract", "-f", "json", &file], ""), (["extract", "-f", "json", "-"], &mhtml)]
    {
        let run = tamis(&arguments, input);
        let record: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        assert_eq!((&record["url"], &record["title"]), (&"https://e.com/ferry".into(), &"Ferry".into()));
    }
    let bomb = folder.write("bomb.html.gz", gzip(&vec![b' '; 1 << 20]));
    let run = tamis(&["extract", "--max-bytes", "64K", &bomb], "");
    assert!(run.code == 2 && run.err.contains("raise --max-bytes"), "{run:?}");
    let broken = mhtml.replace("text/html", "text/plain");
    assert!(
        tamis(&["extract", "-"], broken).err.contains("standard input: this MHTML file has no HTML part")
    );
}

#[test]
fn files_with_many_pages_lead_to_batch() {
    let folder = Folder::new();
    for name in ["pages.jsonl", "pages.warc.gz", "pages.parquet"] {
        let file = folder.write(name, "x");
        let run = tamis(&["extract", &file], "");
        let wanted = format!("use tamis batch {file} -o rows.jsonl");
        assert!(run.code == 2 && run.err.contains(&wanted), "{run:?}");
    }
    assert!(tamis(&["extract", "-"], "WARC/1.0\r\n").err.contains("tamis batch"));
    folder.write("empty/notes.txt", "x");
    let run = tamis(&["extract", &folder.path("empty")], "");
    assert!(run.code == 2 && run.err.contains("has no pages (.html"), "{run:?}");
}

#[test]
fn directories_keep_their_folders() {
    let folder = Folder::new();
    for name in ["in/index.html", "in/a/index.html", "in/b/index.htm"] {
        folder.write(name, page().replace("company", name));
    }
    let (input, out) = (folder.path("in"), folder.path("out"));
    let run = tamis(&["extract", &input, "-o", &out], "");
    assert_eq!(run.code, 0, "{run:?}");
    for name in ["in/index.html", "in/a/index.html", "in/b/index.htm"] {
        let text = name.replace("in/", "out/").replace(".html", "") + ".txt";
        assert!(fs::read_to_string(folder.path(&text)).unwrap().contains(name), "{text}");
    }
    let lines = tamis(&["extract", "-f", "json", &input], "").out;
    assert_eq!(lines.lines().count(), 3);
}

#[test]
fn extract_and_batch_name_files_alike() {
    let folder = Folder::new();
    for name in ["in/index.html", "in/a/x.html", "in/b/x.htm", "in/b/saved.mhtml"] {
        folder.write(name, page());
    }
    let files = |out: &str| -> Vec<String> {
        let found = glob(&folder.path(out));
        found.into_iter().filter(|name| name != "index.jsonl").collect()
    };
    for (case, inputs) in
        [&["in"][..], &["in/a", "in/b"], &["in/a/x.html", "in/index.html"]].iter().enumerate()
    {
        let inputs: Vec<String> = inputs.iter().map(|name| folder.path(name)).collect();
        let run = |command: &str| {
            let out = folder.path(&format!("{command}-{case}/"));
            let mut arguments = vec![command, "-o", &out];
            arguments.extend(inputs.iter().map(String::as_str));
            assert_eq!(tamis(&arguments, "").code, 0, "{arguments:?}");
            files(&format!("{command}-{case}"))
        };
        let (extract, batch) = (run("extract"), run("batch"));
        assert_eq!(extract, batch);
        assert_eq!(extract.len(), [4, 3, 2][case], "{extract:?}");
    }
    assert_eq!(files("extract-0"), ["a/x.txt", "b/saved.mhtml.txt", "b/x.htm.txt", "index.txt"]);
}

/// All files below a directory, in order.
fn glob(directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![std::path::PathBuf::from(directory)];
    while let Some(next) = open.pop() {
        if next.is_dir() {
            open.extend(fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.push(next.strip_prefix(directory).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
    found.sort();
    found
}

#[test]
fn extract_batch_and_explain_share_their_flags() {
    let folder = Folder::new();
    let hidden = page()
        .replace("</h1>", "</h1><p style='display:none'>The secret ferry sails at night to the island.</p>");
    let file = folder.write("page.html", hidden);
    let secret = |arguments: &[&str]| {
        let run = tamis(&[arguments, &["--hidden", "keep", &file]].concat(), "");
        assert_eq!(run.code, 0, "{run:?}");
        run.out.contains("secret ferry")
    };
    assert!(secret(&["extract"]) && secret(&["batch", "-o", "-"]) && secret(&["explain"]));
    assert!(!tamis(&["batch", "-o", "-", &file], "").out.contains("secret ferry"));
    for arguments in [&["extract", "-f", "json"][..], &["batch", "-o", "-"]] {
        let run = tamis(&[arguments, &["--chunks", "10tokens", &file]].concat(), "");
        let record: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        let chunks = record["chunks"].as_array().unwrap();
        assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk["size"].as_u64() <= Some(10)), "{run:?}");
        assert_eq!(tamis(&[arguments, &["--chunks", "10words", &file]].concat(), "").code, 2);
    }
}

#[test]
fn dates_in_the_future_are_rejected() {
    let folder = Folder::new();
    let file = folder.write("page.html", page().replace("</h1>", "</h1><p>Published: 12 March 2099</p>"));
    for arguments in [&["extract", "-f", "json"][..], &["batch", "-o", "-"]] {
        let run = tamis(&[arguments, &["--fields", "published", &file]].concat(), "");
        assert_eq!(run.out, "{\"published\":null}\n", "{run:?}");
    }
    let fetched = ["extract", "-f", "json", "--fields", "published", "--fetched", "2099-04-01", &file];
    assert_eq!(tamis(&fetched, "").out, "{\"published\":\"2099-03-12\"}\n");
    let explained = tamis(&["explain", "--metadata", &file], "").out;
    assert!(explained.contains("published: none\n") && !explained.contains("2099-03-12"), "{explained}");
}

#[test]
fn a_damaged_page_is_extracted_as_far_as_it_goes() {
    let folder = Folder::new();
    let long: String = (0..3_000).map(|number| format!("<p>{STORY} {}", number * 7_919 % 1_009)).collect();
    let packed = gzip(long.as_bytes());
    let file = folder.write("cut.html.gz", &packed[..packed.len() / 2]);
    let run = tamis(&["extract", &file], "");
    assert!(run.code == 0 && run.out.contains(STORY), "{}", run.err);
    assert!(
        run.err.contains("truncated or damaged, only a part could be decompressed (gzip)"),
        "{}",
        run.err
    );
}

#[test]
fn content_flags_change_the_markdown() {
    let page = page().replace("again", "<a href=https://e.com/may>again</a>");
    let markdown = |more: &[&str]| tamis(&[&["extract", "-f", "markdown", "-"], more].concat(), &page).out;
    assert!(markdown(&["--with", "links"]).contains("(https://e.com/may)"));
    assert!(markdown(&["--with", "metadata"]).starts_with("---\n"));
    assert!(markdown(&["--headline", "always"]).starts_with("# Ferry"));
    assert!(!markdown(&["--headline", "never"]).contains("# Ferry"));
    let run = tamis(&["extract", "--with", "tables", "-"], "");
    assert!(run.code == 2 && run.err.contains("links, images, comments, metadata"), "{run:?}");
}

#[test]
fn fields_are_chosen_in_extract_and_batch() {
    let folder = Folder::new();
    let run = tamis(&["extract", "-f", "json", "--fields", "title,path", "-"], page());
    assert_eq!(run.out, "{\"path\":\"-\",\"title\":\"Ferry\"}\n");
    assert!(tamis(&["extract", "--fields", "title", "-"], page()).err.contains("--format json"));
    let run = tamis(&["extract", "-f", "json", "--fields", "colour", "-"], page());
    assert!(run.code == 2 && run.err.contains("the fields are schema, id"), "{run:?}");
    let line = serde_json::json!({ "html": page(), "set": "a", "id": "p1" }).to_string();
    let pages = folder.write("pages.jsonl", line + "\n");
    let run = tamis(&["batch", &pages, "-o", "-", "--fields", "id,title", "--keep", "set"], "");
    assert_eq!(run.out, "{\"id\":\"p1\",\"title\":\"Ferry\",\"set\":\"a\"}\n");
    assert!(tamis(&["batch", &pages, "-o", "-", "--keep", "title"], "").err.contains("--keep"));
}

#[test]
fn extract_and_batch_give_the_same_record() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/document-2.json")).unwrap();
    let names: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    for page in ["harbour-news", "chinese-news", "uyghur-forum"] {
        let file = format!("{}/../../examples/{page}.html", env!("CARGO_MANIFEST_DIR"));
        let record = |arguments: &[&str]| -> Value {
            let run = tamis(&[arguments, &["--fields", &names.join(","), &file]].concat(), "");
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"))
        };
        assert_eq!(record(&["extract", "-f", "json"]), record(&["batch", "-q", "-o", "-"]), "{page}");
    }
}

#[test]
fn the_environment_names_the_model_and_the_sites() {
    let folder = Folder::new();
    let file = folder.write("page.html", page());
    let with = |variable: &str, value: &str, arguments: &[&str]| {
        let mut command = crate::run::command(arguments);
        command.env(variable, value);
        crate::run::finish(command, "")
    };
    let run = with("TAMIS_MODEL", "no-such.model", &["extract", &file]);
    assert!(run.code == 2 && run.err.contains("no-such.model"), "{run:?}");
    let run = with("TAMIS_SITES", "no-such.redb", &["extract", &file]);
    assert!(run.code == 2 && run.err.contains("no-such.redb"), "{run:?}");
    let run = with("TAMIS_SITES", "no-such.redb", &["site", "list"]);
    assert!(run.code == 2 && run.err.contains("tamis site learn"), "{run:?}");
    for variable in ["TAMIS_MODEL", "TAMIS_SITES", "TAMIS_RULES"] {
        let run = with(variable, "", &["extract", &file]);
        assert!(run.code == 0 && run.err.is_empty(), "{variable} is empty: {run:?}");
    }
}

#[test]
fn messages_can_be_fewer_or_more() {
    let folder = Folder::new();
    let file = folder.write("empty.html", "");
    assert_eq!(tamis(&["-q", "extract", &file], "").err, "");
    let run = tamis(&["extract", "-v", "-"], page());
    assert!(run.err.contains("bytes, UTF-8") || run.err.contains("bytes, windows-1252"), "{}", run.err);
    let color = tamis(&["--color", "always", "extract", "--with", "links", "-"], page());
    assert!(color.err.contains("\u{1b}[33mwarning"), "{}", color.err);
}

#[test]
fn chunks_are_json_lines_with_headings() {
    let text = format!("{}<h2>Fares</h2><p>{STORY}</p>", page());
    for format in ["text", "markdown"] {
        let run = tamis(&["extract", "-f", format, "--chunks", "120", "-"], &text);
        let chunks: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(chunks.len(), 2, "{run:?}");
        assert!(chunks[1]["headings"].as_array().unwrap().contains(&"Fares".into()), "{run:?}");
        assert!(chunks.iter().all(|chunk| chunk["size"].as_u64().unwrap() <= 120 && chunk["path"] == "-"));
    }
    assert!(tamis(&["extract", "-f", "tei", "--chunks", "120", "-"], page()).err.contains("--chunks"));
}
