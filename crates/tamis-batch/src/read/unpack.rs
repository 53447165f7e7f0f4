//! Files as they lie on the disk, and what is packed in them: member by member, so that damage to one does not take the
//! others with it.
//!
//! A gzip file is a sequence of members, a Zstandard file one of frames; archives of crawls have one for every record. A
//! member that cannot be unpacked is left behind by looking for the next beginning of one and trying it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::{DeflateDecoder, GzDecoder};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};

use crate::item::Packing;

const BUFFER: usize = 64 << 10;
/// Zeros at the end of a file are padding, as tapes have it.
const MOST_PADDING: usize = 1 << 20;
const DICTIONARY_FRAME: u32 = 0x184D_2A5D;
const MOST_DICTIONARY: u64 = 4 << 20;
/// The header of a gzip member without a file name.
const GZIP_HEADER: usize = 10;
/// Bytes behind a damaged gzip member that are searched for members with damaged headers, and what they may unpack to.
const MOST_SEARCHED: u64 = 4 << 20;
const MOST_UNPACKED: usize = 64 << 20;

/// A file that knows where it is.
pub(crate) struct Raw {
    file: BufReader<File>,
    offset: u64,
    length: u64,
}

impl Raw {
    fn open(path: &Path) -> io::Result<Raw> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Raw { file: BufReader::with_capacity(BUFFER, file), offset: 0, length })
    }

    fn go_to(&mut self, offset: u64) -> io::Result<()> {
        self.file.seek_relative(offset as i64 - self.offset as i64)?;
        self.offset = offset;
        Ok(())
    }
}

impl Read for Raw {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(to)?;
        self.offset += count as u64;
        Ok(count)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.offset += amount as u64;
        self.file.consume(amount);
    }
}

/// A frame that is being unpacked.
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

/// The unpacked bytes of one member after another.
pub(crate) struct Unpacked {
    packing: Packing,
    state: State,
    /// Where the member at hand begins.
    start: u64,
    /// What was taken out and put back.
    pending: Vec<u8>,
    at: usize,
    frames: Option<FrameDecoder>,
}

enum State {
    Between(Raw),
    In(Box<Member>),
    /// Only while one becomes the other.
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

    /// Where the file is read at: behind what was taken of a plain file, at the beginning of the member of another.
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

    /// How much of the file has been read.
    pub(crate) fn raw_offset(&self) -> u64 {
        self.raw().map_or(0, |raw| raw.offset)
    }

    /// How long the file is, packed.
    pub(crate) fn length(&self) -> u64 {
        self.raw().map_or(0, |raw| raw.length)
    }

    pub(crate) fn in_member(&self) -> bool {
        matches!(self.state, State::In(_))
    }

    /// Begins the next member; `false` at the end of the file.
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

    /// Goes past what is no member; `false` at the end of the file.
    fn begin(&mut self, raw: &mut Raw) -> io::Result<bool> {
        if raw.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.packing {
            Packing::Plain => Ok(true),
            Packing::Gzip => {
                if raw.fill_buf()?[0] == 0 && only_zeros(raw)? {
                    return Ok(false);
                }
                Ok(true)
            }
            Packing::Zstd => self.past_skippable(raw),
        }
    }

