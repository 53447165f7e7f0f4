//! What looking up a page among thousands of templates costs, beside parsing it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::NearIndex;
use crate::Page;
use crate::site::leaf_tags;

/// `cargo test --release -p tamis --lib -- --ignored --nocapture no_more_than_parsing`
#[test]
#[ignore = "measures time, so it wants a quiet machine and an optimised build"]
fn looking_up_a_page_costs_no_more_than_parsing_it() {
    // Made-up words, half of them Chinese, of which few are frequent and most are rare, as in real texts.
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut word = |number: u64| -> String {
        let (first, count, longest) =
            if number.is_multiple_of(2) { (u64::from('a'), 26, 8) } else { (0x4E00, 3_000, 3) };
        let letter = |random: u64| char::from_u32((first + random % count) as u32).unwrap();
        (0..1 + random() % longest).map(|_| letter(random())).collect()
    };
    let words: Vec<String> = (0..1_000).map(&mut word).collect();
    let mut text = |most: u64| {
        let number = 1 + random() % most;
        let mut word =
            || words[libm::pow(1_000.0, random() as f64 / (1_u64 << 31) as f64) as usize % 1_000].as_str();
        (0..number).map(|_| word()).collect::<Vec<_>>().join(" ")
    };
    let mut index = NearIndex::default();
    while index.len() < 5_000 {
        index.add(["a", "p", "span", "li"][index.len() % 4], &text(12));
    }
    let mut html = String::new();
    for _ in 0..100 {
        let (a, span, p, li) = (text(4), text(6), text(40), text(12));
        let _ = writeln!(
            html,
            "<div class='item box'><a href='/a/page.html' target=_blank>{a}</a><span class=date>{span}</span>\
             <p style='margin:0'>{p}</p><ul class=list><li class=entry>{li}</ul></div>"
        );
    }
    let page = Page::parse(&html);
    let tags = leaf_tags(&page);
    assert_eq!(tags.len(), 400);
    let best = |mut work: Box<dyn FnMut() + '_>| {
        (0..50).fold(Duration::MAX, |best, _| {
            let start = Instant::now();
            work();
            best.min(start.elapsed())
        })
    };
    let mut found = 0;
    let tags_time = best(Box::new(|| drop(std::hint::black_box(leaf_tags(&page)))));
    let find = best(Box::new(|| {
        found = tags.iter().filter(|tag| index.find(tag.name, &tag.text).is_some()).count();
    }));
    let parse = best(Box::new(|| drop(std::hint::black_box(tamis_html::parse(&html)))));
    let measure = best(Box::new(|| drop(std::hint::black_box(Page::parse(&html)))));
    println!(
        "{} bytes: tree {parse:?}, page {measure:?}; 400 leaf tags {tags_time:?}, looked up among 5,000 {find:?} ({found} near)",
        html.len()
    );
    assert!(find <= measure, "looking up {find:?}, parsing {measure:?}");
}
