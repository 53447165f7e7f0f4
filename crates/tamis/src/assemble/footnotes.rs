//! Footnotes: which links call one, which elements are one, and the labels that bring them together.

use std::collections::{HashMap, HashSet};

use tamis_html::{Name, NodeId, NodeRef};

use super::address::Address;
use crate::document::{Inline, Kind, Piece, plain};
use crate::hashing::NumberMap;
use crate::judgement::Judgement;
use crate::page::Page;

/// More calls than this are no apparatus of notes.
const MAX_CALLS: usize = 10_000;

/// How far below its link the number of a call may stand.
const MAX_CALL_DEPTH: usize = 6;

/// The words of a call are a number or a sign, perhaps in brackets.
const MAX_CALL_LENGTH: usize = 12;

#[derive(Default)]
pub(super) struct Footnotes {
    /// The links that call a note, by their element, with the `id` of the note.
    calls: NumberMap<NodeId, String>,
    /// The elements that are notes, with their `id`.
    notes: NumberMap<NodeId, String>,
}

impl Footnotes {
    pub(super) fn of(page: &Page<'_>, judgement: &Judgement) -> Footnotes {
        let mut footnotes = Footnotes::default();
        let mut calls: NumberMap<NodeId, String> = kept_calls(page, judgement);
        if calls.is_empty() {
            return footnotes;
        }
        // A call stands before its note; what leads back from the note is none.
        let mut wanted: HashMap<String, Vec<NodeId>> = HashMap::new();
        for node in page.dom().descendants() {
            if let Some(key) = calls.remove(&node.id()) {
                wanted.entry(key).or_default().push(node.id());
            } else if !wanted.is_empty()
                && let Some(key) = identity(node).filter(|key| wanted.contains_key(key.as_ref()))
                && let Some(note) = note_at(node, &key, &wanted[key.as_ref()], page)
                && let Some(calls) = wanted.remove(key.as_ref())
            {
                footnotes.calls.extend(calls.into_iter().map(|call| (call, key.clone().into_owned())));
                footnotes.notes.insert(note, key.into_owned());
            }
        }
        footnotes
    }

    pub(super) fn key_of_call(&self, link: NodeId) -> Option<&str> {
        self.calls.get(&link).map(String::as_str)
    }

    pub(super) fn key_of_note(&self, element: NodeId) -> Option<&str> {
        self.notes.get(&element).map(String::as_str)
    }

    /// Gives notes and calls their labels; calls of notes that are not in the document become links.
    pub(super) fn name(&self, content: &mut [Piece], address: &Address) {
        if self.notes.is_empty() {
            return;
        }
        let mut labels = Labels::default();
        labels.find_notes(content);
        labels.find_calls(content);
        labels.apply(content, address);
    }
}

/// The links in kept blocks that look like calls, each with the `id` of what it calls.
fn kept_calls(page: &Page<'_>, judgement: &Judgement) -> NumberMap<NodeId, String> {
    let mut calls = NumberMap::default();
    let blocks = judgement.kept().filter_map(|place| page.blocks().get(place));
    for run in blocks.flat_map(|block| page.runs(block)).filter(|run| run.in_link) {
        let link = page.node(run.node).ancestors().take(MAX_CALL_DEPTH).find(|above| above.is(Name::A));
        if let Some(link) = link
            && calls.len() < MAX_CALLS
            && let Some(key) = called(link)
        {
            calls.insert(link.id(), key);
        }
    }
    calls
}

#[derive(Default)]
struct Labels {
    /// By the `id` of the note, in page order of the notes; empty until a call names it.
    by_key: HashMap<String, String>,
    keys: Vec<String>,
    used: HashSet<String>,
}

impl Labels {
    fn find_notes(&mut self, content: &[Piece]) {
        for piece in content {
            if let Kind::Footnote { label, .. } = &piece.kind
                && self.by_key.insert(label.clone(), String::new()).is_none()
            {
                self.keys.push(label.clone());
            }
            piece.parts().for_each(|part| self.find_notes(part));
        }
    }

    /// A note is called what its first call calls it, where that is a word and no other note is called so.
    fn find_calls(&mut self, content: &mut [Piece]) {
        let mut found: Vec<(String, String)> = Vec::new();
        each_call(content, &mut |inline| {
            if let Inline::FootnoteRef { label, content } = inline {
                found.push((label.clone(), plain(content)));
            }
        });
        for (key, words) in found {
            let word =
                words.trim_matches(|it: char| it.is_whitespace() || "[](){}^*".contains(it)).to_owned();
            if let Some(label) = self.by_key.get_mut(&key)
                && label.is_empty()
                && !word.is_empty()
                && word.chars().all(char::is_alphanumeric)
                && self.used.insert(word.clone())
            {
                *label = word;
            }
        }
        let mut number = 1;
        for key in &self.keys {
            let Some(label) = self.by_key.get_mut(key).filter(|label| label.is_empty()) else { continue };
            while !self.used.insert(format!("note-{number}")) {
                number += 1;
            }
            *label = format!("note-{number}");
        }
    }

