//! Metadata: for every field, candidates with named signs; weights fitted on labelled pages decide.
//!
//! [`extract`] gives the values, [`explain`] all candidates with their signs, [`title`] the title alone.

mod author;
mod author_data;
mod byline;
mod candidate;
mod date;
mod day;
mod description;
mod han;
mod labelled;
mod language;
mod lexicon;
mod links;
mod names;
mod not_people;
mod source;
mod title;
mod title_parts;
mod view;

pub use candidate::Evidence;

use tamis_dates::Moment;

use crate::annotate::Annotations;
use crate::classify::Prediction;
use crate::input::Hints;
use crate::page::{Page, SiteRules};
use author::AuthorSign;
use candidate::{Pool, Sign};
use view::View;

/// Confidence below which no authors are given: whole names of people; what is no name of a person for sure, such as
/// organisations and pseudonyms; and everything else, such as one word or the name of the site.
const MIN_PEOPLE_CONFIDENCE: f32 = 0.7;
const MIN_BYLINE_CONFIDENCE: f32 = 0.6;
const MIN_OTHER_CONFIDENCE: f32 = 0.9;

/// Confidence below which no date of publication is given.
const MIN_DATE_CONFIDENCE: f32 = 0.3;

/// What is known about a page beside its source.
#[derive(Clone, Copy, Debug, Default)]
pub struct MetadataContext<'a> {
    /// The address of the page.
    pub url: Option<&'a str>,
    /// When the page was fetched. Later dates are rejected.
    pub reference_time: Option<Moment>,
    /// The `Content-Language` header.
    pub content_language: Option<&'a str>,
    /// What another source says, such as the site's feed.
    pub hints: Option<&'a Hints>,
    /// Rules of the user for the site.
    pub rules: Option<&'a SiteRules>,
}

/// The direction of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Direction {
    /// Left to right.
    Ltr,
    /// Right to left.
    Rtl,
}

/// A field of [`Metadata`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Field {
    /// [`Metadata::title`].
    Title,
    /// [`Metadata::published`].
    Published,
    /// [`Metadata::modified`].
    Modified,
    /// [`Metadata::authors`].
    Authors,
    /// [`Metadata::source`].
    Source,
    /// [`Metadata::site_name`].
    SiteName,
    /// [`Metadata::language`].
    Language,
    /// [`Metadata::next_page`].
    NextPage,
    /// [`Metadata::comments_page`].
    CommentsPage,
    /// [`Metadata::editors`].
    Editors,
    /// [`Metadata::byline`].
    Byline,
    /// [`Metadata::organisation`].
    Organisation,
    /// [`Metadata::direction`].
    Direction,
    /// [`Metadata::description`].
    Description,
    /// [`Metadata::tags`].
    Tags,
    /// [`Metadata::categories`].
    Categories,
    /// [`Metadata::image`].
    Image,
    /// [`Metadata::licence`].
    Licence,
    /// [`Metadata::canonical`].
    Canonical,
    /// [`Metadata::feeds`].
    Feeds,
}

/// Where a chosen value was found, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldEvidence {
    /// The field.
    pub field: Field,
    /// Where its value was found.
    pub evidence: Evidence,
    /// Estimated probability that the value is right.
    pub confidence: f32,
}

/// Metadata of a page.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Metadata {
    /// The headline, without the name of the site.
    pub title: Option<String>,
    /// When the piece was published.
    pub published: Option<Moment>,
    /// When it was changed, if it says so.
    pub modified: Option<Moment>,
    /// Names of people who wrote it.
    pub authors: Vec<String>,
    /// Names of people who edited it.
    pub editors: Vec<String>,
    /// The author as the page has it, where that is not a list of names: a pseudonym, "Staff", an agency.
    pub byline: Option<String>,
    /// The organisation that is named as the author.
    pub organisation: Option<String>,
    /// The outlet that the piece was taken from.
    pub source: Option<String>,
    /// What the site calls itself.
    pub site_name: Option<String>,
    /// The language of the main text as a BCP 47 tag.
    pub language: Option<String>,
    /// The direction of writing.
    pub direction: Option<Direction>,
    /// The page's own summary.
    pub description: Option<String>,
    /// Keywords.
    pub tags: Vec<String>,
    /// Sections of the site.
    pub categories: Vec<String>,
    /// The address of the main image.
    pub image: Option<String>,
    /// The licence, by address or by name.
    pub licence: Option<String>,
    /// The address that the page gives as its own.
    pub canonical: Option<String>,
    /// The next page of the same piece.
    pub next_page: Option<String>,
    /// The page with the readers' comments, if it is another one.
    pub comments_page: Option<String>,
    /// Addresses of feeds.
    pub feeds: Vec<String>,
    /// Where the values were found, and how sure they are.
    pub evidence: Vec<FieldEvidence>,
}

