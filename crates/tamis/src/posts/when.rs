//! When each post was written, told by all posts together.
//!
//! Beside a post several lines may tell a time: when the writer joined, when somebody edited, moved or praised it, when it was written.
//! Posts of one thread are built alike, so the line that most of them have at one place is the one.

use super::Post;
use super::outline::{Outline, mix};
use super::times;
use crate::block::Block;
use crate::hashing::NumberMap;

/// How many blocks at each end of a post are looked at.
const MOST: usize = 400;
/// The share of the posts that must have a line of one build.
const COVERAGE: f32 = 0.6;

/// A line of a post that tells a time.
struct Line {
    post: usize,
    time: String,
    text: String,
}

/// Times that are those of the writers (when they joined, when they were last seen) go by days and in no order; where
/// another line of the same build tells the minute, and posts follow each other by it, that is when they were written.
pub(super) fn settle(outline: &Outline<'_>, posts: &mut [Post]) {
    // Better no time than one of the writer's.
    for post in posts.iter_mut() {
        let says = |text: &String| times::is_of_writer(text);
        if post.time_text.as_ref().is_some_and(says) {
            (post.time, post.time_text) = (None, None);
        }
    }
    settle_odd(outline, posts);
    let told: Vec<&str> = posts.iter().filter_map(|post| post.time.as_deref()).collect();
    let is_sound =
        told.len() == posts.len() && told.iter().all(|time| time.contains('T')) && is_in_order(&told);
    if posts.len() < 2 || is_sound {
        return;
    }
    let mut lines: NumberMap<u64, Vec<Line>> = NumberMap::default();
    for (place, post) in posts.iter().enumerate() {
        for block in post.blocks.clone().take(MOST).filter(|block| outline.tells_time(*block)) {
            let Some(block) = outline.page.blocks().get(block) else { continue };
            let text = outline.page.text(block);
            let Some(time) = times::read(text).filter(|time| time.contains('T')) else { continue };
            // Lines of one build that begin with other words tell other things.
            let label = text.chars().take_while(|c| !c.is_numeric()).filter(|c| c.is_alphabetic()).take(20);
            let label = label.fold(0, |hash, letter| mix(hash, u64::from(letter)));
            let key = mix(outline.shape[block.element.index()], label);
            let own = lines.entry(key).or_default();
            if own.last().is_none_or(|last| last.post != place) && !times::is_of_writer(text) {
                own.push(Line { post: place, time, text: text.to_owned() });
            }
        }
    }
    let rows = lines.into_values().filter(|row| {
        row.len() >= 2
            && row.len() as f32 >= COVERAGE * posts.len() as f32
            && is_in_order(&row.iter().map(|line| line.time.as_str()).collect::<Vec<_>>())
    });
    let best =
        rows.max_by(|one, other| one.len().cmp(&other.len()).then_with(|| other[0].text.cmp(&one[0].text)));
    // What the others have instead is that of their writers.
    if let Some(row) = best {
        for line in row {
            (posts[line.post].time, posts[line.post].time_text) = (Some(line.time), Some(line.text));
        }
    }
}

/// Where most posts have their time in a line of one build, a post that has it from another line and that one too was written when that
/// one says: the other tells when it was moved, praised or edited.
fn settle_odd(outline: &Outline<'_>, posts: &mut [Post]) {
    let lines = |post: &Post| {
        // Above what is said, or below it.
        let (start, end) = (post.blocks.start, post.blocks.end);
        let above = start..end.min(start + MOST);
        let below = above.end.max(end.saturating_sub(MOST))..end;
        let places = above.chain(below).filter(|place| outline.tells_time(*place));
        places.filter_map(|place| outline.page.blocks().get(place)).collect::<Vec<&Block>>()
    };
    let shape = |block: &Block| outline.shape[block.element.index()];
    let mut shapes: NumberMap<u64, usize> = NumberMap::default();
    let own: Vec<Option<u64>> = posts
        .iter()
        .map(|post| {
            let text = post.time_text.as_deref()?;
            let line = lines(post).into_iter().find(|line| outline.page.text(line) == text)?;
            *shapes.entry(shape(line)).or_default() += 1;
            Some(shape(line))
        })
        .collect();
    let Some((usual, _)) = shapes.into_iter().find(|(_, times)| 2 * times > posts.len()) else { return };
    for (post, own) in posts.iter_mut().zip(own) {
        // Data are believed.
        let is_read = post.time_text.as_deref().is_some_and(|text| times::read(text) == post.time);
        if !is_read || own.is_none_or(|own| own == usual) {
            continue;
        }
        let told = lines(post).into_iter().filter(|line| shape(line) == usual).find_map(|line| {
            let text = outline.page.text(line);
            let time = times::read(text).filter(|_| !times::is_of_writer(text))?;
            Some((time, text.to_owned()))
        });
        if let Some((time, text)) = told {
            (post.time, post.time_text) = (Some(time), Some(text));
        }
    }
}

/// Do times only grow, or only fall?
fn is_in_order(times: &[&str]) -> bool {
    times.windows(2).all(|pair| pair[0] <= pair[1]) || times.windows(2).all(|pair| pair[0] >= pair[1])
}
