//! Line numbers beside code. They are the page's, so that readers can speak of a line, and would spoil the code for whoever
//! copies it: `1import torch`.

use tamis_html::{Name, NodeId, NodeKind, NodeRef, Step};

use super::code::is_preformatted;

/// Numbers of so many lines, at least, are told from a number that stands in code.
const LEAST: usize = 2;
/// The code that a column of numbers belongs to begins within so many nodes of its row: a row may be a whole page.
const NEAR: usize = 4000;

/// The texts in preformatted text that number its lines: each in an element of its own where a line begins, each one more
/// than the one before, and none missing but before lines without words. Sorted.
pub(super) fn numbers(pre: NodeRef<'_>) -> Vec<NodeId> {
    let mut found: Vec<(NodeId, u32)> = Vec::new();
    let mut line_begins = true;
    for step in pre.walk() {
        match step {
            Step::Enter(node) if node.kind() == NodeKind::Text => {
                let text = node.text();
                if let Some(number) = number(&text).filter(|_| line_begins && is_alone(node, pre)) {
                    if found.last().is_some_and(|(_, last)| last.checked_add(1) != Some(number)) {
                        return Vec::new();
                    }
                    found.push((node.id(), number));
                    line_begins = text.ends_with('\n');
                    continue;
                }
                for (at, part) in text.split('\n').enumerate() {
                    line_begins |= at > 0;
                    if line_begins && !part.trim().is_empty() {
                        return Vec::new();
                    }
                }
            }
            Step::Enter(node) | Step::Leave(node) if begins_line(node) => line_begins = true,
            _ => {}
        }
    }
    let mut texts: Vec<NodeId> = found.into_iter().map(|(text, _)| text).collect();
    if texts.len() < LEAST {
        texts.clear();
    }
    // Nodes that were moved to where they stand have numbers out of page order.
    texts.sort_unstable();
    texts
}

/// Is it nothing but the numbers of the lines of code in the next cell of a table?
pub(super) fn is_column_of_numbers(pre: NodeRef<'_>) -> bool {
    let Some(row) = pre.ancestors().take(4).find(|node| node.is(Name::TR)) else { return false };
    let mut last: Option<u32> = None;
    let mut count = 0;
    let text = pre.text_content();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let Some(number) =
            number(line).filter(|number| last.is_none_or(|last| last.checked_add(1) == Some(*number)))
        else {
            return false;
        };
        last = Some(number);
        count += 1;
    }
    let is_other_code = |node: NodeRef<'_>| is_preformatted(node) && node.id() != pre.id();
    count >= LEAST && row.descendants().take(NEAR).any(is_other_code)
}

/// The number that is all of a text.
fn number(text: &str) -> Option<u32> {
    let digits = text.trim();
    let is_number = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// Is it all that an element inside of the code holds?
fn is_alone(text: NodeRef<'_>, pre: NodeRef<'_>) -> bool {
    text.parent().is_some_and(|parent| parent.id() != pre.id())
        && text.previous_sibling().is_none()
        && text.next_sibling().is_none()
}

/// Does a line begin where the element begins and behind it?
fn begins_line(node: NodeRef<'_>) -> bool {
    matches!(node.name_id(), Some(Name::BR | Name::DIV | Name::LI | Name::TR | Name::P))
}

#[cfg(test)]
mod tests {
    use crate::{Judgement, Options, Page, assemble};

    fn markdown(html: &str) -> String {
        let page = Page::parse(html);
        assemble(&page, &Judgement::of(page.blocks().iter().map(|_| true))).to_markdown(&Options::default())
    }

    #[test]
    fn numbers_of_lines_are_no_code() {
        let in_spans = "<pre><code><span class=n> 9</span>let a = 1;\n<span class=n>10</span>\n\
                        <span class=n>11</span>let b = 2;\n</code></pre>";
        assert_eq!(markdown(in_spans), "```\nlet a = 1;\n\nlet b = 2;\n```\n");
        let in_rows = "<pre><div><span>1</span><i>one</i></div><div><span>2</span><i>two</i></div></pre>";
        assert!(!markdown(in_rows).contains(['1', '2']));
    }

    #[test]
    fn a_column_of_numbers_beside_code_is_no_code() {
        let table = "<table><tr><td><pre>1\n2\n3</pre><td><pre>one\ntwo\nthree</pre></table>";
        assert!(!markdown(table).contains('1'), "{}", markdown(table));
        let alone = "<table><tr><td><pre>1\n2\n3</pre><td>one, two, three</table>";
        assert!(markdown(alone).contains('1'), "nothing else is code there");
    }

    #[test]
    fn numbers_that_are_code_stay() {
        for code in [
            "<pre><b>10</b> PRINT \"RAIN\"\n<b>20</b> GOTO 10</pre>", // BASIC counts in tens
            "<pre><b>1</b> litre\nof water\n<b>2</b> eggs</pre>",
            "<pre><b>1</b></pre>",
            "<pre>1 one\n2 two</pre>",
        ] {
            let shown = markdown(code);
            assert!(shown.contains('1'), "{shown}");
        }
    }
}
