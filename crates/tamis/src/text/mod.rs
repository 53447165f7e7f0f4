//! Text primitives: character classes, word hashes, lexicons, whitespace. Independent of HTML.

pub mod arabic;
pub mod characters;
pub mod hash;
pub mod lexicon;
pub mod log_odds;
pub(crate) mod url;
pub mod whitespace;
