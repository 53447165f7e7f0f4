//! JSON lines, to a file that appears when it is complete, or to standard output.
//!
//! A compressed file is compressed when all lines are written, so its bytes do not depend on interruptions.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Output, Prepared};
use crate::error::Error;

pub(super) struct Lines {
    to: BufWriter<Counted>,
    /// Bytes of all lines, including buffered ones.
    length: u64,
    partial: PathBuf,
    path: PathBuf,
}

/// Counts the written bytes, so that an error can name the position.
struct Counted {
    to: To,
    written: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

enum To {
    File(File),
    Stdout(io::Stdout),
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            To::File(file) => file.write(bytes),
            To::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            To::File(file) => file.flush(),
            To::Stdout(stdout) => stdout.flush(),
        }
    }
}

const BUFFER: usize = 256 << 10;

impl Lines {
    /// Lines in `partial`, until the output is moved into place.
    pub(super) fn open(partial: PathBuf, path: &Path, counts: u64) -> Result<Lines, Error> {
        let open = || -> io::Result<File> {
            let file = OpenOptions::new().create(true).truncate(false).append(true).open(&partial)?;
            if file.metadata()?.len() < counts {
                return Err(io::Error::other("the file is shorter than its saved state"));
            }
            file.set_len(counts)?;
            Ok(file)
        };
        // The output may be in place already.
        let file = match partial.exists() || counts == 0 || !path.exists() {
            true => To::File(open().map_err(Error::write(&partial, 0))?),
            false => To::Stdout(io::stdout()),
        };
        let to = BufWriter::with_capacity(BUFFER, Counted { to: file, written: counts });
        Ok(Lines { to, length: counts, partial, path: path.to_owned() })
    }

    pub(super) fn stdout() -> Lines {
        let to = Counted { to: To::Stdout(io::stdout()), written: 0 };
        let to = BufWriter::with_capacity(BUFFER, to);
        Lines { to, length: 0, partial: PathBuf::new(), path: PathBuf::new() }
    }

    fn failed(&self, error: io::Error) -> Error {
        let written = self.to.get_ref().written;
        if self.partial.as_os_str().is_empty() {
            return Error::write("standard output".as_ref(), written)(error);
        }
        Error::write(&self.path, written)(error)
    }

    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), Error> {
        self.to.write_all(line).map_err(|error| self.failed(error))?;
        self.length += line.len() as u64;
        Ok(())
    }
}

impl Output for Lines {
    fn write(&mut self, row: Prepared) -> Result<(), Error> {
        match row {
            Prepared::Line(line) | Prepared::File(_, line) => self.line(&line),
            Prepared::Row(_) => Ok(()),
        }
    }

    fn commit(&mut self) -> Result<u64, Error> {
        let mut write = || {
            self.to.flush()?;
            match &self.to.get_ref().to {
                To::File(file) => file.sync_data(),
                To::Stdout(_) => Ok(()),
            }
        };
        write().map_err(|error| self.failed(error))?;
        Ok(self.length)
    }

    fn publish(&mut self) -> Result<(), Error> {
        if !self.partial.as_os_str().is_empty() && self.partial.exists() {
            let publish = || -> io::Result<()> {
                if self.path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("gz")) {
                    return fs::rename(&self.partial, &self.path);
                }
                let packed = self.partial.with_extension("packed");
                pack(&self.partial, &packed)?;
                fs::rename(&packed, &self.path)?;
                fs::remove_file(&self.partial)
            };
            publish().map_err(Error::write(&self.path, 0))?;
        }
        Ok(())
    }
}

fn pack(from: &Path, to: &Path) -> io::Result<()> {
    let mut packed = GzEncoder::new(BufWriter::new(File::create(to)?), Compression::default());
    io::copy(&mut BufReader::with_capacity(BUFFER, File::open(from)?), &mut packed)?;
    let file = packed.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_data()
}
