//! A date that was found in a text.

use std::ops::Range;

use super::Moment;

/// How a date is written, as far as it matters to how much it is worth.
///
/// ```
/// use tamis::facts::dates::{Form, Hints, Moment, find};
///
/// let hints = Hints { fetched: Moment::read("2021-03-04T12:00Z"), ..Hints::default() };
/// let form = |text| find(text, &hints)[0].form;
/// assert_eq!(form("15 Dec 2010"), Form::Whole);
/// assert_eq!(form("15.12.10"), Form::ShortYear);
/// assert_eq!(form("15 Dec"), Form::NoYear);
/// assert_eq!(form("3 hours ago"), Form::Relative);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// With day, month and year.
    Whole,
    /// With two digits of the year.
    ShortYear,
    /// Without a year: the last such day before the page was fetched.
    NoYear,
    /// Counted from when the page was fetched.
    Relative,
}

/// A date in a text.
///
/// ```
/// use tamis::facts::dates::{Dated, Hints, find};
///
/// let [dated] = &find("on 3/4/2021", &Hints::default())[..] else { panic!("one date") };
/// let Dated { moment, place, other, .. } = dated;
/// assert_eq!((moment.to_string().as_str(), place.clone()), ("2021-04-03", 3..11));
/// assert_eq!(other.unwrap().to_string(), "2021-03-04");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dated {
    /// When it is.
    pub moment: Moment,
    /// Where it stands in the text, clock included.
    pub place: Range<usize>,
    /// What it is if day and month stand the other way round, where that is possible.
    pub other: Option<Moment>,
    /// How it is written.
    pub form: Form,
}