    fn apply(&self, content: &mut [Piece], address: &Address) {
        each_call(content, &mut |inline| {
            if let Inline::FootnoteRef { label, content } = inline {
                match self.by_key.get(label) {
                    Some(name) => label.clone_from(name),
                    None => {
                        let href = address.resolve(&format!("#{label}"));
                        *inline = Inline::Link { href, content: std::mem::take(content) };
                    }
                }
            }
        });
        self.apply_to_notes(content);
    }

    fn apply_to_notes(&self, content: &mut [Piece]) {
        for piece in content {
            if let Kind::Footnote { label, .. } = &mut piece.kind
                && let Some(name) = self.by_key.get(label)
            {
                label.clone_from(name);
            }
            each_part(piece, &mut |part| self.apply_to_notes(part));
        }
    }
}

/// Visits the pieces inside a piece.
fn each_part(piece: &mut Piece, visit: &mut impl FnMut(&mut [Piece])) {
    match &mut piece.kind {
        Kind::List { items, .. } => items.iter_mut().for_each(|item| visit(&mut item.content)),
        Kind::Definitions { entries } => entries.iter_mut().for_each(|entry| visit(&mut entry.content)),
        Kind::Table { rows, .. } => {
            rows.iter_mut().flat_map(|row| &mut row.cells).for_each(|cell| visit(&mut cell.content));
        }
        Kind::Quote { content } | Kind::Footnote { content, .. } => visit(content),
        _ => {}
    }
}

/// Visits every call of a footnote.
fn each_call(content: &mut [Piece], visit: &mut dyn FnMut(&mut Inline)) {
    for piece in content {
        match &mut piece.kind {
            Kind::Heading { content, .. } | Kind::Paragraph { content } => each_inline(content, visit),
            Kind::Image(image) => each_inline(&mut image.caption, visit),
            Kind::Table { caption, .. } => each_inline(caption, visit),
            _ => {}
        }
        each_part(piece, &mut |part| each_call(part, visit));
    }
}

fn each_inline(content: &mut [Inline], visit: &mut dyn FnMut(&mut Inline)) {
    for inline in content {
        match inline {
            Inline::FootnoteRef { .. } => visit(inline),
            Inline::Styled { content, .. } | Inline::Link { content, .. } => each_inline(content, visit),
            _ => {}
        }
    }
}

/// The `id` of the note that a link calls, if it looks like a call.
fn called(link: NodeRef<'_>) -> Option<String> {
    let href = link.attribute_named(Name::HREF)?;
    let key = href.trim().strip_prefix('#').filter(|key| !key.is_empty())?;
    let says_so = |name| {
        link.attribute_named(name).is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            ["footnote", "noteref", "endnote", "fnref"].iter().any(|word| value.contains(word))
                && !value.contains("back")
        })
    };
    let is_raised = || {
        let is_sup = |node: &NodeRef<'_>| node.is(Name::SUP);
        link.ancestors().take(2).any(|above| is_sup(&above)) || link.children().any(|below| is_sup(&below))
    };
    let is_call =
        is_raised() || is_note_name(key) || says_so(Name::CLASS) || says_so(Name::ROLE) || says_so(Name::REL);
    let is_short = || {
        let words = link.text_content();
        !words.trim().is_empty() && words.trim().chars().count() <= MAX_CALL_LENGTH
    };
    (is_call && is_short()).then(|| key.to_owned())
}

/// Is it such an `id` as programs give to notes: `fn1`, `cite_note-2`, `_ftn3`?
fn is_note_name(key: &str) -> bool {
    let key = key.trim_start_matches('_').to_ascii_lowercase();
    ["fn", "ftn", "edn", "footnote", "endnote", "cite_note", "note", "sdfootnote"].iter().any(|start| {
        key.strip_prefix(start).is_some_and(|rest| {
            !rest.contains("ref")
                && rest.trim_start_matches(['-', '_', ':', '.']).starts_with(|it: char| it.is_ascii_digit())
        })
    })
}

/// The name by which links find an element.
fn identity(node: NodeRef<'_>) -> Option<std::borrow::Cow<'_, str>> {
    if !node.is_element() {
        return None;
    }
    let name = || node.attribute_named(Name::NAME).filter(|_| node.is(Name::A));
    node.attribute_named(Name::ID).or_else(name)
}

/// The element that is the note, if the element found by its name can be one or stands in one.
fn note_at(node: NodeRef<'_>, key: &str, calls: &[NodeId], page: &Page<'_>) -> Option<NodeId> {
    match node.name_id()? {
        Name::LI | Name::P | Name::DD => Some(node.id()),
        Name::DIV | Name::ASIDE | Name::SECTION => {
            let role = node.attribute_named(Name::ROLE).unwrap_or_default();
            (is_note_name(key) || matches!(role.trim(), "doc-footnote" | "doc-endnote")).then_some(node.id())
        }
        Name::A | Name::SPAN | Name::SUP | Name::B | Name::I | Name::STRONG | Name::EM => {
            let near = node.ancestors().take(3);
            let note = near
                .into_iter()
                .find(|above| above.is(Name::LI) || above.is(Name::P) || above.is(Name::DD))?;
            // Not the paragraph that the note is called from.
            let calls_from = |call: &NodeId| page.node(*call).ancestors().take(16).any(|above| above == note);
            (!calls.iter().any(calls_from)).then_some(note.id())
        }
        _ => None,
    }
}
