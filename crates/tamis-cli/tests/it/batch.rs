//! `tamis batch` as a user runs it: what it reads and writes, what it says, what it leaves out.

use std::fs;

use serde_json::{Value, json};

use crate::crawl::{page, pages, record};
use crate::run::Folder;

#[test]
fn all_kinds_of_input_give_the_same_rows() {
    let folder = Folder::new();
    let pages = pages(12);
    folder.warc("a.warc", &pages);
    folder.warc("b.warc.gz", &pages);
    folder.jsonl("c.jsonl", &pages);
    folder.jsonl("d.jsonl.gz", &pages);
    let outs = ["a.warc", "b.warc.gz", "c.jsonl", "d.jsonl.gz"].map(|name| {
        let run = folder
            .batch(&format!("{name} -o {name}.rows --fields url,host,method,text,markdown,blocks"))
            .succeeds();
        run.says("12 pages").says("12 with text, 0 without, 0 failed");
        assert!(!folder.exists(&format!("{name}.rows.tamis")), "nothing is left behind");
        folder.read(&format!("{name}.rows"))
    });
    assert!(outs.iter().all(|out| *out == outs[0]));
    let rows = folder.rows("a.warc.rows");
    assert_eq!((rows.len(), &rows[3]["url"]), (12, &"https://www.gazette.example/3".into()));
    assert_eq!((&rows[3]["host"], &rows[3]["method"]), (&"www.gazette.example".into(), &"fused".into()));
    for field in ["text", "markdown"] {
        assert!(rows[3][field].as_str().unwrap().contains("Story number 3"), "{field}");
    }
    assert!(rows[3]["blocks"].as_array().unwrap().iter().any(|block| block["kept"] == true));
}

#[test]
fn archives_say_when_and_with_which_status() {
    let folder = Folder::new();
    folder.warc("a.warc.gz", &pages(1));
    let run = folder.batch("a.warc.gz -o -").says("1 archive record skipped: not a response");
    let row = run.json();
    assert_eq!((&row["status"], &row["fetched"]), (&200.into(), &"2026-01-02T03:04:05Z".into()));
    assert_eq!(row["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    folder.warc("a.warc.gz", &pages(80));
    let out = |flags: &str| folder.batch(&format!("a.warc.gz -o - {flags}")).succeeds().out;
    let one = out("-j 1");
    assert!(one == out("-j 2") && one == out("-j 7"));
    let unordered = out("-j 7 --unordered");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&unordered), sorted(&one));
}

#[test]
fn directories_become_trees() {
    let folder = Folder::new();
    folder.write("in/a.html", page(1).1);
    folder.write("in/deep/b.htm", page(2).1);
    folder.write("in/deep/c.html", b"%PDF-1.7");
    folder.write("in/notes.txt", "not read");
    let run = folder.batch("in -o texts --format md").succeeds();
    run.says("3 pages").says("1 failed").says("1 file skipped: not a page by name");
    assert!(folder.read("texts/deep/b.htm.md").contains("Story number 2"));
    let index = folder.rows("texts/index.jsonl");
    assert_eq!((index.len(), &index[1]["file"]), (3, &"deep/b.htm.md".into()));
    assert!(index[2]["file"].is_null() && index[2]["error"].as_str().unwrap().contains("PDF"));
    // Archives have no names; hosts and addresses are there instead.
    folder.warc("x.warc", &pages(3));
    folder.batch("x.warc -o hosts/").succeeds();
    assert_eq!(folder.everything("hosts/www.gazette.example").len(), 3);
}

#[test]
fn a_list_on_standard_input_names_files_and_directories() {
    let folder = Folder::new();
    folder.warc("a.warc", &pages(2));
    folder.write("p.html", page(9).1);
    folder.write("in/deep/a.html", page(1).1);
    let list = "a.warc\n\n{\"path\":\"p.html\",\"url\":\"http://e.com/9\"}\nno/such/file.html\nin\n";
    let rows = folder.tamis_with("batch - -o - --fields url,error", list).succeeds().rows();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[2], json!({"url": "http://e.com/9", "error": null}));
    assert!(rows[3]["error"].as_str().unwrap().contains("check the path"), "{}", rows[3]);
    assert!(rows[4]["error"].is_null(), "{}", rows[4]);
}

