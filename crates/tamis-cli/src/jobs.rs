//! The pages of one run: where each comes from, and working on several at once with the results in order.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use tamis::ExtractError;
use tamis_html::decode::Decoder;

use crate::address::{Address, without_secrets};
use crate::fetch::{self, Bounds, Wanted};
use crate::input::Input;

/// A page to work on.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The caller's name for it.
    pub(crate) id: Option<String>,
    /// Where it comes from, where that is known.
    pub(crate) url: Option<String>,
    /// The site it belongs to, where the address does not say.
    pub(crate) site: Option<String>,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Local(Input),
    Address(Address),
    /// An address of a kind that nothing is fetched from.
    Other(String),
    /// A line of a list that names no page, and what is wrong with it.
    Broken(String),
    /// What was read already, and from where.
    Held(Box<Source>, Arc<Fetched>),
}

/// The bytes of a page, and what the server said of them.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: Option<String>,
    /// The address that answered, after redirects.
    pub(crate) url: Option<String>,
}

impl Fetched {
    /// The page for an extractor, with what its server and its address say about it.
    pub(crate) fn input<'a>(&'a self, url: Option<&'a str>, encoding: Option<&'a str>) -> tamis::Input<'a> {
        let mut input = tamis::Input::bytes(&self.bytes);
        if let Some(url) = url {
            input = input.url(url);
        }
        if let Some(content_type) = &self.content_type {
            input = input.content_type(content_type);
        }
        match encoding {
            Some(label) => input.encoding(label),
            None => input,
        }
    }
}

/// An encoding as `--encoding` takes it.
pub(crate) fn encoding(label: &str) -> Result<String> {
    Decoder::new().encoding_label(label)?;
    Ok(label.to_owned())
}

/// The error of a page, with what to do about it.
pub(crate) fn explained(error: ExtractError) -> anyhow::Error {
    match error {
        ExtractError::NotAPage { what } => anyhow!("{what}"),
        ExtractError::TooLarge { .. } => anyhow!("{error}: raise --max-bytes"),
        ExtractError::DeadlineExceeded { .. } => anyhow!("{error}: raise --page-timeout"),
        error => error.into(),
    }
}

