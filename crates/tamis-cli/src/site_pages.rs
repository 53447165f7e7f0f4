//! Other pages of a site, from a directory: what they show of it, to a page that may be one of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tamis::{Page, Site};
use tamis_html::decode::Decoder;

use crate::input::Input;

/// The pages of a directory.
pub(crate) struct SitePages {
    files: Vec<SitePage>,
    /// What all of them show.
    all: Site,
}

struct SitePage {
    /// Its true place, links followed.
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    text: String,
}

impl SitePages {
    /// Reads a directory, in the order of the names.
    pub(crate) fn read(directory: &Path, decoder: &Decoder, max_bytes: u32) -> Result<SitePages> {
        let entries = fs::read_dir(directory)
            .with_context(|| format!("cannot read the directory {} of --site-pages", directory.display()))?;
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            let bytes = Input::File(path.clone()).read(max_bytes)?;
            let text = decoder.decode(&bytes).text.into_owned();
            files.push(SitePage { path: path.canonicalize().ok(), bytes, text });
        }
        let all = learn(files.iter());
        Ok(SitePages { files, all })
    }

    /// What all pages show.
    pub(crate) fn all(&self) -> &Site {
        &self.all
    }

    /// What the others show to a page that is one of them, by its place or its bytes; nothing if it is not. A page
    /// that has seen itself takes its own text for what the site repeats.
    pub(crate) fn without(&self, path: Option<&Path>, bytes: &[u8]) -> Option<Site> {
        let path = path.and_then(|path| path.canonicalize().ok());
        let is_it = |file: &&SitePage| (path.is_some() && file.path == path) || file.bytes == bytes;
        self.files
            .iter()
            .any(|file| is_it(&file))
            .then(|| learn(self.files.iter().filter(|file| !is_it(file))))
    }
}

fn learn<'f>(files: impl Iterator<Item = &'f SitePage>) -> Site {
    let mut site = Site::default();
    files.for_each(|file| site.observe(&Page::parse(&file.text)));
    site
}
