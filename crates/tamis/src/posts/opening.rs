//! The post that opens a thread, where it is built otherwise than the answers: a question, a topic.

use std::ops::Range;

use tamis_html::{Name, NodeRef};

use super::outline::{Outline, Sign, is_seen};
use super::runs::{Found, Unit};
use super::{Post, parts};
use crate::page::Page;

/// Words that an opening has at least.
const WORDS: u32 = 5;
/// How far up from the first answer it is looked for.
const UP: usize = 10;

/// How many nodes before the first answer are looked at for the line that signs the opening, and how many words that has.
const SIBLINGS: usize = 400;
const LINE_WORDS: u32 = 12;

/// A head of a thread has no more words than this.
pub(super) const HEAD_WORDS: u32 = 30;

/// The posts without the head of the thread, which may be built as they are: a few words, and neither a writer nor a time, where what
/// follows has both.
pub(crate) fn without_head<'p>(page: &Page<'_>, posts: &'p [Post]) -> &'p [Post] {
    let is_timed = |post: &Post| post.time.is_some() || post.time_text.is_some();
    let words =
        |post: &Post| post.body.iter().map(|place| page.blocks()[*place].measures.text.words).sum::<u32>();
    // Where nobody is named, all of them have a time.
    let are_signed = |rest: &[Post]| match rest {
        [first, ..] if first.author.is_some() => is_timed(first),
        rest => rest.len() > 2 && rest.iter().all(is_timed),
    };
    match posts {
        [head, rest @ ..]
            if head.author.is_none()
                && head.number.is_none()
                && !is_timed(head)
                && are_signed(rest)
                && words(head) <= HEAD_WORDS =>
        {
            &posts[1..]
        }
        _ => posts,
    }
}

/// A post that opens a thread, and whether its element is only the line that signs it.
pub(super) struct Opening {
    pub(super) unit: Unit,
    by_line: bool,
}

impl Opening {
    /// The one post of a thread.
    pub(super) fn whole(unit: Unit) -> Opening {
        Opening { unit, by_line: false }
    }
}

/// What opens the thread: a piece before the first post, or what stands between a line that signs it and the first post.
pub(super) fn before(outline: &Outline<'_>, found: &Found, says_so: bool) -> Option<Opening> {
    if found.by_lines {
        return None;
    }
    let first = found.units.iter().min_by_key(|unit| unit.blocks.start)?;
    if let Some(unit) = piece_before(outline, first, says_so) {
        return Some(Opening::whole(unit));
    }
    let unit = if says_so { under_line(outline, first) } else { None };
    unit.map(|unit| Opening { unit, by_line: true })
}

/// The text below the heading and the line that signs it, where nothing is around them but what is around all posts.
fn under_line(outline: &Outline<'_>, first: &Unit) -> Option<Unit> {
    let node = outline.page.node(first.element);
    let around = outline.blocks_of(node.parent()?.id());
    let heading = outline.heading.filter(|heading| around.contains(heading))?;
    let before = node.previous_siblings().take(SIBLINGS).filter(NodeRef::is_element);
    let mut lines = before.filter(|line| {
        let blocks = outline.blocks_of(line.id());
        let signs = outline.signs_of(line.id());
        let is_timed = || outline.has_sign(Sign::Time, &blocks) || outline.times_in(blocks.clone()) > 0;
        !blocks.is_empty()
            && blocks.start >= heading
            && signs.authors > 0
            && is_timed()
            && outline.words_in(blocks.clone()) <= LINE_WORDS
    });
    let element = lines.next()?;
    let line = outline.blocks_of(element.id());
    let says = line.end < first.blocks.start && outline.words_in(line.end..first.blocks.start) >= WORDS;
    says.then(|| Unit::new(element.id(), line.start..first.blocks.start))
}

/// The nearest piece before the first post that says something and is signed.
fn piece_before(outline: &Outline<'_>, first: &Unit, says_so: bool) -> Option<Unit> {
    let mut node = outline.page.node(first.element);
    let is_signed = |node: NodeRef<'_>| {
        let signs = outline.signs_of(node.id());
        let blocks = outline.blocks_of(node.id());
        (signs.times > 0 || outline.times_in(blocks) > 0) && (signs.authors > 0 || signs.short_links > 0)
    };
    // The first signs of an opening stand where those of the answers do, or the heading of the page is near.
    let signs =
        |blocks: &Range<usize>| [Sign::Time, Sign::Author].map(|sign| outline.signs_in(sign, blocks).next());
    let of_posts = signs(&first.blocks);
    let is_alike = |blocks: &Range<usize>| {
        signs(blocks).iter().zip(&of_posts).any(|(one, other)| one.is_some() && one == other)
    };
    for _ in 0..UP {
        let around = node.parent().map_or(0..0, |parent| outline.blocks_of(parent.id()));
        let is_headed = outline.heading.is_some_and(|heading| around.contains(&heading));
        for before in node.previous_siblings().filter(NodeRef::is_element) {
            let blocks = outline.blocks_of(before.id());
            let is_beside =
                [Name::NAV, Name::HEADER, Name::ASIDE, Name::FOOTER].iter().any(|name| before.is(*name));
            if is_beside || outline.words_in(blocks.clone()) < WORDS || !(is_headed || is_alike(&blocks)) {
                continue;
            }
            if is_signed(before) && (says_so || outline.signs_of(before.id()).headlines == 0) {
                return Some(Unit::new(before.id(), blocks));
            }
        }
        node = node.parent().filter(|parent| !parent.is(Name::BODY))?;
    }
    None
}

/// Is an opening only the head of the thread: its heading and labels, with the signature of the first post, or above a page that
/// begins further down?
pub(super) fn is_head(page: &Page<'_>, opening: &Post, first: Option<&Post>) -> bool {
    let Some(first) = first else { return false };
    let is_heading = |node: NodeRef<'_>| node.heading_level().is_some();
    let says_nothing = opening.body.iter().filter_map(|place| page.blocks().get(*place)).all(|block| {
        let element = page.element(block);
        is_heading(element)
            || element.parent().is_some_and(is_heading)
            || (block.measures.text.words <= parts::LINE
                && !page.text(block).ends_with(['.', '?', '!', '。', '？', '！']))
    });
    let day = |post: &Post| post.time.as_deref().and_then(|time| time.get(..10)).map(str::to_owned);
    let is_same = |one: Option<&str>, other: Option<&str>| one.is_none() || other.is_none() || one == other;
    let is_signed_alike = (opening.author.is_some() || opening.time.is_some())
        && is_same(opening.author.as_deref(), first.author.as_deref())
        && is_same(day(opening).as_deref(), day(first).as_deref());
    says_nothing && (is_signed_alike || first.number.is_some_and(|number| number > 1))
}

/// Its parts: what is said in it are its longest run of blocks.
pub(super) fn read(outline: &Outline<'_>, opening: &Opening) -> Option<Post> {
    let mut post = parts::of(outline, std::slice::from_ref(&opening.unit), opening.by_line).pop()?;
    let page = outline.page;
    let is_long = |place: &usize| {
        page.blocks().get(*place).is_some_and(|block| {
            is_seen(block)
                && block.link_share() < 0.5
                && block.measures.text.words >= WORDS
                && !outline.tells_time(*place)
        })
    };
    let first = post.body.iter().position(is_long)?;
    let last = post.body.iter().rposition(is_long)?;
    post.body.truncate(last + 1);
    post.body.drain(..first);
    Some(post)
}
