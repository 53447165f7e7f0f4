//! Texts that a page gives twice: for wide screens and for narrow ones, folded and unfolded. One of them is enough.
//!
//! What is said twice on purpose stays: a refrain, a row of a table and a line of code stand beside their first time, in the
//! same element; a copy has a wrapper of its own, and is all that this holds. A paragraph may be quoted elsewhere on the page, and two
//! questions may have the same answer: only copies of several paragraphs in a row are left out, or of one of which readers see the
//! other, and never code. In a thread people repeat each other, so nothing is left out there.

use super::mixed::is_code;
use crate::hashing::NumberMap;
use crate::page::Page;

/// Blocks in a row that say again what others say are copies if they are so many and have so many words together.
const BLOCKS: usize = 2;
const WORDS: u32 = 25;
/// Where both are seen, they have more words: answers to several questions may be the same.
const SEEN_WORDS: u32 = 60;
/// So far up wrappers are looked for: pages nest without end only to do harm.
const DEEP: usize = 64;
/// So many words in a row are a copy even if something else stands beside them.
const MANY_WORDS: u32 = 120;

/// Of the blocks that are kept, those that another one says as well.
///
/// ```
/// use tamis::{Page, fused::repeats::copies};
///
/// let text = "<p>The ferry runs again, says the company: twice a day, if the ice allows, and in May three times.</p>\
///     <p>It sails on Sundays as well, when the market at the pier is open.</p>\
///     <p>Tickets cost as much as before, and bicycles travel without charge on weekdays; those who bring a car must book two \
///     days before at least, by telephone or at the pier, where somebody is from eight to four.</p>";
/// let html = format!("<div class=wide>{text}</div><div class=narrow>{text}</div>");
/// assert_eq!(copies(&Page::parse(&html), 0..6), [3, 4, 5]);
/// let song = format!("<div>{text}<p>Now something else, and then again:</p>{text}</div>");
/// assert!(copies(&Page::parse(&song), 0..7).is_empty());
/// ```
pub fn copies(page: &Page<'_>, kept: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut is_kept = vec![false; page.blocks().len()];
    kept.for_each(|place| is_kept[place] = true);
    let mut first_of: NumberMap<u64, usize> = NumberMap::default();
    let mut copies = Vec::new();
    let mut run = Run::default();
    // All that is seen, kept or not: what stands between two blocks parts them, and a copy has copies of all that the text has.
    for (place, block) in page.blocks().iter().enumerate().filter(|(_, block)| block.hidden.is_none()) {
        let text = page.text(block);
        let key = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        let known = first_of.entry(key).or_insert(place);
        let first = *known;
        if !is_kept[first] && is_kept[place] {
            *known = place;
        }
        let is_copy = first != place
            && page.text(&page.blocks()[first]) == text
            && apart(page, first, place)
            && !is_code(page.element(block));
        if !is_copy || run.pairs.last().is_some_and(|(before, _)| first <= *before) {
            run.end(page, &is_kept, &mut copies);
        }
        if is_copy {
            run.pairs.push((first, place));
        }
    }
    run.end(page, &is_kept, &mut copies);
    copies.sort_unstable();
    copies
}

/// Blocks in a row that are copies of blocks in the same order.
#[derive(Default)]
struct Run {
    pairs: Vec<(usize, usize)>,
}

impl Run {
    fn end(&mut self, page: &Page<'_>, is_kept: &[bool], copies: &mut Vec<usize>) {
        let block = |place: usize| &page.blocks()[place];
        let is_veiled = |place: usize| block(place).veiled.is_some();
        let is_whole = self.is_whole(page);
        self.pairs.retain(|(first, place)| is_kept[*first] && is_kept[*place]);
        let words: u32 = self.pairs.iter().map(|(_, place)| block(*place).measures.text.words).sum();
        if !is_whole && words < MANY_WORDS {
            self.pairs.clear();
        }
        let one_is_seen = self.pairs.iter().all(|(first, place)| is_veiled(*first) != is_veiled(*place));
        let pairs = self.pairs.drain(..);
        if (words >= WORDS && one_is_seen) || (words >= SEEN_WORDS && pairs.len() >= BLOCKS) {
            // Of the two, the one that readers see stays.
            let copy = |(first, place)| if is_veiled(first) && !is_veiled(place) { first } else { place };
            copies.extend(pairs.map(copy));
        }
    }
}

