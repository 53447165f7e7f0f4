//! `tamis batch` as a user runs it: what it reads and writes, what it says, what it leaves out.

use std::fs;

use crate::crawl::{Crawl, page, pages, record, rows};
use crate::run::{Run, batch, command, finish, tamis};
use serde_json::Value;

#[test]
fn all_kinds_of_input_give_the_same_rows() {
    let corpus = Crawl::new();
    let pages = pages(12);
    corpus.warc("a.warc", &pages);
    corpus.warc("b.warc.gz", &pages);
    corpus.jsonl("c.jsonl", &pages);
    corpus.jsonl("d.jsonl.gz", &pages);
    let mut first: Option<Vec<Value>> = None;
    for name in ["a.warc", "b.warc.gz", "c.jsonl", "d.jsonl.gz"] {
        let out = corpus.path(&format!("{name}.rows"));
        let run =
            batch(&[&corpus.path(name), "-o", &out, "--fields", "url,host,method,text,markdown,blocks"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(
            run.err.contains("12 pages") && run.err.contains("12 with text, 0 without, 0 failed"),
            "{}",
            run.err
        );
        let rows: Vec<Value> = rows(&out).into_iter().map(without_answer).collect();
        assert_eq!(rows.len(), 12);
        assert_eq!(first.get_or_insert_with(|| rows.clone()), &rows, "{name}");
        assert_eq!(
            fs::read_dir(corpus.folder()).unwrap().filter(|it| it.as_ref().unwrap().path().is_dir()).count(),
            0
        );
    }
    let row = &first.unwrap()[3];
    assert_eq!(row["url"], "https://www.gazette.example/3");
    assert_eq!((&row["host"], &row["method"]), (&"www.gazette.example".into(), &"fused".into()));
    assert!(row["text"].as_str().unwrap().contains("Story number 3"));
    assert!(row["markdown"].as_str().unwrap().contains("Story number 3"));
    assert!(row["blocks"].as_array().unwrap().iter().any(|block| block["kept"] == true));
}

/// Only archives know what the server said, and when.
fn without_answer(mut row: Value) -> Value {
    row["status"] = Value::Null;
    row["fetched"] = Value::Null;
    row
}

#[test]
fn archives_say_when_and_with_which_status() {
    let corpus = Crawl::new();
    corpus.warc("a.warc.gz", &pages(1));
    let run = batch(&[&corpus.path("a.warc.gz"), "-o", "-"]);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&row["status"], &row["fetched"]), (&200.into(), &"2026-01-02T03:04:05Z".into()));
    assert_eq!(row["version"], env!("CARGO_PKG_VERSION"));
    assert!(run.err.contains("1 archive record skipped: not a response"), "{}", run.err);
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let corpus = Crawl::new();
    corpus.warc("a.warc.gz", &pages(80));
    let input = corpus.path("a.warc.gz");
    let outs: Vec<Vec<u8>> = ["1", "2", "7"]
        .iter()
        .map(|jobs| {
            let out = corpus.path(&format!("{jobs}.jsonl"));
            assert_eq!(batch(&[&input, "-o", &out, "-j", jobs]).code, 0);
            fs::read(out).unwrap()
        })
        .collect();
    assert!(outs.iter().all(|out| *out == outs[0]));
    let out = corpus.path("unordered.jsonl");
    assert_eq!(batch(&[&input, "-o", &out, "-j", "7", "--unordered"]).code, 0);
    let sorted = |text: &[u8]| {
        let mut lines: Vec<String> = String::from_utf8_lossy(text).lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&fs::read(out).unwrap()), sorted(&outs[0]));
}

