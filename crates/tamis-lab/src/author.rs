//! Are the authors right?

use crate::letters::is_letter_or_digit;
use crate::tokens::normal;

/// Are all names that were found among those of the truth, by letters and digits alone? A truth may be one name or a
/// list, and may say more about a name or less of it. Nothing where no name was found, or the truth has none: what was
/// not given cannot be wrong.
///
/// ```
/// use tamis_lab::author::all_right;
///
/// let found = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
/// assert_eq!(all_right(&found(&["Ada Finch"]), "Ada Finch, Bo Lark"), Some(true));
/// assert_eq!(all_right(&found(&["Ada Finch", "Cy Wren"]), "Ada Finch and Bo Lark"), Some(false));
/// assert_eq!(all_right(&found(&["Dr. Ada Finch"]), "Ada Finch"), Some(true));
/// assert_eq!(all_right(&found(&["Guido Weiss"]), "Guido Weiß"), Some(true));
/// assert_eq!(all_right(&[], "Ada Finch"), None);
/// ```
pub fn all_right(found: &[String], wanted: &str) -> Option<bool> {
    let whole = bare(wanted);
    if found.is_empty() || whole.is_empty() {
        return None;
    }
    let mut parts = vec![wanted];
    for mark in [",", ";", "、", "/", " and ", " und ", " et ", " y ", " & "] {
        parts = parts.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let parts: Vec<String> = parts.into_iter().map(bare).filter(|part| !part.is_empty()).collect();
    Some(found.iter().map(|name| bare(name)).all(|name| {
        !name.is_empty() && (whole.contains(&name) || parts.iter().any(|part| name.contains(part.as_str())))
    }))
}

/// The letters and digits of a name, for comparison.
pub(crate) fn bare(name: &str) -> String {
    let letters = normal(name).chars().filter(|character| is_letter_or_digit(*character)).collect::<String>();
    letters.replace('ß', "ss")
}
