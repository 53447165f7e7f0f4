//! PostgreSQL: one connection, with TLS if the server requires it.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use postgres::{Client, Config, Statement};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::target::Target;
use super::value::{Param, Row, Value};
use crate::error::Error;

/// Cached prepared statements; more than the program has.
const CACHED_STATEMENTS: usize = 512;

pub(super) struct Connection {
    target: Target,
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Connection {
    pub(super) fn open(target: &Target) -> Result<Connection, Error> {
        let client = connect(target)?;
        Ok(Connection { target: target.clone(), client, statements: HashMap::new() })
    }

    pub(super) fn reopen_if_closed(&mut self) -> Result<(), Error> {
        if self.client.is_closed() {
            self.statements.clear();
            self.client = connect(&self.target)?;
        }
        Ok(())
    }

    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.execute_script("BEGIN")
    }

    pub(super) fn begin_reading(&mut self) -> Result<(), Error> {
        self.execute_script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }

    pub(super) fn commit(&mut self) -> Result<(), Error> {
        self.execute_script("COMMIT")
    }

    pub(super) fn roll_back(&mut self) {
        // The server rolls back the transaction of a lost connection.
        let _ = self.execute_script("ROLLBACK");
    }

    pub(super) fn execute(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<u64, Error> {
        let statement = self.prepare(sql)?;
        let parameters = references(parameters);
        self.client.execute(&statement, &parameters).map_err(|error| convert(&self.target, &error))
    }

    pub(super) fn execute_once(&mut self, sql: &str, parameters: &[Param<'_>]) -> Result<u64, Error> {
        self.client.execute(sql, &references(parameters)).map_err(|error| convert(&self.target, &error))
    }

    pub(super) fn execute_script(&mut self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| convert(&self.target, &error))
    }

    pub(super) fn for_each(
        &mut self,
        sql: &str,
        parameters: &[Param<'_>],
        mut take: impl FnMut(Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let statement = self.prepare(sql)?;
        let target = &self.target;
        let failed = |error: postgres::Error| convert(target, &error);
        let mut rows = self.client.query_raw(&statement, references(parameters)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let values = (0..row.len()).map(|column| value(&row, column)).collect::<Result<Vec<_>, _>>();
            take(Row(values.map_err(failed)?))?;
        }
        Ok(())
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).map_err(|error| convert(&self.target, &error))?;
        if self.statements.len() >= CACHED_STATEMENTS {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn connect(target: &Target) -> Result<Client, Error> {
    let Target::Postgres { url, .. } = target else { return Err(Error::Schema("not a PostgreSQL URL")) };
    let mut config: Config = url.parse().map_err(|error: postgres::Error| Error::Unreachable {
        target: target.to_string(),
        detail: reason(&error),
    })?;
    config.connect_timeout(Duration::from_secs(10)).application_name("tamis");
    if config.get_options().is_none() {
        // JIT compilation takes longer than any of our statements.
        config.options("-c jit=off");
    }
    let unusable =
        |error: rustls::Error| Error::Unreachable { target: target.to_string(), detail: error.to_string() };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_platform_verifier())
        .map_err(unusable)?
        .with_no_client_auth();
    config
        .connect(MakeRustlsConnect::new(tls))
        .map_err(|error| Error::Unreachable { target: target.to_string(), detail: reason(&error) })
}

fn references<'p>(parameters: &'p [Param<'p>]) -> Vec<&'p (dyn ToSql + Sync)> {
    parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect()
}

fn value(row: &postgres::Row, column: usize) -> Result<Value, postgres::Error> {
    fn or_null<T>(value: Option<T>, make: impl FnOnce(T) -> Value) -> Value {
        value.map_or(Value::Null, make)
    }
    Ok(match *row.columns()[column].type_() {
        Type::BOOL => or_null(row.try_get(column)?, |it: bool| Value::Integer(it.into())),
        Type::INT2 => or_null(row.try_get(column)?, |it: i16| Value::Integer(it.into())),
        Type::INT4 => or_null(row.try_get(column)?, |it: i32| Value::Integer(it.into())),
        Type::INT8 => or_null(row.try_get(column)?, Value::Integer),
        Type::FLOAT4 => or_null(row.try_get(column)?, |it: f32| Value::Real(it.into())),
        Type::FLOAT8 => or_null(row.try_get(column)?, Value::Real),
        Type::BYTEA => or_null(row.try_get(column)?, Value::Blob),
        _ => or_null(row.try_get(column)?, Value::Text),
    })
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match *self {
            Param::Null => Ok(IsNull::Yes),
            Param::Integer(number) => match *kind {
                Type::BOOL => (number != 0).to_sql(kind, out),
                Type::INT2 => i16::try_from(number)?.to_sql(kind, out),
                Type::INT4 => i32::try_from(number)?.to_sql(kind, out),
                Type::FLOAT8 => (number as f64).to_sql(kind, out),
                _ => number.to_sql(kind, out),
            },
            Param::Real(number) => match *kind {
                Type::FLOAT4 => (number as f32).to_sql(kind, out),
                _ => number.to_sql(kind, out),
            },
            // PostgreSQL cannot store NUL in TEXT.
            Param::Text(text) if text.contains('\0') => text.replace('\0', "\u{FFFD}").to_sql(kind, out),
            Param::Text(text) => text.to_sql(kind, out),
            Param::Blob(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn convert(target: &Target, error: &postgres::Error) -> Error {
    let target = target.to_string();
    match error.code().map(|code| code.code()) {
        Some("40001" | "40P01" | "55P03") => Error::Conflict { detail: reason(error) },
        Some("53100") => Error::ServerFull { target, detail: reason(error) },
        Some(code) if code.starts_with("57P0") || code.starts_with("08") => {
            Error::Disconnected { target, detail: reason(error) }
        }
        None if error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()) => {
            Error::Disconnected { target, detail: reason(error) }
        }
        // Not transient, such as a value that does not fit its column.
        _ => Error::Statement { detail: reason(error) },
    }
}

/// The server's message; the crate's own is only "db error".
fn reason(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(server) => server.message().to_owned(),
        None => error.source().map_or_else(|| error.to_string(), |source| source.to_string()),
    }
}
