//! The size of chunks in the notation of flags and options.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use tamis::render::{ChunkOptions, ChunkUnit, RenderOptions};

/// How the text of a record is split into chunks for retrieval.
///
/// A size in characters or tokens, of plain text or Markdown: `2000`, `200tokens`, `200tokens,markdown`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chunking {
    /// The largest size of a chunk.
    pub max: usize,
    /// Whether it is in tokens (see [`ChunkUnit::Tokens`]) instead of characters.
    pub tokens: bool,
    /// Whether chunks are Markdown.
    pub markdown: bool,
}

impl Default for Chunking {
    fn default() -> Chunking {
        Chunking { max: 2_000, tokens: false, markdown: false }
    }
}

impl Chunking {
    /// As options of the renderer, with these options for Markdown.
    pub fn options(self, markdown: RenderOptions) -> ChunkOptions {
        let unit = if self.tokens { ChunkUnit::Tokens } else { ChunkUnit::Characters };
        let options = ChunkOptions::new(self.max).unit(unit);
        if self.markdown { options.markdown(markdown) } else { options }
    }
}

/// Invalid size of chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("give a size in characters or tokens, such as 2000 or 200tokens; for Markdown, 200tokens,markdown")]
pub struct InvalidChunking;

impl FromStr for Chunking {
    type Err = InvalidChunking;

    fn from_str(text: &str) -> Result<Chunking, InvalidChunking> {
        let (size, form) = text.split_once(',').unwrap_or((text, "text"));
        let number = size.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
        let tokens = match size[number.len()..].trim_start() {
            "" | "chars" | "characters" => false,
            "tokens" => true,
            _ => return Err(InvalidChunking),
        };
        let markdown = match form.trim() {
            "text" => false,
            "markdown" => true,
            _ => return Err(InvalidChunking),
        };
        let max = number.trim().parse().ok().filter(|max| *max > 0).ok_or(InvalidChunking)?;
        Ok(Chunking { max, tokens, markdown })
    }
}

impl fmt::Display for Chunking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.tokens { "tokens" } else { "" };
        let form = if self.markdown { ",markdown" } else { "" };
        write!(f, "{}{unit}{form}", self.max)
    }
}

impl Serialize for Chunking {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_forms() {
        for (text, shown) in [
            ("800", "800"),
            ("800chars", "800"),
            ("200 tokens", "200tokens"),
            ("200tokens, markdown", "200tokens,markdown"),
            ("9,text", "9"),
        ] {
            assert_eq!(text.parse::<Chunking>().unwrap().to_string(), shown);
        }
        for wrong in ["", "0", "-1", "tokens", "9words", "9,html", "9tokens9", "99999999999999999999"] {
            assert_eq!(wrong.parse::<Chunking>(), Err(InvalidChunking), "{wrong}");
        }
    }
}
