//! The pages of one run: where each comes from, and what its result is called.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use tamis_batch::{CommonFolder, Inputs, output_file, output_file_for_url};

use crate::address::{Address, without_secrets};
use crate::console::warning;
use crate::fetch::{self, Wanted};
use crate::flags::LimitFlags;
use crate::input::{Input, RawPage, read_text};

/// A page to work on.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The caller's name for it.
    pub(crate) id: Option<String>,
    /// Its URL, if known.
    pub(crate) url: Option<String>,
    /// The site it belongs to, if the caller says so.
    pub(crate) site: Option<String>,
    /// The folder that all pages of the run share.
    folder: CommonFolder,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Local(Input),
    Address(Address),
    /// A URL of a scheme that is not fetched.
    Other(String),
    /// A line of a list that names no page, and what is wrong with it.
    Broken(String),
    /// A page that was read already, and where it came from.
    Held(Box<Source>, Arc<RawPage>),
}

impl Job {
    fn of(source: Source) -> Job {
        Job { id: None, url: None, site: None, folder: CommonFolder::default(), source }
    }

    /// A page as it is named on the command line.
    pub(crate) fn named(argument: &str) -> Job {
        if let Some(address) = Address::named(argument) {
            return Job { url: Some(address.shown()), ..Job::of(Source::Address(address)) };
        }
        let is_scheme = |it: &str| it.len() > 1 && it.bytes().all(|it| it.is_ascii_alphanumeric());
        let has_scheme = argument.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
        if has_scheme && !Path::new(argument).exists() {
            return Job::of(Source::Other(without_secrets(argument)));
        }
        let path = Path::new(argument);
        Job { folder: CommonFolder::of(path.parent()), ..Job::of(Source::Local(Input::named(path))) }
    }

    /// Standard input, because nothing was named.
    pub(crate) fn unnamed() -> Job {
        Job::of(Source::Local(Input::Unnamed))
    }

    /// The same page with its bytes at hand, so that a page that is needed twice is read once.
    pub(crate) fn held(&self, page: RawPage) -> Job {
        Job { source: Source::Held(Box::new(self.source.clone()), Arc::new(page)), ..self.clone() }
    }

    fn origin(&self) -> &Source {
        match &self.source {
            Source::Held(origin, _) => origin,
            source => source,
        }
    }

    /// The file it is read from, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self.origin() {
            Source::Local(Input::File(path)) => Some(path),
            _ => None,
        }
    }

    /// For messages.
    pub(crate) fn label(&self) -> String {
        match self.origin() {
            Source::Local(input) => input.to_string(),
            _ => self.name(),
        }
    }

    /// For records.
    pub(crate) fn name(&self) -> String {
        match self.origin() {
            Source::Local(Input::File(path)) => path.display().to_string(),
            Source::Local(_) | Source::Broken(_) | Source::Held(..) => "-".to_owned(),
            Source::Address(address) => address.shown(),
            Source::Other(address) => address.clone(),
        }
    }

    /// The URL of the page: as given, else the one that answered or that the file names.
    pub(crate) fn url_of(&self, page: &RawPage) -> Option<String> {
        let asked = match self.origin() {
            Source::Address(address) => Some(address.shown()),
            _ => None,
        };
        self.url.clone().filter(|url| asked.as_ref() != Some(url)).or_else(|| page.url.clone()).or(asked)
    }

    /// The file of its result, relative to the output directory.
    pub(crate) fn output_file(&self, extension: &str) -> PathBuf {
        match (&self.id, self.origin()) {
            (Some(name), _) => output_file(&format!("{name}.html"), extension),
            (None, Source::Local(Input::File(path))) => output_file(&self.folder.name(path), extension),
            (None, Source::Local(_) | Source::Broken(_) | Source::Held(..)) => {
                output_file("page.html", extension)
            }
            (None, Source::Address(_) | Source::Other(_)) => {
                output_file_for_url(&self.name(), &self.name(), extension)
            }
        }
    }

    pub(crate) fn read(&self, limits: LimitFlags) -> Result<RawPage> {
        self.read_as(Wanted::Page, limits)
    }

    /// Reads what may be a feed.
    pub(crate) fn read_as(&self, wanted: Wanted, limits: LimitFlags) -> Result<RawPage> {
        match &self.source {
            Source::Local(input) => input.read(limits.size.max_bytes),
            Source::Address(address) => fetch::fetch(address, wanted, limits.fetch, limits.size.max_bytes),
            Source::Other(address) => match address.strip_prefix("file://") {
                Some(path) => bail!("cannot read {address}: name the file without file:// ({path})"),
                None => bail!(
                    "cannot fetch {address}: only http:// and https:// are supported; save the page and name the file"
                ),
            },
            Source::Broken(what) => bail!("{what}"),
            Source::Held(_, page) => Ok(RawPage::clone(page)),
        }
    }
}

