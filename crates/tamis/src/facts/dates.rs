//! Dates as people and programs write them, in many languages, scripts and calendars.
//!
//! A text is taken apart into numbers, words and marks, and dates are read off these by hand-written rules; see
//! `reader.rs` for the forms. Months are known by name in 76 languages. A date that no calendar has is no date.

mod by_name;
pub(crate) mod calendar;
mod clock;
mod dated;
mod gate;
mod in_numbers;
mod moment;
mod months;
pub(crate) mod numerals;
mod other_years;
mod reader;
mod relative;
mod rough;
mod tokens;
mod told;
mod weekdays;
mod words;

pub use dated::{Dated, Form};
pub(crate) use in_numbers::{may_have_order, order};
pub use moment::{Moment, Precision};
pub(super) use months::is_month_in;
pub(crate) use relative::names_day;
pub(crate) use rough::rough;
pub(crate) use told::tells_day;
pub(crate) use weekdays::is_weekday;

/// What is known beforehand of a text with dates.
///
/// ```
/// use tamis::facts::dates::{Hints, Moment, read};
///
/// let american = Hints { month_first: Some(true), ..Hints::default() };
/// assert_eq!(read("3/4/2021", &american).unwrap().to_string(), "2021-03-04");
/// assert_eq!(read("3/4/2021", &Hints::default()).unwrap().to_string(), "2021-04-03");
///
/// let fetched = Hints { fetched: Moment::read("2021-03-04T12:00Z"), ..Hints::default() };
/// assert_eq!(read("vor 3 Stunden", &fetched).unwrap().to_string(), "2021-03-04T09:00Z");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'h> {
    /// The language of the text, as a tag.
    pub language: Option<&'h str>,
    /// When the page was fetched: what "3 hours ago" counts from.
    pub fetched: Option<Moment>,
    /// Does 3/4/2021 mean the fourth of March? Default: no.
    pub month_first: Option<bool>,
}

impl Hints<'_> {
    /// The same, for texts in which nothing counts from the fetch.
    pub(crate) fn without_fetch(self) -> Self {
        Hints { fetched: None, ..self }
    }
}

/// The first date in a value that is meant as one: an attribute, a field of metadata. Reads `20101215` and seconds
/// since 1970 too, which mean other things in a text.
///
/// ```
/// use tamis::facts::dates::{Hints, read};
///
/// let read = |text| read(text, &Hints::default()).map(|moment| moment.to_string());
/// assert_eq!(read("20101215T083000Z").as_deref(), Some("2010-12-15T08:30:00Z"));
/// assert_eq!(read("1292401800").as_deref(), Some("2010-12-15T08:30:00Z"));
/// assert_eq!(read("2010-13-45"), None);
/// ```
pub fn read(value: &str, hints: &Hints<'_>) -> Option<Moment> {
    reader::first(value, hints, true).map(|dated| dated.moment)
}

/// The dates in a text, in order.
///
/// ```
/// use tamis::facts::dates::{Dated, Hints, find};
///
/// let text = "From 15 Dec 2010 to 3/1/2011";
/// let found: Vec<Dated> = find(text, &Hints::default());
/// assert_eq!(found.iter().map(|dated| &text[dated.place.clone()]).collect::<Vec<_>>(), ["15 Dec 2010", "3/1/2011"]);
/// // The second might as well be the first of March.
/// assert_eq!(found[1].other.unwrap().to_string(), "2011-03-01");
/// ```
pub fn find(text: &str, hints: &Hints<'_>) -> Vec<Dated> {
    reader::all(text, hints, false)
}
