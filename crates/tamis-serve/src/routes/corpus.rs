//! The stories of a corpus: search, single stories with all that belongs to them, counts by day.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tamis_corpus::database::Transaction;
use tamis_corpus::diff::words;
use tamis_corpus::search::{MAX_CANDIDATES, Position, Query as Words, Sort, newest, search};
use tamis_corpus::stats::timeline;
use tamis_corpus::story::{self, Story};
use tamis_corpus::{Bound, Error, Filter, decompress, load_raw, raw_pages};
use tamis_html::decode::Decoder;
use utoipa::openapi::path::Parameter;
use utoipa::{IntoParams, OpenApi, ToSchema};

use crate::openapi::Problems;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Stories of an answer, unless it is asked for fewer.
const MAX_STORIES: usize = 100;

/// The routes.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/corpus/search", get(find))
        .route("/v1/corpus/days", get(days))
        .route("/v1/corpus/stories/{id}", get(show))
        .route("/v1/corpus/stories/{id}/diff", get(diff))
        .route("/v1/corpus/stories/{id}/raw", get(raw))
}

/// The routes in the OpenAPI document.
pub(crate) fn openapi() -> utoipa::openapi::OpenApi {
    Api::openapi()
}

#[derive(OpenApi)]
#[openapi(paths(find, days, show, diff, raw))]
struct Api;

/// Which stories.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FilterQuery {
    /// Only stories of this outlet or host.
    source: Option<String>,
    /// Only stories of this host and its subdomains.
    host: Option<String>,
    /// Only stories in this language; `zh` includes `zh-CN`.
    language: Option<String>,
    /// Only stories of this page type.
    page_type: Option<String>,
    /// Only stories from this day or time on (published, else fetched): `2026-11-01`, or `2026-11-01T08:00Z`.
    since: Option<String>,
    /// Only stories until the end of this day, or before this time.
    until: Option<String>,
}

impl FilterQuery {
    fn filter(self) -> Answer<Filter> {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let time = |name: &str, bound: Bound, text: Option<String>| {
            let parse = |text: String| {
                let wrong =
                    format!("{name}: give a day such as 2026-11-01, or a time such as 2026-11-01T08:00Z");
                bound.parse(&text).ok_or_else(|| Problem::bad_request(wrong))
            };
            given(text).map(parse).transpose()
        };
        Ok(Filter {
            since: time("since", Bound::Since, self.since)?,
            until: time("until", Bound::Until, self.until)?,
            language: given(self.language),
            host: given(self.host),
            source: given(self.source),
            page_type: given(self.page_type),
        })
    }
}

/// Refuses parameters that the route does not have: with a misspelt filter it would find everything.
fn check_names(uri: &Uri, known: &[Vec<Parameter>]) -> Answer<()> {
    let Query(given) = Query::<Vec<(String, String)>>::try_from_uri(uri)?;
    let names: Vec<&str> = known.iter().flatten().map(|parameter| &*parameter.name).collect();
    match given.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        Some((name, _)) => {
            let names = names.join(", ");
            Err(Problem::bad_request(format!("query: unknown parameter {name:?}, expected one of {names}")))
        }
        None => Ok(()),
    }
}

/// What to find, and which part of it.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Words, all of which must match; `"a phrase"`, `-excluded`, `prefix*`, `OR`. Without it, the newest stories.
    q: Option<String>,
    /// The order of stories that match words.
    #[param(inline)]
    sort: Option<SortBy>,
    /// Whether to show all near-duplicates instead of one of a group.
    duplicates: Option<bool>,
    /// Stories in the answer; 20 without it.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// The `cursor` of the answer before.
    cursor: Option<String>,
}

/// The order of stories.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SortBy {
    /// Best first.
    #[default]
    Relevance,
    /// Newest first.
    Newest,
}

/// Finds stories.
#[utoipa::path(get, path = "/v1/corpus/search", params(SearchQuery, FilterQuery), tag = "corpus",
    responses((status = 200, description = "`stories`, and the `cursor` of the next ones", body = Object),
        Problems))]
