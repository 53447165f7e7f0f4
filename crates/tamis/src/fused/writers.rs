//! Who wrote a post and when, how many he wrote and since when: that is told by the posts of a document, and is no text.
//!
//! Trees that have seen other threads know most of it by its class. A thread without classes, laid out by a table, has "Posts: 3" in a
//! cell beside what is said; but all its posts have such a line.

use tamis_html::NodeId;

use crate::hashing::{NumberMap, NumberSet};
use crate::judgement::Judgement;
use crate::page::Page;
use crate::posts::Post;

/// A line of details has at most so many words, and so many before its colon.
const WORDS: u32 = 8;
const LEAD: usize = 3;
/// With fewer posts nothing is known of what they have in common.
const POSTS: usize = 3;

/// What is said of a block that is left out.
pub(super) const SIGNS: &str = "signs a post";

/// Leaves out the lines of posts that tell of their writers, where something stays that they say.
pub(super) fn settle(page: &Page<'_>, judgement: &mut Judgement) {
    let posts = page.posts();
    // Texts of a listing are signed as well, but by the day.
    let is_signed =
        |post: &&Post| post.author.is_some() && post.time.as_deref().is_some_and(|time| time.contains('T'));
    let signed = posts.iter().filter(is_signed).count();
    if posts.len() < POSTS || 5 * signed < 3 * posts.len() {
        return;
    }
    let mut said: NumberSet<usize> = NumberSet::default();
    posts.iter().for_each(|post| said.extend(post.body.iter().copied()));
    let mut leads: NumberMap<u64, (usize, usize)> = NumberMap::default();
    // A post that stands in another is looked at once.
    let lines = |at: usize| {
        let end = posts.get(at + 1).map_or(usize::MAX, |next| next.blocks.start);
        let own = posts[at].blocks.start..posts[at].blocks.end.min(end);
        own.filter(|place| !said.contains(place))
    };
    for at in 0..posts.len() {
        for lead in lines(at).filter_map(|place| lead(page, place)) {
            let (last, posts) = leads.entry(lead).or_insert((usize::MAX, 0));
            *posts += usize::from(*last != at);
            *last = at;
        }
    }
    for at in 0..posts.len() {
        let post = &posts[at];
        if !post.body.iter().any(|place| judgement.keeps(*place)) {
            continue;
        }
        let said_in: NumberSet<NodeId> =
            post.body.iter().map(|place| page.blocks()[*place].element).collect();
        for place in lines(at) {
            let Some(block) = page.blocks().get(place).filter(|_| judgement.keeps(place)) else { continue };
            let text = page.text(block).trim();
            let is_name = post.author.as_deref() == Some(text);
            let is_time = post.time_text.as_deref().is_some_and(|time| time.trim() == text);
            // People who answer the same questions begin their lines alike.
            let is_detail = || {
                let with = lead(page, place).and_then(|lead| leads.get(&lead)).map_or(0, |(_, with)| *with);
                5 * with >= 3 * posts.len() && !said_in.contains(&block.element)
            };
            if block.measures.text.words <= 2 * WORDS && (is_name || is_time || is_detail()) {
                let verdict = &mut judgement.verdicts[place];
                verdict.keep = false;
                verdict.why.push((SIGNS, 1.0));
            }
        }
    }
}

/// A number for what stands before the colon of a short line, if something short stands behind it: "Joined: 2019".
fn lead(page: &Page<'_>, place: usize) -> Option<u64> {
    let block = page.blocks().get(place).filter(|block| block.measures.text.words <= WORDS)?;
    let (lead, rest) = page.text(block).split_once([':', '：'])?;
    let is_lead = !rest.trim().is_empty() && (1..=LEAD).contains(&lead.split_whitespace().count());
    is_lead.then(|| xxhash_rust::xxh3::xxh3_64(lead.trim().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a thread in a table, of which all is kept before.
    fn kept(posts: &[(&str, &str)]) -> Vec<String> {
        let row = |(at, (who, said)): (usize, &(&str, &str))| {
            format!(
                "<tr><td><b>{who}</b><br>Posts: 3{at}<br>Joined: 2019</td><td><small>Posted: 2026-03-0{} 10:20</small><hr>{said}</td></tr>",
                at + 1
            )
        };
        let rows: String = posts.iter().enumerate().map(row).collect();
        let html = format!("<title>Sunday ferry</title><table>{rows}</table>");
        let page = Page::parse(&html);
        let mut judgement = Judgement::of(page.blocks().iter().map(|_| true));
        settle(&page, &mut judgement);
        judgement.kept().map(|place| page.text(&page.blocks()[place]).to_owned()).collect()
    }

    const SAID: [&str; 3] = [
        "Does anyone know when the ferry sails on Sundays? The board at the pier says nothing about it.",
        "It sails at ten and at four, but only if the ice allows; ask at the kiosk before you walk.",
        "Thanks, that is what I wanted to know. I will take the one at ten then, and bring some cake.",
    ];

    #[test]
    fn how_many_posts_a_writer_has_was_text() {
        assert_eq!(kept(&[("Ada", SAID[0]), ("Ben", SAID[1]), ("Cora", SAID[2])]), SAID);
    }

    #[test]
    fn two_pieces_say_nothing_of_what_posts_have() {
        assert_eq!(kept(&[("Ada", SAID[0]), ("Ben", SAID[1])]).len(), 10);
    }
}
