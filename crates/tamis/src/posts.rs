//! The posts of a thread: forums, questions with their answers.
//!
//! A thread repeats one piece: somebody's name, a time, and what was said. [`find`] looks for that: pieces of one shape, or
//! at one path, that are signed and hold most of what is said on the page. The names of classes help to read a piece, but
//! no page is a thread because of them, and none needs them. Readers' comments below an article are something else
//! ([`comments`](crate::comments)), and so are the teasers of a listing, which are signed as well but lead elsewhere.
//!
//! ```
//! let page = tamis::Page::parse("<h1>Boats</h1>\
//!     <div><a href=/u/1>Ada</a> 2026-03-01 10:00 <p>Does anybody know when the ferry runs on Sundays?</p></div>\
//!     <div><a href=/u/2>Ben</a> 2026-03-01 11:30 <p>From May on, says the board at the pier.</p></div>");
//! let posts = tamis::posts::find(&page);
//! assert_eq!(posts.len(), 2);
//! assert_eq!((posts[1].author.as_deref(), posts[1].time.as_deref()), (Some("Ben"), Some("2026-03-01T11:30")));
//! assert_eq!(posts[1].text(&page), "From May on, says the board at the pier.");
//! ```

mod bars;
mod body;
mod classes;
mod comment_headers;
mod labels;
mod letters;
mod made;
mod marked_up;
mod nested;
mod opening;
mod outline;
mod parts;
mod quote_labels;
mod quotes;
mod repeated;
mod runs;
mod signed;
mod times;
mod when;
mod words;

use std::ops::Range;

use tamis_html::{Name, NodeId};

pub(crate) use self::classes::Classes;
pub(crate) use self::comment_headers::comment_headers;
pub(crate) use self::letters::is_letter;
use self::opening::Opening;
pub(crate) use self::opening::without_head;
use self::outline::{Outline, lines_of_times};
pub(crate) use self::outline::{is_time, mix};
pub(crate) use self::quote_labels::{end_of_label, words as quoted_words};
use self::runs::Found;
pub(crate) use self::times::{OF_WRITERS, order_in_thread, order_said};
pub(crate) use self::words::names_thread;
#[cfg(test)]
pub(crate) use self::words::{THREAD, THREAD_NAMES};
use crate::facts::dates::Moment;
use crate::hashing::NumberMap;
use crate::page::Page;

/// One post of a thread.
///
/// ```
/// use tamis::posts::{Post, find};
///
/// let page = tamis::Page::parse("<div class=post><a href=/u/1>Ada</a> <i>2026-03-01</i><p>When does the ferry run?</p></div>\
///     <div class=post><a href=/u/2>Ben</a> <i>2026-03-02</i><blockquote><p>Ada wrote:<p>When does the ferry run?</blockquote>\
///     <p>On Sundays, from May on, if there is no wind.</p></div>");
/// let post: &Post = &find(&page)[1];
/// assert_eq!((post.author.as_deref(), post.reply_to.as_deref()), (Some("Ben"), Some("Ada")));
/// assert_eq!(post.quotes[0].blocks.len(), 2);
/// assert!(post.body.iter().all(|place| post.blocks.contains(place)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Post {
    /// Its element.
    pub element: NodeId,
    /// All blocks of it, also those of names, times and buttons.
    pub blocks: Range<usize>,
    /// The blocks of what it says, in page order, with what it quotes.
    pub body: Vec<usize>,
    /// What it quotes.
    pub quotes: Vec<Quote>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When, as ISO 8601, where that could be read.
    pub time: Option<String>,
    /// When, as the page has it.
    pub time_text: Option<String>,
    /// Its number in the thread, where the page gives it one.
    pub number: Option<u32>,
    /// Whom it answers.
    pub reply_to: Option<String>,
}

/// The words of somebody else in a post.
///
/// ```
/// let quote = tamis::posts::Quote { author: Some("Ada".to_owned()), blocks: vec![3, 4] };
/// assert_eq!(quote.blocks.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quote {
    /// Whose words they are.
    pub author: Option<String>,
    /// The blocks, which are among those of the post's body.
    pub blocks: Vec<usize>,
}

