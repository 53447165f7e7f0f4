//! What pages may come from, and where their results go.

use crate::crawl::gzip;
use crate::run::{Folder, Run, finish, tamis};

const STORY: &str = "The ferry runs again, says the company: twice a day, and three times a day from May on.";

fn page() -> String {
    format!("<title>Ferry</title><h1>Ferry</h1><p>{STORY}</p>")
}

/// A folder with a page.
fn folder(html: impl AsRef<[u8]>) -> Folder {
    let folder = Folder::new();
    folder.write("page.html", html);
    folder
}

#[test]
fn a_page_needs_no_command() {
    let folder = folder(page());
    let long = folder.tamis("extract page.html").succeeds().prints(STORY);
    assert_eq!(folder.tamis("page.html"), long);
    assert_eq!(tamis("-", page()).out, long.out);
    assert!(folder.tamis("-q -f md page.html").out.starts_with("# Ferry\n"));
    tamis("missing.html", "").fails("cannot read missing.html");
    // Clap suggests a command.
    tamis("extrct", "").fails("extract");
}

#[test]
fn gzip_and_mhtml_are_unpacked() {
    let folder = Folder::new();
    folder.write("page.html.gz", gzip(page()));
    folder.tamis("extract page.html.gz").prints(STORY);
    let mhtml = format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\
         Content-Location: https://e.com/ferry\r\n\r\n{}\r\n--b--\r\n",
        page()
    );
    folder.write("page.mhtml", &mhtml);
    for name in ["page.mhtml", "-"] {
        let record = folder.tamis_with(&format!("extract -f json {name}"), &mhtml).json();
        assert_eq!((&record["url"], &record["title"]), (&"https://e.com/ferry".into(), &"Ferry".into()));
    }
    folder.write("bomb.html.gz", gzip(vec![b' '; 1 << 20]));
    folder.tamis("extract --max-bytes 64K bomb.html.gz").fails("raise --max-bytes");
    let broken = mhtml.replace("text/html", "text/plain");
    tamis("extract -", broken).fails("standard input: this MHTML file has no HTML part");
}

#[test]
fn files_with_many_pages_lead_to_batch() {
    let folder = Folder::new();
    for name in ["pages.jsonl", "pages.warc.gz", "pages.parquet"] {
        folder.write(name, "x");
        let remedy = format!("use tamis batch {name} -o rows.jsonl");
        folder.tamis(&format!("extract {name}")).fails(&remedy);
    }
    tamis("extract -", "WARC/1.0\r\n").fails("tamis batch");
    folder.write("empty/notes.txt", "x");
    folder.tamis("extract empty").fails("has no pages (.html");
}

#[test]
fn directories_keep_their_folders() {
    let folder = Folder::new();
    let names = ["in/index.html", "in/a/index.html", "in/b/index.htm"];
    for name in names {
        folder.write(name, page().replace("company", name));
    }
    folder.tamis("extract in -o out").succeeds();
    for name in names {
        let text = name.replace("in/", "out/").replace(".html", "") + ".txt";
        assert!(folder.read(&text).contains(name), "{text}");
    }
    assert_eq!(folder.tamis("extract -f json in").rows().len(), 3);
}

#[test]
fn extract_and_batch_name_files_alike() {
    let folder = Folder::new();
    for name in ["in/index.html", "in/a/x.html", "in/b/x.htm", "in/b/saved.mhtml"] {
        folder.write(name, page());
    }
    let files = |command: &str, inputs: &str, out: &str| -> Vec<String> {
        folder.tamis(&format!("{command} -o {out}/ {inputs}")).succeeds();
        folder.everything(out).into_keys().filter(|name| name != "index.jsonl").collect()
    };
    for (case, (inputs, count)) in
        [("in", 4), ("in/a in/b", 3), ("in/a/x.html in/index.html", 2)].iter().enumerate()
    {
        let [extract, batch] = ["extract", "batch"].map(|it| files(it, inputs, &format!("{it}-{case}")));
        assert_eq!(extract, batch);
        assert_eq!(extract.len(), *count, "{extract:?}");
    }
    let names = ["a/x.txt", "b/saved.mhtml.txt", "b/x.htm.txt", "index.txt"];
    assert_eq!(files("extract", "in", "all"), names);
}

#[test]
fn extract_batch_and_explain_share_their_flags() {
    let hidden = "</h1><p style='display:none'>The secret ferry sails at night to the island.</p>";
    let folder = folder(page().replace("</h1>", hidden));
    for command in ["extract", "batch -o -", "explain"] {
        folder.tamis(&format!("{command} --hidden keep page.html")).succeeds().prints("secret ferry");
    }
    folder.tamis("batch -o - page.html").does_not_print("secret ferry");
    for command in ["extract -f json", "batch -o -"] {
        let record = folder.tamis(&format!("{command} --chunks 10tokens page.html")).json();
        let chunks = record["chunks"].as_array().unwrap();
        assert!(
            chunks.len() > 1 && chunks.iter().all(|chunk| chunk["size"].as_u64() <= Some(10)),
            "{record}"
        );
        folder.tamis(&format!("{command} --chunks 10words page.html")).ends(2);
    }
}

