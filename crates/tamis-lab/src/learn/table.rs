//! All blocks of all lessons as one table, and what is said of each row by trees that have not seen its site.

use super::bins::Bins;
use super::boost::{self, Grown, Lessons};
use super::lessons::Lesson;
use crate::parallel;

/// All blocks of all lessons, one behind the other.
pub(super) struct Table {
    starts: Vec<usize>,
    folds: Vec<usize>,
    fold_count: usize,
    targets: Vec<f32>,
    weights: Vec<f32>,
    hidden: Vec<bool>,
}

impl Table {
    pub(super) fn new(lessons: &[Lesson], fold_count: usize) -> Table {
        let mut pages: std::collections::HashMap<&str, f32> = std::collections::HashMap::new();
        lessons.iter().for_each(|lesson| *pages.entry(&lesson.site).or_default() += 1.0);
        let mut table = Table {
            starts: vec![0],
            folds: vec![],
            fold_count,
            targets: vec![],
            weights: vec![],
            hidden: vec![],
        };
        for lesson in lessons {
            let weight = |words: &Vec<u32>| (words.len() as f32).min(100.0).sqrt();
            let sum: f32 = lesson.words.iter().map(weight).sum();
            // A site of a hundred pages has ten times the voice of a page, and a long page more than a short one.
            let voice = lesson.weight * 10.0 * (lesson.words.len() as f32).min(200.0).sqrt()
                / pages[lesson.site.as_str()].sqrt();
            for (block, words) in lesson.words.iter().enumerate() {
                let weight = if lesson.teaches(block) { voice * weight(words) / sum.max(1.0) } else { 0.0 };
                table.targets.push(f32::from(u8::from(lesson.cover[block] >= 0.5)));
                table.weights.push(weight);
                table.folds.push(lesson.fold);
                table.hidden.push(lesson.hidden[block]);
            }
            table.starts.push(table.targets.len());
        }
        table
    }

    pub(super) fn rows_of(&self, lesson: usize) -> std::ops::Range<usize> {
        self.starts[lesson]..self.starts[lesson + 1]
    }

    /// What was said of each row by a forest that had not seen its part, and, if it is wanted, a forest that has seen all.
    pub(super) fn learn(
        &self,
        values: &[f32],
        settings: &boost::Settings,
        threads: usize,
        wants_all: bool,
        progress: &dyn Fn(usize),
    ) -> (Vec<f32>, Option<Grown>) {
        let rows = self.targets.len();
        let width = values.len() / rows.max(1);
        let bins = Bins::of(values, width, threads);
        let learn = |without: usize| {
            let taught =
                |row: &u32| self.folds[*row as usize] != without && self.weights[*row as usize] > 0.0;
            let chosen: Vec<u32> = (0..rows as u32).filter(taught).collect();
            let lessons =
                Lessons { bins: &bins, targets: &self.targets, weights: &self.weights, rows: &chosen };
            boost::train(&lessons, settings, threads)
        };
        let mut said = vec![0.0; rows];
        for fold in 0..self.fold_count {
            progress(fold);
            let forest = learn(fold).forest;
            let held_out: Vec<usize> =
                (0..rows).filter(|row| self.folds[*row] == fold && !self.hidden[*row]).collect();
            let parts: Vec<&[usize]> = held_out.chunks(1 << 12).collect();
            let answers = parallel::map(&parts, threads, |_, rows| {
                rows.iter()
                    .map(|row| forest.probability(&values[row * width..][..width]))
                    .collect::<Vec<f32>>()
            });
            for (row, answer) in held_out.iter().zip(answers.concat()) {
                said[*row] = answer;
            }
        }
        (said, wants_all.then(|| learn(usize::MAX)))
    }
}