    /// Zstandard allows frames with anything in them. The first of an archive may have the dictionary of all others.
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
            if magic == DICTIONARY_FRAME && at == 0 && length <= MOST_DICTIONARY {
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
            decoder.take(MOST_DICTIONARY).read_to_end(&mut unpacked)?;
            &unpacked
        } else {
            bytes
        };
        let dictionary = Dictionary::decode_dict(bytes).map_err(invalid)?;
        let frames = self.frames.get_or_insert_with(FrameDecoder::new);
        frames.add_dict(dictionary).map_err(invalid)
    }

    /// Leaves the member at hand.
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

    /// Goes to a place in the file, and out of the member.
    pub(crate) fn go_to(&mut self, offset: u64) -> io::Result<()> {
        if let State::Between(mut raw) = self.leave() {
            let gone = raw.go_to(offset);
            self.state = State::Between(raw);
            return gone;
        }
        Ok(())
    }

    /// Looks for the next member behind the beginning of the one that is damaged, and stops before it; `false` where there
    /// is none. `is_one` is asked about the first bytes of what it unpacks to.
    pub(crate) fn resync(&mut self, is_one: fn(&[u8]) -> bool) -> io::Result<bool> {
        let magic: &[u8] = match self.packing {
            Packing::Plain => return Ok(false),
            Packing::Gzip => &[0x1F, 0x8B, 0x08],
            Packing::Zstd => &[0x28, 0xB5, 0x2F, 0xFD],
        };
        if self.packing == Packing::Gzip
            && let Some(end) = self.end_of_intact_data()?
        {
            self.go_to(end)?;
            return Ok(true);
        }
        let damaged = self.start;
        let mut from = damaged + 1;
        while let Some(at) = self.find(from, magic)? {
            self.go_to(at)?;
            let mut first = [0; 16];
            let count = self.open_member().and_then(|is| if is { self.read(&mut first) } else { Ok(0) });
            let found = match count {
                Ok(count) => count > 0 && is_one(&first[..count]),
                // Another damaged member, which is to be counted, or bytes that look like the beginning of one.
                Err(_) => self.is_head(at)?,
            };
            if found {
                let at = self.headless_member(damaged + 1, at)?.unwrap_or(at);
                self.go_to(at)?;
                return Ok(true);
            }
            from = at + 1;
        }
        let end = self.length();
        let headless = self.headless_member(damaged + 1, end)?;
        self.go_to(headless.unwrap_or(end))?;
        Ok(headless.is_some())
    }

    /// The first gzip member in a part of the file whose header is damaged but whose data is intact. Behind another damaged
    /// member nothing else marks its beginning.
    fn headless_member(&mut self, from: u64, to: u64) -> io::Result<Option<u64>> {
        if self.packing != Packing::Gzip {
            return Ok(None);
        }
        self.go_to(from)?;
        let State::Between(raw) = &mut self.state else { return Ok(None) };
        let mut bytes = Vec::new();
        raw.take((to - from).min(MOST_SEARCHED)).read_to_end(&mut bytes)?;
        let (mut inflate, mut buffer) = (Decompress::new(false), vec![0; BUFFER]);
        let mut unpacked = 0;
        for at in GZIP_HEADER..bytes.len() {
            // The type of a first block that does not exist.
            if bytes[at] & 6 == 6 {
                continue;
            }
            inflate.reset(false);
            let mut checksum = Crc::new();
            let end = loop {
                let (read, written) = (inflate.total_in() as usize, inflate.total_out());
                let status = inflate.decompress(&bytes[at + read..], &mut buffer, FlushDecompress::None);
                let count = (inflate.total_out() - written) as usize;
                checksum.update(&buffer[..count]);
                unpacked += count;
                match status {
                    Ok(Status::StreamEnd) => break Some(at + inflate.total_in() as usize),
                    Ok(Status::Ok) if count > 0 && unpacked < MOST_UNPACKED => {}
                    _ => break None,
                }
            };
            let trailer = end.and_then(|end| bytes.get(end..)?.first_chunk());
            if checksum.amount() > 0 && trailer == Some(&gzip_trailer(&checksum)) {
                return Ok(Some(from + (at - GZIP_HEADER) as u64));
            }
            if unpacked >= MOST_UNPACKED {
                break;
            }
        }
        Ok(None)
    }

    /// Where the gzip member at hand ends if only its header is damaged: the checksum of its data is right. Otherwise,
    /// members with damaged headers in a row would count as one.
    fn end_of_intact_data(&mut self) -> io::Result<Option<u64>> {
        self.go_to(self.start + GZIP_HEADER as u64)?;
        let State::Between(raw) = &mut self.state else { return Ok(None) };
        let mut data = DeflateDecoder::new(&mut *raw);
        let (mut checksum, mut buffer) = (Crc::new(), vec![0; BUFFER]);
        loop {
            match data.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => checksum.update(&buffer[..count]),
                Err(_) => return Ok(None),
            }
        }
        let mut trailer = [0; 8];
        let read = raw.read_exact(&mut trailer);
        Ok((read.is_ok() && trailer == gzip_trailer(&checksum)).then_some(raw.offset))
    }

    /// Whether a member that cannot be unpacked has a sound head. By chance, that happens once in many gigabytes.
    fn is_head(&mut self, at: u64) -> io::Result<bool> {
        self.go_to(at)?;
        let State::Between(raw) = &mut self.state else { return Ok(false) };
        let mut head = Vec::new();
        raw.take(10).read_to_end(&mut head)?;
        Ok(match self.packing {
            // No reserved flag, a level and a system that there are.
            Packing::Gzip => {
                head.len() == 10
                    && head[3] & 0xE0 == 0
                    && matches!(head[8], 0 | 2 | 4)
                    && matches!(head[9], 0..=13 | 255)
            }
            // Four bytes are less likely to be there by chance.
            Packing::Zstd => head.len() == 10,
            Packing::Plain => false,
        })
    }

    /// Where bytes stand in the file as it lies on the disk, at `from` or behind it.
    fn find(&mut self, from: u64, what: &[u8]) -> io::Result<Option<u64>> {
        self.go_to(from)?;
        let State::Between(raw) = &mut self.state else { return Ok(None) };
        let finder = memchr::memmem::Finder::new(what);
        let mut window = Vec::with_capacity(2 * BUFFER);
        loop {
            let begin = raw.offset - window.len() as u64;
            let buffer = raw.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            window.extend_from_slice(buffer);
            let count = buffer.len();
            raw.consume(count);
            if let Some(at) = finder.find(&window) {
                return Ok(Some(begin + at as u64));
            }
            let keep = window.len().min(what.len() - 1);
            window.drain(..window.len() - keep);
        }
    }

    /// The next bytes, which stay where they are; fewer at the end of the member.
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

    /// Puts bytes back, to be read again.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) {
        let mut pending = bytes.to_vec();
        pending.extend_from_slice(&self.pending[self.at..]);
        self.pending = pending;
        self.at = 0;
    }
}

/// What stands behind the data of a gzip member: checksum and length.
fn gzip_trailer(data: &Crc) -> [u8; 8] {
    (u64::from(data.sum()) | u64::from(data.amount()) << 32).to_le_bytes()
}

/// Is there nothing but zeros up to the end?
fn only_zeros(raw: &mut Raw) -> io::Result<bool> {
    let at = raw.offset;
    let mut seen = 0;
    loop {
        let buffer = raw.fill_buf()?;
        if buffer.is_empty() {
            return Ok(true);
        }
        seen += buffer.len();
        if seen > MOST_PADDING || buffer.iter().any(|byte| *byte != 0) {
            raw.go_to(at)?;
            return Ok(false);
        }
        let count = buffer.len();
        raw.consume(count);
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

/// Of the member at hand; at its end there is nothing more.
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