#[test]
fn directories_become_trees() {
    let corpus = Crawl::new();
    fs::create_dir_all(corpus.folder().join("in/deep")).unwrap();
    fs::write(corpus.folder().join("in/a.html"), page(1).1).unwrap();
    fs::write(corpus.folder().join("in/deep/b.htm"), page(2).1).unwrap();
    fs::write(corpus.folder().join("in/deep/c.html"), b"%PDF-1.7").unwrap();
    fs::write(corpus.folder().join("in/notes.txt"), "not read").unwrap();
    let out = corpus.path("texts");
    let run = batch(&[&corpus.path("in"), "-o", &out, "--format", "md"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("3 pages") && run.err.contains("1 failed"), "{}", run.err);
    assert!(run.err.contains("1 file skipped: not a page by name"), "{}", run.err);
    let text = fs::read_to_string(corpus.folder().join("texts/deep/b.htm.md")).unwrap();
    assert!(text.contains("Story number 2"));
    let index = rows(&corpus.path("texts/index.jsonl"));
    assert_eq!(index.len(), 3);
    assert_eq!(index[1]["file"], "deep/b.htm.md");
    assert!(index[2]["file"].is_null() && index[2]["error"].as_str().unwrap().contains("PDF"));
    // Archives have no names; hosts and addresses are there instead.
    corpus.warc("x.warc", &pages(3));
    let out = corpus.path("hosts/");
    assert_eq!(batch(&[&corpus.path("x.warc"), "-o", &out]).code, 0);
    assert_eq!(fs::read_dir(corpus.folder().join("hosts/www.gazette.example")).unwrap().count(), 3);
}

#[test]
fn a_list_on_standard_input_names_files() {
    let corpus = Crawl::new();
    corpus.warc("a.warc", &pages(2));
    fs::write(corpus.folder().join("p.html"), page(9).1).unwrap();
    let list = format!(
        "{}\n\n{{\"path\":{:?},\"url\":\"http://e.com/9\"}}\nno/such/file.html\n",
        corpus.path("a.warc"),
        corpus.path("p.html")
    );
    let run = tamis(&["batch", "-", "-o", "-", "--fields", "url,error"], list);
    assert_eq!(run.code, 0, "{}", run.err);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!((rows[2]["url"].as_str(), rows[2].as_object().unwrap().len()), (Some("http://e.com/9"), 2));
    assert!(rows[3]["error"].as_str().unwrap().contains("check the path"), "{}", rows[3]);
}

#[test]
fn patterns_are_expanded_and_what_is_not_there_is_an_error_at_once() {
    let corpus = Crawl::new();
    corpus.jsonl("a1.jsonl", &pages(1));
    corpus.jsonl("a2.jsonl", &pages(1));
    let run = batch(&[&corpus.path("a?.jsonl"), "-o", "-", "--quiet"]);
    assert_eq!((run.code, run.out.lines().count(), run.err.as_str()), (0, 2, ""));
    let run = batch(&[&corpus.path("b*.jsonl"), "-o", "-"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no file matches"), "{}", run.err);
    let run = batch(&[&corpus.path("b.jsonl"), "-o", "-"]);
    assert!(run.code == 2 && run.err.contains("no such file"), "{}", run.err);
}

#[test]
fn filters_count_what_they_remove() {
    let corpus = Crawl::new();
    let mut some = pages(6);
    some.push(("http://e.com/again".to_owned(), some[1].1.clone()));
    some.push((
        "http://e.com/nearly".to_owned(),
        some[2].1.replace("the last of them", "the latest of them"),
    ));
    some.push((
        "http://e.com/de".to_owned(),
        "<html lang=de><h1>Die Fähre</h1><p>Die Fähre fährt wieder, sagt die Gesellschaft: zweimal am Tag, wenn das Eis es \
         zulässt, und im Mai dreimal. Die Leute am Hafen haben lange darauf gewartet, und nicht alle sind zufrieden.</p>\
         <p>Wer ein Fahrrad mitnehmen will, zahlt nichts mehr dafür; das war im letzten Jahr noch anders.</p>"
            .to_owned(),
    ));
    some.push((
        "http://e.com/short".to_owned(),
        "<html lang=en><p>A short, but sound sentence about the rain in the harbour.".to_owned(),
    ));
    corpus.jsonl("a.jsonl", &some);
    fs::write(corpus.folder().join("b.jsonl"), "no json\n{\"text\":\"x\"}\n{\"html\":\"<p>x\",\"url\":1}\n")
        .unwrap();
    let out = corpus.path("out.jsonl");
    let run = batch(&[
        &corpus.path("a.jsonl"),
        &corpus.path("b.jsonl"),
        "-o",
        &out,
        "--language",
        "en,und",
        "--min-length",
        "100",
        "--no-duplicates",
        "--no-near-duplicates=0.7",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let counts = "removed (language: 1, too short: 2, duplicate: 1, near duplicate: 1)";
    assert!(run.err.contains("13 pages") && run.err.contains(counts), "{}", run.err);
    let rows = rows(&out);
    assert_eq!(rows.len(), 8);
    let errors: Vec<&str> = rows.iter().filter_map(|row| row["error"].as_str()).collect();
    assert!(errors[0].contains("b.jsonl, offset 0: not valid JSON"), "{errors:?}");
    assert!(
        errors[1].contains("offset 8: the field \"html\" is missing; the fields are: text"),
        "{errors:?}"
    );
}

#[test]
fn sites_are_learned_first_and_used_then() {
    let corpus = Crawl::new();
    corpus.warc("a.warc.gz", &pages(12));
    let input = corpus.path("a.warc.gz");
    let texts = |more: &[&str]| {
        let mut arguments = vec![input.as_str(), "-o", "-", "--quiet", "--method", "lines"];
        arguments.extend(more);
        let run = batch(&arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let notice = "Letters to the editor are welcome";
    assert!(texts(&["--fields", "text"]).contains(notice));
    assert!(!texts(&["--fields", "text", "--learn"]).contains(notice));
    // What is learned stays where a memory is given, and is used by the next run.
    let memory = corpus.path("sites.redb");
    let with_file = corpus.path("with.jsonl");
    let run = batch(&[&input, "-o", &with_file, "--method", "lines", "--learn", "--sites", &memory]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!texts(&["--fields", "text", "--sites", &memory]).contains(notice));
    let run = batch(&["-", "-o", "-", "--learn"]);
    assert!(run.code == 2 && run.err.contains("cannot be read twice"), "{}", run.err);
}

#[test]
fn a_run_that_is_done_was_an_error_when_it_was_repeated() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2));
    let (input, out) = (corpus.path("a.jsonl"), corpus.path("out.jsonl"));
    assert_eq!(batch(&[&input, "-o", &out]).code, 0);
    let run = batch(&[&input, "-o", &out]);
    assert!(run.code == 0 && run.err.contains("nothing left to do"), "{}", run.err);
    assert!(run.err.contains("is complete (2 pages)"), "{}", run.err);
    // Another run is another run, whether its settings or its inputs are others.
    let run = batch(&[&input, "-o", &out, "--method", "lines"]);
    assert!(run.code == 2 && run.err.contains("--force"), "{}", run.err);
    corpus.jsonl("a.jsonl", &pages(3));
    assert_eq!(batch(&[&input, "-o", &out]).code, 2);
    assert_eq!(batch(&[&input, "-o", &out, "--force"]).code, 0);
    assert_eq!(rows(&out).len(), 3);
    // A list may name other files the next time.
    let listed = corpus.path("listed.jsonl");
    for code in [0, 2] {
        let run = tamis(&["batch", "-", "-o", &listed], format!("{input}\n"));
        assert_eq!(run.code, code, "{}", run.err);
    }
}

#[test]
fn a_tree_that_was_replaced_kept_texts_of_the_one_before() {
    let corpus = Crawl::new();
    fs::create_dir_all(corpus.folder().join("in/deep")).unwrap();
    fs::write(corpus.folder().join("in/a.html"), page(1).1).unwrap();
    fs::write(corpus.folder().join("in/deep/b.html"), page(2).1).unwrap();
    let (input, out) = (corpus.path("in"), corpus.path("texts/"));
    assert_eq!(batch(&[&input, "-o", &out]).code, 0);
    let texts = corpus.folder().join("texts");
    assert!(texts.join("deep/b.txt").exists());
    fs::write(texts.join("mine.txt"), "mine").unwrap();
    fs::remove_file(corpus.folder().join("in/deep/b.html")).unwrap();
    fs::write(corpus.folder().join("in/c.html"), page(3).1).unwrap();
    let run = batch(&[&input, "-o", &out, "--force"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let mut names: Vec<String> = fs::read_dir(&texts)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a.txt", "c.txt", "index.jsonl", "mine.txt"]);
    assert_eq!(rows(&corpus.path("texts/index.jsonl")).len(), 2);
}

#[test]
fn a_file_in_place_of_a_directory_was_refused_only_when_all_was_done() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(1));
    fs::create_dir(corpus.folder().join("texts")).unwrap();
    fs::write(corpus.folder().join("rows"), "mine").unwrap();
    for (out, form) in [("texts", "jsonl"), ("rows", "md")] {
        let out = corpus.path(out);
        let run = batch(&[&corpus.path("a.jsonl"), "-o", &out, "--format", form, "--force"]);
        assert!(run.code == 2 && run.err.contains("name another output"), "{}", run.err);
        assert!(!corpus.folder().join(format!("{out}.tamis")).exists(), "it was begun");
    }
    assert_eq!(fs::read(corpus.folder().join("rows")).unwrap(), b"mine");
}

#[test]
fn one_missing_input_ended_a_run_over_many() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2));
    let (input, missing) = (corpus.path("a.jsonl"), corpus.path("b.jsonl"));
    let run = batch(&[&missing, &input, "-o", "-", "--fields", "error"]);
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{}", run.err);
    assert!(run.err.contains("b.jsonl: cannot be read: no such file"), "{}", run.err);
    assert!(run.err.contains("3 pages") && run.err.contains("1 failed"), "{}", run.err);
}

#[test]
fn an_output_among_its_own_inputs_was_read_back() {
    let corpus = Crawl::new();
    fs::create_dir_all(corpus.folder().join("in")).unwrap();
    corpus.jsonl("in/a.jsonl", &pages(2));
    let (input, out) = (corpus.path("in"), corpus.path("in/rows.jsonl"));
    for _ in 0..2 {
        let run = batch(&[&input, "-o", &out, "--force"]);
        assert!(run.code == 0 && run.err.contains("2 pages"), "{}", run.err);
        assert!(!run.err.contains("skipped"), "{}", run.err);
    }
    let run = batch(&[&input, "-o", &out]);
    assert!(run.err.contains("nothing left to do"), "{}", run.err);
    let run = batch(&[&corpus.path("in/*.jsonl"), "-o", &out, "--force"]);
    assert!(run.code == 0 && run.err.contains("2 pages"), "{}", run.err);
    let run = batch(&[&out, "-o", &out, "--force"]);
    assert!(run.code == 2 && run.err.contains("this is also the output"), "{}", run.err);
}

#[test]
fn a_list_could_not_name_directories() {
    let corpus = Crawl::new();
    fs::create_dir_all(corpus.folder().join("in/deep")).unwrap();
    fs::write(corpus.folder().join("in/deep/a.html"), page(1).1).unwrap();
    corpus.jsonl("b.jsonl", &pages(2));
    let list = format!("{}\n{}\n", corpus.path("in"), corpus.path("b.jsonl"));
    let run = tamis(&["batch", "-", "-o", "-", "--fields", "title"], list);
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{}", run.err);
    assert!(run.err.contains("0 failed"), "{}", run.err);
}

#[test]
fn options_that_change_nothing_were_taken_in_silence() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2));
    let input = corpus.path("a.jsonl");
    for (flags, said) in [
        (vec!["--learn", "--method", "density"], "fused, lines, template-svm"),
        (vec!["--min-confidence", "0.5", "--method", "lines"], "requires --method fused"),
        (
            vec!["--sites", "sites.redb", "--method", "density"],
            "--sites: the method density does not use site memory",
        ),
        (vec!["--max-bytes", "0"], "--max-bytes"),
        (vec!["-j", "0"], "at least 1"),
        (vec!["--row-group", "0"], "at least 1"),
    ] {
        let mut arguments = vec![input.as_str(), "-o", "-"];
        arguments.extend(&flags);
        let run = batch(&arguments);
        assert!(run.code == 2 && run.err.contains(said), "{flags:?}: {}", run.err);
    }
    let run = batch(&[&input, "-o", "-", "--row-group", "5"]);
    assert!(run.code == 0 && run.err.contains("--row-group has no effect"), "{}", run.err);
}

