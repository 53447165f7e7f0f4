//! The tree is html5ever's, on every page of the evaluation sets.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::compare::{difference, difference_between};
use common::departures::unexplained;
use common::pages;
use common::soup::Case;

#[test]
fn every_page_of_the_evaluation_sets_gives_html5evers_tree() {
    let pages = pages::all();
    if pages.is_empty() {
        return;
    }
    assert!(pages.len() > 3700, "only {} pages were found", pages.len());
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

/// Compares the cases of the seeds from `from` on while `go_on` returns true. Returns their number.
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
    let count = next.into_inner();
    assert!(different.is_empty(), "{} of {count} cases differ:\n{}", different.len(), different.join("\n"));
    count
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

#[test]
fn the_comparison_detects_differences() {
    for (mine, other) in [
        ("<p>a", "<p>b"),
        ("<p>a", "<p>a<b>"),
        ("<p>a<b>", "<p>a"),
        ("<p>a</p>b", "<p>ab"),
        ("<b>a", "<i>a"),
        ("<p a=1>", "<p a=2>"),
        ("<p a=1 b=1>", "<p b=1 a=1>"),
        ("<p>", "<p a>"),
        ("<!--a-->", "<!--b-->"),
        ("<!doctype html>", "<!doctype htm>"),
        ("<!doctype html>", ""),
        ("<svg><a>", "<math><a>"),
        ("<svg xlink:href=a>", "<svg href=a>"),
        ("<template>a</template>", "<template>b</template>"),
        ("<template>a</template>b", "<template></template>b"),
        ("<template><b></template>b", "<template></template>b"),
        ("<div><p>a</div>b", "<div><p>a</p>b"),
        ("<!doctype html public '-//W3C//DTD XHTML 1.0 Transitional//EN'>", "<!doctype html>"),
    ] {
        assert!(difference_between(mine, other, None, false).is_some(), "{mine} is taken for {other}");
        assert_eq!(difference_between(mine, mine, None, false), None);
        assert_eq!(difference_between(other, other, None, false), None);
    }
}

/// One page per deviation. Fails once html5ever follows the standard, so that the deviation is removed from the list.
#[test]
fn html5ever_still_departs_where_we_say_it_does() {
    for (page, context) in [
        ("<u><search></u>x", None),
        ("<template><thead><caption>", None),
        ("<u><isindex></u>x", None),
        ("<select><button><selectedcontent></button><option>x</select>", None),
        ("<p><math><annotation-xml encoding=text/html><p>", None),
        ("<li><math><mi><li>", None),
        ("<li><math><mo><li>", None),
        ("<li><math><mn><li>", None),
        ("<li><math><ms><li>", None),
        ("<li><math><mtext><li>", None),
        ("<li><svg><foreignObject><li>", None),
        ("<li><svg><desc><li>", None),
        ("<li><svg><title><li>", None),
        ("<template><tr><b></tr> ", None),
        ("<table>a<!doctype> ", None),
        ("<pre>&#10", None),
        ("<pre></>\n", None),
        ("<input>", Some("select")),
        ("<p><b></p><t></b><p>x", Some("svg svg")),
    ] {
        assert!(difference(page, context, false).is_some(), "html5ever follows the standard on {page}");
        assert_eq!(unexplained(page, context, false), None, "{page}");
    }
}
