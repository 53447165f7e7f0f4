use super::*;
use crate::{Extractor, Input};

const BODY: &str = "<p>It has rained for nine days, and the gardens by the harbour are no longer dry, said the \
    mayor on Tuesday. <p>The river rose by two metres, and the bridge is closed until the end of the week.";

fn metadata(html: &str) -> Metadata {
    let context = MetadataContext {
        url: Some("https://gazette.example/rain-at-last"),
        reference_time: Moment::parse_iso("2026-11-18T12:00Z"),
        ..Default::default()
    };
    let run = |analysis: &crate::Analysis<'_>| {
        extract(&analysis.page, &analysis.annotations, &analysis.prediction, &context)
    };
    Extractor::new().analyze_with(Input::text(html), run).unwrap()
}

#[test]
fn the_title_is_the_headline_without_site_and_buttons() {
    for head in [
        "<title>Rain at last | Gazette</title><h1>Rain at last</h1>",
        "<title>Rain at last - Gazette</title><h1><a href=/>Gazette</a></h1><h2>Rain at last</h2>",
        "<title>Rain at last | Gazette</title><h1>Rain at last <a href=#>[复制链接]</a></h1>",
        "<title>Rain at last | Gazette</title><h1>Rain at last <button>Copy item path</button></h1>",
        "<title>Gazette</title><meta property=og:title content='Rain at last'><h1>Rain at last</h1>",
        "<title>Rain at last | Gazette</title><h1><i>原 荐 顶</i>Rain at last</h1>",
        "<title>Rain at last | Gazette</title><h1><span>Rain</span><span>at last</span></h1>",
    ] {
        assert_eq!(metadata(&format!("{head}{BODY}")).title.as_deref(), Some("Rain at last"), "{head}");
    }
    let quoted =
        "<title>x</title><meta property=og:title content='The \"old\" harbour'><h1>The \"old\" harbour</h1>";
    assert_eq!(metadata(&format!("{quoted}{BODY}")).title.as_deref(), Some("The \"old\" harbour"));
}

#[test]
fn dates_and_authors_come_from_data_and_from_labelled_lines() {
    let data = "<script type='application/ld+json'>{\"@type\": \"NewsArticle\", \"datePublished\": \
        \"2010-12-15T08:30:00+01:00\", \"dateModified\": \"2010-12-17\", \"author\": {\"@type\": \"Person\", \
        \"name\": \"Ada Finch\"}}</script><h1>Rain at last</h1>";
    let lines = "<h1>Rain at last</h1><p>By Ada Finch</p><p>Published 15 December 2010</p><p>Updated 17 December 2010</p>";
    for head in [data, lines] {
        let found = metadata(&format!("<html lang=en>{head}{BODY}"));
        assert_eq!(
            found.published.map(|it| it.to_string()[..10].to_owned()).as_deref(),
            Some("2010-12-15"),
            "{head}"
        );
        assert_eq!(found.modified.map(|it| it.to_string()).as_deref(), Some("2010-12-17"), "{head}");
        assert_eq!(found.authors, ["Ada Finch"], "{head}");
    }
}

#[test]
fn organisations_are_bylines() {
    for name in ["Reuters", "DER SPIEGEL", "Harbour News"] {
        let author = format!("{{\"@type\": \"Organization\", \"name\": \"{name}\"}}");
        let data = format!("{{\"@type\": \"NewsArticle\", \"author\": {author}}}");
        let page =
            format!("<script type='application/ld+json'>{data}</script><h1>Rain</h1><p>{name}</p>{BODY}");
        let found = metadata(&page);
        assert_eq!(found.authors, Vec::<String>::new(), "{name}");
        assert_eq!((found.byline.as_deref(), found.organisation.as_deref()), (Some(name), Some(name)));
    }
}

#[test]
fn nothing_is_made_up() {
    let found = metadata(&format!("<p>© 2010 Gazette</p>{BODY}"));
    assert_eq!((found.published, found.authors.len(), found.byline), (None, 0, None));
}

