//! Correctness of authors.

use crate::letters::is_letter_or_digit;
use crate::tokens::normal;

/// Whether all extracted names are among those of the truth, by letters and digits alone, and there is at least one. A
/// truth is one name or a list, and its names may be longer or shorter than the extracted ones. `None` if the truth has
/// no name.
pub(crate) fn all_right(found: &[String], wanted: &str) -> Option<bool> {
    let whole = bare(wanted);
    if whole.is_empty() {
        return None;
    }
    let mut parts = vec![wanted];
    for mark in [",", ";", "、", "/", " and ", " und ", " et ", " y ", " & "] {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let parts: Vec<String> = parts.into_iter().map(bare).filter(|part| !part.is_empty()).collect();
    let right = |name: &String| {
        whole.contains(name.as_str()) || parts.iter().any(|part| name.contains(part.as_str()))
    };
    // Some tools join names.
    let names = found.iter().flat_map(|names| names.split(';')).map(bare);
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    Some(!names.is_empty() && names.iter().all(right))
}

/// The letters and digits of a name, for comparison.
pub(crate) fn bare(name: &str) -> String {
    let letters = normal(name).chars().filter(|character| is_letter_or_digit(*character)).collect::<String>();
    letters.replace('ß', "ss")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extracted_name_must_be_in_the_truth() {
        let check = |names: &[&str], wanted| {
            all_right(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), wanted)
        };
        assert_eq!(check(&["Ada Finch"], "Ada Finch, Bo Lark"), Some(true));
        assert_eq!(check(&["Ada Finch", "Cy Wren"], "Ada Finch and Bo Lark"), Some(false));
        assert_eq!(check(&["Dr. Ada Finch"], "Ada Finch"), Some(true));
        assert_eq!(check(&["Guido Weiss"], "Guido Weiß"), Some(true));
        assert_eq!(check(&["Ada Finch; Cy Wren"], "Ada Finch and Bo Lark"), Some(false));
        assert_eq!(check(&["Bo Lark; Ada Finch;"], "Ada Finch and Bo Lark"), Some(true));
        assert_eq!((check(&[], "Ada Finch"), check(&["–"], "Ada Finch")), (Some(false), Some(false)));
        assert_eq!(check(&["Ada Finch"], " – "), None);
    }
}
