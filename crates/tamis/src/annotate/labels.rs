//! Text annotations of blocks: lexicon categories, log-odds of the first words, overlap with the metadata.

use super::dates::looks_like_date;
use super::head::Head;
use crate::page::Page;
use crate::text::hash::{self, bigram};
use crate::text::lexicon::PHRASES;
use crate::text::log_odds::{LogOddsSum, LogOddsTable};

/// Longer blocks are not searched for phrases and dates.
pub(crate) const MAX_PHRASE_WORDS: u32 = 40;
/// Only the first words of a block are looked up.
const MAX_SAMPLED_WORDS: usize = 16;

/// Text annotations, one entry per block.
#[derive(Debug, Default)]
pub struct Labels {
    /// Bits of [`CATEGORIES`](crate::text::lexicon::CATEGORIES); 0 for long blocks.
    pub categories: Vec<u32>,
    pub has_date: Vec<bool>,
    /// Log-odds of the first words for main text.
    pub log_odds: Vec<LogOddsSum>,
    /// Number of words looked up.
    pub sampled_words: Vec<u8>,
    /// Sampled words that occur in the title.
    pub title_hits: Vec<u8>,
    /// Sampled bigrams that occur in the description.
    pub description_hits: Vec<u8>,
    /// Sampled bigrams that occur in the JSON-LD `articleBody`.
    pub body_hits: Vec<u8>,
    /// Hash of the sampled words, to detect repeated text.
    pub text_hash: Vec<u32>,
}

impl Labels {
    pub fn fill(&mut self, page: &Page<'_>, head: &Head, table: &LogOddsTable) {
        self.categories.clear();
        self.has_date.clear();
        self.log_odds.clear();
        self.title_hits.clear();
        self.description_hits.clear();
        self.body_hits.clear();
        self.sampled_words.clear();
        self.text_hash.clear();
        let blocks = &page.blocks;
        for block in 0..blocks.len() {
            let text = blocks.text(block);
            let counts = &blocks.counts[block];
            let is_short = counts.words <= MAX_PHRASE_WORDS;
            let categories = if is_short { PHRASES.bits(text) } else { 0 };
            self.categories.push(categories);
            self.has_date.push(is_short && counts.digits > 0 && looks_like_date(text, categories));
            let mut sum = LogOddsSum::default();
            let (mut title, mut description, mut body, mut count, mut previous, mut text_hash) =
                (0_u8, 0_u8, 0_u8, 0_u8, 0, 0);
            let (has_description, has_body) =
                (!head.description_bigrams.is_empty(), !head.body_bigrams.is_empty());
            hash::for_each_word(text, MAX_SAMPLED_WORDS, |word| {
                if let Some(log_odds) = table.get(word) {
                    sum.add(log_odds);
                }
                title += u8::from(head.title_words.contains(word));
                if has_description || has_body {
                    let bigram = bigram(previous, word);
                    description += u8::from(has_description && head.description_bigrams.contains(bigram));
                    body += u8::from(has_body && head.body_bigrams.contains(bigram));
                }
                previous = word;
                count += 1;
                text_hash = bigram(text_hash, word);
            });
            self.log_odds.push(sum);
            self.title_hits.push(title);
            self.description_hits.push(description);
            self.body_hits.push(body);
            self.sampled_words.push(count);
            self.text_hash.push(text_hash);
        }
    }
}
