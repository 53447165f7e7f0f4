//! Memories as JSON lines: to look into, to move between machines, to keep beside other data.
//!
//! The first line names the form. Then comes one line a page and one line a text that a person has spoken on, each with
//! its site, so that lines of several files can be put together in any order: reading them is merging.
//!
//! ```
//! use tamis::page::Page;
//! use tamis_site::{SiteKey, SiteProfile, exchange};
//!
//! let mut memory = SiteProfile::default();
//! memory.observe(&Page::parse("<p>It rained."), None);
//! let key = SiteKey::named("example.com").unwrap();
//! let mut lines = Vec::new();
//! exchange::write_head(&mut lines)?;
//! exchange::write(&mut lines, &key, &memory)?;
//!
//! let mut read = SiteProfile::default();
//! exchange::read(lines.as_slice(), |site, part| {
//!     assert_eq!(site, key);
//!     read.merge(&part);
//! })?;
//! assert_eq!(read, memory);
//! // What is no line of a memory is named.
//! let error = exchange::read("{}".as_bytes(), |_, _| {}).unwrap_err();
//! assert!(matches!(error, exchange::ReadError::Line { line: 1, .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};
use tamis_methods::site::LineTable;

use crate::codec;
use crate::key::SiteKey;
use crate::profile::SiteProfile;
use crate::record::{BlockSight, MAX_RECORD, PageRecord, TagSight, Text, TextRef};
use crate::verdicts::{Decision, Word};

/// The form of the lines.
const FORM: u64 = 2;

/// Why memories could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The lines could not be read.
    #[error("line {line} cannot be read")]
    Io {
        /// The line, counted from 1.
        line: usize,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("line {line}: {why}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    tamis_site_memory: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    site: String,
    /// How many pages of the site are kept at most.
    capacity: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<PageLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    word: Option<WordLine>,
}

#[derive(Serialize, Deserialize)]
struct PageLine {
    key: Hex,
    content: Hex,
    names: Vec<String>,
    /// A whole text, or its beginning with its digest.
    texts: Vec<(String, Option<String>)>,
    blocks: Vec<Sight>,
    /// Name, text.
    tags: Vec<(u16, u16)>,
}

/// A block.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Sight {
    /// Text, whether it is a line.
    Block(u16, bool),
    /// As in form 1: text, position, whether it is in a link, whether it is a line.
    WithPosition(u16, u32, bool, bool),
}

#[derive(Serialize, Deserialize)]
struct WordLine {
    digest: String,
    change: u32,
    decision: Option<Decided>,
    text: String,
    whole: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Decided {
    Keep,
    Drop,
}

/// Numbers of 64 bits as text: not every reader of JSON has so many.
#[derive(Serialize, Deserialize)]
struct Hex(String);

impl Hex {
    fn of(number: u64) -> Hex {
        Hex(format!("{number:016x}"))
    }

    fn number(&self) -> Option<u64> {
        u64::from_str_radix(&self.0, 16).ok()
    }
}

/// Writes the line with which memories begin.
pub fn write_head(mut to: impl Write) -> io::Result<()> {
    write_line(&mut to, &Head { tamis_site_memory: FORM })
}

/// Writes the lines of a site.
pub fn write(mut to: impl Write, site: &SiteKey, memory: &SiteProfile) -> io::Result<()> {
    let line = |page, word| Line { site: site.to_string(), capacity: memory.capacity(), page, word };
    for record in memory.records() {
        let text = |text: TextRef<'_>| {
            let digest = (!text.whole).then(|| format!("{:032x}", text.digest));
            (text.text.to_string(), digest)
        };
        let page = PageLine {
            key: Hex::of(record.key),
            content: Hex::of(record.content),
            names: record.names.iter().map(|name| name.to_string()).collect(),
            texts: record.texts().map(text).collect(),
            blocks: record.blocks.iter().map(|at| Sight::Block(at.text, at.line)).collect(),
            tags: record.tags.iter().map(|at| (at.name, at.text)).collect(),
        };
        write_line(&mut to, &line(Some(page), None))?;
    }
    for (digest, word) in &memory.verdicts().0 {
        let word = WordLine {
            digest: format!("{digest:032x}"),
            change: word.change,
            decision: word.decision.map(|decision| match decision {
                Decision::Keep => Decided::Keep,
                Decision::Drop => Decided::Drop,
            }),
            text: word.text.to_string(),
            whole: word.whole,
        };
        write_line(&mut to, &line(None, Some(word)))?;
    }
    Ok(())
}

