//! A page's tree written out again with some things changed.

use tamis_html::{Dom, Name, Namespace, NodeId, NodeKind, NodeRef};

use super::names::Names;
use crate::report::escape::escaped;
use crate::sample::Chance;

/// What is changed.
pub(super) struct Changes {
    pub(super) names: Names,
    /// One in so many block elements gets a wrapper; with 0 none does.
    pub(super) wrappers: usize,
    /// Two sections beside each other that change places.
    pub(super) swap: Option<(NodeId, NodeId)>,
    /// Markup that is put before a node.
    pub(super) noise: Option<(NodeId, String)>,
}

/// What is still to be written.
enum Task<'d> {
    Node(NodeRef<'d>),
    Close(&'d str),
}

/// The page as HTML. What must be closed stands on a stack of our own, however deep the page is.
pub(super) fn rewritten(dom: &Dom<'_>, changes: &Changes, chance: &mut Chance) -> String {
    let mut out = String::with_capacity(dom.source().len() + dom.source().len() / 8);
    let mut tasks = vec![Task::Node(dom.root())];
    while let Some(task) = tasks.pop() {
        let node = match task {
            Task::Close(name) => {
                out.push_str("</");
                out.push_str(name);
                out.push('>');
                continue;
            }
            Task::Node(node) => swapped(dom, node, changes.swap),
        };
        if let Some((before, markup)) = &changes.noise
            && *before == node.id()
        {
            out.push_str(markup);
        }
        match (node.kind(), node.name()) {
            (NodeKind::Document | NodeKind::Fragment, _) => {}
            (NodeKind::Element, Some(name)) if node.namespace() == Namespace::Html => {
                if changes.wrappers > 0 && can_be_wrapped(node) && chance.below(changes.wrappers) == 0 {
                    out.push_str("<div>");
                    tasks.push(Task::Close("div"));
                }
                start(name, node, changes.names, &mut out);
                if node.first_child().is_none() && !node.to_html().ends_with(&format!("</{name}>")) {
                    continue;
                }
                tasks.push(Task::Close(name));
            }
            // Texts, comments and drawings have nothing that is changed.
            _ => {
                out.push_str(&node.to_html());
                continue;
            }
        }
        tasks.extend(node.children().rev().map(Task::Node));
    }
    out
}

fn swapped<'d>(dom: &'d Dom<'_>, node: NodeRef<'d>, swap: Option<(NodeId, NodeId)>) -> NodeRef<'d> {
    let other = match swap {
        Some((one, other)) if one == node.id() => dom.node(other),
        Some((one, other)) if other == node.id() => dom.node(one),
        _ => None,
    };
    other.unwrap_or(node)
}

fn start(name: &str, node: NodeRef<'_>, names: Names, out: &mut String) {
    out.push('<');
    out.push_str(name);
    for attribute in node.attributes() {
        let value = attribute.value();
        let value = match attribute.name_id() {
            Name::CLASS | Name::ID => names.changed(&value),
            _ => Some(value.into_owned()),
        };
        if let Some(value) = value {
            out.push(' ');
            out.push_str(attribute.name());
            out.push_str("=\"");
            out.push_str(&escaped(&value));
            out.push('"');
        }
    }
    out.push('>');
}

/// Block elements at places where a `div` changes nothing for a reader.
fn can_be_wrapped(node: NodeRef<'_>) -> bool {
    let is_block = matches!(
        node.name(),
        Some(
            "div"
                | "section"
                | "article"
                | "aside"
                | "nav"
                | "header"
                | "footer"
                | "main"
                | "ul"
                | "ol"
                | "dl"
                | "table"
                | "blockquote"
                | "p"
                | "pre"
                | "form"
                | "figure"
                | "h1"
                | "h2"
                | "h3"
        )
    );
    let has_room = |parent: NodeRef<'_>| {
        matches!(
            parent.name(),
            Some(
                "body"
                    | "div"
                    | "section"
                    | "article"
                    | "aside"
                    | "header"
                    | "footer"
                    | "main"
                    | "td"
                    | "li"
                    | "blockquote"
            )
        )
    };
    is_block && node.parent().is_some_and(has_room)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!doctype html><title>Rain</title><body class=home><div id=top class='a b'>Menu &amp; more<br>x</div>\
        <div class=a><p>One <b>bold</b> word.<p>Two<img alt='\"<b>\"'><table><tr><td>cell</table></div>\
        <svg viewBox='0 0 1 1'><use xlink:href='#i'/></svg><script>if (a < b) f(\"x\")</script>";

    const NOTHING: Changes = Changes { names: Names::Keep, wrappers: 0, swap: None, noise: None };

    fn write(html: &str, changes: &Changes) -> String {
        rewritten(&tamis_html::parse(html), changes, &mut Chance::of(1))
    }

    fn words(html: &str) -> Vec<String> {
        let text = tamis_html::parse(html).root().text_content();
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.sort();
        words
    }

    #[test]
    fn with_nothing_changed_it_is_the_same_tree() {
        let written = write(PAGE, &NOTHING);
        assert_eq!(tamis_html::parse(&written).root().to_html(), tamis_html::parse(PAGE).root().to_html());
    }

    #[test]
    fn dropped_names_are_gone_and_new_ones_are_the_same_everywhere() {
        let dropped = write(PAGE, &Changes { names: Names::Drop, ..NOTHING });
        assert!(!dropped.contains("class=") && !dropped.contains("id="), "{dropped}");
        assert_eq!(words(&dropped), words(PAGE));
        let renamed = write(PAGE, &Changes { names: Names::Rename(3), ..NOTHING });
        let dom = tamis_html::parse(&renamed);
        let class = |node: NodeRef<'_>| node.attribute_named(Name::CLASS).map(|it| it.into_owned());
        let classes: Vec<String> = dom.descendants().filter_map(class).collect();
        assert_eq!(classes.len(), 3);
        assert!(classes[1].starts_with(&format!("{} ", classes[2])), "a is a: {classes:?}");
        assert!(!classes.concat().contains("home"));
    }

    #[test]
    fn wrappers_and_another_order_lose_no_word() {
        let dom = tamis_html::parse(PAGE);
        let ids: Vec<NodeId> = dom.body().unwrap().children().take(2).map(|node| node.id()).collect();
        let swap = Some((ids[0], ids[1]));
        let noise = Some((ids[1], "<div>noise</div>".to_owned()));
        let changed = write(PAGE, &Changes { swap, wrappers: 1, noise, ..NOTHING });
        assert!(changed.find("bold") < changed.find("Menu"), "{changed}");
        assert!(changed.contains("<div><p>"), "{changed}");
        let mut expected = words(&PAGE.replace("<script", "<p> noise </p><script"));
        expected.sort();
        let spaced = |html: &str| words(&html.replace("<div>noise</div>", "<p> noise </p>"));
        assert_eq!(spaced(&changed).concat().len(), expected.concat().len());
        assert_eq!(tamis_html::parse(&changed).descendants().filter(|node| node.is(Name::TD)).count(), 1);
    }

    #[test]
    fn a_deep_page_is_written() {
        let page = format!("{}deep", "<div>".repeat(20_000));
        assert!(write(&page, &Changes { wrappers: 2, ..NOTHING }).contains("deep"));
    }
}
