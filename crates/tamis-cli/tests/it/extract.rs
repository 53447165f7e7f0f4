//! `tamis extract` and `tamis explain` as a user runs them.

use serde_json::{Value, json};

use crate::run::{Folder, tamis};

const NEWS: &str = "examples/harbour-news.html";
const FORMATS: [&str; 6] = ["text", "markdown", "html", "json", "xml", "tei"];

#[test]
fn the_example_gives_its_article_in_every_format_and_by_every_method() {
    tamis(&format!("extract {NEWS}"), "").succeeds().does_not_print("Subscribe");
    for format in FORMATS {
        let run = tamis(&format!("extract --format {format} {NEWS}"), "");
        run.succeeds().prints("Ellery has its bridge back.");
    }
    for method in ["lines", "template-svm", "correlation", "containers", "blocks", "density", "svm"] {
        tamis(&format!("extract --method {method} {NEWS}"), "").succeeds();
    }
    tamis(&format!("extract --fast {NEWS}"), "").succeeds();
}

#[test]
fn nothing_to_extract_is_exit_1_and_a_missing_file_exit_2() {
    tamis("extract -", "").ends(1);
    tamis("extract no-such-page.html", "").fails("no-such-page.html");
    tamis(&format!("extract --fast --format json {NEWS}"), "").fails("--fast gives plain text only");
}

#[test]
fn many_pages_give_a_json_line_each_in_order_and_errors_have_one_too() {
    let pages = ["examples/uyghur-forum.html", "no-such-page.html", NEWS, "examples/chinese-news.html"];
    let run = tamis(&format!("extract -j 3 --format json {}", pages.join(" ")), "").ends(2);
    let rows = run.rows();
    assert!(rows.iter().map(|row| &row["path"]).eq(&pages));
    assert!(rows[1]["error"].as_str().unwrap().contains("cannot read"));
    let fields =
        "url title published authors source language encoding page_type confidence text content method";
    for field in fields.split(' ') {
        assert!(rows[2].get(field).is_some(), "{field}");
    }
    assert_eq!((&rows[2]["schema"], &rows[2]["encoding"]), (&2.into(), &"UTF-8".into()));
    assert!(rows[2]["content"][0].get("span").is_some(), "{}", rows[2]["content"][0]);
    assert_eq!(rows[2]["title"], "Harbour lift bridge reopens to trams after fourteen months");
}

#[test]
fn a_list_brings_ids_and_addresses() {
    let folder = Folder::new();
    folder.write("a.html", "<p>It rained in the harbour on Monday, all day long.");
    folder.write(
        "pages.jsonl",
        "{\"id\": \"a\", \"path\": \"a.html\", \"url\": \"https://example.com/a\"}\n\n{\"id\": 7, \"path\": \"a.html\"}\n",
    );
    let rows = folder.tamis("extract --list pages.jsonl --format json").rows();
    assert_eq!((&rows[0]["id"], &rows[0]["url"]), (&"a".into(), &"https://example.com/a".into()));
    assert_eq!(rows[1]["id"], "7");
    folder.write("pages.jsonl", "{\"id\": 1}\n");
    folder.tamis("extract --list pages.jsonl").fails("pages.jsonl:1");
}

#[test]
fn a_directory_gets_a_file_a_page() {
    let out = Folder::new();
    let run =
        tamis(&format!("extract --format md -o {} {NEWS} examples/chinese-news.html", out.path("out")), "");
    run.succeeds();
    assert!(out.read("out/harbour-news.md").contains("## Cheaper than planned"));
    assert!(out.exists("out/chinese-news.md"));
}

