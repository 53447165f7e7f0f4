//! What looks like posts and is none: the tool bar above a thread, the form below it in which one answers, and reviews of goods.
//!
//! Bars and forms may be built as posts are, and a button of theirs is taken for the writer. They have no time, where posts have.

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::Post;
use super::opening::HEAD_WORDS;
use crate::hashing::NumberSet;
use crate::page::Page;

/// So many strokes part the buttons of a bar: `Print | Save | Next`.
const STROKES: usize = 2;
/// A sentence has at least so many words.
const SENTENCE: u32 = 4;
/// A line of stars has at most so many words, with what it is headed by.
const LINE: u32 = 20;
/// The stars stand among so many of the first blocks of a review; posts that stand in each other share the others.
const NEAR: usize = 32;
/// How far up from what a post says the form around it is looked for.
const UP: usize = 16;

fn is_timed(post: &Post) -> bool {
    post.time.is_some() || post.time_text.is_some()
}

/// Have nearly all of them a time?
fn are_timed(posts: &[Post]) -> bool {
    !posts.is_empty() && 5 * posts.iter().filter(|post| is_timed(post)).count() >= 4 * posts.len()
}

/// Is the first of these posts only the bar above them? One without a time, where the others have one, must say something of its own.
pub(super) fn begins_with_bar(page: &Page<'_>, posts: &[Post], is_opened: bool) -> bool {
    const ENDS: [char; 10] = ['.', '!', '?', '。', '！', '？', '…', '؟', '۔', '।'];
    let [first, rest @ ..] = posts else { return false };
    if is_timed(first) || first.number.is_some() || !are_timed(rest) {
        return false;
    }
    let (mut words, mut has_bar, mut has_sentence) = (0, false, false);
    for block in first.body.iter().filter_map(|place| page.blocks().get(*place)) {
        let text = page.text(block);
        let own = block.measures.text.words;
        if text.matches('|').count() >= STROKES {
            has_bar = true;
        } else if block.link_share() < 0.5 {
            words += own;
            has_sentence |= own >= SENTENCE && text.trim_end().ends_with(ENDS);
        }
    }
    // What is built as the posts are and has a writer is one, if it says little; beside a bar, few words are the heading.
    let says_nothing = !has_sentence && (is_opened || first.author.is_none());
    words <= HEAD_WORDS && (has_bar || says_nothing)
}

/// Leaves out the form in which one answers. It has no time, and either a field to write in, which posts do not have, or it is a form
/// by itself, with nothing but a button for those who are not known.
pub(super) fn without_forms(page: &Page<'_>, posts: &mut Vec<Post>) {
    // Only few pages have posts without a time beside others that have one.
    if posts.len() < 2 || posts.iter().all(is_timed) {
        return;
    }
    let starts: NumberSet<NodeId> = posts.iter().map(|post| post.element).collect();
    let mut have: Vec<bool> = posts.iter().map(|post| has_field(page.node(post.element), &starts)).collect();
    // Where many have one, it is that in which a post is answered or changed.
    if 2 * have.iter().filter(|has| **has).count() > posts.len() {
        have.fill(false);
    }
    // It may stand in the element of the post, around all that this says.
    let form = |post: &Post| {
        let block = post.body.first().and_then(|place| page.blocks().get(*place))?;
        page.element(block).ancestors().take(UP).find(|node| node.is(Name::FORM))
    };
    let forms: Vec<Option<NodeId>> = posts.iter().map(|post| form(post).map(|form| form.id())).collect();
    // The others may stand in one form, all of them.
    let is_own =
        |at: usize| forms[at].is_some() && forms.iter().filter(|form| **form == forms[at]).count() == 1;
    for at in [0, posts.len() - 1] {
        let (before, behind) = (&posts[..at], &posts[at + 1..]);
        have[at] |= is_own(at)
            && (before.is_empty() || are_timed(before))
            && (behind.is_empty() || are_timed(behind));
    }
    let mut have = have.into_iter();
    posts.retain(|post| !have.next().unwrap_or(false) || is_timed(post));
}

