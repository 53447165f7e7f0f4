//! What must never be on both sides when a model is measured: pages of one site, or of one engine.

use std::collections::BTreeMap;

/// What is held out together.
///
/// ```
/// use tamis_lab::learn::HoldOut;
///
/// assert_eq!("engine".parse(), Ok(HoldOut::Engine));
/// assert_eq!(HoldOut::default().name(), "site");
/// assert!("page".parse::<HoldOut>().unwrap_err().to_string().contains("site or engine"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HoldOut {
    /// All pages of a site.
    #[default]
    Site,
    /// All pages that one program has made, where the set names it (`engine`), and all pages of a site.
    Engine,
}

impl HoldOut {
    /// `site` or `engine`.
    pub fn name(self) -> &'static str {
        match self {
            HoldOut::Site => "site",
            HoldOut::Engine => "engine",
        }
    }
}

/// Why a word is not what is held out.
///
/// ```
/// let error = "page".parse::<tamis_lab::learn::HoldOut>().unwrap_err();
/// assert_eq!(error, tamis_lab::learn::UnknownHoldOut("page".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} cannot be held out: say site or engine")]
pub struct UnknownHoldOut(pub String);

impl std::str::FromStr for HoldOut {
    type Err = UnknownHoldOut;

    fn from_str(name: &str) -> Result<HoldOut, UnknownHoldOut> {
        match name {
            "site" => Ok(HoldOut::Site),
            "engine" => Ok(HoldOut::Engine),
            _ => Err(UnknownHoldOut(name.to_owned())),
        }
    }
}

/// The part of each page, given by its site and engine, so that no site and no engine is in two parts.
///
/// Engines are few and large, so parts are not left to chance: the largest group goes where least is.
pub(crate) fn by_engine(pages: &[(&str, Option<&str>)], folds: usize) -> Vec<usize> {
    let groups = groups(pages);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    groups.iter().for_each(|group| *sizes.entry(*group).or_default() += 1);
    let mut order: Vec<(usize, usize)> = sizes.into_iter().collect();
    order.sort_by_key(|(group, size)| (std::cmp::Reverse(*size), *group));
    let mut filled = vec![0; folds];
    let mut parts: BTreeMap<usize, usize> = BTreeMap::new();
    for (group, size) in order {
        let part = (0..folds).min_by_key(|part| filled[*part]).unwrap_or(0);
        filled[part] += size;
        parts.insert(group, part);
    }
    groups.iter().map(|group| parts[group]).collect()
}

/// For each page the number of the group it belongs to. A site with pages of two engines joins them.
pub(crate) fn groups(pages: &[(&str, Option<&str>)]) -> Vec<usize> {
    let mut joined = Joined::default();
    let of_page: Vec<usize> = pages
        .iter()
        .map(|(site, engine)| {
            let site = joined.number((false, site));
            if let Some(engine) = engine {
                let engine = joined.number((true, engine));
                joined.join(site, engine);
            }
            site
        })
        .collect();
    of_page.into_iter().map(|number| joined.first(number)).collect()
}

/// Names that have been found to belong together.
#[derive(Default)]
struct Joined<'n> {
    numbers: BTreeMap<(bool, &'n str), usize>,
    above: Vec<usize>,
}

impl<'n> Joined<'n> {
    fn number(&mut self, name: (bool, &'n str)) -> usize {
        let next = self.above.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.above.push(next);
        }
        number
    }

    fn first(&mut self, mut number: usize) -> usize {
        while self.above[number] != number {
            self.above[number] = self.above[self.above[number]];
            number = self.above[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.above[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_engine_and_no_site_is_in_two_parts() {
        let pages = [
            ("a", Some("phpbb")),
            ("b", Some("phpbb")),
            ("c", None),
            ("d", Some("discuz")),
            ("e", None),
            // A site that moved from one program to another.
            ("f", Some("mybb")),
            ("f", Some("vbulletin")),
            ("g", Some("vbulletin")),
            ("f", None),
        ];
        let parts = by_engine(&pages, 3);
        assert_eq!(parts[0], parts[1]);
        assert!(parts[5] == parts[6] && parts[6] == parts[7] && parts[7] == parts[8]);
        let mut filled = [0; 3];
        parts.iter().for_each(|part| filled[*part] += 1);
        assert_eq!(filled, [4, 3, 2], "parts are as even as groups allow");
    }
}
