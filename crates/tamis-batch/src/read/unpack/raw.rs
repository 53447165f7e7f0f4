//! The compressed file, with its position.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::BUFFER;

/// Zeros at the end of a file are padding, as on tapes.
const MAX_PADDING: usize = 1 << 20;

/// A buffered file that knows its position.
pub(super) struct Raw {
    file: BufReader<File>,
    pub(super) offset: u64,
    pub(super) length: u64,
}

impl Raw {
    pub(super) fn open(path: &Path) -> io::Result<Raw> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Raw { file: BufReader::with_capacity(BUFFER, file), offset: 0, length })
    }

    pub(super) fn go_to(&mut self, offset: u64) -> io::Result<()> {
        self.file.seek_relative(offset as i64 - self.offset as i64)?;
        self.offset = offset;
        Ok(())
    }

    /// The offset of the next occurrence of some bytes.
    pub(super) fn find(&mut self, what: &[u8]) -> io::Result<Option<u64>> {
        let finder = memchr::memmem::Finder::new(what);
        let mut window = Vec::with_capacity(2 * BUFFER);
        loop {
            let begin = self.offset - window.len() as u64;
            let buffer = self.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            window.extend_from_slice(buffer);
            let count = buffer.len();
            self.consume(count);
            if let Some(at) = finder.find(&window) {
                return Ok(Some(begin + at as u64));
            }
            let keep = window.len().min(what.len() - 1);
            window.drain(..window.len() - keep);
        }
    }

    /// Whether only zeros follow. If not, the position does not change.
    pub(super) fn only_zeros(&mut self) -> io::Result<bool> {
        let at = self.offset;
        let mut seen = 0;
        loop {
            let buffer = self.fill_buf()?;
            if buffer.is_empty() {
                return Ok(true);
            }
            seen += buffer.len();
            if seen > MAX_PADDING || buffer.iter().any(|byte| *byte != 0) {
                self.go_to(at)?;
                return Ok(false);
            }
            let count = buffer.len();
            self.consume(count);
        }
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
