//! One page through the engine: read, decode, extract. Every command that looks at single pages goes through here.

use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow};
use tamis::page::Page;
use tamis::{Analysis, Input, SiteMemory};
use tamis_batch::{Html, PageError, PageIn, Work, guarded};
use tamis_dates::Moment;
use tamis_inspect::{InspectOptions, Inspection};
use tamis_site::{Known, MAX_CAPACITY, PageRecord, SiteKey, SiteProfile};

use crate::console::{detail, warning};
use crate::flags::LimitFlags;
use crate::input::RawPage;
use crate::jobs::Job;
use crate::site::memory::{Memory, site_of};

/// Settings of a command, and what all its pages share.
pub(crate) struct Pipeline {
    pub(crate) work: Work,
    pub(crate) limits: LimitFlags,
    /// `--fetched`.
    pub(crate) fetched: Option<Moment>,
    pub(crate) site_pages: Option<Known>,
    pub(crate) memory: Option<Memory>,
}

/// A page that was read, with what is known about it.
pub(crate) struct Loaded {
    pub(crate) raw: RawPage,
    pub(crate) url: Option<String>,
    pub(crate) fetched: Option<Moment>,
}

impl Loaded {
    /// For [`Work`].
    pub(crate) fn page(&self) -> PageIn<'_> {
        PageIn {
            url: self.url.as_deref(),
            content_type: self.raw.content_type.as_deref(),
            fetched: self.fetched.map(|time| time.to_unix().saturating_mul(1_000_000)),
            reference_time: self.fetched,
            ..PageIn::of(Html::Bytes(&self.raw.bytes))
        }
    }
}

impl Pipeline {
    pub(crate) fn new(work: Work, limits: LimitFlags) -> Pipeline {
        Pipeline { work, limits, fetched: None, site_pages: None, memory: None }
    }

    /// Reads a page from wherever it is.
    pub(crate) fn load(&self, job: &Job) -> Result<Loaded> {
        let raw = job.read(self.limits)?;
        let url = job.url_of(&raw);
        let fetched = self.fetched.or_else(|| now().filter(|_| raw.fetched));
        Ok(Loaded { raw, url, fetched })
    }

    /// Analyses a page and passes the result on. Errors name the page and the remedy.
    pub(crate) fn analyze<R>(
        &self,
        job: &Job,
        page: &Loaded,
        then: impl FnOnce(&PageIn<'_>, &Input<'_>, &Analysis<'_>) -> R,
    ) -> Result<R> {
        self.check_url(job, page);
        let start = Instant::now();
        let site = self.site(job, page)?;
        let page = PageIn { site: site.as_ref().map(|site| site as &dyn SiteMemory), ..page.page() };
        let analyzed = self.work.analyze(&page, |input, analysis| {
            if let Some(limit) = analysis.truncated {
                warning!("{}: {limit}", job.name());
            }
            detail!(
                "{}: {} bytes, {}, {} ({:.2}), confidence {:.2}, {} ms",
                job.name(),
                page.html.len(),
                analysis.encoding.unwrap_or("decoded"),
                analysis.prediction.page_type.name(),
                analysis.prediction.page_type_probability,
                analysis.prediction.confidence,
                start.elapsed().as_millis()
            );
            then(&page, input, analysis)
        });
        analyzed.map_err(explained).with_context(|| job.label())
    }

    /// Everything that decided what is extracted from a page.
    pub(crate) fn inspect(
        &self,
        job: &Job,
        page: &Loaded,
        options: &InspectOptions<'_>,
    ) -> Result<Inspection> {
        self.check_url(job, page);
        let site = self.site(job, page)?;
        let page = PageIn { site: site.as_ref().map(|site| site as &dyn SiteMemory), ..page.page() };
        let inspected = self.work.explain(&page, |input, analysis, explanation| {
            if let Some(limit) = analysis.truncated {
                warning!("{}: {limit}", job.name());
            }
            tamis_inspect::of_analysis(self.work.extractor(), input, analysis, explanation, options)
        });
        inspected.map_err(explained).with_context(|| job.label())
    }

    /// Parses a page without classifying it.
    pub(crate) fn parse<R>(&self, job: &Job, page: &Loaded, then: impl FnOnce(&Page<'_>) -> R) -> Result<R> {
        let page = page.page();
        let parse = || Ok(self.work.extractor().parse_with(self.work.input(&page)?, then)?);
        guarded(parse).flatten().map_err(explained).with_context(|| job.label())
    }

    /// Warns where rules cannot apply.
    fn check_url(&self, job: &Job, page: &Loaded) {
        if self.work.options().rules.is_some() && page.url.is_none() {
            warning!("{}: no URL, so no rules apply; give --url", job.name());
        }
    }

    /// What is known about the site of a page.
    fn site(&self, job: &Job, page: &Loaded) -> Result<Option<Known>> {
        match (&self.site_pages, &self.memory) {
            (Some(known), _) => Ok(Some(known.clone())),
            (None, Some(memory)) => memory.known(job, page.url.as_deref()),
            (None, None) => Ok(None),
        }
    }

    /// What a page contributes to the memory of its site; nothing if its site is unknown.
    pub(crate) fn observe(
        &self,
        job: &Job,
        page: &Loaded,
        site: Option<&SiteKey>,
    ) -> Result<Option<(SiteKey, PageRecord)>> {
        let Some(site) = site_of(job, site, page.url.as_deref()) else { return Ok(None) };
        let record = self.work.observe(&page.page()).map_err(explained).with_context(|| job.label())?;
        Ok(Some((site, record)))
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
}

fn now() -> Option<Moment> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Moment::from_unix(since.as_secs().try_into().ok()?)
}

/// The error of a page, with its remedy.
fn explained(error: PageError) -> anyhow::Error {
    match error {
        PageError::TooLarge(_) => anyhow!("{error}: raise --max-bytes"),
        PageError::Time(_) => anyhow!("{error}: raise --timeout"),
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
        let known = Pipeline::new(Work::default(), limits).learn_directory(folder.path()).unwrap();
        assert_eq!((known.pages(), known.pages_with_line("All rights reserved.")), (5, 5));
    }
}
