//! Invariants of every tree, checked by the property tests and the fuzz targets.

// The tests that share this file use different parts of it.
#![allow(dead_code)]

use tamis_html::{Dom, Limits, NodeKind, NodeRef, Span};

/// Links between nodes are consistent, and no node is its own descendant.
pub(crate) fn links_agree(dom: &Dom<'_>) {
    let mut seen = vec![false; dom.len()];
    let mut count = 0;
    for node in std::iter::once(dom.root()).chain(dom.descendants()) {
        assert!(!std::mem::replace(&mut seen[node.id().index()], true), "{node:?} is met twice");
        count += 1;
        assert!(count <= dom.len());
        match node.previous_sibling() {
            Some(before) => assert_eq!(before.next_sibling(), Some(node)),
            None => assert_eq!(node.parent().and_then(|parent| parent.first_child()), parent_has(node)),
        }
        match node.next_sibling() {
            Some(behind) => assert_eq!(behind.previous_sibling(), Some(node)),
            None => assert_eq!(node.parent().and_then(|parent| parent.last_child()), parent_has(node)),
        }
        for end in [node.first_child(), node.last_child()].into_iter().flatten() {
            assert_eq!(end.parent(), Some(node));
        }
        assert!(node.first_child().is_some() == node.last_child().is_some());
        let holds_nodes = !matches!(node.kind(), NodeKind::Text | NodeKind::Comment | NodeKind::Doctype);
        assert!(holds_nodes || node.first_child().is_none(), "{node:?} has a child");
        assert!(node == dom.root() || node.kind() != NodeKind::Document, "a document in the document");
        assert!(node.kind() != NodeKind::Text || !node.text().is_empty(), "an empty text");
    }
}

/// The node itself, if it has a parent: then it must be that parent's first or last child.
fn parent_has(node: NodeRef<'_>) -> Option<NodeRef<'_>> {
    node.parent().map(|_| node)
}

/// Every span lies in the source and between characters; elements start where their tag does.
pub(crate) fn spans_lie_in_the_source(dom: &Dom<'_>) {
    let source = dom.source();
    let inside = |span: Span| assert!(source.get(span.range()).is_some(), "{span:?} is not in the source");
    for node in dom.descendants() {
        node.span().into_iter().chain(node.text_spans()).for_each(inside);
        for attribute in node.attributes() {
            inside(attribute.value_span());
        }
        if let (Some(name), Some(span)) = (node.name(), node.span()) {
            let written = tag_name(span.of(source));
            let same = written.as_deref().is_some_and(|written| {
                written.eq_ignore_ascii_case(name) || (name == "img" && written.eq_ignore_ascii_case("image"))
            });
            assert!(same, "<{name}> has the span of {written:?}");
        }
        if node.kind() == NodeKind::Doctype
            && let Some(span) = node.span()
        {
            let start = span.of(source).get(..9);
            assert!(
                start.is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")),
                "a doctype is {start:?}"
            );
        }
    }
}

/// The name of the start tag at the beginning of `text`; `</br>` creates an element as well.
fn tag_name(text: &str) -> Option<String> {
    let rest = text.strip_prefix('<')?;
    let rest =
        if rest.get(..3).is_some_and(|end| end.eq_ignore_ascii_case("/br")) { &rest[1..] } else { rest };
    let end = rest.find(['\t', '\n', '\u{c}', '\r', ' ', '/', '>']).unwrap_or(rest.len());
    Some(rest[..end].replace('\0', "\u{FFFD}"))
}

/// The depth of the tree in elements.
pub(crate) fn depth(dom: &Dom<'_>) -> usize {
    let mut deepest = 0;
    let mut depth: usize = 0;
    for step in dom.root().walk() {
        match step {
            tamis_html::Step::Enter(node) if node.is_element() => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            tamis_html::Step::Leave(node) if node.is_element() => depth -= 1,
            _ => {}
        }
    }
    deepest
}

/// The limits hold. The limit on depth counts open elements; the tree may be a few levels deeper.
pub(crate) fn limits_hold(dom: &Dom<'_>, limits: Limits) {
    // Fewer than 64 count as 64.
    assert!(dom.len() <= limits.nodes.max(64) as usize, "{} nodes of {}", dom.len(), limits.nodes);
    assert!(dom.source().len() <= limits.bytes as usize);
    let most = dom.descendants().map(|node| node.attributes().len()).max().unwrap_or(0);
    assert!(most <= limits.attributes as usize, "{most} attributes of {}", limits.attributes);
    let depth = depth(dom);
    // Fewer than 8 count as 8.
    assert!(depth <= limits.depth.max(8) as usize + 4, "{depth} elements deep of {}", limits.depth);
}
