//! `tamis extract` and `tamis explain` as a user runs them.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn tamis(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may not read all of it, or anything at all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const NEWS: &str = "examples/harbour-news.html";

#[test]
fn the_example_gives_its_article_and_no_menu() {
    let output = tamis(&["extract", NEWS], b"");
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output);
    assert!(text.contains("Ellery has its bridge back."), "{text}");
    assert!(!text.contains("Subscribe"), "{text}");
}

#[test]
fn every_format_says_the_same_words() {
    for format in ["txt", "md", "html", "json", "xml", "tei"] {
        let output = tamis(&["extract", "--format", format, NEWS], b"");
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(text(&output).contains("Ellery has its bridge back."), "{format}");
    }
}

#[test]
fn every_method_finds_text() {
    for method in ["lines", "template-svm", "correlation", "containers", "blocks", "density", "svm"] {
        let output = tamis(&["extract", "--method", method, NEWS], b"");
        assert_eq!(output.status.code(), Some(0), "{method}");
    }
    assert_eq!(tamis(&["extract", "--fast", NEWS], b"").status.code(), Some(0));
}

#[test]
fn nothing_to_extract_is_exit_1_and_a_missing_file_exit_2() {
    assert_eq!(tamis(&["extract", "-"], b"").status.code(), Some(1));
    let output = tamis(&["extract", "no-such-page.html"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-page.html"));
}

#[test]
fn many_pages_give_a_json_line_each_in_order_and_errors_have_one_too() {
    let pages = ["examples/uyghur-forum.html", "no-such-page.html", NEWS, "examples/chinese-news.html"];
    let output = tamis(&[&["extract", "-j", "3", "--format", "json"][..], &pages].concat(), b"");
    assert_eq!(output.status.code(), Some(2), "one page failed");
    let rows: Vec<serde_json::Value> =
        text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let paths: Vec<_> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths, pages);
    assert!(rows[1]["error"].as_str().unwrap().contains("cannot read"));
    for field in [
        "url",
        "title",
        "published",
        "authors",
        "source",
        "language",
        "encoding",
        "page_type",
        "confidence",
        "text",
        "content",
        "method",
    ] {
        assert!(rows[2].get(field).is_some(), "{field}");
    }
    assert_eq!((&rows[2]["schema"], &rows[2]["encoding"]), (&2.into(), &"UTF-8".into()));
    assert!(rows[2]["content"][0].get("span").is_some(), "{}", rows[2]["content"][0]);
    assert_eq!(rows[2]["title"], "Harbour lift bridge reopens to trams after fourteen months");
}

#[test]
fn a_list_brings_ids_and_addresses() {
    let list = folder("list").join("pages.jsonl");
    fs::write(&list, format!("{{\"id\": \"a\", \"path\": \"{NEWS}\", \"url\": \"https://example.com/a\"}}\n\n{{\"id\": 7, \"path\": \"{NEWS}\"}}\n"))
        .unwrap();
    let output = tamis(&["extract", "--list", list.to_str().unwrap(), "--format", "json"], b"");
    let rows: Vec<serde_json::Value> =
        text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows[0]["id"].as_str(), rows[0]["url"].as_str()), (Some("a"), Some("https://example.com/a")));
    assert_eq!(rows[1]["id"], "7");
    fs::write(&list, "{\"id\": 1}\n").unwrap();
    let output = tamis(&["extract", "--list", list.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("pages.jsonl:1"));
}

#[test]
fn a_directory_gets_a_file_a_page() {
    let out = folder("out");
    let output = tamis(
        &["extract", "--format", "md", "-o", out.to_str().unwrap(), NEWS, "examples/chinese-news.html"],
        b"",
    );
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(out.join("harbour-news.md")).unwrap().contains("## Cheaper than planned"));
    assert!(out.join("chinese-news.md").is_file());
}

#[test]
fn other_pages_of_the_site_take_its_lines_away() {
    let site = folder("site");
    let page = |word: &str| {
        format!(
            "<p>All rights are reserved, and so on.</p><p>The {word} is a word, and this page, too, is about it.</p>"
        )
    };
    for word in ["first", "second", "third"] {
        fs::write(site.join(format!("{word}.html")), page(word)).unwrap();
    }
    let alone = tamis(&["extract", "--method", "lines", "-"], page("fourth").as_bytes());
    assert!(text(&alone).contains("rights"));
    let site = site.to_str().unwrap();
    let together =
        tamis(&["extract", "--method", "lines", "--site-pages", site, "-"], page("fourth").as_bytes());
    assert!(!text(&together).contains("rights"));
    assert!(text(&together).contains("fourth"));
}