impl Metadata {
    /// Records where the value of a field was found.
    pub(crate) fn note(&mut self, field: Field, evidence: Evidence, confidence: f32) {
        self.evidence.push(FieldEvidence { field, evidence, confidence });
    }
}

/// A candidate for a field.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CandidateReport {
    /// The value as text.
    pub value: String,
    /// Where it was found first.
    pub evidence: Evidence,
    /// The signs that speak for and against it.
    pub signs: Vec<&'static str>,
    /// The weight of each sign.
    pub weights: Vec<f32>,
    /// The sum of the weights.
    pub score: f32,
    /// Whether it won.
    pub chosen: bool,
}

/// All candidates of the fields that are chosen by signs.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MetadataReport {
    /// The candidates by field, the best first.
    pub fields: Vec<(Field, Vec<CandidateReport>)>,
}

/// Extracts all metadata.
#[inline(never)]
pub fn extract(
    page: &Page<'_>,
    annotations: &Annotations,
    prediction: &Prediction,
    context: &MetadataContext<'_>,
) -> Metadata {
    run(&View::new(page, annotations, prediction, context), None)
}

/// Extracts all metadata, and reports the candidates.
pub fn explain(
    page: &Page<'_>,
    annotations: &Annotations,
    prediction: &Prediction,
    context: &MetadataContext<'_>,
) -> (Metadata, MetadataReport) {
    let mut report = MetadataReport::default();
    let metadata = run(&View::new(page, annotations, prediction, context), Some(&mut report));
    (metadata, report)
}

/// The title alone.
pub fn title(
    page: &Page<'_>,
    annotations: &Annotations,
    prediction: &Prediction,
    context: &MetadataContext<'_>,
) -> Option<String> {
    let view = View::new(page, annotations, prediction, context);
    let pool = title::candidates(&view);
    let (place, _) = pool.choose::<title::TitleSign>(false)?;
    Some(pool.candidates[place].value.clone())
}