pub(crate) async fn find(
    State(app): State<AppState>,
    query: Result<Query<SearchQuery>, QueryRejection>,
    filter: Result<Query<FilterQuery>, QueryRejection>,
    uri: Uri,
) -> Answer<Json<Value>> {
    let (Query(query), Query(filter)) = (query?, filter?);
    check_names(&uri, &[SearchQuery::into_params(|| None), FilterQuery::into_params(|| None)])?;
    let filter = filter.filter()?;
    let limit = query.limit.unwrap_or(20);
    if !(1..=MAX_STORIES).contains(&limit) {
        return Err(Problem::bad_request(format!("limit: give a number from 1 to {MAX_STORIES}")));
    }
    let wrong = || Problem::bad_request("cursor: give the cursor of an answer to the same query, or none");
    let cursor = query.cursor.filter(|cursor| !cursor.is_empty());
    let text = query.q.filter(|text| !text.trim().is_empty());
    let Some(text) = text else {
        let after = cursor.map(|cursor| {
            let (time, id) = cursor.strip_prefix('t')?.split_once('.')?;
            Some(Position { time: time.parse().ok()?, id: id.parse().ok()? })
        });
        let after = after.map(|after| after.ok_or_else(wrong)).transpose()?;
        let (mut hits, last) = read(&app, move |tx| newest(tx, &filter, after, limit)).await?;
        let cursor = last.filter(|_| hits.len() == limit).map(|last| format!("t{}.{}", last.time, last.id));
        // Nothing was searched for.
        hits.iter_mut().for_each(|hit| hit.snippet.hits.clear());
        return Ok(Json(json!({ "stories": hits, "cursor": cursor })));
    };
    let offset = cursor.map(|cursor| cursor.strip_prefix('o')?.parse::<usize>().ok());
    let offset = offset.map(|offset| offset.ok_or_else(wrong)).transpose()?.unwrap_or(0);
    let words = Words {
        text,
        filter,
        group_duplicates: query.duplicates != Some(true),
        sort: match query.sort.unwrap_or_default() {
            SortBy::Relevance => Sort::Relevance,
            SortBy::Newest => Sort::Newest,
        },
        limit,
        offset: offset.min(MAX_CANDIDATES),
    };
    let hits = read(&app, move |tx| search(tx, &words)).await?;
    let next = offset.saturating_add(hits.len());
    let cursor = (hits.len() == limit && next < MAX_CANDIDATES).then(|| format!("o{next}"));
    Ok(Json(json!({ "stories": hits, "cursor": cursor })))
}

/// Counts stories by day and source.
#[utoipa::path(get, path = "/v1/corpus/days", params(FilterQuery), tag = "corpus",
    responses((status = 200, description = "days, oldest first, and what stories can be filtered by", body = Object),
        Problems))]
pub(crate) async fn days(
    State(app): State<AppState>,
    filter: Result<Query<FilterQuery>, QueryRejection>,
    uri: Uri,
) -> Answer<Json<Value>> {
    let filter = filter?.0.filter()?;
    check_names(&uri, &[FilterQuery::into_params(|| None)])?;
    let counted = read(&app, move |tx| timeline(tx, &filter)).await?;
    Ok(Json(json!(counted)))
}

/// A story with its versions, comments, near-duplicates and the pages that are kept of it.
#[utoipa::path(get, path = "/v1/corpus/stories/{id}", params(("id" = i64, Path, description = "number of the story")),
    tag = "corpus", responses((status = 200, description = "the story", body = Object),
        Problems))]
pub(crate) async fn show(
    State(app): State<AppState>,
    id: Result<Path<i64>, PathRejection>,
) -> Answer<Json<Value>> {
    let Path(id) = id?;
    let story = read(&app, move |tx| {
        let Some(story) = Story::load(tx, id)? else { return Ok(None) };
        let mut value = json!(story);
        value["versions"] = json!(story::versions(tx, id)?);
        value["pages"] = json!(story::parts(tx, id)?);
        value["comments"] = json!(story::comments(tx, id)?);
        value["near_duplicates"] = json!(story::near_duplicates(tx, id)?);
        value["raw"] = json!(raw_pages(tx, id)?);
        Ok(Some(value))
    });
    story.await?.map(Json).ok_or_else(|| no_story(id))
}

/// Which versions.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DiffQuery {
    /// Number of the older version; without it, the one before `to`.
    #[param(minimum = 1)]
    from: Option<u32>,
    /// Number of the newer version; without it, the current one.
    #[param(minimum = 1)]
    to: Option<u32>,
}

