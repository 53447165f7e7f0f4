//! Site memory: what sites repeat, and a person's word on it.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::routing::{get, put};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tamis_site::{Decision, Edits, Error, Listing, Row, SiteKey, SiteProfile, Store, Verdict};
use utoipa::{IntoParams, ToSchema};

use super::extract::{check_json, from_json};
use crate::openapi::Problems;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Texts of a site in an answer, those of most pages first.
const MAX_TEXTS: usize = 2000;
/// How long another process may hold the file.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);

/// The routes.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/sites", get(list))
        .route("/v1/sites/{key}", get(show))
        .route("/v1/sites/{key}/verdicts", put(judge))
}

/// A site of the memory.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteEntry {
    key: String,
    /// Pages that are kept.
    pages: u64,
    /// Pages that were seen, an estimate where more were seen than are kept.
    pages_seen: u64,
    /// Texts that a person has decided on.
    verdicts: u64,
    bytes: u64,
}

/// The sites of the memory.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sites {
    sites: Vec<SiteEntry>,
}

/// What a site repeats.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteTexts {
    key: String,
    pages: u32,
    pages_seen: u64,
    texts: Vec<SiteText>,
}

/// A text that a site repeats.
#[derive(Serialize, ToSchema)]
pub(crate) struct SiteText {
    /// 16 hexadecimal digits.
    id: String,
    /// The text, or its beginning.
    text: String,
    /// Whether it is all of the text.
    whole: bool,
    /// Pages that have it, exactly or nearly.
    pages: u32,
    /// Different texts that are counted together because they are nearly the same.
    texts: u32,
    /// `line`, or the names of tags.
    kinds: Vec<String>,
    /// Whether it is dropped from new pages.
    dropped: bool,
    /// What a person said.
    verdict: Option<SiteVerdict>,
}

/// What a person says of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SiteVerdict {
    /// It is dropped, however seldom it repeats.
    Noise,
    /// It stays, however often it repeats.
    Content,
}

/// A person's word on a text.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerdictRequest {
    /// The id of the text: 16 hexadecimal digits.
    id: String,
    /// What it is; null leaves it to the counts again.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required = true)]
    verdict: Option<SiteVerdict>,
}

#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ShowQuery {
    /// Whether to show everything that two pages or more have, not only what is dropped.
    all: Option<bool>,
}

/// Lists the sites.
#[utoipa::path(get, path = "/v1/sites", tag = "sites", responses((status = 200, body = Sites),
    Problems))]
pub(crate) async fn list(State(app): State<AppState>) -> Answer<Json<Sites>> {
    let sites = with_store(&app, false, |store| store.sites()).await?;
    let entry = |site: tamis_site::SiteSummary| SiteEntry {
        key: site.key.as_str().to_owned(),
        pages: site.pages,
        pages_seen: site.pages_seen,
        verdicts: site.judged,
        bytes: site.bytes,
    };
    Ok(Json(Sites { sites: sites.into_iter().map(entry).collect() }))
}

/// Shows what a site repeats.
#[utoipa::path(get, path = "/v1/sites/{key}", tag = "sites",
    params(("key" = String, Path, description = "key of the site, such as example.com, or a host or URL of it"), ShowQuery),
    responses((status = 200, body = SiteTexts),
        Problems))]
pub(crate) async fn show(
    State(app): State<AppState>,
    key: Result<Path<String>, PathRejection>,
    query: Result<Query<ShowQuery>, QueryRejection>,
) -> Answer<Json<SiteTexts>> {
    let (Path(name), Query(query)) = (key?, query?);
    let asked = name.clone();
    let listing = with_store(&app, false, move |store| {
        let found = find(store, &asked)?;
        Ok(found.map(|(key, memory)| Listing::of(&key, &memory, query.all == Some(true))))
    });
    let listing = listing.await?.ok_or_else(|| no_site(&name))?;
    Ok(Json(SiteTexts {
        key: listing.site.as_str().to_owned(),
        pages: listing.pages,
        pages_seen: listing.pages_seen,
        texts: listing.rows.into_iter().take(MAX_TEXTS).map(SiteText::from).collect(),
    }))
}

