//! Training: the server's model adapted to the labelled pages, in a thread of its own, to be kept or discarded.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use tamis::classify::Model;
use tamis_lab::train::{AdaptSettings, Adapted, PageChange, adapt};
use tamis_lab::{Set, whole_file};
use tamis_methods::CustomModel;
use utoipa::ToSchema;

use super::labels;
use crate::config::{Config, SetupError};
use crate::openapi::Problems;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// The file of a model that was kept, in the folder of the labels.
pub(crate) const MODEL: &str = "model.bin";

/// The routes.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/v1/training", get(status).post(start))
        .route("/v1/training/keep", post(keep))
        .route("/v1/training/discard", post(discard))
}

/// The training, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Training {
    state: TrainingState,
    done: usize,
    total: usize,
    error: Option<String>,
    model: Option<Arc<Model>>,
    pages: Vec<PageChange>,
    /// Ends the thread.
    cancel: Arc<AtomicBool>,
}

/// What the training does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TrainingState {
    /// There is none.
    #[default]
    Idle,
    /// It runs.
    Running,
    /// There is a model to keep or to discard.
    Done,
    /// It failed.
    Failed,
}

/// How far the training is, and what it changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrainingStatus {
    state: TrainingState,
    /// Steps that are done.
    done: usize,
    /// Steps in all.
    total: usize,
    /// Why it failed, and what to do.
    error: Option<String>,
    /// Mean scores of the labelled pages.
    labelled: Option<Scores>,
    /// Mean scores of other pages (`--sets`).
    others: Option<Scores>,
    /// The labelled pages, and those others that changed.
    changed: Vec<Change>,
}

/// Mean token F1, from 0 to 1.
#[derive(Serialize, ToSchema)]
pub(crate) struct Scores {
    pages: usize,
    /// Pages of which other blocks are kept now.
    changed: usize,
    before: f64,
    after: f64,
    /// By models that have not seen the site of the page.
    held_out: Option<f64>,
}

/// What changed on a page: token F1, from 0 to 1.
#[derive(Serialize, ToSchema)]
pub(crate) struct Change {
    id: String,
    set: String,
    labelled: bool,
    before: f64,
    after: f64,
    held_out: Option<f64>,
}

/// How far the training is.
#[utoipa::path(get, path = "/v1/training", tag = "labels", responses((status = 200, body = TrainingStatus),
    Problems))]
pub(crate) async fn status(State(app): State<AppState>) -> Answer<Json<TrainingStatus>> {
    folder(&app)?;
    Ok(Json(app.training().status()))
}

/// Starts a training with all labelled pages.
#[utoipa::path(post, path = "/v1/training", tag = "labels", responses((status = 202, body = TrainingStatus),
    Problems))]
pub(crate) async fn start(State(app): State<AppState>) -> Answer<(StatusCode, Json<TrainingStatus>)> {
    let folder = folder(&app)?;
    let cancel = {
        let mut training = app.training();
        if training.state == TrainingState::Running {
            return Err(Problem::new(StatusCode::CONFLICT, "a training runs: wait for it, or discard it"));
        }
        *training = Training { state: TrainingState::Running, total: 1, ..Training::default() };
        training.cancel.clone()
    };
    let (worker, stop) = (app.clone(), cancel.clone());
    let spawned = std::thread::Builder::new().name("training".to_owned()).spawn(move || {
        let trained = tamis_batch::guarded(|| train(&worker, folder, &stop));
        let trained = trained.unwrap_or_else(|error| Err(error.to_string()));
        let mut training = worker.training();
        // Discarded meanwhile: another one may run already.
        if !stop.load(Ordering::Relaxed) {
            training.finish(trained);
        }
    });
    if spawned.is_err() {
        *app.training() = Training::default();
        return Err(Problem::busy("no thread is left for a training: try again"));
    }
    Ok((StatusCode::ACCEPTED, Json(app.training().status())))
}

/// Makes the trained model the model of the server, and stores it beside the labels.
#[utoipa::path(post, path = "/v1/training/keep", tag = "labels", responses((status = 200, body = TrainingStatus),
    (status = 409, description = "There is none", body = Problem, content_type = "application/problem+json"), Problems))]
