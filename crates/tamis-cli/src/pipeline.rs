//! One page through the engine: read, decode, extract. Every command that looks at single pages goes through here.

use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow};
use tamis::explain::Explanation;
use tamis::page::Page;
use tamis::{Analysis, Document, ExtractError, Extractor, Input, SiteMemory};
use tamis_batch::guarded;
use tamis_dates::Moment;
use tamis_feeds::Feed;
use tamis_site::{Known, MAX_CAPACITY, PageRecord, SiteKey, SiteProfile};

use crate::console::{detail, warning};
use crate::feeds;
use crate::flags::LimitFlags;
use crate::input::RawPage;
use crate::jobs::Job;
use crate::site::memory::{Memory, site_of};

/// Settings of a command, and what all its pages share.
pub(crate) struct Pipeline {
    pub(crate) extractor: Extractor,
    pub(crate) limits: LimitFlags,
    pub(crate) encoding: Option<String>,
    /// `--fetched`.
    pub(crate) fetched: Option<Moment>,
    pub(crate) feeds: Vec<Arc<Feed>>,
    pub(crate) site_pages: Option<Known>,
    pub(crate) memory: Option<Memory>,
}

/// A page that was read, with what is known about it.
pub(crate) struct Loaded {
    pub(crate) raw: RawPage,
    pub(crate) url: Option<String>,
    pub(crate) fetched: Option<Moment>,
}

impl Pipeline {
    pub(crate) fn new(extractor: Extractor, limits: LimitFlags) -> Pipeline {
        Pipeline {
            extractor,
            limits,
            encoding: None,
            fetched: None,
            feeds: Vec::new(),
            site_pages: None,
            memory: None,
        }
    }

    /// Reads a page from wherever it is.
    pub(crate) fn load(&self, job: &Job) -> Result<Loaded> {
        let raw = job.read(self.limits)?;
        let url = job.url_of(&raw);
        let fetched = self.fetched.or_else(|| now().filter(|_| raw.fetched));
        Ok(Loaded { raw, url, fetched })
    }

    /// Analyses a page and passes the result on. Errors name the page and the remedy; a panic is one of them.
    pub(crate) fn analyze<R>(
        &self,
        job: &Job,
        page: &Loaded,
        then: impl FnOnce(&Input<'_>, &Analysis<'_>) -> R,
    ) -> Result<R> {
        let start = Instant::now();
        let known = self.known(job, page)?;
        let site = known.as_ref().or(self.site_pages.as_ref());
        let mut input = self.input(page);
        if let Some(site) = site {
            input = input.site(site as &dyn SiteMemory);
        }
        let analyzed = guarded(|| {
            self.extractor.analyze_with(input, |analysis| {
                if let Some(limit) = analysis.truncated {
                    warning!("{}: {limit}", job.name());
                }
                detail!(
                    "{}: {} bytes, {}, {} ({:.2}), confidence {:.2}, {} ms",
                    job.name(),
                    page.raw.bytes.len(),
                    analysis.encoding.unwrap_or("decoded"),
                    analysis.prediction.page_type.name(),
                    analysis.prediction.page_type_probability,
                    analysis.prediction.confidence,
                    start.elapsed().as_millis()
                );
                then(&input, analysis)
            })
        });
        analyzed.with_context(|| job.label())?.map_err(explained).with_context(|| job.label())
    }

    /// Why each block of a page is kept or dropped, and what is known about the site.
    pub(crate) fn explain(&self, job: &Job, page: &Loaded) -> Result<(Explanation, Option<Known>)> {
        let site = self.known(job, page)?.or_else(|| self.site_pages.clone());
        let mut input = self.input(page);
        if let Some(site) = &site {
            input = input.site(site as &dyn SiteMemory);
        }
        let explanation = guarded(|| self.extractor.explain(input)).with_context(|| job.label())?;
        Ok((explanation.map_err(explained).with_context(|| job.label())?, site))
    }

    fn known(&self, job: &Job, page: &Loaded) -> Result<Option<Known>> {
        match &self.memory {
            Some(memory) => memory.known(job, page.url.as_deref()),
            None => Ok(None),
        }
    }

