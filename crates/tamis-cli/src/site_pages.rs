//! Other pages of a site, from a directory: what they show of it, to a page that may be one of them.
//!
//! A page that has seen itself takes its own text for what the site repeats, so a page of the directory is judged by the
//! others alone. The papers' procedures depend on the order of pages and cannot take one out again: it takes learning anew.
//! That would be quadratic in the pages of the directory, so such a page is shown the first [`MOST`] others and no more.
//! Nearly all pages then are shown the same ones, and what those say is learned once.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result};
use tamis::{Page, Site};
use tamis_html::decode::{Decoder, check_page};

use crate::input::Input;

/// How many others a page of the directory is shown, as in `tamis eval --site-pages 50`.
const MOST: usize = 50;

/// The pages of a directory.
pub(crate) struct SitePages {
    /// The texts of the first pages, one more than a page is shown.
    first: Vec<String>,
    /// Where each page stands among all, by its true place (links followed) and by its bytes.
    by_path: HashMap<PathBuf, usize>,
    by_bytes: HashMap<(usize, u64), Vec<usize>>,
    /// What all of them show.
    all: Site,
    /// What a page is shown that is none of the first.
    of_first: OnceLock<Site>,
}

impl SitePages {
    /// Reads a directory, in the order of the names. What is no page in it (pictures, say) is left out.
    pub(crate) fn read(directory: &Path, decoder: &Decoder, max_bytes: u32) -> Result<SitePages> {
        let entries = fs::read_dir(directory)
            .with_context(|| format!("cannot read the directory {} of --site-pages", directory.display()))?;
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
        paths.sort();
        let mut pages = SitePages {
            first: Vec::new(),
            by_path: HashMap::new(),
            by_bytes: HashMap::new(),
            all: Site::default(),
            of_first: OnceLock::new(),
        };
        let mut number = 0;
        for path in paths {
            let bytes = match Input::File(path.clone()).read(max_bytes) {
                Ok(bytes) => bytes,
                Err(error) => {
                    eprintln!("tamis: warning: {error:#}; --site-pages goes on without it");
                    continue;
                }
            };
            let decoded = decoder.decode(&bytes);
            if check_page(&bytes, &decoded).is_err() {
                continue;
            }
            if let Ok(path) = path.canonicalize() {
                pages.by_path.insert(path, number);
            }
            pages.by_bytes.entry(digest(&bytes)).or_default().push(number);
            number += 1;
            pages.all.observe(&Page::parse(&decoded.text));
            if pages.first.len() <= MOST {
                pages.first.push(decoded.text.into_owned());
            }
        }
        Ok(pages)
    }

    /// What all pages show.
    pub(crate) fn all(&self) -> &Site {
        &self.all
    }

    /// What the others show to a page that is one of them, by its place or its bytes; nothing if it is not.
    pub(crate) fn without(&self, path: Option<&Path>, bytes: &[u8]) -> Option<Site> {
        let place = path.and_then(|path| path.canonicalize().ok()).and_then(|path| self.by_path.get(&path));
        let copies = self.by_bytes.get(&digest(bytes)).map_or(&[][..], Vec::as_slice);
        let own: Vec<usize> = place.into_iter().chain(copies).copied().collect();
        if own.is_empty() {
            return None;
        }
        let learn = |own: &[usize]| {
            let mut site = Site::default();
            let others = self.first.iter().enumerate().filter(|(number, _)| !own.contains(number));
            others.take(MOST).for_each(|(_, text)| site.observe(&Page::parse(text)));
            site
        };
        if own.iter().all(|number| *number >= MOST) {
            return Some(self.of_first.get_or_init(|| learn(&[])).clone());
        }
        Some(learn(&own))
    }
}

fn digest(bytes: &[u8]) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    (bytes.len(), hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of pages, each with a line of its own and one that all have.
    fn folder(name: &str, pages: usize) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tamis-site-pages-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for number in 0..pages {
            fs::write(folder.join(format!("{number:04}.html")), page(number)).unwrap();
        }
        folder
    }

    fn page(number: usize) -> String {
        format!(
            "<p>Story {number}, which is long and tells of the sea.</p><p>All rights reserved, also these.</p>"
        )
    }

    #[test]
    fn a_page_of_a_large_directory_made_the_command_learn_all_others_anew() {
        let folder = folder("large", 120);
        let pages = SitePages::read(&folder, &Decoder::new(), 1 << 20).unwrap();
        assert_eq!(pages.all().pages(), 120);
        for number in [0, 3, MOST - 1, MOST, MOST + 1, 119] {
            let site = pages.without(Some(&folder.join(format!("{number:04}.html"))), b"").unwrap();
            assert_eq!(site.pages() as usize, MOST, "{number}");
            let own = format!("Story {number}, which is long and tells of the sea.");
            assert_eq!(site.line_counts(&[&own]), [1], "it has not seen itself: {number}");
            assert!(pages.without(None, page(number).as_bytes()).is_some(), "by its bytes: {number}");
        }
        assert!(pages.without(None, page(500).as_bytes()).is_none());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_no_page_was_learned_or_stopped_everything() {
        let folder = folder("pictures", 5);
        fs::write(folder.join("0001.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").unwrap();
        fs::write(folder.join("huge.html"), vec![b' '; 5_000]).unwrap();
        let pages = SitePages::read(&folder, &Decoder::new(), 4_000).unwrap();
        assert_eq!(pages.all().pages(), 5);
        let site = pages.without(Some(&folder.join("0002.html")), b"").unwrap();
        assert_eq!(site.pages(), 4);
        fs::remove_dir_all(&folder).unwrap();
    }
}
