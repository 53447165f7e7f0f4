//! How much memory a page takes while it is parsed: at most four times its own size, on every evaluation page.
//!
//! The only test of this program, since it counts what the whole process allocates. A block that grows is counted
//! twice, as old and as new one, which is the worst that an allocator can do.

mod common;

use common::pages;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What a parse takes for a page of any size: tables by name, first rooms of vectors.
const FIXED: usize = 16 << 10;

struct Measured {
    /// Peak memory, the text included, for each byte of text.
    ratio: f64,
    bytes: usize,
    peak: usize,
    place: String,
}

#[test]
fn a_page_takes_at_most_four_times_its_size() {
    let mut all: Vec<Measured> = pages::all()
        .iter()
        .map(|path| {
            let page = pages::decoded(path);
            let (bytes, peak) = (page.len(), peak(&page));
            let place = path.iter().rev().take(3).map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" < ");
            Measured { ratio: peak as f64 / bytes.max(1) as f64, bytes, peak, place }
        })
        .collect();
    if all.is_empty() {
        return;
    }
    all.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize].ratio;
    println!(
        "peak memory over decoded size, {} pages: least {:.2}, median {:.2}, 90 % {:.2}, 99 % {:.2}, most {:.2}",
        all.len(),
        at(0.0),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!("the worst pages:");
    for page in all.iter().rev().take(12) {
        println!("{:6.2}  {:8} bytes  {}", page.ratio, page.bytes, page.place);
    }
    let large: Vec<&Measured> = all.iter().filter(|page| page.bytes >= FIXED).collect();
    println!("of at least {FIXED} bytes: {} pages, most {:.2}", large.len(), large.last().map_or(0.0, |page| page.ratio));
    let over: Vec<_> = all.iter().filter(|page| page.peak > 4 * page.bytes + FIXED).map(|page| &page.place).collect();
    assert!(over.is_empty(), "{} pages take more than four times their size: {over:?}", over.len());
}

/// The most bytes in use while the page is parsed, its text included.
fn peak(page: &str) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let dom = tamis_html::parse(page);
    let peak = MEMORY.peak_usage() - before;
    drop(dom);
    assert!(MEMORY.current_usage() <= before + 1024, "a parse leaves memory behind");
    page.len() + peak
}