fn write_line(to: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *to, line)?;
    to.write_all(b"\n")
}

/// Reads memories. Lines of one site that follow each other come together.
pub fn read(from: impl BufRead, mut take: impl FnMut(SiteKey, SiteProfile)) -> Result<(), ReadError> {
    let mut current: Option<(SiteKey, SiteProfile)> = None;
    for (number, line) in from.lines().enumerate() {
        let number = number + 1;
        let line = line.map_err(|source| ReadError::Io { line: number, source })?;
        let wrong = |why: String| ReadError::Line { line: number, why };
        if line.trim().is_empty() {
            continue;
        }
        if let Ok(head) = serde_json::from_str::<Head>(&line) {
            if head.tamis_site_memory > FORM {
                return Err(wrong(format!(
                    "the form {} is not known here: use a newer tamis",
                    head.tamis_site_memory
                )));
            }
            continue;
        }
        let line: Line = serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
        let site = SiteKey::named(&line.site).ok_or_else(|| wrong("the site has no name".to_owned()))?;
        if current.as_ref().is_none_or(|(key, _)| *key != site) {
            if let Some((key, memory)) = current.take() {
                take(key, memory);
            }
            current = Some((site, SiteProfile::with_capacity(line.capacity)));
        }
        let Some((_, memory)) = &mut current else { continue };
        memory.merge(&SiteProfile::with_capacity(line.capacity));
        if let Some(page) = line.page {
            let record = record(page).ok_or_else(|| wrong("its parts do not fit".to_owned()))?;
            memory.insert(record);
        }
        if let Some(word) = line.word {
            let (digest, word) =
                self::word(word).ok_or_else(|| wrong("its digest does not fit".to_owned()))?;
            memory.put_word(digest, word);
        }
    }
    if let Some((key, memory)) = current {
        take(key, memory);
    }
    Ok(())
}

fn record(page: PageLine) -> Option<PageRecord> {
    let mut texts = Vec::with_capacity(page.texts.len());
    let mut characters = String::new();
    for (text, digest) in page.texts {
        let whole = digest.is_none();
        let digest = match digest {
            Some(digest) => u128::from_str_radix(&digest, 16).ok()?,
            None => LineTable::digest(&text),
        };
        characters.push_str(&text);
        texts.push(Text { digest, end: u32::try_from(characters.len()).ok()?, whole });
    }
    let block = |sight| match sight {
        Sight::Block(text, line) | Sight::WithPosition(text, _, _, line) => BlockSight { text, line },
    };
    let mut blocks: Vec<BlockSight> = page.blocks.into_iter().map(block).collect();
    // Form 1 has a block once for each of its positions.
    blocks.sort_unstable();
    blocks.dedup();
    let record = PageRecord {
        key: page.key.number()?,
        content: page.content.number()?,
        texts,
        characters,
        names: page.names.into_iter().map(Into::into).collect(),
        blocks,
        tags: page.tags.into_iter().map(|(name, text)| TagSight { text, name }).collect(),
    };
    (codec::is_sound(&record) && codec::encode(&record).len() <= MAX_RECORD).then_some(record)
}

fn word(word: WordLine) -> Option<(u128, Word)> {
    let digest = u128::from_str_radix(&word.digest, 16).ok()?;
    if word.whole && LineTable::digest(&word.text) != digest {
        return None;
    }
    let decision = word.decision.map(|decision| match decision {
        Decided::Keep => Decision::Keep,
        Decided::Drop => Decision::Drop,
    });
    Some((digest, Word { change: word.change, decision, text: word.text.into(), whole: word.whole }))
}
