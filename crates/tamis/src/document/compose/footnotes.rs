//! Footnotes: which links call one, which elements are one, and the labels that connect them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use tamis_html::{Name, NodeId, NodeRef};

use super::{KeptSums, for_each_inline, for_each_piece};
use crate::document::{Inline, Kind, Piece};
use crate::page::{NONE, Page};

/// More are no footnotes.
const MAX_CALLS: usize = 10_000;
/// Levels between the text of a call and its link.
const MAX_CALL_DEPTH: usize = 6;
/// A call is a number or a sign, perhaps in brackets.
const MAX_CALL_CHARACTERS: usize = 12;
/// Tokens of `class`, `role` and `rel` that mark calls.
const CALL_MARKS: [&str; 4] = ["footnote", "noteref", "endnote", "fnref"];
/// Prefixes of the `id` that programs give to notes: `fn1`, `cite_note-2`, `_ftn3`.
const NOTE_PREFIXES: [&str; 8] =
    ["fn", "ftn", "edn", "footnote", "endnote", "cite_note", "note", "sdfootnote"];

#[derive(Default)]
pub(super) struct Footnotes {
    labels: Vec<String>,
    /// Links that call a note, with the index of its label.
    calls: HashMap<NodeId, usize>,
    /// Links that call a note which is not kept.
    dangling: HashSet<NodeId>,
    /// Elements that are notes, with the index of their label.
    notes: HashMap<NodeId, usize>,
    /// Notes that became pieces.
    pub(super) composed: usize,
}

struct Call {
    link: NodeId,
    key: String,
    word: String,
}

impl Footnotes {
    /// Finds the calls in kept blocks whose notes are kept as well.
    pub(super) fn find(page: &Page<'_>, kept: &[bool], sums: &KeptSums, row_of: &[u32]) -> Footnotes {
        let mut footnotes = Footnotes::default();
        let calls = calls(page, kept);
        if calls.is_empty() {
            return footnotes;
        }
        // A reference precedes its note; a link back from the note is not a reference.
        let position: HashMap<NodeId, usize> =
            calls.iter().enumerate().map(|(position, call)| (call.link, position)).collect();
        let mut waiting: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut used_labels = HashSet::new();
        for node in page.dom.descendants() {
            if let Some(position) = position.get(&node.id()) {
                waiting.entry(&calls[*position].key).or_default().push(*position);
                continue;
            }
            if waiting.is_empty() {
                continue;
            }
            let Some(key) = identity(node) else { continue };
            let Some(callers) = waiting.get(key.as_ref()) else { continue };
            let links: Vec<NodeId> = callers.iter().map(|position| calls[*position].link).collect();
            let Some(note) = note_at(node, &key, &links) else { continue };
            let row = row_of[note.index()];
            if row == NONE || !sums.holds(page, row) || footnotes.notes.contains_key(&note) {
                footnotes.dangling.extend(links);
                continue;
            }
            let index = footnotes.labels.len();
            let words = callers.iter().map(|position| &calls[*position].word);
            let mut labels = words.filter(|word| !word.is_empty()).cloned();
            let label = labels.find(|word| !used_labels.contains(word));
            let label = label.unwrap_or_else(|| format!("note-{}", index + 1));
            used_labels.insert(label.clone());
            footnotes.labels.push(label);
            links.iter().for_each(|link| _ = footnotes.dangling.remove(link));
            footnotes.calls.extend(links.into_iter().map(|link| (link, index)));
            footnotes.notes.insert(note, index);
            waiting.remove(key.as_ref());
        }
        footnotes
    }

    pub(super) fn label_of_call(&self, link: NodeId) -> Option<&str> {
        self.calls.get(&link).map(|index| self.labels[*index].as_str())
    }

    /// Whether a link calls a note that is not kept: it leads nowhere.
    pub(super) fn is_dangling(&self, link: NodeId) -> bool {
        self.dangling.contains(&link)
    }

    pub(super) fn label_of_note(&self, element: NodeId) -> Option<&str> {
        self.notes.get(&element).map(|index| self.labels[*index].as_str())
    }

