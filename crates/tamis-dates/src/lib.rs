//! Dates and times in text, in many languages.
//!
//! ```
//! use tamis_dates::{Hints, Moment, find, read};
//!
//! let hints = Hints { reference: Moment::parse_iso("2021-03-04T12:00Z"), ..Hints::default() };
//! let text = "From 15 Dec 2010, 8:30 pm, to 3/1/2011";
//! let found = find(text, &hints);
//! assert_eq!(found[0].moment.to_string(), "2010-12-15T20:30");
//! assert_eq!(&text[found[1].range.clone()], "3/1/2011");
//! // Ambiguous: it could be the first of March.
//! assert_eq!(found[1].alternative.unwrap().to_string(), "2011-03-01");
//!
//! let read = |value| read(value, &hints).map(|moment| moment.to_string());
//! assert_eq!(read("vor 3 Stunden").as_deref(), Some("2021-03-04T09:00Z"));
//! assert_eq!(read("2010年12月15日").as_deref(), Some("2010-12-15"));
//! assert_eq!(read("1292401815").as_deref(), Some("2010-12-15T08:30:15Z"));
//! assert_eq!(read("2022-01-01"), None, "later than the reference");
//! ```
//!
//! # Overview
//!
//! * [`read`] reads a value that should be a date: an attribute, a field of metadata.
//! * [`find`] finds the dates in a line of text, with their ranges; [`looks_like_date`] is a cheap prefilter.
//! * [`read_url_date`] reads the date in the path of a URL.
//! * [`Moment`] is the result: a date, perhaps with a time and an offset, as precise as it was written.
//!
//! A text is split into numbers, words and marks. Words get their roles (month, unit, "ago") from one table, and
//! hand-written rules match sequences of roles. All words are data: to add a language, edit `data/*.tsv`. Time is
//! linear in the length of the text.
//!
//! # What it does not do
//!
//! * It rejects weak evidence: bare years and months in a text, version numbers, invalid days, and days more than one
//!   day after the reference.
//! * Years outside 1900 to 2099 are not read, except by [`Moment::parse_iso`].
//! * Time zones are offsets; it does not know names of places or rules of summer time.
//! * It does not tell whether something was published, changed or happened on a date.

mod calendar;
mod clock;
mod gate;
mod lexicon;
mod locale;
mod moment;
mod named;
mod numerals;
mod numeric;
mod reader;
mod relative;
mod tokens;
mod url;
mod values;
mod year_first;

use std::ops::Range;

pub use gate::looks_like_date;
pub use moment::{InvalidMoment, Moment, Precision};
pub use url::read_url_date;

use reader::Reader;

/// Context for reading the dates of a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'h> {
    /// The language of the text, as a BCP 47 tag.
    pub language: Option<&'h str>,
    /// The fetch time of the text: the reference for relative dates and dates without a year. Dates more than a day
    /// later are rejected.
    pub reference: Option<Moment>,
    /// Whether 3/4/2021 is the fourth of March. Default: as usual in the language, or the third of April.
    pub month_first: Option<bool>,
}

/// The form of a date, as far as it affects reliability.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// With day, month and year.
    Full,
    /// With a two-digit year.
    ShortYear,
    /// Without a year: the last such day before the reference.
    NoYear,
    /// Relative to the reference.
    Relative,
}

/// A date in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The date.
    pub moment: Moment,
    /// Its byte range in the text, including the time of day.
    pub range: Range<usize>,
    /// Its form.
    pub form: Form,
    /// The reading with day and month swapped, if that is a valid date too.
    pub alternative: Option<Moment>,
}

/// Longest value, in bytes.
const MAX_VALUE: usize = 300;

/// The first date in a value that should be a date. Unlike [`find`], also reads `20101215`, seconds and milliseconds
/// since 1970, and values that are a month or a year.
pub fn read(value: &str, hints: &Hints<'_>) -> Option<Moment> {
    let value = value.trim();
    let value = &value[..value.floor_char_boundary(MAX_VALUE)];
    let reader = Reader::new(value, hints, true);
    if let Some(moment) = Moment::parse_iso(value).filter(|it| it.precision() >= Precision::Day) {
        return ((1900..=2099).contains(&moment.year()) && !reader.is_future(&moment)).then_some(moment);
    }
    let first = reader.dates(1).pop().map(|found| found.moment);
    first.or_else(|| reader.month_or_year())
}

/// The maximum number of dates in a text.
const MAX_DATES: usize = 64;

/// The dates in a text, in order and without overlap. Relative dates are found in short lines only; in longer texts
/// they usually refer to an event.
pub fn find(text: &str, hints: &Hints<'_>) -> Vec<Found> {
    if !looks_like_date(text) {
        return Vec::new();
    }
    Reader::new(text, hints, false).dates(MAX_DATES)
}
