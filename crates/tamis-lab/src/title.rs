//! Correctness of titles.

use serde::Serialize;

use crate::letters::is_letter_or_digit;
use crate::tokens::normal;

/// A title compared with the true one, by letters and digits alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TitleScore {
    /// Equal.
    pub equal: bool,
    /// One contains the other; extracted titles of up to three characters do not count.
    pub contains: bool,
}

impl TitleScore {
    /// `None` if the true title has neither letters nor digits.
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
    fn equality_and_containment_ignore_punctuation() {
        let score = TitleScore::of(Some("Rain at last - The Gazette"), "Rain at last!").unwrap();
        assert!(!score.equal && score.contains);
        assert_eq!(TitleScore::of(Some("Rain"), "…"), None);
    }

    #[test]
    fn a_short_fragment_is_not_contained() {
        let of = |found, wanted| TitleScore::of(Some(found), wanted).unwrap();
        assert!(!of("The", "The rain").contains);
        assert!(of("The r", "The rain").contains);
        assert!(of("Ｒａｉｎ", "rain").equal);
        assert_eq!(TitleScore::of(None, "rain"), Some(TitleScore::default()));
    }
}
