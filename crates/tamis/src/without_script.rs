//! The tree of a page for those who read it: as a browser without scripts makes it, unless that would lose the page.
//!
//! Text in `noscript` is read, as some pages hold all of theirs there. But without scripts the elements in it are parsed too,
//! and one that holds raw text, such as an `iframe` that nobody closed, then runs past `</noscript>` and takes the rest of the page
//! with it. Readers have scripts and see that page whole, so then it is parsed once more, as their browsers do.

use memchr::memchr_iter;
use tamis_html::{Dom, Limits, Name, NodeId, NodeRef, Parser};

/// Parses a page, at most twice.
pub(crate) fn parse(html: &str, limits: Limits) -> Dom<'_> {
    let parser = Parser::new().limits(limits).keep_tokens(true);
    let dom = parser.parse(html);
    if runs_over(&dom) { parser.scripting(true).drop_noscript(true).parse(html) } else { dom }
}

/// Does raw text run past the end of a `noscript`? One look at its name settles it for nearly every node, and they come in the order
/// of the source.
fn runs_over(dom: &Dom<'_>) -> bool {
    // Up to where a `noscript` is open. What may not stand in it, in the head of a page, closes it early: such a one ends nowhere.
    let mut open = 0;
    for node in (0..dom.len()).filter_map(|index| dom.node(NodeId::from_index(index))) {
        match node.name_id() {
            Some(Name::NOSCRIPT) if open < u32::MAX => {
                let Some(span) = node.span() else { continue };
                let own =
                    span.of(dom.source()).rfind("</").is_some_and(|at| is_end(&span.of(dom.source())[at..]));
                open = open.max(if own { span.end } else { u32::MAX });
            }
            Some(
                Name::IFRAME
                | Name::NOEMBED
                | Name::NOFRAMES
                | Name::STYLE
                | Name::TEXTAREA
                | Name::TITLE
                | Name::XMP,
            ) if open > 0 && node.span().is_some_and(|span| span.start < open) && holds_end(node) => {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Does an element hold the end of a `noscript` as text, and not its beginning before that?
fn holds_end(node: NodeRef<'_>) -> bool {
    let Some(text) = node.first_child().map(|child| child.text()) else { return false };
    let mut tags = memchr_iter(b'<', text.as_bytes()).map(|at| &text[at..]);
    tags.find(|tag| is_end(tag) || starts(tag, "<noscript")).is_some_and(is_end)
}

fn is_end(tag: &str) -> bool {
    starts(tag, "</noscript")
}

fn starts(text: &str, with: &str) -> bool {
    text.as_bytes().get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
}

#[cfg(test)]
mod tests {
    use crate::{Extractor, Page};

    const REST: &str = "<h1>Rain at last</h1><p>It rained in the harbour on Monday, and on Tuesday.</p>";

    fn texts(html: &str) -> Vec<String> {
        let page = Page::parse(html);
        page.blocks().iter().map(|block| page.text(block).to_owned()).collect()
    }

    #[test]
    fn an_open_iframe_in_noscript_took_the_rest_of_the_page() {
        for open in
            ["<iframe src=x>", "<style>p { }", "<textarea>", "<title>", "<xmp>", "<noembed>", "<noframes>"]
        {
            for end in ["</noscript>", "</NoScript >"] {
                let html = format!("<body><noscript>{open}{end}{REST}");
                assert_eq!(
                    texts(&html),
                    ["Rain at last", "It rained in the harbour on Monday, and on Tuesday."],
                    "{open}"
                );
                assert!(!Extractor::new().extract(&html).is_empty(), "{open}");
            }
        }
        // In the head, where it cannot stand.
        let html = format!("<head><noscript><iframe src=x></noscript></head><body>{REST}");
        assert_eq!(texts(&html).len(), 2);
        // What comes behind the next frame was there before; what stood between is there now.
        let html = format!("<noscript><iframe></noscript>{REST}<iframe></iframe><p>More.");
        assert_eq!(texts(&html).len(), 3);
    }

    #[test]
    fn what_stands_in_noscript_is_read_where_nothing_runs_over() {
        let html = format!("<noscript><iframe src=x></iframe>{REST}</noscript>");
        assert_eq!(texts(&html).len(), 2);
        // A page about pages.
        let html = format!("<body><noscript>{REST}<textarea><noscript>x</noscript></textarea></noscript>");
        assert_eq!(texts(&html)[..2].len(), 2);
        assert_eq!(
            texts("<textarea></noscript></textarea><noscript><p>One.</noscript>").last().map(String::as_str),
            Some("One.")
        );
    }
}
