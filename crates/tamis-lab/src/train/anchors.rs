//! Blocks of pages of many sites, as features: where a model is adapted, they stand for all other pages.
//!
//! `data/anchors.bin` holds a sample of blocks without any text: the names of the columns that forests use, and for each of
//! them up to 64 values and which of these each block has. Columns that an engine no longer has are ignored. After a new
//! model, `cargo run --release -p tamis-lab --example anchors -- SETS` writes it anew.

use tamis::classify::features::Columns;
use tamis::classify::{Model, page_type, second_pass};

use super::adapt::{Measured, measured};
use super::analysis::{probabilities, with_features};
use super::random::Random;
use crate::parallel;
use crate::set::Set;

const FILE: &[u8] = include_bytes!("../../data/anchors.bin");
/// Values of a column.
const LEVELS: usize = 64;
/// Blocks of a page: so many that the second pass decides on, and as many others.
const BLOCKS: usize = 2;

/// The columns of both passes of a page.
fn with_both_passes<R>(bytes: &[u8], model: &Model, work: impl FnOnce(&Columns, &[f32], usize) -> R) -> R {
    with_features(bytes, model, |context, columns| {
        let scores = probabilities(&model.first, columns);
        let first = columns.names.len();
        let mut page_columns = Columns::default();
        page_type::fill(context, &scores, &mut page_columns);
        let types = page_type::predict(&model.page_types, &page_columns);
        second_pass::add(context, &scores, &types, columns);
        work(columns, &scores, first)
    })
}

/// The file for a model: blocks of `pages` pages, evenly from all sets.
pub fn write_anchors(model: &Model, sets: &[Set], pages: usize, threads: usize) -> Vec<u8> {
    let all: Vec<_> = sets
        .iter()
        .filter(|set| set.has_pages)
        .flat_map(|set| set.truths.iter().map(move |truth| (set, truth)))
        .collect();
    let chosen: Vec<_> = all.iter().step_by(all.len().div_ceil(pages.max(1)).max(1)).collect();
    let mut used: Vec<u16> = [&model.first, &model.second, &model.comment, &model.supplemental]
        .into_iter()
        .flat_map(|forest| forest.used_features())
        .collect();
    used.sort_unstable();
    used.dedup();
    let rows = parallel::map(&chosen, threads, |index, (set, truth)| {
        let bytes = set.page(truth).unwrap_or_default();
        with_both_passes(&bytes, model, |columns, scores, _| {
            let random = Random::new(index as u64);
            let (uncertain, certain): (Vec<usize>, Vec<usize>) =
                (0..columns.rows).partition(|row| second_pass::is_uncertain(scores[*row]));
            let some =
                [random.branch(1).choose(&uncertain, BLOCKS), random.branch(2).choose(&certain, BLOCKS)];
            let row = |row: usize| used.iter().map(|it| columns.column(usize::from(*it))[row]).collect();
            some.concat().into_iter().map(row).collect::<Vec<Vec<f32>>>()
        })
    });
    let rows = rows.concat();
    let names = with_both_passes(b"<p>a</p>", model, |columns, _, _| columns.names.clone());
    let mut file = Vec::new();
    let names: Vec<&str> = used.iter().map(|column| names[usize::from(*column)]).collect();
    file.extend(format!("{} {}\n{}\n", names.len(), rows.len(), names.join("\n")).bytes());
    for column in 0..names.len() {
        let mut values: Vec<f32> = rows.iter().map(|row| row[column]).collect();
        values.sort_unstable_by(f32::total_cmp);
        let mut levels: Vec<f32> =
            (0..LEVELS).map(|at| values[at * (values.len() - 1) / (LEVELS - 1)]).collect();
        levels.dedup();
        file.push(levels.len() as u8);
        levels.iter().for_each(|level| file.extend(level.to_le_bytes()));
        let nearest = |value: f32| {
            let above = levels.partition_point(|level| *level < value).min(levels.len() - 1);
            let below = above.saturating_sub(1);
            if (value - levels[below]).abs() < (levels[above] - value).abs() { below } else { above }
        };
        file.extend(rows.iter().map(|row| nearest(row[column]) as u8));
    }
    file
}

/// The blocks as the first and the second pass of a model see them; none if the file is not as it should be.
pub(super) fn anchors(model: &Model) -> Option<[Measured; 2]> {
    let line = |rest: &mut &'static [u8]| -> Option<&'static str> {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let line = std::str::from_utf8(&rest[..end]).ok()?;
        *rest = &rest[end + 1..];
        Some(line)
    };
    let mut rest = FILE;
    let (width, rows) = line(&mut rest)?.split_once(' ')?;
    let (width, rows): (usize, usize) = (width.parse().ok()?, rows.parse().ok()?);
    let names: Vec<&str> = (0..width).map(|_| line(&mut rest)).collect::<Option<_>>()?;
    let mut values = Vec::with_capacity(width);
    for _ in 0..width {
        let (levels, after) = rest.split_at_checked(1 + 4 * usize::from(*rest.first()?))?;
        let (places, after) = after.split_at_checked(rows)?;
        rest = after;
        let level = |place: &u8| {
            let bytes = levels.get(1 + 4 * usize::from(*place)..5 + 4 * usize::from(*place))?;
            Some(f32::from_le_bytes(bytes.try_into().ok()?))
        };
        values.push(places.iter().map(level).collect::<Option<Vec<f32>>>()?);
    }
    let (all, first) =
        with_both_passes(b"<p>a</p>", model, |columns, _, first| (columns.names.clone(), first));
    let columns = |count: usize| {
        let mut columns = Columns::default();
        columns.clear(rows);
        for name in &all[..count] {
            let known = names.iter().position(|known| known == name).map(|place| &values[place]);
            columns.add(name, |row| known.map_or(0.0, |values| values[row]));
        }
        columns
    };
    let (of_first, of_second) = (columns(first), columns(all.len()));
    let scores = probabilities(&model.first, &of_first);
    Some([
        measured(&of_first, &[&model.first, &model.comment, &model.supplemental], |_| true),
        measured(&of_second, &[&model.second], |row| second_pass::is_uncertain(scores[row])),
    ])
}