#[test]
fn patterns_are_expanded_and_what_is_not_there_is_an_error_at_once() {
    let folder = Folder::new();
    folder.jsonl("a1.jsonl", &pages(1));
    folder.jsonl("a2.jsonl", &pages(1));
    let run = folder.batch("a?.jsonl -o - --quiet").succeeds();
    assert_eq!((run.rows().len(), run.err.as_str()), (2, ""));
    folder.batch("b*.jsonl -o -").fails("no file matches");
    folder.batch("b.jsonl -o -").fails("no such file");
}

#[test]
fn filters_count_what_they_remove() {
    let folder = Folder::new();
    let mut some = pages(6);
    let nearly = some[2].1.replace("the last of them", "the latest of them");
    let german = "<html lang=de><h1>Die Fähre</h1><p>Die Fähre fährt wieder, sagt die Gesellschaft: zweimal am Tag, wenn das Eis es \
         zulässt, und im Mai dreimal. Die Leute am Hafen haben lange darauf gewartet, und nicht alle sind zufrieden.</p>\
         <p>Wer ein Fahrrad mitnehmen will, zahlt nichts mehr dafür; das war im letzten Jahr noch anders.</p>";
    let short = "<html lang=en><p>A short, but sound sentence about the rain in the harbour.";
    for (name, html) in
        [("again", &*some[1].1.clone()), ("nearly", &nearly), ("de", german), ("short", short)]
    {
        some.push((format!("http://e.com/{name}"), html.to_owned()));
    }
    folder.jsonl("a.jsonl", &some);
    folder.write("b.jsonl", "no json\n{\"text\":\"x\"}\n{\"html\":\"<p>x\",\"url\":1}\n");
    let filters = "--language en,und --min-length 100 --no-duplicates --no-near-duplicates=0.7";
    let run = folder.batch(&format!("a.jsonl b.jsonl -o out.jsonl {filters}")).succeeds().says("13 pages");
    run.says("removed (language: 1, too short: 2, duplicate: 1, near duplicate: 1)");
    let rows = folder.rows("out.jsonl");
    assert_eq!(rows.len(), 8);
    let errors: Vec<&str> = rows.iter().filter_map(|row| row["error"].as_str()).collect();
    assert!(errors[0].contains("b.jsonl, offset 0: not valid JSON"), "{errors:?}");
    let missing = "offset 8: the field \"html\" is missing; the fields are: text";
    assert!(errors[1].contains(missing), "{errors:?}");
    folder.batch("a.jsonl -o - --min-length 100000").ends(1).says("10 removed");
}

#[test]
fn sites_are_learned_first_and_used_then() {
    let folder = Folder::new();
    folder.warc("a.warc.gz", &pages(12));
    let texts = |more: &str| {
        folder.batch(&format!("a.warc.gz -o - --quiet --method lines --fields text {more}")).succeeds()
    };
    let notice = "Letters to the editor are welcome";
    texts("").prints(notice);
    texts("--learn").does_not_print(notice);
    // What is learned stays where a memory is given, and is used by the next run.
    folder.batch("a.warc.gz -o with.jsonl --method lines --learn --sites sites.redb").succeeds();
    texts("--sites sites.redb").does_not_print(notice);
    folder.batch("- -o - --learn").fails("cannot be read twice");
}

#[test]
fn a_repeated_run_has_nothing_left_to_do() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2));
    folder.batch("a.jsonl -o out.jsonl").succeeds();
    let again = folder.batch("a.jsonl -o out.jsonl").succeeds();
    again.says("nothing left to do").says("is complete (2 pages)");
    // Another run is another run, whether its settings or its inputs are others.
    folder.batch("a.jsonl -o out.jsonl --method lines").fails("--force");
    folder.jsonl("a.jsonl", &pages(3));
    folder.batch("a.jsonl -o out.jsonl").fails("--force");
    folder.batch("a.jsonl -o out.jsonl --force").succeeds();
    assert_eq!(folder.rows("out.jsonl").len(), 3);
    // A list may name other files the next time.
    for code in [0, 2] {
        folder.tamis_with("batch - -o listed.jsonl", "a.jsonl\n").ends(code);
    }
    // Nor is what somebody else has put there replaced unasked.
    folder.write("mine.jsonl", "mine");
    folder.batch("a.jsonl -o mine.jsonl").fails("--force");
    assert_eq!(folder.read("mine.jsonl"), "mine");
}

