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

use super::in_order::InOrder;
use super::rbf::Model;
use super::svm;
use crate::block::Block;
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
///
/// ```
/// use tamis::{Page, Site, methods::{rbf::Model, template_svm}};
///
/// // A machine without support vectors calls everything main text where `rho` is below 0.
/// let model: Model = "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\nrho -1\nlabel 1 0\nSV\n".parse()?;
/// let mut site = Site::default();
/// for story in ["It rained.", "It snowed, too.", "The sun shone brightly."] {
///     site.observe(&Page::parse(&format!("<p>Write to us!<p>{story}")));
/// }
/// let page = Page::parse("<p>Write to us!<p>A storm came up.");
/// assert_eq!(template_svm::judge_with(&page, &site, &model).kept().collect::<Vec<_>>(), [1]);
/// # Ok::<(), tamis::methods::rbf::ModelError>(())
/// ```
pub fn judge_with(page: &Page<'_>, site: &Site, model: &Model) -> Judgement {
    let removed = removed(page, site);
    let mut judgement = svm::judge_without(page, model, |element| removed.contains(&element));
    for (block, verdict) in page.blocks().iter().zip(&mut judgement.verdicts) {
        let share = taken_share(page, block, &removed);
        verdict.why.insert(0, ("templates", share));
        if is_taken(share) {
            verdict.keep = false;
            verdict.score = 0.0;
        }
    }
    judgement
}

/// The score of each block, and the share of it that templates took.
pub(crate) fn scores(page: &Page<'_>, in_order: &InOrder, site: &Site) -> Vec<(f32, f64)> {
    let removed = removed(page, site);
    let scores =
        svm::scores_without(page, in_order, svm::shipped_model(), |element| removed.contains(&element));
    let pairs = page.blocks().iter().zip(scores);
    let with_share = pairs.map(|(block, score)| {
        let share = taken_share(page, block, &removed);
        (if is_taken(share) { 0.0 } else { score }, share)
    });
    with_share.collect()
}

/// The share of a block's characters that templates took.
fn taken_share(page: &Page<'_>, block: &Block, removed: &HashSet<NodeId>) -> f64 {
    if removed.is_empty() {
        return 0.0;
    }
    let is_removed =
        |text: NodeId| page.node(text).parent().is_some_and(|parent| removed.contains(&parent.id()));
    let runs = page.runs(block).iter().filter(|run| is_removed(run.node));
    let taken: u32 = runs.map(|run| run.characters).sum();
    f64::from(taken) / f64::from(block.measures.text.characters.max(1))
}

fn is_taken(share: f64) -> bool {
    share > 0.5
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
    if site.has_no_templates() {
        return HashSet::new();
    }
    leaf_tags(page).iter().filter(|tag| site.is_template(tag)).map(|tag| tag.element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept<'p>(page: &'p Page<'_>, site: &Site) -> Vec<&'p str> {
        judge(page, site).kept().map(|block| page.text(&page.blocks()[block])).collect()
    }

    /// Three pages of a site; each `{}` is a sentence of the page's own, repeated.
    fn site(html: &str) -> Site {
        let mut site = Site::default();
        for sentence in ["雨下了一整天。", "雪盖住了山坡和小路。", "风从海上吹来，很冷。"]
        {
            site.observe(&Page::parse(&html.replace("{}", &sentence.repeat(15))));
        }
        site
    }

    #[test]
    fn templates_take_short_noise_out_of_the_block_tag_of_the_text() {
        let html = "<div><a href=/>首页</a></div><div><p>责任编辑：小河</p><p>{}</p><p>浏览 12345 次，谢谢</p></div>";
        let page = html.replace("{}", &"今天天晴，人们出门了。".repeat(15)).replace("12345", "12346");
        let page = Page::parse(&page);
        let story = "今天天晴，人们出门了。".repeat(15);
        assert_eq!(kept(&page, &site(html)), [story.as_str()]);
        assert_eq!(
            kept(&page, &Site::default()).len(),
            3,
            "without other pages the machine cannot split them"
        );
    }

    #[test]
    fn main_text_that_repeats_is_lost() {
        // A weakness of templates: this heading is part of every recipe.
        let html = "<div><h2>配料</h2><p>{}</p></div>";
        let page = html.replace("{}", &"两个鸡蛋，一点盐。".repeat(15));
        let page = Page::parse(&page);
        assert_eq!(kept(&page, &site(html)).len(), 1);
    }

    #[test]
    fn a_block_goes_when_templates_took_more_than_half_of_it() {
        let html = "<div><p>{}</p><p>来源：<b>河边日报</b></p><p>作者的名字很长很长：<b>小河</b></p></div>";
        let page = html.replace("{}", &"今天天晴，人们出门了。".repeat(15));
        let page = page.replace("河边日报", "另外一份很好的报纸").replace("小河", "大山");
        let page = Page::parse(&page);
        let judgement = judge(&page, &site(html));
        let shares: Vec<f64> = judgement.verdicts.iter().map(|verdict| verdict.why[0].1).collect();
        assert_eq!(shares, [0.0, 3.0 / 12.0, 10.0 / 12.0]);
        assert_eq!(judgement.kept().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_stray_text_in_the_body_does_not_take_the_page_with_it() {
        let html = "<body>|<div><p>{}</p></div>";
        let page = html.replace("{}", &"今天天晴，人们出门了。".repeat(15));
        assert_eq!(kept(&Page::parse(&page), &site(html)).len(), 1);
    }
}
