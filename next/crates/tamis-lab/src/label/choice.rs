//! Choices of blocks, as people and programs write them.

use serde::{Deserialize, Serialize};

use super::LabelError;

/// What a person chose, made elsewhere and written as JSON.
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
    /// Which blocks the numbers are of: the [digest](super::blocks_digest) of the page's, if that is to be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks_digest: Option<String>,
    /// The blocks that are kept; all others are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Vec<Numbers>>,
    /// Instead: the blocks that are not kept; all others that can be seen are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop: Option<Vec<Numbers>>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The kind of page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_type: Option<String>,
}

/// Numbers of blocks, from 0, as `tamis explain` counts them.
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
    expecting = "a block is a number from 0 on, such as 3, or a text of several, such as \"5-9\""
)]
pub enum Numbers {
    /// One block.
    One(usize),
    /// Several, such as `5-9`.
    Some(String),
}

impl Numbers {
    /// The places of the blocks, if a page of so many blocks has them all.
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

/// The choices of a text of JSON, one behind the other: as many as there are pages.
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
        return Err(LabelError::NoChoice { number: 1, what: "there is none".to_owned() });
    }
    Ok(choices)
}

/// The places that numbers such as `3 5-9` name.
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
    fn choices_that_are_none_are_told_with_their_number() {
        for (json, said) in [
            ("", "choice 1: there is none"),
            ("{}", "choice 1: it has neither keep nor drop"),
            ("{\"keep\":[],\"drop\":[]}", "choice 1: it has both keep and drop"),
            ("{\"keep\":[1]}\n{\"keep\":[-1]}", "choice 2: a block is a number from 0 on, such as 3"),
            ("{\"keep\":[1.5]}", "choice 1: a block is a number from 0 on"),
            ("{\"keep\":[1]", "choice 1: EOF"),
            ("[1]", "choice 1: "),
            ("keep 1", "choice 1: expected"),
        ] {
            let error = choices(json).unwrap_err().to_string();
            assert!(error.starts_with(said), "{json}: {error}");
        }
    }
}