#[test]
fn a_replaced_tree_keeps_no_texts_of_the_earlier_one() {
    let folder = Folder::new();
    folder.write("in/a.html", page(1).1);
    folder.write("in/deep/b.html", page(2).1);
    folder.batch("in -o texts/").succeeds();
    assert!(folder.exists("texts/deep/b.txt"));
    folder.write("texts/mine.txt", "mine");
    fs::remove_file(folder.path("in/deep/b.html")).unwrap();
    folder.write("in/c.html", page(3).1);
    folder.batch("in -o texts/ --force").succeeds();
    let names: Vec<String> = folder.everything("texts").into_keys().collect();
    assert_eq!(names, ["a.txt", "c.txt", "index.jsonl", "mine.txt"]);
    assert!(!folder.exists("texts/deep"));
    assert_eq!(folder.rows("texts/index.jsonl").len(), 2);
}

#[test]
fn a_file_in_place_of_a_directory_is_refused_at_once() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(1));
    folder.write("texts/a.txt", "mine");
    folder.write("rows", "mine");
    for (out, form) in [("texts", "jsonl"), ("rows", "md")] {
        folder.batch(&format!("a.jsonl -o {out} --format {form} --force")).fails("name another output");
        assert!(!folder.exists(&format!("{out}.tamis")), "it was begun");
    }
    assert_eq!(folder.read("rows"), "mine");
}

#[test]
fn a_missing_input_is_a_failed_page() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2));
    let run = folder.batch("b.jsonl a.jsonl -o - --fields error").succeeds();
    assert_eq!(run.rows().len(), 3);
    run.says("b.jsonl: cannot be read: no such file").says("3 pages").says("1 failed");
}

#[test]
fn an_output_among_its_inputs_is_not_read() {
    let folder = Folder::new();
    folder.jsonl("in/a.jsonl", &pages(2));
    for _ in 0..2 {
        folder.batch("in -o in/rows.jsonl --force").succeeds().says("2 pages").does_not_say("skipped");
    }
    folder.batch("in -o in/rows.jsonl").says("nothing left to do");
    folder.batch("in/*.jsonl -o in/rows.jsonl --force").succeeds().says("2 pages");
    folder.batch("in/rows.jsonl -o in/rows.jsonl --force").fails("this is also the output");
}

#[test]
fn options_without_effect_are_reported() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2));
    for (flags, said) in [
        ("--learn --method density", "fused, lines, template-svm"),
        ("--min-confidence 0.5 --method lines", "requires --method fused"),
        ("--sites sites.redb --method density", "--sites: the method density does not use site memory"),
        ("--max-bytes 0", "--max-bytes"),
        ("-j 0", "at least 1"),
        ("--row-group 0", "at least 1"),
    ] {
        folder.batch(&format!("a.jsonl -o - {flags}")).fails(said);
    }
    folder.batch("a.jsonl -o - --row-group 5").succeeds().says("--row-group has no effect");
}

#[test]
fn damage_is_named_and_takes_nothing_else_with_it() {
    let folder = Folder::new();
    let pages = pages(3);
    // A length that is a lie, in the middle.
    let first = record("http://e.com/0", &pages[0].1, None);
    let lie = record("http://e.com/lie", &pages[1].1, Some(999_999));
    let last = record("http://e.com/2", &pages[2].1, None);
    folder.write("a.warc", [&first[..], &lie, &last].concat());
    // A packed archive that was cut off.
    folder.warc("b.warc.gz", &pages);
    let packed = folder.bytes("b.warc.gz");
    folder.write("b.warc.gz", &packed[..packed.len() - 20]);
    let place = format!("a.warc, offset {}: the record does not end after its Content-Length", first.len());
    let run = folder.batch("a.warc b.warc.gz -o out.jsonl").succeeds().says(&place);
    run.says("b.warc.gz, offset ")
        .says("(truncated?)")
        .says("6 pages")
        .says("2 failed (2 could not be read)");
    let rows = folder.rows("out.jsonl");
    let failed: Vec<bool> = rows.iter().map(|row| !row["error"].is_null()).collect();
    assert_eq!(failed, [false, true, false, false, false, true]);
    assert_eq!(rows[1]["url"], "http://e.com/lie");
    // Where nothing at all can be read, that is an error.
    folder.batch("b.warc.gz -o - --max-bytes 10").ends(2);
}