/// The pages that arguments name: `url` for one page; directories stand for the pages in them.
pub(crate) fn from_arguments(pages: &[String], list: Option<&Path>, url: Option<&str>) -> Result<Vec<Job>> {
    if let Some(list) = list {
        return from_list(list);
    }
    let mut jobs = Vec::new();
    let mut folders = Vec::new();
    for page in pages.iter().map(Path::new) {
        if page.is_dir() {
            folders.push(page);
            jobs.extend(in_directory(page)?);
            continue;
        }
        let job = Job::named(&page.to_string_lossy());
        folders.extend(job.path().and(page.parent()));
        jobs.push(job);
    }
    let folder = CommonFolder::of(folders);
    jobs.iter_mut().for_each(|job| job.folder.clone_from(&folder));
    if pages.is_empty() {
        jobs.push(Job::unnamed());
    }
    match (url, jobs.as_mut_slice()) {
        (Some(url), [job]) => job.url = Some(url.to_owned()),
        (Some(_), many) => bail!("--url is for one page, but {} were given: use --list", many.len()),
        (None, _) => {}
    }
    Ok(jobs)
}

/// Pages that a directory may hold before `tamis batch` is the better command.
const MAX_FILES: usize = 10_000;

/// The pages in a directory and below it, in the order of their names.
pub(crate) fn in_directory(directory: &Path) -> Result<Vec<Job>> {
    let use_batch = || format!("use tamis batch {} -o rows.jsonl", directory.display());
    let mut pages = Vec::new();
    for page in Inputs::new(&[directory.to_string_lossy().into_owned()])?.page_files() {
        match page {
            Ok(page) => pages.push(Job::of(Source::Local(Input::File(page)))),
            Err(error) => warning!("{error}"),
        }
        if pages.len() > MAX_FILES {
            bail!("{} has more than {MAX_FILES} pages: {}", directory.display(), use_batch());
        }
    }
    if pages.is_empty() {
        let wanted = ".html, .htm, .xhtml, .mhtml";
        bail!("{} has no pages ({wanted}); for archives, {}", directory.display(), use_batch());
    }
    Ok(pages)
}

/// The pages of a list: a JSON object per line with `path` (a file or URL), and `id`, `url` and `site` if known. A line
/// that cannot be understood becomes a page that fails, so that the others are still worked on.
fn from_list(list: &Path) -> Result<Vec<Job>> {
    let text = read_text(list)
        .with_context(|| format!("cannot read the list {}: check the path", list.display()))?;
    let mut jobs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = || format!("{}:{}", list.display(), number + 1);
        // Editors put a byte order mark before the first line.
        let line = line.trim_start_matches('\u{FEFF}').trim();
        if line.is_empty() {
            continue;
        }
        let broken = |what: String| Job::of(Source::Broken(format!("{}: {what}", at())));
        let row: serde_json::Value = match serde_json::from_str(line) {
            Ok(row) => row,
            Err(error) => {
                jobs.push(broken(format!("not a JSON object: {error}")));
                continue;
            }
        };
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        // A page that has only a URL is fetched from there.
        let mut job = match text("path").or_else(|| text("url")) {
            Some(path) => Job::named(&path),
            None => broken("a line needs \"path\", or \"url\" to fetch".to_owned()),
        };
        // Numbers are names, too.
        job.id = text("id").or_else(|| row["id"].as_number().map(|id| id.to_string()));
        job.url = text("url").or(job.url);
        job.site = text("site");
        jobs.push(job);
    }
    let folders = jobs.iter().filter_map(|job| job.path()?.parent());
    let folder = CommonFolder::of(folders);
    jobs.iter_mut().for_each(|job| job.folder.clone_from(&folder));
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_files_of_their_own_inside_the_directory() {
        for (pages, files) in [
            (&["a/x.html", "a/y.html"][..], &["x.txt", "y.txt"][..]),
            (&["a/index.html", "b/index.html"], &["a/index.txt", "b/index.txt"]),
            (&["x.html", "x.htm", "-"], &["x.txt", "x.htm.txt", "page.txt"]),
        ] {
            let pages: Vec<String> = pages.iter().map(|page| (*page).to_owned()).collect();
            let jobs = from_arguments(&pages, None, None).unwrap();
            let names: Vec<PathBuf> = jobs.iter().map(|job| job.output_file("txt")).collect();
            assert_eq!(names, files.iter().map(PathBuf::from).collect::<Vec<_>>());
        }
        let mut job = Job::named("a/x.html");
        job.id = Some("../../etc/passwd".to_owned());
        assert!(job.output_file("txt").to_string_lossy().starts_with("etc/passwd-"));
        assert!(Job::named("https://example.com/a/b?c=1").output_file("txt").starts_with("example.com"));
    }
}
