//! The method as a whole: hand-made pages, the two roads side by side, real pages.

use proptest::prelude::*;

use super::*;
use crate::fast;

fn kept(page: &Page<'_>, form: Form) -> String {
    let judgement = judge_in(page, form);
    let texts: Vec<_> = judgement.kept().map(|block| page.text(&page.blocks()[block])).collect();
    texts.join("\n")
}

/// The text of the blocks that are kept of the tree.
fn by_tree(html: &str) -> String {
    kept(&Page::parse(html), Form::WithLinks)
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// A news page as the paper has them in mind: links around it, long paragraphs close together.
const NEWS: &str = "<html><head><title>Bridge reopens after nine years - Riverside Gazette</title>
<style>p { color: black }</style></head><body>
<div id=nav><ul><li><a href=/>Front page</a></li><li><a href=/s>Sport</a></li><li><a href=/w>Weather</a></li></ul></div>
<form action=/search><p>Search the archive of the paper for words, names and places<input name=q></p></form>
<div class=story><h1>Bridge reopens after nine years</h1><p class=time>2010-12-15 08:30</p>
<p>The old stone bridge over the river was opened again on Wednesday, nine years after the flood took its middle arch.</p>
<p>Some four hundred people walked across it behind the town band, &amp; the <a href=/m>mayor</a> cut a ribbon twice.</p>
<p>Work had stopped for two winters because nobody could say who owned the third pier, which stands in another county.</p>
<p>Lorries must still take the road by the mill, the council said, until the new railings have been tested next spring.</p>
</div>
<div id=related><ul><li><a href=/1>Mill road closed</a></li><li><a href=/2>Band wins cup</a></li></ul></div>
<div id=foot><p>Riverside</p></div></body></html>";

#[test]
fn a_news_page_is_read_right() {
    let found = fast::extract(NEWS);
    let lines: Vec<_> = found.text.lines().collect();
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert_eq!(lines[0], "Bridge reopens after nine years");
    assert!(lines[2].starts_with("The old stone bridge"));
    assert!(lines[3].contains("& the mayor cut a ribbon twice."));
    assert_eq!(found.title.as_deref(), Some("Bridge reopens after nine years"));
    assert_eq!(found.report_time.unwrap().to_string(), "2010-12-15T08:30");
    assert_eq!(by_tree(NEWS), found.text);
}

#[test]
fn the_papers_form_leaves_link_text_out() {
    let text = fast::extract_in(NEWS, Form::Paper).text;
    assert!(text.contains("& the cut a ribbon twice."));
    let page =
        Page::parse("<p><a href=/>All of it is a link</a><p>A sentence that has <a href=/>a link</a> in it.");
    assert_eq!(kept(&page, Form::Paper), "A sentence that has a link in it.");
}

/// The paper's named weakness: with little text there is nothing that stands out, and noise of the same length beside
/// it goes along.
#[test]
fn a_page_with_little_text_keeps_its_noise() {
    let page = "<div><p>The ferry is late.</p></div><div><p>All rights reserved by us.</p><p>Call us at any time.</p></div>";
    assert_eq!(
        fast::extract(page).text,
        "The ferry is late.\nAll rights reserved by us.\nCall us at any time."
    );
}

/// The other one: paragraphs that stand apart from the rest, with none of them long, are lost.
#[test]
fn a_soft_border_loses_the_first_paragraph() {
    let long = "A long paragraph that goes on and on, as long ones do, until at last it comes to its end. "
        .repeat(3);
    let page = format!(
        "<div><div><p>A short lead.</p></div></div><div></div><div>{}</div>",
        format!("<p>{long}</p>").repeat(9)
    );
    let text = fast::extract(&page).text;
    assert!(!text.contains("A short lead."));
    assert_eq!(text.lines().count(), 9);
}

#[test]
fn verdicts_carry_the_papers_numbers() {
    let page = Page::parse(NEWS);
    let judgement = judge(&page);
    assert_eq!(judgement.verdicts.len(), page.blocks().len());
    for (block, verdict) in page.blocks().iter().zip(&judgement.verdicts) {
        assert!((0.0..=1.0).contains(&verdict.score));
        assert_eq!(verdict.keep, verdict.score >= 0.5, "{}", page.text(block));
        if verdict.keep {
            let names: Vec<_> = verdict.why.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, ["n", "s", "N'min", "Nmark"]);
            assert!(verdict.why[1].1 >= verdict.why[2].1);
        }
    }
}

