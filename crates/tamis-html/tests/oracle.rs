//! The tree is html5ever's, on every page of the evaluation sets.

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::departures::unexplained;
use common::pages;
use common::soup::Case;

#[test]
fn every_page_of_the_evaluation_sets_gives_html5evers_tree() {
    let pages = pages::all();
    let next = AtomicUsize::new(0);
    let different = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(path) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let page = pages::decoded(path);
                    for scripting in [false, true] {
                        if let Some(what) = unexplained(&page, None, scripting) {
                            let what: String = what.chars().take(2000).collect();
                            let line = format!("{} (scripting {scripting}): {what}", path.display());
                            different.lock().unwrap().push(line);
                        }
                    }
                }
            });
        }
    });
    let different = different.into_inner().unwrap();
    println!("{} pages compared with html5ever, {} differ", pages.len(), different.len());
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n\n"));
}

/// Compares the cases of the seeds from `from` on, as long as `go_on`; gives how many.
fn compare_soup(from: u64, go_on: impl Fn(u64) -> bool + Sync) -> u64 {
    let next = AtomicU64::new(0);
    let different = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let count = next.fetch_add(1, Ordering::Relaxed);
                    if !go_on(count) || different.lock().unwrap().len() >= 40 {
                        return;
                    }
                    let case = Case::new(from + count);
                    if differs(&case).is_none() {
                        continue;
                    }
                    let small = case.shrunk(|case| differs(case).is_some());
                    let line = format!(
                        "seed {}: {:?} in {:?}, scripting {}: {}",
                        from + count,
                        small.text(),
                        small.context,
                        small.scripting,
                        differs(&small).unwrap_or_default()
                    );
                    different.lock().unwrap().push(line);
                }
            });
        }
    });
    let different = different.into_inner().unwrap();
    assert!(different.is_empty(), "{} cases differ:\n{}", different.len(), different.join("\n"));
    next.into_inner()
}

fn differs(case: &Case) -> Option<String> {
    unexplained(&case.text(), case.context, case.scripting)
}

#[test]
fn generated_soup_gives_html5evers_tree() {
    compare_soup(0, |count| count < 4000);
}

/// For long runs: `TAMIS_SECONDS=600 cargo test -p tamis-html --test oracle -- --ignored --nocapture`
#[test]
#[ignore = "runs as long as TAMIS_SECONDS says"]
fn generated_soup_gives_html5evers_tree_for_as_long_as_asked() {
    let seconds = std::env::var("TAMIS_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(60);
    let seed = std::env::var("TAMIS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1 << 32);
    let start = Instant::now();
    let count = compare_soup(seed, |_| start.elapsed() < Duration::from_secs(seconds));
    println!("{count} cases compared with html5ever in {:?}, from seed {seed}", start.elapsed());
}
