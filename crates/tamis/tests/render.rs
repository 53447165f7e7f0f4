//! Every output format has each kept word once and in order, and is bounded by the size of the page.

#![allow(clippy::unwrap_used)]

mod soup;

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event as Xml;
use soup::{document, soup, words, words_of_markdown};
use tamis::document::Document;
use tamis::page::Page;
use tamis::render::{Headline, RenderOptions};

fn all(page: &Page<'_>) -> Document {
    document(page, &vec![true; page.blocks.len()])
}

fn words_of_html(html: &str) -> Vec<String> {
    let page = Page::parse(html);
    (0..page.blocks.len()).flat_map(|block| words(page.blocks.text(block))).collect()
}

/// The words of the content of XML or TEI; fails unless it is well-formed and the DTD declares its elements and attributes.
fn words_of_xml(xml: &str, dtd: &str) -> Vec<String> {
    let inline = " emphasis strong strike underline mark subscript superscript quotation link code footnote-ref image \
                  ruby ruby-text hi q ref figure graphic formula figDesc ";
    let mut reader = Reader::from_str(xml);
    let (mut text, mut open, mut in_content) = (String::new(), Vec::new(), false);
    loop {
        match reader.read_event().unwrap() {
            Xml::Eof => break,
            event @ (Xml::Start(_) | Xml::Empty(_)) => {
                let (Xml::Start(tag) | Xml::Empty(tag)) = &event else { unreachable!() };
                let name = tag.name().as_ref().to_owned();
                assert!(dtd.contains(&format!("<!ELEMENT {name} ")), "{name} is not declared");
                let list =
                    dtd.split(&format!("<!ATTLIST {name} ")).nth(1).unwrap_or("").split('>').next().unwrap();
                for attribute in tag.attributes() {
                    let key = attribute.unwrap().key.as_ref().to_owned();
                    let is_place =
                        list.contains("%place;") && ["path", "start", "end"].contains(&key.as_str());
                    let is_declared = list.split_whitespace().any(|token| token == key);
                    assert!(is_declared || is_place, "{name} has no attribute {key}");
                }
                in_content |= matches!(name.as_str(), "content" | "body");
                text.push_str(if inline.contains(&format!(" {name} ")) { "" } else { " " });
                if matches!(event, Xml::Start(_)) {
                    open.push(name);
                }
            }
            Xml::End(tag) => {
                in_content &= !matches!(tag.name().as_ref(), "content" | "body");
                text.push_str(if inline.contains(&format!(" {} ", tag.name().as_ref())) { "" } else { " " });
                open.pop();
            }
            Xml::Text(words) if in_content && open.last().is_some_and(|name| name != "figDesc") => {
                text.push_str(&words)
            }
            Xml::GeneralRef(name) if in_content => text.push(if &*name == "#13" { ' ' } else { '&' }),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    words(&text)
}

/// Checks the words of all formats, for the blocks that `seed` keeps: 0 keeps all.
fn check_words(html: &str, seed: u64) -> Result<(), TestCaseError> {
    let page = Page::parse(html);
    let is_kept =
        |block: usize| seed == 0 || (block as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62 != 0;
    let kept: Vec<bool> = (0..page.blocks.len()).map(is_kept).collect();
    let document = document(&page, &kept);
    let wanted: Vec<String> = (0..kept.len())
        .filter(|block| kept[*block])
        .flat_map(|block| words(page.blocks.text(block)))
        .collect();
    prop_assert_eq!(&words(&document.text), &wanted, "{}", html);
    for options in [RenderOptions::new(), RenderOptions::all(), RenderOptions::new().formatting(false)] {
        let markdown = document.to_markdown_with(&options);
        prop_assert_eq!(&words_of_markdown(&markdown), &wanted, "{}\n{}", html, markdown);
        prop_assert_eq!(&words_of_html(&document.to_html_with(&options)), &wanted, "{}", html);
    }
    prop_assert_eq!(
        &words_of_xml(&document.to_xml(), include_str!("../../../docs/schema/document-2.dtd")),
        &wanted
    );
    prop_assert_eq!(
        &words_of_xml(&document.to_tei(), include_str!("../../../docs/schema/tei-tamis.dtd")),
        &wanted
    );
    let read: Document = serde_json::from_str(&document.to_json()).unwrap();
    prop_assert_eq!(read, document);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn soup_keeps_its_words(html in soup(), seed in 0_u64..6) {
        // Blocks separate adjacent links and what invisible text nodes part, preformatted text does not; captions are shown whether kept or not.
        let html = if html.contains("<a") || html.contains("&shy;") || html.contains('\u{200B}') { html.replace("<pre>", "<p>") } else { html };
        let html = if seed > 0 { html.replace("<fig", "<x").replace("=caption", "=a") } else { html };
        check_words(&html, seed)?;
    }
}

#[test]
fn crowded_pages_keep_their_words() {
    for unit in [
        "<p>a</p>b",
        "<li>a<br>b",
        "<pre>a<br><div>b</div>c</pre>",
        "<td>a<td>b",
        "<b>a<br></b>b<div>c</div>",
    ] {
        let html = format!("<table><tr>{}", unit.repeat(20_000));
        let page = Page::parse(&html);
        assert!(page.blocks.merged && page.blocks.len() < 40_000);
        let count = (0..page.blocks.len()).map(|block| words(page.blocks.text(block)).len()).sum::<usize>();
        let single = Page::parse(&unit.replace("<td>", "<p>")).blocks.len();
        assert_eq!(count, 20_000 * single, "{unit}");
        check_words(&html, 0).unwrap_or_else(|_| panic!("{unit}"));
    }
}

#[test]
fn pages_keep_their_words_and_look_as_approved() {
    for name in ["harvest", "manual", "signs"] {
        let path = format!("{}/tests/pages/{name}.html", env!("CARGO_MANIFEST_DIR"));
        let html = std::fs::read_to_string(path).unwrap();
        if name != "harvest" {
            // TeX has words of its own, and so have footnotes.
            check_words(&html, 0).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let page = Page::parse(&html);
        let is_kept = |block: usize| {
            let element = page.dom.node(page.elements.node[page.blocks.element[block] as usize]).unwrap();
            let mut above = std::iter::once(element).chain(element.ancestors());
            above.find_map(|node| {
                node.attribute("data-keep").map(|_| true).or(node.attribute("data-drop").map(|_| false))
            })
        };
        let kept: Vec<bool> = (0..page.blocks.len()).map(|block| is_kept(block) == Some(true)).collect();
        let mut document = document(&page, &kept);
        document.metadata.title = Some("Title: <one>".into());
        document.metadata.authors = vec!["Ada Brook".into(), "Lin & Sons".into()];
        document.metadata.direction = (name == "signs").then_some(tamis::metadata::Direction::Rtl);
        let outputs = [
            ("txt", document.text.clone()),
            ("md", document.to_markdown_with(&RenderOptions::all().metadata(true))),
            ("html", document.to_html()),
            ("xml", document.to_xml()),
            ("tei.xml", document.to_tei()),
        ];
        for (format, output) in outputs {
            insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                insta::assert_snapshot!(format!("{name}.{format}"), output);
            });
        }
    }
}

#[test]
fn the_headline_is_shown_once() {
    let mut document = all(&Page::parse("<h2>Rain *today*</h2><p>It rained."));
    document.metadata.title = Some("Rain *today*".into());
    let markdown = |show| document.to_markdown_with(&RenderOptions::new().headline(show));
    assert_eq!(markdown(Headline::Auto), "## Rain \\*today\\*\n\nIt rained.\n");
    assert!(markdown(Headline::Always).starts_with("# Rain \\*today\\*\n\n## Rain"));
    document.content.remove(0);
    assert_eq!(document.to_markdown(), "# Rain \\*today\\*\n\nIt rained.\n");
    assert!(document.to_html().contains("<h1>Rain *today*</h1>"));
}

/// Output may be a constant factor larger than the page, however it is built.
#[test]
fn output_is_linear_in_the_page() {
    let link = format!("<a href='/{}'>", "u".repeat(3000));
    for (name, html) in [
        ("nested", "<div>a".repeat(100_000)),
        ("inline", format!("<p>{}", "<b><i><u>a".repeat(30_000))),
        ("quotes", "<blockquote>a".repeat(30_000)),
        ("breaks", format!("<p>{}", "a<br>".repeat(100_000))),
        ("lists", "<ul><li>a".repeat(30_000)),
        ("tables", "<table><tr><td>a<td>b".repeat(10_000)),
        ("wide", format!("<table>{}</table>", format!("<tr>{}", "<th>a".repeat(20_000)).repeat(2))),
        ("spans", format!("<table>{}</table>", "<tr><th colspan=1000 rowspan=65000>a<th>b".repeat(5_000))),
        ("pictures", format!("<p>a{}b", "<img src=i>".repeat(50_000))),
        (
            "base",
            format!(
                "<base href='https://a.example/{}/'>{}",
                "b".repeat(4000),
                "<a href=c>d</a> ".repeat(20_000)
            ),
        ),
        ("link", format!("{link}{}", "a<br><br>".repeat(30_000))),
        ("notes", "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>b".repeat(10_000)),
    ] {
        let page = Page::parse(&html);
        let document = all(&page);
        let most = 40 * html.len() + (48 << 20);
        for output in [
            document.to_markdown_with(&RenderOptions::all()),
            document.to_html(),
            document.to_xml(),
            document.to_tei(),
        ] {
            assert!(output.len() < most, "{name}: {} from {}", output.len(), html.len());
        }
        assert!(document.text.len() <= 2 * html.len(), "{name}");
    }
}
