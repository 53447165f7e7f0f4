//! Properties of every method: one verdict per block, no panic, linear work, the same result every time.

use proptest::prelude::*;
use tamis::classify::SiteMemory;
use tamis::page::Page;
use tamis_methods::site::Site;
use tamis_methods::text_blocks::{LinkText, TextBlocks};
use tamis_methods::{Judgement, Method};

/// Judges with every method and checks the common invariants.
fn judge_all(html: &str, site: Option<&dyn SiteMemory>) -> Vec<Judgement> {
    let page = Page::parse(html);
    let judge = |method: Method| {
        let judgement = method.judge(&page, site);
        assert_eq!(judgement.verdicts.len(), page.blocks.len(), "{method}: {html:?}");
        for verdict in &judgement.verdicts {
            assert!((0.0..=1.0).contains(&verdict.score), "{method}: {}", verdict.score);
            let agrees = if verdict.keep { verdict.score >= 0.5 } else { verdict.score <= 0.5 };
            assert!(agrees, "{method}: {verdict:?}");
        }
        for (name, values) in &judgement.curves.series {
            assert_eq!(values.len(), judgement.curves.nodes.len(), "{method}: {name}");
        }
        judgement
    };
    Method::ALL.into_iter().map(judge).collect()
}

fn part() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "one word",
        "It rained for nine days &amp; more, and the river rose by two metres.",
        "新闻正文的第一段，写得不长也不短。",
        "&nbsp;",
        "ﻻ ﺮ ئۇيغۇر",
        "<br>",
        "<img src=x>",
        "<script>var x = '<p>no</p>';</script>",
        "<a href=/x>a link</a>",
        "<a name=x>",
        "<form><p>Search here<input></p></form>",
        "<h1>A heading",
        "<template><p>t</template>",
        "<p hidden>hidden</p>",
        "<noscript><p>n</noscript>",
        "<svg><title>icon</title></svg>",
        "<frameset>",
        "<table><tr><td>cell",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 40, 5, |inner| {
        let inside = prop::collection::vec(inner, 0..5).prop_map(|parts| parts.concat());
        let around =
            prop::sample::select(vec!["div", "section", "article", "ul", "li", "p", "b", "a href=/", "td"]);
        (around, inside).prop_map(|(name, inside)| {
            let end = name.split(' ').next().unwrap_or(name);
            format!("<{name} class=\"c\">{inside}</{end}>")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_page_gets_one_verdict_per_block(parts in prop::collection::vec(part(), 0..12), other in part()) {
        let html = format!("<title>t</title>{}", parts.concat());
        let mut site = Site::default();
        for html in [&other, &html, &html] {
            site.observe(&Page::parse(html));
        }
        let alone = judge_all(&html, None);
        prop_assert_eq!(&alone, &judge_all(&html, None));
        judge_all(&html, Some(&site));
        let page = Page::parse(&html);
        let blocks = TextBlocks::of(&page);
        let _ = (blocks.text(LinkText::Drop), blocks.title(), blocks.report_time());
    }

    #[test]
    fn no_bytes_cause_a_panic(html in "(<[/a-z1-6]{0,8}[ =\"'>]|[a-z &;!<>.,-]|中|。){0,120}") {
        judge_all(&html, None);
    }
}

#[test]
fn large_hostile_pages_take_linear_time() {
    // Anything quadratic would take hours.
    let long_title = format!("<title>{}</title>", "word | ".repeat(20_000));
    let parts = "<div>~<div>x~<div class=a>It rained, and rained.</div>~<p>x<a href=/>y</a>~<a href=/>x~<li>x</li>~<b>x~\
        <h1>word~<form>x~<label>x</label>~<div hidden>x</div>~<table><tr><td>x~<h2>字字</h2>字字~<x-y>2010-12-15~二";
    for part in parts.split('~') {
        judge_all(&part.repeat(30_000), None);
    }
    judge_all(&format!("{long_title}<div>word</div>"), None);
}

#[test]
fn a_large_site_is_learned_in_linear_time() {
    let mut site = Site::default();
    let items: String =
        (0..3_000).map(|n| format!("<li>A line of the menu of this site, {n:05}.</li>")).collect();
    let page = Page::parse(&items);
    (0..3).for_each(|_| site.observe(&page));
    assert!(site.is_template("li", "A line of the menu of this site, 00007."));
    judge_all(&items, Some(&site));
}

#[test]
fn pages_without_text_have_no_verdicts() {
    for html in ["", " ", "<p>", "<!-- x -->", "<script>", "<frameset><frame></frameset>", "<title>x</title>"]
    {
        assert!(judge_all(html, None).iter().all(|judgement| judgement.verdicts.is_empty()), "{html}");
    }
}
