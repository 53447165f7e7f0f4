//! Formulas: the TeX that pages carry beside MathML.
//!
//! A page has a formula several times: as MathML, as TeX in an annotation, and as the glyphs that a script set. The
//! document has it once: all text below the common element is taken for the formula.

use tamis_html::{Name, Namespace, NodeId, NodeRef};

use super::Composer;
use crate::document::Formula;
use crate::page::Page;

/// Nodes of a container that are searched for MathML.
const MAX_CONTAINER_NODES: usize = 4000;

/// An element whose text is not written as words: a formula, or something to discard.
pub(super) struct Swallowed {
    pub(super) node: NodeId,
    formula: Option<Formula>,
    text: String,
    block: Option<usize>,
}

impl Swallowed {
    pub(super) fn discard(node: NodeRef<'_>) -> Swallowed {
        Swallowed { node: node.id(), formula: None, text: String::new(), block: None }
    }

    pub(super) fn push(&mut self, text: &str, block: usize) {
        self.block.get_or_insert(block);
        self.text.extend(text.split_whitespace());
    }
}

impl Composer<'_> {
    /// If the element is a formula, takes all text below for it.
    pub(super) fn swallow_formula(&mut self, node: NodeRef<'_>) -> bool {
        let formula = match node.namespace() {
            Namespace::MathMl if node.name_id() == Some(Name::MATH) => Some(of_math(node)),
            Namespace::Html if self.has_formulas => match of_container(node) {
                Some(formula) => formula,
                None => return false,
            },
            _ => return false,
        };
        self.swallowed = Some(Swallowed { formula, ..Swallowed::discard(node) });
        true
    }

    /// Writes the formula whose element is left, if its block is kept.
    pub(super) fn write_swallowed(&mut self) {
        let Some(Swallowed { formula: Some(mut formula), text, block: Some(block), .. }) =
            self.swallowed.take()
        else {
            return;
        };
        formula.text = text;
        if let Some(code) = self.open_code() {
            code.push(formula.source(), block, None);
            return;
        }
        self.line_of(block);
        self.write(|line, wraps, _| line.formula(formula, wraps));
    }

    /// A script may hold TeX that another script renders.
    pub(super) fn math_script(&mut self, node: NodeRef<'_>) {
        let kind = node.attribute_named(Name::TYPE).unwrap_or_default();
        if !kind.starts_with("math/tex") || self.swallowed.is_some() || self.in_code() {
            return;
        }
        let next = self.block_at(self.next_text);
        let element = self.rows.last().copied();
        let is_here =
            |block: &usize| self.keeps(*block) && self.page.blocks.element.get(*block).copied() == element;
        let before = self.line.as_ref().map(|line| line.block);
        let Some(block) = self.current_block().or(before).filter(is_here).or(Some(next).filter(is_here))
        else {
            return;
        };
        let tex = node.text_content().trim().to_owned();
        if !tex.is_empty() {
            let display = kind.contains("mode=display");
            let formula = Formula { text: tex.clone(), tex: Some(tex), display };
            self.line_of(block);
            self.write(|line, wraps, _| line.formula(formula, wraps));
        }
    }
}

/// Whether a page may have formulas that scripts set, by its classes and names.
pub(super) fn may_have_containers(page: &Page<'_>) -> bool {
    let classes = ["MathJax", "katex", "mwe-math-element"];
    classes.iter().any(|class| page.classes.may_have(class)) || page.dom.name_of("mjx-container").is_some()
}

/// A formula that a script set: its container holds it in several forms, or in none if another script has it.
fn of_container(node: NodeRef<'_>) -> Option<Option<Formula>> {
    let (mut is_output, mut is_display) = (false, false);
    let mut is_container = node.name() == Some("mjx-container");
    for token in node.attribute_named(Name::CLASS).unwrap_or_default().split_ascii_whitespace() {
        match token {
            "MathJax" | "MathJax_Preview" | "MathJax_Display" | "MathJax_SVG" => is_output = true,
            "katex" | "mwe-math-element" => is_container = true,
            "katex-display" => (is_container, is_display) = (true, true),
            _ => {}
        }
    }
    if is_output {
        // The script behind it has the TeX.
        let mut next = node.next_siblings().filter(NodeRef::is_element).take(3);
        let script = next.find(|next| next.is(Name::SCRIPT))?;
        script.attribute_named(Name::TYPE).filter(|kind| kind.starts_with("math/tex"))?;
        return Some(None);
    }
    if !is_container {
        return None;
    }
    let is_math =
        |node: &NodeRef<'_>| node.namespace() == Namespace::MathMl && node.name_id() == Some(Name::MATH);
    let mut formula = of_math(node.descendants().take(MAX_CONTAINER_NODES).find(is_math)?);
    formula.display |= is_display || node.attribute("display").is_some_and(|display| display == "true");
    Some(Some(formula))
}

fn of_math(math: NodeRef<'_>) -> Formula {
    let annotation = math.descendants().find(|node| {
        let encoding = node.attribute_named(Name::ENCODING).unwrap_or_default().to_ascii_lowercase();
        node.name_id() == Some(Name::ANNOTATION)
            && matches!(encoding.trim(), "application/x-tex" | "tex" | "latex")
    });
    let tex = annotation.map(|node| node.text_content());
    let tex = tex.or_else(|| math.attribute("alttext").map(Into::into));
    let tex = tex.map(|tex| unwrap_style(tex.trim()).to_owned()).filter(|tex| !tex.is_empty());
    let display = math.attribute("display").is_some_and(|display| display.trim() == "block");
    Formula { tex, text: String::new(), display }
}

/// Removes the `{\displaystyle ...}` that wikis put around formulas.
fn unwrap_style(tex: &str) -> &str {
    let inner = tex.strip_prefix("{\\displaystyle").and_then(|rest| rest.strip_suffix('}'));
    inner.filter(|inner| is_balanced(inner)).map_or(tex, str::trim)
}

fn is_balanced(tex: &str) -> bool {
    let (mut depth, mut escaped) = (0_i64, false);
    for byte in tex.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
