//! The database side of a run: threads that own a connection each and do what tasks ask of them, in order of arrival.
//!
//! SQLite has one writer, so one thread; PostgreSQL has several connections.

use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tamis_corpus::Corpus;
use tamis_corpus::database::Target;
use tokio::sync::oneshot;

use crate::error::Error;

type Job = Box<dyn FnOnce(&mut Corpus) + Send>;

/// A handle to the database threads.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Starts a thread for `first` and opens `connections - 1` more.
    pub(crate) fn start(first: Corpus, target: &Target, connections: usize) -> Result<Store, Error> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let mut corpora = vec![first];
        for _ in 1..connections {
            corpora.push(Corpus::open(target)?);
        }
        for mut corpus in corpora {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new().name("tamis-store".to_owned()).spawn(move || {
                loop {
                    let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    match job {
                        Ok(job) => job(&mut corpus),
                        Err(mpsc::RecvError) => return,
                    }
                }
            })?;
        }
        Ok(Store { jobs })
    }

    /// Runs `work` on a connection.
    pub(crate) async fn call<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Corpus) -> Result<R, Error> + Send + 'static,
    ) -> Result<R, Error> {
        let (answer, result) = oneshot::channel();
        let job: Job = Box::new(move |corpus| {
            // The asking task may be gone by now; its work counts all the same.
            let _ = answer.send(work(corpus));
        });
        self.jobs.send(job).map_err(|_| Error::StoreClosed)?;
        result.await.map_err(|_| Error::StoreClosed)?
    }
}
