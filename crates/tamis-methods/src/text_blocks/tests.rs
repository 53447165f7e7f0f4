//! The whole method on invented pages.

use super::*;
use crate::judgement;

/// A typical news page of the paper: surrounded by links, with long paragraphs close together.
const NEWS: &str = include_str!("../../tests/pages/news.html");

#[test]
fn a_news_page_gives_text_title_and_time() {
    let page = Page::parse(NEWS);
    let blocks = TextBlocks::of(&page);
    let text = blocks.text(LinkText::Keep);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert_eq!(lines[0], "Bridge reopens after nine years");
    assert!(lines[2].starts_with("The old stone bridge"));
    assert!(lines[3].contains("& the mayor cut a ribbon twice."));
    assert_eq!(blocks.title().as_deref(), Some("Bridge reopens after nine years"));
    assert_eq!(blocks.report_time().unwrap().to_string(), "2010-12-15T08:30");
    assert!(blocks.text(LinkText::Drop).contains("& the cut a ribbon twice."));
}

#[test]
fn the_printed_form_drops_blocks_of_link_text() {
    let html = "<p><a href=/>All of it is a link</a><p>A sentence that has <a href=/>a link</a> in it.";
    let judgement = judge(&Page::parse(html), LinkText::Drop);
    assert_eq!(judgement.kept().collect::<Vec<_>>(), [1]);
}

fn kept(html: &str) -> Vec<String> {
    judgement::kept(html, |page| judge(page, LinkText::Keep))
}

#[test]
fn weakness_a_page_with_little_text_keeps_its_noise() {
    let html = "<div><p>The ferry is late.</p></div><div><p>All rights reserved by us.</p><p>Call us at any time.</p></div>";
    assert_eq!(kept(html), ["The ferry is late.", "All rights reserved by us.", "Call us at any time."]);
}

#[test]
fn weakness_a_soft_border_loses_the_first_paragraph() {
    let long = "A long paragraph that goes on and on, as long ones do, until at last it comes to its end. "
        .repeat(3);
    let paragraphs = format!("<p>{long}</p>").repeat(9);
    let kept = kept(&format!("<div><div><p>A short lead.</p></div></div><div></div><div>{paragraphs}</div>"));
    assert_eq!(kept.len(), 9);
}

#[test]
fn evidence_and_curves_have_the_papers_numbers() {
    let page = Page::parse(NEWS);
    let Judgement { verdicts, curves } = judge(&page, LinkText::Keep);
    for (block, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict.keep, verdict.score >= 0.5, "{}", page.blocks.text(block));
        if verdict.keep {
            let names: Vec<_> = verdict.evidence.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, ["n", "s", "N'min", "Nmark"]);
            assert!(verdict.evidence[1].1 >= verdict.evidence[2].1);
        }
    }
    let (n, s) = (curves.get("n").unwrap(), curves.get("s").unwrap());
    assert_eq!((n.len(), s.len()), (curves.nodes.len(), curves.nodes.len()));
    for block in 1..n.len() - 1 {
        assert_eq!(s[block], (n[block - 1] + 2.0 * n[block] + n[block + 1]) / 4.0);
    }
}

#[test]
fn the_title_is_the_highest_heading_nearby() {
    for (html, title) in [
        (
            "<title>x | y</title><div><h3>Topic</h3><h2><a href=/>The story</a></h2></div>\
             <p>It rained for nine days, and the river rose by two metres.",
            Some("The story"),
        ),
        ("<title>Rain | The Daily News</title><p>It rained for nine days.", Some("Rain")),
        ("<title>The story_Example</title>", Some("The story")),
        ("", None),
    ] {
        let page = Page::parse(html);
        assert_eq!(TextBlocks::of(&page).title().as_deref(), title, "{html}");
    }
}

#[test]
fn the_report_time_may_be_at_the_end() {
    let paragraphs = "<p>It rained for nine days, and the river rose by two metres.</p>".repeat(5);
    let html = format!("{paragraphs}<p>二〇一〇年十二月十五日</p>");
    let page = Page::parse(&html);
    assert_eq!(TextBlocks::of(&page).report_time().unwrap().to_string(), "2010-12-15");
}
