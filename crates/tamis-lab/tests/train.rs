//! Learning from a small set of our own: the same model every time, and plain words where there is too little.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod tiny_set;

use std::fs;

use tamis_lab::Set;
use tamis_lab::learn::{
    self, Augment, Figures, HoldOut, LearnError, Recipe, Settings, SvmSettings, Trained, train, train_svm,
};
use tamis_lab::report::training;
use tiny_set::TinySet;

fn settings(threads: usize) -> Settings {
    let mut settings = Settings { folds: 3, threads, curve: true, ..Settings::default() };
    for boost in [&mut settings.first, &mut settings.second, &mut settings.kinds] {
        *boost = learn::boost::Settings {
            trees: 4,
            leaves: 5,
            pull: 1.0,
            least: 0.5,
            features: 0.6,
            rows: 0.8,
            ..*boost
        };
    }
    settings
}

fn trained(set: &TinySet, settings: &Settings) -> Trained {
    train(&[set.open()], settings, &|_| ()).unwrap()
}

#[test]
fn threads_change_no_byte_of_the_model_and_the_report_has_all() {
    let set = TinySet::new("threads", 12);
    let one = trained(&set, &settings(1));
    let two = trained(&set, &settings(2));
    assert_eq!(one.model.to_string(), two.model.to_string());
    assert!(
        !one.model.first.nodes.is_empty() && one.model.first.nodes.len() > 2 * one.model.first.roots.len()
    );
    assert_eq!(one.pages, two.pages);

    let figures = Figures::of(&[set.open()], &one, &settings(1));
    assert_eq!(figures, Figures::of(&[set.open()], &two, &settings(2)));
    assert_eq!((figures.pages, figures.sites, figures.sets.len()), (48, 12, 1));
    assert!(figures.mean.f1 > 0.6 && figures.mean.f1 <= figures.mean.ceiling, "{:?}", figures.mean);
    assert!(figures.features[0].gain > 0.0);
    let shares: Vec<f32> = figures.curve.iter().map(|point| point.share).collect();
    assert_eq!(shares, [0.25, 0.5, 1.0]);
    assert!(figures.curve[0].sites < figures.curve[1].sites && figures.curve[1].sites < 12);
    assert_eq!(figures.curve[2].f1, figures.mean.f1);
    assert_eq!(figures.confusion.counts.iter().flatten().sum::<usize>(), 48);

    let folder = set.path().join("report");
    let recipe = Recipe::of(&[set.open()], &one, &settings(1), &figures);
    assert_eq!(
        recipe,
        Recipe::of(&[set.open()], &two, &settings(2), &figures),
        "nothing but the training is in it"
    );
    training::write(&figures, &recipe, &folder, &["tiny".into()]).unwrap();
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    for part in [
        "Token F1 by set",
        "By kind of page",
        "Kinds of pages",
        "Reliability",
        "<svg",
        "Learning curve",
        "Features",
        "Recipe",
        "4 in the first pass, 4 in the second, 4 for each kind of page",
        "weight 1, 48 pages of 12 sites",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    assert!(!page.contains("href=") && !page.contains("src="), "it is one file");
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("figures.json")).unwrap()).unwrap();
    assert_eq!(json["pages"], 48);
    // A report may be replaced; what is none may not.
    training::write(&figures, &recipe, &folder, &[]).unwrap();
    fs::write(folder.join("mine.txt"), "x").unwrap();
    assert!(training::write(&figures, &recipe, &folder, &[]).is_err());
}

/// The same pages in two folders, of which the second holds those of the sites from `first` on.
fn halves(set: &TinySet, first: usize) -> [Set; 2] {
    let lines = fs::read_to_string(set.path().join("truth.jsonl")).unwrap();
    let half = |name: &str, wanted: &dyn Fn(usize) -> bool| {
        let folder = set.path().join(name);
        fs::create_dir_all(folder.join("pages")).unwrap();
        let lines: Vec<&str> =
            lines.lines().enumerate().filter(|(at, _)| wanted(at / 4)).map(|(_, line)| line).collect();
        for line in &lines {
            let truth: serde_json::Value = serde_json::from_str(line).unwrap();
            let page = format!("pages/{}.html", truth["id"].as_str().unwrap());
            fs::copy(set.path().join(&page), folder.join(&page)).unwrap();
        }
        fs::write(folder.join("truth.jsonl"), lines.join("\n")).unwrap();
        Set::open(&folder).unwrap()
    };
    [half("one", &|site| site < first), half("two", &|site| site >= first)]
}

