//! Changed copies of a share of the pages.

use super::super::lessons::{Lesson, Made};
use super::names::Names;
use super::order::{Level, levels};
use super::rewrite::{Changes, rewritten};
use super::{by_fold, chance, noise};
use crate::parallel;
use crate::sample::Chance;
use crate::set::Set;

/// One page in so many is copied.
const ONE_IN: usize = 6;
/// One block element in so many gets a wrapper.
const WRAPPED_ONE_IN: usize = 8;

/// The copies of the pages that are drawn.
pub(super) fn copies(lessons: &[Lesson], sets: &[Set], seed: u64, threads: usize) -> Vec<Lesson> {
    let parts = by_fold(lessons, lessons.iter().map(|lesson| lesson.fold + 1).max().unwrap_or(0));
    let places: Vec<usize> = (0..lessons.len()).collect();
    let made = parallel::map(&places, threads, |_, place| {
        let lesson = &lessons[*place];
        let truth = &sets[lesson.set].truths[lesson.page];
        let mut chance = chance(seed, &format!("copy/{}/{}", sets[lesson.set].name, truth.id));
        if chance.below(ONE_IN) > 0 {
            return None;
        }
        let html = changed(lessons, *place, &parts[lesson.fold], sets, &mut chance);
        lesson.made(Made::Copy(*place), html, truth.text.as_deref()?)
    });
    made.into_iter().flatten().collect()
}

/// The page with what chance wants to be changed; each change is drawn by itself.
fn changed(lessons: &[Lesson], place: usize, others: &[usize], sets: &[Set], chance: &mut Chance) -> String {
    let lesson = &lessons[place];
    let page = lesson.page();
    let names = match chance.below(10) {
        0..3 => Names::Drop,
        3..7 => Names::Rename(chance.bits()),
        _ => Names::Keep,
    };
    let wrappers = if chance.below(2) == 0 { WRAPPED_ONE_IN } else { 0 };
    let levels = levels(&page, lesson);
    let mut drawn = |share: usize| {
        let is_drawn = chance.below(10) < share && !levels.is_empty();
        is_drawn.then(|| &levels[chance.below(levels.len())])
    };
    let (swap, beside) = (drawn(5), drawn(4));
    let swap = swap.map(|level| (level.main, level.beside[chance.below(level.beside.len())]));
    let noise = beside.and_then(|level| {
        let markup = noise::noise(lessons, others, place, sets, chance)?;
        Some((room(&page, level, chance)?, markup))
    });
    rewritten(page.dom(), &Changes { names, wrappers, swap, noise }, chance)
}

/// A section before which something can stand: not a cell of a table.
fn room(page: &tamis::Page<'_>, level: &Level, chance: &mut Chance) -> Option<tamis_html::NodeId> {
    let choice = chance.below(level.beside.len() + 1);
    let before = *level.beside.get(choice).unwrap_or(&level.main);
    page.dom().node(before).filter(|node| node.name() != Some("td")).map(|node| node.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The main text in a column beside a menu.
    fn lesson() -> Lesson {
        let html = "<div class=page><div class=side>Home News Weather Sport</div><div class=text><p>The ferry runs again, \
                    says the company.<p>Twice a day, if the ice allows it.</div></div><div>Imprint and more</div>";
        let truth = "The ferry runs again, says the company.\nTwice a day, if the ice allows it.";
        let empty = Lesson { site: "a.example".into(), ..Lesson::empty() };
        Lesson { made: None, ..empty.made(Made::Copy(0), html.into(), truth).unwrap() }
    }

    #[test]
    fn sections_beside_the_text_are_found_at_each_level() {
        let lesson = lesson();
        let page = lesson.page();
        let levels = levels(&page, &lesson);
        let class =
            |id| page.dom().node(id).unwrap().attribute_named(tamis_html::Name::CLASS).unwrap().into_owned();
        assert_eq!(levels.iter().map(|level| class(level.main)).collect::<Vec<_>>(), ["page", "text"]);
        assert_eq!(levels.iter().map(|level| level.beside.len()).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn a_copy_has_the_same_words_and_labels_on_the_same_text() {
        let lessons = [lesson()];
        let sorted = |lesson: &Lesson, main: bool| {
            let page = lesson.page();
            let blocks = page.blocks().iter().enumerate();
            let of = blocks.filter(|(at, _)| (lesson.cover[*at] >= 0.5) == main);
            let mut words: Vec<String> = of
                .flat_map(|(_, block)| {
                    page.text(block).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
                })
                .collect();
            words.sort();
            words
        };
        let set = Set::in_memory(vec![crate::set::Truth::default()]);
        let mut seen = std::collections::HashSet::new();
        for seed in 0..40 {
            let html = changed(&lessons, 0, &[0], std::slice::from_ref(&set), &mut Chance::of(seed));
            let truth = "The ferry runs again, says the company.\nTwice a day, if the ice allows it.";
            let copy = lessons[0].made(Made::Copy(0), html.clone(), truth).unwrap();
            for main in [true, false] {
                assert_eq!(sorted(&copy, main), sorted(&lessons[0], main), "{html}");
            }
            seen.insert(html);
        }
        assert!(seen.len() > 15, "copies differ: {}", seen.len());
    }
}
