//! `tamis batch` stopped at any moment: no row is lost, none is doubled, and no output looks whole that is not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::crawl::{Crawl, pages};
use crate::run::{Run, command, finish, tamis};

const KILLS: usize = 100;

/// Everything a run has left: the bytes of every file, by name.
fn everything(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut left = vec![path.to_owned()];
    while let Some(next) = left.pop() {
        if next.is_dir() {
            left.extend(fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let name = next.strip_prefix(path).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(next).unwrap());
        }
    }
    found
}

/// A corpus that takes a while, with damage and duplicates in it.
fn corpus() -> Crawl {
    let corpus = Crawl::new();
    let pages = pages(150);
    corpus.warc("a.warc.gz", &pages[..60]);
    corpus.jsonl("b.jsonl", &pages[40..100]);
    corpus.jsonl("c.jsonl.gz", &pages[90..130]);
    let packed = fs::read(corpus.folder().join("a.warc.gz")).unwrap();
    fs::write(corpus.folder().join("d.warc.gz"), &packed[..packed.len() - 9]).unwrap();
    fs::create_dir(corpus.folder().join("in")).unwrap();
    for (number, (_, html)) in pages[120..].iter().enumerate() {
        fs::write(corpus.folder().join(format!("in/{number}.html")), html).unwrap();
    }
    corpus
}

fn start(arguments: &[&str]) -> Child {
    command(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_hundred_kills_lose_and_double_nothing() {
    let corpus = corpus();
    let mut inputs: Vec<String> =
        ["a.warc.gz", "b.jsonl", "c.jsonl.gz", "d.warc.gz", "in"].map(|it| corpus.path(it)).into();
    inputs.insert(0, "batch".to_owned());
    let form = |output: &str, more: &[&str]| -> Vec<String> {
        let more = more.iter().map(|it| (*it).to_owned());
        inputs
            .iter()
            .cloned()
            .chain(["-o".to_owned(), output.to_owned(), "--save-rows".to_owned(), "9".to_owned()])
            .chain(more)
            .collect()
    };
    let mut forms: Vec<(&str, Vec<&str>)> = vec![
        ("rows.jsonl", vec!["-j", "3"]),
        ("near.jsonl", vec!["-j", "2", "--no-duplicates", "--no-near-duplicates=0.7"]),
        ("texts/", vec!["--no-duplicates"]),
        ("learned.jsonl", vec!["--learn", "--method", "lines"]),
        ("any.jsonl", vec!["--unordered", "-j", "4"]),
    ];
    if cfg!(feature = "parquet") {
        forms.push(("rows.parquet", vec!["--row-group", "20"]));
    }
    let mut state = 0x9E37_79B9_u64;
    let mut random = |most: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most
    };
    // How long a run of each form takes that nobody kills.
    let mut took: Vec<Duration> = Vec::new();
    let mut kills = 0;
    let mut rounds = 0;
    while kills < KILLS {
        let form_number = rounds % forms.len();
        let (name, more) = &forms[form_number];
        rounds += 1;
        let whole = corpus.path(&format!("whole-{name}"));
        let whole_path = Path::new(whole.trim_end_matches('/'));
        if !whole_path.exists() {
            let arguments = form(&whole, more);
            let begin = Instant::now();
            let run = tamis(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
            took.push(begin.elapsed());
            assert_eq!(run.code, 0, "{}", run.err);
        }
        let out = corpus.path(&format!("{rounds}-{name}"));
        let out_path = Path::new(out.trim_end_matches('/'));
        let arguments = form(&out, more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let is_whole =
            || if out_path.is_dir() { out_path.join("index.jsonl").exists() } else { out_path.exists() };
        // From the start of the process to far into a whole run: some come through in two or three starts, some in dozens.
        let longest = took[form_number].as_micros() as u64 * 3 / 4;
        for _ in 0..40 {
            let mut child = start(&arguments);
            thread::sleep(Duration::from_micros(2_000 + random(longest)));
            child.kill().unwrap();
            let status = child.wait().unwrap();
            if status.code().is_none() {
                kills += 1;
            } else {
                assert_eq!(status.code(), Some(0));
                break;
            }
            if is_whole() && !Path::new(&format!("{}.tamis", out_path.display())).exists() {
                break;
            }
        }
        if !is_whole() || Path::new(&format!("{}.tamis", out_path.display())).exists() {
            let run = tamis(&arguments, "");
            assert_eq!(run.code, 0, "{name}: {}", run.err);
            assert!(run.err.contains("pages"), "{}", run.err);
        }
        if *name == "any.jsonl" {
            let sorted = |path: &Path| {
                let mut lines: Vec<String> =
                    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
                lines.sort_unstable();
                lines
            };
            assert!(sorted(out_path) == sorted(whole_path), "{name} differs after {kills} kills");
        } else {
            assert!(everything(out_path) == everything(whole_path), "{name} differs after {kills} kills");
        }
        assert!(!Path::new(&format!("{}.tamis", out_path.display())).exists(), "nothing is left behind");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_what_is_under_way_and_the_next_start_goes_on() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(3_000));
    let out = corpus.path("out.jsonl");
    let input = corpus.path("a.jsonl");
    let arguments = ["batch", &input, "-o", &out, "-j", "1"];
    let mut child = command(&arguments);
    let child = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(200));
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    if done.status.code() == Some(2) {
        assert!(said.contains("stopped after") && said.contains("run the same command again"), "{said}");
        assert!(!Path::new(&out).exists(), "it looks whole and is not");
        // Another run must not be taken for this one.
        let other = tamis(&["batch", &input, "-o", &out, "--method", "lines"], "");
        assert!(other.code == 2 && other.err.contains("other inputs or settings"), "{}", other.err);
        let on: Run = tamis(&arguments, "");
        assert_eq!(on.code, 0, "{}", on.err);
    } else {
        assert_eq!(done.status.code(), Some(0), "it was too quick: {said}");
    }
    let numbers: Vec<String> =
        crate::crawl::rows(&out).iter().map(|row| row["url"].as_str().unwrap().to_owned()).collect();
    assert_eq!(numbers, pages(3_000).into_iter().map(|(url, _)| url).collect::<Vec<_>>());
}

/// A disk of one megabyte, where this may be made; else a limit on the size of files, which fails in the same place.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_when_there_is_room() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(400));
    let input = corpus.path("a.jsonl");
    let disk = corpus.folder().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let made = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs", disk.to_str().unwrap()])
            .stderr(Stdio::null())
            .status();
        made.is_ok_and(|status| status.success())
    };
    let out = disk.join("out.jsonl");
    let arguments = ["batch", &input, "-o", out.to_str().unwrap(), "--save-rows", "20"];
    let is_mounted = mount("size=1m");
    let run = if is_mounted {
        tamis(&arguments, "")
    } else {
        let mut limited = std::process::Command::new("sh");
        let line = format!("ulimit -f 1000; exec {} {}", env!("CARGO_BIN_EXE_tamis"), arguments.join(" "));
        limited.args(["-c", &line]);
        finish(limited, "")
    };
    let again = if is_mounted && mount("remount,size=64m") { Some(tamis(&arguments, "")) } else { None };
    let again = again.unwrap_or_else(|| tamis(&arguments, ""));
    let rows = fs::read_to_string(&out);
    if is_mounted {
        let _ = std::process::Command::new("umount").arg(&disk).status();
    }
    assert_eq!(run.code, 2, "{}", run.err);
    for word in ["out.jsonl", " after byte ", "free some space", "os error"] {
        assert!(run.err.contains(word), "{}", run.err);
    }
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(rows.unwrap().lines().count(), 400);
    assert!(again.err.contains("400 pages"), "{}", again.err);
}