#[test]
fn sets_named_in_another_order_gave_another_model() {
    let set = TinySet::new("order", 12);
    let [one, two] = halves(&set, 7);
    let settings = Settings { curve: false, augment: Augment::All, ..settings(2) };
    let there = train(&[one.clone(), two.clone()], &settings, &|_| ()).unwrap();
    let back = train(&[two.clone(), one.clone()], &settings, &|_| ()).unwrap();
    assert_eq!(there.model.to_string(), back.model.to_string());
    let svm = SvmSettings { folds: 4, per_class: 20, ..SvmSettings::default() };
    let machine = |sets: &[Set]| train_svm(sets, &svm, &|_| ()).unwrap().model;
    assert_eq!(machine(&[one.clone(), two.clone()]), machine(&[two, one]));
}

#[test]
fn sets_without_weight_taught_a_model_that_knows_nothing() {
    let set = TinySet::new("weightless", 12);
    let mut mute = set.open();
    mute.weight = 0.0;
    let settings = Settings { curve: false, ..settings(2) };
    assert_eq!(train(&[mute], &settings, &|_| ()).unwrap_err(), LearnError::NoWeight);
}

#[test]
fn what_is_made_is_learned_from_and_never_measured() {
    let set = TinySet::new("augment", 12);
    let with = |augment| trained(&set, &Settings { augment, curve: false, ..settings(2) });
    let measured = |trained: &Trained| {
        trained.pages.iter().map(|page| (page.set, page.page, page.tokens)).collect::<Vec<_>>()
    };
    let bare = with(Augment::None);
    let mut models = vec![bare.model.to_string()];
    for augment in [Augment::Pages, Augment::Engines, Augment::All] {
        let more = with(augment);
        assert_eq!(measured(&more), measured(&bare), "{augment}");
        assert_eq!((more.sites, more.judgements.len()), (12, 48));
        models.push(more.model.to_string());
    }
    models.sort();
    models.dedup();
    assert_eq!(models.len(), 4, "each learns from something else");
}

#[test]
fn a_seed_gives_another_model_and_an_engine_is_held_out_whole() {
    let set = TinySet::new("seed", 12);
    let mut other = settings(2);
    other.curve = false;
    let by_site = trained(&set, &other);
    other.first.seed = 77;
    assert_ne!(by_site.model.to_string(), trained(&set, &other).model.to_string());

    // Twelve sites by four engines and four without one: eight that can be held out.
    other.hold_out = HoldOut::Engine;
    let by_engine = trained(&set, &other);
    assert_eq!(by_engine.pages.len(), 48);
    let too_many = Settings { folds: 5, ..other };
    let error = train(&[set.open()], &too_many, &|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sites or engines that can be held out with a text to learn from: 8; at least 10 are needed for 5 parts"
    );
}

#[test]
fn too_little_is_told_and_damaged_lines_are_named() {
    let set = TinySet::new("little", 3);
    let error = train(&[set.open()], &settings(1), &|_| ()).unwrap_err();
    assert_eq!(error, LearnError::TooFewSites { sites: 3, what: "sites", folds: 3 });
    let svm = train_svm(&[set.open()], &SvmSettings::default(), &|_| ()).unwrap_err();
    assert!(svm.to_string().starts_with("sites with articles with a text to learn from: 3;"), "{svm}");
    let file = set.path().join("truth.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{{\"id\": \n{lines}")).unwrap();
    let set = Set::open(set.path()).unwrap();
    assert_eq!((set.problems[0].line, set.truths.len()), (1, 12));
}

#[test]
fn the_machine_is_the_same_every_time_and_our_reader_takes_it() {
    let set = TinySet::new("machine", 12);
    let learn = |threads, seed| {
        let settings = SvmSettings { folds: 4, threads, seed, per_class: 20, ..SvmSettings::default() };
        train_svm(&[set.open()], &settings, &|_| ()).unwrap()
    };
    let one = learn(1, 1);
    assert_eq!(one, learn(2, 1));
    assert_eq!(one.samples % 2, 0);
    assert!(one.samples > 20 && one.accuracy > 0.7, "{one:?}");
    assert!(one.table().to_text().contains("in cross-validation by site"));
    let right: usize = one.parts.iter().map(|part| part.right).sum();
    assert_eq!((one.parts.len(), right as f64 / one.samples as f64), (4, one.accuracy));
    assert_eq!(one.tried.len(), 36);
    let model: tamis::methods::rbf::Model = one.model.parse().unwrap();
    assert_eq!(model.len(), one.vectors);
    let truth = &set.open().truths[0];
    let html = String::from_utf8(set.open().page(truth).unwrap()).unwrap();
    let page = tamis::Page::parse(&html);
    let kept: Vec<usize> = tamis::methods::svm::judge_with(&page, &model).kept().collect();
    assert!(kept.iter().any(|block| page.text(&page.blocks()[*block]).contains("harbour")), "{kept:?}");
}
