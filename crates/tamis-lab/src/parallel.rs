//! Parallel map with ordered results.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of `work` in the order of the items, computed by up to `threads` threads.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(place) else { return };
                    let result = work(place, item);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        let items: Vec<u64> = (0..200).collect();
        let slowly = |_, item: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(item * 37 % 300));
            item * 2
        };
        assert_eq!(super::map(&items, 4, slowly), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert!(super::map(&[], 4, slowly).is_empty());
    }
}
