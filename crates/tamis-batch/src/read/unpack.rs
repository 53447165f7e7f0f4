//! Decompresses files member by member, so that damage to one member does not affect the others.
//!
//! A gzip file is a sequence of members, a Zstandard file a sequence of frames; web archives have one per record. A
//! damaged member is skipped by searching for the next one that can be decompressed ([`resync`]).

mod raw;
mod resync;

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use crate::item::Packing;
use raw::Raw;

const BUFFER: usize = 64 << 10;
const DICTIONARY_FRAME: u32 = 0x184D_2A5D;
const MAX_DICTIONARY: u64 = 4 << 20;
/// A frame that is being decompressed.
struct Frame {
    raw: Raw,
    decoder: FrameDecoder,
}

impl Read for Frame {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            let one = BlockDecodingStrategy::UptoBlocks(1);
            self.decoder.decode_blocks(&mut self.raw, one).map_err(invalid)?;
        }
        self.decoder.read(to)
    }
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

enum Member {
    Plain(Raw),
    Gzip(Box<BufReader<GzDecoder<Raw>>>),
    Zstd(Box<BufReader<Frame>>),
}

impl Member {
    fn reader(&mut self) -> &mut dyn BufRead {
        match self {
            Member::Plain(raw) => raw,
            Member::Gzip(decoder) => decoder,
            Member::Zstd(decoder) => decoder,
        }
    }

    fn raw(&self) -> &Raw {
        match self {
            Member::Plain(raw) => raw,
            Member::Gzip(decoder) => decoder.get_ref().get_ref(),
            Member::Zstd(decoder) => &decoder.get_ref().raw,
        }
    }
}

/// The decompressed bytes of one member after another.
pub(crate) struct Unpacked {
    packing: Packing,
    state: State,
    /// Offset of the current member.
    start: u64,
    /// Bytes that were read and put back.
    pending: Vec<u8>,
    at: usize,
    frames: Option<FrameDecoder>,
}

enum State {
    Between(Raw),
    In(Box<Member>),
    /// Placeholder during a transition.
    Moving,
}

impl Unpacked {
    pub(crate) fn open(path: &Path, packing: Packing) -> io::Result<Unpacked> {
        let raw = Raw::open(path)?;
        let (pending, at) = (Vec::new(), 0);
        Ok(Unpacked { packing, state: State::Between(raw), start: 0, pending, at, frames: None })
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.packing == Packing::Plain
    }

    /// The position in the file: after the bytes taken from a plain file, else at the start of the current member.
    pub(crate) fn offset(&self) -> u64 {
        if self.is_plain() { self.raw_offset() - (self.pending.len() - self.at) as u64 } else { self.start }
    }

    fn raw(&self) -> Option<&Raw> {
        match &self.state {
            State::Between(raw) => Some(raw),
            State::In(member) => Some(member.raw()),
            State::Moving => None,
        }
    }

    /// Compressed bytes read so far.
    pub(crate) fn raw_offset(&self) -> u64 {
        self.raw().map_or(0, |raw| raw.offset)
    }

    /// Compressed length of the file.
    pub(crate) fn length(&self) -> u64 {
        self.raw().map_or(0, |raw| raw.length)
    }

    pub(crate) fn in_member(&self) -> bool {
        matches!(self.state, State::In(_))
    }

    /// Opens the next member; `false` at the end of the file.
    pub(crate) fn open_member(&mut self) -> io::Result<bool> {
        let State::Between(mut raw) = self.leave() else { return Ok(false) };
        self.start = raw.offset;
        match self.begin(&mut raw) {
            Ok(true) => {}
            other => {
                self.state = State::Between(raw);
                return other;
            }
        }
        let member = match self.packing {
            Packing::Plain => Member::Plain(raw),
            Packing::Gzip => Member::Gzip(Box::new(BufReader::with_capacity(BUFFER, GzDecoder::new(raw)))),
            Packing::Zstd => {
                let mut decoder = self.frames.take().unwrap_or_default();
                if let Err(error) = decoder.init(&mut raw) {
                    self.frames = Some(decoder);
                    self.state = State::Between(raw);
                    return Err(invalid(error));
                }
                Member::Zstd(Box::new(BufReader::with_capacity(BUFFER, Frame { raw, decoder })))
            }
        };
        self.state = State::In(Box::new(member));
        Ok(true)
    }

