//! How often the classes of blocks are what they say: of the blocks called title those whose words are the page's true title or a
//! part of it, of those called byline those that tell its true day or name its true author; beside them the probabilities that were said.
//!
//! `cargo run --release -p tamis-lab --example classes -- SET...`, a set being a folder with `truth.jsonl`.

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;
use std::path::Path;

use tamis::facts::dates::{Hints, find};
use tamis::fused::BlockClass;
use tamis::{Page, Site, fused};
use tamis_lab::Set;

/// How many blocks have a class, and how many of them are what it says.
#[derive(Default)]
struct Told {
    all: usize,
    right: usize,
    /// The sum of how probable they are said to be.
    said: f64,
}

impl Told {
    fn add(&mut self, probability: f32, is_right: bool) {
        self.all += 1;
        self.said += f64::from(probability);
        self.right += usize::from(is_right);
    }
}

/// The letters and digits of a text, in small letters.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut titles, mut bylines) = (Told::default(), Told::default());
    for folder in std::env::args().skip(1) {
        let set = Set::open(Path::new(&folder))?;
        for truth in &set.truths {
            let bytes = set.page(truth)?;
            let decoded = tamis_html::decode::decode(&bytes, None);
            let page = Page::parse(&decoded.text);
            let judgement = fused::judge(&page, &Site::default());
            for (block, classes) in page.blocks().iter().zip(&judgement.classes) {
                let text = page.text(block);
                let (class, probability) = classes.best();
                match (class, &truth.title, &truth.date) {
                    (BlockClass::Title, Some(title), _) => {
                        let (text, title) = (folded(text), folded(title));
                        titles.add(probability, title.contains(&text) || text.contains(&title));
                    }
                    (BlockClass::Byline, _, Some(date)) => {
                        let day = date.get(..10).unwrap_or(date);
                        let dates = find(text, &Hints::default());
                        let tells_day = dates.iter().any(|found| found.moment.to_string().starts_with(day));
                        let text = folded(text);
                        let names = |author: &String| text.contains(&folded(author));
                        bylines.add(probability, tells_day || truth.author.iter().any(names));
                    }
                    _ => {}
                }
            }
        }
    }
    for (name, told) in [("title", titles), ("byline", bylines)] {
        let share = |part: f64| 100.0 * part / told.all.max(1) as f64;
        let (right, said) = (share(told.right as f64), share(told.said));
        println!(
            "{name}: {} of {} blocks are what they are called: {right:.1} %, said {said:.1} %",
            told.right, told.all
        );
    }
    Ok(())
}
