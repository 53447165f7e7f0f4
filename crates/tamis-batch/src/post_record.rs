//! A post of a thread in the field `posts`.

use serde::Serialize;
use tamis::document::{Post, Quoted};

/// A post with all its keys, for columns of tables; the engine's own form omits empty ones.
#[derive(Serialize)]
pub(crate) struct PostRecord<'d> {
    author: &'d Option<String>,
    time: &'d Option<String>,
    time_text: &'d Option<String>,
    number: Option<u32>,
    reply_to: &'d Option<String>,
    text: &'d str,
    own_text: &'d Option<String>,
    quotes: &'d [Quoted],
    blocks: &'d [u32],
    path: &'d str,
    span: [u32; 2],
}

impl<'d> From<&'d Post> for PostRecord<'d> {
    fn from(post: &'d Post) -> PostRecord<'d> {
        let Post { author, time, time_text, number, reply_to, text, own_text, quotes, blocks, path, span } =
            post;
        let (number, span) = (*number, [span.start, span.end]);
        PostRecord { author, time, time_text, number, reply_to, text, own_text, quotes, blocks, path, span }
    }
}

pub(crate) fn posts(posts: &[Post]) -> Vec<PostRecord<'_>> {
    posts.iter().map(PostRecord::from).collect()
}
