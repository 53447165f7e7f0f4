//! Whether a block stands in what readers wrote: comments below a text, posts of a thread.

use super::super::numbers::ln_1p as ln;
use super::{Names, Row, bit};
use crate::comments::Part;
use crate::page::Page;

/// For each block where in a post it stands.
pub(super) struct Replies {
    places: Vec<f32>,
    /// The logarithm of their number.
    posts: f32,
}

const NO_POST: f32 = 0.0;
const AROUND: f32 = 1.0;
const QUOTE: f32 = 2.0;
const BODY: f32 = 3.0;

impl Replies {
    pub(super) fn of(page: &Page<'_>) -> Replies {
        let mut places = vec![NO_POST; page.blocks().len()];
        for post in page.posts() {
            let mut put = |blocks: &mut dyn Iterator<Item = usize>, what: f32| {
                blocks.for_each(|block| {
                    if let Some(place) = places.get_mut(block) {
                        *place = what;
                    }
                });
            };
            put(&mut post.blocks.clone(), AROUND);
            put(&mut post.body.iter().copied(), BODY);
            put(&mut post.quotes.iter().flat_map(|quote| &quote.blocks).copied(), QUOTE);
        }
        Replies { places, posts: ln(page.posts().len() as f32) }
    }
}

impl<N: Names> Row<N> {
    pub(super) fn replies(&mut self, replies: &Replies, at: usize, page: &Page<'_>) {
        let part = match page.comments().part(at) {
            None => 0.0,
            Some(Part::Around) => 1.0,
            Some(Part::Body) => 2.0,
        };
        self.add("comment", part);
        let sections = page.comments().sections();
        self.add("behind comments", bit(sections.first().is_some_and(|section| section.blocks.end <= at)));
        self.add("post", replies.places[at]);
        self.add("posts", replies.posts);
    }
}
