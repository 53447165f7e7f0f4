//! The pages of one run: where each comes from, and parallel work with results in order.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::address::{Address, without_secrets};
use crate::fetch::{self, Wanted};
use crate::flags::LimitFlags;
use crate::input::{Input, RawPage};

/// A page to work on.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The caller's name for it.
    pub(crate) id: Option<String>,
    /// Its URL, if known.
    pub(crate) url: Option<String>,
    /// The site it belongs to, if the caller says so.
    pub(crate) site: Option<String>,
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
        Job { id: None, url: None, site: None, source }
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
        Job::of(Source::Local(Input::named(Path::new(argument))))
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

    /// A file name for its result, without extension.
    pub(crate) fn file_name(&self) -> String {
        match (&self.id, self.origin()) {
            (Some(id), _) => safe_name(id),
            (None, Source::Local(Input::File(path))) => safe_name(&stem(path)),
            (None, Source::Local(_) | Source::Broken(_) | Source::Held(..)) => "page".to_owned(),
            (None, Source::Address(_) | Source::Other(_)) => {
                let address = self.name();
                safe_name(address.split_once("://").map_or(&address, |(_, rest)| rest))
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

/// The name of a file without its extension; `.html.gz` counts as one.
fn stem(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "page".to_owned(), |name| name.to_string_lossy().into_owned());
    let name = name.strip_suffix(".gz").map(str::to_owned).unwrap_or(name);
    Path::new(&name).file_stem().map_or(name.clone(), |stem| stem.to_string_lossy().into_owned())
}

/// An id or URL may hold anything; a file name may not.
fn safe_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.chars().map(safe).take(150).collect();
    if name.trim_matches('.').is_empty() { "page".to_owned() } else { name }
}

/// Where the results of a run go below its output directory: no two pages share a file, and pages of several folders
/// keep their folders.
pub(crate) struct FileNames {
    taken: HashSet<String>,
    /// The folder that all input files share, which is left out.
    common: PathBuf,
}

impl FileNames {
    pub(crate) fn new(jobs: &[Job]) -> FileNames {
        let folders = jobs.iter().filter_map(|job| Some(job.path()?.parent().unwrap_or(Path::new(""))));
        let shared = |one: PathBuf, other: &Path| -> PathBuf {
            let both = one.components().zip(other.components());
            both.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
        };
        let mut folders = folders.peekable();
        let first = folders.peek().map(|folder| folder.to_path_buf()).unwrap_or_default();
        FileNames { taken: HashSet::new(), common: folders.fold(first, shared) }
    }

    /// A free name for the result of a page, relative to the output directory.
    pub(crate) fn take(&mut self, job: &Job, extension: &str) -> PathBuf {
        let folder = job.path().filter(|_| job.id.is_none()).and_then(Path::parent);
        let folder = folder.map(|folder| folder.strip_prefix(&self.common).unwrap_or(folder));
        // Nothing but plain names: `..` must not lead out of the directory.
        let names = folder.into_iter().flat_map(Path::components).filter_map(|part| match part {
            Component::Normal(name) => Some(safe_name(&name.to_string_lossy())),
            _ => None,
        });
        let folder: PathBuf = names.collect();
        let stem = job.file_name();
        let numbered = |number: usize| match number {
            1 => folder.join(format!("{stem}.{extension}")),
            _ => folder.join(format!("{stem}-{number}.{extension}")),
        };
        // Some file systems take `A` and `a` for the same.
        let mut free =
            (1..).map(numbered).filter(|name| self.taken.insert(name.to_string_lossy().to_lowercase()));
        free.next().unwrap_or_else(|| numbered(1))
    }
}

/// The pages that arguments name: `url` for one page; directories stand for the pages in them.
pub(crate) fn from_arguments(pages: &[String], list: Option<&Path>, url: Option<&str>) -> Result<Vec<Job>> {
    if let Some(list) = list {
        return from_list(list);
    }
    let mut jobs = Vec::new();
    for page in pages {
        match fs::metadata(page).is_ok_and(|about| about.is_dir()) {
            true => jobs.extend(in_directory(Path::new(page))?),
            false => jobs.push(Job::named(page)),
        }
    }
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
fn in_directory(directory: &Path) -> Result<Vec<Job>> {
    let use_batch = || format!("use tamis batch {} -o rows.jsonl", directory.display());
    let mut pages = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).with_context(|| {
            format!("cannot read the directory {}: check its permissions", folder.display())
        })?;
        for entry in entries.filter_map(Result::ok) {
            // A link to a directory may lead in a circle.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(_) if is_page_name(&entry.path()) => pages.push(entry.path()),
                _ => {}
            }
        }
        if pages.len() > MAX_FILES {
            bail!("{} has more than {MAX_FILES} pages: {}", directory.display(), use_batch());
        }
    }
    if pages.is_empty() {
        let wanted = ".html, .htm, .xhtml, .mhtml";
        bail!("{} has no pages ({wanted}); for archives, {}", directory.display(), use_batch());
    }
    pages.sort();
    Ok(pages.into_iter().map(|page| Job::of(Source::Local(Input::File(page)))).collect())
}