#[test]
fn a_page_among_the_site_pages_was_counted_for_itself() {
    let site = folder("site-with-the-page");
    let page = |word: &str| {
        format!(
            "<p>All rights are reserved, and so on.</p><p>The {word} is a word, and this page, too, is about it.</p>"
        )
    };
    for (name, word) in [("first", "first"), ("second", "second"), ("copy", "first"), ("third", "third")] {
        fs::write(site.join(format!("{name}.html")), page(word)).unwrap();
    }
    let directory = site.to_str().unwrap();
    let first = site.join("first.html");
    let by_place =
        tamis(&["extract", "--method", "lines", "--site-pages", directory, first.to_str().unwrap()], b"");
    let by_content =
        tamis(&["extract", "--method", "lines", "--site-pages", directory, "-"], page("first").as_bytes());
    for output in [by_place, by_content] {
        assert!(text(&output).contains("The first is a word"), "{}", text(&output));
        assert!(!text(&output).contains("rights"), "the others still count: {}", text(&output));
    }
}

const BLOG: &str = "<title>The river path</title><h1>The river path</h1><p>A walk along the river, in the first warm week \
    of the year: the path is dry as far as the mill, and from there on it is not. Take boots, and something to eat, since \
    the inn at the bridge is closed until May and there is nothing else on the way.</p><div id=comments><h3>2 comments</h3>\
    <ol class=commentlist><li class=comment><cite>Ada</cite> <time>1 March</time><p>The inn is open again since Easter, and we went there on Sunday.</p></li>\
    <li class=comment><cite>Ben</cite> <time>2 March</time><p>And the soup is good, as it was when the old owner still cooked.</p></li></ol></div>";

#[test]
fn the_items_of_a_page_of_links_are_its_text() {
    let links: String = (0..40).map(|n| format!("<li><a href=/{n}>Harbour {n}</a>")).collect();
    let run = tamis(&["extract", "-"], format!("<title>Harbours</title><ul>{links}</ul>").as_bytes());
    assert!(run.status.code() == Some(0) && text(&run).contains("Harbour 7"), "{}", errors(&run));
    let run = tamis(&["extract", "-"], b"<div id=app></div><script src=app.js></script>");
    assert!(
        run.status.code() == Some(1) && errors(&run).contains("has no text to extract"),
        "{}",
        errors(&run)
    );
    assert!(!errors(&run).contains("--method"), "{}", errors(&run));
}

#[test]
fn explain_decides_as_extract_does_and_says_what_the_page_is() {
    let kept = |more: &[&str]| {
        let table =
            text(&tamis(&[&["explain", "--method", "fused"], more, &["-"]].concat(), BLOG.as_bytes()));
        let last = table.lines().last().unwrap().to_owned();
        assert!(last.starts_with("fused: ") && last.contains("confidence 0."), "{table}");
        table.lines().filter(|line| line.get(5..6) == Some("+")).count()
    };
    assert!(kept(&["--precision"]) <= kept(&[]) && kept(&[]) <= kept(&["--recall"]));
}

#[test]
fn comments_come_when_asked_for_in_every_form() {
    for format in ["txt", "md", "html", "json", "xml", "tei"] {
        let without = text(&tamis(&["extract", "--format", format, "-"], BLOG.as_bytes()));
        let with = text(&tamis(&["extract", "--format", format, "--with", "comments", "-"], BLOG.as_bytes()));
        assert!(without.contains("dry as far as the mill"), "{format}: {without}");
        assert!(with.contains("And the soup is good, as it was"), "{format}: {with}");
        match format {
            "json" => {
                let (without, with): (serde_json::Value, serde_json::Value) =
                    (serde_json::from_str(&without).unwrap(), serde_json::from_str(&with).unwrap());
                assert_eq!(without["comments"], serde_json::json!([]));
                assert_eq!(
                    with["comments"][0]["text"].as_str().unwrap().trim(),
                    "The inn is open again since Easter, and we went there on Sunday."
                );
                assert_eq!(with["text"], without["text"]);
            }
            _ => assert!(!without.contains("soup"), "{format}: {without}"),
        }
    }
    let table = text(&tamis(&["explain", "-"], BLOG.as_bytes()));
    assert!(table.contains("(comment) And the soup is good, as it was"), "{table}");
}

#[test]
fn explain_shows_what_facts_were_chosen_from() {
    let page = b"<title>Rain at last | Gazette</title><h1>Rain at last</h1><p>3 hours ago</p><p>It rained in the harbour on Monday, \
        for the first time since the spring, and the gardens were glad of it.";
    let table = text(&tamis(&["explain", "--facts", "--fetched", "2010-12-15T12:00Z", "-"], page));
    assert!(table.contains("Rain at last\n") && table.contains("2010-12-15T09:00Z"), "{table}");
    let json = text(&tamis(&["explain", "--facts", "--format", "json", "-"], page));
    let candidates: serde_json::Value = serde_json::from_str(&json).unwrap();
    let titles = candidates.as_array().unwrap().iter().filter(|it| it["field"] == "title");
    assert_eq!(titles.filter(|it| it["chosen"] == true).count(), 1);
    let html = tamis(&["explain", "--facts", "--format", "html", "-"], page);
    assert!(html.status.code() == Some(2) && errors(&html).contains("--format json"));
    let wrong = tamis(&["explain", "--facts", "--fetched", "soon", "-"], page);
    assert!(wrong.status.code() == Some(2) && errors(&wrong).contains("2010-12-15"));
}

