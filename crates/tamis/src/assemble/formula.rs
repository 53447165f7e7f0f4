//! Formulas: MathML, and the TeX that pages carry beside it.
//!
//! A formula stands on a page several times over: as MathML, as TeX in an annotation, and as the glyphs that a script
//! has set. The document has it once, so all text below the element that holds them together is taken for the formula.

use std::fmt::Write;

use tamis_html::{Name, Namespace, NodeId, NodeKind, NodeRef, Step};

use super::Assembler;
use crate::document::Formula;

/// An element whose text is not written as words: a formula, or an arrow back from a footnote.
pub(super) struct Swallowed {
    pub(super) node: NodeId,
    formula: Option<Formula>,
    text: String,
    block: Option<usize>,
}

impl Swallowed {
    pub(super) fn is_formula(&self) -> bool {
        self.formula.is_some()
    }

    pub(super) fn nothing(node: NodeRef<'_>) -> Swallowed {
        Swallowed { node: node.id(), formula: None, text: String::new(), block: None }
    }

    pub(super) fn add(&mut self, text: &str, block: usize) {
        self.block.get_or_insert(block);
        for word in text.split_whitespace() {
            self.text.push_str(word);
        }
    }
}

impl Assembler<'_> {
    /// If the element is a formula, takes all below it for that.
    pub(super) fn swallow_formula(&mut self, node: NodeRef<'_>) -> bool {
        let formula = if node.namespace() == Namespace::MathMl {
            node.name_id().filter(|name| *name == Name::MATH).map(|_| of_math(node))
        } else {
            of_container(node)
        };
        let Some(formula) = formula else { return false };
        // Without TeX and MathML it is the picture of a formula that a script behind it has.
        let formula = Some(formula).filter(|formula| formula.tex.is_some() || formula.mathml.is_some());
        self.swallowed = Some(Swallowed { formula, ..Swallowed::nothing(node) });
        true
    }

    /// Writes the formula whose element is left now, if the block it stands in is kept.
    pub(super) fn spit_out(&mut self) {
        let Some(Swallowed { formula: Some(mut formula), text, block, .. }) = self.swallowed.take() else {
            return;
        };
        let Some(block) = block else { return };
        formula.text = text;
        if self.in_code() {
            let source = formula.source().to_owned();
            self.code_text(&source, block, None);
            return;
        }
        self.line_of(block);
        self.write(|line, around| line.formula(formula, around));
    }

    /// A script may hold TeX that another script sets.
    pub(super) fn script(&mut self, node: NodeRef<'_>) {
        if !node.is(Name::SCRIPT) || self.swallowed.is_some() || self.in_code() {
            return;
        }
        let Some(kind) = node.attribute_named(Name::TYPE).filter(|kind| kind.starts_with("math/tex")) else {
            return;
        };
        let tex = node.text_content().trim().to_owned();
        let open = |block: &usize| {
            let block = &self.page.blocks()[*block];
            self.open.get(block.depth as usize) == Some(&block.element)
        };
        let keeps = |block: &usize| self.judgement.keeps(*block);
        let before = self.line.as_ref().map(|line| line.last_block());
        let after = || self.places.neighbours(node.span()).1;
        let block = before.filter(open).or_else(|| after().filter(keeps).filter(open));
        if let Some(block) = block
            && !tex.is_empty()
        {
            let display = kind.contains("mode=display");
            let formula = Formula { text: tex.clone(), tex: Some(tex), mathml: None, display };
            self.line_of(block);
            self.write(|line, around| line.formula(formula, around));
        }
    }
}

