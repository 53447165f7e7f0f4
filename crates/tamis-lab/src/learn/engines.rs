//! Pages in the manner of many engines: templates of our own, filled with texts of the sets.
//!
//! Sets have few engines and many sites of each, or none of an engine that is all over the web. A template shows what an
//! engine's pages have in common (names, order, what stands around a post) and costs no page of anybody.

mod filling;
mod template;
mod wording;

use super::augment::{by_fold, chance, language, paragraphs};
use super::hold_out::HoldOut;
use super::lessons::{Lesson, Made, kind};
use super::{Settings, parallel};
use crate::set::Set;
use filling::{Filled, Material};

/// An engine whose pages we imitate.
struct Engine {
    name: &'static str,
    /// How the names of its kind begin in sets that tell the engine.
    known_as: &'static [&'static str],
    /// The kind of page.
    kind: Option<&'static str>,
    template: &'static str,
}

macro_rules! engine {
    ($name:literal, $known_as:expr, $kind:expr) => {
        Engine {
            name: $name,
            known_as: &$known_as,
            kind: $kind,
            template: include_str!(concat!("../../engines/", $name, ".html")),
        }
    };
}

const ENGINES: [Engine; 14] = [
    engine!("discuz", ["discuz"], Some("forum")),
    engine!("wordpress", ["wordpress"], Some("article")),
    engine!("phpbb", ["phpbb"], Some("forum")),
    engine!("vbulletin", ["vbulletin"], Some("forum")),
    engine!("hexo", ["hexo"], Some("article")),
    engine!("xenforo", ["xenforo"], Some("forum")),
    engine!("shop", ["woocommerce", "shopify", "shop"], Some("product")),
    engine!("phpwind", ["phpwind"], Some("forum")),
    engine!("discourse", ["discourse"], Some("forum")),
    engine!("ghost", ["ghost"], Some("article")),
    engine!("nodebb", ["nodebb"], Some("forum")),
    engine!("mediawiki", ["mediawiki"], None),
    engine!("mybb", ["mybb"], Some("forum")),
    engine!("questions", ["stackexchange", "stackoverflow", "questions"], Some("forum")),
];

/// So many pages an engine and part at most.
const MOST_PAGES: usize = 8;
/// ... and not more than one for so many pages of the sets, or a small set would drown.
const ONE_FOR: usize = 6;
/// Titles of so many pages of a part make the menus.
const MOST_TITLES: usize = 60;

/// Filled templates, each in the part of the page that its text is from.
pub(super) fn pages(lessons: &[Lesson], sets: &[Set], settings: &Settings) -> Vec<Lesson> {
    let folds = settings.folds.max(2);
    let parts = by_fold(lessons, folds);
    let titles = parallel::map(&parts, settings.threads, |_, part| titles(lessons, part, sets));
    let mut wanted: Vec<(usize, &Engine, usize)> = Vec::new();
    for (fold, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
        for number in 0..(part.len() / ONE_FOR).min(MOST_PAGES * ENGINES.len()) {
            // Where not all engines have a turn, those of another part are others.
            wanted.push((fold, &ENGINES[(number + 3 * fold) % ENGINES.len()], number / ENGINES.len()));
        }
    }
    if settings.hold_out == HoldOut::Engine {
        wanted.retain(|(fold, engine, _)| may_be_in(engine, *fold, lessons, sets));
    }
    let made = parallel::map(&wanted, settings.threads, |_, (fold, engine, number)| {
        let mut chance = chance(settings.first.seed, &format!("engine/{}/{fold}/{number}", engine.name));
        let part = &parts[*fold];
        let of = part[chance.below(part.len())];
        let other = part[chance.below(part.len())];
        let lang = language(sets, &lessons[of]);
        let is_same = language(sets, &lessons[other]) == lang && other != of;
        let material = Material {
            lang: lang.unwrap_or("en"),
            paragraphs: paragraphs(sets, &lessons[of]),
            // What readers say stands in the language of the page.
            comments: if is_same { paragraphs(sets, &lessons[other]) } else { Vec::new() },
            titles: &titles[*fold],
        };
        let Filled { scope, truth } = filling::fill(&material, &mut chance);
        let html = template::render(engine.template, &scope).ok()?;
        let lesson = lessons[of].made(Made::Rendered(of), html, &truth)?;
        let site = format!("{} {fold}", engine.name);
        Some(Lesson { site, kind: engine.kind.and_then(kind), ..lesson })
    });
    made.into_iter().flatten().collect()
}

/// Where engines are held out, what looks like one must be held out with it: where its pages are, or nowhere if they are
/// in several parts.
fn may_be_in(engine: &Engine, fold: usize, lessons: &[Lesson], sets: &[Set]) -> bool {
    let is_known = |lesson: &&Lesson| {
        let name = sets[lesson.set].truths[lesson.page].engine.as_deref().unwrap_or("").to_lowercase();
        engine.known_as.iter().any(|start| name.starts_with(start))
    };
    lessons.iter().filter(is_known).all(|lesson| lesson.fold == fold)
}

