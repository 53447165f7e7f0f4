//! Work on many things at once, with the results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;

/// Runs `work` on all items with up to `threads` threads; `take` gets the results one by one, in the order of the items.
/// Its error ends the work.
///
/// Workers that are far ahead wait, so that one slow item does not pile up the results of all others in memory.
///
/// ```
/// let mut doubled = Vec::new();
/// tamis_batch::in_order(&[1, 2, 3], 2, |number| number * 2, |_, number| Ok::<(), ()>(doubled.push(number)))?;
/// assert_eq!(doubled, [2, 4, 6]);
/// # Ok::<(), ()>(())
/// ```
pub fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().try_for_each(|item| take(item, work(item)));
    }
    let ahead = threads * 8;
    let next = AtomicUsize::new(0);
    let taken = (Mutex::new(0), Condvar::new());
    let lock = || taken.0.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        for _ in 0..threads {
            let send = send.clone();
            let (next, taken, work, lock) = (&next, &taken, &work, &lock);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(place) else { return };
                    let mut done = lock();
                    while place >= *done + ahead {
                        done = taken.1.wait(done).unwrap_or_else(PoisonError::into_inner);
                    }
                    drop(done);
                    if send.send((place, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut done = 0;
        let mut outcome = Ok(());
        for (place, result) in results {
            waiting.insert(place, result);
            while let Some(result) = waiting.remove(&done) {
                if outcome.is_ok() {
                    outcome = take(&items[done], result);
                    if outcome.is_err() {
                        // The rest is not wanted.
                        next.store(items.len(), Ordering::Relaxed);
                    }
                }
                done += 1;
                *lock() = done;
                taken.1.notify_all();
            }
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let numbers: Vec<u64> = (0..100).collect();
        let slowly = |number: &u64| {
            thread::sleep(std::time::Duration::from_micros(number * 37 % 500));
            *number
        };
        let mut seen = Vec::new();
        let all = in_order(&numbers, 4, slowly, |_, number| -> Result<(), ()> {
            seen.push(number);
            Ok(())
        });
        assert_eq!((all, &seen), (Ok(()), &numbers));
        let stop = |_: &u64, number| if number < 10 { Ok(()) } else { Err(number) };
        assert_eq!(in_order(&numbers, 4, slowly, stop), Err(10));
    }
}
