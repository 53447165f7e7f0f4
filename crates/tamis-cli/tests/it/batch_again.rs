//! `tamis batch` where something goes wrong: over its own output, after a run that read nothing or was stopped, with a name
//! that asks for something else, with pages of which there is only a part.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::crawl::{Crawl, pages, rows};
use crate::run::{batch, command, finish};

#[test]
fn an_input_that_is_the_output_was_destroyed() {
    let corpus = Crawl::new();
    corpus.jsonl("out.jsonl", &pages(2));
    corpus.jsonl("other.jsonl", &pages(2));
    let out = corpus.path("out.jsonl");
    let before = fs::read(&out).unwrap();
    let mut inputs = vec![vec![out.clone()], vec![corpus.path("other.jsonl"), corpus.path("./out.jsonl")]];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&out, corpus.folder().join("link.jsonl")).unwrap();
        inputs.push(vec![corpus.path("link.jsonl")]);
    }
    for input in &inputs {
        let mut arguments: Vec<&str> = input.iter().map(String::as_str).collect();
        arguments.extend(["-o", &out, "--force"]);
        let run = batch(&arguments);
        assert!(run.code == 2 && run.err.contains("this is also the output"), "{}", run.err);
        assert_eq!(fs::read(&out).unwrap(), before);
        assert!(!corpus.folder().join("out.jsonl.tamis").exists());
    }
}

#[test]
fn an_output_was_replaced_by_a_run_that_read_nothing() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2));
    let (input, out, bad) = (corpus.path("a.jsonl"), corpus.path("out.jsonl"), corpus.path("bad.jsonl"));
    assert_eq!(batch(&[&input, "-o", &out]).code, 0);
    let before = fs::read(&out).unwrap();
    for (text, code) in [("no json\n", 2), ("", 1)] {
        fs::write(&bad, text).unwrap();
        let run = batch(&[&bad, "-o", &out, "--force"]);
        assert!(run.code == code && run.err.contains("is unchanged"), "{} {}", run.code, run.err);
        assert_eq!(fs::read(&out).unwrap(), before);
    }
    // What was said of it is still true.
    assert!(batch(&[&input, "-o", &out]).err.contains("nothing left to do"));
}

#[test]
fn a_run_that_read_nothing_was_marked_as_done() {
    let corpus = Crawl::new();
    let (input, out) = (corpus.path("a.jsonl"), corpus.path("out.jsonl"));
    fs::write(&input, "no json\n").unwrap();
    for _ in 0..2 {
        let run = batch(&[&input, "-o", &out]);
        assert!(run.code == 2 && !run.err.contains("nothing left to do"), "{}", run.err);
        assert!(!corpus.folder().join(".out.jsonl.done").exists());
        assert_eq!(rows(&out).len(), 1);
    }
    corpus.jsonl("a.jsonl", &pages(2));
    let run = batch(&[&input, "-o", &out]);
    assert_eq!((run.code, rows(&out).len()), (0, 2), "{}", run.err);
    assert!(!corpus.folder().join(".out.jsonl.failed").exists());
    // What somebody has put in its place since is not ours.
    let (bad, other) = (corpus.path("bad.jsonl"), corpus.path("other.jsonl"));
    fs::write(&bad, "no json\n").unwrap();
    assert_eq!(batch(&[&bad, "-o", &other]).code, 2);
    fs::write(&other, "mine").unwrap();
    let run = batch(&[&bad, "-o", &other]);
    assert!(run.code == 2 && run.err.contains("--force"), "{}", run.err);
    assert_eq!(fs::read(&other).unwrap(), b"mine");
}

#[test]
fn a_run_with_a_new_folder_for_its_output_among_the_inputs_did_not_go_on() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2_000));
    let arguments = ["batch", ".", "-o", "sub/deep/o.jsonl", "--save-rows", "5", "-j", "1"];
    let mut child = command(&arguments);
    child.current_dir(corpus.folder()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    let state = corpus.folder().join("sub/deep/o.jsonl.tamis/state.json");
    let begin = Instant::now();
    while !state.exists() && begin.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(state.exists(), "it was too quick");
    // However the output is spelled.
    let mut again = command(&["batch", ".", "-o", "./sub/deep/o.jsonl", "--save-rows", "5"]);
    again.current_dir(corpus.folder());
    let run = finish(again, "");
    assert!(run.code == 0 && !run.err.contains("skipped"), "{}", run.err);
    assert_eq!(rows(&corpus.path("sub/deep/o.jsonl")).len(), 2_000);
}

#[test]
fn an_input_that_was_changed_without_growing_was_taken_for_the_same() {
    let corpus = Crawl::new();
    corpus.warc("a.warc", &pages(8));
    let (input, out, memory) = (corpus.path("a.warc"), corpus.path("out.jsonl"), corpus.path("sites.redb"));
    let learned = corpus.path("learned.jsonl");
    let learn = batch(&[&input, "-o", &learned, "--learn", "--sites", &memory]);
    assert_eq!(learn.code, 0, "{}", learn.err);
    let arguments = [input.as_str(), "-o", &out, "--sites", &memory];
    assert_eq!(batch(&arguments).code, 0);
    let run = batch(&arguments);
    assert!(run.err.contains("nothing left to do"), "using a memory changes it: {}", run.err);
    for file in [&memory, &input] {
        let later = std::time::SystemTime::now() + Duration::from_secs(60);
        fs::File::options().append(true).open(file).unwrap().set_modified(later).unwrap();
        let run = batch(&arguments);
        assert!(run.code == 2 && run.err.contains("--force"), "{}", run.err);
        assert_eq!(batch(&[&arguments[..], &["--force"]].concat()).code, 0);
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_run_to_standard_output_promised_to_go_on() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(6_000));
    let mut child = command(&["batch", &corpus.path("a.jsonl"), "-o", "-", "-j", "1"]);
    let child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(300));
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "it was too quick: {said}");
    assert!(said.contains("cannot be resumed"), "{said}");
}

