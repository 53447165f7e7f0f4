//! The numbers in the paper, and pages that show strengths and weaknesses.

use super::*;
use crate::judgement::kept;

fn list(html: &str) -> Vec<Container> {
    Scored::new(&Page::parse(html)).list
}

#[test]
fn distance_support_is_that_of_the_papers_example() {
    for (html, sum) in [
        // html/body/div[1]/div[1]
        ("<div><div>x</div></div>", 1.1),
        // html/body/div[2]/table[1]/tbody[1]/tr[3]/td[1]
        ("<div></div><div><table><tr><tr><tr><td>x</table></div>", 2.1131),
    ] {
        let dsd = list(html)[0].dsd;
        assert!((dsd - 1.0 / sum).abs() < 1e-12, "{html}: {dsd}");
    }
}

#[test]
fn path_distances_are_those_of_the_papers_examples() {
    let page = Page::parse(
        "<div><div><div><div></div></div><div><div></div></div><div></div></div>\
         <div><div></div><div></div><div></div></div></div>",
    );
    // The element at a path of one-based numbers of `div`s below `body`.
    let at = |path: &[usize]| {
        path.iter().fold(page.dom.body().unwrap(), |node, number| {
            node.children().filter(|child| child.is(Name::DIV)).nth(number - 1).unwrap()
        })
    };
    for (i, j, distance) in [
        (&[1, 2, 2][..], &[1, 2, 3][..], 1),
        // The paper counts one from zero and the other from one; only the difference matters.
        (&[1, 1, 1, 1], &[1, 1, 2, 1], 3),
        (&[1], &[1, 1, 1], 1),
        (&[1, 1], &[1, 1], 0),
    ] {
        assert_eq!(juli(at(i), at(j)), distance, "{i:?} {j:?}");
    }
}

#[test]
fn plain_support_has_three_steps_of_punctuation() {
    for (marks, psd) in [(0, 0.1), (2, 0.1), (3, 10.0), (5, 10.0), (6, 50.0), (60, 50.0)] {
        assert_eq!(plain_support(100, 0, marks), psd);
    }
    assert_eq!((plain_support(100, 50, 6), plain_support(100, 10, 6)), (1.0, 5.0));
}

#[test]
fn title_words_weigh_by_rank() {
    // "ferry" occurs three times in all containers, "ice" twice.
    let html =
        "<title>Ferry and ice</title><div>ferry ferry ice</div><p>ferry</p><div class=x>ice ferry</div>";
    let list = list(html);
    assert_eq!((list[0].tsd, list[1].tsd), (0.5 * 2.0 + 1.0, 0.5 + 1.0));
}

#[test]
fn a_container_has_only_its_own_text() {
    let list = list("<div>ab<div>cde</div>f<p>g</p></div>");
    assert_eq!(list.iter().map(|container| container.characters).collect::<Vec<_>>(), [4, 3]);
}

#[test]
fn alike_siblings_are_merged() {
    for (html, expected) in [
        ("<div class=a>1</div><div class=b>2</div><div class=a>3</div>", vec![0, 1, 0]),
        ("<div id=p1>1</div><div id=p2>2</div>", vec![0, 0]),
        ("<div style='a'>1</div><div style='b'>2</div>", vec![0, 1]),
        ("<div class=a>1<div><div class=a>2</div></div></div>", vec![0, 0]),
    ] {
        let merged: Vec<_> = list(html).iter().map(|container| container.merged_into).collect();
        assert_eq!(merged, expected, "{html}");
    }
    let list = list("<div class=a>one</div><div class=a>two</div>");
    assert_eq!(list[0].merged_sd, list[0].sd + list[1].sd);
}

/// Six punctuation marks and no link: prose for any method.
const PROSE: &str =
    "The mill stood still for years; then, in spring, two sisters bought it. They grind rye, wheat and oats.";

#[test]
fn a_page_with_one_body() {
    let html = format!(
        "<title>The mill</title><div class=nav><a href=/>Home</a> <a href=/a>Archive</a></div>\
         <div class=text><h1>The mill</h1><p>{PROSE}<p>{PROSE}</div>\
         <div class=list><div><div><div><a href=/1>Older text about bread</a></div></div></div></div>"
    );
    let kept = kept(&html, judge);
    assert_eq!(kept.iter().filter(|text| *text == PROSE).count(), 2, "{kept:?}");
    assert!(!kept.iter().any(|text| text.contains("Older text")), "{kept:?}");
}

#[test]
fn a_page_with_several_bodies() {
    let posts = format!("<div class=post>{PROSE}</div>").repeat(9);
    let html = format!("<title>Mills</title><div><a href=/>Forum</a></div><div>{posts}</div>");
    assert_eq!(kept(&html, judge).iter().filter(|text| *text == PROSE).count(), 9);
}

#[test]
fn the_copyright_line_is_dropped() {
    let html = |foot: &str| format!("<title>Mill</title><div class=a>{PROSE}</div><div class=b>{foot}</div>");
    assert_eq!(kept(&html("Copyright © 2012 All Rights Reserved"), judge), [PROSE]);
    // With a full stop it has punctuation, so it is kept, as in the paper.
    assert_eq!(kept(&html("Copyright © 2012 All Rights Reserved."), judge).len(), 2);
}

#[test]
fn words_of_the_copyright_lexicon_count_once() {
    for (_, word) in data::rows(data::COPYRIGHT) {
        assert_eq!(copyright_words(word), 1, "{word}");
    }
    for (text, count) in [
        ("copyright © 2010 all rights reserved", 3),
        ("版权所有 联系我们 京icp备案", 4),
        ("about gardens", 0),
    ] {
        assert_eq!(copyright_words(text), count, "{text}");
    }
}
