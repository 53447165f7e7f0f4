//! WARC archives (0.17 to 1.1): the HTTP responses in them, also from damaged files.
//!
//! The declared length of a record may be wrong. It is accepted if another record or the end follows; otherwise the
//! next record is searched for from the start of this one. In a compressed archive, each record is a member, whose end
//! is further evidence.

use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use super::unpack::Unpacked;
use super::{Reader, damage, unreadable};
use crate::item::{About, Body, Failure, Item, Mark, Packing, Place};
use crate::page_error::PageError;
use crate::time;

/// Maximum size of a record's head.
const MAX_HEAD: usize = 64 << 10;
/// Added to the size limit of pages, for the response's head.
const HTTP_HEAD: u64 = 1 << 20;

pub(crate) struct Warc {
    file: Arc<str>,
    input: Unpacked,
    most: u64,
    /// Records of the current member, for archives with one member.
    in_member: u64,
    ended: bool,
    /// The URL of the current record, for messages about truncation.
    url: Option<String>,
}

/// The relevant fields of a record's head.
#[derive(Default)]
struct Head {
    is_response: bool,
    length: Option<u64>,
    url: Option<String>,
    date: Option<i64>,
    id: Option<String>,
    truncated: Option<String>,
}

impl Warc {
    pub(crate) fn open(
        path: &Path,
        packing: Packing,
        file: Arc<str>,
        most: u32,
        from: Mark,
    ) -> io::Result<Warc> {
        let mut input = Unpacked::open(path, packing)?;
        input.go_to(from.offset)?;
        let mut warc =
            Warc { file, input, most: u64::from(most) + HTTP_HEAD, in_member: 0, ended: false, url: None };
        for _ in 0..from.items {
            warc.next_item();
        }
        Ok(warc)
    }

    fn place(&self, offset: u64) -> Place {
        Place { file: self.file.clone(), offset: Some(offset) }
    }

    fn item(&self, offset: u64, head: Head, body: Body) -> Item {
        let plain = self.input.is_plain();
        let next = match plain || !self.input.in_member() {
            true => Mark {
                items: 0,
                offset: if plain { self.input.offset() } else { self.input.raw_offset() },
                source: 0,
            },
            false => Mark { items: self.in_member, offset: self.input.offset(), source: 0 },
        };
        let cut = |why| format!("the archive has only a part of the page (WARC-Truncated: {why})");
        let about = About {
            url: head.url,
            fetched: head.date,
            id: head.id,
            fault: head.truncated.map(cut),
            ..About::at(self.place(offset))
        };
        Item { about, name: Some(format!("{offset}-{}", self.in_member)), body, next }
    }

    /// The next record of the member; `None` at its end.
    fn record(&mut self) -> io::Result<Option<Item>> {
        // Damage before the head is read has no URL, in particular not that of the previous record.
        self.url = None;
        self.skip_line_ends()?;
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let begin = self.input.offset();
        let head = self.head()?;
        self.url.clone_from(&head.url);
        self.in_member += 1;
        let Some(length) = head.length else {
            self.next_head()?;
            return Ok(Some(self.lied(begin, head, "the record has no Content-Length".to_owned())));
        };
        let content = self.input.offset();
        let is_over = self.input.is_plain() && content.saturating_add(length) > self.input.length();
        let mut bytes = Vec::new();
        let mut held = false;
        if !is_over {
            if head.is_response && length <= self.most {
                bytes.reserve(length.min(4 << 20) as usize);
                (&mut self.input).take(length).read_to_end(&mut bytes)?;
                held = true;
                if bytes.len() as u64 == length && self.is_at_an_end()? {
                    let body = Body::Http(bytes);
                    return Ok(Some(self.end(begin, head, body)?));
                }
            } else if self.skip(length)? && self.is_at_an_end()? {
                let body = match head.is_response {
                    true => {
                        let limit = (self.most - HTTP_HEAD).try_into().unwrap_or(u32::MAX);
                        Body::Failed(Failure::page(PageError::TooLarge(limit)))
                    }
                    false => Body::Passed,
                };
                return Ok(Some(self.end(begin, head, body)?));
            }
        }
        // The length is wrong. The next record is somewhere after this one's head.
        if self.input.is_plain() {
            self.input.go_to(content)?;
            self.input.open_member()?;
        } else if held {
            self.input.put_back(&bytes);
        }
        self.next_head()?;
        let what = format!("the record does not end after its Content-Length of {length} bytes");
        Ok(Some(self.lied(begin, head, what)))
    }

    fn lied(&self, begin: u64, head: Head, what: String) -> Item {
        let what = format!("{}: {what}", self.place(begin));
        self.item(begin, head, Body::Failed(Failure::damage(what)))
    }