/// A formula that scripts have set: everything in its container is the same formula in several forms.
fn of_container(node: NodeRef<'_>) -> Option<Formula> {
    let class = node.attribute_named(Name::CLASS).unwrap_or_default();
    // Most classes do not even have the first letters of these in a row.
    let may_be = class.as_bytes().windows(3).any(|three| matches!(three, b"kat" | b"Mat" | b"mwe"));
    let is_container = may_be && ["katex", "MathJax", "mwe-math"].iter().any(|name| class.contains(name));
    if !is_container && node.name() != Some("mjx-container") {
        return None;
    }
    let has = |name: &str| class.split_ascii_whitespace().any(|class| class == name);
    let is_display = has("katex-display");
    if has("MathJax") || has("MathJax_Preview") || has("MathJax_Display") || has("MathJax_SVG") {
        // The script behind it has the TeX.
        let next =
            node.next_siblings().filter(NodeRef::is_element).take(3).find(|next| next.is(Name::SCRIPT));
        next?.attribute_named(Name::TYPE).filter(|kind| kind.starts_with("math/tex"))?;
        return Some(Formula::default());
    }
    if !(is_display || has("katex") || has("mwe-math-element") || node.name() == Some("mjx-container")) {
        return None;
    }
    let math = node.descendants().find(|below| below.namespace() == Namespace::MathMl && is_math(*below))?;
    let mut formula = of_math(math);
    formula.display |= is_display || node.attribute("display").is_some_and(|display| display == "true");
    Some(formula)
}

fn is_math(node: NodeRef<'_>) -> bool {
    node.name_id() == Some(Name::MATH)
}

fn of_math(math: NodeRef<'_>) -> Formula {
    let annotation = math.descendants().find(|node| {
        node.name_id() == Some(Name::ANNOTATION)
            && node.attribute_named(Name::ENCODING).is_some_and(|it| {
                matches!(it.trim().to_ascii_lowercase().as_str(), "application/x-tex" | "tex" | "latex")
            })
    });
    let tex =
        annotation.map(|node| node.text_content()).or_else(|| math.attribute("alttext").map(Into::into));
    let tex = tex.map(|tex: String| without_wrapping(tex.trim()).to_owned()).filter(|tex| !tex.is_empty());
    let display = math.attribute("display").is_some_and(|display| display.trim() == "block");
    Formula { tex, mathml: Some(markup(math)), text: String::new(), display }
}

/// The TeX without the `{\displaystyle ...}` that some wikis put around all of it.
fn without_wrapping(tex: &str) -> &str {
    let inner = tex.strip_prefix("{\\displaystyle").and_then(|rest| rest.strip_suffix('}'));
    inner.filter(|inner| is_balanced(inner)).map_or(tex, str::trim)
}

fn is_balanced(tex: &str) -> bool {
    let mut depth = 0_i64;
    let mut escaped = false;
    for character in tex.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The MathML, well-formed as XML: elements of MathML with such attributes as only say how they look; annotations
/// are left out, since the TeX has a place of its own.
fn markup(math: NodeRef<'_>) -> String {
    let mut xml = String::new();
    let mut steps = math.walk();
    // Writing to a string does not fail.
    while let Some(step) = steps.next() {
        match step {
            Step::Enter(node) if node.kind() == NodeKind::Text => {
                crate::render::escape_xml(&node.text(), &mut xml);
            }
            Step::Enter(node) => {
                if matches!(node.name_id(), Some(Name::ANNOTATION | Name::ANNOTATION_XML)) {
                    steps.skip_below();
                } else if let Some(name) = plain_name(node) {
                    let _ = write!(xml, "<{name}");
                    if is_math(node) {
                        xml.push_str(" xmlns=\"http://www.w3.org/1998/Math/MathML\"");
                    }
                    for attribute in node.attributes().filter(|it| LOOKS.binary_search(&it.name()).is_ok()) {
                        crate::render::attribute(attribute.name(), &attribute.value(), &mut xml);
                    }
                    xml.push('>');
                }
            }
            Step::Leave(node) => {
                if let Some(name) = plain_name(node) {
                    let _ = write!(xml, "</{name}>");
                }
            }
        }
    }
    xml
}

fn plain_name(node: NodeRef<'_>) -> Option<&str> {
    let is_math_ml = node.namespace() == Namespace::MathMl;
    node.name().filter(|name| is_math_ml && ELEMENTS.binary_search(name).is_ok())
}

/// The elements of MathML that show something, as in `docs/schema/document-1.dtd`.
const ELEMENTS: [&str; 30] = [
    "maction",
    "math",
    "menclose",
    "merror",
    "mfenced",
    "mfrac",
    "mi",
    "mlabeledtr",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];

/// The attributes that only say how they look.
const LOOKS: [&str; 33] = [
    "accent",
    "accentunder",
    "close",
    "columnalign",
    "columnlines",
    "columnspacing",
    "columnspan",
    "depth",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "notation",
    "open",
    "rowlines",
    "rowspacing",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "separators",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];
