//! The tree as an indented outline, in the format of the html5lib tests.

use std::fmt::{self, Write};

use crate::attribute::AttributeNamespace;
use crate::dom::{Dom, Namespace};
use crate::node::{NodeKind, NodeRef};
use crate::walk::Step;

impl Dom<'_> {
    /// The tree as indented lines, one per node, in the format of the html5lib tests.
    ///
    /// ```
    /// let dom = tamis_html::parse("<p id=x>one");
    /// assert_eq!(
    ///     dom.outline(),
    ///     "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       id=\"x\"\n|       \"one\"\n"
    /// );
    /// ```
    pub fn outline(&self) -> String {
        let mut outline = String::new();
        // Writing to a string does not fail.
        let _ = self.write_outline(&mut outline);
        outline
    }

    /// Writes the [`outline`](Self::outline).
    ///
    /// # Errors
    /// Only those of `out`.
    ///
    /// ```
    /// let mut out = String::from("#document\n");
    /// tamis_html::parse("<p>").write_outline(&mut out)?;
    /// assert_eq!(out, "#document\n| <html>\n|   <head>\n|   <body>\n|     <p>\n");
    /// # Ok::<(), std::fmt::Error>(())
    /// ```
    pub fn write_outline(&self, out: &mut impl Write) -> fmt::Result {
        let mut depth: usize = 0;
        for step in self.root().walk() {
            match step {
                Step::Enter(node) if node == self.root() => {}
                Step::Enter(node) => {
                    line(node, depth, out)?;
                    depth += 1;
                }
                Step::Leave(_) => depth = depth.saturating_sub(1),
            }
        }
        Ok(())
    }
}

/// Two spaces per level. (As a width in a format string, depths beyond 32,767 would panic.)
fn indent(depth: usize, out: &mut impl Write) -> fmt::Result {
    const SPACES: &str = "                                                                ";
    out.write_str("| ")?;
    let mut left = 2 * depth;
    while left > 0 {
        let now = left.min(SPACES.len());
        out.write_str(&SPACES[..now])?;
        left -= now;
    }
    Ok(())
}

fn line(node: NodeRef<'_>, depth: usize, out: &mut impl Write) -> fmt::Result {
    indent(depth, out)?;
    match node.kind() {
        NodeKind::Document => Ok(()),
        NodeKind::Fragment => writeln!(out, "content"),
        NodeKind::Doctype => doctype(node, out),
        NodeKind::Element => {
            let prefix = match node.namespace() {
                Namespace::Html => "",
                Namespace::MathMl => "math ",
                Namespace::Svg => "svg ",
            };
            writeln!(out, "<{prefix}{}>", node.name().unwrap_or(""))?;
            attributes(node, depth + 1, out)
        }
        NodeKind::Text => writeln!(out, "\"{}\"", node.text()),
        NodeKind::Comment => writeln!(out, "<!-- {} -->", node.text()),
    }
}

fn doctype(node: NodeRef<'_>, out: &mut impl Write) -> fmt::Result {
    let Some(doctype) = node.doctype() else { return Ok(()) };
    write!(out, "<!DOCTYPE {}", doctype.name.as_deref().unwrap_or(""))?;
    let (public, system) =
        (doctype.public_id.as_deref().unwrap_or(""), doctype.system_id.as_deref().unwrap_or(""));
    if !public.is_empty() || !system.is_empty() {
        write!(out, " \"{public}\" \"{system}\"")?;
    }
    writeln!(out, ">")
}

fn attributes(node: NodeRef<'_>, depth: usize, out: &mut impl Write) -> fmt::Result {
    let mut lines: Vec<_> = node
        .attributes()
        .map(|attribute| {
            let prefix = match attribute.namespace() {
                AttributeNamespace::None => "",
                AttributeNamespace::XLink => "xlink ",
                AttributeNamespace::Xml => "xml ",
                AttributeNamespace::Xmlns => "xmlns ",
            };
            (format!("{prefix}{}", attribute.name()), attribute.value())
        })
        .collect();
    // The format sorts by UTF-16 code units.
    lines.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    for (name, value) in lines {
        indent(depth, out)?;
        writeln!(out, "{name}=\"{value}\"")?;
    }
    Ok(())
}