#[test]
fn dates_in_the_future_are_rejected() {
    let folder = folder(page().replace("</h1>", "</h1><p>Published: 12 March 2099</p>"));
    let published = |line: &str| folder.tamis(&format!("{line} --fields published page.html")).out;
    for command in ["extract -f json", "batch -o -"] {
        assert_eq!(published(command), "{\"published\":null}\n");
    }
    assert_eq!(published("extract -f json --fetched 2099-04-01"), "{\"published\":\"2099-03-12\"}\n");
    let explained = folder.tamis("explain --metadata page.html");
    explained.prints("published: none\n").does_not_print("2099-03-12");
}

#[test]
fn a_damaged_page_is_extracted_as_far_as_it_goes() {
    let long: String = (0..3_000).map(|number| format!("<p>{STORY} {}", number * 7_919 % 1_009)).collect();
    let packed = gzip(long);
    let run = folder(&packed[..packed.len() / 2]).tamis("extract page.html").succeeds().prints(STORY);
    run.says("truncated or damaged, only a part could be decompressed (gzip)");
}

#[test]
fn content_flags_change_the_markdown() {
    let page = page().replace("again", "<a href=https://e.com/may>again</a>");
    let markdown = |flags: &str| tamis(&format!("extract -f markdown - {flags}"), &page);
    markdown("--with links").prints("(https://e.com/may)");
    assert!(markdown("--with metadata").out.starts_with("---\n"));
    assert!(markdown("--headline always").out.starts_with("# Ferry"));
    markdown("--headline never").does_not_print("# Ferry");
    tamis("extract --with tables -", "").fails("links, images, comments, metadata");
}

#[test]
fn fields_are_chosen_in_extract_and_batch() {
    let folder = Folder::new();
    let run = tamis("extract -f json --fields title,path -", page());
    assert_eq!(run.out, "{\"path\":\"-\",\"title\":\"Ferry\"}\n");
    tamis("extract --fields title -", page()).fails("--format json");
    tamis("extract -f json --fields colour -", page()).fails("the fields are schema, id");
    folder.write("pages.jsonl", serde_json::json!({ "html": page(), "set": "a", "id": "p1" }).to_string());
    let run = folder.batch("pages.jsonl -o - --fields id,title --keep set");
    assert_eq!(run.out, "{\"id\":\"p1\",\"title\":\"Ferry\",\"set\":\"a\"}\n");
    folder.batch("pages.jsonl -o - --keep title").fails("--keep");
}

#[test]
fn extract_and_batch_give_the_same_record() {
    let schema = include_str!("../../../../docs/schema/document-2.json");
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let names: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    for page in ["harbour-news", "chinese-news", "uyghur-forum"] {
        let record = |start: &str| {
            tamis(&format!("{start} --fields {} examples/{page}.html", names.join(",")), "").rows()
        };
        assert_eq!(record("extract -f json"), record("batch -q -o -"), "{page}");
    }
}

#[test]
fn the_environment_names_the_model_and_the_sites() {
    let folder = folder(page());
    let with = |variable: &str, value: &str, line: &str| -> Run {
        let mut command = folder.command(line);
        command.env(variable, value);
        finish(command, "")
    };
    with("TAMIS_MODEL", "no-such.model", "extract page.html").fails("no-such.model");
    with("TAMIS_SITES", "no-such.redb", "extract page.html").fails("no-such.redb");
    with("TAMIS_SITES", "no-such.redb", "site list").fails("tamis site learn");
    for variable in ["TAMIS_MODEL", "TAMIS_SITES", "TAMIS_RULES"] {
        let run = with(variable, "", "extract page.html").succeeds();
        assert_eq!(run.err, "", "{variable} is empty");
    }
}

#[test]
fn messages_can_be_fewer_or_more() {
    assert_eq!(folder("").tamis("-q extract page.html").err, "");
    let run = tamis("extract -v -", page());
    assert!(run.err.contains("bytes, UTF-8") || run.err.contains("bytes, windows-1252"), "{run:?}");
    tamis("--color always extract --with links -", page()).says("\u{1b}[33mwarning");
}

#[test]
fn chunks_are_json_lines_with_headings() {
    let text = format!("{}<h2>Fares</h2><p>{STORY}</p>", page());
    for format in ["text", "markdown"] {
        let chunks = tamis(&format!("extract -f {format} --chunks 120 -"), &text).rows();
        assert_eq!(chunks.len(), 2, "{chunks:?}");
        assert!(chunks[1]["headings"].as_array().unwrap().contains(&"Fares".into()), "{chunks:?}");
        assert!(chunks.iter().all(|chunk| chunk["size"].as_u64().unwrap() <= 120 && chunk["path"] == "-"));
    }
    tamis("extract -f tei --chunks 120 -", page()).fails("--chunks");
}
