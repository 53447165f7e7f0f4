//! A learning process is killed repeatedly: the file can be opened, and has every committed page.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]
#![allow(clippy::print_stdout, reason = "the child reports what it has committed")]

mod common;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, io, thread};

use tamis_site::{SiteProfile, Store};

use common::{folder, key, record};

const CHILD: &str = "TAMIS_KILL_TEST_FILE";
const KILLS: u64 = 100;

/// The child: learns pages until it is killed, and reports each committed page.
#[test]
fn child() {
    let Ok(file) = env::var(CHILD) else { return };
    let first: u64 = env::var("TAMIS_KILL_TEST_FIRST").unwrap().parse().unwrap();
    // The lock of the killed predecessor was released with its process.
    let mut number = first;
    loop {
        // Reopened after every third page, so that kills also hit opening and closing.
        let store = Store::open(file.as_ref()).unwrap();
        for _ in 0..3 {
            // Few pages per site, so that rows are deleted as well.
            let site = key(&format!("{}.example", number % 7));
            let mut memory = SiteProfile::default();
            memory.insert(record(number));
            store.merge(&site, &memory).unwrap();
            println!("committed {number}");
            io::stdout().flush().unwrap();
            number += 1;
        }
    }
}

#[test]
fn every_committed_page_survives_a_hundred_kills() {
    let folder = folder("kill");
    let file = folder.join("memory.redb");
    let mut committed: BTreeSet<u64> = BTreeSet::new();
    let mut random = 88_172_645_463_325_252_u64;
    for kill in 0..KILLS {
        let first = kill * 1_000;
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture"])
            .env(CHILD, &file)
            .env("TAMIS_KILL_TEST_FIRST", first.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = child.stdout.take().unwrap();
        let reader = thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            let number = |line: String| line.split("committed ").nth(1)?.trim().parse::<u64>().ok();
            lines.filter_map(number).collect::<Vec<u64>>()
        });
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        thread::sleep(Duration::from_micros(2_000 + random % 40_000));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!output.status.success(), "the child ends by being killed");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
        committed.extend(reader.join().unwrap());
        if file.exists() {
            let store = Store::open_read_only(&file).unwrap();
            for site in store.sites().unwrap() {
                store.get(&site.key).unwrap().unwrap();
            }
        }
    }
    let store = Store::open(&file).unwrap();
    let mut all = 0;
    for number in &committed {
        let memory = store.get(&key(&format!("{}.example", number % 7))).unwrap().unwrap();
        // A page may have been replaced in the sample by others with smaller keys.
        let page = record(*number);
        let kept = memory.records().any(|record| *record == page);
        assert!(kept || !memory.has_room_for(page.key()), "page {number} is lost");
        all += usize::from(kept);
    }
    println!("{} pages committed over {KILLS} kills, {all} of them in the samples", committed.len());
    assert!(committed.len() > 50, "too few commits: {}", committed.len());
    for leftover in fs::read_dir(&folder).unwrap() {
        let name = leftover.unwrap().file_name().into_string().unwrap();
        assert!(name == "memory.redb" || name.contains(".new-"), "{name}");
    }
}
