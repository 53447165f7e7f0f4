//! How much of the truths of threads the posts of pages hold, beside the text of the document: token precision, recall and F1,
//! the mean over the pages of a kind that the truths call `forum`. `--pages` adds a line a page, the worst first, with what
//! the posts hold and the text does not, and the other way round.
//!
//! `cargo run --release -p tamis-lab --example threads -- [--pages] SET...`, a set being a folder with `truth.jsonl`.

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use tamis::Extractor;
use tamis_lab::tokens::{normal, tokens};
use tamis_lab::{Overlap, Set, headline};

/// What a text has in common with the truth, each token as often as it occurs.
fn overlap(found: &str, wanted: &str) -> Overlap {
    let (found, wanted) = (normal(found), normal(wanted));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut all = Overlap::default();
    for token in tokens(&wanted) {
        *counts.entry(token).or_default() += 1;
        all.wanted += 1;
    }
    for token in tokens(&found) {
        all.found += 1;
        if let Some(left) = counts.get_mut(token).filter(|left| **left > 0) {
            *left -= 1;
            all.common += 1;
        }
    }
    all
}

/// What is measured of one page.
struct Measured {
    id: String,
    posts: usize,
    /// How many of them have a writer, a time, a number, and whom they answer.
    told: [usize; 4],
    of_posts: Overlap,
    of_text: Overlap,
    /// What the posts hold of the document's text.
    both: Overlap,
}

/// The mean over pages, in per cent.
fn mean(pages: &[&Measured], of: impl Fn(&Measured) -> f64) -> f64 {
    100.0 * pages.iter().map(|page| of(page)).sum::<f64>() / pages.len().max(1) as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, sets): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|it| it == "--pages");
    for folder in sets {
        let set = Set::open(Path::new(&folder))?;
        let mut pages = Vec::new();
        for truth in set.truths.iter().filter(|truth| truth.page_type.as_deref() == Some("forum")) {
            let Some(wanted) = truth.text.as_deref() else { continue };
            let bytes = set.page(truth)?;
            let decoded = tamis_html::decode::decode(&bytes, None);
            let extractor = truth.url.iter().fold(Extractor::new(), |extractor, url| extractor.url(url));
            let document = extractor.extract(&decoded.text);
            let posts: Vec<&str> = document.posts.iter().map(|post| post.text.as_str()).collect();
            let (posts, text) = (posts.join("\n"), document.to_text(&Default::default()));
            let title = truth.title.as_deref().unwrap_or_default();
            let bare = |text| headline::stripped(text, title);
            pages.push(Measured {
                id: truth.id.clone(),
                posts: document.posts.len(),
                told: [
                    document.posts.iter().filter(|post| post.author.is_some()).count(),
                    document
                        .posts
                        .iter()
                        .filter(|post| post.time.is_some() || post.time_text.is_some())
                        .count(),
                    document.posts.iter().filter(|post| post.number.is_some()).count(),
                    document.posts.iter().filter(|post| post.reply_to.is_some()).count(),
                ],
                of_posts: overlap(bare(&posts), bare(wanted)),
                of_text: overlap(bare(&text), bare(wanted)),
                both: overlap(&posts, &text),
            });
        }
        if !flags.is_empty() {
            pages.sort_by(|one, other| one.of_posts.f1().total_cmp(&other.of_posts.f1()));
            for page in &pages {
                let Measured { id, posts, told: [authors, times, numbers, replies], .. } = page;
                println!(
                    "{id}: {posts} posts ({authors} authors, {times} times, {numbers} numbers, {replies} replies); posts {:.1} of \
                     {:.1} found right, F1 {:.1}; text F1 {:.1}; posts and text {:.1}",
                    100.0 * page.of_posts.precision(),
                    100.0 * page.of_posts.recall(),
                    100.0 * page.of_posts.f1(),
                    100.0 * page.of_text.f1(),
                    100.0 * page.both.f1(),
                );
            }
        }
        let all: Vec<&Measured> = pages.iter().collect();
        let with: Vec<&Measured> = pages.iter().filter(|page| page.posts > 0).collect();
        let sum = |of: fn(&Measured) -> usize| pages.iter().map(of).sum::<usize>();
        println!(
            "{}: {} pages, {} with posts; posts precision {:.1}, recall {:.1}, F1 {:.1}; text F1 {:.1}; where there are posts: posts F1 \
             {:.1}, text F1 {:.1}, posts against text {:.1}; {} posts, {} with a writer, {} with a time, {} with a number, {} answer somebody",
            set.name,
            all.len(),
            with.len(),
            mean(&all, |page| page.of_posts.precision()),
            mean(&all, |page| page.of_posts.recall()),
            mean(&all, |page| page.of_posts.f1()),
            mean(&all, |page| page.of_text.f1()),
            mean(&with, |page| page.of_posts.f1()),
            mean(&with, |page| page.of_text.f1()),
            mean(&with, |page| page.both.f1()),
            sum(|page| page.posts),
            sum(|page| page.told[0]),
            sum(|page| page.told[1]),
            sum(|page| page.told[2]),
            sum(|page| page.told[3]),
        );
    }
    Ok(())
}
