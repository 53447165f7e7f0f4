//! Labelled pages: a set in a folder, as `tamis label` writes it and `tamis train` and `tamis eval` read it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tamis_batch::{Html, PageIn};
use tamis_html::decode::Decoder;
use tamis_lab::label::{self, BlockLabel, LabelError, Labelling};
use tamis_lab::{Set, Truth};
use tamis_site::SiteKey;
use utoipa::ToSchema;

use super::extract::from_json;
use crate::format::Format;
use crate::openapi::Problems;
use crate::options::PageRequest;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Bytes of an id, which is the name of a file.
const MAX_ID: usize = 120;

/// The routes.
pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/v1/labels", get(list)).route("/v1/labels/{id}", get(show).put(save).delete(remove))
}

/// The labelled pages.
#[derive(Serialize, ToSchema)]
pub(crate) struct Labels {
    labels: Vec<LabelEntry>,
}

/// A labelled page.
#[derive(Serialize, ToSchema)]
pub(crate) struct LabelEntry {
    id: String,
    url: Option<String>,
    site: Option<String>,
    title: Option<String>,
    language: Option<String>,
    /// Characters of the main text.
    characters: usize,
}

/// A label to save.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelRequest {
    /// The page.
    html: String,
    url: Option<String>,
    /// What blocks are, by their number: main, comment, caption or noise. Others are what the extractor says.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>)]
    blocks: BTreeMap<usize, String>,
    title: Option<String>,
    /// Such as 2026-11-16.
    date: Option<String>,
    /// Such as article.
    page_type: Option<String>,
}

/// A label.
#[derive(Serialize, ToSchema)]
pub(crate) struct Label {
    id: String,
    url: Option<String>,
    site: Option<String>,
    title: Option<String>,
    date: Option<String>,
    page_type: Option<String>,
    /// The page as it was saved.
    html: String,
    /// What each block is, by its number.
    #[schema(value_type = BTreeMap<String, String>)]
    blocks: BTreeMap<usize, &'static str>,
    /// Whether the page is cut into other blocks than when it was labelled: label it again.
    outdated: bool,
}

/// A label that was saved.
#[derive(Serialize, ToSchema)]
pub(crate) struct Saved {
    id: String,
    /// Whether there was a label with this id.
    replaced: bool,
    /// Labelled pages in all.
    pages: usize,
    /// The main text as it was saved.
    text: String,
}

/// Lists the labelled pages.
#[utoipa::path(get, path = "/v1/labels", tag = "labels", responses((status = 200, body = Labels),
    Problems))]
pub(crate) async fn list(State(app): State<AppState>) -> Answer<Json<Labels>> {
    let folder = folder(&app)?;
    let set = app.pool().run(move || open(&folder)).await??;
    let entry = |truth: Truth| LabelEntry {
        characters: truth.text.as_deref().unwrap_or_default().chars().count(),
        id: truth.id,
        url: truth.url,
        site: truth.site,
        title: truth.title,
        language: truth.lang,
    };
    Ok(Json(Labels { labels: set.into_iter().flat_map(|set| set.truths).map(entry).collect() }))
}

/// Shows a labelled page.
#[utoipa::path(get, path = "/v1/labels/{id}", tag = "labels",
    params(("id" = String, Path, description = "id of the label")), responses((status = 200, body = Label),
        Problems))]
pub(crate) async fn show(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
) -> Answer<Json<Label>> {
    let (id, folder) = (checked(id?.0)?, folder(&app)?);
    app.clone().pool().run(move || load(&app, &folder, id)).await?.map(Json)
}

/// Saves a label; one with the same id is replaced.
#[utoipa::path(put, path = "/v1/labels/{id}", tag = "labels", request_body = LabelRequest,
    params(("id" = String, Path, description = "id of the label: a file name")),
    responses((status = 200, body = Saved),
        Problems))]
pub(crate) async fn save(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Answer<Json<Saved>> {
    let (id, folder) = (checked(id?.0)?, folder(&app)?);
    let held = app.memory().read(request.into_body(), app.config().limits.max_bytes).await?;
    let worker = app.clone();
    let saved = app.pool().run(move || store(&worker, &folder, id, &from_json(&held.bytes)?));
    saved.await?.map(Json)
}

/// Removes a label and its page.
#[utoipa::path(delete, path = "/v1/labels/{id}", tag = "labels",
    params(("id" = String, Path, description = "id of the label")), responses((status = 204, description = "removed"),
        Problems))]
pub(crate) async fn remove(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
) -> Answer<StatusCode> {
    let (id, folder) = (checked(id?.0)?, folder(&app)?);
    let removed = app.pool().run(move || label::remove(&folder, &id).map(|was_there| (was_there, id)));
    match removed.await?.map_err(problem)? {
        (true, _) => Ok(StatusCode::NO_CONTENT),
        (false, id) => Err(no_label(&id)),
    }
}