impl Run {
    /// Are the copies all that their wrapper holds? A part of a text that is like another part is no copy of it.
    fn is_whole(&self, page: &Page<'_>) -> bool {
        let (Some((_, first)), Some((_, last))) = (self.pairs.first(), self.pairs.last()) else {
            return false;
        };
        let element = |place: usize| page.element(&page.blocks()[place]);
        let around =
            |place: usize| std::iter::once(element(place)).chain(element(place).ancestors()).take(DEEP);
        let above: Vec<_> = around(*first).map(|node| node.id()).collect();
        let Some(wrapper) = around(*last).map(|node| node.id()).find(|id| above.contains(id)) else {
            return false;
        };
        let seen = |place: &usize| page.blocks()[*place].hidden.is_none();
        let is_in = |place: usize| around(place).any(|node| node.id() == wrapper);
        let before = (0..*first).rev().find(seen);
        let behind = (*last + 1..page.blocks().len()).find(seen);
        !before.is_some_and(is_in) && !behind.is_some_and(is_in)
    }
}

/// Do two blocks stand in wrappers of their own?
fn apart(page: &Page<'_>, one: usize, other: usize) -> bool {
    let (one, other) = (page.element(&page.blocks()[one]), page.element(&page.blocks()[other]));
    let parent = |node: tamis_html::NodeRef<'_>| node.parent().map(|parent| parent.id());
    one != other && parent(one) != parent(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "The ferry runs again, says the company: twice a day, if the ice allows, and in May three \
        times a day, also on Sundays, when the market at the pier is open until noon";

    fn of(html: &str) -> Vec<usize> {
        let page = Page::parse(html);
        copies(&page, 0..page.blocks().len())
    }

    #[test]
    fn paragraphs_for_two_sizes_of_screens_came_twice() {
        let text = format!("<h2>Boats</h2><p>{LONG}.</p><p>{LONG}, and on.</p>");
        let html = format!("<div class=desktop>{text}</div><div class=mobile>{text}</div>");
        assert_eq!(of(&html), [3, 4, 5]);
    }

    #[test]
    fn what_is_said_twice_on_purpose_stays() {
        assert!(of(&format!("<div><p>{LONG}<p>Verse<p>{LONG}</div>")).is_empty(), "a refrain");
        assert!(of(&format!("<div>{LONG}<br>Verse<br>{LONG}</div>")).is_empty(), "lines of one element");
        let few = "<div><p>Read more about it here</p></div>";
        assert!(of(&format!("{few}<p>Other</p>{few}")).is_empty(), "a few words");
        let quoted = format!("<div><p>{LONG}</p></div><h2>Again</h2><div><p>{LONG}</p></div>");
        assert!(of(&quoted).is_empty(), "a paragraph that is quoted");
    }

    #[test]
    fn teasers_below_headlines_of_their_own_were_copies_where_the_headlines_were_not_kept() {
        let teasers: String =
            (0..6).map(|n| format!("<div><h2>Number {n}</h2><p>{LONG}{}</p></div>", n % 3)).collect();
        let page = Page::parse(&teasers);
        assert!(copies(&page, (0..page.blocks().len()).filter(|place| place % 2 == 1)).is_empty());
    }

    #[test]
    fn a_program_like_another_and_answers_that_are_the_same_were_copies() {
        let program = |last: &str| {
            format!(
                "<div><pre>{}\n{last}</pre></div>",
                "let a = read(input); let b = read(input);\n".repeat(9)
            )
        };
        assert!(of(&format!("{}{}", program("a + b"), program("a * b"))).is_empty());
        let answer = |n: u32| {
            format!(
                "<div><h3>Question {n}</h3><p>It runs twice a day, if the ice allows.<p>Ask at the pier.</div>"
            )
        };
        assert!(of(&(1..5).map(answer).collect::<String>()).is_empty());
        let part = |last: &str| format!("<div><p>{LONG}.</p><p>{LONG}, and on.</p><p>{last}</p></div>");
        assert!(of(&format!("{}{}", part("So far the first."), part("And the second."))).is_empty());
    }

    #[test]
    fn a_copy_of_which_not_all_is_kept_is_one() {
        let text = format!("<p>{LONG}.</p><button>Listen</button><p>{LONG}, and on.</p>");
        let html = format!("<div class=desktop>{text}</div><div class=mobile>{text}</div>");
        let page = Page::parse(&html);
        assert_eq!(copies(&page, [0, 2, 3, 5].into_iter()), [3, 5]);
    }

    #[test]
    fn of_a_hidden_and_a_seen_copy_the_seen_one_stays() {
        // The hidden ones are so many that they are taken as seen.
        let other =
            "Something else that is hidden, and is long enough to count for much of the page. ".repeat(20);
        let html = format!("<div hidden><p>{LONG}</p><p>{other}</p></div><div><p>{LONG}</p></div>");
        assert_eq!(of(&html), [0]);
    }

    #[test]
    fn a_page_of_one_line_many_times_is_done_in_time() {
        let html = format!("<div><p>{LONG}</p><p>{LONG}, and on.</p></div>").repeat(20_000);
        assert_eq!(of(&html).len(), 39_998);
    }
}