    /// After a valid record: leaves a member that ends here, so that reading can resume at the next one.
    fn end(&mut self, begin: u64, head: Head, body: Body) -> io::Result<Item> {
        if !self.input.is_plain() && self.input.fill_buf()?.is_empty() {
            self.input.end_member();
        }
        Ok(self.item(begin, head, body))
    }

    fn head(&mut self) -> io::Result<Head> {
        let mut head = Head::default();
        let mut line = Vec::new();
        let mut room = MAX_HEAD;
        // The standard asks for a `Content-Type` and does not require one.
        let mut is_http = true;
        let mut is_first = true;
        loop {
            line.clear();
            let count = (&mut self.input).take(room as u64).read_until(b'\n', &mut line)?;
            room -= count;
            if is_first && !line.starts_with(b"WARC/") {
                return Err(invalid("no WARC record starts here"));
            }
            if !line.ends_with(b"\n") {
                return Err(if room == 0 {
                    invalid("the header of the record does not end")
                } else {
                    io::ErrorKind::UnexpectedEof.into()
                });
            }
            let text = line.trim_ascii();
            if text.is_empty() {
                break;
            }
            if !is_first && let Some(colon) = text.iter().position(|byte| *byte == b':') {
                let (name, value) = (&text[..colon], text[colon + 1..].trim_ascii());
                let value = String::from_utf8_lossy(value);
                let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
                if is("WARC-Type") {
                    head.is_response = value.eq_ignore_ascii_case("response");
                } else if is("Content-Length") {
                    head.length = value.parse().ok();
                } else if is("WARC-Target-URI") {
                    head.url = Some(value.trim_matches(['<', '>']).to_owned());
                } else if is("WARC-Record-ID") {
                    head.id = Some(value.trim_matches(['<', '>']).to_owned());
                } else if is("WARC-Date") {
                    head.date = time::parse(&value);
                } else if is("WARC-Truncated") {
                    head.truncated = Some(value.into_owned());
                } else if is("Content-Type") {
                    is_http = value.to_ascii_lowercase().starts_with("application/http");
                }
            }
            is_first = false;
        }
        head.is_response &= is_http;
        Ok(head)
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let count = buffer.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let on = count > 0 && count == buffer.len();
            self.input.consume(count);
            if !on {
                return Ok(());
            }
        }
    }

    fn is_at_an_end(&mut self) -> io::Result<bool> {
        self.skip_line_ends()?;
        let buffer = self.input.fill_buf()?;
        if buffer.len() >= 5 {
            return Ok(buffer.starts_with(b"WARC/"));
        }
        let next = self.input.peek(5)?;
        Ok(next.is_empty() || next == b"WARC/")
    }

    /// Skips bytes; `false` if there are fewer.
    fn skip(&mut self, mut count: u64) -> io::Result<bool> {
        while count > 0 {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let some = count.min(buffer.len() as u64);
            self.input.consume(some as usize);
            count -= some;
        }
        Ok(true)
    }

    /// Seeks to the next line that begins a record, or to the end of the member.
    fn next_head(&mut self) -> io::Result<()> {
        loop {
            if self.input.skip_until(b'\n')? == 0 {
                return Ok(());
            }
            let next = self.input.peek(7)?;
            if next == b"WARC/1." || next == b"WARC/0." {
                return Ok(());
            }
        }
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Reader for Warc {
    fn next_item(&mut self) -> Option<Item> {
        while !self.ended {
            let begin = match self.input.in_member() {
                true => self.input.offset(),
                false => self.input.raw_offset(),
            };
            let done = match self.input.in_member() {
                false => {
                    self.in_member = 0;
                    self.url = None;
                    self.input.open_member().map(|there| {
                        self.ended = !there;
                        None
                    })
                }
                true => self.record().inspect(|record| {
                    if record.is_none() {
                        self.input.end_member();
                        self.ended = self.input.is_plain();
                    }
                }),
            };
            match done {
                Ok(Some(item)) => return Some(item),
                Ok(None) => {}
                Err(error) => {
                    let what = damage(&self.place(begin), &error);
                    let head = Head { url: self.url.take(), ..Head::default() };
                    let found = if self.input.is_plain() {
                        self.next_head().map(|()| true)
                    } else {
                        self.input.resync(|first| first.starts_with(b"WARC/"))
                    };
                    if let Err(error) = &found {
                        self.ended = true;
                        return Some(self.item(
                            begin,
                            Head::default(),
                            unreadable(&self.place(begin), error),
                        ));
                    }
                    // More than one record, where nothing is left of the beginning of the next.
                    let skipped = self.input.raw_offset() - begin;
                    let what = match self.input.is_plain() {
                        true => what,
                        false => format!("{what}; {skipped} bytes were skipped"),
                    };
                    return Some(self.item(begin, head, Body::Failed(Failure::damage(what))));
                }
            }
        }
        None
    }

    fn position(&self) -> u64 {
        self.input.raw_offset()
    }
}
