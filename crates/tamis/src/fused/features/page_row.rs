//! The numbers by which the model knows a page: the means of what it knows of the blocks, and what its class names say.

use super::super::elements::Elements;
use super::super::page_type::{LEARNED, PageType};
use super::{Features, Words};
use crate::page::Page;

/// What the first look adds: see [`Features::page_row`].
const LOOKED: [&str; 5] = ["kept share", "kept words", "kept blocks", "expected", "mean probability"];

/// The names of the numbers of a page, in order.
///
/// ```
/// use tamis::fused::features::page_names;
///
/// assert!(page_names().contains(&"class names say forum".to_owned()));
/// ```
pub fn page_names() -> Vec<String> {
    let means = super::names().iter().map(|name| format!("mean {name}"));
    let types = PageType::ALL[..LEARNED].iter().map(|kind| format!("class names say {}", kind.name()));
    means.chain(types).chain(LOOKED.map(str::to_owned)).collect()
}

/// Class names of a page, each once.
///
/// ```
/// use tamis::{Page, fused::features::page_classes};
///
/// let page = Page::parse("<div class='post body'><p class=body>One.</p></div>");
/// assert_eq!(page_classes(&page).len(), 2);
/// ```
pub fn page_classes(page: &Page<'_>) -> Vec<u32> {
    Elements::of(page, &Default::default()).class_words
}

impl Features {
    pub(super) fn set_page(&mut self, page: &Page<'_>, elements: &Elements, words: &Words) {
        let mut sums = vec![0.0f64; self.width];
        let mut all = 0.0;
        let rows = page.blocks().iter().zip(self.values.chunks_exact(self.width.max(1)));
        let rows: Vec<(f64, &[f32])> = rows
            .filter(|(block, _)| block.hidden.is_none())
            .map(|(block, row)| (f64::from(block.measures.text.characters), row))
            .collect();
        rows.iter().for_each(|(weight, _)| all += weight);
        // Four rows at a time, one behind the other as in all orders of adding up: each sum is fetched once for them.
        let (fours, rest) = rows.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let values = a.1.iter().zip(b.1).zip(c.1).zip(d.1);
            for (sum, (((one, two), three), four)) in sums.iter_mut().zip(values) {
                *sum += a.0 * f64::from(*one);
                *sum += b.0 * f64::from(*two);
                *sum += c.0 * f64::from(*three);
                *sum += d.0 * f64::from(*four);
            }
        }
        for (weight, row) in rest {
            for (sum, value) in sums.iter_mut().zip(*row) {
                *sum += weight * f64::from(*value);
            }
        }
        self.page = sums.into_iter().map(|sum| (sum / all.max(1.0)) as f32).collect();
        for odds in &words.types {
            // The mean, not the sum: a page with more class names is not more of everything.
            let known: Vec<f32> = elements.class_words.iter().filter_map(|word| odds.of(*word)).collect();
            self.page.push(known.iter().sum::<f32>() / (known.len().max(1) as f32).sqrt());
        }
    }

    /// The row of the page, once the first look has given its blocks probabilities.
    ///
    /// ```
    /// use tamis::{Page, Site, fused::features::{Features, Words, page_names}};
    ///
    /// let page = Page::parse("<p>One block.<p>And another one.");
    /// let features = Features::of(&page, &Site::default(), &Words::default());
    /// assert_eq!(features.page_row(&page, &[0.9, 0.1], 0.8).len(), page_names().len());
    /// ```
    pub fn page_row(&self, page: &Page<'_>, probabilities: &[f32], expected: f32) -> Vec<f32> {
        let (mut kept, mut words, mut blocks, mut sum) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
        for (block, probability) in page.blocks().iter().zip(probabilities) {
            let weight = block.measures.text.words as f32;
            words += weight;
            sum += weight * probability;
            if *probability >= 0.5 {
                kept += weight;
                blocks += 1.0;
            }
        }
        let words = words.max(1.0);
        let mut row = self.page.clone();
        row.extend([
            kept / words,
            super::super::numbers::ln_1p(kept),
            super::super::numbers::ln_1p(blocks),
            expected,
            sum / words,
        ]);
        row
    }
}
