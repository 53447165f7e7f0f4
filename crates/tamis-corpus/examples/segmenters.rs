//! Compares segmentation into character pairs with segmentation by a dictionary (jieba) on Chinese texts.
//!
//! `cargo run --release -p tamis-corpus --example segmenters -- TEXTS.jsonl …`, JSON lines with a field `text`. For each
//! text, every word of two to four characters that jieba finds in any of its modes is searched as a user would type it;
//! it counts as found if the text's index contains it as a phrase.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement talks to people")]

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use jieba_rs::{Jieba, TokenizeMode};
use tamis_corpus::segment::{SegmentKind, Segments, segment};

type Segmenter<'a> = (&'a str, Box<dyn Fn(&str, bool) -> Vec<String> + 'a>);

fn main() {
    let jieba = Jieba::new();
    let texts = texts();
    // Every dictionary word that occurs as a substring of a text, even if it is not a word there.
    let cut_all: Vec<BTreeSet<String>> = texts.iter().map(|text| dictionary_words(&jieba, text)).collect();
    let segmenters: [Segmenter<'_>; 3] = [
        ("pairs", Box::new(pairs)),
        ("jieba", Box::new(|text, _| han(jieba.cut(text, true).iter().map(|token| token.word)))),
        (
            "jieba for search",
            Box::new(|text, is_query| match is_query {
                false => han(jieba.cut_for_search(text, true).iter().map(|token| token.word)),
                true => han(jieba.cut(text, true).iter().map(|token| token.word)),
            }),
        ),
    ];
    println!("{} texts, {} words to find", texts.len(), cut_all.iter().map(BTreeSet::len).sum::<usize>());
    for (name, cut) in &segmenters {
        let (mut found, mut asked, mut bytes, mut words, mut time) = (0, 0, 0, 0, Duration::ZERO);
        for (text, queries) in texts.iter().zip(&cut_all) {
            let start = Instant::now();
            let tokens = cut(text, false);
            time += start.elapsed();
            words += tokens.len();
            let mut positions: HashMap<&str, Vec<usize>> = HashMap::new();
            for (position, token) in tokens.iter().enumerate() {
                positions.entry(token).or_default().push(position);
            }
            // Each word once, and about two bytes per position.
            bytes += positions.iter().map(|(word, at)| word.len() + 2 * at.len()).sum::<usize>();
            for query in queries {
                asked += 1;
                let phrase = cut(query, true);
                let starts = phrase.first().and_then(|first| positions.get(first.as_str()));
                found += usize::from(starts.is_some_and(|starts| {
                    starts.iter().any(|start| tokens.get(*start..*start + phrase.len()) == Some(&phrase))
                }));
            }
        }
        let share = 100.0 * found as f64 / asked.max(1) as f64;
        println!("{name}: {share:.2} % found, {words} words, {bytes} bytes of postings, {time:.2?}");
    }
    let start = Instant::now();
    let length: usize = texts.iter().map(|text| segment(text).len()).sum();
    println!("segment() alone: {length} bytes in {:.2?}", start.elapsed());
}

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for file in std::env::args().skip(1) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = value["text"].as_str().unwrap_or_default();
            if text.chars().filter(|character| is_han(*character)).count() >= 100 {
                texts.push(text.to_owned());
            }
        }
    }
    texts
}

fn dictionary_words(jieba: &Jieba, text: &str) -> BTreeSet<String> {
    let all = jieba.cut_all(text).into_iter().map(|token| token.word.to_owned());
    let search =
        jieba.tokenize(text, TokenizeMode::Search, true).into_iter().map(|token| token.word.to_owned());
    all.chain(search)
        .filter(|word| (2..=4).contains(&word.chars().count()) && word.chars().all(is_han))
        .collect()
}

fn pairs(text: &str, is_query: bool) -> Vec<String> {
    let mut words = Vec::new();
    let mut last = None;
    let mut segments = Segments::new(text);
    while let Some(segment) = segments.next_segment() {
        words.push(segment.word.to_owned());
        last = Some(segment.kind);
    }
    if is_query && last == Some(SegmentKind::Last) && words.len() > 1 {
        words.pop();
    }
    words
}

fn han<'t>(words: impl Iterator<Item = &'t str>) -> Vec<String> {
    words.filter(|word| word.chars().any(char::is_alphanumeric)).map(str::to_lowercase).collect()
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9FFF}')
}
