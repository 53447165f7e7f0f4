//! Evidence: every value that some part of the page offers for a fact, where it stands, and what it weighs.

use std::borrow::Cow;
use std::fmt;

use super::clean;

/// A fact that is looked for.
///
/// ```
/// use tamis::facts::Field;
///
/// assert_eq!(Field::Published.name(), "published");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Field {
    /// The heading of the piece.
    Title,
    /// When it was published.
    Published,
    /// When it was changed last.
    Modified,
    /// Who wrote it.
    Author,
    /// Who edited it (责任编辑).
    Editor,
    /// The outlet that it was taken over from (来源).
    Source,
    /// The name of the site.
    SiteName,
    /// The language of the text.
    Language,
    /// What kind of page it is.
    PageType,
    /// What it is about, in a sentence.
    Description,
    /// A keyword.
    Tag,
    /// A section of the site.
    Category,
    /// The picture that stands for it.
    Image,
    /// Under which terms it may be used.
    Licence,
    /// Its own address.
    Canonical,
    /// The page on which it goes on.
    NextPage,
    /// The page with its comments.
    CommentsPage,
    /// A feed of the site.
    Feed,
}

impl Field {
    /// Its name, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Published => "published",
            Field::Modified => "modified",
            Field::Author => "author",
            Field::Editor => "editor",
            Field::Source => "source",
            Field::SiteName => "site name",
            Field::Language => "language",
            Field::PageType => "page type",
            Field::Description => "description",
            Field::Tag => "tag",
            Field::Category => "category",
            Field::Image => "image",
            Field::Licence => "licence",
            Field::Canonical => "canonical",
            Field::NextPage => "next page",
            Field::CommentsPage => "comments page",
            Field::Feed => "feed",
        }
    }
}

/// Where on a page a candidate comes from.
///
/// ```
/// assert_eq!(tamis::facts::Origin::JsonLd.to_string(), "JSON-LD");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// A script of type `application/ld+json`.
    JsonLd,
    /// `itemprop` attributes.
    Microdata,
    /// `property` attributes of elements that are shown.
    Rdfa,
    /// `og:` and `article:` of `meta`.
    OpenGraph,
    /// `twitter:` of `meta`.
    Twitter,
    /// `dc.` and `dcterms.` of `meta`.
    DublinCore,
    /// Any other `meta`.
    Meta,
    /// A `time` element.
    Time,
    /// `h1` to `h6`.
    Heading,
    /// The `title` element.
    Title,
    /// The page's address.
    Url,
    /// A `link` element, or a link with a `rel`.
    Link,
    /// A class or an id says what an element is.
    ClassName,
    /// Words near the main text.
    Near,
    /// Words elsewhere on the page.
    Text,
    /// Data in a script.
    Script,
    /// The `html` element.
    Html,
    /// The page's entry in a [feed](crate::feed) of its site.
    Feed,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::JsonLd => "JSON-LD",
            Origin::Microdata => "microdata",
            Origin::Rdfa => "RDFa",
            Origin::OpenGraph => "OpenGraph",
            Origin::Twitter => "Twitter",
            Origin::DublinCore => "Dublin Core",
            Origin::Meta => "meta",
            Origin::Time => "time",
            Origin::Heading => "heading",
            Origin::Title => "<title>",
            Origin::Url => "address",
            Origin::Link => "link",
            Origin::ClassName => "class name",
            Origin::Near => "near the text",
            Origin::Text => "text",
            Origin::Script => "script",
            Origin::Html => "<html>",
            Origin::Feed => "feed",
        })
    }
}

/// A value that some part of the page offers for a fact.
///
/// ```
/// use tamis::facts::{Field, Origin};
///
/// let extractor = tamis::Extractor::new();
/// let page = extractor.page("<meta property=article:published_time content=2010-12-15><p>It rained, at last.");
/// let judgement = extractor.judge(&page);
/// let evidence = extractor.evidence(&page, &judgement);
/// let candidate = &evidence.of(Field::Published).next().unwrap();
/// assert_eq!((candidate.value.as_str(), candidate.origin), ("2010-12-15", Origin::OpenGraph));
/// assert!(candidate.chosen && candidate.weight > 0.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// For which fact.
    pub field: Field,
    /// What it says, in the form in which a document would have it.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Which part of that: the name of a property, the words around it, the signs that speak for it.
    pub detail: Cow<'static, str>,
    /// What it weighs. The weights of one fact can be compared, those of different facts cannot. At zero or below, it
    /// cannot win.
    pub weight: f32,
    /// Did it win?
    pub chosen: bool,
}

/// All candidates for the facts of a page.
///
/// ```
/// use tamis::facts::{Evidence, Field};
///
/// let extractor = tamis::Extractor::new();
/// let page = extractor.page("<title>Rain - Gazette</title><h1>Rain</h1><p>It rained, at last.");
/// let judgement = extractor.judge(&page);
/// let evidence: Evidence = extractor.evidence(&page, &judgement);
/// assert!(evidence.of(Field::Title).any(|candidate| candidate.value == "Rain" && candidate.chosen));
/// assert!(evidence.to_table(100).contains("Gazette"));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evidence {
    /// The candidates: those for one fact side by side, the weightiest first.
    pub candidates: Vec<Candidate>,
    /// Which dates of the page were read day first or month first, and why.
    pub date_order: &'static str,
    /// Which entry of a feed is the page's, or that none is; empty where no feed was given.
    pub feed: String,
}

impl Evidence {
    /// Were days that can be read in two ways read month first?
    pub(crate) fn is_month_first(&self) -> bool {
        self.date_order.starts_with("month first")
    }

