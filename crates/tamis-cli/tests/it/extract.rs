//! `tamis extract` and `tamis explain` as a user runs them.

use std::fs;

use serde_json::Value;

use crate::run::{Folder, tamis};

const NEWS: &str = "examples/harbour-news.html";

#[test]
fn the_example_gives_its_article_and_no_menu() {
    let output = tamis(&["extract", NEWS], b"");
    assert_eq!(output.code, 0);
    let text = output.out;
    assert!(text.contains("Ellery has its bridge back."), "{text}");
    assert!(!text.contains("Subscribe"), "{text}");
}

#[test]
fn every_format_says_the_same_words() {
    for format in ["text", "markdown", "html", "json", "xml", "tei"] {
        let output = tamis(&["extract", "--format", format, NEWS], b"");
        assert_eq!(output.code, 0, "{format}");
        assert!(output.out.contains("Ellery has its bridge back."), "{format}");
    }
}

#[test]
fn every_method_finds_text() {
    for method in ["lines", "template-svm", "correlation", "containers", "blocks", "density", "svm"] {
        let output = tamis(&["extract", "--method", method, NEWS], b"");
        assert_eq!(output.code, 0, "{method}");
    }
    assert_eq!(tamis(&["extract", "--fast", NEWS], b"").code, 0);
}

#[test]
fn nothing_to_extract_is_exit_1_and_a_missing_file_exit_2() {
    assert_eq!(tamis(&["extract", "-"], b"").code, 1);
    let output = tamis(&["extract", "no-such-page.html"], b"");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("no-such-page.html"));
}

#[test]
fn many_pages_give_a_json_line_each_in_order_and_errors_have_one_too() {
    let pages = ["examples/uyghur-forum.html", "no-such-page.html", NEWS, "examples/chinese-news.html"];
    let output = tamis(&[&["extract", "-j", "3", "--format", "json"][..], &pages].concat(), b"");
    assert_eq!(output.code, 2, "one page failed");
    let rows: Vec<Value> = output.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
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
    let folder = Folder::new();
    let list = folder.path("pages.jsonl");
    fs::write(&list, format!("{{\"id\": \"a\", \"path\": \"{NEWS}\", \"url\": \"https://example.com/a\"}}\n\n{{\"id\": 7, \"path\": \"{NEWS}\"}}\n"))
        .unwrap();
    let output = tamis(&["extract", "--list", &list, "--format", "json"], b"");
    let rows: Vec<Value> = output.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows[0]["id"].as_str(), rows[0]["url"].as_str()), (Some("a"), Some("https://example.com/a")));
    assert_eq!(rows[1]["id"], "7");
    fs::write(&list, "{\"id\": 1}\n").unwrap();
    let output = tamis(&["extract", "--list", &list], b"");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("pages.jsonl:1"));
}

#[test]
fn a_directory_gets_a_file_a_page() {
    let folder = Folder::new();
    let out = folder.path("out");
    let output = tamis(&["extract", "--format", "md", "-o", &out, NEWS, "examples/chinese-news.html"], b"");
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(
        fs::read_to_string(folder.root().join("out/harbour-news.md"))
            .unwrap()
            .contains("## Cheaper than planned")
    );
    assert!(folder.root().join("out/chinese-news.md").is_file());
}

#[test]
fn other_pages_of_the_site_take_its_lines_away() {
    let folder = Folder::new();
    let site = folder.root();
    let page = |word: &str| {
        format!(
            "<p>All rights are reserved, and so on.</p><p>The {word} is a word, and this page, too, is about it.</p>"
        )
    };
    for word in ["first", "second", "third"] {
        fs::write(site.join(format!("{word}.html")), page(word)).unwrap();
    }
    let alone = tamis(&["extract", "--method", "lines", "-"], page("fourth").as_bytes());
    assert!(alone.out.contains("rights"));
    let site = site.to_str().unwrap();
    let together =
        tamis(&["extract", "--method", "lines", "--site-pages", site, "-"], page("fourth").as_bytes());
    assert!(!together.out.contains("rights"));
    assert!(together.out.contains("fourth"));
}