#[test]
fn explain_has_three_forms() {
    let table = text(&tamis(&["explain", NEWS], b""));
    assert!(table.lines().next().unwrap().contains("words links text"));
    let json: serde_json::Value = serde_json::from_str(&text(&tamis(
        &["explain", "--format", "json", "--method", "blocks", NEWS],
        b"",
    )))
    .unwrap();
    assert!(json["blocks"][0]["methods"]["blocks"]["keep"].is_boolean());
    let html = text(&tamis(&["explain", "--format", "html", NEWS], b""));
    assert!(
        html.starts_with("<!doctype html>") && html.contains("<svg") && html.trim_end().ends_with("</html>")
    );
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"), "it needs nothing else");
}

/// Without the feature, too: then it says how to get it.
#[test]
fn an_address_that_does_not_answer_is_an_error() {
    let output = tamis(&["extract", "http://127.0.0.1:9/"], b"");
    assert_eq!(output.status.code(), Some(2));
    let error = errors(&output);
    assert!(error.contains("http://127.0.0.1:9/"), "{error}");
    assert_eq!(error.contains("`fetch`"), !cfg!(feature = "fetch"), "{error}");
}

#[test]
fn a_page_that_gives_nothing_is_named_with_what_to_try() {
    let output = tamis(&["extract", "-"], b"<script>all of it</script>");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        errors(&output),
        "tamis: standard input: has no text to extract; if scripts write it, save the page from a browser\n"
    );
    let output = tamis(&["extract", "--method", "lines", "-"], b"<p>no punctuation</p>");
    assert_eq!(output.status.code(), Some(1));
    let error = errors(&output);
    assert!(error.contains("kept by the method lines; try --recall or another --method"), "{error}");
    let page = folder("empty").join("empty.html");
    fs::write(&page, "").unwrap();
    let output = tamis(&["extract", page.to_str().unwrap(), NEWS, page.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0));
    let error = errors(&output);
    assert!(error.starts_with("tamis: 2 of 3 pages gave no text, the first of them "), "{error}");
    assert!(error.contains("empty.html") && error.lines().count() == 1, "{error}");
}

#[test]
fn what_is_no_page_is_an_error_and_not_rubbish() {
    for (bytes, wanted) in [
        (&b"%PDF-1.7\n%\xE2\xE3\xCF\xD3"[..], "looks like a PDF document, not a web page"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "looks like a PNG picture"),
        (b"\x1F\x8B\x08\0\0\0\0\0\0\xFF", "is compressed (gzip): decompress it first"),
        (&[7; 500], "looks like binary data"),
    ] {
        for arguments in [&["extract", "-"][..], &["extract", "--fast", "-"], &["explain", "-"]] {
            let output = tamis(arguments, bytes);
            assert_eq!((output.status.code(), text(&output).as_str()), (Some(2), ""), "{wanted}");
            let error = errors(&output);
            assert!(error.contains(wanted), "{error}");
        }
    }
    let output = tamis(&["extract", "--format", "json", "-"], b"%PDF-1.7");
    assert!(
        text(&output).contains("\"error\":\"standard input: looks like a PDF document, not a web page\"")
    );
}

#[test]
fn plain_text_and_utf_16_are_pages() {
    let words = "It rained in the harbour on Monday, for the first time since the spring, and long.";
    let output = tamis(&["extract", "-"], words.as_bytes());
    assert_eq!((output.status.code(), text(&output).trim_end()), (Some(0), words));
    let utf_16: Vec<u8> = format!("\u{FEFF}<p>{words}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let output = tamis(&["extract", "-"], &utf_16);
    assert_eq!((output.status.code(), text(&output).trim_end()), (Some(0), words));
}

#[test]
fn hidden_text_is_dropped_kept_or_listed() {
    let page = BLOG.replace("<h1>", "<p hidden>Only machines read this line, and nobody else does.</p><h1>");
    let extract = |more: &[&str]| {
        let line = text(&tamis(&[&["extract", "--format", "json", "-"], more].concat(), page.as_bytes()));
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    assert_eq!(extract(&[])["hidden"], serde_json::json!([]));
    let flagged = extract(&["--hidden", "flag"]);
    assert!(flagged["hidden"][0]["text"].as_str().unwrap().starts_with("Only machines"), "{flagged}");
    assert_eq!(flagged["text"], extract(&[])["text"]);
    assert_eq!(extract(&["--hidden", "keep"])["hidden"], serde_json::json!([]));
}

#[test]
fn a_page_has_a_time_limit() {
    let page = "<b><i><p>".repeat(50_000);
    let output = tamis(&["extract", "--page-timeout", "0.000001", "-"], page.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("raise --page-timeout"), "{}", errors(&output));
}

#[test]
fn fast_gives_plain_text_only() {
    let output = tamis(&["extract", "--fast", "--format", "json", NEWS], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--fast gives plain text only"));
}