#[test]
fn other_pages_of_the_site_take_its_lines_away_but_a_page_does_not_count_for_itself() {
    let folder = Folder::new();
    let page = |word: &str| {
        format!(
            "<p>All rights are reserved, and so on.</p><p>The {word} is a word, and this page, too, is about it.</p>"
        )
    };
    for (name, word) in [("first", "first"), ("second", "second"), ("copy", "first"), ("third", "third")] {
        folder.write(&format!("site/{name}.html"), page(word));
    }
    let together = "extract --method lines --site-pages site";
    folder.tamis_with("extract --method lines -", page("fourth")).prints("rights");
    folder.tamis_with(&format!("{together} -"), page("fourth")).does_not_print("rights").prints("fourth");
    let by_place = folder.tamis(&format!("{together} site/first.html"));
    let by_content = folder.tamis_with(&format!("{together} -"), page("first"));
    for run in [by_place, by_content] {
        run.prints("The first is a word").does_not_print("rights");
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
    tamis("extract -", format!("<title>Harbours</title><ul>{links}</ul>")).succeeds().prints("Harbour 7");
}

#[test]
fn explain_decides_as_extract_does_and_says_what_the_page_is() {
    let kept = |bias: &str| {
        let table = tamis(&format!("explain --method fused {bias} -"), BLOG).out;
        let last = table.lines().last().unwrap();
        assert!(last.starts_with("fused: ") && last.contains("confidence 0."), "{table}");
        table.lines().filter(|line| line.get(5..6) == Some("+")).count()
    };
    assert!(kept("--precision") <= kept("") && kept("") <= kept("--recall"));
}

#[test]
fn comments_come_when_asked_for_in_every_form() {
    for format in FORMATS {
        let without = tamis(&format!("extract --format {format} -"), BLOG).prints("dry as far as the mill");
        let with = tamis(&format!("extract --format {format} --with comments -"), BLOG)
            .prints("And the soup is good, as it was");
        if format == "json" {
            assert_eq!(with.json(), without.json(), "JSON always has them");
            let first = with.json()["comments"][0]["text"].as_str().unwrap().trim().to_owned();
            assert_eq!(first, "The inn is open again since Easter, and we went there on Sunday.");
        } else {
            without.does_not_print("soup");
        }
    }
    tamis("explain -", BLOG).prints("(comment) And the soup is good, as it was");
}

#[test]
fn explain_shows_the_candidates_of_metadata() {
    let page = "<title>Rain at last | Gazette</title><h1>Rain at last</h1><p>3 hours ago</p><p>It rained in the harbour on Monday, \
        for the first time since the spring, and the gardens were glad of it.";
    let table = tamis("explain --metadata --fetched 2010-12-15T12:00Z -", page);
    table.prints("Rain at last\n").prints("2010-12-15T09:00Z");
    let candidates = tamis("explain --metadata --format json -", page).json();
    let titles = candidates.as_array().unwrap().iter().filter(|it| it["field"] == "title");
    assert_eq!(titles.filter(|it| it["chosen"] == true).count(), 1);
    tamis("explain --metadata --format html -", page).fails("--format table or json");
    tamis("explain --metadata --fetched soon -", page).fails("2010-12-15");
}

#[test]
fn explain_has_three_forms() {
    let table = tamis(&format!("explain {NEWS}"), "").out;
    assert!(table.lines().next().unwrap().contains("words links text"));
    let json = tamis(&format!("explain --format json --method blocks {NEWS}"), "").json();
    assert!(json["blocks"][0]["methods"]["blocks"]["keep"].is_boolean());
    assert_eq!((&json["schema"], &json["view"]), (&1.into(), &Value::Null), "docs/schema/inspection-1.json");
    assert!(json["metadata"].as_array().unwrap().iter().any(|it| it["field"] == "title"));
    let html = tamis(&format!("explain --format html {NEWS}"), "").prints("tamis-b");
    assert!(html.out.starts_with("<!doctype html>") && html.out.trim_end().ends_with("</html>"));
    // It needs nothing else.
    html.does_not_print("src=\"http").does_not_print("href=\"http");
}

/// Without the feature, too: then it says how to get it.
#[test]
fn an_address_that_does_not_answer_is_an_error() {
    let run = tamis("extract http://127.0.0.1:9/", "").fails("http://127.0.0.1:9/");
    assert_eq!(run.err.contains("`fetch`"), !cfg!(feature = "fetch"), "{run:?}");
}

#[test]
fn a_page_that_gives_nothing_is_named_with_what_to_try() {
    for page in ["<script>all of it</script>", "<div id=app></div><script src=app.js></script>"] {
        let remedy = "tamis: standard input: no text; if scripts write it, save the page from a browser\n";
        assert_eq!(tamis("extract -", page).ends(1).err, remedy);
    }
    let remedy = "the method lines kept nothing; try --recall or another --method";
    tamis("extract --method lines -", "<p>no punctuation</p>").ends(1).says(remedy);
    let folder = Folder::new();
    folder.write("empty.html", "");
    let empty = folder.path("empty.html");
    let run = tamis(&format!("extract {empty} {NEWS} {empty}"), "").succeeds().says("empty.html");
    assert!(run.err.starts_with("tamis: 2 of 3 pages have no text; the first is "), "{run:?}");
    assert_eq!(run.err.lines().count(), 1, "{run:?}");
}

#[test]
fn what_is_no_page_is_an_error_and_not_rubbish() {
    for (bytes, wanted) in [
        (&b"%PDF-1.7\n%\xE2\xE3\xCF\xD3"[..], "looks like a PDF document, not a web page"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "looks like a PNG picture"),
        (b"\x1F\x8B\x08\0\0\0\0\0\0\xFF", "cannot decompress the page (gzip)"),
        (&[7; 500], "looks like binary data"),
    ] {
        for line in ["extract -", "extract --fast -", "explain -"] {
            assert_eq!(tamis(line, bytes).fails(wanted).out, "");
        }
    }
    let error = "\"error\":\"standard input: looks like a PDF document, not a web page\"";
    tamis("extract --format json -", "%PDF-1.7").prints(error);
}

#[test]
fn plain_text_and_utf_16_are_pages() {
    let words = "It rained in the harbour on Monday, for the first time since the spring, and long.";
    let utf_16 = format!("\u{FEFF}<p>{words}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for page in [words.as_bytes().to_vec(), utf_16] {
        assert_eq!(tamis("extract -", page).succeeds().out.trim_end(), words);
    }
}

#[test]
fn hidden_text_is_dropped_kept_or_listed() {
    let page = BLOG.replace("<h1>", "<p hidden>Only machines read this line, and nobody else does.</p><h1>");
    let extract = |hidden: &str| tamis(&format!("extract --format json - {hidden}"), &page).json();
    let (dropped, flagged) = (extract(""), extract("--hidden flag"));
    assert_eq!(dropped["hidden"], json!([]));
    assert!(flagged["hidden"][0]["text"].as_str().unwrap().starts_with("Only machines"), "{flagged}");
    assert_eq!(flagged["text"], dropped["text"]);
    assert_eq!(extract("--hidden keep")["hidden"], json!([]));
}

#[test]
fn a_page_has_a_time_limit() {
    tamis("extract --timeout 0.000001 -", "<b><i><p>".repeat(50_000)).fails("raise --timeout");
}
