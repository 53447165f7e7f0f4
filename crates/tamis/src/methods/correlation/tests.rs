use super::*;

/// A `div` with so much text of its own, so many links, and these elements in it.
fn div(characters: usize, links: usize, below: &str) -> String {
    format!("<div>{}{}{below}</div>", "x".repeat(characters), "<a href=/>y</a>".repeat(links))
}

fn measured(html: &str) -> Vec<Node> {
    nodes(&Page::parse(html), &Options::default())
}

fn kept(html: &str) -> Vec<String> {
    let page = Page::parse(html);
    judge(&page).kept().map(|block| page.text(&page.blocks()[block]).to_owned()).collect()
}

#[test]
fn the_papers_figure_2() {
    // Of the paper's tree: (36, 3) and (50, 0) in (117, 10), with (138, 12) beside it in (524, 35).
    let low = div(117 - 36 - 50, 10 - 3, &(div(36, 3, "") + &div(50, 0, "")));
    let html = div(524 - 117 - 138, 35 - 10 - 12, &(low + &div(138, 12, "")));
    let nodes = measured(&html);
    let found: Vec<_> =
        nodes.iter().filter(|node| node.size > 1 || node.la == 0).map(|node| (node.ta, node.la)).collect();
    assert_eq!(found, [(524, 35), (524, 35), (117, 10), (36, 3), (50, 0), (138, 12)]);
    let cc = |ta| nodes.iter().rfind(|node| node.ta == ta).unwrap().cc;
    assert_eq!((cc(36), cc(50), cc(117), cc(138)), (12.0, 50.0, 11.7, 11.5));
}

#[test]
fn siblings_raise_what_is_short() {
    let items = |long: usize, short: &str| {
        let long = format!("<li>{}", "x".repeat(40)).repeat(long);
        *measured(&format!("<ul>{long}{short}</ul>")).last().unwrap()
    };
    // Three of five have CC >= 29: CS = 60 > 57; TD = (3 x 40 + 2 x 10) / 1 = 140 > 63.
    let raised = items(3, "<li>yyyyyyyyyy<li>yyyyyyyyyy");
    assert_eq!(
        (raised.cc, raised.cs, raised.td, raised.smoothed, raised.is_content),
        (10.0, 60.0, 140.0, 29.0, true)
    );
    // One of two: CS = 50.
    let few = items(1, "<li>yyyyyyyyyy");
    assert_eq!((few.cs, few.td, few.smoothed, few.is_content), (50.0, 50.0, 10.0, false));
}

#[test]
fn links_keep_down_what_siblings_would_raise() {
    let long = format!("<li>{}", "x".repeat(40)).repeat(3);
    let nodes = measured(&format!("<ul>{long}<li>yyyyyyyyyy{}</ul>", "<a href=/>z</a>".repeat(3)));
    let item = nodes.iter().find(|node| node.la == 3 && node.ta == 10).unwrap();
    // CS = 75, but TD = 130 / 3.
    assert_eq!((item.cs, item.is_content), (75.0, false));
    assert!((item.td - 130.0 / 3.0).abs() < 1e-9);
}

#[test]
fn exactly_c_is_noise() {
    assert!(!measured(&div(29, 0, ""))[1].is_content);
    assert!(measured(&div(30, 0, ""))[1].is_content);
}

#[test]
fn a_thread_with_a_short_reply() {
    let html = "<div class=nav><a href=/>Index</a> <a href=/f>Forum</a> <a href=/s>Search</a></div><div>\
        <p>Has anyone here grown quinces from seed, and how long did they take to bear? The books \
        say four years, the neighbours say never, and the nursery would rather sell me a tree in a pot. I have a \
        sheltered corner with good soil, and no frost worth the name before the middle of November. Would you sow, graft or buy, if the garden were yours and you were no longer young, but not yet too old to climb a ladder in October?\
        <p>Mine took six years in heavy clay, and the first autumn brought three of them.\
        <p>Same here.\
        <p>Graft them if you can: two years, and you know the variety beforehand.</div>\
        <div><div><div><p>Copyright: the friends of orchards</div></div></div>";
    let kept = kept(html);
    assert_eq!(kept.len(), 4, "{kept:?}");
    assert_eq!(kept[2], "Same here.", "raised by its siblings; the copyright line is smoothed down");
}

#[test]
fn weakness_verse_in_short_lines() {
    // Every line is short, so no line has a sibling that could raise it.
    let html = "<div><p>Snow on the wall,<p>snow on the gate,<p>the post comes late<p>or not at all.</div>\
        <div>The board is run by volunteers in their spare time.</div>";
    assert_eq!(kept(html), ["The board is run by volunteers in their spare time."]);
}

#[test]
fn a_block_follows_most_of_its_text() {
    // The texts of `b` and `a` by themselves are noise.
    let html = "<p>A paragraph of which the greater part is plain, with a <b>bold</b> word and a <a href=/>link</a>.";
    assert_eq!(kept(html).len(), 1);
    assert!(
        kept("<p><a href=/>A link as long as a paragraph, followed by next to nothing</a> else").is_empty()
    );
}

#[test]
fn ligatures_count_as_their_letters() {
    let html = format!("<p>{}", "\u{FEFB}".repeat(15));
    let ta = |prepare| nodes(&Page::parse(&html), &Options { prepare, ..Options::default() })[1].ta;
    assert_eq!((ta(true), ta(false)), (30, 15));
    assert_eq!(kept(&html).len(), 1);
}

#[test]
fn nothing_to_judge() {
    for html in ["", "<frameset><frame></frameset>", "<p hidden>x"] {
        let page = Page::parse(html);
        assert_eq!(judge(&page).verdicts.len(), page.blocks().len(), "{html}");
    }
}
