//! Reading JSON lines: bad lines are reported and skipped.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::problem::Problem;

/// The rows of a file with their line numbers. Bad lines are added to `problems`.
pub(crate) fn read<T: DeserializeOwned>(
    file: &Path,
    problems: &mut Vec<Problem>,
) -> io::Result<Vec<(usize, T)>> {
    let bytes = fs::read(file)?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let mut rows = Vec::new();
    for (place, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(row) => rows.push((place + 1, row)),
            Err(error) => problems.push(Problem {
                file: file.to_owned(),
                line: place + 1,
                what: format!("not a JSON line of the expected form ({}); left out", message(&error)),
            }),
        }
    }
    Ok(rows)
}

/// The message of an error, without the line number: that is always 1 here.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((message, _)) => format!("{message} at column {}", error.column()),
        None => message,
    }
}

/// An id: a string or a number.
pub(crate) fn id<'d, D: Deserializer<'d>>(value: D) -> Result<String, D::Error> {
    text_or_number(value)?.ok_or_else(|| serde::de::Error::custom("the id is null"))
}

/// A string or a number, as a string: ids and dates are written both ways.
pub(crate) fn text_or_number<'d, D: Deserializer<'d>>(value: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Number(serde_json::Number),
    }
    Ok(Option::<Either>::deserialize(value)?.map(|either| match either {
        Either::Text(text) => text,
        Either::Number(number) => number.to_string(),
    }))
}

/// A list that may be null.
pub(crate) fn list_or_null<'d, D: Deserializer<'d>, T: Deserialize<'d>>(
    value: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or_default())
}

/// A string, or a list that may be null: authors are written both ways.
pub(crate) fn one_or_list<'d, D: Deserializer<'d>>(value: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        One(String),
        List(Vec<String>),
    }
    Ok(Option::<Either>::deserialize(value)?.map_or_else(Vec::new, |either| match either {
        Either::One(text) => vec![text],
        Either::List(list) => list,
    }))
}
