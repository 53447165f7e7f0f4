//! Errors of a corpus. They carry data; the command adds remedies.

use std::path::PathBuf;

/// Why an operation on a corpus failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The target is neither a path nor a PostgreSQL URL.
    #[error("a corpus is a file or a postgres:// URL, not {target}")]
    Target {
        /// The given target.
        target: String,
    },
    /// There is no such file.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another process kept the file locked until the timeout.
    #[error("{} is locked by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file or database is not a corpus.
    #[error("{target} is not a Tamis corpus")]
    NotACorpus {
        /// The file or server.
        target: String,
    },
    /// The corpus was written by a newer version.
    #[error("{target} has schema version {found}; this version of tamis supports versions up to {supported}")]
    NewerSchema {
        /// The file or server.
        target: String,
        /// The version found.
        found: i64,
        /// The newest supported version.
        supported: i64,
    },
    /// The file is damaged.
    #[error("{} is damaged: {detail}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        detail: String,
    },
    /// No space is left.
    #[error("no space is left on the disk of {}", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// No space is left on the server.
    #[error("{target}: {detail}")]
    ServerFull {
        /// The server.
        target: String,
        /// The server's message.
        detail: String,
    },
    /// The file cannot be written.
    #[error("{} is read-only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot open {}: {detail}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        detail: String,
    },
    /// The server cannot be reached or refuses the connection.
    #[error("cannot connect to {target}: {detail}")]
    Unreachable {
        /// The server.
        target: String,
        /// Why.
        detail: String,
    },
    /// The connection was lost.
    #[error("lost the connection to {target}: {detail}")]
    Disconnected {
        /// The server.
        target: String,
        /// Why.
        detail: String,
    },
    /// A conflict with another transaction.
    #[error("conflict with another transaction: {detail}")]
    Conflict {
        /// The server's message.
        detail: String,
    },
    /// A statement failed.
    #[error("database error: {detail}")]
    Statement {
        /// The database's message.
        detail: String,
    },
    /// A table has an unexpected form.
    #[error("unexpected schema: {0}")]
    Schema(&'static str),
    /// Input or output failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Error {
    /// Whether a retry of the transaction may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, Error::Busy { .. } | Error::Conflict { .. } | Error::Disconnected { .. })
    }
}