fn is_page_name(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".html", ".htm", ".xhtml", ".mhtml", ".mht"].iter().any(|ending| name.ends_with(ending))
}

/// The pages of a list: a JSON object per line with `path` (a file or URL), and `id`, `url` and `site` if known. A line
/// that cannot be understood becomes a page that fails, so that the others are still worked on.
fn from_list(list: &Path) -> Result<Vec<Job>> {
    let open = || -> std::io::Result<Box<dyn Read>> {
        if list == Path::new("-") { Ok(Box::new(std::io::stdin())) } else { Ok(Box::new(File::open(list)?)) }
    };
    let file = open().with_context(|| format!("cannot read the list {}: check the path", list.display()))?;
    let mut jobs = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let at = || format!("{}:{}", list.display(), number + 1);
        let line = line.with_context(at)?;
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
    Ok(jobs)
}

/// Runs `work` on all jobs with up to `threads` threads; `take` gets the results one by one, in the order of the jobs.
///
/// Workers that are far ahead wait, so that one slow page does not pile up the results of all others in memory.
pub(crate) fn in_order<R: Send>(
    jobs: &[Job],
    threads: usize,
    work: impl Fn(&Job) -> R + Sync,
    mut take: impl FnMut(&Job, R) -> Result<()>,
) -> Result<()> {
    let threads = threads.clamp(1, jobs.len().max(1));
    if threads == 1 {
        return jobs.iter().try_for_each(|job| take(job, work(job)));
    }
    let ahead = threads * 8;
    let next = AtomicUsize::new(0);
    let taken = (Mutex::new(0), Condvar::new());
    let lock = || taken.0.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        for _ in 0..threads {
            let send = send.clone();
            let (next, taken, work, lock) = (&next, &taken, &work, &lock);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(place) else { return };
                    let mut done = lock();
                    while place >= *done + ahead {
                        done = taken.1.wait(done).unwrap_or_else(PoisonError::into_inner);
                    }
                    drop(done);
                    if send.send((place, work(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut done = 0;
        let mut outcome = Ok(());
        for (place, result) in results {
            waiting.insert(place, result);
            while let Some(result) = waiting.remove(&done) {
                if outcome.is_ok() {
                    outcome = take(&jobs[done], result);
                    if outcome.is_err() {
                        // The rest is not wanted.
                        next.store(jobs.len(), Ordering::Relaxed);
                    }
                }
                done += 1;
                *lock() = done;
                taken.1.notify_all();
            }
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let jobs: Vec<Job> = (0..100).map(|i| Job::named(&format!("{i}.html"))).collect();
        let mut seen = Vec::new();
        let work = |job: &Job| {
            let number: u64 = job.name().trim_end_matches(".html").parse().unwrap();
            thread::sleep(std::time::Duration::from_micros(number * 37 % 500));
            number
        };
        in_order(&jobs, 4, work, |_, number| {
            seen.push(number);
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn results_have_files_of_their_own_inside_the_directory() {
        for (pages, files) in [
            (&["a/x.html", "a/y.html"][..], &["x.txt", "y.txt"][..]),
            (&["a/index.html", "b/index.html"], &["a/index.txt", "b/index.txt"]),
            (&["s/a/index.html", "s/index.html", "s/b.html.gz"], &["a/index.txt", "index.txt", "b.txt"]),
            (&["x.html", "x.htm", "X.html", "x-2.html"], &["x.txt", "x-2.txt", "X-3.txt", "x-2-2.txt"]),
            (&["../../etc/x.html", "y.html"], &["etc/x.txt", "y.txt"]),
            (&["/a/x.html", "https://example.com/a/b?c=1"], &["x.txt", "example.com_a_b_c_1.txt"]),
        ] {
            let jobs: Vec<Job> = pages.iter().map(|page| Job::named(page)).collect();
            let mut names = FileNames::new(&jobs);
            let taken: Vec<PathBuf> = jobs.iter().map(|job| names.take(job, "txt")).collect();
            assert_eq!(taken, files.iter().map(PathBuf::from).collect::<Vec<_>>());
        }
        let mut job = Job::named("a/x.html");
        for (id, name) in [("../../etc/passwd", ".._.._etc_passwd"), ("..", "page")] {
            job.id = Some(id.to_owned());
            assert_eq!(job.file_name(), name);
        }
    }
}
