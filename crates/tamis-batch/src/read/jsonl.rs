//! JSON lines. Lines are only split here; worker threads parse them.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::unpack::Unpacked;
use super::{Reader, damage, unreadable};
use crate::item::{About, Body, Failure, Item, Mark, Packing, Place};
use crate::page_error::PageError;

pub(crate) struct Jsonl {
    file: Arc<str>,
    input: Unpacked,
    most: usize,
    /// Offset of the next line in the decompressed text, and its number.
    offset: u64,
    line: u64,
    /// Whether damage truncated the current line.
    cut: bool,
    ended: bool,
}

enum Line {
    Whole(Vec<u8>),
    TooLong(u64),
    /// Truncated by damage or by the end of the file.
    Nothing,
}

impl Jsonl {
    pub(crate) fn open(
        path: &Path,
        packing: Packing,
        file: Arc<str>,
        most: u32,
        from: Mark,
    ) -> io::Result<Jsonl> {
        let mut input = Unpacked::open(path, packing)?;
        input.go_to(from.offset)?;
        // Quotation marks and line ends take two bytes in JSON, other characters up to six.
        let most = (most as usize).saturating_mul(2).saturating_add(1 << 20);
        let mut lines = Jsonl { file, input, most, offset: from.offset, line: 0, cut: false, ended: false };
        for _ in 0..from.items {
            lines.next_item();
        }
        Ok(lines)
    }

    fn fill(&mut self) -> io::Result<bool> {
        loop {
            if !self.input.in_member() && !self.input.open_member()? {
                return Ok(false);
            }
            if !self.input.fill_buf()?.is_empty() {
                return Ok(true);
            }
            self.input.end_member();
        }
    }

    fn read(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        let mut length = 0_u64;
        while self.fill()? {
            let buffer = self.input.fill_buf()?;
            let end = memchr::memchr(b'\n', buffer);
            let count = end.map_or(buffer.len(), |end| end + 1);
            length += count as u64;
            self.cut = true;
            if length <= self.most as u64 {
                line.extend_from_slice(&buffer[..count]);
            } else {
                line = Vec::new();
            }
            self.input.consume(count);
            self.offset += count as u64;
            if end.is_some() {
                break;
            }
        }
        self.cut = false;
        Ok(match length {
            0 => Line::Nothing,
            _ if length > self.most as u64 => Line::TooLong(length),
            _ => Line::Whole(line),
        })
    }

    /// Damage found after reading a line: checksums are at the end of a member, and a line is often a member. It
    /// concerns that line only.
    fn damage_behind(&mut self) -> Option<String> {
        let error = if self.input.in_member() { self.input.fill_buf().err()? } else { return None };
        let what = damage(&self.place(self.input.offset()), &error);
        self.ended = !self.input.resync(|_| true).unwrap_or(false);
        Some(what)
    }

    fn item(&self, begin: u64, body: Body) -> Item {
        let next = match self.input.is_plain() {
            true => Mark { items: 0, offset: self.offset, source: 0 },
            false => Mark { items: self.line, offset: 0, source: 0 },
        };
        Item { about: About::at(self.place(begin)), name: Some(begin.to_string()), body, next }
    }

    fn place(&self, offset: u64) -> Place {
        Place { file: self.file.clone(), offset: Some(offset) }
    }
}

impl Reader for Jsonl {
    fn next_item(&mut self) -> Option<Item> {
        while !self.ended {
            let begin = self.offset;
            let was_cut = self.cut;
            match self.read() {
                Ok(Line::Nothing) => self.ended = true,
                Ok(Line::Whole(line)) if line.trim_ascii().is_empty() => {}
                // The rest of a record whose start was lost; that has its row already.
                Ok(Line::Whole(line)) if was_cut && serde_json::from_slice::<IgnoredAny>(&line).is_err() => {}
                Ok(Line::Whole(line)) => {
                    self.line += 1;
                    let fault = self.damage_behind();
                    let mut item = self.item(begin, Body::Json(line));
                    item.about.fault = fault;
                    return Some(item);
                }
                Ok(Line::TooLong(length)) => {
                    self.line += 1;
                    let error = PageError::LineTooLong { bytes: length, limit: self.most as u64 };
                    let failure = Failure { error, damage: true, told: false };
                    return Some(self.item(begin, Body::Failed(failure)));
                }
                Err(error) => {
                    self.line += 1;
                    // Offsets in the decompressed text cannot be sought: name the compressed one.
                    let place = self.place(self.input.offset());
                    let what = damage(&place, &error);
                    match self.input.resync(|_| true) {
                        Ok(found) => self.ended = !found,
                        Err(error) => {
                            self.ended = true;
                            return Some(self.item(begin, unreadable(&place, &error)));
                        }
                    }
                    return Some(self.item(begin, Body::Failed(Failure::damage(what))));
                }
            }
        }
        None
    }

    fn position(&self) -> u64 {
        self.input.raw_offset()
    }
}
