//! File names for pages, whatever their ids hold: slashes, dots, 300 characters, two that differ only in case.

use std::collections::HashSet;

/// How much of an id is kept in its file name, so that a person can tell files apart.
const KEPT: usize = 40;

/// A name for each id, in their order: unique also where the file system does not tell cases apart, and good on every
/// system. An id that is a good name keeps it.
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

/// The id with everything replaced that could mean something to a file system, a shell or an address.
fn plain(id: &str) -> String {
    let mut name: String = id
        .chars()
        .take(KEPT)
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' })
        .collect();
    // Names that Windows keeps for devices, and the list's own file.
    let lower = name.to_ascii_lowercase();
    let device = matches!(lower.as_str(), "con" | "prn" | "aux" | "nul" | "index")
        || (lower.len() == 4 && (lower.starts_with("com") || lower.starts_with("lpt")));
    if name.is_empty() || device {
        name.insert(0, '_');
    }
    // What was lost stays in the name as a digest, so that a page keeps its file when others join the set.
    if name != id && !device {
        name.push_str(&format!("~{:08x}", digest(id)));
    }
    name
}

/// FNV-1a: short, and the same on every machine and in every version.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_unique_whatever_the_ids_hold() {
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
    fn many_equal_ids_do_not_take_long() {
        let names = file_names(std::iter::repeat_n("same", 2000));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 2000);
    }
}
