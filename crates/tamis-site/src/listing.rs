//! A profile as an editable text.
//!
//! One line per text, with tab-separated columns: verdict, number of pages, number of similar texts in its group, the
//! units it occurs as (`line` for the method `lines`, tag names for `template-svm`), id, text. The verdict can be
//! edited: `drop` and `keep` are overrides, `auto-drop` and `auto-keep` follow the counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use tamis::SiteMemory;
use tamis_methods::lines;
use tamis_methods::site::LineTable;

use crate::key::SiteKey;
use crate::known::min_template_pages;
use crate::overrides::Decision;
use crate::profile::SiteProfile;
use crate::record::TextRef;

/// The start of a listing.
const HEAD: &str = "# tamis site show 1";

/// The verdict on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Dropped by count.
    AutoDrop,
    /// Kept by count.
    AutoKeep,
    /// Dropped by an override.
    Drop,
    /// Kept by an override.
    Keep,
}

impl Verdict {
    const ALL: [Verdict; 4] = [Verdict::AutoDrop, Verdict::AutoKeep, Verdict::Drop, Verdict::Keep];

    /// The name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::AutoDrop => "auto-drop",
            Verdict::AutoKeep => "auto-keep",
            Verdict::Drop => "drop",
            Verdict::Keep => "keep",
        }
    }

    /// The override, if it is one.
    pub fn decision(self) -> Option<Decision> {
        match self {
            Verdict::Drop => Some(Decision::Drop),
            Verdict::Keep => Some(Decision::Keep),
            Verdict::AutoDrop | Verdict::AutoKeep => None,
        }
    }
}

/// A text of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of pages with the text or a similar one.
    pub pages: u32,
    /// The number of similar texts in its group.
    pub texts: u32,
    /// The units it occurs as: `line`, or tag names.
    pub met_as: Vec<String>,
    /// The upper half of the text's digest.
    pub id: u64,
    /// The text or its prefix.
    pub text: String,
    /// Whether the text is complete.
    pub whole: bool,
}

/// The repeated texts of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The site.
    pub site: SiteKey,
    /// The number of pages in the sample.
    pub pages: u32,
    /// The number of pages seen, possibly an estimate.
    pub pages_seen: u64,
    /// The texts, most frequent first.
    pub rows: Vec<Row>,
}

/// An invalid line of an edited listing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct ListingError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, with the remedy.
    pub why: String,
}

/// A text while rows are collected.
#[derive(Default)]
struct Found {
    pages: u32,
    texts: u32,
    met_as: BTreeSet<String>,
    dropped: bool,
}

impl Listing {
    /// The texts on at least two pages that would be dropped from a new page, and all overrides; with `all`, every text
    /// on at least two pages.
    pub fn of(site: &SiteKey, memory: &SiteProfile, all: bool) -> Listing {
        let known = memory.known();
        let mut texts: HashMap<u128, TextRef<'_>> = HashMap::new();
        let mut line_digests: BTreeSet<u128> = BTreeSet::new();
        for record in known.records() {
            for text in record.texts() {
                let kept = texts.entry(text.digest).or_insert(text);
                if text.whole && !kept.whole || text.whole == kept.whole && text.text.len() > kept.text.len()
                {
                    *kept = text;
                }
            }
            let of_record = record.blocks.iter().filter(|occurrence| occurrence.line);
            line_digests
                .extend(of_record.filter_map(|occurrence| Some(record.text(occurrence.text)?.digest)));
        }
        let mut found: BTreeMap<u128, Found> = BTreeMap::new();
        // A line of a new page would be another occurrence.
        let allowed = lines::Settings::default().allowed(known.pages());
        for (digest, pages) in known.block_texts().filter(|(_, pages)| *pages > 1) {
            let text = found.entry(digest).or_insert(Found { texts: 1, ..Found::default() });
            text.pages = text.pages.max(pages);
            if line_digests.contains(&digest) {
                text.dropped |= pages + 1 > allowed;
                text.met_as.insert("line".to_owned());
            }
        }
        let least = min_template_pages(known.pages());
        for group in known.leaf_tags().list().iter().filter(|group| group.pages.len() > 1) {
            let text = found.entry(group.digest).or_default();
            text.pages = text.pages.max(group.pages.len() as u32);
            text.texts = text.texts.max(group.texts);
            text.met_as.insert(group.name.to_string());
            text.dropped |= group.pages.len() as u32 >= least;
        }
        let mut rows = Vec::new();
        for (digest, text) in &found {
            let is_overridden = memory.overrides().on(*digest).is_some();
            if let Some(kept) = texts.get(digest).filter(|_| !is_overridden && (text.dropped || all)) {
                let near = known.judged(kept.text).filter(|_| kept.whole);
                let verdict = match (near, text.dropped) {
                    (Some(decision), _) => overridden(decision),
                    (None, true) => Verdict::AutoDrop,
                    (None, false) => Verdict::AutoKeep,
                };
                rows.push(row(verdict, text, *digest, kept.text, kept.whole));
            }
        }
        for (digest, entry) in &memory.overrides().0 {
            let Some(decision) = entry.decision else { continue };
            let none = Found::default();
            let text = found.get(digest).unwrap_or(&none);
            rows.push(row(overridden(decision), text, *digest, &entry.text, entry.whole));
        }
        rows.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.text.cmp(&b.text)).then(a.id.cmp(&b.id)));
        Listing { site: site.clone(), pages: known.pages(), pages_seen: memory.pages_seen(), rows }
    }

    /// Parses listings, which may have been edited.
    pub fn read(text: &str) -> Result<Vec<Edits>, ListingError> {
        let mut list: Vec<Edits> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let error = |why: &str| ListingError { line: number + 1, why: why.to_owned() };
            if let Some(site) = line.strip_prefix(HEAD) {
                let site = SiteKey::named(site).ok_or_else(|| error("the site has no name"))?;
                list.push(Edits { site, edits: Vec::new() });
                continue;
            }
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let edits =
                list.last_mut().ok_or_else(|| error("a listing starts with the line that names its site"))?;
            let columns: Vec<&str> = line.splitn(6, '\t').collect();
            let [verdict, _, _, _, id, text] = columns.as_slice() else {
                return Err(error("a row has six tab-separated columns"));
            };
            let known = |verdict: &Verdict| verdict.name() == columns[0].trim();
            let verdict = Verdict::ALL.into_iter().find(known).ok_or_else(|| {
                error(&format!("unknown verdict {verdict:?}: expected drop, keep, auto-drop or auto-keep"))
            })?;
            let id =
                u64::from_str_radix(id.trim(), 16).map_err(|_| error("the fifth column is not an id"))?;
            let decision = verdict.decision();
            edits.edits.push(Edit { line: number + 1, id, decision, text: (*text).to_owned() });
        }
        Ok(list)
    }

    /// Whether a text starts as a listing does.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(HEAD)
    }
}

