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
    /// So many pages (all for 0), from each set its share, and at least one where there are enough, spread evenly over its
    /// file names.
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
        let sets = folders.len();
        let counts = shares(&folders.iter().map(Vec::len).collect::<Vec<_>>(), wanted);
        let pages = folders.into_iter().zip(counts).flat_map(|(pages, count)| {
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

/// How many of the `wanted` pages come from each of sets with so many pages. The next page always goes to the set that is
/// furthest behind its share (the method of Sainte-Laguë); before that every set has one, if that many are wanted.
fn shares(sets: &[usize], wanted: usize) -> Vec<usize> {
    if wanted == 0 || wanted >= sets.iter().sum() {
        return sets.to_vec();
    }
    let filled = sets.iter().filter(|pages| **pages > 0).count();
    let mut shares: Vec<usize> = sets.iter().map(|pages| usize::from(wanted >= filled).min(*pages)).collect();
    let behind =
        |pages: usize, share: usize| if share < pages { pages as f64 / (2 * share + 1) as f64 } else { 0.0 };
    for _ in shares.iter().sum()..wanted {
        let most = (0..sets.len())
            .rev()
            .max_by(|a, b| behind(sets[*a], shares[*a]).total_cmp(&behind(sets[*b], shares[*b])));
        if let Some(next) = most {
            shares[next] += 1;
        }
    }
    shares
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
        let sets = [1300, 15, 0, 700];
        assert_eq!(shares(&sets, 0), sets);
        assert_eq!(shares(&sets, 5000), sets);
        let some = shares(&sets, 100);
        assert!((63..=66).contains(&some[0]) && (33..=36).contains(&some[3]), "{some:?}");
        assert_eq!(&some[1..3], [1, 0]);
        assert_eq!(shares(&[3, 3], 6 - 1).iter().sum::<usize>(), 5);
    }

    #[test]
    fn more_pages_were_run_than_asked_for() {
        let sets: Vec<usize> = (1..=20).map(|set| set * set).collect();
        for wanted in [1, 5, 19, 20, 21, 40, 2869] {
            let shares = shares(&sets, wanted);
            assert_eq!(shares.iter().sum::<usize>(), wanted);
            assert!(shares.iter().zip(&sets).all(|(share, pages)| share <= pages));
        }
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
