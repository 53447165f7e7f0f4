//! What the server keeps: connections to the corpus, the turn at the site memory, the training.

use std::sync::{Arc, Mutex};

use crate::config::{Config, SetupError};
use crate::routes::training::Training;

/// What requests on kept things share.
#[derive(Debug, Default)]
pub(crate) struct Data {
    #[cfg(feature = "corpus")]
    pub(crate) corpus: Option<Arc<connections::Connections>>,
    /// Held while the file of the site memory is open.
    pub(crate) sites: Arc<Mutex<()>>,
    pub(crate) training: Arc<Mutex<Training>>,
}

impl Data {
    pub(crate) fn open(config: &Config) -> Result<Data, SetupError> {
        #[cfg(not(feature = "corpus"))]
        let _ = config;
        Ok(Data {
            #[cfg(feature = "corpus")]
            corpus: config.db.clone().map(connections::Connections::open).transpose()?.map(Arc::new),
            ..Data::default()
        })
    }
}

#[cfg(feature = "corpus")]
pub(crate) mod connections {
    use std::sync::{Mutex, PoisonError};

    use tamis_corpus::database::{Target, Transaction};
    use tamis_corpus::{Corpus, Error};

    /// Connections to the corpus that nobody uses at the moment. There are never more than threads of the pool.
    #[derive(Debug)]
    pub(crate) struct Connections {
        target: Target,
        free: Mutex<Vec<Corpus>>,
    }

    impl Connections {
        /// Opens the first connection, so that a wrong target is known at the start.
        pub(crate) fn open(target: Target) -> Result<Connections, Error> {
            // A PostgreSQL connection has a runtime of its own, which must not start inside of another.
            let open = |target: Target| std::thread::spawn(move || Corpus::open(&target)).join();
            let first = open(target.clone()).map_err(|_| Error::Schema("opening the corpus failed"))??;
            Ok(Connections { target, free: Mutex::new(vec![first]) })
        }

        /// Runs `work` in a transaction that only reads. Blocks.
        pub(crate) fn read<R>(
            &self,
            work: impl FnOnce(&mut Transaction<'_>) -> Result<R, Error>,
        ) -> Result<R, Error> {
            let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut corpus = match free {
                Some(corpus) => corpus,
                None => Corpus::open(&self.target)?,
            };
            let done = corpus.read(work);
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(corpus);
            done
        }
    }

    impl Drop for Connections {
        /// Ends the runtimes of PostgreSQL connections outside of the server's.
        fn drop(&mut self) {
            let free = std::mem::take(&mut *self.free.lock().unwrap_or_else(PoisonError::into_inner));
            let _ = std::thread::spawn(move || drop(free)).join();
        }
    }
}
