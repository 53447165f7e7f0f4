//! Lines of JSON: to a file that appears when it is whole, or to standard output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Output, Prepared};
use crate::error::Error;
use crate::state::Folder;

pub(super) struct Lines {
    to: BufWriter<To>,
    written: u64,
    partial: PathBuf,
    path: PathBuf,
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
    pub(super) fn open(folder: &Folder, path: &Path, counts: u64) -> Result<Lines, Error> {
        let partial = folder.file("rows");
        let open = || -> io::Result<File> {
            let file = OpenOptions::new().create(true).truncate(false).append(true).open(&partial)?;
            if file.metadata()?.len() < counts {
                return Err(io::Error::other("it is shorter than the state says"));
            }
            file.set_len(counts)?;
            Ok(file)
        };
        // All may be in its place already.
        let file = match partial.exists() || counts == 0 || !path.exists() {
            true => To::File(open().map_err(Error::write(&partial, 0))?),
            false => To::Stdout(io::stdout()),
        };
        Ok(Lines {
            to: BufWriter::with_capacity(BUFFER, file),
            written: counts,
            partial,
            path: path.to_owned(),
        })
    }

    pub(super) fn stdout() -> Lines {
        let to = BufWriter::with_capacity(BUFFER, To::Stdout(io::stdout()));
        Lines { to, written: 0, partial: PathBuf::new(), path: "standard output".into() }
    }

    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), Error> {
        self.to.write_all(line).map_err(Error::write(&self.path, self.written))?;
        self.written += line.len() as u64;
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
            match self.to.get_ref() {
                To::File(file) => file.sync_data(),
                To::Stdout(_) => Ok(()),
            }
        };
        write().map_err(Error::write(&self.path, self.written))?;
        Ok(self.written)
    }

    fn publish(&mut self) -> Result<(), Error> {
        if !self.partial.as_os_str().is_empty() && self.partial.exists() {
            fs::rename(&self.partial, &self.path).map_err(Error::write(&self.path, self.written))?;
        }
        Ok(())
    }
}
