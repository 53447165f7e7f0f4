//! What the page's JSON-LD describes: which of its objects is the page itself, and which the site.

use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell};
use std::collections::HashMap;

use super::json_ld::{self, Budget, Json};
use super::scan::Scan;

/// The objects of the page's JSON-LD.
#[derive(Default)]
pub(super) struct Things {
    values: Vec<Json>,
    /// The names of those that others point at.
    names: OnceCell<HashMap<String, String>>,
}

impl Things {
    pub(super) fn of(scan: &Scan<'_>) -> Things {
        let mut budget = Budget::default();
        let mut values = Vec::new();
        for script in &scan.json_ld {
            if budget.is_spent() {
                break;
            }
            values.extend(json_ld::read(&script.text_content(), &mut budget));
        }
        Things { values, names: OnceCell::new() }
    }

    /// All objects, those of the first script first.
    fn objects(&self) -> impl Iterator<Item = &Json> {
        self.values.iter().flat_map(Json::objects)
    }

    /// Those that no other lists.
    fn own_objects(&self) -> impl Iterator<Item = &Json> {
        self.values.iter().flat_map(Json::own_objects)
    }

    /// The object that describes the piece: of articles and their like, the one whose headline has most of the title,
    /// else the first; else of other works; else of pages. What was found is kept in `found`.
    pub(super) fn piece(&self, title: &str, found: &OnceCell<Option<usize>>) -> Option<&Json> {
        let place = *found.get_or_init(|| {
            let title = LazyCell::new(|| super::title::normal(title));
            let mut best: Option<(i32, usize)> = None;
            for (place, object) in self.own_objects().enumerate() {
                let Some(rank) = rank(object) else { continue };
                let name =
                    object.text_of("headline").or_else(|| object.text_of("name")).map(super::title::normal);
                let agrees = name.is_some_and(|name| {
                    name.chars().count() > 5 && (title.contains(&name) || name.contains(title.as_str()))
                });
                let dated = object.get("datePublished").is_some();
                let score =
                    rank * 100 + i32::from(agrees) * 150 + i32::from(dated) * 20 - (place as i32).min(50);
                if best.is_none_or(|(other, _)| score > other) {
                    best = Some((score, place));
                }
            }
            best.map(|(_, place)| place)
        });
        self.own_objects().nth(place?)
    }

    /// The object of the page as such.
    pub(super) fn web_page(&self) -> Option<&Json> {
        self.objects().find(|object| object.is_a(|name| name.ends_with("Page")))
    }

    /// The name of the site, or of who publishes it.
    pub(super) fn site_name(&self) -> Option<&str> {
        self.named_site().map(|(name, _)| name)
    }

    /// The same, with whose name it is.
    pub(super) fn named_site(&self) -> Option<(&str, &'static str)> {
        let site = self.objects().find(|object| object.is_a(|name| name == "WebSite"));
        let own = site.and_then(|site| site.text_of("name")).map(|name| (name, "WebSite"));
        own.or_else(|| {
            let publisher = self.objects().find_map(|object| object.get("publisher"));
            publisher.and_then(|it| self.name_of(it)).map(|name| (name, "publisher"))
        })
    }

    /// The name that a value gives: its own, or that of the object it points at.
    pub(super) fn name_of<'t>(&'t self, value: &'t Json) -> Option<&'t str> {
        if let Some(text) = value.text() {
            return Some(text);
        }
        value.text_of("name").or_else(|| {
            let id = value.text_of("@id")?;
            self.names().get(id).map(String::as_str)
        })
    }

    /// The names of a person or of several: `name` may be a list, and may be given as its two parts.
    pub(super) fn names_of<'t>(&'t self, value: &'t Json) -> Vec<Cow<'t, str>> {
        if let Some(Json::List(names)) = value.get("name") {
            return names.iter().filter_map(Json::text).map(Cow::Borrowed).collect();
        }
        if let Some(name) = self.name_of(value) {
            return vec![Cow::Borrowed(name)];
        }
        let parts = [value.text_of("givenName"), value.text_of("familyName")];
        match parts {
            [Some(given), Some(family)] => vec![Cow::Owned(format!("{given} {family}"))],
            _ => Vec::new(),
        }
    }

    /// The names by `@id`, the first of each; made once, since a page may point at thousands.
    fn names(&self) -> &HashMap<String, String> {
        self.names.get_or_init(|| {
            let mut names = HashMap::new();
            for object in self.objects().filter(|object| object.get("name").is_some()) {
                if let (Some(id), Some(name)) = (object.text_of("@id"), object.text_of("name")) {
                    names.entry(id.to_owned()).or_insert_with(|| name.to_owned());
                }
            }
            names
        })
    }
}

/// How well an object may describe the piece.
fn rank(object: &Json) -> Option<i32> {
    let is = |test: fn(&str) -> bool| object.is_a(test);
    if is(|name| {
        name.ends_with("Article")
            || name.ends_with("Posting") && name != "JobPosting"
            || name == "Report"
            || name.ends_with("Review") && name.len() > 6
    }) {
        return Some(3);
    }
    if is(|name| {
        matches!(
            name,
            "Recipe"
                | "Product"
                | "ProductGroup"
                | "Event"
                | "VideoObject"
                | "HowTo"
                | "Book"
                | "Course"
                | "Movie"
                | "PodcastEpisode"
                | "SoftwareApplication"
                | "JobPosting"
                | "Dataset"
                | "Question"
                | "CreativeWork"
                | "Quiz"
        )
    }) {
        return Some(2);
    }
    is(|name| name.ends_with("Page")).then_some(1)
}