impl Post {
    fn new(element: NodeId, blocks: Range<usize>) -> Post {
        Post {
            element,
            blocks,
            body: Vec::new(),
            quotes: Vec::new(),
            author: None,
            time: None,
            time_text: None,
            number: None,
            reply_to: None,
        }
    }

    /// What it says, a block a line.
    pub fn text(&self, page: &Page<'_>) -> String {
        let blocks = self.body.iter().filter_map(|place| page.blocks().get(*place));
        blocks.map(|block| page.text(block)).collect::<Vec<_>>().join("\n")
    }
}

/// The posts of a page, in page order; none where it is no thread.
///
/// ```
/// let page = tamis::Page::parse("<h1>Rain</h1><p>It rained in the harbour on Monday, for the first time since May.");
/// assert!(tamis::posts::find(&page).is_empty());
/// ```
pub fn find(page: &Page<'_>) -> Vec<Post> {
    // What stands below an article is no thread of its own. Without time there is nothing at all.
    if page.is_late() || !page.comments().sections().is_empty() || page.comments().says_shop() {
        return Vec::new();
    }
    if let Some(post) = letters::read(page) {
        return vec![post];
    }
    // Without times a page must say that it is a thread. Most pages do neither, and need no outline to know it.
    let lines_of_times = lines_of_times(page);
    let says_so = page.comments().names_thread()
        || (page.comments().says_thread() && !says_article(page))
        || made::by_forum(page, &lines_of_times);
    let lines = lines_of_times.iter().filter(|tells| **tells).count();
    if !says_so && page.comments().time_elements() + lines < 2 {
        return Vec::new();
    }
    let mut outline = Outline::of(page, &lines_of_times);
    if page.comments().says_questions()
        && let Some(posts) = marked_up::read(&outline)
    {
        return posts;
    }
    let mut posts = by_shape(&mut outline, says_so);
    if !says_so && (are_dates(&posts) || bars::are_reviews(page, &posts)) {
        posts.clear();
    }
    if page.comments().says_questions() {
        marked_up::put_question(&outline, &mut posts);
    }
    posts
}

/// Are they offers, programmes or teasers, which have times as posts have? Where the page does not say that people speak there, some of
/// them must be named, and more where the times are days without a year.
fn are_dates(posts: &[Post]) -> bool {
    let named = posts.iter().filter(|post| post.author.is_some()).count();
    let timed = posts.iter().filter(|post| post.time.is_some()).count();
    named == 0 || (NAMED * named < posts.len() && 2 * timed < posts.len())
}

/// The posts that pieces of one build are.
fn by_shape(outline: &mut Outline<'_>, says_so: bool) -> Vec<Post> {
    let page = outline.page;
    let found = runs::best(outline);
    let opening = found.as_ref().and_then(|found| opening::before(outline, found, says_so));
    let Some(mut found) = found.filter(|found| is_thread(outline, found, opening.as_ref(), says_so)) else {
        let single = if says_so { runs::single(outline) } else { None };
        unquote(outline, single.as_slice());
        let mut posts: Vec<Post> =
            single.and_then(|unit| opening::read(outline, &Opening::whole(unit))).into_iter().collect();
        signed::settle(outline, &mut posts, &NumberMap::default());
        return posts;
    };
    found.units.sort_by_key(|unit| unit.blocks.start);
    unquote(outline, &found.units);
    let mut posts = parts::of(outline, &found.units, found.by_lines);
    posts.retain(|post| !post.body.is_empty() && !nested::is_dialog(page, post));
    let mut is_opened = false;
    if let Some(opening) = opening {
        let opening = opening::read(outline, &opening);
        let opening = opening.filter(|opening| !opening::is_head(page, opening, posts.first()));
        is_opened = opening.is_some();
        posts.splice(0..0, opening);
    }
    let heads = found.units.iter().filter_map(|unit| Some((unit.element, unit.head?))).collect();
    signed::settle(outline, &mut posts, &heads);
    // Now the numbers are known.
    if is_opened && opening::is_head(page, &posts[0], posts.get(1)) {
        posts.remove(0);
        is_opened = false;
    }
    marked_up::settle(outline, &mut posts);
    bars::without_forms(page, &mut posts);
    if bars::begins_with_bar(page, &posts, is_opened) {
        posts.remove(0);
    }
    nested::without_own(&mut posts);
    nested::answers(page, &mut posts);
    if posts.iter().any(|post| times::readings(post).is_some()) {
        let language = page.dom().html().and_then(|html| html.attribute_named(Name::LANG));
        let (month_first, _) = crate::facts::month_first(page, &posts, page.url(), language.as_deref());
        settle_order(&mut posts, month_first.unwrap_or(false), None);
    }
    posts
}