pub(crate) async fn keep(State(app): State<AppState>) -> Answer<Json<TrainingStatus>> {
    let file = folder(&app)?.join(MODEL);
    let missing =
        || Problem::new(StatusCode::CONFLICT, "there is no trained model: start a training and wait for it");
    let model = app.training().model.take().ok_or_else(missing)?;
    let bytes = model.clone();
    let written =
        app.pool().run(move || whole_file::write(&file, &bytes.to_bytes()).map_err(|error| (file, error)));
    if let Err((file, error)) = written.await? {
        app.training().model = Some(model);
        let detail =
            format!("cannot write {}: {error}; check the rights and the space there", file.display());
        return Err(Problem::internal(detail));
    }
    app.set_model(Some(CustomModel::from(model)));
    let mut training = app.training();
    *training = Training::default();
    Ok(Json(training.status()))
}

/// Forgets the trained model, or stops the training that runs.
#[utoipa::path(post, path = "/v1/training/discard", tag = "labels", responses((status = 200, body = TrainingStatus),
    Problems))]
pub(crate) async fn discard(State(app): State<AppState>) -> Answer<Json<TrainingStatus>> {
    folder(&app)?;
    let mut training = app.training();
    training.cancel.store(true, Ordering::Relaxed);
    *training = Training::default();
    Ok(Json(training.status()))
}

fn folder(app: &AppState) -> Answer<PathBuf> {
    app.config().labels.clone().ok_or_else(|| Problem::not_enabled("folder of labels", "--labels DIR"))
}

/// The model that an earlier training left, if one was kept.
pub(crate) fn kept(config: &Config) -> Result<Option<CustomModel>, SetupError> {
    let Some(file) = config.labels.as_ref().map(|folder| folder.join(MODEL)) else { return Ok(None) };
    let failed = |error: String| SetupError::Model { file: file.clone(), error };
    match std::fs::read(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error.to_string())),
        Ok(bytes) => CustomModel::from_bytes(&bytes).map(Some).map_err(|error| failed(error.to_string())),
    }
}

/// Always from the model that the server was started with: the same labels give the same model, however often it was trained.
fn train(app: &AppState, folder: PathBuf, cancel: &AtomicBool) -> Result<Adapted, String> {
    let labelled = labels::open(&folder).map_err(|problem| problem.detail)?;
    let labelled = labelled.ok_or("there are no labelled pages: label some, and start again")?;
    let mut others = Vec::new();
    for folder in &app.config().sets {
        others.extend(Set::open_all(folder).map_err(|error| format!("{error}: check --sets"))?);
    }
    let given = app.config().model.as_ref().and_then(|model| model.forests().cloned());
    let base = given.unwrap_or_else(|| Arc::new(Model::built_in()));
    // Requests go on meanwhile.
    let threads = app.config().limits.threads.div_ceil(2);
    let settings = AdaptSettings { threads, ..AdaptSettings::default() };
    let progress = |done: usize, total: usize| {
        let goes_on = !cancel.load(Ordering::Relaxed) && !app.is_draining();
        if goes_on {
            let mut training = app.training();
            (training.done, training.total) = (training.done.max(done.min(total)), total);
        }
        goes_on
    };
    adapt(&base, &labelled, &others, &settings, &progress)
        .map_err(|error| format!("{error}: label more pages, and start again"))
}

impl Training {
    fn finish(&mut self, trained: Result<Adapted, String>) {
        match trained {
            Ok(Adapted { model, pages, .. }) => {
                self.state = TrainingState::Done;
                self.done = self.total;
                self.model = Some(Arc::new(model));
                self.pages = pages;
            }
            Err(error) => {
                self.state = TrainingState::Failed;
                self.error = Some(error);
            }
        }
    }

    fn status(&self) -> TrainingStatus {
        let scores = |labelled: bool| {
            let pages: Vec<&PageChange> =
                self.pages.iter().filter(|page| page.labelled == labelled).collect();
            let mean = |values: Vec<f64>| {
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
            };
            Some(Scores {
                pages: pages.len(),
                changed: pages.iter().filter(|page| page.changed).count(),
                before: mean(pages.iter().map(|page| page.before).collect())?,
                after: mean(pages.iter().map(|page| page.after).collect())?,
                held_out: mean(pages.iter().filter_map(|page| page.held_out).collect()),
            })
        };
        let shown = self.pages.iter().filter(|page| page.labelled || page.changed);
        let change = |page: &PageChange| Change {
            id: page.id.clone(),
            set: page.set.clone(),
            labelled: page.labelled,
            before: page.before,
            after: page.after,
            held_out: page.held_out,
        };
        TrainingStatus {
            state: self.state,
            done: self.done,
            total: self.total,
            error: self.error.clone(),
            labelled: scores(true),
            others: scores(false),
            changed: shown.map(change).collect(),
        }
    }
}
