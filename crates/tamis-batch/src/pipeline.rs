//! Items through many threads: one reads, several work, and the caller takes the results, in order or as they come.
//!
//! The reader waits when it is far ahead of what has been taken, in items or in bytes. So what is held is bounded,
//! whatever the input is and however slow one page is.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use crate::error::Error;
use crate::input_fields::InputFields;
use crate::inputs::Inputs;
use crate::item::{Item, Mark};
use crate::items::{Items, weight};

/// Items that are under way at once, for each thread.
const AHEAD: usize = 32;
/// Bytes of pages that are under way at once.
const MOST_BYTES: usize = 48 << 20;

/// What others may see of a run while it goes on, and how they stop it.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    pub(crate) read: AtomicU64,
    pub(crate) pages: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) bytes: AtomicU64,
}

impl Watch {
    /// Lets the run finish the pages that are under way, and end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Was it stopped?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How far the input has been read, in bytes as they lie on the disk.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Pages that are done.
    pub fn pages(&self) -> u64 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Of these, those that failed.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Bytes of the pages that are done, unpacked.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// Where the items come from, and from where on.
pub(crate) struct Reading<'r> {
    pub(crate) inputs: &'r Inputs,
    pub(crate) fields: &'r InputFields,
    pub(crate) most: u32,
    pub(crate) mark: Mark,
    pub(crate) next: u64,
    pub(crate) done: &'r HashSet<u64>,
}

/// Work on an item that is done.
pub(crate) struct Finished<R> {
    /// The item's number in the run.
    pub(crate) number: u64,
    /// Where reading goes on behind it.
    pub(crate) mark: Mark,
    pub(crate) result: R,
}

struct Shared<T> {
    lock: Mutex<Flow<T>>,
    changed: Condvar,
}

struct Flow<T> {
    queue: VecDeque<(u64, usize, T)>,
    /// Items and bytes between reading and taking.
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

/// In which order results are taken.
pub(crate) struct Order<'o> {
    /// In that of the items, or as they come.
    pub(crate) ordered: bool,
    /// The number of the first item.
    pub(crate) next: u64,
    /// Numbers of items that do not come, since they are done.
    pub(crate) done: &'o HashSet<u64>,
}

/// Runs all items through `work`. An error of `take` ends it.
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

/// Runs what `read` puts, with its number and the bytes that it takes, through `work`. `read` waits where it is `ahead`
/// items for each thread, or too many bytes, in front of `take`; it ends where putting gives `false`. An error of `take` ends
/// all.
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
                // One page may be larger than the room for all; it is let in alone.
                while !flow.ended
                    && (flow.items >= most_items || flow.items > 0 && flow.bytes + weight > MOST_BYTES)
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
                        // Nobody wants the rest.
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

/// All items behind the mark, with their numbers, until `put` says that it is enough.
fn each_item(reading: &Reading<'_>, watch: &Watch, mut put: impl FnMut(u64, Item) -> bool) {
    let mut items = Items::new(reading.inputs, reading.fields, reading.most, reading.mark);
    let mut number = reading.next;
    while let Some(item) = items.next() {
        // What was read but not put is read again by the next run.
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
