//! Runs one Rust extractor on pages, as `../README.md` asks of a runner: `peer-runner TOOL LIST`.
//!
//! A peer that panics or overflows the stack ends this process; whoever asked starts it again without that page.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::sync::LazyLock;
use std::time::Instant;
use std::{env, fs};

use dom_smoothie::{Config, Readability, TextMode};
use rs_trafilatura::{Options, extract_bytes_with_options};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use tamis::Extractor;
use tamis_html::decode::decode;

/// What an extractor finds of a page.
#[derive(Default)]
struct Found {
    text: String,
    title: Option<String>,
    date: Option<String>,
}

type Extract = fn(&[u8]) -> Result<Found, Box<dyn Error>>;

/// The extractors: what they are called here, their package, and how they are run.
const TOOLS: &[(&str, &str, Extract)] = &[
    ("tamis", "tamis", tamis),
    ("tamis-text", "tamis", tamis_text),
    ("dom_smoothie", "dom_smoothie", dom_smoothie),
    ("rs-trafilatura", "rs-trafilatura", rs_trafilatura),
];

/// One for all pages, as users are told to have it.
static EXTRACTOR: LazyLock<Extractor> = LazyLock::new(Extractor::new);

fn tamis(page: &[u8]) -> Result<Found, Box<dyn Error>> {
    let document = EXTRACTOR.extract(page)?;
    let date = document.metadata.published.map(|moment| moment.to_string());
    Ok(Found { text: document.text, title: document.metadata.title, date })
}

fn tamis_text(page: &[u8]) -> Result<Found, Box<dyn Error>> {
    Ok(Found { text: EXTRACTOR.extract_text(page)?, ..Found::default() })
}

/// It takes text only, so it is given our decoder.
fn dom_smoothie(page: &[u8]) -> Result<Found, Box<dyn Error>> {
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let article = Readability::new(&*decode(page, None).text, None, Some(config))?.parse()?;
    Ok(Found {
        text: article.text_content.to_string(),
        title: Some(article.title),
        date: article.published_time,
    })
}

fn rs_trafilatura(page: &[u8]) -> Result<Found, Box<dyn Error>> {
    let options = Options { include_comments: false, ..Options::default() };
    let found = extract_bytes_with_options(page, &options)?;
    let date = found.metadata.date.map(|date| date.format("%Y-%m-%d").to_string());
    Ok(Found { text: found.content_text, title: found.metadata.title, date })
}

/// The version of a package, as this program was built with it.
fn version(package: &str) -> Option<&'static str> {
    let lock = include_str!("../Cargo.lock");
    let (_, rest) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    rest.split('"').next()
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [tool, list] = arguments.as_slice() else { return Err("usage: peer-runner TOOL LIST".into()) };
    let Some((_, package, extract)) = TOOLS.iter().find(|(name, ..)| name == tool) else {
        return Err(format!("there is no tool {tool}").into());
    };
    let pages: Vec<Vec<u8>> = fs::read_to_string(list)?.lines().map(fs::read).collect::<Result<_, _>>()?;
    let mut dropped = vec![false; pages.len()];
    let mut answers = io::stdout();
    writeln!(answers, "ready {}", version(package).unwrap_or("?"))?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (command, number) = line.split_once(' ').ok_or("a command is a word and a number")?;
        let number: usize = number.parse()?;
        match command {
            "page" => {
                let (found, error) = match extract(&pages[number]) {
                    Ok(found) => (found, None),
                    Err(error) => (Found::default(), Some(error.to_string())),
                };
                let Found { text, title, date } = found;
                let length = text.trim().len();
                let row = json!({"text": text, "title": title, "date": date, "error": error});
                writeln!(answers, "page {length} {row}")?;
            }
            "drop" => {
                dropped[number] = true;
                writeln!(answers, "ok")?;
            }
            "round" => {
                let (cpu, wall) = (cpu_seconds(), Instant::now());
                for _ in 0..number {
                    for (page, _) in pages.iter().zip(&dropped).filter(|(_, dropped)| !**dropped) {
                        let _ = black_box(extract(black_box(page)));
                    }
                }
                writeln!(answers, "round {} {}", cpu_seconds() - cpu, wall.elapsed().as_secs_f64())?;
            }
            _ => return Err(format!("there is no command {command}").into()),
        }
        answers.flush()?;
    }
    Ok(())
}
