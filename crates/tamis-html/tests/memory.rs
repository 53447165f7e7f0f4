//! Parsing needs at most four times the size of the page in memory, on every evaluation page.
//!
//! The only test in this program, since it counts the allocations of the whole process. Two nested allocators count
//! growing blocks differently. The one that is tested counts them once, since the system moves large blocks without
//! copying; the other counts the old and the new block, the worst case.

#![allow(clippy::print_stdout, reason = "the distribution is for people to read")]
#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use common::pages;
use peak_alloc::PeakAlloc;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};

static WORST: PeakAlloc = PeakAlloc;

#[global_allocator]
static MEMORY: PeakMemAlloc<PeakAlloc> = PeakMemAlloc::new(WORST);

/// Memory needed for a page of any size: tables by name, initial capacities of vectors.
const FIXED: usize = 16 << 10;

struct Measured {
    bytes: usize,
    /// Peak memory in bytes, including the text.
    peak: usize,
    /// The same with growing blocks counted twice.
    worst: usize,
    /// The final size of the tree, including the text.
    held: usize,
    place: String,
}

#[test]
fn a_page_takes_at_most_four_times_its_size() {
    let mut all: Vec<Measured> = pages::all()
        .iter()
        .map(|path| measured(&pages::decoded(path), path.iter().rev().nth(2), path.file_name()))
        .filter(|page| page.bytes > 0)
        .collect();
    if all.is_empty() {
        return;
    }
    let over: Vec<_> =
        all.iter().filter(|page| page.peak > 4 * page.bytes + FIXED).map(|p| p.place.clone()).collect();
    for least in [0, FIXED] {
        all.retain(|page| page.bytes >= least);
        println!("memory over decoded size, {} pages of at least {least} bytes", all.len());
        report("peak", &all, |page| page.peak);
        report("peak, growth counted twice", &all, |page| page.worst);
        report("held by the tree", &all, |page| page.held);
        all.sort_by(|a, b| (b.peak * a.bytes).cmp(&(a.peak * b.bytes)));
        for page in &all[..all.len().min(8)] {
            println!(
                "  {:6.2} with {} bytes: {}",
                page.peak as f64 / page.bytes as f64,
                page.bytes,
                page.place
            );
        }
    }
    let shown = &over[..over.len().min(20)];
    assert!(over.is_empty(), "{} pages take more than four times their size: {shown:?} …", over.len());
}

fn report(what: &str, pages: &[Measured], bytes: impl Fn(&Measured) -> usize) {
    let mut ratios: Vec<f64> = pages.iter().map(|page| bytes(page) as f64 / page.bytes as f64).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
    println!(
        "  {what}: least {:.2}, median {:.2}, 90 % {:.2}, 99 % {:.2}, most {:.2}; {} pages over 4",
        at(0.0),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        ratios.iter().filter(|ratio| **ratio > 4.0).count()
    );
}

fn measured(page: &str, set: Option<&std::ffi::OsStr>, file: Option<&std::ffi::OsStr>) -> Measured {
    let place =
        [set, file].into_iter().flatten().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let before = WORST.current_usage();
    WORST.reset_peak_usage();
    MEMORY.reset_peak_memory();
    let dom = tamis_html::parse(page);
    let peak = page.len() + MEMORY.get_peak_memory();
    let worst = page.len() + WORST.peak_usage() - before;
    let held = page.len() + WORST.current_usage() - before;
    drop(dom);
    assert!(WORST.current_usage() <= before + 1024, "a parse leaves memory behind");
    Measured { bytes: page.len(), peak, worst, held, place }
}
