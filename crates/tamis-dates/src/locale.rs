//! Conventions of languages for dates.

use std::sync::LazyLock;

const TABLE: &str = include_str!("../data/languages.tsv");

/// Defines the habits with their names in the table.
macro_rules! habits {
    ($($habit:ident $name:literal),*) => {
        /// The conventions of a language; the table explains each.
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
        pub(crate) struct Habits { $(pub(crate) $habit: bool),* }

        fn habits(flags: &str) -> Habits {
            Habits { $($habit: flags.split(',').any(|it| it == $name)),* }
        }
    };
}

habits! {
    month_first "month-first", year_first "year-first", short_year "short-year", capitals "capitals",
    full_stops "full-stops", persian "persian", buddhist "buddhist"
}

struct Row {
    base: &'static str,
    rest: &'static str,
    habits: Habits,
    names: Option<&'static str>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let (tag, flags, names) = (columns.next()?, columns.next()?, columns.next()?);
            let (base, rest) = tag.split_once('-').unwrap_or((tag, ""));
            Some(Row { base, rest, habits: habits(flags), names: (names != "-").then_some(names) })
        })
        .collect()
});

/// The conventions of a text's language.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Locale<'h> {
    /// The language of the names of months, without script and region.
    pub(crate) language: Option<&'h str>,
    pub(crate) habits: Habits,
}

impl<'h> Locale<'h> {
    pub(crate) fn of(tag: Option<&'h str>) -> Locale<'h> {
        let Some(tag) = tag.filter(|tag| !tag.is_empty()) else { return Locale::default() };
        let mut parts = tag.split(['-', '_']);
        let base = parts.next().unwrap_or_default();
        let is_own = |row: &&Row| row.base.eq_ignore_ascii_case(base);
        let mut rows = ROWS.iter().filter(is_own);
        let plain = rows.clone().find(|row| row.rest.is_empty());
        // The first subtag that the table has.
        let special = parts.find_map(|part| rows.clone().find(|row| row.rest.eq_ignore_ascii_case(part)));
        let other = || rows.find(|row| row.rest == "*").filter(|_| tag.len() > base.len());
        let row = special.or_else(other).or(plain);
        let language = row.and_then(|row| row.names).unwrap_or(base);
        Locale { language: Some(language), habits: row.map(|row| row.habits).unwrap_or_default() }
    }

    /// Whether months of a language begin with a capital.
    pub(crate) fn writes_capitals(language: &str) -> bool {
        ROWS.iter().any(|row| row.base == language && row.rest.is_empty() && row.habits.capitals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_special_row_counts() {
        let habits = |tag| Locale::of(Some(tag)).habits;
        assert!(habits("en").month_first && habits("en-US").month_first && habits("EN_us").month_first);
        assert!(!habits("en-GB").month_first && !habits("de").month_first && !habits("xx").month_first);
        assert!(habits("zh").short_year && habits("zh-CN").short_year && !habits("zh-Hant-TW").short_year);
        assert!(habits("fa-IR").persian && habits("az-Arab").persian && !habits("az").persian);
        assert_eq!(Locale::of(Some("no")).language, Some("nb"));
        assert_eq!(Locale::of(Some("fr-CA")).language, Some("fr"));
        assert_eq!(Locale::of(Some("")).language, None);
    }
}