#[test]
fn what_is_no_page_and_what_takes_too_long_are_rows() {
    let folder = Folder::new();
    let long = ("http://e.com/long".to_owned(), "<b><i><p>".repeat(100_000));
    folder.warc("a.warc", &[long, page(1), ("http://e.com/pdf".to_owned(), "%PDF-1.4".to_owned())]);
    let rows = folder.batch("a.warc -o - --timeout 0.000001").rows();
    let error = |row: &Value| row["error"].as_str().unwrap_or_default().to_owned();
    assert!(error(&rows[0]).contains("exceeded the time limit"), "{}", rows[0]);
    assert!(error(&rows[2]).contains("PDF"), "{}", rows[2]);
    let rows = folder.batch("a.warc -o - --max-bytes 100000").succeeds().rows();
    assert!(error(&rows[0]).contains("exceeds the limit of 100000 bytes"), "{}", rows[0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_300_megabytes_does_not_take_300_megabytes() {
    use std::io::Write;

    let folder = Folder::new();
    let first = json!({"url": "http://e.com/1", "html": page(1).1}).to_string();
    let file = fs::File::create(folder.path("a.jsonl.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    let piece = "x".repeat(1 << 20);
    write!(packed, "{first}\n{{\"html\":\"").unwrap();
    (0..300).for_each(|_| packed.write_all(piece.as_bytes()).unwrap());
    writeln!(packed, "\"}}\n{first}").unwrap();
    packed.finish().unwrap();
    // Whoever takes more than this is ended by the system.
    let run = folder.limited("-v 600000", "batch a.jsonl.gz -o - -j 2").succeeds();
    assert_eq!(run.rows().len(), 3);
    run.says(&format!("a.jsonl.gz, offset {}: the line has 3145", first.len() + 1));
}

/// Rows are no pages: as an input, such a file has every wrong type there is.
#[cfg(feature = "parquet")]
#[test]
fn a_table_of_wrong_types_is_named_and_all_else_is_read() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(3));
    folder.batch("a.jsonl -o rows.parquet").succeeds();
    let lines =
        pages(2).into_iter().map(|(url, html)| json!({"url": url, "status": html}).to_string() + "\n");
    folder.write("b.jsonl", lines.collect::<String>());
    let run = folder.batch("b.jsonl rows.parquet b.jsonl -o - --html-field status").succeeds();
    assert_eq!(run.rows().len(), 5);
    let said = "rows.parquet: cannot be read: the column \"status\" is Int32, but binary or string is needed";
    run.says(said).says("--html-field");
    // By itself there is nothing that could be done.
    for (field, said) in [("status", said), ("html", "no column \"html\"; the columns are schema, id,")] {
        folder.batch(&format!("rows.parquet -o - --html-field {field}")).fails(said);
    }
    // What was cut off has lost its table of contents.
    let whole = folder.bytes("rows.parquet");
    folder.write("rows.parquet", &whole[..whole.len() / 2]);
    folder.batch("rows.parquet -o -").fails("not a valid Parquet file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_not_replaced_by_a_file_and_one_that_is_full_is_an_error() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2));
    folder.batch("a.jsonl -o /dev/null --force").fails("neither a file nor a directory");
    let mut full = folder.command("batch a.jsonl -o -");
    full.stdout(fs::File::create("/dev/full").unwrap()).stderr(std::process::Stdio::piped());
    let done = full.spawn().unwrap().wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write standard output: free some space"), "{said}");
    assert!(said.contains("start over") && !said.contains("the same command"), "{said}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_the_remedy_is_named() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(1));
    folder.batch("a.jsonl -o out.parquet").fails("--features parquet");
    assert!(!folder.exists("out.parquet.tamis"), "nothing is left behind");
    folder.tamis("batch --help").prints("was built without Parquet");
}
