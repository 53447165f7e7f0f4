//! `tamis corpus` from an import to an export.

use std::fs;

use crate::run::{Folder, tamis};

/// Rows as `tamis batch` writes them; the first title has an escape code.
const ROWS: &str = concat!(
    r#"{"url":"https://example.com/bridge","title":"Harbour \u001b[31mbridge closed","published":"2026-11-01","language":"en","page_type":"article","text":"The old bridge was closed on Monday. Traffic goes through the tunnel.\n"}"#,
    "\n",
    r#"{"url":"https://example.org/beijing","title":"北京大学发布新规","published":"2026-11-03","language":"zh","page_type":"article","text":"昨天北京大学发布了关于图书馆开放时间的规定。\n"}"#,
    "\n"
);

#[test]
fn stories_are_imported_searched_shown_and_exported() {
    let folder = Folder::new();
    let db = folder.path("news.db");
    let rows = folder.path("rows.jsonl");
    fs::write(&rows, ROWS).unwrap();
    let corpus = |arguments: &[&str]| {
        let mut all = vec!["corpus"];
        all.extend(arguments);
        all.extend(["--db", &db]);
        tamis(&all, "")
    };
    let run = corpus(&["import", &rows]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("2 new stories"), "{run:?}");
    assert!(corpus(&["import", &rows]).err.contains("2 unchanged"));

    for (arguments, code, wanted) in [
        (&["search", "tunnel"][..], 0, "Harbour"),
        (&["search", "图书馆"], 0, "北京大学发布新规"),
        (&["search", "tunnel", "--since", "2026-11-02"], 1, ""),
        (
            &["search", "tunnel", "--until", "2026-11-01", "--format", "jsonl"],
            0,
            "\"published\":\"2026-11-01\"",
        ),
        (&["search", "\"( AND *"], 1, ""),
        (&["search", "x", "--since", "someday"], 2, ""),
        (&["show", "1"], 0, "The old bridge"),
        (&["show", "https://example.org/beijing", "--format", "json"], 0, "\"host\": \"example.org\""),
        (&["show", "1", "--format", "md"], 0, "published: \"2026-11-01\""),
        (&["show", "1", "--diff"], 1, ""),
        (&["show", "1", "--diff=7"], 2, ""),
        (&["show", "1", "--raw"], 1, ""),
        (&["show", "99"], 1, ""),
        (&["export", "--format", "jsonl"], 0, "example.org/beijing"),
        (&["export", "--format", "csv", "--host", "example.org"], 0, "北京大学"),
        (&["export", "--format", "jsonl", "--host", "nowhere.example"], 1, ""),
        (&["stats"], 0, "example.org"),
        (&["stats", "--format", "json"], 0, "\"stories\": 2"),
        (&["reextract"], 0, ""),
    ] {
        let run = corpus(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {run:?}");
        assert!(run.out.contains(wanted), "{arguments:?}: {run:?}");
        assert!(!run.out.contains('\u{1b}'), "{arguments:?}: {run:?}");
    }

    let texts = folder.path("texts/");
    assert_eq!(corpus(&["export", "--format", "md", "-o", &texts]).code, 0);
    assert!(
        fs::read_to_string(format!("{texts}00000002.md"))
            .unwrap()
            .contains("url: \"https://example.org/beijing\"")
    );
    let file = folder.path("stories.csv");
    assert_eq!(corpus(&["export", "--format", "csv", "-o", &file]).code, 0);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().next().unwrap().split(',').next(), Some("id"));
}

#[test]
fn errors_come_with_a_remedy() {
    let folder = Folder::new();
    let text = folder.path("notes.txt");
    fs::write(&text, "no database, just notes ".repeat(100)).unwrap();
    for (db, wanted) in [
        (folder.path("absent.db"), "run `tamis collect add URL`"),
        (text, "is not a Tamis corpus; name another file"),
        ("mysql://localhost/news".to_owned(), "give --db a file"),
        ("postgres://127.0.0.1:1/news".to_owned(), "check the URL"),
    ] {
        let run = tamis(&["corpus", "stats", "--db", &db], "");
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(wanted), "{run:?}");
    }
}
