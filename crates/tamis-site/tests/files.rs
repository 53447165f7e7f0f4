//! Files that are not site memories, damaged, or in use by another process.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use redb::TableDefinition;
use tamis_site::{Error, Learner, SiteProfile, Store};

use common::{folder, key, memory, record};

fn message(path: &Path) -> String {
    let read = Store::open_read_only(path).map(drop).unwrap_err().to_string();
    let write = Store::open(path).map(drop).unwrap_err().to_string();
    assert_eq!(read, write);
    read
}

#[test]
fn other_files_are_rejected() {
    let folder = folder("no-memory");
    let missing = Store::open_read_only(&folder.join("none.redb")).unwrap_err();
    assert!(missing.to_string().contains("tamis site learn"), "{missing}");
    assert!(matches!(Store::open(&folder.join("no/such/folder.redb")).unwrap_err(), Error::Io { .. }));
    let file = folder.join("page.html");
    for content in ["<p>A page.", "", "redb"] {
        fs::write(&file, content).unwrap();
        let message = message(&file);
        assert!(message.contains("page.html") && message.contains("not a site memory"), "{message}");
        assert_eq!(fs::read_to_string(&file).unwrap(), content, "unchanged");
    }
    assert!(Store::open(&folder).is_err(), "a directory");
    let other = folder.join("other.redb");
    let database = redb::Database::create(&other).unwrap();
    let write = database.begin_write().unwrap();
    write.open_table(TableDefinition::<&str, &str>::new("theirs")).unwrap();
    write.commit().unwrap();
    drop(database);
    assert!(message(&other).contains("another program"), "{}", message(&other));
    let newer = folder.join("newer.redb");
    let database = redb::Database::create(&newer).unwrap();
    let write = database.begin_write().unwrap();
    let meta = TableDefinition::<&str, u64>::new("meta");
    write.open_table(meta).unwrap().insert("tamis site memory", 7).unwrap();
    write.commit().unwrap();
    drop(database);
    assert!(message(&newer).contains("newer tamis"), "{}", message(&newer));
}

#[test]
fn opening_waits_for_other_processes_until_the_timeout() {
    let folder = folder("in-use");
    let file = folder.join("memory.redb");
    let short = Duration::from_millis(50);
    let store = Store::open(&file).unwrap();
    for error in [Store::open_within(&file, short), Store::reopen_read_only(&file, short)] {
        let error = error.unwrap_err();
        assert!(matches!(error, Error::InUse { .. }), "{error}");
        assert!(error.to_string().contains("in use by another process"), "{error}");
    }
    drop(store);
    let (one, two) = (Store::open_read_only(&file).unwrap(), Store::open_read_only(&file).unwrap());
    assert!(matches!(Store::open_within(&file, short).unwrap_err(), Error::InUse { .. }));
    assert!(matches!(one.merge(&key("a"), &SiteProfile::default()).unwrap_err(), Error::ReadOnly { .. }));
    drop((one, two));
    let held = Store::open(&file).unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| Store::open_read_only(&file).map(drop));
        std::thread::sleep(Duration::from_millis(100));
        drop(held);
        waiting.join().unwrap().unwrap();
    });
}

#[test]
fn concurrent_learners_and_readers() {
    let folder = folder("turns");
    let file = folder.join("memory.redb");
    let site = key("example.com");
    std::thread::scope(|scope| {
        for learner in 0..3_u64 {
            let (file, site) = (&file, &site);
            scope.spawn(move || {
                let mut learning = Learner::new(file).unwrap().batch_size(5);
                for number in 0..20 {
                    learning.take(site.clone(), record(learner * 15 + number)).unwrap();
                }
                learning.flush().unwrap();
            });
        }
        scope.spawn(|| {
            for _ in 0..10 {
                if file.exists() {
                    Store::open_read_only(&file).unwrap().get(&site).unwrap();
                }
                std::thread::sleep(Duration::from_millis(3));
            }
        });
    });
    let learned = Store::open_read_only(&file).unwrap().get(&site).unwrap();
    assert_eq!(learned, Some(memory(0..50)));
}

#[test]
fn a_learner_rejects_pages_that_cannot_be_in_the_sample() {
    let folder = folder("wants");
    let file = folder.join("memory.redb");
    let site = key("example.com");
    let mut learner = Learner::new(&file).unwrap().batch_size(50);
    let mut wanted = 0;
    for number in 0..1_500 {
        let url = common::url(number);
        if learner.wants(&site, Some(&url)) {
            wanted += 1;
            learner.take(site.clone(), record(number)).unwrap();
        }
    }
    learner.flush().unwrap();
    assert!(
        (400..700).contains(&wanted),
        "expected 128 × (1 + ln(1500 / 128)), and some for batches: {wanted}"
    );
    let learned = Store::open_read_only(&file).unwrap().get(&site).unwrap();
    assert_eq!(learned, Some(memory(0..1_500)));
}

#[test]
fn damage_is_reported() {
    let folder = folder("damage");
    let file = folder.join("memory.redb");
    let site = key("example.com");
    let whole = memory(0..60);
    let mut store = Store::open(&file).unwrap();
    store.merge(&site, &whole).unwrap();
    store.compact().unwrap();
    drop(store);
    let bytes = fs::read(&file).unwrap();
    let (mut noticed, mut harmless) = (0, 0);
    let damaged = folder.join("damaged.redb");
    let mut check = |changed: &[u8], what: &str| {
        fs::write(&damaged, changed).unwrap();
        let read = Store::open_read_only(&damaged).and_then(|store| {
            store.sites()?;
            store.get(&site)
        });
        match read {
            Err(error) => {
                noticed += 1;
                assert!(error.to_string().contains("damaged.redb"), "{what}: {error}");
            }
            // The changed bytes are unused.
            Ok(Some(memory)) => {
                harmless += 1;
                assert_eq!(memory, whole, "{what}: wrong content was read");
            }
            Ok(None) => panic!("{what}: the site is missing without an error"),
        }
    };
    let mut random = 2_463_534_242_u64;
    for _ in 0..150 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let at = (random % bytes.len() as u64) as usize;
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (random >> 32 & 7);
        check(&changed, &format!("bit in byte {at}"));
        let mut changed = bytes.clone();
        let end = (at + 4096).min(changed.len());
        changed[at..end].fill(0);
        check(&changed, &format!("zeros from byte {at}"));
    }
    for cut in [1, 100, 4096, 8192, bytes.len() / 2, bytes.len() - 1] {
        check(&bytes[..cut], &format!("cut at {cut}"));
    }
    assert!(noticed > 100, "{noticed} noticed, {harmless} harmless");
}