#[test]
fn a_page_among_the_site_pages_does_not_count_for_itself() {
    let folder = Folder::new();
    let site = folder.root();
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
        assert!(output.out.contains("The first is a word"), "{}", output.out);
        assert!(!output.out.contains("rights"), "the others still count: {}", output.out);
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
    assert!(run.code == 0 && run.out.contains("Harbour 7"), "{}", run.err);
    let run = tamis(&["extract", "-"], b"<div id=app></div><script src=app.js></script>");
    assert!(run.code == 1 && run.err.contains("no text; if scripts write it"), "{}", run.err);
    assert!(!run.err.contains("--method"), "{}", run.err);
}

#[test]
fn explain_decides_as_extract_does_and_says_what_the_page_is() {
    let kept = |more: &[&str]| {
        let table = tamis(&[&["explain", "--method", "fused"], more, &["-"]].concat(), BLOG.as_bytes()).out;
        let last = table.lines().last().unwrap().to_owned();
        assert!(last.starts_with("fused: ") && last.contains("confidence 0."), "{table}");
        table.lines().filter(|line| line.get(5..6) == Some("+")).count()
    };
    assert!(kept(&["--precision"]) <= kept(&[]) && kept(&[]) <= kept(&["--recall"]));
}

#[test]
fn comments_come_when_asked_for_in_every_form() {
    for format in ["text", "markdown", "html", "json", "xml", "tei"] {
        let without = tamis(&["extract", "--format", format, "-"], BLOG.as_bytes()).out;
        let with = tamis(&["extract", "--format", format, "--with", "comments", "-"], BLOG.as_bytes()).out;
        assert!(without.contains("dry as far as the mill"), "{format}: {without}");
        assert!(with.contains("And the soup is good, as it was"), "{format}: {with}");
        match format {
            "json" => {
                let (without, with): (Value, Value) =
                    (serde_json::from_str(&without).unwrap(), serde_json::from_str(&with).unwrap());
                assert_eq!(with, without, "JSON always has them");
                assert_eq!(
                    with["comments"][0]["text"].as_str().unwrap().trim(),
                    "The inn is open again since Easter, and we went there on Sunday."
                );
                assert_eq!(with["text"], without["text"]);
            }
            _ => assert!(!without.contains("soup"), "{format}: {without}"),
        }
    }
    let table = tamis(&["explain", "-"], BLOG.as_bytes()).out;
    assert!(table.contains("(comment) And the soup is good, as it was"), "{table}");
}

#[test]
fn explain_shows_the_candidates_of_metadata() {
    let page = b"<title>Rain at last | Gazette</title><h1>Rain at last</h1><p>3 hours ago</p><p>It rained in the harbour on Monday, \
        for the first time since the spring, and the gardens were glad of it.";
    let table = tamis(&["explain", "--metadata", "--fetched", "2010-12-15T12:00Z", "-"], page).out;
    assert!(table.contains("Rain at last\n") && table.contains("2010-12-15T09:00Z"), "{table}");
    let json = tamis(&["explain", "--metadata", "--format", "json", "-"], page).out;
    let candidates: Value = serde_json::from_str(&json).unwrap();
    let titles = candidates.as_array().unwrap().iter().filter(|it| it["field"] == "title");
    assert_eq!(titles.filter(|it| it["chosen"] == true).count(), 1);
    let html = tamis(&["explain", "--metadata", "--format", "html", "-"], page);
    assert!(html.code == 2 && html.err.contains("--format table or json"));
    let wrong = tamis(&["explain", "--metadata", "--fetched", "soon", "-"], page);
    assert!(wrong.code == 2 && wrong.err.contains("2010-12-15"));
}

#[test]
fn explain_has_three_forms() {
    let table = tamis(&["explain", NEWS], b"").out;
    assert!(table.lines().next().unwrap().contains("words links text"));
    let json: Value =
        serde_json::from_str(&tamis(&["explain", "--format", "json", "--method", "blocks", NEWS], b"").out)
            .unwrap();
    assert!(json["blocks"][0]["methods"]["blocks"]["keep"].is_boolean());
    assert_eq!((&json["schema"], &json["view"]), (&1.into(), &Value::Null), "docs/schema/inspection-1.json");
    assert!(json["metadata"].as_array().unwrap().iter().any(|it| it["field"] == "title"));
    let html = tamis(&["explain", "--format", "html", NEWS], b"").out;
    assert!(
        html.starts_with("<!doctype html>")
            && html.contains("tamis-b")
            && html.trim_end().ends_with("</html>")
    );
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"), "it needs nothing else");
}

