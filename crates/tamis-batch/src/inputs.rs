//! The files of a run: named directly, by directory, by pattern, or in a list on standard input. Their order is
//! deterministic, and at most the names of one directory per level are held in memory.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::item::Packing;
use crate::output_name::CommonFolder;
use crate::state::{done_file, failed_file, folder_of};

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// One page.
    Page,
    /// One page per line.
    Jsonl,
    /// A WARC archive.
    Warc,
    /// A table with one page per row.
    Parquet,
}

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    pub(crate) packing: Packing,
    /// The URL of the page, if the list gives it.
    pub(crate) url: Option<String>,
    /// The name relative to the common folder of all inputs, for a directory of outputs.
    pub(crate) name: String,
}

/// One step through the inputs.
#[derive(Debug)]
pub(crate) enum Step {
    Source(Source),
    /// A file in a directory that is not an input.
    Other,
    /// A place that cannot be read, and why.
    Failed(PathBuf, String),
}

/// The inputs of a run, in order.
#[derive(Clone, Debug)]
pub struct Inputs {
    named: Vec<Named>,
    /// Files that are never read: the output and its state.
    left_out: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
enum Named {
    Path(PathBuf),
    Pattern(String),
    Stdin,
    /// It does not exist or cannot be read.
    Missing(String, String),
}

impl Inputs {
    /// Takes files, directories, patterns such as `crawl/*.warc.gz`, or `-` for a list of files on standard input. A
    /// missing input counts as a failed page; if all are missing, that is an error.
    pub fn new(names: &[String]) -> Result<Inputs, Error> {
        let named: Vec<Named> = names.iter().map(|name| named(name)).collect();
        if named.iter().all(|named| matches!(named, Named::Missing(..)))
            && let Some(Named::Missing(input, why)) = named.first()
        {
            return Err(Error::NoInput { input: input.clone(), why: why.clone() });
        }
        if named.iter().filter(|named| matches!(named, Named::Stdin)).count() > 1 {
            let why = "standard input can be read only once: give - once".to_owned();
            return Err(Error::NoInput { input: "-".to_owned(), why });
        }
        Ok(Inputs { named, left_out: Vec::new() })
    }

    /// Leaves out an output that may be among them, with its state.
    pub(crate) fn without(mut self, output: Option<&Path>) -> Inputs {
        let beside = |output: &Path| [folder_of(output), done_file(output), failed_file(output)];
        self.left_out = output.map(|output| vec![output.to_owned()]).unwrap_or_default();
        self.left_out.extend(output.into_iter().flat_map(beside));
        self.left_out = self.left_out.iter().filter_map(|path| place_of(path)).collect();
        self
    }

    /// Whether a named input is the output itself, so that the run would replace its input.
    pub(crate) fn check_output(&self) -> Result<(), Error> {
        for named in &self.named {
            if let Named::Path(path) = named
                && fs::canonicalize(path).is_ok_and(|place| self.left_out.contains(&place))
            {
                let why = "this is also the output: name another output".to_owned();
                return Err(Error::NoInput { input: path.display().to_string(), why });
            }
        }
        Ok(())
    }

    /// What identifies the inputs.
    pub(crate) fn key(&self) -> InputsKey {
        let name = |named: &Named| match named {
            Named::Path(path) => path.to_string_lossy().into_owned(),
            Named::Pattern(name) | Named::Missing(name, _) => name.clone(),
            Named::Stdin => "-".to_owned(),
        };
        InputsKey { named: self.named.iter().map(name).collect(), files: self.files() }
    }

    /// Whether the files are listed on standard input, which cannot be read twice.
    pub fn has_stdin(&self) -> bool {
        self.named.iter().any(|named| matches!(named, Named::Stdin))
    }

    /// The size of all files on disk; `None` for a list on standard input.
    pub fn bytes(&self) -> Option<u64> {
        if self.has_stdin() {
            return None;
        }
        let sizes = self.walk().filter_map(|step| match step {
            Step::Source(source) => fs::metadata(&source.path).ok(),
            _ => None,
        });
        Some(sizes.map(|about| about.len()).sum())
    }

    /// A digest of the files' names, sizes and modification times, so that a run is not resumed with other inputs.
    /// `None` for a list on standard input.
    fn files(&self) -> Option<u64> {
        if self.has_stdin() {
            return None;
        }
        let mut number = 0;
        for step in self.walk() {
            if let Step::Source(source) = step {
                let FileState { bytes, modified } = size_and_time(&source.path);
                let path = source.path.display();
                number = xxh3_64(format!("{number} {bytes:?} {modified:?} {path}").as_bytes());
            }
        }
        Some(number)
    }

