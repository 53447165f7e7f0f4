//! `template-svm`: removes leaf tags that recur across a site; a support vector machine classifies the rest.
//!
//! Yan Jincheng and Wang Yunfeng, "Web page denoising based on template and SVM", 2020. Repeated noise is usually
//! short, and the SVM is least accurate on short texts; so the site's templates remove it beforehand.
//!
//! - A leaf tag near a template loses its own text. Elements inside it are leaf tags of their own and remain.
//! - Neither the inner nor the outer counts of the SVM include removed text.
//! - A block is dropped when templates removed more than half of its characters, or else with its block tag.
//!
//! Weaknesses: block tags that mix text and noise, pages of links or images, and main text that repeats from page to
//! page, such as keywords of program listings.

use std::collections::HashSet;

use tamis::classify::SiteMemory;
use tamis::page::Page;
use tamis::text::characters::Counts;
use tamis_html::NodeId;

use crate::judgement::Judgement;
use crate::rbf::Model;
use crate::site::leaf_tags;
use crate::svm;

/// Judges a page. Evidence: the share of the block that `templates` removed, R1 to R5 of its block tag without that
/// text, and the decision value.
pub fn judge(page: &Page<'_>, site: Option<&dyn SiteMemory>, model: &Model) -> Judgement {
    let removed: HashSet<NodeId> = site.map_or_else(HashSet::new, |site| {
        let tags = leaf_tags(page).into_iter().filter(|tag| site.is_template(tag.name, &tag.text));
        tags.map(|tag| tag.element).collect()
    });
    let mut judgement = svm::judge_without(page, model, |element| removed.contains(&element));
    for (block, verdict) in judgement.verdicts.iter_mut().enumerate() {
        let share = removed_share(page, block, &removed);
        verdict.evidence.insert(0, ("templates", share));
        if share > 0.5 {
            verdict.keep = false;
            verdict.score = 0.0;
        }
    }
    judgement
}

/// Share of a block's characters that templates removed.
fn removed_share(page: &Page<'_>, block: usize, removed: &HashSet<NodeId>) -> f64 {
    if removed.is_empty() {
        return 0.0;
    }
    let texts = page.blocks.text_nodes(block).iter().filter_map(|id| page.dom.node(*id));
    let removed = texts.filter(|text| text.parent().is_some_and(|parent| removed.contains(&parent.id())));
    let characters: u32 = removed.map(|text| Counts::of(&text.text()).characters).sum();
    f64::from(characters) / f64::from(page.blocks.counts[block].characters.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement;
    use crate::site::Site;

    fn kept(html: &str, site: &Site) -> Vec<String> {
        judgement::kept(html, |page| judge(page, Some(site), svm::shipped_model()))
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

    const STORY: &str = "今天天晴，人们出门了。";

    #[test]
    fn templates_remove_short_noise_from_the_block_tag_of_the_text() {
        let html = "<div><a href=/>首页</a></div><div><p>责任编辑：小河</p><p>{}</p><p>浏览 12345 次，谢谢</p></div>";
        let story = STORY.repeat(15);
        let page = html.replace("{}", &story).replace("12345", "12346");
        assert_eq!(kept(&page, &site(html)), [story]);
        assert_eq!(kept(&page, &Site::default()).len(), 3, "without other pages the SVM cannot split them");
    }

    #[test]
    fn weakness_main_text_that_repeats() {
        let html = "<div><h2>配料</h2><p>{}</p></div>";
        let page = html.replace("{}", &"两个鸡蛋，一点盐。".repeat(15));
        assert_eq!(kept(&page, &site(html)).len(), 1);
    }

    #[test]
    fn a_block_is_dropped_when_templates_removed_more_than_half_of_it() {
        let html = "<div><p>{}</p><p>来源：<b>河边日报</b></p><p>作者的名字很长很长：<b>小河</b></p></div>";
        let page = html.replace("{}", &STORY.repeat(15));
        let page = page.replace("河边日报", "另外一份很好的报纸").replace("小河", "大山");
        let judgement = judge(&Page::parse(&page), Some(&site(html)), svm::shipped_model());
        let shares: Vec<f64> = judgement.verdicts.iter().map(|verdict| verdict.evidence[0].1).collect();
        assert_eq!(shares, [0.0, 3.0 / 12.0, 10.0 / 12.0]);
        assert_eq!(judgement.kept().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_template_in_the_body_does_not_remove_the_elements_inside() {
        let html = "<body>|<div><p>{}</p></div>";
        let page = html.replace("{}", &STORY.repeat(15));
        assert_eq!(kept(&page, &site(html)).len(), 1);
    }
}
