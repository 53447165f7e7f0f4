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
use tamis_batch::{Html, Record};
use tokio::time::timeout;

use super::extract::{extracted, from_json};
use crate::body::{Held, Memory};
use crate::format::Format;
use crate::options::PageRequest;
use crate::problem::{Answer, Problem};
use crate::state::AppState;

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
    query.extraction(Format::Json, &limits)?;
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
        async move { Ok::<_, std::convert::Infallible>(row(app, line, query).await) }
    });
    let body = Body::from_stream(rows.buffered(limits.threads.saturating_mul(2)));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// The record of a line, with a line end.
async fn row(app: AppState, line: Answer<Held>, query: PageRequest) -> Bytes {
    let there = app.clone();
    let work = |line: Held| async move {
        let work = move || {
            let line: PageRequest = from_json(&line.bytes)?;
            let about = line.or(query);
            let html = about.html.as_deref().ok_or_else(|| Problem::bad_request("the field html is missing"));
            let done = html.and_then(|html| extracted(&there, Html::Text(html), &about, Format::Json));
            let done = done.and_then(|row| there.memory().outgoing(row));
            Ok(done.unwrap_or_else(|problem| failed(&about, problem)))
        };
        app.pool().run_patiently(work).await?
    };
    let done = match line {
        Ok(line) => work(line).await,
        Err(problem) => Err(problem),
    };
    done.unwrap_or_else(|problem| failed(&PageRequest::default(), problem))
}

/// A record of a line that failed.
fn failed(about: &PageRequest, problem: Problem) -> Bytes {
    let mut record = Record::default();
    (record.id, record.url, record.error) = (about.id.clone(), about.url.clone(), Some(problem.detail));
    (record.to_json(tamis_batch::Fields::default()) + "\n").into()
}

/// The lines of a body.
struct Lines {
    body: Body,
    memory: Memory,
    /// What was received behind the last line.
    rest: Bytes,
    limit: u32,
    /// How long the next piece may take.
    patience: Duration,
    is_over: bool,
}

impl Lines {
    /// The next line that is not empty. One that is too long is read past.
    async fn next(&mut self) -> Option<Answer<Held>> {
        let mut held = self.memory.hold();
        let mut problem = None;
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
                continue;
            }
            match self.receive().await {
                Ok(Some(data)) => self.rest = data,
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

    async fn receive(&mut self) -> Answer<Option<Bytes>> {
        loop {
            let frame = timeout(self.patience, self.body.frame()).await;
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
