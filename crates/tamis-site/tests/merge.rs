//! Profiles merge in any order with the same result, and stay within their size.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use proptest::prelude::*;
use tamis::page::Page;
use tamis_site::{Decision, MAX_OVERRIDES, SiteProfile, Store, exchange};

use common::{folder, html, key, record, url};

/// A change of a profile.
#[derive(Clone, Debug)]
enum Event {
    /// A page, its version, and whether it has a URL.
    Page(u64, u8, bool),
    Override(u8, Option<Decision>),
}

fn event() -> impl Strategy<Value = Event> {
    let decision = prop_oneof![Just(None), Just(Some(Decision::Keep)), Just(Some(Decision::Drop))];
    prop_oneof![
        8 => (0..40_u64, 0..3_u8, any::<bool>()).prop_map(|(page, version, url)| Event::Page(page, version, url)),
        1 => (0..5_u8, decision).prop_map(|(text, decision)| Event::Override(text, decision)),
    ]
}

fn memory(capacity: usize, events: &[Event]) -> SiteProfile {
    let mut memory = SiteProfile::with_capacity(capacity);
    for event in events {
        match event {
            Event::Page(number, version, has_url) => {
                let html = html(*number) + &format!("<p>Version {version}.</p>");
                memory.observe(&Page::parse(&html), has_url.then(|| url(*number)).as_deref());
            }
            Event::Override(text, decision) => _ = memory.judge(&format!("Text {text}"), *decision),
        }
    }
    memory
}

fn merged(a: &SiteProfile, b: &SiteProfile) -> SiteProfile {
    let mut merged = a.clone();
    merged.merge(b);
    merged
}

fn some_memory() -> impl Strategy<Value = SiteProfile> {
    (prop_oneof![Just(4_usize), Just(7), Just(128)], prop::collection::vec(event(), 0..25))
        .prop_map(|(capacity, events)| memory(capacity, &events))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn merging_is_commutative_associative_and_idempotent(a in some_memory(), b in some_memory(), c in some_memory()) {
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
        prop_assert_eq!(merged(&a, &a), a.clone());
        let ab = merged(&a, &b);
        prop_assert_eq!(merged(&ab, &b), ab);
    }

    #[test]
    fn merged_parts_equal_the_whole(
        pages in prop::collection::vec((0..40_u64, 0..3_u8, any::<bool>()), 0..40),
        cut in 0_usize..40,
        capacity in 1_usize..20,
    ) {
        let events: Vec<Event> = pages.into_iter().map(|(page, version, url)| Event::Page(page, version, url)).collect();
        let (first, second) = events.split_at(cut.min(events.len()));
        let mut reversed = events.clone();
        reversed.reverse();
        let whole = memory(capacity, &events);
        prop_assert_eq!(&merged(&memory(capacity, second), &memory(capacity, first)), &whole);
        prop_assert_eq!(&memory(capacity, &reversed), &whole);
        prop_assert!(whole.len() <= capacity);
    }

    #[test]
    fn json_lines_round_trip(a in some_memory(), b in some_memory()) {
        let mut lines = Vec::new();
        exchange::write_head(&mut lines).unwrap();
        exchange::write(&mut lines, &key("a.example"), &a).unwrap();
        exchange::write(&mut lines, &key("b.example"), &b).unwrap();
        let mut read = Vec::new();
        exchange::read(lines.as_slice(), |site, memory| read.push((site, memory))).unwrap();
        let of = |name: &str| read.iter().find(|(site, _)| site.as_str() == name).map(|(_, memory)| memory);
        for (name, memory) in [("a.example", &a), ("b.example", &b)] {
            prop_assert_eq!(of(name), Some(memory).filter(|memory| !memory.is_empty()), "{}", name);
        }
    }
}

#[test]
fn the_store_merges_as_profiles_do() {
    let folder = folder("store-merges");
    let site = key("example.com");
    let events = |from: u64| -> Vec<Event> {
        let pages = (from..from + 30).map(|page| Event::Page(page % 40, (page % 3) as u8, page % 2 == 0));
        pages
            .chain([
                Event::Override(1, Some(Decision::Keep)),
                Event::Override(2, (from > 5).then_some(Decision::Drop)),
            ])
            .collect()
    };
    for (number, capacities) in [[128, 128], [10, 128], [128, 10], [7, 8]].into_iter().enumerate() {
        let (a, b) = (memory(capacities[0], &events(0)), memory(capacities[1], &events(20)));
        let store = Store::open(&folder.join(format!("{number}.redb"))).unwrap();
        store.merge(&site, &a).unwrap();
        assert_eq!(store.get(&site).unwrap().as_ref(), Some(&a));
        store.merge(&site, &b).unwrap();
        assert_eq!(store.get(&site).unwrap(), Some(merged(&b, &a)), "{capacities:?}");
        let summary = &store.sites().unwrap()[0];
        assert_eq!(summary.pages as usize, merged(&a, &b).len());
        assert_eq!(summary.pages_seen, merged(&a, &b).pages_seen());
        assert!(summary.bytes as usize <= SiteProfile::most_bytes(summary.pages as usize));
        assert!(store.forget(&site).unwrap());
        assert!(!store.forget(&site).unwrap());
        assert_eq!((store.get(&site).unwrap(), store.sites().unwrap().len()), (None, 0));
    }
}

#[test]
fn the_size_of_a_site_is_bounded() {
    let folder = folder("size");
    let site = key("example.com");
    let store = Store::open(&folder.join("memory.redb")).unwrap();
    let mut memory = SiteProfile::with_capacity(16);
    for number in 0..60_u64 {
        let texts = (0..3_000).map(|text| format!("<p>{} {number} {text}", "字".repeat(text % 400)));
        memory.observe(&Page::parse(&texts.collect::<String>()), Some(&url(number)));
    }
    store.merge(&site, &memory).unwrap();
    let bytes = store.sites().unwrap()[0].bytes as usize;
    assert_eq!(memory.len(), 16);
    assert!(bytes <= SiteProfile::most_bytes(16), "{bytes}");
    for number in 0..MAX_OVERRIDES + 50 {
        memory.judge(&number.to_string(), Some(Decision::Drop));
    }
    store.merge(&site, &memory).unwrap();
    assert_eq!(store.sites().unwrap()[0].judged as usize, MAX_OVERRIDES);
    assert_eq!(store.get(&site).unwrap(), Some(memory));
}

#[test]
fn readers_see_atomic_changes() {
    let folder = folder("readers");
    let site = key("example.com");
    let store = Store::open(&folder.join("memory.redb")).unwrap();
    store.learn([(&site, &[record(0), record(1)][..])]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let pages = store.get(&site).unwrap().unwrap().len();
                    assert!(pages.is_multiple_of(2), "half a change: {pages}");
                }
            });
        }
        for number in 1..20 {
            store.learn([(&site, &[record(2 * number), record(2 * number + 1)][..])]).unwrap();
        }
    });
    assert_eq!(store.get(&site).unwrap().unwrap().len(), 40);
}
