//! The pages of the evaluation sets, decoded.

// The tests and benchmarks that share this file use different parts of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// The pages of all sets; none if the shared folder is absent.
pub(crate) fn all() -> Vec<PathBuf> {
    tamis_testdata::sets().iter().flat_map(|set| tamis_testdata::pages(set)).collect()
}

/// A page as text.
pub(crate) fn decoded(page: &Path) -> String {
    let bytes = std::fs::read(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    tamis_html::decode::decode(&bytes, None).text.into_owned()
}

/// The decoded pages of the set used for benchmarks.
pub(crate) fn for_speed() -> Vec<String> {
    tamis_testdata::pages("trafilatura").iter().map(|page| decoded(page)).collect()
}