#[test]
fn a_name_that_asks_for_another_form_got_plain_json_lines() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(3));
    let (input, plain, packed) =
        (corpus.path("a.jsonl"), corpus.path("rows.jsonl"), corpus.path("rows.jsonl.gz"));
    for (name, remedy) in [
        ("rows.csv", ".parquet"),
        ("t.md", "--format markdown"),
        ("t.txt", "directory"),
        ("rows.jsonl.zst", ".jsonl.gz"),
        ("rows.parquet.gz", ".jsonl.gz"),
    ] {
        let run = batch(&[&input, "-o", &corpus.path(name)]);
        assert!(run.code == 2 && run.err.contains(name) && run.err.contains(remedy), "{}", run.err);
        assert!(!corpus.folder().join(name).exists());
    }
    assert_eq!(batch(&[&input, "-o", &corpus.path("rows.csv"), "--format", "jsonl"]).code, 0);
    assert_eq!(batch(&[&input, "-o", &plain]).code, 0);
    assert_eq!(batch(&[&input, "-o", &packed]).code, 0);
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(&packed).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, fs::read_to_string(&plain).unwrap());
    assert!(batch(&[&input, "-o", &packed]).err.contains("nothing left to do"));
}

#[test]
fn a_packed_page_that_was_cut_off_passed_for_a_whole_one() {
    let corpus = Crawl::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(pages(1)[0].1.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let record = |url: &str, body: &[u8]| {
        let mut answer = b"HTTP/1.1 203 OK\r\nContent-Encoding: gzip\r\n\r\n".to_vec();
        answer.extend_from_slice(body);
        let mut record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
            answer.len()
        )
        .into_bytes();
        record.extend_from_slice(&answer);
        record.extend_from_slice(b"\r\n\r\n");
        record
    };
    let archive = [
        record("http://e.com/cut", &packed[..packed.len() - 12]),
        record("http://e.com/noise", b"\x1F\x8B\xFF\xFF"),
    ];
    fs::write(corpus.folder().join("a.warc"), archive.concat()).unwrap();
    let out = corpus.path("out.jsonl");
    let run = batch(&[&corpus.path("a.warc"), "-o", &out]);
    assert!(run.code == 0 && run.err.contains("2 failed (1 with partial text)"), "{}", run.err);
    let rows = rows(&out);
    assert!(rows[0]["text"].as_str().unwrap().contains("Story number 0"), "{}", rows[0]);
    assert!(rows[0]["error"].as_str().unwrap().contains("truncated"), "{}", rows[0]);
    assert!(rows[1]["text"].is_null() && rows[1]["status"] == 203, "{}", rows[1]);
}

#[test]
fn a_page_that_could_not_be_read_was_not_named() {
    let corpus = Crawl::new();
    fs::write(corpus.folder().join("a.html"), &pages(1)[0].1).unwrap();
    fs::write(corpus.folder().join("b.html.gz"), b"\x1F\x8B\xFF\xFF").unwrap();
    let run = batch(&[&corpus.folder().display().to_string(), "-o", "-"]);
    assert!(run.code == 0 && run.err.contains("b.html.gz: cannot decompress the page (gzip)"), "{}", run.err);
    assert!(run.err.contains("1 failed (1 could not be read)"), "{}", run.err);
}

#[test]
fn another_model_is_another_run() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(3));
    let (input, out, model) = (corpus.path("a.jsonl"), corpus.path("out.jsonl"), corpus.path("mine.model"));
    let write = |confidence: f32| {
        let calibration = vec![(0.0, 0.0), (1.0, confidence)];
        let custom = tamis::classify::Model { calibration, ..tamis::classify::Model::built_in() };
        fs::write(&model, custom.to_bytes()).unwrap();
    };
    write(0.9);
    let arguments = [&input[..], "-o", &out, "--model", &model];
    assert_eq!(batch(&arguments).code, 0);
    assert!(batch(&arguments).err.contains("nothing left to do"));
    write(0.8);
    let run = batch(&arguments);
    assert!(run.code == 2 && run.err.contains("already exists"), "{}", run.err);
    assert!(batch(&[&input, "-o", &out]).err.contains("already exists"), "nor without one");
    fs::write(&model, "a letter").unwrap();
    let run = batch(&[&arguments[..], &["--force"]].concat());
    assert!(run.code == 2 && run.err.contains("not a tamis model"), "{}", run.err);
    fs::write(&model, [0xff, 0xfe, 0]).unwrap();
    let run = batch(&[&arguments[..], &["--force"]].concat());
    assert!(run.code == 2 && run.err.contains("tamis train -o"), "{}", run.err);
    write(0.8);
    let run = batch(&[&arguments[..], &["--force", "--method", "density"]].concat());
    assert!(
        run.code == 2 && run.err.contains("leave it out, or add --method fused: it is a model for fused"),
        "{}",
        run.err
    );
}