    /// Skips padding and skippable frames; `false` at the end of the file.
    fn begin(&mut self, raw: &mut Raw) -> io::Result<bool> {
        if raw.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.packing {
            Packing::Plain => Ok(true),
            Packing::Gzip => {
                if raw.fill_buf()?[0] == 0 && raw.only_zeros()? {
                    return Ok(false);
                }
                Ok(true)
            }
            Packing::Zstd => self.past_skippable(raw),
        }
    }

    /// Skips Zstandard's skippable frames. The first one in an archive may hold the dictionary of the others.
    fn past_skippable(&mut self, raw: &mut Raw) -> io::Result<bool> {
        loop {
            let at = raw.offset;
            let mut magic = [0; 4];
            if raw.fill_buf()?.is_empty() {
                return Ok(false);
            }
            raw.read_exact(&mut magic)?;
            let magic = u32::from_le_bytes(magic);
            if magic & 0xFFFF_FFF0 != 0x184D_2A50 {
                raw.go_to(at)?;
                self.start = at;
                return Ok(true);
            }
            let mut length = [0; 4];
            raw.read_exact(&mut length)?;
            let length = u64::from(u32::from_le_bytes(length));
            let end = raw.offset + length;
            if end > raw.length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if magic == DICTIONARY_FRAME && at == 0 && length <= MAX_DICTIONARY {
                let mut bytes = Vec::new();
                raw.take(length).read_to_end(&mut bytes)?;
                self.learn(&bytes)?;
            }
            raw.go_to(end)?;
        }
    }

    fn learn(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut unpacked = Vec::new();
        let bytes = if bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            let decoder = ruzstd::decoding::StreamingDecoder::new(bytes).map_err(invalid)?;
            decoder.take(MAX_DICTIONARY).read_to_end(&mut unpacked)?;
            &unpacked
        } else {
            bytes
        };
        let dictionary = Dictionary::decode_dict(bytes).map_err(invalid)?;
        let frames = self.frames.get_or_insert_with(FrameDecoder::new);
        frames.add_dict(dictionary).map_err(invalid)
    }

    /// Leaves the current member.
    pub(crate) fn end_member(&mut self) {
        if let State::Between(raw) = self.leave() {
            self.state = State::Between(raw);
        }
    }

    fn leave(&mut self) -> State {
        self.pending.clear();
        self.at = 0;
        match std::mem::replace(&mut self.state, State::Moving) {
            State::In(member) => State::Between(match *member {
                Member::Plain(raw) => raw,
                Member::Gzip(decoder) => decoder.into_inner().into_inner(),
                Member::Zstd(decoder) => {
                    let frame = decoder.into_inner();
                    self.frames = Some(frame.decoder);
                    frame.raw
                }
            }),
            other => other,
        }
    }

    /// Leaves the current member and seeks to an offset of the file.
    pub(crate) fn go_to(&mut self, offset: u64) -> io::Result<()> {
        if let State::Between(mut raw) = self.leave() {
            let gone = raw.go_to(offset);
            self.state = State::Between(raw);
            return gone;
        }
        Ok(())
    }

    /// The next bytes without consuming them; fewer at the end of the member.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut taken = Vec::with_capacity(count);
        while taken.len() < count {
            let buffer = self.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let some = buffer.len().min(count - taken.len());
            taken.extend_from_slice(&buffer[..some]);
            self.consume(some);
        }
        self.put_back(&taken);
        Ok(taken)
    }

    /// Puts bytes back; they are read again.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) {
        let mut pending = bytes.to_vec();
        pending.extend_from_slice(&self.pending[self.at..]);
        self.pending = pending;
        self.at = 0;
    }
}

impl Read for Unpacked {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let buffer = self.fill_buf()?;
        let count = buffer.len().min(to.len());
        to[..count].copy_from_slice(&buffer[..count]);
        self.consume(count);
        Ok(count)
    }
}

/// Reads the current member; empty at its end.
impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at < self.pending.len() {
            return Ok(&self.pending[self.at..]);
        }
        match &mut self.state {
            State::In(member) => member.reader().fill_buf(),
            _ => Ok(&[]),
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.at < self.pending.len() {
            self.at += amount;
            return;
        }
        if let State::In(member) = &mut self.state {
            member.reader().consume(amount);
        }
    }
}
