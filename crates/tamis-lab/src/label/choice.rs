//! Choices of blocks as JSON.

use serde::{Deserialize, Serialize};

use super::LabelError;

/// The choice of a person for one page.
///
/// ```
/// use tamis_lab::label::{Numbers, choices};
///
/// let choice = &choices(r#"{"keep": [3, "5-9"], "date": "2026-11-16"}"#)?[0];
/// assert_eq!(choice.keep.as_deref(), Some(&[Numbers::One(3), Numbers::Some("5-9".into())][..]));
/// assert_eq!((choice.date.as_deref(), choice.drop.is_none()), (Some("2026-11-16"), true));
/// # Ok::<(), tamis_lab::label::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"keep\": [2, \"4-9\"]}")]
pub struct Choice {
    /// The [digest](super::blocks_digest) of the page's blocks, if it is to be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks_digest: Option<String>,
    /// The kept blocks; all others are dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Vec<Numbers>>,
    /// Instead of `keep`: the dropped blocks; all other visible blocks are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop: Option<Vec<Numbers>>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The page type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_type: Option<String>,
}

/// Block numbers, from 0, as in `tamis explain`.
///
/// ```
/// use tamis_lab::label::Numbers;
///
/// assert_eq!(Numbers::Some("2-4 0".into()).blocks(6)?.collect::<Vec<_>>(), [2, 3, 4, 0]);
/// assert!(Numbers::One(6).blocks(6).is_err());
/// # Ok::<(), tamis_lab::label::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(
    untagged,
    expecting = "a block is a number from 0, such as 3, or a string with a range, such as \"5-9\""
)]
pub enum Numbers {
    /// One block.
    One(usize),
    /// Several blocks, such as `5-9`.
    Some(String),
}

impl Numbers {
    /// The block numbers; an error if the page, with `blocks` blocks, lacks one.
    pub fn blocks(&self, blocks: usize) -> Result<impl Iterator<Item = usize> + use<>, LabelError> {
        let places = match self {
            Numbers::One(number) => {
                within(*number, blocks)?;
                vec![*number]
            }
            Numbers::Some(text) => numbers(text, blocks)?,
        };
        Ok(places.into_iter())
    }
}

/// Parses choices: concatenated JSON objects, one per page.
///
/// ```
/// use tamis_lab::label::choices;
///
/// assert_eq!(choices("{\"keep\": [1]}\n{\"drop\": [2]}")?.len(), 2);
/// let error = choices("{\"keep\": [1]} {\"kept\": [2]}").unwrap_err().to_string();
/// assert!(error.starts_with("choice 2: unknown field `kept`"), "{error}");
/// # Ok::<(), tamis_lab::label::LabelError>(())
/// ```
pub fn choices(json: &str) -> Result<Vec<Choice>, LabelError> {
    let json = json.trim_start_matches('\u{FEFF}');
    let mut choices: Vec<Choice> = Vec::new();
    for choice in serde_json::Deserializer::from_str(json).into_iter() {
        let number = choices.len() + 1;
        let wrong = |what: String| LabelError::NoChoice { number, what };
        let choice: Choice = choice.map_err(|error| wrong(error.to_string()))?;
        match (&choice.keep, &choice.drop) {
            (Some(_), Some(_)) => return Err(wrong("it has both keep and drop".to_owned())),
            (None, None) => return Err(wrong("it has neither keep nor drop".to_owned())),
            _ => choices.push(choice),
        }
    }
    if choices.is_empty() {
        return Err(LabelError::NoChoice { number: 1, what: "missing".to_owned() });
    }
    Ok(choices)
}

/// The block numbers in a text such as `3 5-9`.
pub(super) fn numbers(text: &str, blocks: usize) -> Result<Vec<usize>, LabelError> {
    let mut places = Vec::new();
    let words = text.split(|it: char| it == ',' || it.is_whitespace()).filter(|word| !word.is_empty());
    for word in words {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            return Err(LabelError::NoNumber(word.to_owned()));
        };
        if first > last {
            return Err(LabelError::NoNumber(word.to_owned()));
        }
        within(last, blocks)?;
        places.extend(first..=last);
    }
    Ok(places)
}

fn within(number: usize, blocks: usize) -> Result<(), LabelError> {
    if number < blocks { Ok(()) } else { Err(LabelError::NoBlock { number, blocks }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_choices_are_reported_with_their_number() {
        for (json, message) in [
            ("", "choice 1: missing"),
            ("{}", "choice 1: it has neither keep nor drop"),
            ("{\"keep\":[],\"drop\":[]}", "choice 1: it has both keep and drop"),
            ("{\"keep\":[1]}\n{\"keep\":[-1]}", "choice 2: a block is a number from 0, such as 3"),
            ("{\"keep\":[1.5]}", "choice 1: a block is a number from 0"),
            ("{\"keep\":[1]", "choice 1: EOF"),
            ("[1]", "choice 1: "),
            ("keep 1", "choice 1: expected"),
        ] {
            let error = choices(json).unwrap_err().to_string();
            assert!(error.starts_with(message), "{json}: {error}");
        }
    }
}
