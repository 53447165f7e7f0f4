//! Where pages come from: a file, or standard input.

use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};

/// A place that a page is read from, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, asked for with `-`.
    Stdin,
    /// Standard input, because nothing was named.
    Unnamed,
    File(PathBuf),
}

impl Input {
    /// What stands on the command line, if anything does.
    pub(crate) fn named(argument: Option<&Path>) -> Input {
        match argument {
            None => Input::Unnamed,
            Some(path) if path == Path::new("-") => Input::Stdin,
            Some(path) => Input::File(path.to_owned()),
        }
    }

    /// The bytes of the page.
    ///
    /// A page of more than `limit` bytes is refused rather than cut: a cut through the middle of a character would
    /// mislead whoever has to find out the encoding.
    pub(crate) fn read(&self, limit: u32) -> Result<Vec<u8>> {
        match self {
            Input::Unnamed if io::stdin().is_terminal() => {
                bail!("no page was given: name a file, or pipe a page in")
            }
            Input::Unnamed | Input::Stdin => self.read_all(io::stdin().lock(), 0, limit),
            Input::File(path) => {
                let file = File::open(path).map_err(|error| self.unreadable(error))?;
                let about = file.metadata().map_err(|error| self.unreadable(error))?;
                if about.is_dir() {
                    bail!("{self} is a directory: name a file in it");
                }
                self.read_all(file, about.len(), limit)
            }
        }
    }

    fn read_all(&self, from: impl Read, expected: u64, limit: u32) -> Result<Vec<u8>> {
        let limit = u64::from(limit);
        let mut bytes = Vec::with_capacity(expected.min(limit) as usize + 1);
        from.take(limit + 1).read_to_end(&mut bytes).map_err(|error| self.unreadable(error))?;
        if bytes.len() as u64 > limit {
            bail!("{self} has more than {limit} bytes: raise --max-bytes to read it all the same");
        }
        Ok(bytes)
    }

    fn unreadable(&self, error: io::Error) -> anyhow::Error {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "check the path, or give - to read from standard input",
            io::ErrorKind::PermissionDenied => "make it readable for you, or pipe it in",
            _ => "check that it is a file you can read",
        };
        anyhow!("cannot read {self}: {error}; {remedy}")
    }
}

/// The name for messages.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin | Input::Unnamed => f.write_str("standard input"),
            Input::File(path) => path.display().fmt(f),
        }
    }
}