#[test]
fn fields_of_a_page() {
    let found = metadata(&format!(
        "<html lang=EN_gb><link rel=canonical href=/rain><link rel=next href=/rain-at-last?page=2>\
         <link rel=alternate type=application/rss+xml href=/feed><meta property=og:site_name content=Gazette>\
         <meta name=description content='Nine days.'><meta name=keywords content='rain, rain, river'>\
         <title>Rain</title><h1>Rain</h1><p>来源：港口日报</p>{BODY}"
    ));
    assert_eq!((found.language.as_deref(), found.direction), (Some("en-GB"), Some(Direction::Ltr)));
    assert_eq!(found.canonical.as_deref(), Some("https://gazette.example/rain"));
    assert_eq!(found.next_page.as_deref(), Some("https://gazette.example/rain-at-last?page=2"));
    assert_eq!((found.feeds.len(), found.tags.len(), found.site_name.as_deref()), (1, 2, Some("Gazette")));
    assert_eq!(
        (found.description.as_deref(), found.source.as_deref()),
        (Some("Nine days."), Some("港口日报"))
    );
}

/// Cases: field, expected value (- for none), and the HTML before the text.
const CASES: &str = include_str!("cases.tsv");

#[test]
fn every_case_has_its_value() {
    let mut wrong = Vec::new();
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.splitn(3, '\t');
        let (field, expected, head) =
            (columns.next().unwrap(), columns.next().unwrap(), columns.next().unwrap());
        let found = metadata(&format!("{head}{BODY}"));
        let value = match field {
            "title" => found.title.clone(),
            "published" => found.published.map(|it| it.to_string()),
            "authors" => Some(found.authors.join("; ")).filter(|it| !it.is_empty()),
            "byline" => found.byline.clone(),
            "organisation" => found.organisation.clone(),
            "language" => found.language.clone(),
            _ => panic!("unknown field {field}"),
        };
        if value.as_deref().unwrap_or("-") != expected {
            wrong.push(format!("{field} {value:?} instead of {expected}: {head}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_value_has_its_evidence() {
    let found = metadata(&format!(
        "<html lang=en><link rel=canonical href=/rain><link rel=license href=/by>\
         <link rel=alternate type=application/rss+xml href=/feed><meta name=description content='Nine days.'>\
         <meta name=keywords content=rain><meta property=article:section content=Weather>\
         <meta property=og:image content=/rain.jpg><meta name=author content='Harbour News Agency'>\
         <meta property=article:published_time content=2010-12-15><title>Rain</title><h1>Rain at last</h1>\
         <p>By Harbour News Agency</p><p>Edited by Bo Lark</p>{BODY}"
    ));
    let mut fields: Vec<Field> = found.evidence.iter().map(|it| it.field).collect();
    assert!(found.evidence.iter().all(|it| (0.0..=1.0).contains(&it.confidence)), "{:?}", found.evidence);
    fields.sort();
    let mut expected = [
        (found.title.is_some(), Field::Title),
        (found.published.is_some(), Field::Published),
        (found.language.is_some(), Field::Language),
        (found.direction.is_some(), Field::Direction),
        (found.byline.is_some(), Field::Byline),
        (found.organisation.is_some(), Field::Organisation),
        (!found.editors.is_empty(), Field::Editors),
        (found.description.is_some(), Field::Description),
        (!found.tags.is_empty(), Field::Tags),
        (!found.categories.is_empty(), Field::Categories),
        (found.image.is_some(), Field::Image),
        (found.licence.is_some(), Field::Licence),
        (found.canonical.is_some(), Field::Canonical),
        (!found.feeds.is_empty(), Field::Feeds),
    ];
    expected.sort_by_key(|(_, field)| *field);
    assert!(expected.iter().all(|(is_set, _)| *is_set), "{expected:?}");
    assert_eq!(fields, expected.map(|(_, field)| field));
}

#[test]
fn many_headings_and_parts_take_linear_time() {
    let html = format!(
        "<title>{}</title>{}",
        "a - ".repeat(5000),
        "<h1>b | c</h1><time>1.1.2010</time>".repeat(20_000)
    );
    metadata(&html);
}
