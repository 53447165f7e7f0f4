//! Bytes of a page: from a file or standard input, without gzip and MHTML around them.

use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use tamis_batch::Unwrapped;

use crate::pipeline::explained;

/// A place that a page is read from, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, asked for with `-`.
    Stdin,
    /// Standard input, because nothing was named.
    Unnamed,
    File(PathBuf),
}

/// The bytes of a page, and what its server or the file around it says about them.
#[derive(Clone, Debug)]
pub(crate) struct RawPage {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: Option<String>,
    /// The URL that answered after redirects, or that an MHTML file names.
    pub(crate) url: Option<String>,
    /// Whether it was fetched just now.
    pub(crate) fetched: bool,
    /// Why only a part of it could be read.
    pub(crate) fault: Option<String>,
}

impl Input {
    pub(crate) fn named(argument: &Path) -> Input {
        if argument == Path::new("-") { Input::Stdin } else { Input::File(argument.to_owned()) }
    }

    /// Reads the page. One of more than `limit` bytes is refused rather than cut: half a character at the end would
    /// mislead the detection of the encoding.
    pub(crate) fn read(&self, limit: u32) -> Result<RawPage> {
        let bytes = match self {
            Input::Unnamed if io::stdin().is_terminal() => {
                bail!("no page given: name a file or URL, or pipe a page in")
            }
            Input::Unnamed | Input::Stdin => self.read_all(io::stdin().lock(), 0, limit)?,
            Input::File(path) => {
                if let Some(remedy) = many_pages(path) {
                    bail!("{self} {remedy}");
                }
                let file = File::open(path).map_err(|error| self.unreadable(error))?;
                let about = file.metadata().map_err(|error| self.unreadable(error))?;
                if about.is_dir() {
                    bail!("{self} is a directory: name a file in it");
                }
                self.read_all(file, about.len(), limit)?
            }
        };
        let page = RawPage { bytes, content_type: None, url: None, fetched: false, fault: None };
        page.unpacked(limit).with_context(|| self.to_string())
    }

    fn read_all(&self, from: impl Read, expected: u64, limit: u32) -> Result<Vec<u8>> {
        let limit = u64::from(limit);
        let mut bytes = Vec::with_capacity(expected.min(limit) as usize + 1);
        from.take(limit + 1).read_to_end(&mut bytes).map_err(|error| self.unreadable(error))?;
        if bytes.len() as u64 > limit {
            bail!("{self} has more than {limit} bytes: raise --max-bytes");
        }
        Ok(bytes)
    }

    fn unreadable(&self, error: io::Error) -> anyhow::Error {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "check the path, or give - for standard input",
            io::ErrorKind::PermissionDenied => "make it readable, or pipe it in",
            _ => "check that it is a readable file",
        };
        anyhow!("cannot read {self}: {error}; {remedy}")
    }
}

impl RawPage {
    /// Without gzip and MHTML around it.
    pub(crate) fn unpacked(mut self, limit: u32) -> Result<RawPage> {
        if let Some(inside) = Unwrapped::of(&self.bytes, None, limit).map_err(explained)? {
            self.bytes = inside.html;
            self.content_type = inside.content_type.or(self.content_type);
            self.url = self.url.or(inside.url);
            self.fault = inside.fault;
        }
        Ok(self)
    }
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read_text(file: &Path) -> io::Result<String> {
    if file == Path::new("-") { io::read_to_string(io::stdin()) } else { std::fs::read_to_string(file) }
}

/// For a file that holds many pages by its name: how to read it.
fn many_pages(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    let is_one_of = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let what = match () {
        () if is_one_of(&[".jsonl", ".ndjson"]) => "has a page per line",
        () if is_one_of(&[".warc", ".parquet"]) => "holds many pages",
        () => return None,
    };
    Some(format!("{what}: use tamis batch {} -o rows.jsonl", path.display()))
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
