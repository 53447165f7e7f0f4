//! The paper's numbers, and pages that show what the method can and cannot do.

use super::*;

fn kept(html: &str) -> Vec<String> {
    let page = Page::parse(html);
    let judgement = judge_with(&page, Options { words: Words::Pairs });
    assert_eq!(judgement.verdicts.len(), page.blocks().len());
    judgement.kept().map(|block| page.text(&page.blocks()[block]).to_owned()).collect()
}

fn list(html: &str) -> Vec<Container> {
    containers(&Page::parse(html), Options { words: Words::Pairs })
}

/// The element at a path of one-based numbers of `div`s below `body`.
fn at<'d>(page: &'d Page<'_>, path: &[usize]) -> NodeRef<'d> {
    path.iter().fold(page.dom().body().unwrap(), |node, number| {
        node.children().filter(|child| child.is(Name::DIV)).nth(number - 1).unwrap()
    })
}

#[test]
fn the_papers_distance_support() {
    assert_eq!(distance_support(&[1, 1]), 1.0 / 1.1);
    assert_eq!(list("<div><div>x</div></div>")[0].dsd, 1.0 / 1.1);
    // html/body/div[2]/table[1]/tbody[1]/tr[3]/td[1]
    let dsd = list("<div></div><div><table><tr><tr><tr><td>x</table></div>")[0].dsd;
    assert!((dsd - 1.0 / 2.1131).abs() < 1e-12, "{dsd}");
}

#[test]
fn the_papers_path_distances() {
    let page = Page::parse(
        "<div><div><div><div></div></div><div><div></div></div><div></div></div>\
         <div><div></div><div></div><div></div></div></div>",
    );
    let juli = |i: &[usize], j: &[usize]| juli(at(&page, i), at(&page, j));
    assert_eq!(juli(&[1, 2, 2], &[1, 2, 3]), 1);
    // The paper counts the one from zero and the other from one; what matters is that they differ.
    assert_eq!(juli(&[1, 1, 1, 1], &[1, 1, 2, 1]), 3);
    assert_eq!(juli(&[1], &[1, 1, 1]), 1, "two levels apart");
    assert_eq!(juli(&[1, 1], &[1, 1]), 0);
}

#[test]
fn the_papers_punctuation_steps() {
    for (marks, psd) in [(0, 0.1), (2, 0.1), (3, 10.0), (5, 10.0), (6, 50.0), (60, 50.0)] {
        assert_eq!(plain_support(100, 0, marks), psd);
    }
    assert_eq!(plain_support(100, 50, 6), 1.0);
}

#[test]
fn title_words_weigh_by_their_rank() {
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
    let merged = |html: &str| list(html).iter().map(|container| container.merged_into).collect::<Vec<_>>();
    assert_eq!(merged("<div class=a>1</div><div class=b>2</div><div class=a>3</div>"), [0, 1, 0]);
    assert_eq!(merged("<div id=p1>1</div><div id=p2>2</div>"), [0, 0], "ids differ by nature");
    assert_eq!(merged("<div style='a'>1</div><div style='b'>2</div>"), [0, 1]);
    assert_eq!(merged("<div class=a>1<div><div class=a>2</div></div></div>"), [0, 0]);
    let list = list("<div class=a>one</div><div class=a>two</div>");
    assert_eq!(list[0].merged_sd, list[0].sd + list[1].sd);
}

/// Six marks of punctuation and no link: prose for any method.
const PROSE: &str =
    "The mill stood still for years; then, in spring, two sisters bought it. They grind rye, wheat and oats.";

#[test]
fn a_page_with_one_body() {
    let html = format!(
        "<title>The mill</title><div class=nav><a href=/>Home</a> <a href=/a>Archive</a></div>\
         <div class=text><h1>The mill</h1><p>{PROSE}<p>{PROSE}</div>\
         <div class=list><div><div><div><a href=/1>Older text about bread</a></div></div></div></div>"
    );
    let kept = kept(&html);
    assert!(kept.iter().filter(|text| *text == PROSE).count() == 2, "{kept:?}");
    assert!(!kept.iter().any(|text| text.contains("Older text")), "{kept:?}");
}

#[test]
fn a_page_with_several_bodies() {
    let posts: String = (0..9).map(|_| format!("<div class=post>{PROSE}</div>")).collect();
    let html = format!("<title>Mills</title><div><a href=/>Forum</a></div><div>{posts}</div>");
    assert_eq!(kept(&html).iter().filter(|text| *text == PROSE).count(), 9);
}

#[test]
fn the_copyright_line_goes() {
    let html = |foot: &str| format!("<title>Mill</title><div class=a>{PROSE}</div><div class=b>{foot}</div>");
    assert_eq!(kept(&html("Copyright © 2012 All Rights Reserved")), [PROSE]);
    // With a full stop it is no longer without punctuation: so says the paper.
    assert_eq!(kept(&html("Copyright © 2012 All Rights Reserved.")).len(), 2);
}

#[test]
fn weakness_posts_that_nest_deeply() {
    // Nine posts, each deep in a row of its own: no two are siblings, and only seven containers are looked at.
    let post = format!("<tr><td><div><div class=post>{PROSE}</div></div></td></tr>");
    let html = format!("<title>Mills</title><table>{}</table>", post.repeat(9));
    assert!(kept(&html).len() < 9);
}

#[test]
fn weakness_text_in_no_container() {
    assert!(kept(&format!("<title>Mill</title><p>{PROSE}<p>{PROSE}")).is_empty());
}

#[test]
fn nothing_to_judge() {
    for html in ["", "<frameset><frame></frameset>", "<template><div>x</div></template>", "<title>x</title>"]
    {
        assert!(kept(html).is_empty());
    }
}
