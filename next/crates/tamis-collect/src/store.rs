//! The database side of a run: threads that own a connection each and do what tasks ask of them, in order of arrival.
//!
//! SQLite has one writer, so one thread; PostgreSQL has several connections. The one writer commits the visits that are
//! waiting together, which takes less than one commit for each.

use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tamis_corpus::Corpus;
use tamis_corpus::database::{Target, Transaction};
use tokio::sync::oneshot;

use crate::error::Error;

/// Visits that are committed together at most.
const MAX_GROUP: usize = 32;

type Call = Box<dyn FnOnce(&mut Corpus) + Send>;
type Group = Vec<Box<dyn Commit>>;

enum Job {
    Call(Call),
    Commit(Box<dyn Commit>),
}

/// Work inside of a transaction, and somebody who waits for it.
trait Commit: Send {
    /// Runs in a transaction, which may be repeated.
    fn run(&mut self, tx: &mut Transaction<'_>) -> Result<(), tamis_corpus::Error>;
    /// Hands over what the work returned, once the transaction is over.
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
        // The asking task may be gone by now; its work counts all the same.
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
        // Transactions of several writers wait for each other's rows, so theirs stay short.
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

    /// Runs `work` in a transaction, of its own or together with what others commit. Either way all of it takes effect
    /// or nothing. `work` may be repeated.
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

/// The commits that are waiting, up to another job, and that one. `None` when the run is over.
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
        // What fails must not take others with it.
        let done = if together { Ok(()) } else { corpus.transaction(|tx| commit.run(tx)) };
        commit.answer(done);
    }
}
