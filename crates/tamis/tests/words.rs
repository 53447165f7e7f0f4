//! No format loses a word of a kept block, repeats one or glues two, and every output is valid: on made-up pages, and
//! on real ones.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::LazyLock;

use common::dtd::Dtd;
use common::words::{kept, of_html, of_markdown, of_xml, words};
use proptest::prelude::*;
use tamis::document::Kind;
use tamis::{Judgement, Options, Page, assemble};

static XML: LazyLock<Dtd> = LazyLock::new(|| read("document-1.dtd"));
static TEI: LazyLock<Dtd> = LazyLock::new(|| read("tei-tamis.dtd"));

fn read(name: &str) -> Dtd {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    Dtd::parse(&std::fs::read_to_string(folder.join(name)).unwrap())
}

/// A judgement that looks like chance but is always the same for a seed; zero keeps all that is seen.
fn some(page: &Page<'_>, seed: u64) -> Judgement {
    Judgement::of(page.blocks().iter().enumerate().map(|(place, block)| match seed {
        0 => block.hidden.is_none(),
        seed => (place as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62 != 0,
    }))
}

fn check(html: &str, seed: u64) -> Result<(), TestCaseError> {
    let page = Page::parse(html).with_url("https://test.example/a/b");
    let judgement = some(&page, seed);
    let document = assemble(&page, &judgement);
    let wanted = kept(&page, &judgement);
    let (plain, all) = (Options::default(), Options::all());
    prop_assert_eq!(&words(&document.to_text(&plain)), &wanted);
    prop_assert_eq!(&of_html(&document.to_html(&all)), &wanted);
    for (xml, dtd) in [(document.to_xml(), &*XML), (document.to_tei(), &*TEI)] {
        prop_assert_eq!(&of_xml(&xml), &wanted);
        prop_assert_eq!(dtd.errors(&xml), Vec::<String>::new());
    }
    let back: tamis::Document = serde_json::from_str(&document.to_json()).unwrap();
    prop_assert_eq!(&back, &document);
    // Markdown numbers its footnotes by itself.
    if document.find(|piece| matches!(piece.kind, Kind::Footnote { .. })).is_none() {
        for options in [plain, all] {
            let markdown = document.to_markdown(&options);
            prop_assert_eq!(&of_markdown(&markdown), &wanted, "{}", markdown);
        }
    }
    // The arrow back from a footnote may be a block by itself; nothing else is left out.
    let blocks: Vec<u32> = blocks_of(&document.content);
    let has_words = |place: &usize| !words(page.text(&page.blocks()[*place])).is_empty();
    prop_assert!(blocks.is_sorted());
    for place in judgement.kept().filter(has_words) {
        prop_assert!(blocks.binary_search(&(place as u32)).is_ok());
    }
    Ok(())
}

fn blocks_of(pieces: &[tamis::document::Piece]) -> Vec<u32> {
    let of_piece = |piece: &tamis::document::Piece| {
        let mut blocks = piece.blocks.clone();
        piece.parts().for_each(|part| blocks.extend(blocks_of(part)));
        blocks
    };
    pieces.iter().flat_map(of_piece).collect()
}

/// Tags that mean something to the assembly, well nested or not.
fn fragment() -> impl Strategy<Value = String> {
    let tags = prop::sample::select(vec![
        "p",
        "div",
        "ul",
        "ol",
        "li",
        "table",
        "tr",
        "td",
        "th",
        "caption",
        "blockquote",
        "pre",
        "code",
        "b",
        "i",
        "em",
        "strong",
        "a href=/x",
        "a href=\"/y (z)\"",
        "span",
        "sub",
        "sup",
        "s",
        "u",
        "q",
        "mark",
        "h1",
        "h2",
        "h3",
        "figure",
        "figcaption",
        "dl",
        "dt",
        "dd",
        "br",
        "br",
        "img src=/i.png alt=alt",
        "hr",
        "ol start=7",
        "td colspan=2",
        "td rowspan=2",
        "tbody",
        "p hidden",
        "kbd",
        "section",
        "button",
    ]);
    let text = prop::sample::select(vec![
        "one",
        "two three",
        " four ",
        " ",
        "\n  ",
        "*five*",
        "_six_",
        "# seven",
        "1. eight",
        "- nine",
        "ten|",
        "`",
        "``eleven",
        "[twelve](x)",
        "&lt;b&gt;",
        "&amp;amp;",
        "\\",
        "!",
        "~",
        "字，",
        "。文",
        "كىتاب",
        "a_b",
        "=",
        ">",
        "+ x",
        "|---|",
        "x\u{200C}y",
        "&shy;",
        "\u{200B}",
        "http://a.b/c_d_",
        "$x$",
        "13)",
        "\t",
        "^",
        "<!-- c -->",
    ]);
    let piece = prop_oneof![
        4 => text.prop_map(str::to_owned),
        3 => tags.clone().prop_map(|tag| format!("<{tag}>")),
        2 => tags.prop_map(|tag| format!("</{}>", tag.split(' ').next().unwrap())),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn made_up_pages_keep_their_words(html in fragment(), seed in 0_u64..8) {
        // Blocks part links that touch; preformatted text stays as it stands.
        let html = if html.contains("<a") { html.replace("<pre>", "<p>") } else { html };
        check(&html, seed)?;
    }
}

#[test]
fn test_pages_keep_their_words() {
    for name in common::PAGES {
        let html = common::source(name);
        // A formula is written as TeX, which has words of its own.
        let html = html.replace("math", "span");
        for seed in 0..4 {
            check(&html, seed).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn real_pages_keep_their_words() {
    for set in ["gne", "other-forums", "magic-html-article", "mozilla-readability", "uyghur-archives"] {
        for path in tamis_testdata::pages(set).into_iter().step_by(9) {
            let bytes = std::fs::read(&path).unwrap();
            let html = tamis_html::decode::decode(&bytes, None).text;
            if html.contains("<math") || html.contains("math/tex") || html.contains("katex") {
                continue;
            }
            for seed in [0, 3] {
                check(&html, seed).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            }
        }
    }
}

#[test]
fn deep_pages_do_no_harm() {
    for tags in
        ["<ul><li>a", "<blockquote>a", "<table><tr><td>a", "<dl><dd>a", "<b>a", "<div>a<b>", "<a href=x>a<p>"]
    {
        check(&tags.repeat(2_000), 0).unwrap_or_else(|error| panic!("{tags}: {error}"));
    }
}