    /// Replaces references to notes that did not become pieces by their text.
    pub(super) fn remove_dangling_references(&self, content: &mut [Piece]) {
        if self.composed == self.notes.len() {
            return;
        }
        let mut labels = HashSet::new();
        for_each_piece(content, &mut |piece| {
            if let Kind::Footnote { label, .. } = &piece.kind {
                labels.insert(label.clone());
            }
        });
        for_each_inline(content, &mut |inline| {
            if let Inline::FootnoteRef { label, content } = inline
                && !labels.contains(label)
            {
                *inline = Inline::text(crate::document::inline_text(content));
            }
        });
    }
}

/// Links in kept blocks that look like calls.
fn calls(page: &Page<'_>, kept: &[bool]) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let with_links = (0..page.blocks.len()).filter(|block| page.blocks.links[*block] > 0);
    for block in with_links.filter(|block| kept.get(*block) == Some(&true)) {
        for text in page.blocks.text_nodes(block) {
            let Some(text) = page.dom.node(*text) else { continue };
            let link = text.ancestors().take(MAX_CALL_DEPTH).find(|above| above.is(Name::A));
            if let Some(link) = link.filter(|link| calls.last().is_none_or(|last| last.link != link.id()))
                && calls.len() < MAX_CALLS
                && let Some(call) = call(link)
            {
                calls.push(call);
            }
        }
    }
    calls
}

fn call(link: NodeRef<'_>) -> Option<Call> {
    let href = link.attribute_named(Name::HREF)?;
    let key = href.trim().strip_prefix('#').filter(|key| !key.is_empty())?;
    let is_marked = |name| {
        link.attribute_named(name).is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            CALL_MARKS.iter().any(|mark| value.contains(mark)) && !value.contains("back")
        })
    };
    let is_sup = |node: NodeRef<'_>| node.is(Name::SUP);
    let is_raised = || link.ancestors().take(2).any(is_sup) || link.children().any(is_sup);
    if !(is_note_id(key) || [Name::CLASS, Name::ROLE, Name::REL].into_iter().any(is_marked) || is_raised()) {
        return None;
    }
    let text = link.text_content();
    if text.trim().is_empty() || text.trim().chars().count() > MAX_CALL_CHARACTERS {
        return None;
    }
    let word = text.trim_matches(|c: char| c.is_whitespace() || "[](){}^*".contains(c));
    let word = if word.chars().all(char::is_alphanumeric) { word } else { "" };
    Some(Call { link: link.id(), key: key.to_owned(), word: word.to_owned() })
}

fn is_note_id(key: &str) -> bool {
    let key = key.trim_start_matches('_').to_ascii_lowercase();
    NOTE_PREFIXES.iter().any(|prefix| {
        key.strip_prefix(prefix).is_some_and(|rest| {
            !rest.contains("ref")
                && rest.trim_start_matches(['-', '_', ':', '.']).starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// The name by which links find an element.
fn identity(node: NodeRef<'_>) -> Option<Cow<'_, str>> {
    if !node.is_element() {
        return None;
    }
    let name = || node.attribute_named(Name::NAME).filter(|_| node.is(Name::A));
    node.attribute_named(Name::ID).or_else(name)
}

/// The note with this `id`, or the note around the element with it.
fn note_at(node: NodeRef<'_>, key: &str, calls: &[NodeId]) -> Option<NodeId> {
    let is_item = |node: &NodeRef<'_>| matches!(node.name_id(), Some(Name::LI | Name::P | Name::DD));
    match node.name_id()? {
        Name::LI | Name::P | Name::DD => Some(node.id()),
        Name::DIV | Name::ASIDE | Name::SECTION => {
            let role = node.attribute_named(Name::ROLE).unwrap_or_default();
            (is_note_id(key) || matches!(role.trim(), "doc-footnote" | "doc-endnote")).then_some(node.id())
        }
        Name::A | Name::SPAN | Name::SUP | Name::B | Name::I | Name::STRONG | Name::EM => {
            let note = node.ancestors().take(3).find(is_item)?;
            // Not the paragraph that calls it.
            let dom = node.dom();
            let calls_it = |call: &NodeId| {
                dom.node(*call).is_some_and(|call| call.ancestors().take(16).any(|above| above == note))
            };
            (!calls.iter().any(calls_it)).then_some(note.id())
        }
        _ => None,
    }
}
