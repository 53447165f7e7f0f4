//! Errors that end a run. Failures of single pages are recorded in their history instead.

/// Why a corpus cannot be collected into or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The corpus failed.
    #[error(transparent)]
    Corpus(#[from] tamis_corpus::Error),
    /// The HTTP client could not be built.
    #[error("cannot set up the HTTP client: {0}")]
    Client(#[from] tamis_fetch::Error),
    /// An include or exclude pattern is invalid.
    #[error(transparent)]
    Scope(#[from] crate::scope::ScopeError),
    /// A seed is not a URL that can be fetched.
    #[error("{0:?} is not an http:// or https:// URL")]
    Seed(String),
    /// Another process collects into the same file.
    #[error("another process is collecting into {0}")]
    Running(String),
    /// There are no seeds.
    #[error("the corpus has no sites to collect")]
    NoSeeds,
    /// The machine's clock is far behind the latest time in the corpus.
    #[error("the corpus was last updated {0} days in the future of this machine's clock")]
    Clock(i64),
    /// The thread that owns the database is gone.
    #[error("the database thread ended unexpectedly")]
    StoreClosed,
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}