/// What posts say themselves is no quote, whatever its box is called.
fn unquote(outline: &mut Outline<'_>, units: &[runs::Unit]) {
    if let Some(shape) = quotes::body(outline, units) {
        outline.unquote(shape);
    }
}

/// Puts day and month in order in the times of posts, where words told them. The facts of a page say which comes first, for its own
/// dates and these.
pub(crate) fn settle_order(posts: &mut [Post], month_first: bool, fetched: Option<Moment>) {
    times::settle(posts, month_first, fetched);
}

/// Where 3/4/2021 beside the first post is one of these days, does the month come first? Nothing where it is neither, or clear.
pub(crate) fn order_by_day(posts: &[Post], day: Moment) -> Option<bool> {
    let [day_first, month_first] = posts.first().and_then(times::readings)?;
    let is = |moment: Moment| moment.day_number() == day.day_number();
    (is(day_first) != is(month_first)).then(|| is(month_first))
}

/// Does the first of these posts stand further down in its thread? Numbers that do not follow each other by one are no places in it.
pub(crate) fn begin_later(posts: &[Post]) -> bool {
    let numbers: Vec<u32> = posts.iter().filter_map(|post| post.number).collect();
    posts.first().and_then(|post| post.number).is_some_and(|number| number > 1)
        && numbers.windows(2).all(|pair| pair[0].abs_diff(pair[1]) == 1)
}

/// The time that the words beside a post tell, counted from when the page was fetched: "3 hours ago", "12月15日".
pub(crate) fn time_told(words: &str, fetched: Moment, language: Option<&str>) -> Option<String> {
    times::read_since(words, fetched, language)
}

/// What the pieces hold of the page at least: where it says that it is a thread, and where nothing says so.
const COVERAGE: [f32; 2] = [0.25, 0.5];

/// One of so many posts has a writer at least, where neither the page nor their times say that it is a thread.
const NAMED: usize = 4;

/// The share of pieces that have a name, where they have neither links nor times.
const ALL_NAMED: f32 = 0.95;

fn is_thread(outline: &Outline<'_>, found: &Found, opening: Option<&Opening>, says_so: bool) -> bool {
    let all = outline.words_in(0..outline.page.blocks().len()).max(1) as f32;
    let open = opening.map_or(0.0, |opening| outline.words_in(opening.unit.blocks.clone()) as f32 / all);
    if says_so {
        return found.coverage + open >= COVERAGE[0]
            && found.timed.max(found.named) >= 0.5
            // Names that are no links and have no time are believed where nearly every piece has one.
            && (found.timed >= 0.5 || found.linked >= 0.5 || found.named >= ALL_NAMED)
            && found.headlines < 0.6;
    }
    // Two pieces may be alike by chance.
    let (coverage, signed) = if found.units.len() == 2 { (0.7, 1.0) } else { (COVERAGE[1], 0.6) };
    found.coverage >= coverage
        && found.timed >= signed
        && found.named.max(found.linked - 0.2) >= signed
        && found.headlines < 0.3
}

/// Does the page call itself an article?
fn says_article(page: &Page<'_>) -> bool {
    let mut head =
        page.dom().descendants().take_while(|node| !node.is(Name::BODY)).filter(|node| node.is(Name::META));
    head.any(|node| {
        let is = |name: Name, value: &str| {
            node.attribute_named(name).is_some_and(|it| it.eq_ignore_ascii_case(value))
        };
        is(Name::PROPERTY, "og:type") && is(Name::CONTENT, "article")
    })
}

#[cfg(test)]
mod tests;
