//! Fresh corpora for tests, on every available database.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::corpus::Corpus;
use crate::database::{Database, Target};
use crate::draft::Draft;

/// Runs a test on a SQLite file, and on PostgreSQL if `TAMIS_POSTGRES` has the URL of a server.
pub(crate) fn for_each_database(test: impl Fn(Corpus)) {
    let folder = tempfile::tempdir().unwrap();
    test(Corpus::open_or_create(&Target::Sqlite(folder.path().join("corpus.db"))).unwrap());
    on_postgres(|target| test(Corpus::open_or_create(target).unwrap()));
}

/// Runs a test with a new, empty PostgreSQL database, which is dropped afterwards.
pub(crate) fn on_postgres(test: impl FnOnce(&Target)) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let Ok(server) = std::env::var("TAMIS_POSTGRES") else {
        println!("skipped: TAMIS_POSTGRES is not set");
        return;
    };
    let name = format!("tamis_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut url = url::Url::parse(&server).unwrap();
    let created = Created::new(server.parse().unwrap(), name.clone());
    url.set_path(&name);
    test(&url.as_str().parse().unwrap());
    drop(created);
}

/// A database that is dropped after the test, even if it fails.
struct Created {
    server: Target,
    name: String,
}

impl Created {
    fn new(server: Target, name: String) -> Created {
        let created = Created { server, name };
        created.run(&format!("CREATE DATABASE {}", created.name));
        created
    }

    /// Databases cannot be created in a transaction, so an open one is closed first.
    fn run(&self, sql: &str) {
        let mut server = Database::connect(&self.server, false).unwrap();
        let run = server.read(|tx| {
            tx.execute_script("COMMIT")?;
            tx.execute_script(sql)
        });
        run.unwrap();
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        self.run(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

/// A story with a unique text.
pub(crate) fn story(url: &str, title: &str, text: &str) -> Draft {
    let mut draft = Draft::new(url);
    draft.title = Some(title.to_owned());
    draft.text = format!("{text}\n");
    draft.markdown = format!("{text}\n");
    draft.extractor = "test".to_owned();
    draft
}