impl Job {
    /// A page as it is named on the command line.
    pub(crate) fn named(argument: &str) -> Job {
        if let Some(address) = Address::named(argument) {
            return Job {
                id: None,
                url: Some(address.shown()),
                site: None,
                source: Source::Address(address),
            };
        }
        let is_scheme = |it: &str| it.len() > 1 && it.bytes().all(|it| it.is_ascii_alphanumeric());
        if argument.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme))
            && !Path::new(argument).exists()
        {
            return Job { id: None, url: None, site: None, source: Source::Other(without_secrets(argument)) };
        }
        Job {
            id: None,
            url: None,
            site: None,
            source: Source::Local(Input::named(Some(Path::new(argument)))),
        }
    }

    /// Standard input, because nothing was named.
    pub(crate) fn unnamed() -> Job {
        Job { id: None, url: None, site: None, source: Source::Local(Input::named(None)) }
    }

    /// The same page with its bytes at hand, so that it is read once where it is needed twice.
    pub(crate) fn held(&self, fetched: Fetched) -> Job {
        let source = Source::Held(Box::new(self.source.clone()), Arc::new(fetched));
        Job { id: self.id.clone(), url: self.url.clone(), site: self.site.clone(), source }
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

    /// Where the page comes from: as it was given, or else the address that answered.
    pub(crate) fn url_of(&self, fetched: &Fetched) -> Option<String> {
        match (self.origin(), &fetched.url) {
            (Source::Address(asked), Some(answered)) if self.url.as_ref() == Some(&asked.shown()) => {
                Some(answered.clone())
            }
            _ => self.url.clone(),
        }
    }

    /// A name for the file with its result, without an ending.
    pub(crate) fn file_name(&self) -> String {
        let stem = match (&self.id, self.origin()) {
            (Some(id), _) => id.clone(),
            (None, Source::Local(Input::File(path))) => {
                path.file_stem().map_or_else(|| "page".to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
            (None, Source::Local(_) | Source::Broken(_) | Source::Held(..)) => "page".to_owned(),
            (None, Source::Address(_) | Source::Other(_)) => {
                let address = self.name();
                address.split_once("://").map_or(address.clone(), |(_, rest)| rest.to_owned())
            }
        };
        // An id or address may hold anything; a file name may not.
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let stem: String = stem.chars().map(safe).take(150).collect();
        if stem.trim_matches('.').is_empty() { "page".to_owned() } else { stem }
    }

    pub(crate) fn read(&self, bounds: Bounds) -> Result<Fetched> {
        self.read_as(Wanted::Page, bounds)
    }

    /// Reads what may be something else than a page.
    pub(crate) fn read_as(&self, wanted: Wanted, bounds: Bounds) -> Result<Fetched> {
        match &self.source {
            Source::Local(input) => {
                Ok(Fetched { bytes: input.read(bounds.bytes)?, content_type: None, url: None })
            }
            Source::Address(address) => fetch::fetch(address, wanted, bounds),
            Source::Other(address) => match address.strip_prefix("file://") {
                Some(path) => bail!("cannot read {address}: name the file without file:// ({path})"),
                None => bail!(
                    "cannot fetch {address}: only http:// and https:// addresses are fetched; save the page and name \
                     the file"
                ),
            },
            Source::Broken(what) => bail!("{what}"),
            Source::Held(_, fetched) => Ok(Fetched::clone(fetched)),
        }
    }
}

/// The names of files that a run has given out: no page gets that of another.
#[derive(Default)]
pub(crate) struct FileNames {
    taken: HashSet<String>,
}

impl FileNames {
    /// A name that is free. Some systems take `A` and `a` for the same.
    pub(crate) fn take(&mut self, stem: &str, ending: &str) -> String {
        let numbered = |number: usize| match number {
            1 => format!("{stem}.{ending}"),
            _ => format!("{stem}-{number}.{ending}"),
        };
        let free = (1..).map(numbered).find(|name| self.taken.insert(name.to_lowercase()));
        free.unwrap_or_else(|| numbered(1))
    }
}

/// The pages of a list: a JSON object a line, with `path` (a file or address), and `id`, `url` and `site` if known. Paths are
/// relative to where the command runs. A line that cannot be understood becomes a page that fails, so that the others are
/// still worked on.
pub(crate) fn from_list(list: &Path) -> Result<Vec<Job>> {
    let open = || -> std::io::Result<Box<dyn Read>> {
        if list == Path::new("-") { Ok(Box::new(std::io::stdin())) } else { Ok(Box::new(File::open(list)?)) }
    };
    let file = open().with_context(|| format!("cannot read the list {}", list.display()))?;
    let mut jobs = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let at = || format!("{}:{}", list.display(), number + 1);
        let line = line.with_context(at)?;
        // Editors put a byte order mark before the first line.
        let line = line.trim_start_matches('\u{FEFF}').trim();
        if line.is_empty() {
            continue;
        }
        let broken =
            |what: String| Job { source: Source::Broken(format!("{}: {what}", at())), ..Job::unnamed() };
        let row: serde_json::Value = match serde_json::from_str(line) {
            Ok(row) => row,
            Err(error) => {
                jobs.push(broken(format!("this is no JSON: {error}")));
                continue;
            }
        };
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        // A page that has only an address is fetched from there.
        let mut job = match text("path").or_else(|| text("url")) {
            Some(path) => Job::named(&path),
            None => broken("a line needs a \"path\", or a \"url\" to fetch".to_owned()),
        };
        // Numbers are names, too.
        job.id = text("id").or_else(|| row["id"].as_number().map(|id| id.to_string()));
        job.url = text("url").or(job.url);
        job.site = text("site");
        jobs.push(job);
    }
    Ok(jobs)
}

/// Works on all jobs with up to `threads` at once; `take` gets the results one by one, in the order of the jobs.
///
/// Workers wait when they are far ahead of what has been taken, so that one slow page does not pile up the results of
/// all others in memory.
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
                        // Nobody wants the rest.
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
    fn file_names_stay_in_the_directory() {
        let mut job = Job::named("https://example.com/a/b?c=1");
        assert_eq!(job.file_name(), "example.com_a_b_c_1");
        job.id = Some("../../etc/passwd".to_owned());
        assert_eq!(job.file_name(), ".._.._etc_passwd");
        job.id = Some("..".to_owned());
        assert_eq!(job.file_name(), "page");
    }

    #[test]
    fn pages_of_one_name_overwrote_each_other() {
        let mut names = FileNames::default();
        let taken: Vec<String> =
            ["x", "x", "X", "x-2", "y"].iter().map(|stem| names.take(stem, "txt")).collect();
        assert_eq!(taken, ["x.txt", "x-2.txt", "X-3.txt", "x-2-2.txt", "y.txt"]);
    }
}
