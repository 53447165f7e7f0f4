//! A stretch of another page, in another language, to be put beside the main text: a notice, a teaser, a banner.

use super::super::lessons::Lesson;
use super::{language, made_up, paragraphs};
use crate::report::escape::{escaped, shortened};
use crate::sample::Chance;
use crate::set::Set;

/// So many pages are asked for their language before it is given up.
const TRIES: usize = 12;
/// So many paragraphs at most ...
const MOST_PARAGRAPHS: usize = 3;
/// ... of so many characters.
const MOST_CHARACTERS: usize = 400;

/// Markup with paragraphs of one of the `others`, if one in another language is found. They must be of the lesson's own
/// part: what is noise here is the main text of a page that may be held out.
pub(super) fn noise(
    lessons: &[Lesson],
    others: &[usize],
    place: usize,
    sets: &[Set],
    chance: &mut Chance,
) -> Option<String> {
    let own = language(sets, &lessons[place])?;
    let is_foreign = |other: &usize| language(sets, &lessons[*other]).is_some_and(|other| other != own);
    let drawn: Vec<usize> =
        (0..TRIES.min(others.len())).map(|_| others[chance.below(others.len())]).collect();
    let other = drawn.into_iter().find(is_foreign)?;
    let texts = paragraphs(sets, &lessons[other]);
    let from = chance.below(texts.len().max(1));
    let count = 1 + chance.below(MOST_PARAGRAPHS);
    let texts = texts.iter().skip(from).take(count);
    let body: String =
        texts.map(|text| format!("<p>{}</p>", escaped(&shortened(text, MOST_CHARACTERS)))).collect();
    let name = made_up(chance.bits());
    Some(match chance.below(3) {
        0 => format!("<div>{body}</div>"),
        1 => format!("<div class=\"{name}\">{body}</div>"),
        _ => format!("<aside class=\"{name}\">{body}</aside>"),
    })
}
