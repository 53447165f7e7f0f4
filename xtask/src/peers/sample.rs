//! Which pages are run: some of every evaluation set, the same ones every time.

use std::fs;
use std::path::PathBuf;

/// One page of a set.
pub(crate) struct Page {
    pub(crate) set: String,
    pub(crate) id: String,
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
}

/// The pages of a run.
pub(crate) struct Sample {
    pub(crate) pages: Vec<Page>,
    /// How many there were to choose from.
    pub(crate) of: usize,
    /// How many of those were too large.
    pub(crate) too_large: usize,
    pub(crate) sets: usize,
}

impl Sample {
    /// About `wanted` pages (all for 0), from each set its share and at least one, spread evenly over its file names.
    pub(crate) fn take(sets: Option<&[String]>, wanted: usize, max_bytes: u64) -> Result<Sample, String> {
        let known = tamis_testdata::sets();
        if known.is_empty() {
            return Err("there are no evaluation sets to take pages from\n\
                        remedy: set TAMIS_SHARED to the folder that has eval/ (CONTRIBUTING.md says more)"
                .to_owned());
        }
        if let Some(unknown) = sets.unwrap_or_default().iter().find(|name| !known.contains(name)) {
            return Err(format!("there is no evaluation set {unknown}; there are: {}", known.join(", ")));
        }
        let mut folders = Vec::new();
        let (mut of, mut too_large) = (0, 0);
        for set in known.iter().filter(|name| sets.is_none_or(|sets| sets.contains(name))) {
            let mut pages = Vec::new();
            for path in tamis_testdata::pages(set) {
                let bytes = fs::metadata(&path)
                    .map_err(|error| format!("cannot read {}: {error}", path.display()))?
                    .len();
                of += 1;
                if bytes > max_bytes {
                    too_large += 1;
                    continue;
                }
                let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                pages.push(Page { set: set.clone(), id, path, bytes });
            }
            folders.push(pages);
        }
        let all: usize = folders.iter().map(Vec::len).sum();
        let sets = folders.len();
        let pages = folders.into_iter().flat_map(|pages| {
            let count = share(pages.len(), all, wanted);
            let length = pages.len();
            let mut pages: Vec<Option<Page>> = pages.into_iter().map(Some).collect();
            places(length, count).into_iter().filter_map(move |place| pages.get_mut(place)?.take())
        });
        Ok(Sample { pages: pages.collect(), of, too_large, sets })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.pages.iter().map(|page| page.bytes).sum()
    }

    /// The paths, one a line, as the runners want them.
    pub(crate) fn list(&self) -> String {
        self.pages.iter().map(|page| format!("{}\n", page.path.display())).collect()
    }

    pub(crate) fn about(&self) -> String {
        format!(
            "{} of {} pages of {} sets, {:.1} MB, {} left out for their size",
            self.pages.len(),
            self.of,
            self.sets,
            self.bytes() as f64 / 1e6,
            self.too_large
        )
    }
}

/// How many of the `wanted` pages come from a set with `own` of `all` pages.
fn share(own: usize, all: usize, wanted: usize) -> usize {
    if wanted == 0 || wanted >= all {
        return own;
    }
    ((own * wanted + all / 2) / all).clamp(1.min(own), own)
}

/// `count` of `length` places, evenly spread.
fn places(length: usize, count: usize) -> Vec<usize> {
    (0..count).map(|i| (2 * i + 1) * length / (2 * count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_share_and_at_least_one_page() {
        assert_eq!(share(1298, 4332, 100), 30);
        assert_eq!(share(15, 4332, 100), 1);
        assert_eq!(share(0, 4332, 100), 0);
        assert_eq!(share(15, 4332, 0), 15);
        assert_eq!(share(15, 20, 100), 15);
    }

    #[test]
    fn places_are_spread_and_differ() {
        assert_eq!(places(10, 2), [2, 7]);
        assert_eq!(places(3, 3), [0, 1, 2]);
        assert_eq!(places(5, 1), [2]);
        assert!(places(0, 0).is_empty());
        let many = places(387, 386);
        assert!(many.windows(2).all(|pair| pair[0] < pair[1]) && many[385] < 387);
    }
}