#[test]
fn a_run_whose_rows_were_all_removed_looked_like_success() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2));
    let run = batch(&[&corpus.path("a.jsonl"), "-o", "-", "--min-length", "100000"]);
    assert!(run.code == 1 && run.err.contains("2 removed"), "{}", run.err);
}

#[test]
fn an_output_that_is_there_is_not_replaced_unasked() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(1));
    let (input, out) = (corpus.path("a.jsonl"), corpus.path("out.jsonl"));
    fs::write(&out, "mine").unwrap();
    let run = batch(&[&input, "-o", &out]);
    assert!(run.code == 2 && run.err.contains("--force"), "{}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    assert_eq!(batch(&[&input, "-o", &out, "--force"]).code, 0);
    assert_eq!(rows(&out).len(), 1);
}

#[test]
fn damage_is_named_and_takes_nothing_else_with_it() {
    let corpus = Crawl::new();
    let pages = pages(3);
    // A length that is a lie, in the middle.
    let mut archive = record("http://e.com/0", &pages[0].1, None);
    let lie = archive.len();
    archive.extend(record("http://e.com/lie", &pages[1].1, Some(999_999)));
    archive.extend(record("http://e.com/2", &pages[2].1, None));
    fs::write(corpus.folder().join("a.warc"), archive).unwrap();
    // A packed archive that was cut off.
    corpus.warc("b.warc.gz", &pages);
    let packed = fs::read(corpus.folder().join("b.warc.gz")).unwrap();
    fs::write(corpus.folder().join("b.warc.gz"), &packed[..packed.len() - 20]).unwrap();
    let out = corpus.path("out.jsonl");
    let run = batch(&[&corpus.path("a.warc"), &corpus.path("b.warc.gz"), "-o", &out]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err.contains(&format!("a.warc, offset {lie}: the record does not end after its Content-Length")),
        "{}",
        run.err
    );
    assert!(run.err.contains("b.warc.gz, offset ") && run.err.contains("(truncated?)"), "{}", run.err);
    assert!(run.err.contains("6 pages") && run.err.contains("2 failed (2 could not be read)"), "{}", run.err);
    let rows = rows(&out);
    let failed: Vec<bool> = rows.iter().map(|row| !row["error"].is_null()).collect();
    assert_eq!(failed, [false, true, false, false, false, true]);
    assert_eq!(rows[1]["url"], "http://e.com/lie");
    // Where nothing at all can be read, that is an error.
    let run = batch(&[&corpus.path("b.warc.gz"), "-o", "-", "--max-bytes", "10"]);
    assert_eq!(run.code, 2, "{}", run.err);
}

