//! `tamis batch` where something goes wrong: an output that is an input, runs that read nothing or are stopped, unsupported
//! names of outputs, incomplete pages.

use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::crawl::{gzip, pages, record_of};
use crate::run::Folder;

#[test]
fn an_input_that_is_the_output_is_refused() {
    let folder = Folder::new();
    folder.jsonl("out.jsonl", &pages(2));
    folder.jsonl("other.jsonl", &pages(2));
    let before = folder.bytes("out.jsonl");
    let mut inputs = vec!["out.jsonl", "other.jsonl ./out.jsonl"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("out.jsonl"), folder.path("link.jsonl")).unwrap();
        inputs.push("link.jsonl");
    }
    for input in inputs {
        folder.batch(&format!("{input} -o out.jsonl --force")).fails("this is also the output");
        assert_eq!(folder.bytes("out.jsonl"), before);
        assert!(!folder.exists("out.jsonl.tamis"));
    }
}

#[test]
fn a_run_that_reads_nothing_leaves_the_output_unchanged() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2));
    folder.batch("a.jsonl -o out.jsonl").succeeds();
    let before = folder.bytes("out.jsonl");
    for (text, code) in [("no json\n", 2), ("", 1)] {
        folder.write("bad.jsonl", text);
        folder.batch("bad.jsonl -o out.jsonl --force").ends(code).says("is unchanged");
        assert_eq!(folder.bytes("out.jsonl"), before);
    }
    // What was said of it is still true.
    folder.batch("a.jsonl -o out.jsonl").says("nothing left to do");
}

#[test]
fn a_run_that_reads_nothing_is_not_marked_as_done() {
    let folder = Folder::new();
    folder.write("a.jsonl", "no json\n");
    for _ in 0..2 {
        folder.batch("a.jsonl -o out.jsonl").ends(2).does_not_say("nothing left to do");
        assert!(!folder.exists(".out.jsonl.done"));
        assert_eq!(folder.rows("out.jsonl").len(), 1);
    }
    folder.jsonl("a.jsonl", &pages(2));
    folder.batch("a.jsonl -o out.jsonl").succeeds();
    assert_eq!(folder.rows("out.jsonl").len(), 2);
    assert!(!folder.exists(".out.jsonl.failed"));
    // What somebody has put in its place since is not ours.
    folder.write("bad.jsonl", "no json\n");
    folder.batch("bad.jsonl -o other.jsonl").ends(2);
    folder.write("other.jsonl", "mine");
    folder.batch("bad.jsonl -o other.jsonl").fails("--force");
    assert_eq!(folder.read("other.jsonl"), "mine");
}

#[test]
fn a_run_resumes_with_its_output_in_a_new_folder_among_the_inputs() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2_000));
    let mut child = folder.start("batch . -o sub/deep/o.jsonl --save-rows 5 -j 1");
    folder.wait_for("sub/deep/o.jsonl.tamis/state.json");
    child.kill().unwrap();
    child.wait().unwrap();
    // However the output is spelled.
    folder.batch(". -o ./sub/deep/o.jsonl --save-rows 5").succeeds().does_not_say("skipped");
    assert_eq!(folder.rows("sub/deep/o.jsonl").len(), 2_000);
}

#[test]
fn a_changed_input_of_the_same_size_is_another_run() {
    let folder = Folder::new();
    folder.warc("a.warc", &pages(8));
    folder.batch("a.warc -o learned.jsonl --learn --sites sites.redb").succeeds();
    let line = "a.warc -o out.jsonl --sites sites.redb";
    folder.batch(line).succeeds();
    // Using a memory does not change it.
    folder.batch(line).says("nothing left to do");
    for file in ["sites.redb", "a.warc"] {
        let file = fs::File::options().append(true).open(folder.path(file)).unwrap();
        file.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
        folder.batch(line).fails("--force");
        folder.batch(&format!("{line} --force")).succeeds();
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_run_to_standard_output_cannot_be_resumed() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(6_000));
    let (code, said) = folder.interrupted("batch a.jsonl -o - -j 1", Duration::from_millis(300));
    assert_eq!(code, Some(2), "it was too quick: {said}");
    assert!(said.contains("cannot be resumed"), "{said}");
}

