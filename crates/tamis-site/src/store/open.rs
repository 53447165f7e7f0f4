//! Opening a file: creating it, waiting for other processes, checking its format.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use redb::{Builder, Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase};

use super::error::{Error, ResultOf, from_redb};
use super::rows::{META, OVERRIDES, PAGES, SCHEMA, SCHEMA_NAME, SITES};
use super::verify::verify;

/// Bytes of the cache. The default of `redb` is a gigabyte.
pub(super) const CACHE: usize = 32 << 20;
/// The pause between attempts while another process has the file.
pub(super) const PAUSE: Duration = Duration::from_millis(10);

/// Whether a file is checked before it is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    Whole,
    /// Checked before by this process.
    Trusted,
}

pub(super) fn writable(path: &Path, timeout: Duration, check: Check) -> Result<Database, Error> {
    if !path.exists() {
        create(path)?;
    } else if check == Check::Whole {
        verify(path, timeout)?;
    }
    let database = waiting(path, timeout, || builder().open(path))?;
    check_schema(path, &database)?;
    Ok(database)
}

pub(super) fn read_only(path: &Path, timeout: Duration, check: Check) -> Result<ReadOnlyDatabase, Error> {
    if !path.exists() {
        return Err(Error::Missing { path: path.to_owned() });
    }
    if check == Check::Whole {
        verify(path, timeout)?;
    }
    let open = || match builder().open_read_only(path) {
        // The last writer was interrupted: opening for writing repairs the file.
        Err(DatabaseError::RepairAborted) => {
            drop(builder().open(path)?);
            builder().open_read_only(path)
        }
        other => other,
    };
    let database = waiting(path, timeout, open)?;
    check_schema(path, &database)?;
    Ok(database)
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    builder
}

/// Retries until the file is free.
fn waiting<T>(
    path: &Path,
    timeout: Duration,
    open: impl Fn() -> Result<T, DatabaseError>,
) -> Result<T, Error> {
    let start = Instant::now();
    loop {
        match open() {
            Err(DatabaseError::DatabaseAlreadyOpen) if start.elapsed() < timeout => thread::sleep(PAUSE),
            Err(DatabaseError::DatabaseAlreadyOpen) => {
                return Err(Error::InUse { path: path.to_owned(), waited: timeout });
            }
            other => return other.map_err(|error| from_redb(path, error.into())),
        }
    }
}

/// Creates an empty file atomically.
fn create(path: &Path) -> Result<(), Error> {
    let mut new = path.as_os_str().to_owned();
    new.push(format!(".new-{}-{:?}", std::process::id(), thread::current().id()));
    let new = Path::new(&new);
    let io = |source: io::Error| Error::Io { path: path.to_owned(), source };
    let made = (|| -> Result<(), Error> {
        let database = builder().create(new).map_err(|error| match error.into() {
            redb::Error::Io(source) => io(source),
            error => from_redb(path, error),
        })?;
        let transaction = database.begin_write().of(path)?;
        transaction.open_table(META).of(path)?.insert(SCHEMA_NAME, SCHEMA).of(path)?;
        transaction.open_table(SITES).of(path)?;
        transaction.open_table(PAGES).of(path)?;
        transaction.open_table(OVERRIDES).of(path)?;
        transaction.commit().of(path)?;
        drop(database);
        // A link fails if another process has created the file meanwhile, which is as good.
        match fs::hard_link(new, path) {
            Ok(()) => Ok(()),
            Err(_) if path.exists() => Ok(()),
            // Not every file system has links.
            Err(_) => fs::rename(new, path).map_err(io),
        }
    })();
    let _ = fs::remove_file(new);
    made
}

/// An error unless the format version of the file is supported.
fn check_schema(path: &Path, database: &impl ReadableDatabase) -> Result<(), Error> {
    let not = |why: &str| Error::NotAMemory { path: path.to_owned(), why: why.to_owned() };
    let transaction = database.begin_read().of(path)?;
    let meta = match transaction.open_table(META) {
        Err(redb::TableError::Storage(error)) => return Err(from_redb(path, error.into())),
        Err(_) => return Err(not("a redb file of another program")),
        Ok(meta) => meta,
    };
    let schema = meta.get(SCHEMA_NAME).of(path)?.map(|schema| schema.value());
    match schema {
        Some(SCHEMA) => Ok(()),
        Some(schema) if schema > SCHEMA => Err(Error::Newer { path: path.to_owned(), schema, known: SCHEMA }),
        _ => Err(not("no supported format version")),
    }
}
