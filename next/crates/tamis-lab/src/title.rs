//! Is the title right?

use serde::Serialize;

use crate::letters::is_letter_or_digit;
use crate::tokens::normal;

/// How a title compares with the true one, by letters and digits alone.
///
/// ```
/// use tamis_lab::TitleScore;
///
/// let score = TitleScore::of(Some("Rain at last - The Gazette"), "Rain at last!").unwrap();
/// assert!(!score.equal && score.contains);
/// assert_eq!(TitleScore::of(Some("Rain"), "…"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TitleScore {
    /// The same letters and digits.
    pub equal: bool,
    /// One contains the other; the found one by more than three characters.
    pub contains: bool,
}

impl TitleScore {
    /// Nothing where the true title has neither letters nor digits.
    pub fn of(found: Option<&str>, wanted: &str) -> Option<TitleScore> {
        let (found, wanted) = (bare(found.unwrap_or_default()), bare(wanted));
        if wanted.is_empty() {
            return None;
        }
        let equal = found == wanted;
        let inside = found.chars().count() > 3 && wanted.contains(&found);
        Some(TitleScore { equal, contains: equal || inside || found.contains(&wanted) })
    }
}

/// Is a title the true one without its end, or without its beginning, up to a mark that parts titles? So it is where the truth
/// is a `title` element as it stands, with the name of the site. A truth that was cut off is one that the title goes on from.
///
/// ```
/// use tamis_lab::title::is_part;
///
/// assert!(is_part("Rain at last", "Rain at last - Weather | The Gazette"));
/// assert!(is_part("Rain at last", "The Gazette: Rain at last"));
/// assert!(!is_part("Rain", "Rain at last - The Gazette"));
/// ```
pub fn is_part(found: &str, wanted: &str) -> bool {
    let found = bare(found);
    let parts: Vec<String> = wanted.split(is_mark).map(bare).filter(|part| !part.is_empty()).collect();
    let joined = |parts: &[String]| parts.concat();
    let cuts = 1..parts.len();
    !found.is_empty()
        && (cuts.clone().any(|end| joined(&parts[..end]) == found)
            || cuts.clone().any(|start| joined(&parts[start..]) == found)
            || (wanted.chars().count() >= CUT && found.starts_with(&joined(&parts))))
}

/// So long are truths that were cut off.
const CUT: usize = 55;

fn is_mark(character: char) -> bool {
    "|-–—_·•»«›‹:：/\\~>｜－丨【】()（）".contains(character)
}

fn bare(title: &str) -> String {
    normal(title).chars().filter(|character| is_letter_or_digit(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scrap_is_not_contained() {
        let of = |found, wanted| TitleScore::of(Some(found), wanted).unwrap();
        assert!(!of("The", "The rain").contains);
        assert!(of("The r", "The rain").contains);
        assert!(of("Ｒａｉｎ", "rain").equal);
        assert_eq!(TitleScore::of(None, "rain"), Some(TitleScore::default()));
    }
}
