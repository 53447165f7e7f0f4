//! `--site-pages DIR`: what the other pages of a site repeat.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tamis::Extractor;
use tamis_site::{Known, MAX_CAPACITY, SiteProfile};

use crate::input::Input;

/// Learns from the pages of a directory, in the order of their names; other files are left out. A page of the directory
/// does not count as its own repetition.
pub(crate) fn read(directory: &Path, encoding: Option<&str>, max_bytes: u32) -> Result<Known> {
    let entries = fs::read_dir(directory)
        .with_context(|| format!("cannot read the directory {} of --site-pages", directory.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    paths.sort();
    let extractor = Extractor::new();
    let mut profile = SiteProfile::with_capacity(MAX_CAPACITY);
    for path in paths {
        let bytes = match Input::File(path).read(max_bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("tamis: warning: {error:#}; --site-pages goes on without it");
                continue;
            }
        };
        let mut input = tamis::Input::bytes(&bytes);
        if let Some(label) = encoding {
            input = input.encoding(label);
        }
        // Skip files that are not web pages.
        let _ = extractor.parse_with(input, |page| profile.observe(page, None));
    }
    Ok(profile.known())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis::SiteMemory;

    #[test]
    fn pages_are_learned_and_other_files_left_out() {
        let folder = std::env::temp_dir().join(format!("tamis-site-pages-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for number in 0..5 {
            let page = format!("<p>Story {number} tells of the sea.</p><p>All rights reserved.</p>");
            fs::write(folder.join(format!("{number}.html")), page).unwrap();
        }
        fs::write(folder.join("0.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01").unwrap();
        fs::write(folder.join("huge.html"), vec![b' '; 5_000]).unwrap();
        let known = read(&folder, None, 4_000).unwrap();
        assert_eq!((known.pages(), known.pages_with_line("All rights reserved.")), (5, 5));
        fs::remove_dir_all(&folder).unwrap();
    }
}
