//! File names for arbitrary page ids: with slashes or dots, long, or differing only in case.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

/// Characters of an id in its file name.
const KEPT: usize = 40;

/// A file name for each id: valid on every system, and unique on case-insensitive file systems. Ids that are valid
/// names are kept.
pub(super) fn file_names<'a>(ids: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    ids.into_iter()
        .map(|id| {
            let plain = plain(id);
            let mut name = plain.clone();
            let mut number = 2;
            while !taken.insert(name.to_ascii_lowercase()) {
                name = format!("{plain}~{number}");
                number += 1;
            }
            name
        })
        .collect()
}

/// The id without characters that are special in file systems, shells or URLs.
fn plain(id: &str) -> String {
    let mut name: String = id
        .chars()
        .take(KEPT)
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' })
        .collect();
    // Device names of Windows, and the index of the set.
    let lower = name.to_ascii_lowercase();
    let device = matches!(lower.as_str(), "con" | "prn" | "aux" | "nul" | "index")
        || (lower.len() == 4 && (lower.starts_with("com") || lower.starts_with("lpt")));
    if name.is_empty() || device {
        name.insert(0, '_');
    }
    // A digest keeps the name stable when pages are added to the set.
    if name != id && !device {
        name.push_str(&format!("~{:08x}", xxh3_64(id.as_bytes()) as u32));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        let long = "x".repeat(300);
        let longer = "x".repeat(301);
        let ids = [
            "dev_0001",
            "Page",
            "page",
            "PAGE",
            "../../etc/passwd",
            "a/b",
            "a\\b",
            "a b",
            "",
            ".",
            "..",
            "con",
            "COM1",
            "index",
            "港口",
            "新闻",
            "a?b#c%20",
            "\0",
            &long,
            &longer,
            "a~2",
            "a~2",
        ];
        let names = file_names(ids);
        assert_eq!(names[0], "dev_0001");
        let mut lower: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        lower.sort();
        lower.dedup();
        assert_eq!(lower.len(), ids.len());
        for name in names {
            assert!(!name.is_empty() && name.len() < 64, "{name}");
            let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '~');
            assert!(name.chars().all(good), "{name}");
        }
    }

    #[test]
    fn many_equal_ids() {
        let names = file_names(std::iter::repeat_n("same", 2000));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 2000);
    }
}