#[test]
fn what_is_no_page_and_what_takes_too_long_are_rows() {
    let corpus = Crawl::new();
    let long = "<b><i><p>".repeat(100_000);
    let pages = [
        ("http://e.com/long".to_owned(), long),
        page(1),
        ("http://e.com/pdf".to_owned(), "%PDF-1.4".to_owned()),
    ];
    corpus.warc("a.warc", &pages);
    let run = batch(&[&corpus.path("a.warc"), "-o", "-", "--timeout", "0.000001"]);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows[0]["error"].as_str().unwrap().contains("exceeded the time limit"), "{}", rows[0]);
    assert!(rows[2]["error"].as_str().unwrap().contains("PDF"), "{}", rows[2]);
    let run = batch(&[&corpus.path("a.warc"), "-o", "-", "--max-bytes", "100000"]);
    assert!(run.out.lines().next().unwrap().contains("exceeds the limit of 100000 bytes"), "{}", run.out);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_line_of_300_megabytes_does_not_take_300_megabytes() {
    let corpus = Crawl::new();
    let first = serde_json::json!({"url": "http://e.com/1", "html": page(1).1}).to_string();
    let path = corpus.folder().join("a.jsonl.gz");
    let mut packed =
        flate2::write::GzEncoder::new(fs::File::create(&path).unwrap(), flate2::Compression::fast());
    let write = |packed: &mut flate2::write::GzEncoder<fs::File>, text: &str| {
        std::io::Write::write_all(packed, text.as_bytes()).unwrap()
    };
    write(&mut packed, &format!("{first}\n{{\"html\":\""));
    let piece = "x".repeat(1 << 20);
    (0..300).for_each(|_| write(&mut packed, &piece));
    write(&mut packed, &format!("\"}}\n{first}\n"));
    packed.finish().unwrap();
    // Whoever takes more than this is ended by the system.
    let mut limited = std::process::Command::new("sh");
    let tamis = env!("CARGO_BIN_EXE_tamis");
    limited.args(["-c", &format!("ulimit -v 600000; exec {tamis} batch {} -o - -j 2", path.display())]);
    let run = if cfg!(target_os = "linux") { finish(limited, "") } else { tamis_of(&path) };
    assert_eq!(run.code, 0, "{}", run.err);
    let expected = format!("a.jsonl.gz, offset {}: the line has 3145", first.len() + 1);
    assert!(run.err.contains(&expected), "{}", run.err);
    assert_eq!(run.out.lines().count(), 3);
}

