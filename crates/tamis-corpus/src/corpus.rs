//! An open corpus: a connection whose schema is up to date.

use crate::database::{Database, Dialect, Target, Transaction};
use crate::error::Error;
use crate::migrate;

/// One connection to a corpus.
///
/// ```
/// use tamis_corpus::{Corpus, Draft, save_story};
///
/// let file = std::env::temp_dir().join(format!("tamis-doc-{}.db", std::process::id()));
/// let target = file.display().to_string().parse()?;
/// let mut corpus = Corpus::open_or_create(&target)?;
/// let mut draft = Draft::new("https://example.com/rain");
/// draft.text = "It rained in the harbour.\n".to_owned();
/// let saved = corpus.transaction(|tx| save_story(tx, &draft, 1_000))?;
/// let host: String = corpus.read(|tx| tx.query_value("SELECT host FROM story", &[]))?;
/// assert_eq!((saved.story_id, host.as_str()), (1, "example.com"));
/// # drop(corpus);
/// # std::fs::remove_file(file)?;
/// # Ok::<(), tamis_corpus::Error>(())
/// ```
pub struct Corpus {
    target: Target,
    database: Database,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Corpus({})", self.target)
    }
}

impl Corpus {
    /// Opens an existing corpus and migrates its schema. A newer schema is refused.
    ///
    /// An empty PostgreSQL database becomes a corpus, since creating it was an explicit decision.
    pub fn open(target: &Target) -> Result<Corpus, Error> {
        Corpus::connect(target, false)
    }

    /// Like [`open`](Self::open), but creates a missing SQLite file.
    pub fn open_or_create(target: &Target) -> Result<Corpus, Error> {
        Corpus::connect(target, true)
    }

    fn connect(target: &Target, create: bool) -> Result<Corpus, Error> {
        let mut database = Database::connect(target, create)?;
        migrate::run(&mut database, target)?;
        Ok(Corpus { target: target.clone(), database })
    }

    /// The location of the corpus.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The kind of database.
    pub fn dialect(&self) -> Dialect {
        self.database.dialect()
    }

    /// Runs `work` in a read-only transaction; see [`Database::read`].
    pub fn read<R>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.database.read(work)
    }

    /// Runs `work` in a transaction that commits if it returns `Ok`; see [`Database::transaction`].
    pub fn transaction<R>(
        &mut self,
        work: impl FnMut(&mut Transaction<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.database.transaction(work)
    }
}
