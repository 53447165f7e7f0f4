//! Bodies: those of requests are read piece by piece, so that one that is too large is refused before it is held; answers
//! count until their clients have taken them. All bodies together stay below a bound.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::{Answer, Problem};

/// A body that is refused is read past up to this size, or the client would see a broken connection in place of the answer.
const MAX_DISCARDED: u64 = 4 << 20;
/// And for this long.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);
/// Room that is made for a body of known length before it comes: more than nearly all pages need.
const MAX_RESERVED: u64 = 1 << 20;

/// Reads past a body that is not wanted, unless it is large.
pub(crate) async fn discard(mut body: Body) {
    if body.size_hint().lower() > MAX_DISCARDED {
        return;
    }
    let read = async {
        let mut rest = MAX_DISCARDED;
        while let Some(Ok(frame)) = body.frame().await {
            let Some(less) = rest.checked_sub(frame.data_ref().map_or(0, |data| data.len() as u64)) else {
                return;
            };
            rest = less;
        }
    };
    let _ = timeout(DISCARD_TIMEOUT, read).await;
}

/// Memory for bodies, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<Semaphore>);

/// Bytes to be sent, and their share of the memory.
struct Outgoing {
    bytes: Bytes,
    _share: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Outgoing {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A body, and its share of the memory.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) bytes: Vec<u8>,
    share: Option<OwnedSemaphorePermit>,
}

impl Memory {
    pub(crate) fn new(bytes: u32) -> Memory {
        Memory(Arc::new(Semaphore::new(bytes as usize)))
    }

    /// Bytes that are held, of all that may be.
    pub(crate) fn in_use(&self, all: u32) -> usize {
        all as usize - self.0.available_permits()
    }

    /// Nothing, to which bytes are added.
    pub(crate) fn hold(&self) -> Held {
        Held { bytes: Vec::new(), share: None }
    }

    /// Reads a body of at most `limit` bytes.
    pub(crate) async fn read(&self, mut body: Body, limit: u32) -> Answer<Held> {
        let held = self.read_some(&mut body, limit).await;
        if held.is_err() {
            discard(body).await;
        }
        held
    }

    /// Counts bytes until they are sent or given up.
    pub(crate) fn outgoing(&self, bytes: impl Into<Bytes>) -> Answer<Bytes> {
        let bytes = bytes.into();
        let share = self.share(bytes.len())?;
        Ok(Bytes::from_owner(Outgoing { bytes, _share: share }))
    }

    /// Counts the body of an answer that is there as a whole.
    pub(crate) async fn answer(&self, response: Response) -> Response {
        let (head, body) = response.into_parts();
        let Ok(body) = body.collect().await else {
            return Problem::internal("the answer ended early").into_response();
        };
        match self.outgoing(body.to_bytes()) {
            Ok(bytes) => Response::from_parts(head, Body::from(bytes)),
            Err(problem) => problem.into_response(),
        }
    }

    fn share(&self, bytes: usize) -> Answer<OwnedSemaphorePermit> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.0.clone().try_acquire_many_owned(bytes).map_err(|_| {
            Problem::busy(
                "too many bytes are waiting: try again, or start the server with a larger --max-memory",
            )
        })
    }

    async fn read_some(&self, body: &mut Body, limit: u32) -> Answer<Held> {
        // Its length, if the client says it.
        if body.size_hint().lower() > u64::from(limit) {
            return Err(Problem::too_large(limit.into()));
        }
        let mut held = self.hold();
        held.bytes.reserve_exact(body.size_hint().lower().min(MAX_RESERVED) as usize);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Problem::bad_request("the body ended early: send it again"))?;
            let Ok(data) = frame.into_data() else { continue };
            if held.bytes.len() + data.len() > limit as usize {
                return Err(Problem::too_large(limit.into()));
            }
            held.add(self, &data)?;
        }
        Ok(held)
    }
}

impl Held {
    /// Adds bytes.
    pub(crate) fn add(&mut self, memory: &Memory, data: &[u8]) -> Answer<()> {
        self.reserve(memory, data.len())?;
        self.bytes.extend_from_slice(data);
        Ok(())
    }

    /// Takes bytes over.
    pub(crate) fn take(&mut self, memory: &Memory, data: Vec<u8>) -> Answer<()> {
        self.reserve(memory, data.len())?;
        self.bytes = data;
        Ok(())
    }

    fn reserve(&mut self, memory: &Memory, bytes: usize) -> Answer<()> {
        let share = memory.share(bytes)?;
        match &mut self.share {
            Some(held) => held.merge(share),
            None => self.share = Some(share),
        }
        Ok(())
    }
}
