//! A pipeline: one thread reads, several work, and the caller takes the results, in order or as they complete.
//!
//! The reader waits if it is too far ahead of the caller, in items or bytes, so memory is bounded for any input and
//! however slow a page is.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use crate::error::Error;
use crate::input_fields::InputFields;
use crate::inputs::Inputs;
use crate::item::{Item, Mark};
use crate::items::{Items, weight};

/// Items in flight per thread.
const AHEAD: usize = 32;
/// Bytes of pages in flight.
const MAX_BYTES: usize = 48 << 20;

/// Observes a run from outside, and stops it.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    pub(crate) read: AtomicU64,
    pub(crate) pages: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) bytes: AtomicU64,
}

impl Watch {
    /// Lets the run finish the pages in flight and end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Bytes of input read so far, compressed.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Finished pages.
    pub fn pages(&self) -> u64 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Pages that failed.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Decompressed bytes of the finished pages.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// The source of items, and the position to start from.
pub(crate) struct Reading<'r> {
    pub(crate) inputs: &'r Inputs,
    pub(crate) fields: &'r InputFields,
    pub(crate) most: u32,
    pub(crate) mark: Mark,
    pub(crate) next: u64,
    pub(crate) done: &'r HashSet<u64>,
}

/// A finished item.
pub(crate) struct Finished<R> {
    /// The item's number in the run.
    pub(crate) number: u64,
    /// The position after it.
    pub(crate) mark: Mark,
    pub(crate) result: R,
}

struct Shared<T> {
    lock: Mutex<Flow<T>>,
    changed: Condvar,
}

struct Flow<T> {
    queue: VecDeque<(u64, usize, T)>,
    /// Items and bytes in flight.
    items: usize,
    bytes: usize,
    ended: bool,
}

impl<T> Shared<T> {
    fn flow(&self) -> MutexGuard<'_, Flow<T>> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, flow: MutexGuard<'a, Flow<T>>) -> MutexGuard<'a, Flow<T>> {
        self.changed.wait(flow).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The order of results.
pub(crate) struct Order<'o> {
    /// In the order of the items, or as they complete.
    pub(crate) ordered: bool,
    /// The number of the first item.
    pub(crate) next: u64,
    /// Numbers of items that are already done and skipped.
    pub(crate) done: &'o HashSet<u64>,
}

/// Runs all items through `work`. An error of `take` ends the run.
pub(crate) fn run<R: Send>(
    reading: &Reading<'_>,
    threads: usize,
    ordered: bool,
    watch: &Watch,
    work: impl Fn(Item) -> R + Sync,
    mut take: impl FnMut(Finished<R>) -> Result<(), Error>,
) -> Result<(), Error> {
    let order = Order { ordered, next: reading.next, done: reading.done };
    let read = |put: &mut dyn FnMut(u64, usize, Item) -> bool| {
        each_item(reading, watch, |number, item| put(number, weight(&item), item));
    };
    let work = |item: Item| (item.next, work(item));
    through(&order, threads, AHEAD, read, work, |number, (mark, result)| {
        take(Finished { number, mark, result })
    })
}

/// Runs everything that `read` puts, with its number and size, through `work`. `read` waits if it is `ahead` items per
/// thread, or too many bytes, ahead of `take`; it ends when putting returns `false`. An error of `take` ends the run.
pub(crate) fn through<T: Send, R: Send, E>(
    order: &Order<'_>,
    threads: usize,
    ahead: usize,
    read: impl FnOnce(&mut dyn FnMut(u64, usize, T) -> bool) + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(u64, R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let most_items = threads * ahead;
    let flow = Flow { queue: VecDeque::new(), items: 0, bytes: 0, ended: false };
    let shared = Shared { lock: Mutex::new(flow), changed: Condvar::new() };
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        let (shared, work) = (&shared, &work);
        scope.spawn(move || {
            read(&mut |number, weight, item| {
                let mut flow = shared.flow();
                // A page larger than the limit is admitted alone.
                while !flow.ended
                    && (flow.items >= most_items || flow.items > 0 && flow.bytes + weight > MAX_BYTES)
                {
                    flow = shared.wait(flow);
                }
                flow.items += 1;
                flow.bytes += weight;
                flow.queue.push_back((number, weight, item));
                let go_on = !flow.ended;
                drop(flow);
                shared.changed.notify_all();
                go_on
            });
            shared.flow().ended = true;
            shared.changed.notify_all();
        });
        for _ in 0..threads {
            let send = send.clone();
            scope.spawn(move || {
                loop {
                    let mut flow = shared.flow();
                    let (number, weight, item) = loop {
                        if let Some(next) = flow.queue.pop_front() {
                            break next;
                        }
                        if flow.ended {
                            return;
                        }
                        flow = shared.wait(flow);
                    };
                    drop(flow);
                    if send.send((number, weight, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut outcome = Ok(());
        let is_done = |number: &u64| order.done.contains(number);
        let mut expected = order.next;
        while is_done(&expected) {
            expected += 1;
        }
        for (number, weight, result) in results {
            waiting.insert(number, (weight, result));
            while let Some(entry) = waiting.first_entry() {
                let number = *entry.key();
                if order.ordered && number != expected {
                    break;
                }
                let (weight, result) = entry.remove();
                expected = number + 1;
                while order.ordered && is_done(&expected) {
                    expected += 1;
                }
                if outcome.is_ok() {
                    outcome = take(number, result);
                    if outcome.is_err() {
                        // The receiver is gone.
                        let mut flow = shared.flow();
                        flow.queue.clear();
                        flow.ended = true;
                    }
                }
                let mut flow = shared.flow();
                flow.items -= 1;
                flow.bytes -= weight;
                drop(flow);
                shared.changed.notify_all();
            }
        }
        outcome
    })
}

/// Puts all items after the mark, with their numbers, until `put` returns `false`.
fn each_item(reading: &Reading<'_>, watch: &Watch, mut put: impl FnMut(u64, Item) -> bool) {
    let mut items = Items::new(reading.inputs, reading.fields, reading.most, reading.mark);
    let mut number = reading.next;
    while let Some(item) = items.next() {
        // An item that was read but not put is read again by the next run.
        if watch.is_stopped() {
            return;
        }
        watch.read.store(items.read(), Ordering::Relaxed);
        let is_done = reading.done.contains(&number);
        number += 1;
        if !is_done && !put(number - 1, item) {
            return;
        }
    }
}