/// Without the feature, too: then it says how to get it.
#[test]
fn an_address_that_does_not_answer_is_an_error() {
    let output = tamis(&["extract", "http://127.0.0.1:9/"], b"");
    assert_eq!(output.code, 2);
    let error = output.err;
    assert!(error.contains("http://127.0.0.1:9/"), "{error}");
    assert_eq!(error.contains("`fetch`"), !cfg!(feature = "fetch"), "{error}");
}

#[test]
fn a_page_that_gives_nothing_is_named_with_what_to_try() {
    let output = tamis(&["extract", "-"], b"<script>all of it</script>");
    assert_eq!(output.code, 1);
    assert_eq!(
        output.err,
        "tamis: standard input: no text; if scripts write it, save the page from a browser\n"
    );
    let output = tamis(&["extract", "--method", "lines", "-"], b"<p>no punctuation</p>");
    assert_eq!(output.code, 1);
    let error = output.err;
    assert!(error.contains("the method lines kept nothing; try --recall or another --method"), "{error}");
    let folder = Folder::new();
    let page = folder.write("empty.html", "");
    let output = tamis(&["extract", &page, NEWS, &page], b"");
    assert_eq!(output.code, 0);
    let error = output.err;
    assert!(error.starts_with("tamis: 2 of 3 pages have no text; the first is "), "{error}");
    assert!(error.contains("empty.html") && error.lines().count() == 1, "{error}");
}

#[test]
fn what_is_no_page_is_an_error_and_not_rubbish() {
    for (bytes, wanted) in [
        (&b"%PDF-1.7\n%\xE2\xE3\xCF\xD3"[..], "looks like a PDF document, not a web page"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "looks like a PNG picture"),
        (b"\x1F\x8B\x08\0\0\0\0\0\0\xFF", "cannot decompress the page (gzip)"),
        (&[7; 500], "looks like binary data"),
    ] {
        for arguments in [&["extract", "-"][..], &["extract", "--fast", "-"], &["explain", "-"]] {
            let output = tamis(arguments, bytes);
            assert_eq!((output.code, output.out.as_str()), (2, ""), "{wanted}");
            let error = output.err;
            assert!(error.contains(wanted), "{error}");
        }
    }
    let output = tamis(&["extract", "--format", "json", "-"], b"%PDF-1.7");
    assert!(output.out.contains("\"error\":\"standard input: looks like a PDF document, not a web page\""));
}

#[test]
fn plain_text_and_utf_16_are_pages() {
    let words = "It rained in the harbour on Monday, for the first time since the spring, and long.";
    let output = tamis(&["extract", "-"], words.as_bytes());
    assert_eq!((output.code, output.out.trim_end()), (0, words));
    let utf_16: Vec<u8> = format!("\u{FEFF}<p>{words}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let output = tamis(&["extract", "-"], &utf_16);
    assert_eq!((output.code, output.out.trim_end()), (0, words));
}

#[test]
fn hidden_text_is_dropped_kept_or_listed() {
    let page = BLOG.replace("<h1>", "<p hidden>Only machines read this line, and nobody else does.</p><h1>");
    let extract = |more: &[&str]| {
        let line = tamis(&[&["extract", "--format", "json", "-"], more].concat(), page.as_bytes()).out;
        serde_json::from_str::<Value>(&line).unwrap()
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
    let output = tamis(&["extract", "--timeout", "0.000001", "-"], page.as_bytes());
    assert_eq!(output.code, 2);
    assert!(output.err.contains("raise --timeout"), "{}", output.err);
}

#[test]
fn fast_gives_plain_text_only() {
    let output = tamis(&["extract", "--fast", "--format", "json", NEWS], b"");
    assert_eq!(output.code, 2);
    assert!(output.err.contains("--fast gives plain text only"));
}