#[test]
fn output_names_of_other_formats_are_refused() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(3));
    for (name, remedy) in [
        ("rows.csv", ".parquet"),
        ("t.md", "--format markdown"),
        ("t.txt", "directory"),
        ("rows.jsonl.zst", ".jsonl.gz"),
        ("rows.parquet.gz", ".jsonl.gz"),
    ] {
        folder.batch(&format!("a.jsonl -o {name}")).fails(name).says(remedy);
        assert!(!folder.exists(name));
    }
    for out in ["rows.csv --format jsonl", "rows.jsonl", "rows.jsonl.gz"] {
        folder.batch(&format!("a.jsonl -o {out}")).succeeds();
    }
    let mut text = String::new();
    let packed = fs::File::open(folder.path("rows.jsonl.gz")).unwrap();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    assert_eq!(text, folder.read("rows.jsonl"));
    folder.batch("a.jsonl -o rows.jsonl.gz").says("nothing left to do");
}

#[test]
fn a_truncated_compressed_page_has_an_error_beside_its_text() {
    let folder = Folder::new();
    let packed = gzip(&pages(1)[0].1);
    let record = |url: &str, body: &[u8]| {
        let answer = [b"HTTP/1.1 203 OK\r\nContent-Encoding: gzip\r\n\r\n", body].concat();
        record_of(url, "", &answer, answer.len())
    };
    let cut = record("http://e.com/cut", &packed[..packed.len() - 12]);
    folder.write("a.warc", [cut, record("http://e.com/noise", b"\x1F\x8B\xFF\xFF")].concat());
    folder.batch("a.warc -o out.jsonl").succeeds().says("2 failed (1 with partial text)");
    let rows = folder.rows("out.jsonl");
    assert!(rows[0]["text"].as_str().unwrap().contains("Story number 0"), "{}", rows[0]);
    assert!(rows[0]["error"].as_str().unwrap().contains("truncated"), "{}", rows[0]);
    assert!(rows[1]["text"].is_null() && rows[1]["status"] == 203, "{}", rows[1]);
}

#[test]
fn an_unreadable_page_is_named() {
    let folder = Folder::new();
    folder.write("a.html", &pages(1)[0].1);
    folder.write("b.html.gz", b"\x1F\x8B\xFF\xFF");
    let run = folder.batch(". -o -").succeeds();
    run.says("b.html.gz: cannot decompress the page (gzip)").says("1 failed (1 could not be read)");
}

#[test]
fn another_model_is_another_run() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(3));
    let write = |confidence: f32| {
        let calibration = vec![(0.0, 0.0), (1.0, confidence)];
        let custom = tamis::classify::Model { calibration, ..tamis::classify::Model::built_in() };
        folder.write("mine.model", custom.to_bytes());
    };
    let batch = |more: &str| folder.batch(&format!("a.jsonl -o out.jsonl {more}"));
    write(0.9);
    batch("--model mine.model").succeeds();
    batch("--model mine.model").says("nothing left to do");
    write(0.8);
    batch("--model mine.model").fails("already exists");
    batch("").fails("already exists");
    folder.write("mine.model", "a letter");
    batch("--model mine.model --force").fails("not a tamis model");
    folder.write("mine.model", [0xff, 0xfe, 0]);
    batch("--model mine.model --force").fails("tamis train -o");
    write(0.8);
    batch("--model mine.model --force --method density")
        .fails("leave it out, or add --method fused: it is a model for fused");
}

impl Folder {
    /// Waits until a file is there.
    #[track_caller]
    pub(crate) fn wait_for(&self, name: &str) {
        let begin = Instant::now();
        while !self.exists(name) && begin.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(2));
        }
        assert!(self.exists(name), "no {name}");
    }

    /// Runs the command and interrupts it after a while, as Ctrl-C does: its code, and what it said.
    #[cfg(unix)]
    pub(crate) fn interrupted(&self, line: &str, after: Duration) -> (Option<i32>, String) {
        let mut command = self.command(line);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        thread::sleep(after);
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let done = child.wait_with_output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    }

    /// Starts the command, in silence.
    pub(crate) fn start(&self, line: &str) -> std::process::Child {
        let mut command = self.command(line);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}
