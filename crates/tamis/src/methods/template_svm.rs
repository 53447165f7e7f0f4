//! `template-svm`: leaf tags that recur across a site go first, a support vector machine classifies what is left.
//!
//! Yan Jincheng and Wang Yunfeng, "Web page denoising based on template and SVM", 2020. Noise that is the same on many
//! pages is short, and short texts are what the machine errs on; so the site's templates take it out, and the machine
//! is left with noise that is a page's own.
//!
//! - A leaf tag near a template is taken out with its own text. What stands in elements inside it stays: those are leaf
//!   tags in their own right, and a stray bar between two sections of the `body` must not take the page with it.
//! - The machine sees what is left: neither inner nor outer counts have what the templates took.
//! - A block is dropped when templates took more than half of its characters, or else with its block tag.
//!
//! Weak where a block tag mixes text and noise, on link pages and picture pages, and where main text repeats from page
//! to page: the keywords of program listings become templates like any other leaf tag.

use std::collections::HashSet;

use tamis_html::NodeId;

use super::rbf::Model;
use super::svm;
use crate::characters;
use crate::judgement::Judgement;
use crate::page::Page;
use crate::site::{Site, leaf_tags};

/// Judges a page by its site's templates and the model that is shipped. In `why`: the share of the block that
/// `templates` took, R1 to R5 of its block tag without that, and the machine's decision value.
///
/// ```
/// use tamis::{Page, Site, methods::template_svm};
///
/// let notice = "<p>Readers may write to us at any time, and we answer.</p>";
/// let story = |of: &str| format!("<div><p>{}</p>{notice}</div>", of.repeat(30));
/// let mut site = Site::default();
/// for text in ["It rained in the valley. ", "Snow fell on the hills. ", "The wind was strong. "] {
///     site.observe(&Page::parse(&story(text)));
/// }
/// let html = story("Today was a fine day. ");
/// let kept: Vec<_> = template_svm::judge(&Page::parse(&html), &site).kept().collect();
/// assert_eq!(kept, [0], "the notice is in the same block tag, but a template");
/// ```
pub fn judge(page: &Page<'_>, site: &Site) -> Judgement {
    judge_with(page, site, svm::shipped_model())
}

/// As [`judge`], with a model of one's own.
pub fn judge_with(page: &Page<'_>, site: &Site, model: &Model) -> Judgement {
    let removed = removed(page, site);
    let mut judgement = svm::judge_without(page, model, |element| removed.contains(&element));
    for (block, verdict) in page.blocks().iter().zip(&mut judgement.verdicts) {
        let mut taken = 0;
        for run in page.runs(block) {
            let text = page.node(run.node);
            if text.parent().is_some_and(|parent| removed.contains(&parent.id())) {
                taken += characters::count(&text.text()).characters;
            }
        }
        let share = f64::from(taken) / f64::from(block.measures.text.characters.max(1));
        verdict.why.insert(0, ("templates", share));
        if share > 0.5 {
            verdict.keep = false;
            verdict.score = 0.0;
        }
    }
    judgement
}

/// The elements whose own text is near a template of the site.
///
/// ```
/// use tamis::{Page, Site, methods::template_svm};
///
/// let page = Page::parse("<p>Nothing is known of this site.");
/// assert!(template_svm::removed(&page, &Site::default()).is_empty());
/// ```
pub fn removed(page: &Page<'_>, site: &Site) -> HashSet<NodeId> {
    let templates = site.templates();
    if templates.is_empty() {
        return HashSet::new();
    }
    leaf_tags(page).iter().filter(|tag| templates.has_near(tag)).map(|tag| tag.element).collect()
}