    /// The files with one page each, in order. A place that cannot be read is an error; reading continues after it.
    pub fn page_files(&self) -> impl Iterator<Item = Result<PathBuf, Error>> {
        self.walk().filter_map(|step| match step {
            Step::Source(source) => (source.kind == Kind::Page).then_some(Ok(source.path)),
            Step::Other => None,
            Step::Failed(path, why) => Some(Err(Error::NoInput { input: path.display().to_string(), why })),
        })
    }

    pub(crate) fn walk(&self) -> Walk {
        let folder = |named: &Named| match named {
            Named::Path(path) if path.is_dir() => Some(path.clone()),
            Named::Path(path) => path.parent().map(Path::to_owned),
            Named::Pattern(pattern) => Some(base(pattern)),
            // Files of a list may be anywhere.
            Named::Stdin => Some(PathBuf::new()),
            Named::Missing(..) => None,
        };
        let folders: Vec<PathBuf> = self.named.iter().filter_map(folder).collect();
        Walk {
            common: CommonFolder::of(folders.iter().map(PathBuf::as_path)),
            inside: vec![Inside::Named(self.named.clone().into_iter())],
            left_out: self.left_out.clone(),
        }
    }
}

/// The inputs as named, and a digest of the files, their sizes and times.
#[derive(Serialize)]
pub(crate) struct InputsKey {
    named: Vec<String>,
    files: Option<u64>,
}

/// Size and modification time of a file.
#[derive(Serialize)]
pub(crate) struct FileState {
    bytes: Option<u64>,
    modified: Option<SystemTime>,
}

pub(crate) fn size_and_time(path: &Path) -> FileState {
    let about = fs::metadata(path).ok();
    let bytes = about.as_ref().map(fs::Metadata::len);
    FileState { bytes, modified: about.and_then(|about| about.modified().ok()) }
}

/// The absolute path behind links; its last components need not exist yet.
fn place_of(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let there = whole.ancestors().skip(1).find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    let (above, place) = there?;
    Some(place.join(whole.strip_prefix(above).ok()?))
}

fn named(name: &str) -> Named {
    let missing = |why: &str| Named::Missing(name.to_owned(), why.to_owned());
    if name == "-" {
        return Named::Stdin;
    }
    let path = Path::new(name);
    if path.exists() {
        return Named::Path(path.to_owned());
    }
    if !name.contains(['*', '?', '[']) {
        return missing("no such file or directory: check the path");
    }
    match glob::glob(name).map(|mut found| found.next()) {
        Ok(Some(_)) => Named::Pattern(name.to_owned()),
        Ok(None) => missing("no file matches this pattern"),
        Err(error) => missing(&format!("invalid pattern: {error}")),
    }
}

/// A traversal of all inputs.
pub(crate) struct Walk {
    common: CommonFolder,
    /// The open levels, the innermost last.
    inside: Vec<Inside>,
    left_out: Vec<PathBuf>,
}

enum Inside {
    Named(std::vec::IntoIter<Named>),
    /// A list on standard input.
    List(io::Lines<io::BufReader<io::Stdin>>),
    Pattern(glob::Paths),
    Directory {
        /// In reverse order.
        entries: Vec<PathBuf>,
        /// Its canonical path.
        place: PathBuf,
    },
}

impl Walk {
    /// Whether it is the output or its state. Only paths with such a name, and links, are resolved.
    fn is_left_out(&self, path: &Path) -> bool {
        let has_name = self.left_out.iter().any(|left_out| left_out.file_name() == path.file_name());
        if self.left_out.is_empty() || path.file_name().is_some() && !has_name && !path.is_symlink() {
            return false;
        }
        fs::canonicalize(path).is_ok_and(|real| self.left_out.contains(&real))
    }

    /// Enters a directory, unless it is open already: links can form cycles.
    fn enter(&mut self, path: PathBuf) -> Option<Step> {
        let is_inside = |place: &Path| {
            self.inside
                .iter()
                .any(|it| matches!(it, Inside::Directory { place: outer, .. } if outer == place))
        };
        match fs::canonicalize(&path).and_then(|place| Ok((entries(&path)?, place))) {
            Ok((_, place)) if is_inside(&place) => {
                let why = format!("this link leads back to {}, so it was not followed", place.display());
                Some(Step::Failed(path, why))
            }
            Ok((entries, place)) => {
                self.inside.push(Inside::Directory { entries, place });
                None
            }
            Err(error) => Some(Step::Failed(path, error.to_string())),
        }
    }

