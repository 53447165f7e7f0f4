//! The second look: what the first one said of a block's neighbours, of the elements around it, and of the blocks with
//! the same path; and what kind of page it seems to be.

use super::features::Features;
use super::page_type::{LEARNED, PageType, Types};
use crate::page::Page;

/// How many numbers the second pass adds to a row.
///
/// ```
/// assert_eq!(tamis::fused::second_pass::MORE, 26);
/// ```
pub const MORE: usize = 20 + LEARNED;

/// Their names.
///
/// ```
/// use tamis::fused::second_pass::{MORE, NAMES};
///
/// assert_eq!((NAMES.len(), NAMES[0]), (MORE, "first"));
/// ```
pub const NAMES: [&str; MORE] = [
    "first",
    "first back1",
    "first back2",
    "first next1",
    "first next2",
    "first near",
    "first wide",
    "first class path",
    "first tag path",
    "first around0",
    "first around1",
    "first around2",
    "first around3",
    "first around4",
    "first page",
    "first highest",
    "first before",
    "first behind",
    "first run",
    "first rank",
    "seems article",
    "seems forum",
    "seems documentation",
    "seems product",
    "seems listing",
    "seems other",
];

/// Is a block looked at again? What the first look is sure of stays as it is: more than half of all blocks.
///
/// ```
/// use tamis::fused::second_pass::is_looked_at;
///
/// assert!(is_looked_at(0.4) && !is_looked_at(0.01) && !is_looked_at(0.99));
/// ```
pub fn is_looked_at(first: f32) -> bool {
    (0.03..=0.97).contains(&first)
}

/// What is said in the end, where the second look said `second` of a block: the mean of both looks. Each errs in its own way,
/// and which of them does better changes from training to training.
///
/// ```
/// assert_eq!(tamis::fused::second_pass::settled(0.25, 0.75), 0.5);
/// ```
pub fn settled(first: f32, second: f32) -> f32 {
    (first + second) / 2.0
}

/// The rows of the second pass, those of the first with what it said, on a page that seems to be of these kinds, for the
/// blocks of which the first said what is `wanted`.
///
/// ```
/// use tamis::{Page, Site, fused::{Types, features::{Features, Words}, second_pass}};
///
/// let page = Page::parse("<p>One block.<p>And another one.<p>And a third one.");
/// let features = Features::of(&page, &Site::default(), &Words::default());
/// let rows = second_pass::rows(&page, &features, &[0.9, 0.8, 0.99], &Types::default(), second_pass::is_looked_at);
/// assert_eq!(rows.len(), 2 * (features.width + second_pass::MORE));
/// ```
pub fn rows(
    page: &Page<'_>,
    features: &Features,
    first: &[f32],
    types: &Types,
    wanted: impl Fn(f32) -> bool,
) -> Vec<f32> {
    let blocks = page.blocks();
    let weight = |at: usize| blocks[at].measures.text.words.max(1) as f32;
    let mean = |sums: (f32, f32)| if sums.1 > 0.0 { sums.0 / sums.1 } else { -1.0 };
    // Paths and elements have numbers: there are no more paths than blocks.
    let none = (0.0, 0.0);
    let (mut by_class, mut by_tag) = (vec![none; blocks.len()], vec![none; blocks.len()]);
    let mut by_element = vec![none; features.elements().list.len()];
    let mut all = (0.0, 0.0);
    for (at, places) in features.places.iter().enumerate() {
        let weight = weight(at);
        let add = |sums: &mut (f32, f32)| {
            sums.0 += first[at] * weight;
            sums.1 += weight;
        };
        let [class, tag] = places.numbers;
        add(&mut by_class[class as usize]);
        add(&mut by_tag[tag as usize]);
        for around in places.around {
            by_element.get_mut(around as usize).into_iter().for_each(add);
        }
        add(&mut all);
    }
    let highest = first.iter().copied().fold(0.0, f32::max);
    let mut ranked: Vec<f32> = first.to_vec();
    ranked.sort_unstable_by(f32::total_cmp);
    let count = first.iter().filter(|first| wanted(**first)).count();
    let mut rows = Vec::with_capacity(count * (features.width + MORE));
    let (mut before, mut run) = (0.0, 0.0f32);
    let near = |at: usize, reach: usize| {
        let from = at.saturating_sub(reach);
        let upto = (at + reach + 1).min(first.len());
        let sums =
            (from..upto).fold((0.0, 0.0), |sums, at| (sums.0 + first[at] * weight(at), sums.1 + weight(at)));
        mean(sums)
    };
    for (at, places) in features.places.iter().enumerate() {
        if page.is_late_at(at) {
            break;
        }
        let mass = first[at] * weight(at);
        before += mass;
        run = if first[at] > 0.5 { run.max(0.0) + 1.0 } else { run.min(0.0) - 1.0 };
        if !wanted(first[at]) {
            continue;
        }
        rows.extend_from_slice(features.row(at));
        let other = |number: isize| {
            at.checked_add_signed(number).and_then(|at| first.get(at)).copied().unwrap_or(-1.0)
        };
        rows.extend([first[at], other(-1), other(-2), other(1), other(2), near(at, 3), near(at, 8)]);
        let [class, tag] = places.numbers;
        rows.extend([mean(by_class[class as usize]), mean(by_tag[tag as usize])]);
        rows.extend(
            places.around.map(|around| by_element.get(around as usize).map_or(-1.0, |sums| mean(*sums))),
        );
        rows.extend([mean(all), highest]);
        rows.extend([(before - mass) / all.0.max(1e-6), (all.0 - before) / all.0.max(1e-6)]);
        rows.push(run.clamp(-20.0, 20.0));
        rows.push(ranked.partition_point(|other| *other < first[at]) as f32 / first.len() as f32);
        rows.extend(PageType::ALL[..LEARNED].iter().map(|kind| types.of(*kind)));
    }
    rows
}