/// Is there a field to write in, apart from those of posts that stand in this one?
fn has_field(top: NodeRef<'_>, starts: &NumberSet<NodeId>) -> bool {
    let mut steps = top.walk();
    while let Some(step) = steps.next() {
        let Step::Enter(node) = step else { continue };
        if node.is(Name::TEXTAREA) {
            return true;
        }
        if node != top && starts.contains(&node.id()) {
            steps.skip_below();
        }
    }
    false
}

/// Are they what buyers say of goods? Each of them says how many stars it gives.
pub(super) fn are_reviews(page: &Page<'_>, posts: &[Post]) -> bool {
    const STARS: [&str; 7] = [
        "out of 5 stars",
        "von 5 sternen",
        "sur 5 étoiles",
        "étoiles sur 5",
        "de 5 estrellas",
        "su 5 stelle",
        "5つ星のうち",
    ];
    let says_stars = |place: usize| {
        page.blocks()
            .get(place)
            .filter(|block| block.measures.text.words <= LINE)
            .map(|block| page.text(block).to_lowercase())
            .is_some_and(|line| STARS.iter().any(|stars| line.contains(stars)))
    };
    let reviews = posts.iter().filter(|post| post.blocks.clone().take(NEAR).any(says_stars)).count();
    reviews > 1 && 2 * reviews > posts.len()
}

#[cfg(test)]
mod tests {
    use crate::page::Page;
    use crate::posts::find;

    fn post(n: u32, name: &str) -> String {
        format!(
            "<div class=post><a href=/u/{n} class=author>{name}</a> <i>2026-03-0{n} 10:00</i><p>From May on, twice a day, as far as \
             number {n} knows.</p></div>"
        )
    }

    fn writers(html: &str) -> Vec<Option<String>> {
        let page = Page::parse(html).with_url("https://example.org/thread/1");
        find(&page).into_iter().map(|post| post.author).collect()
    }

    #[test]
    fn a_tool_bar_opened_the_thread() {
        let posts = post(1, "Ada") + &post(2, "Ben") + &post(3, "Cora");
        let names = ["Ada", "Ben", "Cora"].map(|name| Some(name.to_owned()));
        let bar =
            "<a href=/p>Stamp it</a> | <a href=/k>Keep this one</a> | <a href=/n>Newer one</a> | 2026-03-01";
        for bar in [
            format!("<div class=post><b>On this page:</b> When does the ferry run on Sundays? {bar}</div>"),
            "<div class=post><p>On this page: When the ferry runs</p><p><a href=/k class=author>Keep this one</a> | \
             <a href=/n>Newer one</a> | <a href=/o>Older one</a></p></div>"
                .to_owned(),
        ] {
            assert_eq!(writers(&format!("<h1>Ferries</h1>{bar}{posts}")), names, "{bar}");
        }
        let opening = "<div class=post><a href=/u/9 class=author>Dan</a><p>Does anybody know when the ferry runs on Sundays?</p></div>";
        assert_eq!(writers(&format!("<h1>Ferries</h1>{opening}{posts}")).len(), 4);
    }

    #[test]
    fn reviews_of_goods_were_a_thread() {
        let review =
            |n: u32, name: &str| post(n, name).replace("<p>", "<p>5.0 out of 5 stars A fine boat</p><p>");
        let html = review(1, "Ada") + &review(2, "Ben") + &review(3, "Cora");
        assert!(find(&Page::parse(&html)).is_empty());
        assert_eq!(find(&Page::parse(&html.replace("stars", "boats"))).len(), 3);
    }

    #[test]
    fn the_form_below_was_an_answer() {
        let form = "<div class=post><a href=/u/login class=author>Come in</a><form><textarea></textarea><p>You may answer once you have \
                    come in, and not before.</p></form></div>";
        let html = post(1, "Ada") + &post(2, "Ben") + &post(3, "Cora") + form;
        assert_eq!(writers(&html).len(), 3);
        let form = "<form><div class=post><a href=/u/login class=author>Come in</a><p>You may answer once you have come in, and not \
                    before.</p><button>Send</button></div></form>";
        let html = post(1, "Ada") + &post(2, "Ben") + &post(3, "Cora") + form;
        assert_eq!(writers(&html).len(), 3);
    }
}
