//! Remedies for errors of a corpus.

use anyhow::anyhow;
use tamis_corpus::Error;

/// The error with its remedy.
pub(crate) fn remedy(error: Error) -> anyhow::Error {
    let next = match &error {
        Error::Target { .. } => "give --db a file, or postgres://USER@HOST/DATABASE",
        Error::Missing { .. } => {
            "run `tamis collect add URL` or `tamis corpus import FILE` to create a corpus, or name another one with --db"
        }
        Error::Busy { .. } => "wait for the other process, or stop it",
        Error::NotACorpus { .. } => "name another file or database with --db",
        Error::NewerSchema { .. } => "update tamis",
        Error::Damaged { .. } => {
            "restore a backup, or save what is left with `sqlite3 FILE .recover | sqlite3 NEW`"
        }
        Error::DiskFull { .. } | Error::ServerFull { .. } => {
            "free some space and run the same command again; nothing that was stored is lost"
        }
        Error::ReadOnly { .. } => "check who may write to the file and its folder",
        Error::Unreadable { .. } => "check that the folder exists and who may read it",
        Error::Unreachable { .. } => "check the URL, that the server runs, and the user's rights",
        Error::Disconnected { .. } | Error::Conflict { .. } => "run the same command again",
        // The caller looks for broken pipes in the source.
        Error::Io(_) => return anyhow::Error::new(error),
        _ => "please report it",
    };
    anyhow!("{error}; {next}")
}
