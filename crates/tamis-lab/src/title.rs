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
