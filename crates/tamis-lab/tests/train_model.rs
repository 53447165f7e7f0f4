//! Training on a small set of our own: the same model every time, and errors where there is too little.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod tiny_set;

use tamis::classify::Model;
use tamis_lab::Set;
use tamis_lab::train::{BoostSettings, Settings, TrainError, figures, train};
use tiny_set::TinySet;

fn settings(threads: usize) -> Settings {
    let mut settings = Settings { folds: 3, threads, ..Settings::default() };
    for boost in [&mut settings.first, &mut settings.second, &mut settings.class, &mut settings.page_type] {
        *boost = BoostSettings { trees: 6, depth: 3, l2: 1.0, learning_rate: 0.3, ..*boost };
    }
    settings
}

#[test]
fn the_model_does_not_depend_on_threads_and_finds_the_text_of_unseen_sites() {
    let set = TinySet::new(12);
    let mut stages = 0;
    let (one, report) = train(&[set.open()], &settings(1), &mut |_| stages += 1).unwrap();
    let (two, _) = train(&[set.open()], &settings(3), &mut |_| ()).unwrap();
    assert_eq!(one.to_bytes(), two.to_bytes());
    assert!(stages > 5);
    let read = Model::from_bytes(&one.to_bytes()).unwrap();
    assert_eq!(read.first.len(), 6);
    let figures = figures(&report.pages, |page| Some(&page.set));
    assert_eq!(figures[0].pages, report.pages.len());
    assert!(figures[0].f > 0.6, "{figures:?}");
    assert!(report.first_gains[0].1 > 0.0);
}

#[test]
fn fewer_features_are_used_when_asked_for() {
    let set = TinySet::new(12);
    let settings = Settings { max_features: 3, is_final: true, ..settings(2) };
    let (model, _) = train(&[set.open()], &settings, &mut |_| ()).unwrap();
    assert!(model.first.used_features().count() <= 3);
}

#[test]
fn too_little_is_an_error() {
    let error = |sets: &[Set]| train(sets, &settings(1), &mut |_| ()).unwrap_err();
    assert_eq!(error(&[]), TrainError::NoPages);
    assert_eq!(error(&[TinySet::new(2).open()]), TrainError::FewSites(3));
}
