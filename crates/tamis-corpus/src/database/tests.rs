use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use super::*;
use crate::corpus::Corpus;
use crate::migrate::SCHEMA_VERSION;
use crate::params;
use crate::save::save_story;
use crate::testing::{for_each_database, on_postgres, story};

fn file(folder: &tempfile::TempDir) -> Target {
    Target::Sqlite(folder.path().join("corpus.db"))
}

fn path(target: &Target) -> &Path {
    match target {
        Target::Sqlite(path) => path,
        Target::Postgres { .. } => unreachable!("tests of files"),
    }
}

#[test]
fn values_come_back_as_they_were_written() {
    for_each_database(|mut corpus| {
        corpus
            .transaction(|tx| {
                tx.execute_script(
                    "CREATE TABLE kind (a BIGINT, b TEXT, c BYTEA, d DOUBLE PRECISION, e INTEGER)",
                )?;
                let sql = "INSERT INTO kind (a, b, c, d, e) VALUES ($1, $2, $3, $4, $5)";
                tx.execute(sql, params![i64::MIN, "雨", &[0_u8, 255][..], 1.5_f32, true])?;
                tx.execute(sql, &[Param::Null; 5])
            })
            .unwrap();
        let rows =
            corpus.read(|tx| tx.query("SELECT a, b, c, d, e FROM kind ORDER BY b IS NULL", &[])).unwrap();
        let (a, b, c, d, e): (i64, String, Vec<u8>, f64, bool) = (
            rows[0].get(0).unwrap(),
            rows[0].get(1).unwrap(),
            rows[0].get(2).unwrap(),
            rows[0].get(3).unwrap(),
            rows[0].get(4).unwrap(),
        );
        assert_eq!((a, b.as_str(), c.as_slice(), d, e), (i64::MIN, "雨", &[0, 255][..], 1.5, true));
        assert!((0..5).all(|column| matches!(rows[1].get::<Option<i64>>(column), Ok(None))));
    });
}

#[test]
fn a_failed_transaction_leaves_nothing() {
    for_each_database(|mut corpus| {
        let failed = corpus.transaction(|tx| {
            save_story(tx, &story("https://example.com/", "Rain", "It rained."), 10)?;
            tx.execute("INSERT INTO nowhere VALUES (1)", &[])
        });
        assert!(matches!(failed, Err(Error::Statement { .. })), "{failed:?}");
        let count: i64 = corpus.read(|tx| tx.query_value("SELECT count(*) FROM story", &[])).unwrap();
        assert_eq!(count, 0);
    });
}

#[test]
fn values_that_do_not_fit_their_column_are_errors_at_once() {
    on_postgres(|target| {
        let mut corpus = Corpus::open(target).unwrap();
        let failed = corpus.transaction(|tx| {
            let sql =
                "INSERT INTO robots (origin, fetched, expires, status, body) VALUES ('a', 1, 1, $1, '')";
            tx.execute(sql, params![i64::MAX])
        });
        assert!(matches!(failed, Err(Error::Statement { .. })), "{failed:?}");
    });
}

#[test]
fn opening_twice_migrates_once() {
    for_each_database(|mut corpus| {
        corpus
            .transaction(|tx| save_story(tx, &story("https://example.com/", "Rain", "It rained."), 10))
            .unwrap();
        let mut again = Corpus::open(corpus.target()).unwrap();
        let sql = "SELECT source, title, update_time FROM news";
        let row = again.read(|tx| tx.query_first(sql, &[])).unwrap().unwrap();
        let columns: Vec<String> = (0..3).map(|column| row.get(column).unwrap()).collect();
        assert_eq!(columns, ["example.com", "Rain", "1970-01-01T00:00:00Z"]);
    });
}

#[test]
fn former_page_types_are_migrated() {
    for_each_database(|mut corpus| {
        corpus
            .transaction(|tx| {
                for (number, page_type) in ["article", "q&a", "multi-body", "pictures"].iter().enumerate() {
                    let url = format!("https://example.com/{number}");
                    let mut draft = story(&url, "Rain", &format!("It rained on day {number}."));
                    draft.page_type = Some((*page_type).to_owned());
                    save_story(tx, &draft, 10)?;
                }
                tx.execute("UPDATE tamis_schema SET version = 1", &[])
            })
            .unwrap();
        let mut again = Corpus::open(corpus.target()).unwrap();
        let rows = again.read(|tx| tx.query("SELECT page_type FROM story ORDER BY id", &[])).unwrap();
        let page_types: Vec<String> = rows.iter().map(|row| row.get(0).unwrap()).collect();
        assert_eq!(page_types, ["article", "forum", "other", "other"]);
    });
}

#[test]
fn newer_schemas_are_refused() {
    for_each_database(|mut corpus| {
        let newer = SCHEMA_VERSION + 1;
        corpus.transaction(|tx| tx.execute("UPDATE tamis_schema SET version = $1", params![newer])).unwrap();
        let error = Corpus::open(corpus.target()).unwrap_err();
        assert!(matches!(error, Error::NewerSchema { found, .. } if found == newer), "{error}");
    });
}

