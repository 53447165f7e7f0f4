//! What the elements around a post tell: whom it answers, where it stands in the element of another post; and that it is no post, where it
//! stands in a dialog.

use tamis_html::{Name, NodeId, NodeRef};

use super::Post;
use super::words::has_word;
use crate::hashing::NumberMap;
use crate::page::Page;

/// How far up from a post the one that it answers is looked for, and a dialog around it.
const UP: usize = 32;
const DIALOG_UP: usize = 6;
/// How many elements stand between the element of a post and the box that holds its answers as well.
const BOX_UP: [usize; 2] = [0, 1];

/// Who quotes himself answers the others that he quotes, or nobody. Only now it is known who wrote a post.
pub(super) fn without_own(posts: &mut [Post]) {
    for post in posts.iter_mut().filter(|post| post.author.is_some() && post.reply_to == post.author) {
        let mut quoted = post.quotes.iter().filter_map(|quote| quote.author.as_ref());
        post.reply_to = quoted.find(|name| post.author.as_ref() != Some(*name)).cloned();
    }
}

/// Says whom posts answer that stand in the elements of others, where nothing else says so.
pub(super) fn answers(page: &Page<'_>, posts: &mut [Post]) {
    let by_element: NumberMap<NodeId, usize> =
        posts.iter().enumerate().map(|(place, post)| (post.element, place)).collect();
    for place in 0..posts.len() {
        if posts[place].reply_to.is_some() {
            continue;
        }
        let mut above = page.node(posts[place].element).ancestors().take(UP);
        let answered = above.find_map(|node| by_element.get(&node.id()));
        posts[place].reply_to = answered.and_then(|answered| posts[*answered].author.clone());
    }
    if posts.iter().all(|post| post.reply_to.is_none()) {
        BOX_UP.into_iter().for_each(|up| answers_in_boxes(page, posts, up));
    }
}

/// The element of a post may be only the line that signs it, or the part without its answers. Then the box around it, so many steps up,
/// holds the post, and the boxes of what answers it. Boxes of one build, each of one post, are such.
fn answers_in_boxes(page: &Page<'_>, posts: &mut [Post], up: usize) {
    let boxes: Vec<NodeRef<'_>> =
        posts.iter().filter_map(|post| page.node(post.element).ancestors().nth(up)).collect();
    let by_box: NumberMap<NodeId, usize> =
        boxes.iter().enumerate().map(|(place, around)| (around.id(), place)).collect();
    let build = |node: NodeRef<'_>| {
        (node.name_id(), node.attribute_named(Name::CLASS).map(|class| class.into_owned()))
    };
    if by_box.len() < posts.len() || boxes.len() < posts.len() {
        return;
    }
    for place in 0..posts.len() {
        let mut above = boxes[place].ancestors().take(UP);
        let answered = above.find_map(|node| by_box.get(&node.id()).map(|answered| (*answered, node)));
        let Some((answered, _)) = answered.filter(|(_, node)| build(*node) == build(boxes[place])) else {
            continue;
        };
        if posts[place].reply_to.is_none() {
            posts[place].reply_to = posts[answered].author.clone();
        }
    }
}

/// Is it a dialog in which one signs in? Nothing of it has a time.
pub(super) fn is_dialog(page: &Page<'_>, post: &Post) -> bool {
    const CLASSES: [&str; 7] = ["dialog", "login", "modal", "popup", "signflow", "signin", "signup"];
    let is_dialog = |node: NodeRef<'_>| {
        node.is(Name::DIALOG)
            || node.attribute("role").is_some_and(|role| *role == *"dialog")
            || node.attribute_named(Name::CLASS).is_some_and(|class| has_word(&class, &CLASSES))
    };
    let element = page.node(post.element);
    let around = || std::iter::once(element).chain(element.ancestors().take(DIALOG_UP));
    post.time.is_none()
        && post.time_text.is_none()
        && element.descendants().any(|node| node.is(Name::INPUT) || node.is(Name::BUTTON))
        && around().any(is_dialog)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(page: &Page<'_>, class: &str, author: &str) -> Post {
        let is = |node: &NodeRef<'_>| node.attribute_named(Name::CLASS).is_some_and(|it| *it == *class);
        let element = page.dom().descendants().find(is).expect("the class is there");
        let mut post = Post::new(element.id(), 0..0);
        post.author = Some(author.to_owned());
        post
    }

    #[test]
    fn answers_that_stand_in_what_they_answer_answered_nobody() {
        let page = Page::parse(
            "<div class=a><p>One</p><ul><li class=b>Two<div class=c>Three</div></ul></div><div class=d>Four</div>",
        );
        let mut posts = [
            post(&page, "a", "Ada"),
            post(&page, "b", "Ben"),
            post(&page, "c", "Cora"),
            post(&page, "d", "Dan"),
        ];
        answers(&page, &mut posts);
        let answered: Vec<_> = posts.iter().map(|post| post.reply_to.as_deref()).collect();
        assert_eq!(answered, [None, Some("Ada"), Some("Ben"), None]);
    }

    #[test]
    fn a_dialog_to_sign_in_was_a_post() {
        let page = Page::parse(
            "<div class=modal><div class=a>Sign in <input> <button>Go</button></div></div><div class=b>Text</div>",
        );
        assert!(is_dialog(&page, &post(&page, "a", "Ada")) && !is_dialog(&page, &post(&page, "b", "Ben")));
        let timed = Post { time: Some("2026-03-01".to_owned()), ..post(&page, "a", "Ada") };
        assert!(!is_dialog(&page, &timed));
    }
}