fn run(view: &View<'_>, report: Option<&mut MetadataReport>) -> Metadata {
    let mut metadata = Metadata::default();
    let mut chooser = Chooser { evidence: Vec::new(), report };
    let titles = title::candidates(view);
    let best = chooser.choose::<title::TitleSign, _, _>(Field::Title, &titles, false, |title| title.clone());
    metadata.title = best.map(|place| titles.candidates[place].value.clone());
    if let Some((tag, evidence, confidence)) = language::find(view) {
        metadata.language = Some(tag);
        chooser.evidence.push(FieldEvidence { field: Field::Language, evidence, confidence });
    }
    if let Some((direction, evidence)) = language::direction(view, metadata.language.as_deref()) {
        metadata.direction = Some(direction);
        let of_language = chooser.evidence.last().filter(|last| last.field == Field::Language);
        let (evidence, confidence) = of_language.map_or((evidence, 0.7), |it| (it.evidence, it.confidence));
        chooser.evidence.push(FieldEvidence { field: Field::Direction, evidence, confidence });
    }
    let language = metadata.language.clone();
    let base = language.as_deref().map(|tag| tag.split('-').next().unwrap_or(tag));
    let (days, modified) = date::candidates(view, language.as_deref());
    let best =
        chooser.choose::<date::DateSign, _, _>(Field::Published, &days, true, |day| day.moment.to_string());
    if chooser.evidence.pop_if(|last| best.is_some() && last.confidence < MIN_DATE_CONFIDENCE).is_none() {
        metadata.published = best.map(|place| days.candidates[place].value.moment);
    }
    // A change before the publication was a preparation.
    let is_earlier = |moment: &Moment| {
        metadata.published.is_some_and(|published| {
            published.is_after(moment) || moment.day_number() < published.day_number()
        })
    };
    if let Some((moment, evidence)) = modified.filter(|(moment, _)| !is_earlier(moment)) {
        metadata.modified = Some(moment);
        chooser.evidence.push(FieldEvidence { field: Field::Modified, evidence, confidence: 0.8 });
    }
    let (authors, editors, editors_evidence) = author::candidates(view, base);
    let best = chooser
        .choose::<AuthorSign, _, _>(Field::Authors, &authors, true, |authors| authors.names.join("; "));
    if let Some((best, signs)) =
        best.map(|place| (&authors.candidates[place].value, authors.candidates[place].signs))
    {
        // Candidates that name some of the same people do not speak against them.
        let confidence = authors.share::<AuthorSign>(|other| other.agrees_with(best));
        let evidence = chooser.evidence.pop().map_or(Evidence::Text, |last| last.evidence);
        let mut note = |field| chooser.evidence.push(FieldEvidence { field, evidence, confidence });
        // A wrong name is worse than none.
        let is_declared = signs.has(AuthorSign::JsonOrganisation);
        let is_site = signs.has(AuthorSign::SiteName);
        let is_shown_house = signs.has(AuthorSign::Organisation) && signs.has(AuthorSign::Shown);
        let is_told_apart = is_shown_house || signs.has(AuthorSign::Pseudonym);
        // Sites are seldom called as their author is.
        let is_doubtful = is_site && !best.names.iter().all(|name| names::has_given_name(name));
        let least = match best.is_people {
            true if !signs.has(AuthorSign::OneWord) && !is_doubtful => MIN_PEOPLE_CONFIDENCE,
            false if is_declared || (is_told_apart && !is_site) => MIN_BYLINE_CONFIDENCE,
            _ => MIN_OTHER_CONFIDENCE,
        };
        if confidence >= least && best.is_people {
            metadata.authors = best.names.clone();
            note(Field::Authors);
        } else if let [byline, ..] = best.names.as_slice()
            && confidence >= least
        {
            let is_site = view.site.is_own(&candidate::comparison_key(byline));
            metadata.byline = Some(byline.clone());
            note(Field::Byline);
            if is_declared || is_site || not_people::is_organisation(byline) {
                metadata.organisation = Some(byline.clone());
                note(Field::Organisation);
            }
        }
    }
    metadata.evidence = chooser.evidence;
    if !editors.is_empty() {
        metadata.editors = editors;
        metadata.note(Field::Editors, editors_evidence, 0.8);
    }
    let site_name = source::site_name(view, metadata.title.as_deref());
    let source = source::source(view, base);
    for (field, found, slot) in
        [(Field::SiteName, site_name, &mut metadata.site_name), (Field::Source, source, &mut metadata.source)]
    {
        if let Some((value, evidence, confidence)) = found {
            *slot = Some(value);
            metadata.evidence.push(FieldEvidence { field, evidence, confidence });
        }
    }
    // The outlet that a piece was taken from is not its author.
    if let Some(source) = metadata.source.as_deref().map(candidate::comparison_key) {
        metadata.authors.retain(|author| candidate::comparison_key(author) != source);
        let has_authors = !metadata.authors.is_empty();
        metadata.evidence.retain(|it| it.field != Field::Authors || has_authors);
    }
    description::fill(view, &mut metadata);
    links::fill(view, &mut metadata);
    metadata
}

/// Chooses values and records why.
struct Chooser<'r> {
    evidence: Vec<FieldEvidence>,
    report: Option<&'r mut MetadataReport>,
}

impl Chooser<'_> {
    fn choose<S: Sign, K: std::hash::Hash + Eq + Clone, V>(
        &mut self,
        field: Field,
        pool: &Pool<K, V>,
        may_be_none: bool,
        print: impl Fn(&V) -> String,
    ) -> Option<usize> {
        let best = pool.choose::<S>(may_be_none);
        if let Some(report) = &mut self.report {
            let mut rows: Vec<CandidateReport> = pool
                .candidates
                .iter()
                .enumerate()
                .map(|(place, candidate)| CandidateReport {
                    value: print(&candidate.value),
                    evidence: candidate.evidence,
                    signs: candidate.signs.names::<S>(),
                    weights: candidate.signs.weights::<S>().collect(),
                    score: candidate.signs.score::<S>(),
                    chosen: best.is_some_and(|(best, _)| best == place),
                })
                .collect();
            rows.sort_by(|one, other| other.score.total_cmp(&one.score));
            report.fields.push((field, rows));
        }
        let (place, confidence) = best?;
        self.evidence.push(FieldEvidence { field, evidence: pool.candidates[place].evidence, confidence });
        Some(place)
    }
}

#[cfg(test)]
mod tests;
