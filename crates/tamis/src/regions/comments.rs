//! Reader comments below an article.

use crate::annotate::cells::mark;
use crate::page::{Page, Region};
use crate::text::lexicon::{CLASS_COMMENT, concepts};

use super::CommentRegion;
use super::items::{Item, Sums, Tables, best_items, lone_item};
use super::thread;
use super::weights::POST_ROLES;

/// From this probability on, a block is a comment.
pub(super) const MIN_PROBABILITY: f32 = 0.5;
/// Substitutes for the probability inside and outside of elements whose class says "comments".
const DECLARED_PROBABILITY: f32 = 0.9;
const UNDECLARED_PROBABILITY: f32 = 0.05;
/// Regions without comments.
const FOREIGN: u32 = Region::Form.bit()
    | Region::Nav.bit()
    | Region::Footer.bit()
    | Region::Control.bit()
    | Region::Heading.bit();
/// Class concepts of places for teasers.
const TEASER_CONCEPTS: u32 = concepts(&["sidebar", "related"]);
/// Items with a smaller share of comment text are something else.
const MIN_COMMENT_SHARE: f32 = 0.3;

/// Per block, the probability of a comment: the classifier's, or by class names where it has none.
pub(super) fn probabilities(page: &Page<'_>, kept: &[bool], classified: &[f32]) -> Vec<f32> {
    if is_classified(classified) {
        return classified.to_vec();
    }
    let (elements, blocks) = (&page.elements, &page.blocks);
    let mut kept_words = vec![0];
    for (block, kept) in kept.iter().enumerate() {
        kept_words.push(kept_words[block] + if *kept { blocks.counts[block].words } else { 0 });
    }
    let total = kept_words[kept.len()];
    let mut is_comments = vec![false; elements.len()];
    let mut is_teaser = vec![false; elements.len()];
    for row in 0..elements.len() {
        let parent = elements.parent[row] as usize;
        let inherited = is_comments.get(parent).copied().unwrap_or(false);
        let concepts =
            elements.class[row].iter().fold(0, |bits, id| bits | page.classes.entries[*id as usize].concepts);
        let (from, to) = elements.blocks(row as u32);
        let kept_here = kept_words[to] - kept_words[from];
        // A class of the page as a whole shows that there are comments, not where.
        is_teaser[row] = is_teaser.get(parent).copied().unwrap_or(false)
            || (concepts & TEASER_CONCEPTS != 0
                && concepts & CLASS_COMMENT == 0
                && !inherited
                && kept_here == 0);
        is_comments[row] =
            inherited || (!is_teaser[row] && concepts & CLASS_COMMENT != 0 && kept_here * 2 <= total);
    }
    let of_block = |row: &u32| match is_comments[*row as usize] {
        true => DECLARED_PROBABILITY,
        false => UNDECLARED_PROBABILITY,
    };
    blocks.element.iter().map(of_block).collect()
}

/// Whether a classifier gave these probabilities: a forest without trees says the same of every block.
fn is_classified(probabilities: &[f32]) -> bool {
    probabilities.windows(2).any(|pair| pair[0] != pair[1])
}

/// Reads the comments of a page. `tables.probabilities` are those of comments.
pub(super) fn comments(tables: Tables<'_>) -> Vec<CommentRegion> {
    let blocks = &tables.page.blocks;
    let kept = &tables.prediction.kept;
    let Some(first_kept) = kept.iter().position(|kept| *kept) else { return Vec::new() };
    // Some pages are one large form.
    let foreign = FOREIGN & !tables.page.elements.regions[blocks.element[first_kept] as usize];
    // Comments follow the text, unless they are all that is kept.
    let start = first_kept + usize::from(tables.probabilities[first_kept] < MIN_PROBABILITY);
    let is_comment = |block: usize| {
        let regions = tables.page.elements.regions[blocks.element[block] as usize];
        block >= start && tables.probabilities[block] >= MIN_PROBABILITY && regions & foreign == 0
    };
    let sums = Sums::new(tables, is_comment);
    if sums.total() == 0 {
        return Vec::new();
    }
    let items = best_items(tables, &sums, &POST_ROLES, "comments");
    let mut items = items.or_else(|| Some(vec![lone_item(tables, &sums, blocks.len())?])).unwrap_or_default();
    let share = |item: &Item| {
        let words = blocks.sum(item.from, item.to).words;
        sums.wanted_in(item.from, item.to) as f32 / words.max(1) as f32
    };
    // Where most items are comments, so are the others.
    let comments = items.iter().filter(|item| share(item) >= MIN_COMMENT_SHARE).count();
    if comments * 3 < items.len() * 2 {
        items.retain(|item| share(item) >= MIN_COMMENT_SHARE);
    }
    let mut comments: Vec<CommentRegion> = Vec::with_capacity(items.len());
    for post in thread::read(tables, &items) {
        let (element, author, time, time_text) = (post.element, post.author, post.time, post.time_text);
        let (blocks, reply_to) = (post.blocks, post.reply_to);
        comments.push(CommentRegion { element, author, time, time_text, blocks, reply_to });
    }
    comments.retain(|comment| {
        let row = blocks.element[comment.blocks[0] as usize] as usize;
        let sum = comment.blocks.iter().fold((0, 0), |sum, block| {
            let (at, counts) = (*block as usize, &blocks.counts[*block as usize]);
            (sum.0 + blocks.link_characters[at], sum.1 + counts.characters)
        });
        tables.cells.row_marks[row] & mark::CONTROL == 0 && sum.0 * 2 <= sum.1
    });
    // Forms, teasers and tag clouds have the same classes, but no author or time.
    let signed =
        comments.iter().filter(|comment| comment.author.is_some() || comment.time_text.is_some()).count();
    if signed * 2 < comments.len() && !is_classified(&tables.prediction.comment_probabilities) {
        comments.clear();
    }
    let words = |of: &dyn Fn(usize) -> bool| -> u32 {
        (0..blocks.len()).filter(|block| of(*block)).map(|block| blocks.counts[block].words).sum()
    };
    let mut is_taken = vec![false; blocks.len()];
    for block in comments.iter().flat_map(|comment| &comment.blocks) {
        is_taken[*block as usize] = true;
    }
    // What takes most of the main text is no comment section, unless a text is left and all comments are signed.
    let (all, taken) = (words(&|block| kept[block]), words(&|block| kept[block] && is_taken[block]));
    let is_section = taken < all && signed > 1 && signed == comments.len();
    if taken * 2 > all && !is_section {
        comments.clear();
    }
    comments
}
