//! `tamis batch` stopped at any moment: no row is lost, none is doubled, and no output looks whole that is not.

use std::collections::HashMap;
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::crawl::pages;
use crate::run::Folder;

const KILLS: usize = 100;

/// Pages that take a while, with damage and duplicates in them.
fn folder() -> Folder {
    let folder = Folder::new();
    let pages = pages(150);
    folder.warc("a.warc.gz", &pages[..60]);
    folder.jsonl("b.jsonl", &pages[40..100]);
    folder.jsonl("c.jsonl.gz", &pages[90..130]);
    let packed = folder.bytes("a.warc.gz");
    folder.write("d.warc.gz", &packed[..packed.len() - 9]);
    for (number, (_, html)) in pages[120..].iter().enumerate() {
        folder.write(&format!("in/{number}.html"), html);
    }
    folder
}

#[test]
fn a_hundred_kills_lose_and_double_nothing() {
    let folder = folder();
    let mut forms = vec![
        ("rows.jsonl", "-j 3"),
        ("near.jsonl", "-j 2 --no-duplicates --no-near-duplicates=0.7"),
        ("texts/", "--no-duplicates"),
        ("learned.jsonl", "--learn --method lines"),
        ("any.jsonl", "--unordered -j 4"),
    ];
    if cfg!(feature = "parquet") {
        forms.push(("rows.parquet", "--row-group 20"));
    }
    let line = |out: &str, more: &str| {
        format!("batch a.warc.gz b.jsonl c.jsonl.gz d.warc.gz in -o {out} --save-rows 9 {more}")
    };
    let mut state = 0x9E37_79B9_u64;
    let mut random = |most: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most
    };
    // How long a run of each form takes that nobody kills.
    let mut took: HashMap<&str, Duration> = HashMap::new();
    let (mut kills, mut round) = (0, 0);
    while kills < KILLS {
        let (name, more) = forms[round % forms.len()];
        round += 1;
        let whole = format!("whole-{name}");
        let took = *took.entry(name).or_insert_with(|| {
            let begin = Instant::now();
            folder.tamis(&line(&whole, more)).succeeds();
            begin.elapsed()
        });
        let out = format!("{round}-{name}");
        let (line, state) = (line(&out, more), format!("{}.tamis", out.trim_end_matches('/')));
        let index = if out.ends_with('/') { format!("{out}index.jsonl") } else { out.clone() };
        let is_done = || folder.exists(&index) && !folder.exists(&state);
        // From the start of the process to far into a whole run: some come through in two or three starts, some in dozens.
        let longest = took.as_micros() as u64 * 3 / 4;
        for _ in 0..40 {
            let mut child = folder.start(&line);
            thread::sleep(Duration::from_micros(2_000 + random(longest)));
            child.kill().unwrap();
            let status = child.wait().unwrap();
            match status.code() {
                None => kills += 1,
                code => assert_eq!(code, Some(0)),
            }
            if status.code().is_some() || is_done() {
                break;
            }
        }
        if !is_done() {
            folder.tamis(&line).succeeds().says("pages");
        }
        let sorted = |name: &str| {
            let mut rows = folder.read(name).lines().map(str::to_owned).collect::<Vec<_>>();
            rows.sort_unstable();
            rows
        };
        match name {
            "any.jsonl" => assert!(sorted(&out) == sorted(&whole), "{name} differs after {kills} kills"),
            _ => {
                let same = folder.everything(&out) == folder.everything(&whole);
                assert!(same, "{name} differs after {kills} kills");
            }
        }
        assert!(!folder.exists(&state), "nothing is left behind");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_what_is_under_way_and_the_next_start_goes_on() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(3_000));
    let line = "batch a.jsonl -o out.jsonl -j 1";
    let (code, said) = folder.interrupted(line, Duration::from_millis(200));
    if code == Some(2) {
        assert!(said.contains("stopped after") && said.contains("run the same command again"), "{said}");
        assert!(!folder.exists("out.jsonl"), "it looks whole and is not");
        // Another run must not be taken for this one.
        folder.batch("a.jsonl -o out.jsonl --method lines").fails("other inputs or settings");
        folder.tamis(line).succeeds();
    } else {
        assert_eq!(code, Some(0), "it was too quick: {said}");
    }
    let rows = folder.rows("out.jsonl");
    assert!(rows.iter().map(|row| &row["url"]).eq(pages(3_000).iter().map(|(url, _)| url)));
}

/// A disk of one megabyte, where this may be made; else a limit on the size of files, which fails in the same place.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_when_there_is_room() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(400));
    fs::create_dir(folder.path("disk")).unwrap();
    let mount = |options: &str| {
        let made = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs", &folder.path("disk")])
            .stderr(Stdio::null())
            .status();
        made.is_ok_and(|status| status.success())
    };
    let line = "batch a.jsonl -o disk/out.jsonl --save-rows 20";
    let is_mounted = mount("size=1m");
    let run = if is_mounted { folder.tamis(line) } else { folder.limited("-f 1000", line) };
    let _ = is_mounted && mount("remount,size=64m");
    let again = folder.tamis(line);
    let rows = fs::read_to_string(folder.path("disk/out.jsonl"));
    if is_mounted {
        let _ = std::process::Command::new("umount").arg(folder.path("disk")).status();
    }
    run.fails("out.jsonl").says(" after byte ").says("free some space").says("os error");
    again.succeeds().says("400 pages");
    assert_eq!(rows.unwrap().lines().count(), 400);
}

/// The system ends whoever writes more than it may, unless he asks to be told.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_killed_the_run() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(400));
    let line = "batch a.jsonl -o out.jsonl --save-rows 20";
    let run = folder.limited("-f 500", line);
    // What was written is what lies there.
    let length = folder.bytes("out.jsonl.tamis/rows").len();
    run.fails(&format!("out.jsonl after byte {length}: free some space"));
    folder.tamis(line).succeeds();
    assert_eq!(folder.rows("out.jsonl").len(), 400);
}

#[test]
fn a_tree_appears_when_it_is_complete() {
    let folder = Folder::new();
    folder.jsonl("a.jsonl", &pages(2_000));
    let mut child = folder.start("batch a.jsonl -o texts --format txt --save-rows 5");
    let staged = "texts.tamis/tree";
    let begin = Instant::now();
    while !folder.exists("texts.tamis/tree/index.jsonl") && begin.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(50));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(folder.exists(staged) != folder.exists("texts"), "it is either under way or whole");
}
