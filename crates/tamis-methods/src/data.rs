//! Word lists under `data/`: lines of `language<TAB>word`, comments start with `#`.

/// Words of page footers: rights, registration, contact.
pub(crate) const COPYRIGHT: &str = include_str!("../data/copyright.tsv");
/// Words without meaning in titles, and characters that never form a pair.
pub(crate) const STOP_WORDS: &str = include_str!("../data/stop-words.tsv");
/// Words of site and section names in `<title>`.
pub(crate) const SITE_NAMES: &str = include_str!("../data/site-names.tsv");

/// The rows of a list: language and word.
pub(crate) fn rows(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_row_in_lower_case() {
        for list in [COPYRIGHT, STOP_WORDS, SITE_NAMES] {
            let lines = list.lines().filter(|line| !line.starts_with('#')).count();
            assert_eq!(rows(list).count(), lines);
            for (language, word) in rows(list) {
                assert!(!language.is_empty() && !word.trim().is_empty(), "{language} {word:?}");
                assert_eq!(word.to_lowercase(), word);
            }
        }
    }
}
