//! Who wrote each reader's comment below a text, when, and which other comment it answers.
//!
//! Which elements are comments and what they say is [known](crate::comments). The rest of such an element is its header
//! (or footer), built as that of a post; it is read with the same means, but more strictly, since a section may have one
//! comment only.

use tamis_html::{Name, NodeId, NodeRef, Step};

use super::classes::Class;
use super::outline::{Outline, hidden_time, lines_of_times};
use super::signed::{may_be_name, settle_comments};
use super::words::signer;
use super::{Post, marked_up, quotes, times};
use crate::characters::folded;
use crate::hashing::{NumberMap, NumberSet, TextMap};
use crate::page::Page;

/// An element that tells a time has at most so many words.
const TIME_WORDS: u32 = 12;
/// How far up from a comment the one that it answers is looked for.
const MAX_ANCESTORS: usize = 32;
/// How many elements stand between a comment and the box that holds its answers as well.
const BOX_ANCESTORS: usize = 2;

/// What is told of one comment.
pub(crate) struct CommentHeader {
    /// As a post, without what only posts have.
    pub(crate) post: Post,
    /// The comment that it answers, by its place in the list.
    pub(crate) reply_to: Option<usize>,
}

/// The headers of all comments of a page, in the order of [`sections`](crate::comments::Comments::sections).
pub(crate) fn comment_headers(page: &Page<'_>) -> Vec<CommentHeader> {
    let sections = page.comments().sections();
    let elements: Vec<NodeId> =
        sections.iter().flat_map(|section| &section.comments).map(|unit| unit.element).collect();
    if elements.is_empty() || page.is_late() {
        return Vec::new();
    }
    let outline = Outline::of(page, &lines_of_times(page));
    let starts: NumberSet<NodeId> = elements.iter().copied().collect();
    let mut posts: Vec<Post> = Vec::with_capacity(elements.len());
    for section in sections {
        let mut own: Vec<Post> = Vec::with_capacity(section.comments.len());
        for unit in &section.comments {
            let mut post = Post::new(unit.element, outline.blocks_of(unit.element));
            post.body.clone_from(&unit.blocks);
            read_time(&outline, &mut post, &starts);
            own.push(post);
        }
        settle_comments(&outline, &mut own, &starts);
        posts.append(&mut own);
    }
    marked_up::settle(&outline, &mut posts);
    for post in &mut posts {
        if post.author.is_none() {
            let signer = post.time_text.as_deref().and_then(signer).filter(|name| may_be_name(name));
            post.author = signer.map(str::to_owned);
        }
        quotes::read(&outline, post);
    }
    let mut answered = by_nesting(page, &elements);
    by_name(&posts, &mut answered);
    let headers = posts.into_iter().zip(answered);
    headers.map(|(post, reply_to)| CommentHeader { post, reply_to }).collect()
}

/// Reads when a comment was written: from an element that is a time, or else from a line beside what is said.
fn read_time(outline: &Outline<'_>, post: &mut Post, starts: &NumberSet<NodeId>) {
    let page = outline.page;
    let top = page.node(post.element);
    let is_body = |place: usize| post.body.binary_search(&place).is_ok();
    let mut line: Option<&str> = None;
    let mut told = None;
    let mut steps = top.walk();
    while let Some(step) = steps.next() {
        let Step::Enter(node) = step else { continue };
        if !node.is_element() {
            let place = outline.block_of(node.id()).filter(|place| {
                line.is_none() && outline.tells_time(*place) && !outline.is_quoted(*place) && !is_body(*place)
            });
            let text = place.and_then(|place| page.blocks().get(place)).map(|block| page.text(block));
            line = line.or(text.filter(|text| !times::is_of_writer(text)));
            continue;
        }
        // Answers, and words of others, have times of their own.
        let is_other = starts.contains(&node.id()) || outline.is_parent(node) || {
            outline.is_quote(node) && outline.blocks_of(node.id()).any(is_body)
        };
        if node != top && is_other {
            steps.skip_below();
            continue;
        }
        // A box of that class may stand around the exact time.
        if (told.is_none() || node.is(Name::TIME))
            && let Some(time) = time_of(outline, node)
        {
            told = Some(time);
            if node.is(Name::TIME) {
                break;
            }
        }
    }
    let told = told.or_else(|| line.map(|line| (times::read(line), Some(line.to_owned()))));
    (post.time, post.time_text) = told.unwrap_or_default();
}

/// The time that an element tells, and its words.
fn time_of(outline: &Outline<'_>, node: NodeRef<'_>) -> Option<(Option<String>, Option<String>)> {
    let class = outline.class(node);
    let hidden = hidden_time(node, class);
    let is_time = node.is(Name::TIME) || hidden.is_some() || class.has(Class::TIME);
    if !is_time || outline.page.measures(node).text.words > TIME_WORDS {
        return None;
    }
    let text = folded(&node.text_content());
    let told = node.attribute_named(Name::DATETIME).and_then(|told| times::read_beside(&told, &text));
    let time = told.or(hidden).or_else(|| times::read(&text));
    // "3 hours ago" is a time as well, which only the time of the fetch makes one.
    let is_told = (time.is_some() || times::tells(&text)) && !times::is_of_writer(&text);
    is_told.then(|| (time, Some(text).filter(|text| !text.is_empty())))
}

/// Answers stand in the element of the comment they answer; or in a box around it, where its element is only what it says.
fn by_nesting(page: &Page<'_>, elements: &[NodeId]) -> Vec<Option<usize>> {
    for up in 0..=BOX_ANCESTORS {
        let around = |id: &NodeId| match up.checked_sub(1) {
            Some(up) => page.node(*id).ancestors().nth(up),
            None => Some(page.node(*id)),
        };
        let boxes: Vec<NodeRef<'_>> = elements.iter().filter_map(around).collect();
        let places: NumberMap<NodeId, usize> =
            boxes.iter().enumerate().map(|(place, around)| (around.id(), place)).collect();
        // A box of several comments is none of a single one.
        if places.len() < elements.len() {
            break;
        }
        let build = |node: NodeRef<'_>| {
            (node.name_id(), node.attribute_named(Name::CLASS).as_deref().and_then(first_word))
        };
        let answered: Vec<Option<usize>> = boxes
            .iter()
            .map(|around| {
                let mut above = around.ancestors().take(MAX_ANCESTORS);
                let (node, place) = above.find_map(|node| Some((node, *places.get(&node.id())?)))?;
                (up == 0 || build(node) == build(*around)).then_some(place)
            })
            .collect();
        if answered.iter().any(Option::is_some) {
            return answered;
        }
    }
    vec![None; elements.len()]
}

fn first_word(class: &str) -> Option<String> {
    class.split_ascii_whitespace().next().map(str::to_owned)
}

/// Who names the one he answers answers the comment of that name, if there is only one.
fn by_name(posts: &[Post], answered: &mut [Option<usize>]) {
    let mut named: TextMap<&str, (usize, usize)> = TextMap::default();
    for (place, author) in
        posts.iter().enumerate().filter_map(|(at, post)| Some((at, post.author.as_deref()?)))
    {
        named.entry(author).or_insert((place, 0)).1 += 1;
    }
    for (place, (post, answered)) in posts.iter().zip(answered).enumerate() {
        let other = post.reply_to.as_deref().and_then(|name| named.get(name));
        let other = other.filter(|(other, comments)| *comments == 1 && *other != place);
        *answered = answered.or(other.map(|(other, _)| *other));
    }
}
