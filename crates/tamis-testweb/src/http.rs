//! Requests and replies: the part of HTTP/1.1 that the test web needs.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::date;

/// Longest accepted request head.
const MAX_HEAD: usize = 64 * 1024;

/// A parsed request head.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path without the query.
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) user_agent: String,
    pub(crate) if_none_match: Option<String>,
    pub(crate) if_modified_since: Option<String>,
    pub(crate) accepts_gzip: bool,
    /// The client wants the connection closed after the reply.
    pub(crate) close: bool,
}

impl Request {
    /// Parses a head, from the request line to the empty line.
    pub(crate) fn parse(head: &str) -> Option<Request> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if !target.starts_with('/') || !version.starts_with("HTTP/1.") {
            return None;
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            close: version == "HTTP/1.0",
            ..Request::default()
        };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "user-agent" => request.user_agent = value.to_owned(),
                "if-none-match" => request.if_none_match = Some(value.to_owned()),
                "if-modified-since" => request.if_modified_since = Some(value.to_owned()),
                "accept-encoding" => request.accepts_gzip = value.contains("gzip"),
                "connection" => request.close = value.eq_ignore_ascii_case("close"),
                _ => {}
            }
        }
        Some(request)
    }

    /// Path and query as the client sent them.
    pub(crate) fn target(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }

    /// The value of a query parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }
}

/// Reads request heads from one connection.
#[derive(Default)]
pub(crate) struct Heads {
    buffer: Vec<u8>,
}

impl Heads {
    /// The next head; `None` if the client is gone, the request is malformed, or `stop` returns true.
    pub(crate) fn next(&mut self, stream: &mut TcpStream, stop: impl Fn() -> bool) -> Option<Request> {
        let mut chunk = [0; 4096];
        loop {
            if let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
                self.buffer.drain(..end + 4);
                return Request::parse(&head);
            }
            match stream.read(&mut chunk) {
                Ok(0) => return None,
                Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return None,
            }
            if stop() || self.buffer.len() > MAX_HEAD {
                return None;
            }
        }
    }
}

/// The body of a reply.
pub(crate) enum Body {
    /// The whole body.
    Whole(Vec<u8>),
    /// A part of the body, after which the connection is dropped.
    Dropped(Vec<u8>),
    /// The same bytes repeated until the client disconnects.
    Endless(&'static [u8]),
    /// No answer at all: the connection closes.
    Silence,
}

/// A reply before it is written.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Header lines besides length, connection and validators, each with its line end.
    pub(crate) headers: String,
    pub(crate) body: Body,
    /// Delay before the answer.
    pub(crate) delay: Duration,
    /// The value of `Retry-After`.
    pub(crate) retry_after: Option<Duration>,
    /// Time of the last change; without it, the page has no validators.
    pub(crate) modified: Option<u64>,
}

impl Reply {
    /// A page of HTML.
    pub(crate) fn html(text: String) -> Reply {
        Self::text("text/html; charset=utf-8", text)
    }

    /// A text of this media type.
    pub(crate) fn text(media_type: &str, text: String) -> Reply {
        Self::bytes(media_type, text.into_bytes())
    }

    /// Bytes of this media type.
    pub(crate) fn bytes(media_type: &str, bytes: Vec<u8>) -> Reply {
        Reply {
            status: 200,
            headers: format!("Content-Type: {media_type}\r\n"),
            body: Body::Whole(bytes),
            delay: Duration::ZERO,
            retry_after: None,
            modified: None,
        }
    }

    /// A short error page.
    pub(crate) fn error(status: u16) -> Reply {
        let text = format!("<!DOCTYPE html><title>Error {status}</title><h1>Error {status}</h1>");
        Reply { status, ..Reply::html(text) }
    }

    /// A redirect.
    pub(crate) fn redirect(status: u16, target: &str) -> Reply {
        Reply { status, headers: format!("Location: {target}\r\n"), ..Reply::error(status) }
    }

    /// The same reply with one more header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Reply {
        self.headers.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    /// Adds the validators, and omits the body (304) if the client already has it.
    pub(crate) fn validated(mut self, request: &Request) -> Reply {
        let (Some(modified), Body::Whole(body), 200) = (self.modified, &self.body, self.status) else {
            return self;
        };
        let tag = format!("\"{:016x}\"", fnv(body));
        let modified = date::http(modified);
        let is_unchanged = match (&request.if_none_match, &request.if_modified_since) {
            (Some(tags), _) => tags.contains(&tag),
            (None, Some(since)) => *since == modified,
            (None, None) => false,
        };
        if is_unchanged {
            self.status = 304;
            self.body = Body::Whole(Vec::new());
        }
        self.with("ETag", &tag).with("Last-Modified", &modified)
    }

    /// Writes head and body with one call, so that the client has nothing before the reply is complete.
    pub(crate) fn write(
        &self,
        stream: &mut TcpStream,
        close: bool,
        stop: impl Fn() -> bool,
    ) -> std::io::Result<()> {
        let reason = if self.status < 400 { "OK" } else { "Error" };
        let connection = if close { "close" } else { "keep-alive" };
        let mut out =
            format!("HTTP/1.1 {} {reason}\r\n{}Connection: {connection}\r\n", self.status, self.headers)
                .into_bytes();
        match &self.body {
            Body::Whole(body) => {
                if self.status != 304 {
                    write!(out, "Content-Length: {}\r\n", body.len())?;
                }
                out.extend_from_slice(b"\r\n");
                out.extend_from_slice(body);
                stream.write_all(&out)
            }
            Body::Dropped(body) => {
                write!(out, "Content-Length: {}\r\n\r\n", body.len() * 2)?;
                out.extend_from_slice(body);
                stream.write_all(&out)
            }
            Body::Endless(piece) => {
                out.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
                stream.write_all(&out)?;
                let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
                chunk.extend_from_slice(piece);
                chunk.extend_from_slice(b"\r\n");
                // Bounded nevertheless: no client of a test reads a gigabyte.
                for _ in 0..(1 << 30) / chunk.len() {
                    if stop() {
                        break;
                    }
                    stream.write_all(&chunk)?;
                }
                Ok(())
            }
            Body::Silence => Ok(()),
        }
    }
}

/// FNV-1a over words of eight bytes.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xCBF2_9CE4_8422_2325, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
    })
}
