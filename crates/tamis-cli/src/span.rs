//! Lengths of time as people write them: `30`, `500ms`, `10s`, `15m`, `6h`, `30d`.

use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A length of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span(pub(crate) Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let seconds = match unit.trim() {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            _ => f64::NAN,
        };
        let span =
            number.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number * seconds).ok());
        span.map(Span)
            .ok_or_else(|| format!("{text:?} is not a length of time such as 500ms, 30s, 15m, 6h or 30d"))
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Seconds(f64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Seconds(seconds) => seconds.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_optional_and_nonsense_is_refused() {
        for (text, millis) in [
            ("30", 30_000),
            ("0.5", 500),
            ("500ms", 500),
            ("2 s", 2_000),
            ("15m", 900_000),
            ("1d", 86_400_000),
        ] {
            assert_eq!(text.parse(), Ok(Span(Duration::from_millis(millis))), "{text}");
        }
        for text in ["", "soon", "-1", "1w", "1e400d", "NaN", "..s"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
