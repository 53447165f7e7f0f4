//! Is the title right?

use serde::Serialize;

/// How a title compares with the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TitleScore {
    /// The same letters and digits.
    pub equal: bool,
    /// One contains the other.
    pub contains: bool,
}
