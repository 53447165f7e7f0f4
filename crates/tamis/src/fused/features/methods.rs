//! What the published methods say of a block, and what the site repeats.

use super::{Names, Row};
use crate::methods::{containers, correlation, density, lines, template_svm, text_blocks};
use crate::page::Page;
use crate::site::Site;

/// What the methods say, a list a method with a number a block.
pub(super) struct Methods {
    /// The scores, in the order of [`NAMES`].
    scores: [Vec<f32>; NAMES.len()],
    /// How often the line was seen on the site, where it counts as one.
    lines_seen: Vec<Option<u32>>,
    /// The share of the block that templates of the site took.
    templates: Vec<f64>,
}

const NAMES: [&str; 6] = ["correlation", "containers", "blocks", "density", "lines", "template-svm"];

impl Methods {
    pub(super) fn of(page: &Page<'_>, site: &Site) -> Methods {
        let in_order = page.in_order();
        let pairs = containers::Options { words: containers::Words::Pairs };
        let (lines, lines_seen) = lines::each(page, site).map(|said| (said.score, said.lc)).unzip();
        let (template_svm, templates) = template_svm::scores(page, in_order, site).into_iter().unzip();
        let in_time = |scores: &dyn Fn() -> Vec<f32>| if page.is_late() { Vec::new() } else { scores() };
        let scores = [
            in_time(&|| correlation::scores(page, in_order)),
            in_time(&|| containers::scores(page, in_order, pairs)),
            in_time(&|| text_blocks::scores(page)),
            in_time(&|| density::scores(page, in_order)),
            lines,
            template_svm,
        ];
        Methods { scores, lines_seen, templates }
    }
}

impl<N: Names> Row<N> {
    pub(super) fn methods(&mut self, at: usize, methods: &Methods, site: &Site) {
        for (name, scores) in NAMES.iter().zip(&methods.scores) {
            self.add(name, scores.get(at).copied().unwrap_or(0.0));
        }
        // What the site repeats, where other pages of it are known.
        let pages = site.pages() as f32;
        let known = |value: f32| if pages > 0.0 { value } else { -1.0 };
        let seen = methods.lines_seen.get(at).copied().flatten();
        self.add("site lines", known(seen.map_or(0.0, |lc| (lc as f32 - 1.0) / pages.max(1.0))));
        self.add("site templates", known(methods.templates.get(at).map_or(0.0, |share| *share as f32)));
    }
}
