//! What the published methods say of a block, and what the site repeats.

use super::Row;
use crate::judgement::Judgement;
use crate::methods::{containers, correlation, density, lines, template_svm, text_blocks};
use crate::page::Page;
use crate::site::Site;

const LINES: usize = 4;
const TEMPLATE_SVM: usize = 5;

/// The judgements of the methods, in the order of [`NAMES`].
pub(super) struct Methods([Judgement; NAMES.len()]);

const NAMES: [&str; 6] = ["correlation", "containers", "blocks", "density", "lines", "template-svm"];

impl Methods {
    pub(super) fn of(page: &Page<'_>, site: &Site) -> Methods {
        Methods([
            correlation::judge(page),
            containers::judge_with(page, containers::Options { words: containers::Words::Pairs }),
            text_blocks::judge(page),
            density::judge(page),
            lines::judge(page, site),
            template_svm::judge(page, site),
        ])
    }
}

impl Row<'_> {
    pub(super) fn methods(&mut self, at: usize, methods: &Methods, site: &Site) {
        for (name, judgement) in NAMES.iter().zip(&methods.0) {
            self.add(name, judgement.verdicts.get(at).map_or(0.0, |verdict| verdict.score));
        }
        let why = |method: usize, name: &str| {
            let why = methods.0[method].verdicts.get(at).map(|verdict| &verdict.why[..]).unwrap_or_default();
            why.iter().find(|(of, _)| *of == name).map(|(_, value)| *value as f32)
        };
        // What the site repeats, where other pages of it are known.
        let pages = site.pages() as f32;
        let known = |value: f32| if pages > 0.0 { value } else { -1.0 };
        self.add("site lines", known(why(LINES, "LC").map_or(0.0, |lc| (lc - 1.0) / pages.max(1.0))));
        self.add("site templates", known(why(TEMPLATE_SVM, "templates").unwrap_or(0.0)));
    }
}
