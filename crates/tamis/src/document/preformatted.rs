//! Preformatted text: its lines, its language, and the line numbers beside it.

use std::borrow::Cow;

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Step};

use crate::page::{Page, separates_words};
use crate::text::whitespace::is_blank;

/// Fewer numbers may be part of the code.
const MIN_LINE_NUMBERS: usize = 2;
/// Nodes of a table row that are searched for the code beside a column of numbers.
const MAX_ROW_NODES: usize = 4000;

/// Whether whitespace is shown as it stands.
pub(super) fn is_preformatted(name: Name) -> bool {
    matches!(name, Name::PRE | Name::LISTING | Name::XMP | Name::PLAINTEXT)
}

/// Appends the lines of a block, without blank lines at its edges and without line numbers.
pub(super) fn push_lines(page: &Page<'_>, block: usize, numbers: &LineNumbers, out: &mut String) {
    let nodes = page.blocks.text_nodes(block);
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
    let Some(mut node) = page.dom.node(*first) else { return };
    let mut lines = String::new();
    let (mut next, mut is_separated) = (0, false);
    loop {
        is_separated |= separates_words(node);
        if node.kind() == NodeKind::Text {
            let text = node.text();
            let is_own = nodes.get(next) == Some(&node.id());
            next += usize::from(is_own);
            if std::mem::take(&mut is_separated) && page.blocks.merged {
                lines.push('\n');
            }
            if (is_own && !numbers.contains(node.id())) || is_blank(&text) {
                lines.push_str(&normalize_line_ends(&text));
            }
        }
        if node.id() == *last {
            break;
        }
        let up = || std::iter::once(node).chain(node.ancestors());
        let following = node.first_child().or_else(|| {
            up().inspect(|left| is_separated |= separates_words(*left)).find_map(|left| left.next_sibling())
        });
        let Some(following) = following else { break };
        node = following;
    }
    let mut blank_lines = 0;
    let mut is_first = true;
    for line in lines.split('\n').map(str::trim_end) {
        if line.is_empty() {
            blank_lines += 1;
            continue;
        }
        if !is_first {
            (0..=blank_lines).for_each(|_| out.push('\n'));
        }
        (is_first, blank_lines) = (false, 0);
        out.push_str(line);
    }
}

/// Line ends that character references made are line ends like others.
pub(super) fn normalize_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The line numbers of preformatted text.
#[derive(Debug, Default)]
pub(super) struct LineNumbers {
    /// The text nodes that are numbers, sorted.
    nodes: Vec<NodeId>,
    /// Whether the whole element is a column of numbers beside code.
    pub(super) is_column: bool,
}

impl LineNumbers {
    pub(super) fn new(pre: NodeRef<'_>) -> LineNumbers {
        LineNumbers { nodes: inline_numbers(pre), is_column: is_column_of_numbers(pre) }
    }

    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.is_column || self.nodes.binary_search(&node).is_ok()
    }
}

/// Numbers in elements of their own at the start of each line, counting up by one.
fn inline_numbers(pre: NodeRef<'_>) -> Vec<NodeId> {
    let mut found: Vec<(NodeId, u32)> = Vec::new();
    let mut at_line_start = true;
    for step in pre.walk() {
        match step {
            Step::Enter(node) if node.kind() == NodeKind::Text => {
                let text = node.text();
                if let Some(number) = parse_number(&text).filter(|_| at_line_start && is_alone(node, pre)) {
                    if found.last().is_some_and(|(_, last)| last + 1 != number) {
                        return Vec::new();
                    }
                    found.push((node.id(), number));
                    at_line_start = text.ends_with('\n');
                    continue;
                }
                for (index, part) in text.split('\n').enumerate() {
                    at_line_start |= index > 0;
                    if at_line_start && !part.trim().is_empty() {
                        return Vec::new();
                    }
                }
            }
            Step::Enter(node) | Step::Leave(node) if starts_line(node) => at_line_start = true,
            _ => {}
        }
    }
    let mut nodes: Vec<NodeId> = found.into_iter().map(|(node, _)| node).collect();
    if nodes.len() < MIN_LINE_NUMBERS {
        nodes.clear();
    }
    nodes.sort_unstable();
    nodes
}

/// Whether all lines are numbers and another cell of the table row holds code.
fn is_column_of_numbers(pre: NodeRef<'_>) -> bool {
    let Some(row) = pre.ancestors().take(4).find(|node| node.is(Name::TR)) else { return false };
    let text = pre.text_content();
    let (mut last, mut count) = (None, 0);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let number = parse_number(line).filter(|number| last.is_none_or(|last| last + 1 == *number));
        if number.is_none() {
            return false;
        }
        (last, count) = (number, count + 1);
    }
    let is_other_code = |node: NodeRef<'_>| node.name_id().is_some_and(is_preformatted) && node != pre;
    count >= MIN_LINE_NUMBERS && row.descendants().take(MAX_ROW_NODES).any(is_other_code)
}

fn parse_number(text: &str) -> Option<u32> {
    let digits = text.trim();
    let is_number = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

fn is_alone(text: NodeRef<'_>, pre: NodeRef<'_>) -> bool {
    text.parent().is_some_and(|parent| parent != pre)
        && text.previous_sibling().is_none()
        && text.next_sibling().is_none()
}

fn starts_line(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::BR | Name::DIV | Name::LI | Name::TR | Name::P))
}

/// The programming language that a `pre`, its `code` or the closest ancestors name.
pub(super) fn language(pre: NodeRef<'_>) -> Option<String> {
    let code = pre.children().find(|child| child.is(Name::CODE));
    std::iter::once(pre).chain(code).chain(pre.ancestors().take(2)).find_map(named_language)
}

fn named_language(node: NodeRef<'_>) -> Option<String> {
    // `brush: js;` is one token.
    let class = node.attribute_named(Name::CLASS).unwrap_or_default().replace("brush: ", "brush:");
    let prefixes = ["language-", "lang-", "highlight-source-", "brush:"];
    let named = class
        .split_ascii_whitespace()
        .find_map(|token| prefixes.iter().find_map(|prefix| usable_language(token.strip_prefix(prefix)?)));
    // Not `lang`, which is a human language.
    let attributes = ["data-lang", "data-language"];
    named.or_else(|| attributes.iter().find_map(|name| usable_language(&node.attribute(name)?)))
}

/// Highlighters write `none` and `plaintext` where they know no language.
fn usable_language(name: &str) -> Option<String> {
    let name = name.trim().trim_end_matches(';');
    let is_name = !name.is_empty()
        && name.len() <= 32
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-#._".contains(c))
        && !matches!(name, "none" | "plaintext" | "nohighlight");
    is_name.then(|| name.to_ascii_lowercase())
}
