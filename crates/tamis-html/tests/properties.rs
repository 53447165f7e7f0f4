//! Properties of all pages, tested on arbitrary text and on tag soup.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod common;

use common::html5ever_tree::{Data, Tree};
use common::invariants::{limits_hold, links_agree, spans_lie_in_the_source};
use common::soup::Case;
use common::words::CONTEXTS;
use proptest::prelude::*;
use tamis_html::{Attribute, Dom, Limits, Name, Namespace, NodeKind, NodeRef, Parser, Span};

/// Tag soup with its context; shrinks by removing pieces.
fn soup() -> impl Strategy<Value = Case> {
    let piece = any::<u64>().no_shrink().prop_map(|seed| Case::new(seed).pieces.swap_remove(0));
    let pieces = prop_oneof![8 => proptest::collection::vec(piece.clone(), 0..20), 1 => proptest::collection::vec(piece, 0..150)];
    let context = proptest::option::weighted(0.25, proptest::sample::select(CONTEXTS));
    (pieces, context, any::<bool>()).prop_map(|(pieces, context, scripting)| Case {
        pieces,
        context,
        scripting,
    })
}

/// Arbitrary text, and text of the characters with a meaning in HTML.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        proptest::collection::vec(
            prop_oneof![
                proptest::sample::select(vec![
                    '<', '>', '/', '!', '-', '&', '#', ';', '"', '\'', '=', '\0', '\r', '\n', ' ', '?', '[',
                    ']'
                ]),
                proptest::char::range('a', 'z'),
                any::<char>(),
            ],
            0..200
        )
        .prop_map(|characters| characters.into_iter().collect()),
    ]
}

fn parse<'s>(text: &'s str, context: Option<&str>, scripting: bool, limits: Limits) -> Dom<'s> {
    let parser = Parser::new().scripting(scripting).limits(limits);
    match context {
        Some(context) => parser.parse_fragment(text, context),
        None => parser.parse(text),
    }
}

fn holds(dom: &Dom<'_>) {
    links_agree(dom);
    spans_lie_in_the_source(dom);
    let _ = (dom.outline(), dom.root().to_html(), dom.root().text_content());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_sound_tree(text in text(), context in proptest::option::of("[a-z]{1,8}"), scripting: bool) {
        holds(&parse(&text, context.as_deref(), scripting, Limits::default()));
    }

    #[test]
    fn any_soup_gives_a_sound_tree(case in soup()) {
        holds(&parse(&case.text(), case.context, case.scripting, Limits::NONE));
    }

    #[test]
    fn limits_hold_on_any_soup(
        case in soup(),
        bytes in 0u32..400,
        nodes in 10u32..200,
        depth in 3u32..40,
        attributes in 0u32..4,
    ) {
        let limits = Limits { bytes, nodes, depth, attributes, deadline: None };
        let text = case.text();
        let dom = parse(&text, case.context, case.scripting, limits);
        limits_hold(&dom, limits);
        holds(&dom);
        for limits in [
            Limits { bytes, ..Limits::NONE },
            Limits { nodes, ..Limits::NONE },
            Limits { depth, ..Limits::NONE },
            Limits { attributes, ..Limits::NONE },
        ] {
            limits_hold(&parse(&text, case.context, case.scripting, limits), limits);
        }
    }

    #[test]
    fn a_limit_is_reported_exactly_if_it_changes_the_tree(case in soup(), depth in 3u32..20, attributes in 0u32..3) {
        let text = case.text();
        let whole = parse(&text, case.context, case.scripting, Limits::NONE);
        prop_assert_eq!(whole.limit_reached(), None);
        let limits = Limits { depth, attributes, ..Limits::NONE };
        let part = parse(&text, case.context, case.scripting, limits);
        if part.limit_reached().is_none() {
            prop_assert_eq!(part.outline(), whole.outline());
        }
    }

    #[test]
    fn the_same_page_gives_the_same_tree(case in soup()) {
        let text = case.text();
        let seen = |dom: &Dom<'_>| -> Vec<Option<Span>> { dom.descendants().map(|node| node.span()).collect() };
        let first = parse(&text, case.context, case.scripting, Limits::NONE);
        let again = parse(&text, case.context, case.scripting, Limits::NONE);
        prop_assert_eq!(first.outline(), again.outline());
        prop_assert_eq!(seen(&first), seen(&again));
        if case.context.is_none() {
            let owned = Parser::new().scripting(case.scripting).limits(Limits::NONE).parse_owned(text.clone());
            prop_assert_eq!(first.outline(), owned.outline());
        }
    }

    #[test]
    fn spans_agree_with_texts_and_values(case in soup()) {
        let text = case.text();
        let dom = parse(&text, case.context, case.scripting, Limits::NONE);
        for node in dom.descendants() {
            if matches!(node.kind(), NodeKind::Text | NodeKind::Comment) {
                let read: Option<String> = node.text_spans().map(|span| read_piece(node, span, &case)).collect();
                if let Some(read) = read {
                    prop_assert_eq!(node.text(), read);
                }
            }
            for attribute in node.attributes() {
                prop_assert_eq!(attribute.value(), read_value(attribute, &text));
            }
        }
    }
}

