//! A parallel map with results in order.

use std::collections::HashSet;

use crate::pipeline::{Order, through};

/// Items in flight per thread.
const AHEAD: usize = 8;

/// Runs `work` on all items on up to `threads` threads and passes the results to `take`, in the order of the items. An
/// error of `take` ends the run.
///
/// Workers that are far ahead wait, so that results do not accumulate in memory behind a slow item.
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
    let order = Order { ordered: true, next: 0, done: &HashSet::new() };
    through(
        &order,
        threads,
        AHEAD,
        |put| {
            let mut numbered = (0..).zip(items);
            while numbered.next().is_some_and(|(number, item)| put(number, 0, item)) {}
        },
        work,
        |number, result| take(&items[number as usize], result),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let numbers: Vec<u64> = (0..100).collect();
        let slowly = |number: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(number * 37 % 500));
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