/// The system ends whoever writes more than it may, unless he asks to be told.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_killed_the_run() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(400));
    let (input, out) = (corpus.path("a.jsonl"), corpus.path("out.jsonl"));
    let mut limited = std::process::Command::new("sh");
    let tamis_path = env!("CARGO_BIN_EXE_tamis");
    let line = format!("ulimit -f 500; exec {tamis_path} batch {input} -o {out} --save-rows 20");
    limited.args(["-c", &line]);
    let run = finish(limited, "");
    assert_eq!(run.code, 2, "{}", run.err);
    // What was written is what lies there.
    let length = fs::metadata(corpus.folder().join("out.jsonl.tamis/rows")).unwrap().len();
    assert!(
        run.err.contains(&format!("out.jsonl after byte {length}: free some space")),
        "{length} {}",
        run.err
    );
    let again = tamis(&["batch", &input, "-o", &out, "--save-rows", "20"], "");
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(crate::crawl::rows(&out).len(), 400);
}

#[test]
fn texts_of_a_tree_appeared_before_it_was_whole() {
    let corpus = Crawl::new();
    corpus.jsonl("a.jsonl", &pages(2_000));
    let (input, out) = (corpus.path("a.jsonl"), corpus.folder().join("texts"));
    let mut child =
        start(&["batch", &input, "-o", out.to_str().unwrap(), "--format", "txt", "--save-rows", "5"]);
    let staged = corpus.folder().join("texts.tamis/tree");
    let begin = Instant::now();
    while !staged.join("index.jsonl").exists() && begin.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(50));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(staged.exists() != out.exists(), "it is either under way or whole");
}
