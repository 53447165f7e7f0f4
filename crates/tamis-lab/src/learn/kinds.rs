//! Learning to tell kinds of pages apart: a forest for each kind, against all others.

use tamis::fused::trees::Forest;
use tamis::fused::{LEARNED, PageType, Types};

use super::bins::Bins;
use super::boost::{self, Grown, Lessons};
use super::lessons::Lesson;

/// The kind that is learned for one that is told by rule: questions and answers are threads, several bodies are articles, and
/// pictures are none of the others.
pub(crate) fn as_learned(kind: PageType) -> PageType {
    match kind {
        PageType::QuestionAndAnswers => PageType::Forum,
        PageType::MultiBody => PageType::Article,
        PageType::Pictures => PageType::Other,
        learned => learned,
    }
}

/// What was learned, and what was said of pages whose part had not been seen.
pub(crate) struct Kinds {
    pub(crate) forests: Vec<Forest>,
    /// The gains of each feature over all forests.
    pub(crate) gains: Vec<f64>,
    pub(crate) said: Vec<Types>,
}

impl Kinds {
    pub(crate) fn learn(
        lessons: &[Lesson],
        rows: &[Vec<f32>],
        folds: usize,
        settings: &boost::Settings,
        threads: usize,
    ) -> Kinds {
        let width = rows.first().map_or(0, Vec::len);
        let bins = Bins::of(&rows.concat(), width, threads);
        let mut pages: std::collections::HashMap<&str, f32> = std::collections::HashMap::new();
        lessons.iter().for_each(|lesson| *pages.entry(&lesson.site).or_default() += 1.0);
        let weights: Vec<f32> =
            lessons.iter().map(|lesson| lesson.weight / pages[lesson.site.as_str()].sqrt()).collect();
        let learn = |without: usize| -> Vec<Grown> {
            let taught = |row: &u32| {
                let lesson = &lessons[*row as usize];
                lesson.is_learned && lesson.kind.is_some() && lesson.fold != without
            };
            let chosen: Vec<u32> = (0..lessons.len() as u32).filter(taught).collect();
            (0..LEARNED)
                .map(|kind| {
                    let is = |lesson: &Lesson| f32::from(u8::from(lesson.kind == Some(kind)));
                    let targets: Vec<f32> = lessons.iter().map(is).collect();
                    let lessons =
                        Lessons { bins: &bins, targets: &targets, weights: &weights, rows: &chosen };
                    boost::train(&lessons, settings, threads)
                })
                .collect()
        };
        let mut said = vec![Types::default(); lessons.len()];
        for fold in 0..folds {
            let forests: Vec<Forest> = learn(fold).into_iter().map(|grown| grown.forest).collect();
            for ((lesson, row), said) in lessons.iter().zip(rows).zip(&mut said) {
                if lesson.fold == fold {
                    *said = Types::learned(&forests, row);
                }
            }
        }
        let mut gains = vec![0.0; width];
        let forests = learn(usize::MAX).into_iter().map(|grown| {
            gains.iter_mut().zip(&grown.gains).for_each(|(sum, gain)| *sum += gain);
            grown.forest
        });
        Kinds { forests: forests.collect(), gains, said }
    }
}
