//! Regression tests.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use tamis_html::parse;

#[test]
fn copying_an_option_into_itself_never_ended() {
    let dom = parse("<select><option><selectedcontent>x</option>");
    assert!(dom.len() < 20);
    let dom = parse(
        "<select><button><selectedcontent><a><option>x<selectedcontent>y</a></option><option selected>z",
    );
    assert!(dom.len() < 60);
}

#[test]
fn comments_in_svg_stay_there_after_the_end_of_the_body() {
    let dom = parse("<svg></body><!--x-->");
    let comment = dom.descendants().find(|node| node.text() == "x").unwrap();
    assert_eq!(comment.path(), "/html/body/svg/comment()");
}

#[test]
fn an_end_tag_in_an_svg_fragment_closed_formatting_outside_of_it() {
    let dom = tamis_html::Parser::new().parse_fragment("<p><b></p></b><s>", "svg svg");
    assert_eq!(dom.root().inner_html(), "<p><b></b></p><b><s></s></b>");
}

#[test]
fn names_too_long_to_be_packed_are_distinct_from_known_names() {
    let dom = parse("<a-name-of-more-than-sixteen-bytes>x");
    assert!(dom.descendants().any(|node| node.name() == Some("a-name-of-more-than-sixteen-bytes")));
}

#[test]
fn the_outline_of_a_very_deep_tree_panicked() {
    let page = "<div>".repeat(33_000);
    let dom = tamis_html::Parser::new().limits(tamis_html::Limits::NONE).parse(&page);
    let mut lines = Lines(0);
    dom.write_outline(&mut lines).unwrap();
    assert_eq!(lines.0, 33_003);
}

#[test]
fn the_most_severe_limit_is_reported() {
    let page = "<div>".repeat(600) + &"</div>".repeat(600) + &"<p>a".repeat(3000);
    let limits = tamis_html::Limits { nodes: 2000, ..tamis_html::Limits::default() };
    let dom = tamis_html::Parser::new().limits(limits).parse(&page);
    assert_eq!(dom.limit_reached(), Some(tamis_html::Limit::Nodes(2000)));
}

#[test]
fn a_copied_option_stays_within_the_limits() {
    let deep = "<span>".repeat(480);
    let page =
        format!("<select><button>{deep}<selectedcontent></selectedcontent></button><option selected>{deep}");
    let dom = parse(&page);
    let depth = dom.descendants().map(|node| node.ancestors().count()).max().unwrap();
    assert!(depth <= 516, "{depth}");
    assert!(dom.limit_reached().is_some());
    let options = format!(
        "<select><button><selectedcontent></selectedcontent></button><option>{}",
        "<i></i>".repeat(200)
    );
    let limits = tamis_html::Limits { nodes: 300, ..tamis_html::Limits::default() };
    let dom = tamis_html::Parser::new().limits(limits).parse(&options);
    assert_eq!(dom.limit_reached(), Some(tamis_html::Limit::Nodes(300)));
}

#[test]
fn noscript_is_serialised_verbatim_with_scripting() {
    let page = "<body><noscript><p>x &amp; y</p></noscript>";
    let dom = tamis_html::Parser::new().scripting(true).parse(page);
    assert_eq!(dom.body().unwrap().inner_html(), "<noscript><p>x &amp; y</p></noscript>");
}

#[test]
fn skipping_without_an_entered_node_does_nothing() {
    let dom = parse("<div><p>a</div>");
    let div = dom.body().unwrap().first_child().unwrap();
    let mut walk = div.walk();
    walk.skip_below();
    assert_eq!(walk.count(), 6);
}

/// Counts lines, since the text itself would have a gigabyte of spaces.
struct Lines(usize);

impl std::fmt::Write for Lines {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 += text.matches('\n').count();
        Ok(())
    }
}
