//! Database threads of a run: each owns a connection and executes the tasks' jobs in order of arrival.
//!
//! SQLite has a single writer, hence one thread; PostgreSQL has several. The SQLite thread commits all waiting visits
//! in one transaction, which is faster than one commit each.

use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tamis_corpus::Corpus;
use tamis_corpus::database::{Target, Transaction};
use tokio::sync::oneshot;

use crate::error::Error;

/// Most visits per transaction.
const MAX_GROUP: usize = 32;

type Call = Box<dyn FnOnce(&mut Corpus) + Send>;
type Group = Vec<Box<dyn Commit>>;

enum Job {
    Call(Call),
    Commit(Box<dyn Commit>),
}

/// Work in a transaction, and the task that waits for its result.
trait Commit: Send {
    /// Runs the work in a transaction, which may be retried.
    fn run(&mut self, tx: &mut Transaction<'_>) -> Result<(), tamis_corpus::Error>;
    /// Returns the result to the task after the transaction.
    fn answer(self: Box<Self>, done: Result<(), tamis_corpus::Error>);
}

struct Waiting<W, R> {
    work: W,
    result: Option<R>,
    answer: oneshot::Sender<Result<R, Error>>,
}

impl<R: Send, W: FnMut(&mut Transaction<'_>) -> Result<R, tamis_corpus::Error> + Send> Commit
    for Waiting<W, R>
{
    fn run(&mut self, tx: &mut Transaction<'_>) -> Result<(), tamis_corpus::Error> {
        self.result = Some((self.work)(tx)?);
        Ok(())
    }

    fn answer(self: Box<Self>, done: Result<(), tamis_corpus::Error>) {
        let Waiting { result, answer, .. } = *self;
        let result = done.map_err(Error::from).and_then(|()| result.ok_or(Error::StoreClosed));
        // The task may be gone; its work is committed anyway.
        let _ = answer.send(result);
    }
}

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
        // Concurrent transactions wait for each other's rows, so they are kept short.
        let max_group = if connections == 1 { MAX_GROUP } else { 1 };
        for mut corpus in corpora {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new().name("tamis-store".to_owned()).spawn(move || {
                while let Some((group, call)) = next_jobs(&queue, max_group) {
                    commit(&mut corpus, group);
                    if let Some(call) = call {
                        call(&mut corpus);
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
        let job = Job::Call(Box::new(move |corpus| {
            // As above.
            let _ = answer.send(work(corpus));
        }));
        self.jobs.send(job).map_err(|_| Error::StoreClosed)?;
        result.await.map_err(|_| Error::StoreClosed)?
    }

    /// Runs `work` atomically, in its own transaction or together with other work. `work` may be retried.
    pub(crate) async fn commit<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut Transaction<'_>) -> Result<R, tamis_corpus::Error> + Send + 'static,
    ) -> Result<R, Error> {
        let (answer, result) = oneshot::channel();
        let job = Job::Commit(Box::new(Waiting { work, result: None, answer }));
        self.jobs.send(job).map_err(|_| Error::StoreClosed)?;
        result.await.map_err(|_| Error::StoreClosed)?
    }
}

/// The waiting commits, and the first other job after them. `None` when the run is over.
fn next_jobs(queue: &Mutex<mpsc::Receiver<Job>>, max_group: usize) -> Option<(Group, Option<Call>)> {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    let mut group = Vec::new();
    let mut job = queue.recv().ok();
    loop {
        match job? {
            Job::Call(call) => return Some((group, Some(call))),
            Job::Commit(commit) => group.push(commit),
        }
        job = if group.len() < max_group { queue.try_recv().ok() } else { None };
        if job.is_none() {
            return Some((group, None));
        }
    }
}

fn commit(corpus: &mut Corpus, mut group: Group) {
    let together = group.len() > 1
        && corpus.transaction(|tx| group.iter_mut().try_for_each(|commit| commit.run(tx))).is_ok();
    for mut commit in group {
        // A failing commit must not abort the others.
        let done = if together { Ok(()) } else { corpus.transaction(|tx| commit.run(tx)) };
        commit.answer(done);
    }
}
