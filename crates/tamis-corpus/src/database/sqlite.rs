//! SQLite: one file, with the library compiled in.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, OpenFlags};

use super::value::{Param, Row, Value};
use crate::error::Error;

/// Longest wait of a statement for another process.
const BUSY_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 10_000 });
/// Cached prepared statements.
const CACHED_STATEMENTS: usize = 256;

/// Write-ahead logging: readers do not block the writer, and a killed process loses no committed data.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 67108864;";

pub(super) struct Connection {
    path: PathBuf,
    connection: rusqlite::Connection,
}

impl Connection {
    pub(super) fn open(path: &Path, create: bool) -> Result<Connection, Error> {
        if !create && !path.exists() {
            return Err(Error::Missing { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let flags = if create { flags | OpenFlags::SQLITE_OPEN_CREATE } else { flags };
        let failed = |error| convert(path, error);
        let connection = rusqlite::Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        // Otherwise SQLite replans statements for new parameter values, which took a fifth of the time.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
        connection.execute_batch(PRAGMAS).map_err(failed)?;
        Ok(Connection { path: path.to_owned(), connection })
    }

    pub(super) fn begin(&mut self) -> Result<(), Error> {
        // IMMEDIATE, because upgrading from reading to writing fails on a busy file without waiting.
        self.execute("BEGIN IMMEDIATE", &[]).map(|_| ())
    }

    pub(super) fn begin_reading(&mut self) -> Result<(), Error> {
        self.execute("BEGIN", &[]).map(|_| ())
    }

    pub(super) fn commit(&mut self) -> Result<(), Error> {
        self.execute("COMMIT", &[]).map(|_| ())
    }

    pub(super) fn roll_back(&mut self) {
        // After some errors SQLite has already rolled back.
        if !self.connection.is_autocommit() {
            let _ = self.execute("ROLLBACK", &[]);
        }
    }

    pub(super) fn execute(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<u64, Error> {
        let run = || {
            let mut statement = self.connection.prepare_cached(&numbered(sql))?;
            statement.execute(rusqlite::params_from_iter(parameters))
        };
        run().map(|changed| changed as u64).map_err(|error| convert(&self.path, error))
    }

    pub(super) fn execute_once(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<u64, Error> {
        let changed = self.connection.execute(&numbered(sql), rusqlite::params_from_iter(parameters));
        changed.map(|changed| changed as u64).map_err(|error| convert(&self.path, error))
    }

    pub(super) fn execute_script(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.execute_batch(sql).map_err(|error| convert(&self.path, error))
    }

    pub(super) fn for_each(
        &mut self,
        sql: &str,
        parameters: &[Param<'_>],
        mut take: impl FnMut(Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let failed = |error| convert(&self.path, error);
        let mut statement = self.connection.prepare_cached(&numbered(sql)).map_err(failed)?;
        let columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(parameters)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let mut values = Vec::with_capacity(columns);
            for column in 0..columns {
                values.push(match row.get_ref(column).map_err(failed)? {
                    ValueRef::Null => Value::Null,
                    ValueRef::Integer(number) => Value::Integer(number),
                    ValueRef::Real(number) => Value::Real(number),
                    ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
                    ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
                });
            }
            take(Row(values))?;
        }
        Ok(())
    }
}

/// Replaces `$1` by `?1`, since SQLite treats `$1` as a name and numbers names in order of appearance.
fn numbered(sql: &str) -> Cow<'_, str> {
    if sql.contains('$') { Cow::Owned(sql.replace('$', "?")) } else { Cow::Borrowed(sql) }
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Null => ValueRef::Null,
            Param::Integer(number) => ValueRef::Integer(*number),
            Param::Real(number) => ValueRef::Real(*number),
            Param::Text(text) => ValueRef::Text(text.as_bytes()),
            Param::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn convert(path: &Path, error: rusqlite::Error) -> Error {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy { path },
        Some(ErrorCode::NotADatabase) => Error::NotACorpus { target: path.display().to_string() },
        Some(ErrorCode::DatabaseCorrupt) => Error::Damaged { path, detail: error.to_string() },
        Some(ErrorCode::DiskFull) => Error::DiskFull { path },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Error::ReadOnly { path },
        Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => {
            Error::Unreadable { path, detail: error.to_string() }
        }
        _ => Error::Statement { detail: error.to_string() },
    }
}
