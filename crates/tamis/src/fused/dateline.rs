//! A day glued to the first sentence: `Updated: 9 December 2024If you are serving food`.
//!
//! Where the day stands in an element of its own, [`mixed`](super::mixed) leaves it out. Here it stands in one run of words
//! with the text, so that only a label tells it from a sentence that begins with a day: "On 9 December 2024 the ferry" is
//! text, and so is the dateline of an agency.

use std::borrow::Cow;

use tamis_html::NodeId;

use super::mixed::{TEXT, is_code};
use crate::characters::count;
use crate::facts::dates::{Hints, find};
use crate::facts::labels_a_day;
use crate::page::Page;

/// So much of a text is looked at: a label and a day are short.
const LOOKED_AT: usize = 120;
/// A label has at most so many words, of which one is a character in Chinese.
const LABEL: u32 = 6;

/// The first text of a page and how many bytes at its beginning are a label and a day, where the first block that is kept
/// and has a sentence begins so.
pub(super) fn glued(page: &Page<'_>, kept: impl IntoIterator<Item = usize>) -> Option<(NodeId, usize)> {
    let mut blocks = kept.into_iter().filter_map(|place| page.blocks().get(place));
    let block = blocks.find(|block| block.measures.text.words >= TEXT && !is_code(page.element(block)))?;
    let mut runs = page.runs(block).iter();
    let run = runs.next().filter(|run| !run.in_link)?;
    let text = page.node(run.node).text();
    // Most texts have no number so early.
    let head =
        text.get(..text.floor_char_boundary(LOOKED_AT)).filter(|head| head.contains(char::is_numeric))?;
    let day = find(head, &Hints::default()).into_iter().next()?;
    let label = head[..day.place.start].trim();
    let rest = text[day.place.end..].trim_start_matches(|c: char| c.is_whitespace() || "|·•–—-.".contains(c));
    // A picture may part them: the sentence is then a text of its own.
    let next = if rest.is_empty() { page.node(runs.next()?.node).text() } else { Cow::Borrowed(rest) };
    let first = next.trim_start().chars().next()?;
    let begins_anew =
        if label.ends_with([':', '：']) { !first.is_lowercase() } else { first.is_uppercase() };
    let is_lead = begins_anew
        && first.is_alphabetic()
        && (1..=LABEL).contains(&count(label).words)
        && labels_a_day(label)
        && block.measures.text.words >= TEXT + count(&text[..text.len() - rest.len()]).words;
    is_lead.then(|| (run.node, text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "The ferry runs again, says the company: twice a day, if the ice allows, and thrice in May.";

    fn left_out(html: &str) -> Option<String> {
        let page = Page::parse(html);
        let (node, bytes) = glued(&page, 0..page.blocks().len())?;
        Some(page.node(node).text()[..bytes].to_owned())
    }

    #[test]
    fn a_day_glued_to_the_first_sentence_is_left_out() {
        for lead in
            ["Updated: December 9, 2024", "Published on 9 December 2024 | ", "Posted 2024-12-09 10:20 - "]
        {
            assert_eq!(left_out(&format!("<p>{lead}{TEXT}</p>")).as_deref(), Some(lead));
        }
        let parted = format!("<p>Updated: 9 December 2024<img src=ferry.png>{TEXT}</p>");
        assert_eq!(left_out(&parted).as_deref(), Some("Updated: 9 December 2024"));
        let chinese = "<p>发布时间：2010-12-15 08:30 渡轮今天恢复航行，公司说每天开两班，如果冰情允许。";
        assert_eq!(left_out(chinese).as_deref(), Some("发布时间：2010-12-15 08:30 "));
    }

    #[test]
    fn sentences_that_begin_with_a_day_stay() {
        for lead in [
            "On 9 December 2024 ",
            "December 9, 2024 — ",
            "HARBOUR, 9 December 2024 - ",
            "Updated on 9 December 2024 by ",
        ] {
            assert_eq!(left_out(&format!("<p>{lead}{TEXT}</p>")), None, "{lead}");
        }
        assert_eq!(
            left_out(
                "<p>Published on 9 December 2024 it was read by all who sail there, and by many who do not."
            ),
            None
        );
    }
}
