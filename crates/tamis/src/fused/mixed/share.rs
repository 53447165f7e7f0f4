//! Bars of buttons that share a text, in one paragraph with it: `Share: Facebook | Twitter | E-mail The ferry runs again.`

use std::ops::Range;

use super::row::Row;
use super::words::{NETWORKS, ON_SHARED, SHARE, SHARE_ON, begins, is_one};
use super::{begins_anew, label_at_end};
use crate::block::Run;

/// A button has no more characters.
const BUTTON: u32 = 40;
/// Buttons of a bar that has a word for sharing, and of one that has none.
const BUTTONS: [usize; 2] = [2, 3];

/// What a run of a bar is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Mark,
    Label,
    /// The name of a network.
    Button,
    /// "Share on Facebook": label and button.
    Shares,
}

fn part(text: &str) -> Option<Part> {
    let is_mark = |it: char| it.is_whitespace() || "|·•/,，、:：-–—()（）[]【】►»>&".contains(it);
    let text = text.trim_matches(is_mark);
    if text.is_empty() {
        return Some(Part::Mark);
    }
    if is_one(text, NETWORKS) {
        return Some(Part::Button);
    }
    if is_one(text, SHARE) {
        return Some(Part::Label);
    }
    let behind = begins(text, SHARE_ON).map(|lead| text[lead..].trim());
    let behind = behind.map(|rest| ON_SHARED.iter().find_map(|end| rest.strip_suffix(end)).unwrap_or(rest));
    behind.filter(|rest| is_one(rest, NETWORKS)).map(|_| Part::Shares)
}

/// What the parts of a bar are together.
#[derive(Default)]
struct Bar {
    buttons: usize,
    has_label: bool,
}

impl Bar {
    fn add(&mut self, part: Part) {
        self.buttons += usize::from(matches!(part, Part::Button | Part::Shares));
        self.has_label |= matches!(part, Part::Label | Part::Shares);
    }

    fn is_whole(&self) -> bool {
        self.buttons >= BUTTONS[usize::from(!self.has_label)]
    }
}

/// Could a run be a part of a bar? Most are longer.
pub(super) fn may_be(run: &Run) -> bool {
    run.characters <= BUTTON
}

/// Is a block a bar and nothing else?
pub(super) fn is_bar(row: &Row<'_>, runs: usize) -> bool {
    let mut bar = Bar::default();
    let all = (0..runs).all(|run| part(row.run(run)).inspect(|part| bar.add(*part)).is_some());
    all && bar.is_whole() && bar.has_label
}

/// The bar in front of a text.
pub(super) fn front(row: &Row<'_>, runs: usize) -> Option<Range<usize>> {
    let mut bar = Bar::default();
    let end = (0..runs).find(|run| part(row.run(*run)).inspect(|part| bar.add(*part)).is_none())?;
    let start = row.place(end).start;
    // " | The ferry": marks behind the last button go with it.
    let rest = row.text[start..].trim_start_matches(|it: char| it.is_whitespace() || "|·•".contains(it));
    (bar.is_whole() && bar.has_label && begins_anew(rest)).then(|| 0..row.text.len() - rest.len())
}

/// The bar behind the last sentence of a text.
pub(super) fn back(row: &Row<'_>, runs: usize) -> Option<Range<usize>> {
    let mut bar = Bar::default();
    let last = (0..runs).rev().find(|run| part(row.run(*run)).inspect(|part| bar.add(*part)).is_none())?;
    let end = row.place(last).end;
    // "... let them pass. Share this: "
    let (start, label) = label_at_end(&row.text[..end])?;
    let has_own = !label.is_empty() && part(label).inspect(|part| bar.add(*part)).is_some();
    // Without a word for sharing, names with commas between them are what the text speaks of.
    let is_told = !bar.has_label && row.text[start..].contains(['、', ',', '，', '،']);
    (bar.is_whole() && !is_told && (label.is_empty() || has_own)).then_some(start..row.text.len())
}
