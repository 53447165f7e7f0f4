//! `POST /v1/batch`: many pages, one JSON object per line, in and out. A line is read when there is room for it, so a client
//! that does not read what it gets back is not read any further.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use serde::Deserialize;
use tamis_batch::{Fields, Html, Record, RecordField};
use tokio::time::{Instant, timeout_at};

use super::extract::{extracted, from_json};
use crate::body::{Held, Memory};
use crate::format::Format;
use crate::options::{PageRequest, id};
use crate::problem::{Answer, Problem};
use crate::state::AppState;

/// Bytes of a line that a client must send in the time of a request.
const PACE: usize = 64 << 10;

/// Extract many pages.
///
/// The body has one JSON object per line, as `/v1/extract` takes it; the answer has one record per line, in the same order,
/// while the body is still being sent. Options for all lines stand in the query. A line that fails is a record with its
/// `error`.
#[utoipa::path(
    post, path = "/v1/batch", tag = "pages", params(PageRequest),
    request_body(content((String = "application/x-ndjson"))),
    responses(
        (status = 200, description = "Records, one per line", content((String = "application/x-ndjson"))),
        crate::openapi::Problems,
    )
)]
pub(crate) async fn batch(
    State(app): State<AppState>,
    query: Result<Query<PageRequest>, QueryRejection>,
    request: Request,
) -> Answer<Response> {
    let Query(query) = query?;
    let limits = app.config().limits;
    // A line that fails says why, whatever is asked for.
    let fields = query.extraction(Format::Json, &limits)?.key.fields.with(&[RecordField::Error]);
    let lines = Lines {
        body: request.into_body(),
        memory: app.memory().clone(),
        rest: Bytes::new(),
        limit: limits.max_bytes,
        patience: limits.request_timeout,
        is_over: false,
    };
    let lines = stream::unfold(lines, async |mut lines| Some((lines.next().await?, lines)));
    let rows = lines.map(move |line| {
        let (app, query) = (app.clone(), query.clone());
        async move { Ok::<_, std::convert::Infallible>(row(app, line, query, fields).await) }
    });
    let body = Body::from_stream(rows.buffered(limits.threads.saturating_mul(2)));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// The record of a line, with a line end.
async fn row(app: AppState, line: Answer<Held>, query: PageRequest, fields: Fields) -> Bytes {
    let failed = move |about: &Known, problem: Problem| {
        let mut record = Record::default();
        (record.id, record.url, record.error) = (about.id.clone(), about.url.clone(), Some(problem.detail));
        Bytes::from(record.to_json(fields) + "\n")
    };
    let there = app.clone();
    let extract = |line: Held| {
        app.pool().run_patiently(move || {
            let done = from_json::<PageRequest>(&line.bytes).and_then(|line| {
                let about = line.or(query);
                let html = about.html.as_deref();
                let html = html.ok_or_else(|| Problem::bad_request("the field html is missing"))?;
                let row = extracted(&there, Html::Text(html), &about, Format::Json)?;
                there.memory().outgoing(row)
            });
            done.unwrap_or_else(|problem| {
                failed(&serde_json::from_slice(&line.bytes).unwrap_or_default(), problem)
            })
        })
    };
    let done = match line {
        Ok(line) => extract(line).await,
        Err(problem) => Err(problem),
    };
    done.unwrap_or_else(|problem| failed(&Known::default(), problem))
}

/// What identifies the page of a line that failed.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Known {
    #[serde(deserialize_with = "id")]
    id: Option<String>,
    url: Option<String>,
}

/// The lines of a body.
struct Lines {
    body: Body,
    memory: Memory,
    /// What was received behind the last line.
    rest: Bytes,
    limit: u32,
    /// How long the next line may take, or the next [`PACE`] bytes of it.
    patience: Duration,
    is_over: bool,
}

impl Lines {
    /// The next line that is not empty. One that is too long is read past.
    async fn next(&mut self) -> Option<Answer<Held>> {
        let mut held = self.memory.hold();
        let mut problem = None;
        let (mut pace, mut until) = (0, Instant::now() + self.patience);
        while !self.is_over {
            let end = self.rest.iter().position(|byte| *byte == b'\n');
            let piece = self.rest.split_to(end.unwrap_or(self.rest.len()));
            if held.bytes.len() + piece.len() > self.limit as usize {
                problem.get_or_insert_with(|| Problem::too_large(self.limit.into()));
                held = self.memory.hold();
            }
            if problem.is_none()
                && let Err(full) = held.add(&self.memory, &piece)
            {
                problem = Some(full);
                held = self.memory.hold();
            }
            if end.is_some() {
                let _line_end = self.rest.split_to(1);
                if problem.is_some() || !is_blank(&held) {
                    break;
                }
                held = self.memory.hold();
                (pace, until) = (0, Instant::now() + self.patience);
                continue;
            }
            match self.receive(until).await {
                Ok(Some(data)) => {
                    pace += data.len();
                    if pace >= PACE {
                        (pace, until) = (0, Instant::now() + self.patience);
                    }
                    self.rest = data;
                }
                Ok(None) => self.is_over = true,
                Err(ended) => {
                    self.is_over = true;
                    problem = Some(ended);
                }
            }
        }
        match problem {
            Some(problem) => Some(Err(problem)),
            None => (!is_blank(&held)).then_some(Ok(held)),
        }
    }

    async fn receive(&mut self, until: Instant) -> Answer<Option<Bytes>> {
        loop {
            let frame = timeout_at(until, self.body.frame()).await;
            let frame =
                frame.map_err(|_| Problem::too_slow("the next line did not come", "--request-timeout"))?;
            match frame {
                None => return Ok(None),
                Some(Err(_)) => {
                    return Err(Problem::bad_request("the body ended early: send the rest again"));
                }
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
            }
        }
    }
}

fn is_blank(line: &Held) -> bool {
    line.bytes.iter().all(u8::is_ascii_whitespace)
}