fn folder(app: &AppState) -> Answer<PathBuf> {
    app.config().labels.clone().ok_or_else(|| Problem::not_enabled("folder of labels", "--labels DIR"))
}

/// The set of labels; none before the first one is saved.
pub(crate) fn open(folder: &std::path::Path) -> Answer<Option<Set>> {
    match Set::open(folder) {
        Ok(set) => Ok(Some(set)),
        Err(tamis_lab::SetError::NoSet(_)) => Ok(None),
        Err(error) => Err(Problem::internal(error.to_string())),
    }
}

/// Refuses ids that are no plain file names.
fn checked(id: String) -> Answer<String> {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | '~' | '@' | '+' | '=');
    match !id.is_empty() && id.len() <= MAX_ID && !id.starts_with('.') && id.chars().all(is_plain) {
        true => Ok(id),
        false => Err(Problem::bad_request(format!(
            "id: give at most {MAX_ID} bytes of letters, digits and - _ . ~ @ + =, with no . in front"
        ))),
    }
}

fn no_label(id: &str) -> Problem {
    Problem::not_found(format!("there is no label {id}: /v1/labels lists them"))
}

fn problem(error: LabelError) -> Problem {
    match error {
        LabelError::File { .. } | LabelError::Damaged { .. } => Problem::internal(error.to_string()),
        error => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
    }
}

fn store(app: &AppState, folder: &std::path::Path, id: String, request: &LabelRequest) -> Answer<Saved> {
    let url = request.url.as_deref();
    let key = PageRequest::default().extraction(Format::Json, &app.config().limits)?.key;
    let work = app.work(key)?;
    let page = PageIn { url, ..PageIn::of(Html::Text(&request.html)) };
    let truth = work.analyze(&page, |_, input, analysis| {
        let mut labelling = Labelling::new(&analysis.page, url, &analysis.prediction.kept);
        for (block, name) in &request.blocks {
            let label: BlockLabel =
                name.parse().map_err(|error| Problem::bad_request(format!("blocks: {error}")))?;
            labelling.set(*block, label).map_err(problem)?;
        }
        let about = label::Choice {
            title: request.title.clone(),
            date: request.date.clone(),
            page_type: request.page_type.clone(),
            ..label::Choice::default()
        };
        labelling.describe(&about).map_err(problem)?;
        let mut truth = labelling.truth(&id).map_err(problem)?;
        let canonical = work.extractor().document(input, analysis).metadata.canonical;
        let site = SiteKey::from_url(url.or(canonical.as_deref()).unwrap_or_default());
        truth.site = site.map(|key| key.as_str().to_owned());
        Answer::Ok(truth)
    })??;
    let text = truth.text.clone().unwrap_or_default();
    let added = label::add(folder, truth, &stored(&request.html, url), true).map_err(problem)?;
    Ok(Saved { id: added.id, replaced: added.replaced, pages: added.pages, text })
}

/// The bytes to store: readers of the set know the URL, and must decode them to the same page.
fn stored(html: &str, url: Option<&str>) -> Vec<u8> {
    let decoder = url.map_or_else(Decoder::new, |url| Decoder::new().url(url));
    match decoder.decode(html.as_bytes()).text == html {
        true => html.as_bytes().to_vec(),
        false => format!("\u{FEFF}{html}").into_bytes(),
    }
}

fn load(app: &AppState, folder: &std::path::Path, id: String) -> Answer<Label> {
    let set = open(folder)?;
    let found = set.as_ref().and_then(|set| Some((set, set.truths.iter().find(|truth| truth.id == id)?)));
    let (set, truth) = found.ok_or_else(|| no_label(&id))?;
    let bytes = set.page(truth).map_err(|error| Problem::internal(error.to_string()))?;
    let decoder = truth.url.as_deref().map_or_else(Decoder::new, |url| Decoder::new().url(url));
    let html = decoder.decode(&bytes).text.into_owned();
    let key = PageRequest::default().extraction(Format::Json, &app.config().limits)?.key;
    let page = PageIn { url: truth.url.as_deref(), ..PageIn::of(Html::Text(&html)) };
    let (blocks, outdated) = app.work(key)?.analyze(&page, |_, _, analysis| {
        let labels = label::labels_of(&analysis.page, truth);
        let blocks = labels.iter().enumerate().map(|(block, label)| (block, label.name())).collect();
        let digest = label::blocks_digest(&analysis.page);
        (blocks, truth.blocks_digest.as_ref().is_some_and(|said| *said != digest))
    })?;
    let Truth { url, site, title, date, page_type, .. } = truth.clone();
    Ok(Label { id, url, site, title, date, page_type, html, blocks, outdated })
}
