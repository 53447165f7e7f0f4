//! Rules of a user for a site: what they decide, and that they say so.

#![allow(clippy::unwrap_used, reason = "a test that fails by `unwrap` names its line")]

use proptest::prelude::*;
use tamis::metadata::{Evidence, Field};
use tamis::page::{Page, SiteRules};
use tamis::{Document, Extractor, Input};
use tamis_html::Selector;

const PAGE: &str = "<title>Storm warning - The Gazette</title><meta property=og:title content='Storm warning'>\
    <meta name=author content='The Gazette'><meta property=article:published_time content=2024-03-01>\
    <body><nav><a href=/>Home</a> <a href=/news>News</a></nav><h1>Storm warning</h1>\
    <h2 class=kicker>Boats stay in</h2><p class=who>By Ada Finch</p><p class=who>By Bo Reed</p>\
    <span class=day data-day='5 May 2023'>printed later</span>\
    <div class=story><p>It rained in the harbour on Monday, and it poured on Tuesday, so the ferries stayed.</p>\
    <p class=ad>Buy an umbrella at the harbour shop, where the second one costs only half of it.</p>\
    <p>On Wednesday the council met, and <b class=ad>its members</b> spoke about the old bridge.</p></div>\
    <div class=box><p>Tides: high at nine.</p></div></body>";

fn list(selectors: &[&str]) -> Vec<Selector> {
    selectors.iter().map(|it| it.parse().unwrap()).collect()
}

fn extract(rules: &SiteRules) -> Document {
    Extractor::new().extract(Input::text(PAGE).rules(rules)).unwrap()
}

#[test]
fn kept_elements_are_the_text_without_what_is_dropped() {
    let default = tamis::extract(PAGE).unwrap();
    let host = || "gazette.example".to_owned();
    let (keep, drop) = (list(&[".none", ".story", ".box"]), list(&[".ad"]));
    let both = SiteRules { host: host(), keep, drop, ..SiteRules::default() };
    let document = extract(&both);
    let lines: Vec<&str> = document.text.lines().collect();
    assert!(lines.len() == 3 && lines[2] == "Tides: high at nine.", "{lines:?}");
    assert!(lines[1].contains("its members"), "a block that is partly dropped stays whole");
    let expected =
        "gazette.example: keep `.story` (blocks: 3), keep `.box` (blocks: 1), drop `.ad` (blocks: 1)";
    assert_eq!((document.site_rules.as_deref(), default.site_rules), (Some(expected), None));
    let explanation = Extractor::new().explain(Input::text(PAGE).rules(&both)).unwrap();
    for (text, expected) in [
        ("It rained", (true, "site rule keep `.story`")),
        ("umbrella", (false, "site rule drop `.ad`")),
        ("Boats", (false, "site rule: outside of keep `.story` (blocks: 3), keep `.box` (blocks: 1)")),
    ] {
        let block = explanation.blocks.iter().find(|block| block.text.contains(text)).unwrap();
        assert_eq!((block.kept, block.rule.as_deref().unwrap()), expected);
    }
    let first = extract(&SiteRules { keep_first: true, ..both });
    assert!(!first.text.contains("Tides") && first.text.lines().count() == 2);
    let none = extract(&SiteRules { host: host(), keep: list(&[".none"]), ..SiteRules::default() });
    assert_eq!(none.text, default.text);
    let said = "gazette.example: no keep selector finds text, the default decides";
    assert_eq!(none.site_rules.as_deref(), Some(said));
}

#[test]
fn fields_come_from_rules_and_say_so() {
    let (title, author) = (list(&["h6", "h2.kicker"]), list(&[".who"]));
    let date = list(&[".day::attr(data-day)"]);
    let metadata = extract(&SiteRules { title, author, date, ..SiteRules::default() }).metadata;
    assert_eq!(metadata.title.as_deref(), Some("Boats stay in"));
    assert_eq!(metadata.authors, ["Ada Finch", "Bo Reed"]);
    assert_eq!(metadata.published.unwrap().to_string(), "2023-05-05");
    for field in [Field::Title, Field::Authors, Field::Published] {
        let evidence = metadata.evidence.iter().find(|it| it.field == field).unwrap();
        assert!(evidence.evidence == Evidence::SiteRule && evidence.confidence > 0.99, "{evidence:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the rules, the text is blocks of the page in order, and any selector parses or is an error inside it.
    #[test]
    fn rules_never_invent_text(keep in "(p|div|h1|\\.ad|\\*)( > (p|b|\\.ad))?", drop in "(p|b|\\.ad|body)", any in "[a-z .#>,:()\\[\\]='*~é]{0,40}") {
        let document = extract(&SiteRules { keep: list(&[&keep]), drop: list(&[&drop]), ..SiteRules::default() });
        let page = Page::parse(PAGE);
        let mut blocks = (0..page.blocks.len()).map(|block| page.blocks.text(block));
        prop_assert!(document.text.lines().all(|line| blocks.any(|block| block == line)));
        prop_assert!(drop != "body" || document.text.is_empty());
        prop_assert!(any.parse::<Selector>().err().is_none_or(|error| any.is_char_boundary(error.position)));
    }
}