fn overridden(decision: Decision) -> Verdict {
    match decision {
        Decision::Drop => Verdict::Drop,
        Decision::Keep => Verdict::Keep,
    }
}

fn row(verdict: Verdict, found: &Found, digest: u128, text: &str, whole: bool) -> Row {
    Row {
        verdict,
        pages: found.pages,
        texts: found.texts,
        met_as: found.met_as.iter().cloned().collect(),
        id: (digest >> 64) as u64,
        text: text.to_owned(),
        whole,
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD} {}", self.site)?;
        let seen = if self.pages_seen > u64::from(self.pages) {
            format!(", a sample of about {} seen", self.pages_seen)
        } else {
            String::new()
        };
        writeln!(f, "# Known from {} pages{seen}.", self.pages)?;
        writeln!(
            f,
            "# The first column is the verdict: auto-drop and auto-keep follow the counts, drop and keep override"
        )?;
        writeln!(f, "# them. To change verdicts, edit the column and import the file:")?;
        writeln!(f, "# tamis site import FILE --memory MEMORY")?;
        writeln!(f, "# verdict\tpages\ttexts\toccurs as\tid\ttext")?;
        for row in &self.rows {
            let mut text = String::with_capacity(row.text.len());
            for character in row.text.chars() {
                // White space is collapsed already; control characters must not break a row.
                text.push(if character.is_control() { ' ' } else { character });
            }
            if !row.whole {
                text.push('…');
            }
            let mut met_as = row.met_as.join(" ");
            if met_as.is_empty() {
                met_as.push('-');
            }
            let verdict = row.verdict.name();
            writeln!(f, "{verdict}\t{}\t{}\t{met_as}\t{:016x}\t{text}", row.pages, row.texts, row.id)?;
        }
        Ok(())
    }
}

/// The verdicts of an edited listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edits {
    /// The site.
    pub site: SiteKey,
    edits: Vec<Edit>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Edit {
    line: usize,
    id: u64,
    decision: Option<Decision>,
    text: String,
}

impl Edits {
    /// Overrides one text, by the id of its [`Row`]; `None` removes the override.
    pub fn one(site: SiteKey, id: u64, decision: Option<Decision>) -> Edits {
        Edits { site, edits: vec![Edit { line: 1, id, decision, text: String::new() }] }
    }

    /// Applies the verdicts to the site's profile; returns the number of changed overrides.
    pub fn apply(&self, memory: &mut SiteProfile) -> Result<usize, ListingError> {
        let mut texts: HashMap<u64, (u128, Box<str>, bool)> = HashMap::new();
        for text in memory.records().flat_map(|record| record.texts()) {
            let known = texts.entry((text.digest >> 64) as u64);
            let known = known.or_insert_with(|| (text.digest, text.text.into(), text.whole));
            if text.whole && !known.2 {
                *known = (text.digest, text.text.into(), true);
            }
        }
        for (digest, entry) in &memory.overrides().0 {
            texts.entry((digest >> 64) as u64).or_insert_with(|| (*digest, entry.text.clone(), entry.whole));
        }
        let before = memory.known();
        let mut changed = 0;
        for edit in &self.edits {
            let digest = LineTable::digest(&edit.text);
            let (digest, text, whole) = match texts.get(&edit.id) {
                Some((digest, text, whole)) => (*digest, &**text, *whole),
                None if (digest >> 64) as u64 == edit.id => (digest, edit.text.as_str(), true),
                // Neither known nor overridden.
                None if edit.decision.is_none() => continue,
                None => {
                    let why = format!(
                        "no text of {} has the id {:016x} any more: undo the change of this row, or create a new listing",
                        self.site, edit.id
                    );
                    return Err(ListingError { line: edit.line, why });
                }
            };
            // The override of a similar text appears in this row as well and is not repeated.
            let by_similarity = memory.overrides().on(digest).is_none()
                && edit.decision.is_some()
                && before.judged(text) == edit.decision;
            if !by_similarity && memory.overrides_mut().set(digest, text, whole, edit.decision) {
                changed += 1;
            }
        }
        Ok(changed)
    }
}
