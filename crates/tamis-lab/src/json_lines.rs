//! Files of JSON lines, read so that a bad line is told and the others are kept.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::problem::Problem;

/// The rows of a file, each with its line. What is wrong with a line is added to `problems`.
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
                what: format!("not a JSON line as it should be ({}); left out", said(&error)),
            }),
        }
    }
    Ok(rows)
}

/// The message of an error without its place, which would count from the line and not from the file.
fn said(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once(" at line ") {
        Some((said, _)) => format!("{said} at column {}", error.column()),
        None => said,
    }
}

/// The name of a page: a text, or a number as text.
pub(crate) fn id<'d, D: Deserializer<'d>>(value: D) -> Result<String, D::Error> {
    text_or_number(value)?.ok_or_else(|| serde::de::Error::custom("the id is null"))
}

/// A text or a number as text: ids and dates are written both ways.
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