fn tamis_of(path: &std::path::Path) -> Run {
    batch(&[path.to_str().unwrap(), "-o", "-"])
}

/// Rows are no pages: as an input, such a file has every wrong type there is.
#[cfg(feature = "parquet")]
#[test]
fn a_table_of_wrong_types_is_named_and_all_else_is_read() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(3));
    let table = corpus.path("rows.parquet");
    assert_eq!(batch(&[&corpus.path("a.jsonl"), "-o", &table]).code, 0);
    let lines: String = pages(2)
        .into_iter()
        .map(|(url, html)| serde_json::json!({"url": url, "status": html}).to_string() + "\n")
        .collect();
    fs::write(corpus.folder().join("b.jsonl"), lines).unwrap();
    let b = corpus.path("b.jsonl");
    let run = batch(&[&b, &table, &b, "-o", "-", "--html-field", "status"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let said = "rows.parquet: cannot be read: the column \"status\" is Int32, but binary or string is needed";
    assert!(run.err.contains(said) && run.err.contains("--html-field"), "{}", run.err);
    assert_eq!(run.out.lines().count(), 5);
    // By itself there is nothing that could be done.
    for (field, said) in [("status", said), ("html", "no column \"html\"; the columns are schema, id,")] {
        let run = batch(&[&table, "-o", "-", "--html-field", field]);
        assert!(run.code == 2 && run.err.contains(said), "{}", run.err);
    }
    // What was cut off has lost its table of contents.
    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    let run = batch(&[&table, "-o", "-"]);
    assert!(run.code == 2 && run.err.contains("not a valid Parquet file"), "{}", run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_not_replaced_by_a_file_and_one_that_is_full_is_an_error() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2));
    let input = corpus.path("a.jsonl");
    let run = batch(&[&input, "-o", "/dev/null", "--force"]);
    assert!(run.code == 2 && run.err.contains("neither a file nor a directory"), "{}", run.err);
    let mut full = command(&["batch", &input, "-o", "-"]);
    full.stdout(fs::File::create("/dev/full").unwrap()).stderr(std::process::Stdio::piped());
    let done = full.spawn().unwrap().wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(
        done.status.code() == Some(2) && said.contains("cannot write standard output: free some space"),
        "{said}"
    );
    assert!(said.contains("start over") && !said.contains("the same command"), "{said}");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_the_remedy_is_named() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(1));
    let run = batch(&[&corpus.path("a.jsonl"), "-o", &corpus.path("out.parquet")]);
    assert!(run.code == 2 && run.err.contains("--features parquet"), "{}", run.err);
    assert!(!corpus.folder().join("out.parquet.tamis").exists(), "nothing is left behind");
    assert!(finish(command(&["batch", "--help"]), "").out.contains("was built without Parquet"));
}

#[test]
fn help_names_the_columns_and_the_exit_codes() {
    let help = finish(command(&["batch", "--help"]), "").out;
    for heading in ["Input:", "Output:", "Filter:", "Method:", "Limits:", "Global options:"] {
        assert!(help.contains(&format!("\n{heading}\n")), "{heading}");
    }
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("page_type The kind of page")
            && words.contains("When to use --learn")
            && words.contains("Exit codes"),
        "{help}"
    );
}
