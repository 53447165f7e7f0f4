//! Compares our tree with html5ever's and reports the first difference.

// The tests that share this file use different parts of it.
#![allow(dead_code)]

use std::fmt::Write;

use html5ever::interface::QuirksMode as TheirQuirks;
use html5ever::serialize::{Serialize, SerializeOpts, Serializer, TraversalScope, serialize};
use html5ever::{QualName, ns};
use tamis_html::{AttributeNamespace, Dom, Limits, Namespace, NodeKind, NodeRef, Parser, QuirksMode};

use super::html5ever_tree::{Data, NONE, Tree};

/// Parses with both and returns the first difference in the tree, the quirks mode or the serialised markup.
pub(crate) fn difference(page: &str, context: Option<&str>, scripting: bool) -> Option<String> {
    difference_between(page, page, context, scripting)
}

/// Like [`difference`], with separate pages for us and for html5ever, to test the comparison itself.
pub(crate) fn difference_between(
    mine: &str,
    other: &str,
    context: Option<&str>,
    scripting: bool,
) -> Option<String> {
    let parser = Parser::new().scripting(scripting).limits(Limits::NONE);
    let (ours, theirs) = match context {
        Some(context) => {
            (parser.parse_fragment(mine, context), Tree::parse_fragment(other, context, scripting))
        }
        None => (parser.parse(mine), Tree::parse(other, scripting)),
    };
    // html5ever puts a fragment's nodes into an `html` element.
    let root = if context.is_some() { theirs.node(0).first } else { 0 };
    trees(&ours, &theirs, root)
        .or_else(|| (context.is_none() && !same_quirks(&ours, &theirs)).then(|| "the quirks mode".to_owned()))
        .or_else(|| markup(&ours, &theirs, root, scripting))
}

fn same_quirks(ours: &Dom<'_>, theirs: &Tree) -> bool {
    matches!(
        (ours.quirks_mode(), theirs.quirks),
        (QuirksMode::NoQuirks, TheirQuirks::NoQuirks)
            | (QuirksMode::LimitedQuirks, TheirQuirks::LimitedQuirks)
            | (QuirksMode::Quirks, TheirQuirks::Quirks)
    )
}

/// Walks both trees below their roots at once.
fn trees(ours: &Dom<'_>, theirs: &Tree, root: u32) -> Option<String> {
    let top = ours.root();
    let (mut mine, mut other) = (top, root);
    loop {
        // The first child, or else the next sibling of the nearest ancestor that has one.
        let (mut left, mut right) = (mine.first_child(), theirs.below(other));
        while left.is_none() && right == NONE {
            if mine == top {
                return None;
            }
            (left, right) = (mine.next_sibling(), theirs.node(other).next);
            if left.is_none() && right == NONE {
                mine = mine.parent()?;
                other = above(theirs, other);
            }
        }
        match left {
            Some(node) if right != NONE => {
                if let Some(what) = nodes(node, theirs, right) {
                    return Some(format!("at {}: {what}", node.path()));
                }
                (mine, other) = (node, right);
            }
            Some(node) => {
                return Some(format!("at {}: html5ever has no such node; {}", node.path(), shown(node)));
            }
            None => {
                return Some(format!(
                    "under or behind {}: html5ever has {}",
                    mine.path(),
                    their(theirs, right)
                ));
            }
        }
    }
}

/// The parent; for the content of a template, the template.
fn above(theirs: &Tree, id: u32) -> u32 {
    match theirs.node(id).parent {
        // Templates are created right after their content.
        NONE => id + 1,
        parent => parent,
    }
}

/// The difference of two nodes, ignoring their descendants.
fn nodes(mine: NodeRef<'_>, theirs: &Tree, id: u32) -> Option<String> {
    let same = match &theirs.node(id).data {
        Data::Document => mine.kind() == NodeKind::Document,
        Data::Fragment => mine.kind() == NodeKind::Fragment,
        Data::Text(text) => mine.kind() == NodeKind::Text && mine.text() == **text,
        Data::Comment(text) => mine.kind() == NodeKind::Comment && mine.text() == **text,
        Data::Doctype { name, public_id, system_id } => mine.doctype().is_some_and(|doctype| {
            let same = |mine: &Option<String>, theirs: &str| mine.as_deref().unwrap_or("") == theirs;
            same(&doctype.name, name)
                && same(&doctype.public_id, public_id)
                && same(&doctype.system_id, system_id)
        }),
        Data::Element { name, .. } => mine.name() == Some(&*name.local) && namespace(mine) == name.ns,
    };
    if same && same_attributes(mine, theirs, id) {
        return None;
    }
    Some(format!("{} against html5ever's {}", shown(mine), their(theirs, id)))
}

