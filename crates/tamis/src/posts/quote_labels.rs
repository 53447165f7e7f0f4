//! The label of a quote, "Ann wrote:", apart from the words that are quoted.
//!
//! Whose words they are is said by the quote itself, so its text goes without the label. Many forums set it into one line with the
//! words, and part the two only by how they look.

use tamis_html::{Name, NodeRef};

use super::quotes::is_call;
use super::words::{quoted, quoted_by_lead};
use super::{Quote, times};
use crate::characters::folded;
use crate::page::Page;

/// How far up from the first words of a quote the element of its label is looked for.
const UP: usize = 3;
/// A label has at most so many words.
const WORDS: u32 = 16;

/// What is quoted, a block a line.
pub(crate) fn words(page: &Page<'_>, quote: &Quote) -> String {
    let own = match quote.blocks.iter().take_while(|place| is_label(page, **place, quote)).count() {
        all if all == quote.blocks.len() => &quote.blocks[..],
        labels => &quote.blocks[labels..],
    };
    let (at, end) = end_of_label(page, quote).unwrap_or_default();
    let line = |place: &usize| {
        let text = page.blocks().get(*place).map_or("", |block| page.text(block));
        if *place == at { text.get(end..).unwrap_or_default().trim_start() } else { text }
    };
    own.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The block in which the label of a quote and the words of it are one line, and how many bytes of that are the label.
pub(crate) fn end_of_label(page: &Page<'_>, quote: &Quote) -> Option<(usize, usize)> {
    let author = quote.author.as_deref()?;
    quote.blocks.iter().take(2).find_map(|place| {
        let block = page.blocks().get(*place)?;
        let text = page.text(block);
        let first = page.node(page.runs(block).first()?.node);
        let inside = |node: &NodeRef<'_>| node.id() != block.element;
        let mut around = first.ancestors().take(UP).take_while(inside).filter(|node| !node.is(Name::BODY));
        let label = around.find_map(|node| {
            if page.measures(node).text.words > WORDS {
                return None;
            }
            let words = folded(&node.text_content());
            (quoted(&words) == Some(author) && text.starts_with(&words)).then_some(words.len())
        })?;
        (label < text.len()).then_some((*place, label))
    })
}

/// Is a block nothing but the label?
fn is_label(page: &Page<'_>, place: usize, quote: &Quote) -> bool {
    let Some(block) = page.blocks().get(place) else { return false };
    let text = page.text(block);
    let names = || quote.author.is_some() && quoted(text) == quote.author.as_deref();
    let is_whole =
        || text.ends_with([':', '：', '↑', '→', '»']) || quoted_by_lead(text).is_some() || times::tells(text);
    block.measures.text.words <= WORDS && (is_call(text) || (names() && is_whole()))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn labels_were_glued_to_what_is_quoted() {
        for (quote, wanted) in [
            ("<div><cite>Ada wrote:</cite>The ferry is late</div>", "The ferry is late"),
            ("<b>Ada wrote:</b><br>The ferry is late", "The ferry is late"),
            ("<p>Originally posted by Ada</p><p>The ferry is late</p>", "The ferry is late"),
            ("<p>Ada wrote: The ferry is late</p>", "Ada wrote: The ferry is late"),
            ("<p>The ferry is late</p>", "The ferry is late"),
        ] {
            let html = format!(
                "<div class=post><a href=/u/1>Ada</a> <i>2026-03-01</i><p>When does the ferry run?</p></div>\
                 <div class=post><a href=/u/2>Ben</a> <i>2026-03-02</i><blockquote>{quote}</blockquote>\
                 <p>On Sundays, from May on, if there is no wind.</p></div>"
            );
            let page = Page::parse(&html);
            let posts = find(&page);
            assert_eq!(words(&page, &posts[1].quotes[0]), wanted, "{quote}");
        }
    }
}
