//! One interface to SQLite and PostgreSQL: the same SQL text with `$1` parameters, the same values, the same errors.
//!
//! Statements are written once, in the subset that both databases understand. Where they differ (identity columns,
//! full-text search, row locks), callers ask for the [`Dialect`].

mod postgres;
mod sqlite;
mod target;
#[cfg(test)]
mod tests;
mod value;

use std::time::{Duration, Instant};

pub use target::Target;
pub use value::{FromValue, Param, Row, Value};

use crate::error::Error;

/// Which database it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// A SQLite file.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

/// Time limit for retrying a transaction after conflicts.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 5 } else { 30 });
/// Parameters per statement. PostgreSQL allows 65,535, SQLite 32,766; shorter statements are cached better.
const MAX_PARAMETERS: usize = 512;

/// A connection.
pub struct Database {
    connection: Connection,
}

enum Connection {
    Sqlite(sqlite::Connection),
    Postgres(Box<postgres::Connection>),
}

impl Database {
    /// Connects without checking the schema. Creates a missing SQLite file if `create` is set.
    pub fn connect(target: &Target, create: bool) -> Result<Database, Error> {
        let connection = match target {
            Target::Sqlite(path) => Connection::Sqlite(sqlite::Connection::open(path, create)?),
            Target::Postgres { .. } => Connection::Postgres(Box::new(postgres::Connection::open(target)?)),
        };
        Ok(Database { connection })
    }

    /// Which database it is.
    pub fn dialect(&self) -> Dialect {
        match self.connection {
            Connection::Sqlite(_) => Dialect::Sqlite,
            Connection::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs `work` in a read-only transaction. It sees a consistent snapshot and never blocks writers.
    pub fn read<R>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                connection.begin_reading()?;
                let done = work(&mut Transaction { connection: Inner::Sqlite(connection) });
                connection.roll_back();
                done
            }
            Connection::Postgres(connection) => {
                connection.reopen_if_closed()?;
                connection.begin_reading()?;
                let done = work(&mut Transaction { connection: Inner::Postgres(connection) });
                connection.roll_back();
                done
            }
        }
    }

    /// Runs `work` in a transaction that commits if it returns `Ok`.
    ///
    /// The transaction is retried after a conflict (a deadlock, a busy file) or a lost connection, so `work` must not
    /// have side effects outside the database.
    pub fn transaction<R>(
        &mut self,
        mut work: impl FnMut(&mut Transaction<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(5);
        loop {
            match self.attempt(&mut work) {
                Err(error) if error.is_transient() && start.elapsed() < PATIENCE => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_secs(1));
                    self.reconnect_if_closed();
                }
                done => return done,
            }
        }
    }

    fn attempt<R>(
        &mut self,
        work: &mut impl FnMut(&mut Transaction<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                connection.begin()?;
                let done = work(&mut Transaction { connection: Inner::Sqlite(connection) });
                // A commit that fails, as on a full disk, must not leave the transaction open either.
                let done = done.and_then(|done| connection.commit().map(|()| done));
                if done.is_err() {
                    connection.roll_back();
                }
                done
            }
            Connection::Postgres(connection) => {
                connection.begin()?;
                let done = work(&mut Transaction { connection: Inner::Postgres(connection) });
                let done = done.and_then(|done| connection.commit().map(|()| done));
                if done.is_err() {
                    connection.roll_back();
                }
                done
            }
        }
    }

    fn reconnect_if_closed(&mut self) {
        if let Connection::Postgres(connection) = &mut self.connection {
            // Still unreachable: the next attempt fails with the reason.
            let _ = connection.reopen_if_closed();
        }
    }
}

/// A transaction. Others see its effects after the commit.
pub struct Transaction<'c> {
    connection: Inner<'c>,
}

enum Inner<'c> {
    Sqlite(&'c mut sqlite::Connection),
    Postgres(&'c mut postgres::Connection),
}

impl Transaction<'_> {
    /// Which database it is.
    pub fn dialect(&self) -> Dialect {
        match self.connection {
            Inner::Sqlite(_) => Dialect::Sqlite,
            Inner::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement and returns the number of rows it changed.
    pub fn execute(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<u64, Error> {
        match &mut self.connection {
            Inner::Sqlite(connection) => connection.execute(sql, parameters),
            Inner::Postgres(connection) => connection.execute(sql, parameters),
        }
    }

    /// Like [`execute`](Self::execute), but does not cache the prepared statement.
    pub fn execute_once(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<u64, Error> {
        match &mut self.connection {
            Inner::Sqlite(connection) => connection.execute_once(sql, parameters),
            Inner::Postgres(connection) => connection.execute_once(sql, parameters),
        }
    }

    /// Runs several statements without parameters, such as migrations.
    pub fn execute_script(&mut self, sql: &str) -> Result<(), Error> {
        match &mut self.connection {
            Inner::Sqlite(connection) => connection.execute_script(sql),
            Inner::Postgres(connection) => connection.execute_script(sql),
        }
    }

    /// Passes every row of a query to `take`, without loading all of them into memory.
    pub fn for_each(
        &mut self,
        sql: &str,
        parameters: &[Param<'_>],
        take: impl FnMut(Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match &mut self.connection {
            Inner::Sqlite(connection) => connection.for_each(sql, parameters, take),
            Inner::Postgres(connection) => connection.for_each(sql, parameters, take),
        }
    }

    /// The rows of a query.
    pub fn query(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        self.for_each(sql, parameters, |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of a query.
    pub fn query_first(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<Option<Row>, Error> {
        Ok(self.query(sql, parameters)?.into_iter().next())
    }

    /// The first column of the first row of a query that always has one, such as a count.
    pub fn query_value<T: FromValue>(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<T, Error> {
        self.query_first(sql, parameters)?.ok_or(Error::Schema("a query returned no row"))?.get(0)
    }

    /// Inserts many rows with few statements. `head` is the SQL before `VALUES`, `tail` the SQL after the rows, and
    /// each row has `width` parameters. Returns the number of inserted rows.
    pub fn insert_many(
        &mut self,
        head: &str,
        width: usize,
        tail: &str,
        parameters: &[Param<'_>],
    ) -> Result<u64, Error> {
        let mut inserted = 0;
        for chunk in parameters.chunks((MAX_PARAMETERS / width).max(1) * width) {
            inserted += self.execute(&values_statement(head, width, tail, chunk.len() / width), chunk)?;
        }
        Ok(inserted)
    }

    /// Like [`insert_many`](Self::insert_many), with a `RETURNING` clause in `tail`.
    pub fn insert_many_returning(
        &mut self,
        head: &str,
        width: usize,
        tail: &str,
        parameters: &[Param<'_>],
    ) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        for chunk in parameters.chunks((MAX_PARAMETERS / width).max(1) * width) {
            rows.extend(self.query(&values_statement(head, width, tail, chunk.len() / width), chunk)?);
        }
        Ok(rows)
    }
}

fn values_statement(head: &str, width: usize, tail: &str, rows: usize) -> String {
    let mut sql = format!("{head} VALUES ");
    for row in 0..rows {
        sql.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..width {
            let comma = if column == 0 { "" } else { "," };
            sql.push_str(&format!("{comma}${}", row * width + column + 1));
        }
        sql.push(')');
    }
    sql.push(' ');
    sql.push_str(tail);
    sql
}
