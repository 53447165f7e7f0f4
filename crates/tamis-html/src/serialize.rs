//! Serialisation by the standard's algorithm for fragments.

use std::fmt::{self, Write};

use crate::dom::Namespace;
use crate::name::Name;
use crate::node::{NodeKind, NodeRef};
use crate::walk::Step;

impl NodeRef<'_> {
    /// The node and its descendants as HTML.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p title='\"'>a < b<br>c");
    /// let p = dom.body().unwrap().first_child().unwrap();
    /// assert_eq!(p.to_html(), "<p title=\"&quot;\">a &lt; b<br>c</p>");
    /// assert_eq!(p.inner_html(), "a &lt; b<br>c");
    /// ```
    pub fn to_html(&self) -> String {
        let mut html = String::new();
        // Writing to a string does not fail.
        let _ = self.write_html(&mut html);
        html
    }

    /// The descendants of the node as HTML.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p>a < b<br>c");
    /// assert_eq!(dom.body().unwrap().inner_html(), "<p>a &lt; b<br>c</p>");
    /// ```
    pub fn inner_html(&self) -> String {
        let mut html = String::new();
        for child in self.children() {
            let _ = child.write_html(&mut html);
        }
        html
    }

    /// Writes the node and its descendants as HTML.
    ///
    /// # Errors
    /// Only those of `out`.
    ///
    /// ```
    /// let mut out = String::from("<!-- kept -->");
    /// tamis_html::parse("<p>one").body().unwrap().write_html(&mut out)?;
    /// assert_eq!(out, "<!-- kept --><body><p>one</p></body>");
    /// # Ok::<(), std::fmt::Error>(())
    /// ```
    pub fn write_html(&self, out: &mut impl Write) -> fmt::Result {
        for step in self.walk() {
            match step {
                Step::Enter(node) => start(node, out)?,
                Step::Leave(node) => end(node, out)?,
            }
        }
        Ok(())
    }
}

fn start(node: NodeRef<'_>, out: &mut impl Write) -> fmt::Result {
    match node.kind() {
        NodeKind::Document | NodeKind::Fragment => Ok(()),
        NodeKind::Doctype => {
            let name = node.doctype().and_then(|doctype| doctype.name.as_deref());
            write!(out, "<!DOCTYPE {}>", name.unwrap_or(""))
        }
        NodeKind::Element => {
            write!(out, "<{}", node.name().unwrap_or(""))?;
            for attribute in node.attributes() {
                write!(out, " {}=\"", attribute.qualified_name())?;
                escape(&attribute.value(), true, out)?;
                out.write_char('"')?;
            }
            out.write_char('>')
        }
        NodeKind::Text if node.parent().is_some_and(is_raw) => out.write_str(&node.text()),
        NodeKind::Text => escape(&node.text(), false, out),
        NodeKind::Comment => write!(out, "<!--{}-->", node.text()),
    }
}

fn end(node: NodeRef<'_>, out: &mut impl Write) -> fmt::Result {
    match node.name() {
        Some(name) if !is_void(node) => write!(out, "</{name}>"),
        _ => Ok(()),
    }
}

/// Elements whose text is written verbatim.
fn is_raw(node: NodeRef<'_>) -> bool {
    [Name::STYLE, Name::SCRIPT, Name::XMP, Name::IFRAME, Name::NOEMBED, Name::NOFRAMES, Name::PLAINTEXT]
        .into_iter()
        .any(|name| node.is(name))
        // With scripting, `noscript` has verbatim text.
        || (node.dom().scripting && node.is(Name::NOSCRIPT))
}

/// Elements without an end tag.
fn is_void(node: NodeRef<'_>) -> bool {
    node.namespace() == Namespace::Html
        && matches!(
            node.name(),
            Some(
                "area"
                    | "base"
                    | "basefont"
                    | "bgsound"
                    | "br"
                    | "col"
                    | "embed"
                    | "frame"
                    | "hr"
                    | "img"
                    | "input"
                    | "keygen"
                    | "link"
                    | "meta"
                    | "param"
                    | "source"
                    | "track"
                    | "wbr"
            )
        )
}

fn escape(text: &str, in_attribute: bool, out: &mut impl Write) -> fmt::Result {
    let mut written = 0;
    for (at, character) in text.char_indices() {
        let escaped = match character {
            '&' => "&amp;",
            '\u{A0}' => "&nbsp;",
            '"' if in_attribute => "&quot;",
            '<' => "&lt;",
            '>' => "&gt;",
            _ => continue,
        };
        out.write_str(&text[written..at])?;
        out.write_str(escaped)?;
        written = at + character.len_utf8();
    }
    out.write_str(&text[written..])
}
