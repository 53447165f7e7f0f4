//! Finding the next readable member after a damaged one.

use std::io::{self, Read};

use flate2::bufread::DeflateDecoder;
use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::{BUFFER, State, Unpacked};
use crate::item::Packing;

/// The header of a gzip member without a file name.
const GZIP_HEADER: usize = 10;
/// Bytes after a damaged gzip member that are searched for members with damaged headers, and their decompressed size.
const MAX_SEARCHED: u64 = 4 << 20;
const MAX_UNPACKED: usize = 64 << 20;

impl Unpacked {
    /// Seeks to the next member after the start of the damaged one; `false` if there is none. `is_one` decides by a
    /// member's first decompressed bytes.
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
                // Another damaged member, which must be counted, or bytes that resemble a header by chance.
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

    /// The first gzip member in a range of the file whose header is damaged but whose data is intact. After another
    /// damaged member, nothing else marks its start.
    fn headless_member(&mut self, from: u64, to: u64) -> io::Result<Option<u64>> {
        if self.packing != Packing::Gzip {
            return Ok(None);
        }
        self.go_to(from)?;
        let State::Between(raw) = &mut self.state else { return Ok(None) };
        let mut bytes = Vec::new();
        raw.take((to - from).min(MAX_SEARCHED)).read_to_end(&mut bytes)?;
        let (mut inflate, mut buffer) = (Decompress::new(false), vec![0; BUFFER]);
        let mut unpacked = 0;
        for at in GZIP_HEADER..bytes.len() {
            // An invalid type of a first block.
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
                    Ok(Status::Ok) if count > 0 && unpacked < MAX_UNPACKED => {}
                    _ => break None,
                }
            };
            let trailer = end.and_then(|end| bytes.get(end..)?.first_chunk());
            if checksum.amount() > 0 && trailer == Some(&gzip_trailer(&checksum)) {
                return Ok(Some(from + (at - GZIP_HEADER) as u64));
            }
            if unpacked >= MAX_UNPACKED {
                break;
            }
        }
        Ok(None)
    }

    /// The end of the current gzip member if only its header is damaged, by the checksum of its data. Without this,
    /// consecutive members with damaged headers would count as one.
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

    /// Whether a damaged member has a valid header. By chance, that happens once in many gigabytes.
    fn is_head(&mut self, at: u64) -> io::Result<bool> {
        self.go_to(at)?;
        let State::Between(raw) = &mut self.state else { return Ok(false) };
        let mut head = Vec::new();
        raw.take(10).read_to_end(&mut head)?;
        Ok(match self.packing {
            // No reserved flag, and a level and operating system that exist.
            Packing::Gzip => {
                head.len() == 10
                    && head[3] & 0xE0 == 0
                    && matches!(head[8], 0 | 2 | 4)
                    && matches!(head[9], 0..=13 | 255)
            }
            // Its four magic bytes are less likely by chance.
            Packing::Zstd => head.len() == 10,
            Packing::Plain => false,
        })
    }

    /// The offset of some bytes in the compressed file, from an offset on.
    fn find(&mut self, from: u64, what: &[u8]) -> io::Result<Option<u64>> {
        self.go_to(from)?;
        let State::Between(raw) = &mut self.state else { return Ok(None) };
        raw.find(what)
    }
}

/// The trailer of a gzip member: checksum and length of its data.
fn gzip_trailer(data: &Crc) -> [u8; 8] {
    (u64::from(data.sum()) | u64::from(data.amount()) << 32).to_le_bytes()
}
