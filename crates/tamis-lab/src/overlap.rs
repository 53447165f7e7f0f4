//! Precision, recall and F1 from three counts.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// Counts of matching items.
///
/// ```
/// use tamis_lab::Overlap;
///
/// let overlap = Overlap { common: 3, found: 4, wanted: 6 };
/// assert_eq!((overlap.precision(), overlap.recall(), overlap.f1()), (0.75, 0.5, 0.6));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlap {
    /// Items in both.
    pub common: usize,
    /// Items of the output.
    pub found: usize,
    /// Items of the truth.
    pub wanted: usize,
}

impl Overlap {
    /// The share of the output that is correct; 0 for an empty output.
    pub fn precision(&self) -> f64 {
        share(self.common, self.found)
    }

    /// The share of the truth that was found; 0 for an empty truth.
    pub fn recall(&self) -> f64 {
        share(self.common, self.wanted)
    }

    /// The harmonic mean of precision and recall; 0 if both are 0.
    pub fn f1(&self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
    }

    /// The sum of the counts.
    #[must_use]
    pub fn plus(&self, other: &Overlap) -> Overlap {
        Overlap {
            common: self.common + other.common,
            found: self.found + other.found,
            wanted: self.wanted + other.wanted,
        }
    }
}

/// The counts with precision, recall and F1.
impl Serialize for Overlap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Overlap", 6)?;
        fields.serialize_field("common", &self.common)?;
        fields.serialize_field("found", &self.found)?;
        fields.serialize_field("wanted", &self.wanted)?;
        fields.serialize_field("precision", &self.precision())?;
        fields.serialize_field("recall", &self.recall())?;
        fields.serialize_field("f1", &self.f1())?;
        fields.end()
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