/// Titles of pages of a part, with their languages.
fn titles<'s>(lessons: &[Lesson], part: &[usize], sets: &'s [Set]) -> Vec<(&'s str, String)> {
    let step = part.len().div_ceil(MOST_TITLES).max(1);
    let titles = part.iter().step_by(step).map(|place| {
        let lesson = &lessons[*place];
        let told = sets[lesson.set].truths[lesson.page].title.clone();
        let title = told.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| lesson.page().title());
        (language(sets, lesson).unwrap_or("en"), title.trim().to_owned())
    });
    titles.filter(|(_, title)| !title.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Chance;
    use crate::set::Truth;

    const TEXT: [&str; 6] = [
        "The ferry runs again, says the company, twice a day if the ice allows it.",
        "Nobody had asked the islanders, and they are not amused by the new hours.",
        "Summer hours",
        "From May on a third boat will go late in the evening, with a bar on board.",
        "Tickets cost as much as before; bicycles travel without charge on weekdays.",
        "Whoever wants to know more may call the harbour master before noon.",
    ];
    const OTHER: &str = "Thanks for all these news, my aunt was waiting for them since winter came.";

    fn material() -> Material<'static> {
        static TITLES: std::sync::OnceLock<Vec<(&'static str, String)>> = std::sync::OnceLock::new();
        let titles = TITLES.get_or_init(|| {
            [
                "Storm on the lake",
                "Council meets",
                "Bread prices",
                "Old mill sold",
                "Nine lost sheep",
                "New roof",
            ]
            .map(|title| ("en", title.to_owned()))
            .to_vec()
        });
        Material { lang: "en", paragraphs: TEXT.to_vec(), comments: vec![OTHER, OTHER], titles }
    }

    fn lesson(number: usize) -> Lesson {
        let empty =
            Lesson { page: number, site: format!("{number}.example"), fold: number % 3, ..Lesson::empty() };
        let html = format!("<title>Page {number}</title><p>{}", TEXT[0]);
        Lesson { made: None, ..empty.made(Made::Copy(0), html, TEXT[0]).unwrap() }
    }

    #[test]
    fn every_file_of_the_folder_is_an_engine() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engines");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".html"))
            .collect();
        files.sort();
        let mut names = ENGINES.map(|engine| format!("{}.html", engine.name)).to_vec();
        names.sort();
        assert_eq!(files, names);
        assert!(ENGINES.iter().all(|engine| engine.kind.is_none_or(|name| kind(name).is_some())));
    }

    #[test]
    fn every_template_is_filled_and_labels_cover_what_was_put_in() {
        let of = lesson(0);
        for engine in &ENGINES {
            for seed in 0..6 {
                let Filled { scope, truth } = filling::fill(&material(), &mut Chance::of(seed));
                let html = template::render(engine.template, &scope)
                    .unwrap_or_else(|error| panic!("{}: {error}", engine.name));
                assert!(!html.contains("{{") && !html.contains("}}"), "{}", engine.name);
                assert_eq!(truth.lines().collect::<Vec<_>>(), TEXT, "all of it is put in");
                let made = of.made(Made::Rendered(0), html, &truth).unwrap();
                let page = made.page();
                let mut main = String::new();
                for (at, block) in page.blocks().iter().enumerate() {
                    let is_main = TEXT
                        .iter()
                        .any(|text| page.text(block).contains(text) || text.contains(page.text(block)));
                    assert_eq!(
                        made.cover[at] >= 0.5,
                        is_main,
                        "{} {seed}: {}",
                        engine.name,
                        page.text(block)
                    );
                    main += if is_main { page.text(block) } else { "" };
                }
                let gone = TEXT.iter().find(|text| !main.contains(**text));
                assert_eq!(gone, None, "{} {seed}", engine.name);
                assert!(page.blocks().len() >= 15, "{} has little around its text", engine.name);
            }
        }
    }

    #[test]
    fn pages_are_in_the_part_of_their_text_and_sites_are_in_one_part() {
        let truth = |number: usize| Truth {
            id: number.to_string(),
            text: Some(TEXT.join("\n")),
            engine: (number == 4).then(|| "Discuz X3".to_owned()),
            ..Truth::default()
        };
        let sets = [Set::in_memory((0..60).map(truth).collect())];
        let lessons: Vec<Lesson> = (0..60).map(lesson).collect();
        let mut settings = Settings { folds: 3, ..Settings::default() };
        let made = pages(&lessons, &sets, &settings);
        assert_eq!(made.len(), 9, "one for six pages");
        for page in &made {
            let of = page.made.unwrap().of();
            assert_eq!((page.fold, of % 3), (lessons[of].fold, page.fold));
            assert!(page.site.ends_with(&format!(" {}", page.fold)) && page.kind.is_some());
        }
        settings.threads = 1;
        let again = pages(&lessons, &sets, &settings);
        assert!(made.iter().zip(&again).all(|(one, other)| one.html == other.html));
        settings.hold_out = HoldOut::Engine;
        let apart = pages(&lessons, &sets, &settings);
        assert!(apart.iter().all(|page| !page.site.starts_with("discuz") || page.fold == 1));
        assert!(apart.len() < made.len(), "the one of the first part had to go");
    }
}