    fn source(&self, path: PathBuf, url: Option<String>) -> Step {
        let (kind, packing) = kind(&path).unwrap_or((Kind::Page, Packing::Plain));
        Step::Source(Source { name: self.common.name(&path), path, kind, packing, url })
    }
}

impl Iterator for Walk {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            // Directories contain other files too; everywhere else, this file was meant.
            let is_meant = !matches!(self.inside.last()?, Inside::Directory { .. });
            let is_named = matches!(self.inside.last()?, Inside::Named(_));
            let (path, url) = match self.found() {
                Found::End => {
                    self.inside.pop();
                    continue;
                }
                Found::Nothing => continue,
                Found::Inside(inside) => {
                    self.inside.push(inside);
                    continue;
                }
                Found::Failed(path, why) => return Some(Step::Failed(path, why)),
                Found::Path(path, url) => (path, url),
            };
            if self.is_left_out(&path) {
                if is_named {
                    let why = "this is also the output: name another output".to_owned();
                    return Some(Step::Failed(path, why));
                }
            } else if path.is_dir() {
                if let Some(failed) = self.enter(path) {
                    return Some(failed);
                }
            } else if is_meant || kind(&path).is_some() {
                return Some(self.source(path, url));
            } else {
                return Some(Step::Other);
            }
        }
    }
}

/// The next element of a level.
enum Found {
    Path(PathBuf, Option<String>),
    Inside(Inside),
    Failed(PathBuf, String),
    /// An empty line of a list.
    Nothing,
    End,
}

impl Walk {
    fn found(&mut self) -> Found {
        let Some(inside) = self.inside.last_mut() else { return Found::End };
        let found = match inside {
            Inside::Named(names) => names.next().map(|named| match named {
                Named::Path(path) => Found::Path(path, None),
                Named::Missing(name, why) => Found::Failed(name.into(), why),
                Named::Stdin => Found::Inside(Inside::List(io::BufReader::new(io::stdin()).lines())),
                // It was readable when the run began.
                Named::Pattern(pattern) => {
                    glob::glob(&pattern).map_or(Found::Nothing, |paths| Found::Inside(Inside::Pattern(paths)))
                }
            }),
            Inside::List(lines) => lines.next().map(|line| match line {
                Ok(line) if line.trim().is_empty() => Found::Nothing,
                Ok(line) => match listed(line.trim_start_matches('\u{FEFF}').trim_end()) {
                    Ok((path, url)) => Found::Path(path, url),
                    Err(why) => Found::Failed(line.into(), why),
                },
                Err(error) => Found::Failed("-".into(), format!("cannot read the list of files: {error}")),
            }),
            Inside::Pattern(paths) => paths.next().map(|path| match path {
                Ok(path) => Found::Path(path, None),
                Err(error) => Found::Failed(error.path().to_owned(), error.to_string()),
            }),
            Inside::Directory { entries, .. } => entries.pop().map(|path| Found::Path(path, None)),
        };
        found.unwrap_or(Found::End)
    }
}

/// The directory that contains all matches of a pattern.
fn base(pattern: &str) -> PathBuf {
    let fixed = &pattern[..pattern.find(['*', '?', '[']).unwrap_or(pattern.len())];
    PathBuf::from(fixed.rsplit_once('/').map_or("", |(directory, _)| directory))
}

/// The entries of a directory in reverse order.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    entries.sort_unstable_by(|one, other| other.cmp(one));
    Ok(entries)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A line of a list: a path, or JSON with `path` and optionally `url`.
fn listed(line: &str) -> Result<(PathBuf, Option<String>), String> {
    let json = line.starts_with('{').then(|| serde_json::from_str::<serde_json::Value>(line).ok()).flatten();
    let (path, url) = match &json {
        Some(json) => match json["path"].as_str() {
            Some(path) => (path, json["url"].as_str().map(str::to_owned)),
            None => return Err("a line of the list needs a \"path\"".to_owned()),
        },
        None => (line, None),
    };
    Ok((PathBuf::from(path), url))
}

/// Whether a file contains one page, by its name.
pub(crate) fn is_page_name(path: &Path) -> bool {
    kind(path).is_some_and(|(kind, _)| kind == Kind::Page)
}

/// The content of a file, by its name.
fn kind(path: &Path) -> Option<(Kind, Packing)> {
    let name = file_name(path).to_ascii_lowercase();
    let (name, packing) = match name.rsplit_once('.') {
        Some((rest, "gz")) => (rest, Packing::Gzip),
        Some((rest, "zst" | "zstd")) => (rest, Packing::Zstd),
        _ => (name.as_str(), Packing::Plain),
    };
    let kind = match name.rsplit_once('.')?.1 {
        "html" | "htm" | "xhtml" | "xht" | "shtml" | "mhtml" | "mht" => Kind::Page,
        "jsonl" | "ndjson" | "jsonlines" => Kind::Jsonl,
        "warc" => Kind::Warc,
        "parquet" | "pq" if packing == Packing::Plain => Kind::Parquet,
        _ => return None,
    };
    Some((kind, packing))
}

#[cfg(test)]
mod tests;
