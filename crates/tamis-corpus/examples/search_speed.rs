//! Measures search times over 100,000 generated stories.
//!
//! `cargo run --release -p tamis-corpus --example search_speed -- TARGET [STORIES [SEED]]`, where TARGET is a new SQLite file or
//! the URL of an empty PostgreSQL database. An existing corpus is searched as it is. The queries depend on the seed.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement talks to people")]

use std::time::Instant;

use tamis_corpus::database::Target;
use tamis_corpus::search::{Query, Sort, index, search};
use tamis_corpus::{Corpus, Filter, params};

const WORDS_PER_STORY: u64 = 300;
const DAY: i64 = 86_400_000;

fn main() -> Result<(), tamis_corpus::Error> {
    let mut arguments = std::env::args().skip(1);
    let target: Target = arguments.next().unwrap_or_else(|| "speed.db".to_owned()).parse()?;
    let stories: i64 = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let seed: u64 = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let mut corpus = Corpus::open_or_create(&target)?;
    let languages =
        [Language::new("en", 1), Language::new("zh", 2), Language::new("th", 3), Language::new("ug", 4)];
    let present: i64 = corpus.read(|tx| tx.query_value("SELECT count(*) FROM story", &[]))?;
    if present < stories {
        let start = Instant::now();
        fill(&mut corpus, &languages, present, stories)?;
        println!("{} stories written in {:.1?}", stories - present, start.elapsed());
    }
    let mut times = Vec::new();
    let mut hits = 0;
    // The first pass fills the caches of database and operating system.
    for pass in 0..2 {
        for (kind, query) in queries(&languages, seed) {
            let start = Instant::now();
            hits += corpus.read(|tx| search(tx, &query))?.len();
            if pass == 1 {
                times.push((start.elapsed(), kind, query.text));
            }
        }
    }
    times.sort();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].0;
    println!("{target}: {} queries over {stories} stories, {hits} hits", times.len());
    println!("p50 {:.1?}  p95 {:.1?}  max {:.1?}", at(50), at(95), at(100));
    for (time, kind, text) in times.iter().rev().take(12) {
        println!("  {time:.1?}  {kind}: {text}");
    }
    Ok(())
}

fn fill(corpus: &mut Corpus, languages: &[Language], from: i64, to: i64) -> Result<(), tamis_corpus::Error> {
    const AT_ONCE: i64 = 500;
    for first in (from..to).step_by(AT_ONCE as usize) {
        corpus.transaction(|tx| {
            for number in first..(first + AT_ONCE).min(to) {
                let mut random = Random(number as u64);
                let language = &languages[[0, 0, 0, 0, 0, 0, 1, 1, 2, 3][random.below(10) as usize]];
                let title = language.text(&mut random, 8);
                let text = language.text(&mut random, WORDS_PER_STORY);
                let host = format!("site{}.example", random.zipf(500));
                let id: i64 = tx.query_value(
                    "INSERT INTO story (identity, url, host, title, published_at, fetched, updated, checked, language,
                        text, markdown, digest, extractor) VALUES ($1, $1, $2, $3, $4, $4, $4, $4, $5, $6, '', '', '')
                        RETURNING id",
                    params![&format!("https://{host}/{number}"), &host, &title, number * DAY / 100, language.name, &text],
                )?;
                index(tx, id, Some(&title), &text)?;
            }
            Ok(())
        })?;
    }
    corpus.transaction(|tx| tx.execute_script("ANALYZE"))
}

/// The 200 queries of a seed.
fn queries(languages: &[Language], seed: u64) -> Vec<(&'static str, Query)> {
    let mut random = Random(seed);
    let mut queries = Vec::new();
    for number in 0..200 {
        let language = &languages[[0, 0, 0, 1, 2, 3][random.below(6) as usize]];
        let common = language.words[random.below(10) as usize].clone();
        let word = language.words[random.zipf(language.words.len() as u64) as usize].clone();
        let rare = language.words[random.below(language.words.len() as u64) as usize].clone();
        let prefix: String = rare.chars().take(if number % 20 == 5 { 3 } else { 5 }).collect();
        let (kind, text) = match number % 10 {
            0 => ("common", common),
            1 => ("common and", format!("{common} {}", language.words[1])),
            2 => ("word", word),
            3 => ("and", format!("{common} {word} {rare}")),
            4 => ("phrase", format!("\"{common} {word}\"")),
            5 => ("prefix", format!("{prefix}*")),
            6 => ("or", format!("{word} OR {rare}")),
            7 => ("not", format!("{common} -{word}")),
            8 => ("rare", rare),
            _ => ("character", common.chars().take(2).collect()),
        };
        let mut query = Query::new(text);
        // A third of the queries has filters, some of them narrow.
        match number % 12 {
            1 => query.filter.language = Some(language.name.to_owned()),
            4 => query.filter = Filter { host: Some(format!("site{number}.example")), ..Filter::default() },
            7 => query.filter.since = Some(990 * DAY),
            10 => query.sort = Sort::Newest,
            _ => (),
        }
        queries.push((kind, query));
    }
    queries
}

/// Words of a language, most frequent first.
struct Language {
    name: &'static str,
    words: Vec<String>,
    separator: &'static str,
}

impl Language {
    fn new(name: &'static str, seed: u64) -> Language {
        let mut random = Random(seed);
        let (count, separator) = if name == "zh" || name == "th" { (8_000, "") } else { (30_000, " ") };
        let words = (0..count).map(|_| word(name, &mut random)).collect();
        Language { name, words, separator }
    }

    fn text(&self, random: &mut Random, words: u64) -> String {
        let mut text = String::new();
        for number in 1..=words {
            text.push_str(&self.words[random.zipf(self.words.len() as u64) as usize]);
            text.push_str(if number % 15 == 0 { "\n" } else { self.separator });
        }
        text
    }
}

fn word(language: &str, random: &mut Random) -> String {
    let letters = |from: u32, count: u64, length: u64, random: &mut Random| -> String {
        (0..length).filter_map(|_| char::from_u32(from + random.below(count) as u32)).collect()
    };
    match language {
        "zh" => {
            let length = 1 + random.below(3);
            letters(0x4E00, 2500, length, random)
        }
        "th" => {
            let length = 2 + random.below(5);
            letters(0x0E01, 40, length, random)
        }
        "ug" => {
            let length = 3 + random.below(6);
            letters(0x0627, 36, length, random)
        }
        _ => {
            let syllables =
                ["ba", "ton", "re", "in", "mar", "lo", "est", "vi", "cor", "an", "der", "shi", "pu", "gel"];
            (0..1 + random.below(4)).map(|_| syllables[random.below(14) as usize]).collect()
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// A rank below `bound`, with a probability proportional to 1 / (rank + 1).
    fn zipf(&mut self, bound: u64) -> u64 {
        let share = self.below(1 << 32) as f64 / (1u64 << 32) as f64;
        (((bound as f64 + 1.0).powf(share) - 1.0) as u64).min(bound - 1)
    }
}