    pub(super) fn add(
        &mut self,
        field: Field,
        value: impl Into<String>,
        origin: Origin,
        detail: impl Into<Cow<'static, str>>,
        weight: f32,
    ) {
        let value = value.into();
        if let Some(value) = cleaned(field, &value) {
            let value = value.into_owned();
            self.candidates.push(Candidate {
                field,
                value,
                origin,
                detail: detail.into(),
                weight,
                chosen: false,
            });
        }
    }

    /// The candidates for one fact.
    pub fn of(&self, field: Field) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(move |candidate| candidate.field == field)
    }

    /// The weightiest candidate for a fact wins; of two that weigh the same, the first.
    pub(super) fn choose(&mut self, field: Field) -> Option<String> {
        let mut best: Option<usize> = None;
        for (place, candidate) in self.candidates.iter().enumerate() {
            if candidate.field == field
                && candidate.weight > 0.0
                && best.is_none_or(|best| candidate.weight > self.candidates[best].weight)
            {
                best = Some(place);
            }
        }
        let chosen = &mut self.candidates[best?];
        chosen.chosen = true;
        Some(chosen.value.clone())
    }

    /// All candidates for a fact that weigh something win, each value once, in order; at most so many.
    pub(super) fn choose_all(&mut self, field: Field, most: usize) -> Vec<String> {
        let mut chosen: Vec<String> = Vec::new();
        for candidate in self.candidates.iter_mut().filter(|it| it.field == field && it.weight > 0.0) {
            // Rain and rain are one.
            let small = candidate.value.to_lowercase();
            let is_address = field == Field::Feed;
            let is_known =
                |it: &String| *it == candidate.value || (!is_address && it.to_lowercase() == small);
            if chosen.len() < most && !chosen.iter().any(is_known) {
                candidate.chosen = true;
                chosen.push(candidate.value.clone());
            }
        }
        chosen
    }

    pub(crate) fn sort(&mut self) {
        self.candidates.sort_by(|a, b| a.field.cmp(&b.field).then(b.weight.total_cmp(&a.weight)));
    }

    /// As a table of about `width` columns: a line a candidate, a star before those that won.
    pub fn to_table(&self, width: usize) -> String {
        let mut out = String::new();
        let mut last = None;
        for candidate in &self.candidates {
            if last != Some(candidate.field) {
                out.push_str(candidate.field.name());
                out.push('\n');
                last = Some(candidate.field);
            }
            let mark = if candidate.chosen { '*' } else { ' ' };
            let head = format!("  {mark} {:>6.1}  {:<13} ", candidate.weight, candidate.origin.to_string());
            let room = width.saturating_sub(head.chars().count()).max(30);
            let value: String = clean::text(&candidate.value).chars().take(room).collect();
            out.push_str(&head);
            out.push_str(&value);
            out.push('\n');
            if !candidate.detail.is_empty() {
                let detail: String = clean::text(&candidate.detail).chars().take(room.max(60)).collect();
                out.push_str(&format!("{:27}{detail}\n", ""));
            }
        }
        if !self.date_order.is_empty() {
            out.push_str(&format!("order of day and month: {}\n", self.date_order));
        }
        if !self.feed.is_empty() {
            out.push_str(&format!("feed: {}\n", clean::text(&self.feed)));
        }
        out
    }

    /// As a JSON list of objects with `field`, `value`, `origin`, `detail`, `weight` and `chosen`. Behind the candidates stand, where
    /// there are any, the order of day and month and the entry of a feed: objects with `note` and `value`.
    ///
    /// ```
    /// let mut evidence = tamis::facts::Evidence::default();
    /// assert_eq!(evidence.to_json(), "[]");
    /// evidence.date_order = "day first";
    /// assert_eq!(evidence.to_json(), r#"[{"note":"order of day and month","value":"day first"}]"#);
    /// ```
    #[cfg(feature = "serde")]
    pub fn to_json(&self) -> String {
        let all = self.candidates.iter().map(|candidate| {
            serde_json::json!({
                "field": candidate.field.name(),
                "value": candidate.value,
                "origin": candidate.origin.to_string(),
                "detail": candidate.detail,
                "weight": candidate.weight,
                "chosen": candidate.chosen,
            })
        });
        let notes = [("order of day and month", self.date_order), ("feed", self.feed.as_str())];
        let notes = notes.into_iter().filter(|(_, value)| !value.is_empty());
        let notes =
            notes.map(|(note, value)| serde_json::json!({ "note": note, "value": clean::text(value) }));
        serde_json::Value::from_iter(all.chain(notes)).to_string()
    }
}

/// A value in the form in which a field may have it; nothing where it may not.
fn cleaned(field: Field, value: &str) -> Option<Cow<'_, str>> {
    match field {
        Field::Canonical | Field::NextPage | Field::CommentsPage | Field::Feed | Field::Image => {
            clean::address(value)
        }
        Field::Licence => clean::licence(value),
        // An address may stand where a name should.
        Field::Author | Field::Editor if clean::has_scheme(value) => None,
        // What a page cannot have written, such as a NUL, reads so.
        Field::Author | Field::Editor if value.contains('\u{fffd}') => {
            let value = clean::beginning(value, clean::LONGEST_TEXT).replace('\u{fffd}', "");
            Some(Cow::Owned(clean::text(&value).into_owned()))
        }
        _ => Some(clean::text(clean::beginning(value, clean::LONGEST_TEXT))),
    }
    .filter(|value| !value.is_empty())
}