#[test]
fn the_title_comes_from_the_highest_heading_nearby() {
    let page = "<title>x | y</title><div><h3>Topic</h3><h2><a href=/>The story</a></h2></div>\
                <p>It rained for nine days, and the river rose by two metres.";
    assert_eq!(TextBlocks::of(page).title().as_deref(), Some("The story"));
    assert_eq!(TextBlocks::of("<title>The story_Example</title>").title().as_deref(), Some("The story"));
    assert_eq!(TextBlocks::of("").title(), None);
}

#[test]
fn the_report_time_may_stand_at_the_end() {
    let page = format!(
        "{}<p>二〇一〇年十二月十五日</p>",
        "<p>It rained for nine days, and the river rose by two metres.</p>".repeat(5)
    );
    assert_eq!(TextBlocks::of(&page).report_time().unwrap().to_string(), "2010-12-15");
}

#[test]
fn nothing_gives_nothing() {
    for page in ["", " ", "<p>", "<!-- x -->", "<script>", "<a>", "</p>", "<title>"] {
        assert_eq!(fast::extract(page).text, "", "{page}");
        assert_eq!(by_tree(page), "");
    }
}

/// Pages of well-formed parts, on which the two roads may not differ in anything.
fn part() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "one word",
        "It rained for nine days &amp; more, and the river rose by two metres.",
        "新闻正文的第一段，写得不长也不短。",
        "&nbsp;",
        " ",
        "x",
        "a < b &lt; c",
    ]);
    let leaf = prop_oneof![
        text.prop_map(str::to_owned),
        Just("<br>".to_owned()),
        Just("<img src=x alt='a > b'>".to_owned()),
        Just("<script>var x = '<p>no</p>';</script>".to_owned()),
        Just("<!-- <p>no</p> -->".to_owned()),
        Just("<a href=/x>a link</a>".to_owned()),
        Just("<form><p>Search here<input></p></form>".to_owned()),
        Just("<svg><title>icon</title><style>a</style></svg>".to_owned()),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let inside = prop::collection::vec(inner, 0..5).prop_map(|parts| parts.concat());
        let around = prop::sample::select(vec!["div", "section", "blockquote", "article", "ul", "center"]);
        let inline = prop::sample::select(vec!["span", "b", "i", "em"]);
        let line = prop::sample::select(vec!["p", "h1", "h3"]);
        let words = prop::sample::select(vec![
            "Some <b>bold</b> words here.",
            "un<i>believ</i>able",
            "a <a href=/>b</a> c",
        ]);
        prop_oneof![
            (around, inside).prop_map(|(name, inside)| format!("<{name} class=\"c\">{inside}</{name}>")),
            (line, words.clone()).prop_map(|(name, inside)| format!("<{name}>{inside}</{name}>")),
            (inline, words).prop_map(|(name, inside)| format!("<{name}>{inside}</{name}>")),
        ]
    })
}

proptest! {
    #[test]
    fn the_two_roads_give_the_same(parts in prop::collection::vec(part(), 0..20)) {
        let page = format!("<!doctype html><html><head><title>t</title></head><body>{}</body></html>", parts.concat());
        prop_assert_eq!(fast::extract(&page).text, by_tree(&page));
    }

    #[test]
    fn no_page_takes_it_down(page in "(<[/a-z]{0,6}[ =\"'>]|[a-z &;!<>-]){0,80}") {
        let blocks = TextBlocks::of(&page);
        let _ = (blocks.text(Form::Paper), blocks.title(), blocks.report_time());
        let _ = judge(&Page::parse(&page));
    }
}

/// On real pages the words are the same but for a few: texts that only attributes make lines, and labels.
#[test]
fn the_two_roads_give_the_same_on_real_pages() {
    for set in ["gne", "magic-html-article"] {
        let (mut all, mut same) = (0, 0);
        for page in tamis_testdata::pages(set) {
            let bytes = std::fs::read(&page).unwrap();
            let html = tamis_html::decode::decode(&bytes, None).text;
            let (fast, tree) = (fast::extract(&html).text, by_tree(&html));
            all += 1;
            same += usize::from(words(&fast) == words(&tree));
        }
        assert!(same * 100 >= all * 95, "{set}: {same} of {all} pages");
    }
}
