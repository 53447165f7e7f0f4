//! `tamis corpus` from an import to an export.

use crate::run::Folder;

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
    folder.write("rows.jsonl", ROWS);
    let corpus = |line: &str| folder.tamis(&format!("corpus {line} --db news.db"));
    corpus("import rows.jsonl").succeeds().says("2 new stories");
    corpus("import rows.jsonl").says("2 unchanged");
    for (line, code, wanted) in [
        ("search tunnel", 0, "Harbour"),
        ("search 图书馆", 0, "北京大学发布新规"),
        ("search tunnel --since 2026-11-02", 1, ""),
        ("search tunnel --until 2026-11-01 --format jsonl", 0, "\"published\":\"2026-11-01\""),
        ("search '\"( AND *'", 1, ""),
        ("search x --since someday", 2, ""),
        ("show 1", 0, "The old bridge"),
        ("show https://example.org/beijing --format json", 0, "\"host\": \"example.org\""),
        ("show 1 --format md", 0, "published: \"2026-11-01\""),
        ("show 1 --diff", 1, ""),
        ("show 1 --diff=7", 2, ""),
        ("show 1 --raw", 1, ""),
        ("show 99", 1, ""),
        ("export --format jsonl", 0, "example.org/beijing"),
        ("export --format csv --host example.org", 0, "北京大学"),
        ("export --format jsonl --host nowhere.example", 1, ""),
        ("stats", 0, "example.org"),
        ("stats --format json", 0, "\"stories\": 2"),
        ("reextract", 0, ""),
    ] {
        corpus(line).ends(code).prints(wanted).does_not_print("\u{1b}");
    }
    corpus("export --format md -o texts/").succeeds();
    assert!(folder.read("texts/00000002.md").contains("url: \"https://example.org/beijing\""));
    corpus("export --format csv -o stories.csv").succeeds();
    assert!(folder.read("stories.csv").starts_with("id,"));
}

#[test]
fn errors_come_with_a_remedy() {
    let folder = Folder::new();
    folder.write("notes.txt", "no database, just notes ".repeat(100));
    for (db, remedy) in [
        ("absent.db", "run `tamis collect add URL`"),
        ("notes.txt", "is not a Tamis corpus; name another file"),
        ("mysql://localhost/news", "give --db a file"),
        ("postgres://127.0.0.1:1/news", "check the URL"),
    ] {
        folder.tamis(&format!("corpus stats --db {db}")).fails(remedy);
    }
}
