//! Headings that name a blog or a site, and not the piece: they equal a later part of `title`, while the first part of it
//! stands below them, near the text.

use std::collections::HashSet;

use super::super::Around;
use super::heading::{heading_text, in_banner};
use super::site_name::is_normal_site_name;
use super::{LONGEST, normal};

/// How many parts a title may have.
const MOST_PARTS: usize = 12;

/// What was found of a page's `title` in its headings.
#[derive(Default)]
pub(super) struct Shown {
    /// The first part of `title`, where it heads the piece below another heading; as [`normal`] has it.
    pub(super) head: Option<String>,
    /// Headings that are later parts of `title`, and are not what the piece is called.
    pub(super) names: HashSet<String>,
}

/// Looks for them. `is_backed` says of a text whether metadata call the piece so.
pub(super) fn of(around: &Around<'_>, is_backed: impl Fn(&str) -> bool) -> Shown {
    let title = around.title_text.as_str();
    let parts = around.title_parts();
    let mut shown = Shown::default();
    // A title of more parts says nothing; and the parts are put together in all ways below.
    if !(2..=MOST_PARTS).contains(&parts.len()) {
        return shown;
    }
    let heads: Vec<String> = parts[..parts.len() - 1].iter().map(|part| normal(&title[..part.end])).collect();
    let later: Vec<String> = parts[1..].iter().map(|part| normal(&title[part.clone()])).collect();
    // A name may have separators of its own: "Gazette - the blog".
    let tails: Vec<String> = parts[1..].iter().map(|part| normal(&title[part.start..])).collect();
    let is_head =
        |text: &String| !text.is_empty() && heads.contains(text) && !is_normal_site_name(text, around);
    for (_, node) in around.scan.headings.iter().filter(|(level, _)| *level == 1).take(4) {
        let Some(place) = around.place_of(*node) else { continue };
        let own = normal(&heading_text(*node, LONGEST));
        if own.is_empty() || heads.contains(&own) || is_backed(&own) {
            continue;
        }
        let is_later = later.contains(&own) || tails.contains(&own);
        if let Some(head) = heading_below(around, place, &is_head) {
            shown.head = Some(head);
            if is_later {
                shown.names.insert(own);
            }
        } else if is_later {
            // The head of `title` outweighs a name if it is longer, or if the name stands in the page's banner.
            let longest = heads.iter().filter(|head| is_head(head)).max_by_key(|head| head.chars().count());
            let is_longer = longest.is_some_and(|head| head.chars().count() > own.chars().count());
            let below = line_below(around, place, &is_head).filter(|_| is_longer || in_banner(*node));
            let is_name = below.is_some() || (is_longer && in_banner(*node));
            shown.head = shown.head.or(below);
            if is_name {
                shown.names.insert(own);
            }
        }
    }
    shown
}

/// What a thread is called where `title` begins with the board: a heading by the first post that is the end of `title`, while
/// no heading there is its beginning, or another one answers it: "Re: Rain".
pub(super) fn topic(around: &Around<'_>) -> Option<String> {
    let [first, _, ..] = around.page.posts() else { return None };
    let title = around.title_text.as_str();
    let parts = around.title_parts();
    let (head, tail) = match parts {
        [head, .., tail] => (normal(&title[head.clone()]), tail.clone()),
        _ => return None,
    };
    // A topic may have separators of its own.
    let ends = [normal(&title[tail]), normal(&title[parts[1].start..])];
    let near: Vec<String> = around
        .scan
        .headings
        .iter()
        .filter(|(_, node)| {
            !in_banner(*node)
                && around.place_of(*node).is_some_and(|place| {
                    place + 14 >= first.blocks.start && place <= first.blocks.start.saturating_add(6)
                })
        })
        .map(|(_, node)| heading_text(*node, LONGEST))
        .take(12)
        .collect();
    let is_site = |text: &String| is_normal_site_name(&normal(text), around);
    let topic = near.iter().find(|text| ends.contains(&normal(text)) && !is_site(text))?;
    // Where the beginning of `title` stands there as a line, the board is behind it.
    let blocks = around.page.blocks();
    let start = first.blocks.start;
    let lines = blocks.get(start.saturating_sub(14)..(start + 7).min(blocks.len())).unwrap_or_default();
    let has_line = lines
        .iter()
        .map(|block| around.page.text(block))
        .any(|line| line.len() <= LONGEST && normal(line) == head);
    let own = normal(topic);
    let is_answered = around.scan.headings.iter().take(40).any(|(_, node)| {
        let text = normal(&heading_text(*node, LONGEST));
        ["re", "aw", "回复", "回覆"].iter().any(|lead| text.strip_prefix(lead) == Some(own.as_str()))
    });
    let has_head = has_line || near.iter().any(|text| normal(text) == head);
    (is_answered || !has_head).then(|| topic.clone())
}

/// The lines at the head of the text, as [`normal`] has them: pages without headings show what they are called there.
pub(super) fn lines_at_head(around: &Around<'_>) -> Vec<String> {
    let Some((first, _)) = around.text else { return Vec::new() };
    let blocks = around.page.blocks();
    let lines = blocks.get(first.saturating_sub(2)..(first + 2).min(blocks.len())).unwrap_or_default();
    let lines = lines.iter().map(|block| around.page.text(block)).filter(|line| line.len() <= LONGEST);
    lines.map(normal).collect()
}

/// A lower heading behind a place, near the text, that is the head of `title`.
fn heading_below(around: &Around<'_>, above: usize, is_head: &dyn Fn(&String) -> bool) -> Option<String> {
    around
        .scan
        .headings
        .iter()
        .filter(|(_, node)| {
            let is_near =
                around.blocks_before_text(*node).is_some_and(|distance| (-3..=14).contains(&distance));
            is_near && around.place_of(*node).is_some_and(|place| place > above)
        })
        .take(10)
        .map(|(_, node)| normal(&heading_text(*node, LONGEST)))
        .find(is_head)
}

/// A line behind a place, close above the text or at its head, that is the head of `title`.
fn line_below(around: &Around<'_>, above: usize, is_head: &dyn Fn(&String) -> bool) -> Option<String> {
    let (first, _) = around.text?;
    let blocks = around.page.blocks();
    let start = first.saturating_sub(14).max(above + 1);
    let lines = blocks.get(start..(first + 3).min(blocks.len()))?.iter().map(|block| around.page.text(block));
    lines.filter(|line| line.len() <= LONGEST).map(normal).find(is_head)
}