#[test]
fn what_is_no_corpus_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let target = file(&folder);
    let missing = Corpus::open(&target).unwrap_err();
    assert!(matches!(missing, Error::Missing { .. }) && !path(&target).exists(), "{missing}");

    let letter = "Dear aunt, it rained again, and the gardens are glad of it. ".repeat(20);
    fs::write(path(&target), &letter).unwrap();
    let error = Corpus::open_or_create(&target).unwrap_err();
    assert!(matches!(error, Error::NotACorpus { .. }), "{error}");
    assert_eq!(fs::read_to_string(path(&target)).unwrap(), letter);

    fs::remove_file(path(&target)).unwrap();
    let mut other = Database::connect(&target, true).unwrap();
    other.transaction(|tx| tx.execute_script("CREATE TABLE letter (text TEXT)")).unwrap();
    let error = Corpus::open_or_create(&target).unwrap_err();
    assert!(matches!(error, Error::NotACorpus { .. }), "{error}");

    let inside_a_file = Target::Sqlite(path(&target).join("corpus.db"));
    let error = Corpus::open_or_create(&inside_a_file).unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
}

#[test]
fn damage_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let target = file(&folder);
    let mut corpus = Corpus::open_or_create(&target).unwrap();
    corpus
        .transaction(|tx| {
            for number in 0..300 {
                let draft = story(
                    &format!("https://example.com/{number}"),
                    "Rain",
                    &format!("Rain {number}. ").repeat(50),
                );
                save_story(tx, &draft, 10)?;
            }
            Ok(())
        })
        .unwrap();
    drop(corpus);
    // Overwrite everything after the pages of the schema, which come first.
    let mut bytes = OpenOptions::new().write(true).open(path(&target)).unwrap();
    let length = bytes.metadata().unwrap().len();
    let start = 64 * 4096;
    bytes.seek(SeekFrom::Start(start)).unwrap();
    bytes.write_all(&vec![0xA5; (length - start) as usize]).unwrap();
    drop(bytes);
    let read = Corpus::open(&target).and_then(|mut corpus| {
        corpus.read(|tx| tx.query_value::<i64>("SELECT sum(length(text)) FROM story", &[]))
    });
    assert!(matches!(read, Err(Error::Damaged { .. })), "{read:?}");
}

#[test]
fn a_locked_file_is_reported_after_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let target = file(&folder);
    let mut corpus = Corpus::open_or_create(&target).unwrap();
    let other = rusqlite::Connection::open(path(&target)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    let failed = corpus.transaction(|tx| tx.execute("DELETE FROM story", &[]));
    assert!(matches!(failed, Err(Error::Busy { .. })) && start.elapsed() >= PATIENCE, "{failed:?}");
    let stories: i64 = corpus.read(|tx| tx.query_value("SELECT count(*) FROM story", &[])).unwrap();
    assert_eq!(stories, 0, "readers do not wait for writers");
    other.execute_batch("ROLLBACK").unwrap();
    corpus.transaction(|tx| tx.execute("DELETE FROM story", &[])).unwrap();
}

#[test]
fn a_full_disk_is_reported_and_costs_one_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let mut corpus = Corpus::open_or_create(&file(&folder)).unwrap();
    let save = |corpus: &mut Corpus, number: usize| {
        let draft =
            story(&format!("https://example.com/{number}"), "Rain", &format!("Rain {number}. ").repeat(500));
        corpus.transaction(|tx| save_story(tx, &draft, 10)).map(|_| ())
    };
    save(&mut corpus, 0).unwrap();
    // Simulates a full disk: SQLite fails with the same code.
    let pages: i64 = corpus.read(|tx| tx.query_value("PRAGMA page_count", &[])).unwrap();
    let limit =
        |tx: &mut Transaction<'_>, pages: i64| tx.query(&format!("PRAGMA max_page_count = {pages}"), &[]);
    corpus.read(|tx| limit(tx, pages + 5)).unwrap();
    let (saved, error) =
        (1..100).find_map(|number| save(&mut corpus, number).err().map(|error| (number, error))).unwrap();
    assert!(matches!(error, Error::DiskFull { .. }), "{error}");
    corpus.read(|tx| limit(tx, 1_000_000)).unwrap();
    let count: i64 = corpus.read(|tx| tx.query_value("SELECT count(*) FROM story", &[])).unwrap();
    assert_eq!(count, saved as i64);
    save(&mut corpus, saved).unwrap();
}

#[test]
fn unreachable_servers_are_named_without_their_password() {
    let target: Target = "postgres://ada:secret@127.0.0.1:1/news".parse().unwrap();
    let error = Corpus::open(&target).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[cfg(unix)]
#[test]
fn read_only_files_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let target = file(&folder);
    drop(Corpus::open_or_create(&target).unwrap());
    fs::set_permissions(path(&target), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let writable = OpenOptions::new().write(true).open(path(&target)).is_ok();
    let opened = Corpus::open(&target)
        .and_then(|mut corpus| corpus.transaction(|tx| tx.execute("DELETE FROM story", &[])));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if writable {
        println!("skipped: the superuser may write everywhere");
        return;
    }
    assert!(matches!(opened, Err(Error::ReadOnly { .. } | Error::Unreadable { .. })), "{opened:?}");
}