fn namespace(node: NodeRef<'_>) -> html5ever::Namespace {
    match node.namespace() {
        Namespace::Html => ns!(html),
        Namespace::MathMl => ns!(mathml),
        Namespace::Svg => ns!(svg),
    }
}

/// Whether two nodes have the same attributes in the same order.
fn same_attributes(mine: NodeRef<'_>, theirs: &Tree, id: u32) -> bool {
    let Data::Element { attributes, .. } = &theirs.node(id).data else { return true };
    mine.attributes().len() == attributes.len()
        && mine.attributes().zip(attributes).all(|(mine, theirs)| {
            let namespace = match mine.namespace() {
                AttributeNamespace::None => ns!(),
                AttributeNamespace::XLink => ns!(xlink),
                AttributeNamespace::Xml => ns!(xml),
                AttributeNamespace::Xmlns => ns!(xmlns),
            };
            *theirs.name.local == *mine.name()
                && theirs.name.ns == namespace
                && *theirs.value == *mine.value()
        })
}

/// Our node, for messages.
fn shown(node: NodeRef<'_>) -> String {
    match node.kind() {
        NodeKind::Element => {
            let mut text = format!("<{:?} {}", node.namespace(), node.name().unwrap_or(""));
            for it in node.attributes() {
                let _ = write!(text, " {:?}:{}={:?}", it.namespace(), it.name(), it.value());
            }
            text + ">"
        }
        NodeKind::Doctype => format!("{:?}", node.doctype()),
        kind => format!("{kind:?} {:?}", node.text()),
    }
}

/// html5ever's node, for messages.
fn their(theirs: &Tree, id: u32) -> String {
    match &theirs.node(id).data {
        Data::Document => "a document".to_owned(),
        Data::Fragment => "a template's content".to_owned(),
        Data::Doctype { name, public_id, system_id } => {
            format!("doctype {name:?} {public_id:?} {system_id:?}")
        }
        Data::Text(text) => format!("text {:?}", &**text),
        Data::Comment(text) => format!("comment {:?}", &**text),
        Data::Element { name, attributes, .. } => {
            let mut text = format!("<{} {}", name.ns, name.local);
            for it in attributes {
                let _ = write!(text, " {}:{}={:?}", it.name.ns, it.name.local, &*it.value);
            }
            text + ">"
        }
    }
}

/// The first difference of the serialised trees.
fn markup(ours: &Dom<'_>, theirs: &Tree, root: u32, scripting: bool) -> Option<String> {
    let mine = ours.root().to_html();
    let other = their_markup(theirs, root, scripting);
    if mine == other {
        return None;
    }
    let at = mine.bytes().zip(other.bytes()).take_while(|(mine, other)| mine == other).count();
    let around = |text: &str| -> String {
        let start = text.floor_char_boundary(at.saturating_sub(40));
        text[start..].chars().take(80).collect()
    };
    Some(format!("the markup from byte {at}: {:?} against html5ever's {:?}", around(&mine), around(&other)))
}

/// The tree below `root`, serialised by html5ever.
pub(crate) fn their_markup(theirs: &Tree, root: u32, scripting: bool) -> String {
    let mut bytes = Vec::new();
    let options = SerializeOpts {
        scripting_enabled: scripting,
        traversal_scope: TraversalScope::ChildrenOnly(None),
        create_missing_parent: false,
    };
    serialize(&mut bytes, &Below { tree: theirs, root }, options).unwrap();
    String::from_utf8(bytes).unwrap()
}

struct Below<'t> {
    tree: &'t Tree,
    root: u32,
}

impl Serialize for Below<'_> {
    /// Passes the nodes one by one; iterative, since pages may be deeper than the stack.
    fn serialize<S: Serializer>(&self, out: &mut S, _: TraversalScope) -> std::io::Result<()> {
        let tree = self.tree;
        let mut id = tree.below(self.root);
        if id == NONE {
            return Ok(());
        }
        loop {
            match &tree.node(id).data {
                Data::Document | Data::Fragment => {}
                Data::Doctype { name, .. } => out.write_doctype(name)?,
                Data::Text(text) => out.write_text(text)?,
                Data::Comment(text) => out.write_comment(text)?,
                Data::Element { name, attributes, .. } => {
                    out.start_elem(name.clone(), attributes.iter().map(|it| (&it.name, &*it.value)))?;
                }
            }
            let below = tree.below(id);
            if below != NONE {
                id = below;
                continue;
            }
            loop {
                if let Some(name) = element(tree, id) {
                    out.end_elem(name.clone())?;
                }
                if tree.node(id).next != NONE {
                    id = tree.node(id).next;
                    break;
                }
                id = above(tree, id);
                if id == self.root {
                    return Ok(());
                }
            }
        }
    }
}

fn element(tree: &Tree, id: u32) -> Option<&QualName> {
    match &tree.node(id).data {
        Data::Element { name, .. } => Some(name),
        _ => None,
    }
}
