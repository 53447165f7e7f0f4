//! The leaf tags of a page: elements with text of their own, the unit in which a site's templates are learned.

use std::borrow::Cow;

use tamis_html::NodeId;

use crate::block::Run;
use crate::characters::{Class, class};
use crate::page::Page;

/// An element with text of its own, not only inside child elements.
///
/// ```
/// let page = tamis::Page::parse("<p>By <b>Ann</b>");
/// let tag = &tamis::site::leaf_tags(&page)[0];
/// assert_eq!((tag.name, &*tag.text, page.node(tag.element).name()), ("p", "By", Some("p")));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafTag<'p> {
    /// The element.
    pub element: NodeId,
    /// Its name.
    pub name: &'p str,
    /// Its own text, white space folded; the text of child elements is not part of it.
    pub text: Cow<'p, str>,
}

/// The leaf tags of a page, in the order in which their elements were opened. Text that is never shown is left out.
///
/// ```
/// use tamis::{Page, site::leaf_tags};
///
/// let page = Page::parse("<div><p>By <b>Ann</b> today</p><p><i>Ha</i></p></div>");
/// let tags = leaf_tags(&page);
/// let tags: Vec<_> = tags.iter().map(|tag| (tag.name, &*tag.text)).collect();
/// assert_eq!(tags, [("p", "By today"), ("b", "Ann"), ("i", "Ha")]);
/// ```
pub fn leaf_tags<'p>(page: &'p Page<'_>) -> Vec<LeafTag<'p>> {
    let mut texts: Vec<(NodeId, NodeId, Option<&'p str>)> = Vec::new();
    for block in page.blocks() {
        let runs = page.runs(block);
        // A block of one text has it folded already.
        let folded = (runs.len() == 1).then(|| page.text(block));
        let of_run = |run: &Run| Some((page.node(run.node).parent()?.id(), run.node, folded));
        texts.extend(runs.iter().filter_map(of_run));
    }
    // The texts of one element come together, in their order.
    texts.sort_by_key(|(parent, ..)| parent.index());
    let mut tags: Vec<LeafTag<'p>> = Vec::with_capacity(texts.len());
    for (parent, node, folded) in texts {
        match (tags.last_mut().filter(|tag| tag.element == parent), folded) {
            (Some(tag), _) => fold_into(&page.node(node).text(), tag.text.to_mut()),
            (None, folded) => {
                let name = page.node(parent).name().unwrap_or_default();
                let text = folded.map_or_else(|| fold(page.node(node).text()), Cow::Borrowed);
                tags.push(LeafTag { element: parent, name, text });
            }
        }
    }
    tags
}

/// A text with its white space folded; most need no more than their ends cut off.
fn fold(text: Cow<'_, str>) -> Cow<'_, str> {
    if let Cow::Borrowed(text) = text
        && is_folded(text.trim_ascii())
    {
        return Cow::Borrowed(text.trim_ascii());
    }
    let mut folded = String::with_capacity(text.len());
    fold_into(&text, &mut folded);
    Cow::Owned(folded)
}

/// Does a text that neither begins nor ends with it have no white space but single spaces?
fn is_folded(text: &str) -> bool {
    let mut after_space = false;
    text.chars().all(|character| {
        let is_space = character == ' ';
        let stays = if is_space {
            !after_space
        } else {
            character.is_ascii_graphic() || class(character) != Class::Space
        };
        after_space = is_space;
        stays
    })
}

/// Adds a text with its white space folded. A child element stood between two texts, so white space does too.
fn fold_into(text: &str, into: &mut String) {
    let mut due = !into.is_empty();
    // Where the word begins that is being read: words are taken over whole.
    let mut word = None;
    for (at, character) in text.char_indices() {
        if character.is_ascii_graphic() || class(character) != Class::Space {
            word.get_or_insert(at);
            continue;
        }
        if let Some(start) = word.take() {
            push_word(into, &mut due, &text[start..at]);
        }
        due |= character.is_whitespace();
    }
    if let Some(start) = word {
        push_word(into, &mut due, &text[start..]);
    }
}

fn push_word(into: &mut String, due: &mut bool, word: &str) {
    if *due && !into.is_empty() {
        into.push(' ');
    }
    *due = false;
    into.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_folded_and_what_has_no_width_goes() {
        for (text, folded) in [
            ("  a\u{a0} \n b\u{200b}c　字 ", "a bc 字"),
            (" \n one two\t", "one two"),
            ("one  two", "one two"),
            ("one\ntwo", "one two"),
            ("\u{a0}one", "one"),
            (" \n", ""),
        ] {
            assert_eq!(fold(text.into()), folded, "{text:?}");
        }
        let mut text = fold("one ".into()).into_owned();
        fold_into("", &mut text);
        fold_into(" \n", &mut text);
        fold_into("two", &mut text);
        assert_eq!(text, "one two");
    }
}
