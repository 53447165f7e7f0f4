//! Scratch.
#![allow(clippy::all, missing_docs)]
use std::time::Instant;
use tamis_corpus::*;
fn main() {
    let file = std::env::temp_dir().join("tamis-scratch.db");
    for end in ["", "-wal", "-shm"] { let _ = std::fs::remove_file(format!("{}{end}", file.display())); }
    let mut corpus = Corpus::open_or_create(&file.display().to_string().parse().unwrap()).unwrap();
    let mut x = 88172645463325252u64;
    let mut next = || { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x };
    let mut at = Instant::now();
    let mut seal = std::time::Duration::ZERO;
    for n in 0..12_000u32 {
        let text: String = (0..300).map(|_| format!("w{} ", (next() % 200) * (next() % 200))).collect();
        let mut d = Draft::new(&format!("https://example.com/{n}"));
        d.title = Some(format!("Title {n}")); d.markdown = text.clone(); d.text = text;
        let s = Instant::now(); d.seal(); seal += s.elapsed();
        let raw = compress(d.text.repeat(10).as_bytes());
        corpus.transaction(|tx| { let s = save_story(tx, &d, 10)?; save_raw(tx, s.story_id, &RawDraft{url: d.url.clone(), role: RawRole::Story, part:1, fetched: 10, content_type: None, body: raw.clone()}) }).unwrap();
        if n % 2000 == 1999 { println!("{n} {:?} per story, seal {:?}", at.elapsed()/2000, seal/2000); at = Instant::now(); seal = Default::default(); }
    }
}