/// Stores a person's word on a text; it wins over the counts.
#[utoipa::path(put, path = "/v1/sites/{key}/verdicts", tag = "sites", request_body = VerdictRequest,
    params(("key" = String, Path, description = "key of the site, such as example.com, or a host or URL of it")),
    responses((status = 204, description = "stored"),
        Problems))]
pub(crate) async fn judge(
    State(app): State<AppState>,
    key: Result<Path<String>, PathRejection>,
    request: Request,
) -> Answer<StatusCode> {
    let Path(name) = key?;
    check_json(&request)?;
    let held = app.memory().read(request.into_body(), app.config().limits.max_bytes).await?;
    let request: VerdictRequest = from_json(&held.bytes)?;
    let id = u64::from_str_radix(&request.id, 16).ok().filter(|_| request.id.len() == 16);
    let id =
        id.ok_or_else(|| Problem::bad_request("id: give the 16 hexadecimal digits of a text of the site"))?;
    let decision = request.verdict.map(|verdict| match verdict {
        SiteVerdict::Noise => Decision::Drop,
        SiteVerdict::Content => Decision::Keep,
    });
    let asked = name.clone();
    let stored = with_store(&app, true, move |store| {
        let Some((key, mut memory)) = find(store, &asked)? else { return Ok(None) };
        if Edits::one(key.clone(), id, decision).apply(&mut memory).is_err() {
            return Ok(Some(None));
        }
        store.merge(&key, &memory)?;
        Ok(Some(Some(key)))
    });
    match stored.await? {
        Some(Some(key)) => {
            // Requests from now on see it.
            if let Some(sites) = app.sites() {
                sites.forget(&key);
            }
            Ok(StatusCode::NO_CONTENT)
        }
        Some(None) => {
            let detail =
                format!("no text of the site has the id {}: /v1/sites/{name} lists them", request.id);
            Err(Problem::not_found(detail))
        }
        None => Err(no_site(&name)),
    }
}

impl From<Row> for SiteText {
    fn from(row: Row) -> SiteText {
        let verdict = row.verdict.decision().map(|decision| match decision {
            Decision::Drop => SiteVerdict::Noise,
            Decision::Keep => SiteVerdict::Content,
        });
        SiteText {
            id: format!("{:016x}", row.id),
            text: row.text,
            whole: row.whole,
            pages: row.pages,
            texts: row.texts,
            kinds: row.met_as,
            dropped: matches!(row.verdict, Verdict::Drop | Verdict::AutoDrop),
            verdict,
        }
    }
}

/// A site of the memory by its key, a host or the URL of a page.
fn find(store: &Store, name: &str) -> Result<Option<(SiteKey, SiteProfile)>, Error> {
    let keys = [SiteKey::named(name), SiteKey::from_url(name), SiteKey::from_url(&format!("http://{name}"))];
    for key in keys.into_iter().flatten() {
        if let Some(memory) = store.get(&key)? {
            return Ok(Some((key, memory)));
        }
    }
    Ok(None)
}

fn no_site(name: &str) -> Problem {
    Problem::not_found(format!("the memory does not have the site {name:?}: /v1/sites lists those it has"))
}

/// Opens the file for one request, so that other processes can use it in between.
async fn with_store<R: Send + 'static>(
    app: &AppState,
    writes: bool,
    work: impl FnOnce(&Store) -> Result<R, Error> + Send + 'static,
) -> Answer<R> {
    let Some(file) = app.config().sites.clone() else {
        return Err(Problem::not_enabled("site memory", "--sites FILE"));
    };
    let lock = app.data().sites.clone();
    let done = app.pool().run(move || {
        // One process has one writer or several readers; its own requests take turns.
        let _turn = lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let open = if writes { Store::reopen } else { Store::reopen_read_only };
        work(&open(&file, PATIENCE)?)
    });
    done.await?.map_err(|error| match error {
        Error::InUse { .. } => Problem::busy(format!("{error}: try again when the other process is done")),
        error => Problem::internal(error.to_string()),
    })
}
