//! Profiles as JSON lines, for inspection, exchange and backup.
//!
//! The first line has the format version, followed by one line per page and one per override, each with its site. Lines
//! of several files can be concatenated in any order, since reading merges them.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};
use tamis_methods::site::LineTable;

use crate::codec;
use crate::key::SiteKey;
use crate::overrides::{Decision, Override};
use crate::profile::SiteProfile;
use crate::record::{BlockOccurrence, MAX_RECORD, PageRecord, TagOccurrence, Text, TextRef};

/// The format version.
const FORM: u64 = 2;

/// Why profiles could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Reading failed.
    #[error("line {line} cannot be read")]
    Io {
        /// The line, from 1.
        line: usize,
        /// The reason.
        source: io::Error,
    },
    /// A line is invalid.
    #[error("line {line}: {why}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
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
    /// The maximum number of pages of the site.
    capacity: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<PageLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    word: Option<OverrideLine>,
}

#[derive(Serialize, Deserialize)]
struct PageLine {
    key: Hex,
    content: Hex,
    names: Vec<String>,
    /// A text, or a prefix with the digest of the text.
    texts: Vec<(String, Option<String>)>,
    /// Text, whether it is a line.
    blocks: Vec<(u16, bool)>,
    /// Name, text.
    tags: Vec<(u16, u16)>,
}

#[derive(Serialize, Deserialize)]
struct OverrideLine {
    digest: String,
    change: u32,
    decision: Option<Decision>,
    text: String,
    whole: bool,
}

/// 64-bit numbers as strings: not every JSON reader supports them.
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

/// Writes the first line.
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
            blocks: record.blocks.iter().map(|at| (at.text, at.line)).collect(),
            tags: record.tags.iter().map(|at| (at.name, at.text)).collect(),
        };
        write_line(&mut to, &line(Some(page), None))?;
    }
    for (digest, word) in &memory.overrides().0 {
        let word = OverrideLine {
            digest: format!("{digest:032x}"),
            change: word.change,
            decision: word.decision,
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

/// Reads profiles. Consecutive lines of a site are passed as one profile.
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
                    "unsupported format version {}: use a newer tamis",
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
            let record = record(page).ok_or_else(|| wrong("the page is inconsistent".to_owned()))?;
            memory.insert(record);
        }
        if let Some(word) = line.word {
            let (digest, word) =
                self::word(word).ok_or_else(|| wrong("the digest does not match the text".to_owned()))?;
            memory.put_override(digest, word);
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
    let record = PageRecord {
        key: page.key.number()?,
        content: page.content.number()?,
        texts,
        characters,
        names: page.names.into_iter().map(Into::into).collect(),
        blocks: page.blocks.into_iter().map(|(text, line)| BlockOccurrence { text, line }).collect(),
        tags: page.tags.into_iter().map(|(name, text)| TagOccurrence { text, name }).collect(),
    };
    (codec::is_sound(&record) && codec::encode(&record).len() <= MAX_RECORD).then_some(record)
}

fn word(word: OverrideLine) -> Option<(u128, Override)> {
    let digest = u128::from_str_radix(&word.digest, 16).ok()?;
    if word.whole && LineTable::digest(&word.text) != digest {
        return None;
    }
    let OverrideLine { change, decision, text, whole, .. } = word;
    Some((digest, Override { change, decision, text: text.into(), whole }))
}