#[test]
fn no_page_is_deeper_than_the_limit_allows() {
    let fonts: String = (0..1000).map(|number| format!("<font a={number}>")).collect();
    let limits = Limits { depth: 64, ..Limits::default() };
    for page in [
        "<div>".repeat(1000),
        "<svg>".repeat(1000),
        "<table><tr><td>".repeat(1000),
        "<template>".repeat(1000),
        "<a><div></a>".repeat(1000),
        "<b><p></b>".repeat(1000),
        "<object><b><p></b>".repeat(1000),
        format!("<p>{fonts}<p>a"),
        format!("<p>{fonts}</p><table>a"),
        format!("<select><button><selectedcontent></button><option>{}", "<div>".repeat(1000)),
    ] {
        let dom = parse(&page, None, false, limits);
        let start: String = page.chars().take(60).collect();
        println!("{:5} elements deep: {start}", common::invariants::depth(&dom));
        limits_hold(&dom, limits);
    }
}

/// Decodes line ends and NUL, where nothing else needs decoding.
fn plain(raw: &str) -> String {
    raw.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}")
}

/// The decoded piece of a text or comment by independent means; `None` if those do not apply.
fn read_piece(node: NodeRef<'_>, span: Span, case: &Case) -> Option<String> {
    let source = node.dom().source();
    let raw = span.of(source);
    if node.kind() == NodeKind::Comment {
        return Some(plain(raw));
    }
    let parent = node.parent()?;
    // The parent of a fragment's nodes is not in the tree.
    let name = parent.name().or(case.context).unwrap_or("");
    let in_cdata = || {
        source[..span.start as usize]
            .rfind("<![CDATA[")
            .is_some_and(|at| !source[at..span.start as usize].contains("]]>"))
    };
    // Everything after a `plaintext` is plain, in any element.
    let behind_plaintext = node
        .dom()
        .descendants()
        .any(|other| other.is(Name::PLAINTEXT) && other.span().is_some_and(|other| other.start < span.start));
    let raw_text = behind_plaintext
        || ["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"].contains(&name)
        || (name == "noscript" && case.scripting);
    match parent.namespace() {
        Namespace::Html if raw_text => Some(plain(raw)),
        // Inside a CDATA section, or after something similar, which cannot be distinguished here.
        _ if in_cdata() => None,
        _ => read_references(raw),
    }
}

/// html5ever's decoding of a text with character references but without tags.
fn read_references(raw: &str) -> Option<String> {
    let lower = raw.to_ascii_lowercase();
    let context = ["title", "textarea"].into_iter().find(|name| !lower.contains(&format!("</{name}")))?;
    let tree = Tree::parse_fragment(raw, context, false);
    let root = tree.node(tree.node(0).first);
    Some(match &tree.nodes.get(root.first as usize)?.data {
        Data::Text(text) => text.to_string(),
        _ => String::new(),
    })
}

/// html5ever's decoding of a raw attribute value.
fn read_value(attribute: Attribute<'_>, source: &str) -> String {
    let span = attribute.value_span();
    let quote = match source.as_bytes().get((span.start as usize).wrapping_sub(1)) {
        Some(b'"') if !span.is_empty() => "\"",
        Some(b'\'') if !span.is_empty() => "'",
        _ => "",
    };
    let raw = span.of(source);
    let tree = Tree::parse(&format!("<body a={quote}{raw}{quote} >"), false);
    let value = tree.nodes.iter().find_map(|node| match &node.data {
        Data::Element { attributes, .. } => attributes.first().map(|attribute| attribute.value.to_string()),
        _ => None,
    });
    value.unwrap_or_default()
}