    /// Parses a page without classifying it.
    pub(crate) fn parse<R>(&self, job: &Job, page: &Loaded, then: impl FnOnce(&Page<'_>) -> R) -> Result<R> {
        let parsed = guarded(|| self.extractor.parse_with(self.input(page), then));
        parsed.with_context(|| job.label())?.map_err(explained).with_context(|| job.label())
    }

    /// The document of an analysed page, with hints from the feed that lists it.
    pub(crate) fn document(&self, input: &Input<'_>, url: Option<&str>, analysis: &Analysis<'_>) -> Document {
        let document = self.extractor.document(input, analysis);
        match feeds::hints(&self.feeds, url, document.metadata.canonical.as_deref()) {
            Some(hints) => self.extractor.document(&input.hints(&hints), analysis),
            None => document,
        }
    }

    /// What a page contributes to the memory of its site; nothing if its site is unknown.
    pub(crate) fn record(
        &self,
        job: &Job,
        page: &Loaded,
        site: Option<&SiteKey>,
    ) -> Result<Option<(SiteKey, PageRecord)>> {
        let url = page.url.as_deref();
        let Some(site) = site_of(job, site, url) else { return Ok(None) };
        Ok(Some((site, self.parse(job, page, |parsed| PageRecord::of(parsed, url))?)))
    }

    /// What the pages of a directory repeat, read in the order of their names; other files are skipped.
    pub(crate) fn learn_directory(&self, directory: &Path) -> Result<Known> {
        let entries = std::fs::read_dir(directory).with_context(|| {
            format!("cannot read the directory {} of --site-pages: check the path", directory.display())
        })?;
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.is_file());
        paths.sort();
        let mut profile = SiteProfile::with_capacity(MAX_CAPACITY);
        for path in paths {
            let job = Job::named(&path.to_string_lossy());
            match self.load(&job) {
                // Files that are not web pages are no error here.
                Ok(page) => _ = self.parse(&job, &page, |parsed| profile.observe(parsed, None)),
                Err(error) => warning!("--site-pages: {error:#}; skipped"),
            }
        }
        Ok(profile.known())
    }

    fn input<'a>(&'a self, page: &'a Loaded) -> Input<'a> {
        let mut input = Input::bytes(&page.raw.bytes);
        if let Some(url) = &page.url {
            input = input.url(url);
        }
        if let Some(content_type) = &page.raw.content_type {
            input = input.content_type(content_type);
        }
        if let Some(label) = &self.encoding {
            input = input.encoding(label);
        }
        match page.fetched {
            Some(time) => input.fetched(time),
            None => input,
        }
    }
}

fn now() -> Option<Moment> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Moment::from_unix(i64::try_from(since.as_secs()).ok()?)
}

/// The error of a page, with its remedy.
fn explained(error: ExtractError) -> anyhow::Error {
    match error {
        ExtractError::NotAPage { what } => anyhow!("{what}"),
        ExtractError::TooLarge { .. } => anyhow!("{error}: raise --max-bytes"),
        ExtractError::DeadlineExceeded { .. } => anyhow!("{error}: raise --timeout"),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::flags::{FetchFlags, SizeFlag};

    #[test]
    fn pages_of_a_directory_are_learned_and_other_files_skipped() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..5 {
            let page = format!("<p>Story {number} tells of the sea.</p><p>All rights reserved.</p>");
            fs::write(folder.path().join(format!("{number}.html")), page).unwrap();
        }
        fs::write(folder.path().join("0.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").unwrap();
        fs::write(folder.path().join("huge.html"), vec![b' '; 5_000]).unwrap();
        let limits = LimitFlags {
            size: SizeFlag { max_bytes: 4_000 },
            timeout: Duration::from_secs(10),
            fetch: FetchFlags { fetch_timeout: Duration::from_secs(30), allow_private: false },
        };
        let known = Pipeline::new(Extractor::new(), limits).learn_directory(folder.path()).unwrap();
        assert_eq!((known.pages(), known.pages_with_line("All rights reserved.")), (5, 5));
    }
}