/// What changed between two versions of a story, word by word.
#[utoipa::path(get, path = "/v1/corpus/stories/{id}/diff", tag = "corpus",
    params(("id" = i64, Path, description = "number of the story"), DiffQuery),
    responses((status = 200, description = "title and text in pieces: same, removed or added", body = Object),
        Problems))]
pub(crate) async fn diff(
    State(app): State<AppState>,
    id: Result<Path<i64>, PathRejection>,
    query: Result<Query<DiffQuery>, QueryRejection>,
) -> Answer<Json<Value>> {
    let (Path(id), Query(DiffQuery { from, to })) = (id?, query?);
    let found = read(&app, move |tx| {
        let Some(story) = Story::load(tx, id)? else { return Ok(Err(no_story(id))) };
        let last = story.revisions.saturating_add(1);
        let to = to.unwrap_or(last);
        let from = from.unwrap_or(to.saturating_sub(1).max(1));
        let (before, after) = (story::version_text(tx, id, from)?, story::version_text(tx, id, to)?);
        let (Some(before), Some(after)) = (before, after) else {
            return Ok(Err(Problem::not_found(format!(
                "the story has the versions 1 to {last}: give two of them"
            ))));
        };
        let title = |title: &Option<String>| title.clone().unwrap_or_default();
        let titles = (title(&before.0), title(&after.0));
        Ok(Ok(json!({
            "from": from,
            "to": to,
            "title": words(&titles.0, &titles.1),
            "text": words(&before.1, &after.1),
        })))
    });
    found.await?.map(Json)
}

/// Which of the pages.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RawQuery {
    /// The URL of the page, one of those under `raw` of the story; without it, its first page.
    url: Option<String>,
}

/// The page of a story as it was fetched, decoded, as plain text: it is for programs, and no browser shows it as a page.
#[utoipa::path(get, path = "/v1/corpus/stories/{id}/raw", tag = "corpus",
    params(("id" = i64, Path, description = "number of the story"), RawQuery),
    responses((status = 200, description = "the page", body = String, content_type = "text/plain"),
        Problems))]
pub(crate) async fn raw(
    State(app): State<AppState>,
    id: Result<Path<i64>, PathRejection>,
    query: Result<Query<RawQuery>, QueryRejection>,
) -> Answer<Response> {
    let (Path(id), Query(RawQuery { url })) = (id?, query?);
    let max_bytes = u64::from(app.config().limits.max_bytes);
    let page = read(&app, move |tx| {
        let kept = raw_pages(tx, id)?;
        let page = kept.into_iter().find(|page| url.as_ref().is_none_or(|url| *url == page.url));
        let Some(page) = page else { return Ok(None) };
        let Some(raw) = load_raw(tx, &page.url)? else { return Ok(None) };
        let bytes = decompress(&raw.body, max_bytes)?;
        let decoder = Decoder::new().url(&raw.url);
        let decoder = match &raw.content_type {
            Some(content_type) => decoder.content_type(content_type),
            None => decoder,
        };
        Ok(Some(decoder.decode(&bytes).text.into_owned()))
    });
    let missing = "the corpus keeps no such page of this story: `raw` of the story lists those it keeps";
    let page = page.await?.ok_or_else(|| Problem::not_found(missing))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], page).into_response())
}

fn no_story(id: i64) -> Problem {
    Problem::not_found(format!("there is no story {id}: /v1/corpus/search finds stories"))
}

/// Reads from the corpus, off the threads that serve connections.
async fn read<R: Send + 'static>(
    app: &AppState,
    work: impl FnOnce(&mut Transaction<'_>) -> Result<R, Error> + Send + 'static,
) -> Answer<R> {
    let Some(corpus) = app.data().corpus.clone() else {
        return Err(Problem::not_enabled("corpus", "--db FILE"));
    };
    let done = app.pool().run(move || corpus.read(work)).await?;
    done.map_err(|error| match error {
        error if error.is_transient() => Problem::busy(format!("{error}: try again")),
        error @ Error::Unreachable { .. } => {
            Problem::busy(format!("{error}: check that the database server runs"))
        }
        error => Problem::internal(error.to_string()),
    })
}
