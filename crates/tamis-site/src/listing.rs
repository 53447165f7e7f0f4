//! A site's memory as a text that a person can read, edit and give back.
//!
//! One line a text, its columns separated by tabs: what happens to it, on how many pages it stands, how many texts near
//! to each other are counted together, what it was met as (`line` for the method `lines`, names of tags for
//! `template-svm`), an id, the text. To change what happens, one changes the first column: `drop` and `keep` are a
//! person's word and win; `auto-drop` and `auto-keep` leave it to the counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fmt::Write as _;

use tamis::SiteMemory;
use tamis_methods::lines;
use tamis_methods::site::LineTable;

use crate::key::SiteKey;
use crate::known::min_template_pages;
use crate::profile::SiteProfile;
use crate::record::TextRef;
use crate::verdicts::Decision;

/// What a listing begins with.
const HEAD: &str = "# tamis site show 1";

/// What happens to a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is removed, by what is counted.
    AutoDrop,
    /// It stays, by what is counted.
    AutoKeep,
    /// It is removed, because a person said so.
    Drop,
    /// It stays, because a person said so.
    Keep,
}

impl Verdict {
    const ALL: [Verdict; 4] = [Verdict::AutoDrop, Verdict::AutoKeep, Verdict::Drop, Verdict::Keep];

    /// As listings have it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::AutoDrop => "auto-drop",
            Verdict::AutoKeep => "auto-keep",
            Verdict::Drop => "drop",
            Verdict::Keep => "keep",
        }
    }

    /// A person's part in it.
    pub fn decision(self) -> Option<Decision> {
        match self {
            Verdict::Drop => Some(Decision::Drop),
            Verdict::Keep => Some(Decision::Keep),
            Verdict::AutoDrop | Verdict::AutoKeep => None,
        }
    }
}

/// A text of a site.
///
/// ```
/// use tamis::page::Page;
/// use tamis_site::{Listing, Row, SiteKey, SiteProfile, Verdict};
///
/// let mut memory = SiteProfile::default();
/// for text in ["It rained.", "It snowed.", "It was hot."] {
///     memory.observe(&Page::parse(&format!("<p>{text}</p><p>All rights reserved.</p>")), None);
/// }
/// let listing = Listing::of(&SiteKey::named("example.com").unwrap(), &memory, false);
/// let row: &Row = &listing.rows[0];
/// assert_eq!((row.verdict, row.pages, row.text.as_str()), (Verdict::AutoDrop, 3, "All rights reserved."));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What happens to it.
    pub verdict: Verdict,
    /// On how many pages it stands, exactly or nearly.
    pub pages: u32,
    /// How many different texts that are near each other are counted together.
    pub texts: u32,
    /// As what it was met: `line`, or the names of tags.
    pub met_as: Vec<String>,
    /// The upper half of the text's digest.
    pub id: u64,
    /// The text, or its beginning.
    pub text: String,
    /// Is it all of the text?
    pub whole: bool,
}

/// What a site repeats.
///
/// ```
/// use tamis::page::Page;
/// use tamis_site::{Listing, SiteKey, SiteProfile};
///
/// let mut memory = SiteProfile::default();
/// for text in ["It rained.", "It snowed.", "It was hot."] {
///     memory.observe(&Page::parse(&format!("<p>{text}</p><p>All rights reserved.</p>")), None);
/// }
/// let key = SiteKey::named("example.com").unwrap();
/// let listing = Listing::of(&key, &memory, false).to_string();
/// assert!(Listing::is_one(&listing));
/// let row = listing.lines().last().unwrap();
/// assert!(row.starts_with("auto-drop\t3\t1\tline p\t") && row.ends_with("\tAll rights reserved."));
///
/// // A person says no, and that wins.
/// let edited = listing.replace("auto-drop\t3", "keep\t3");
/// assert_eq!(Listing::read(&edited).unwrap()[0].apply(&mut memory).unwrap(), 1);
/// let page = Page::parse("<p>It was cold.</p><p>All rights reserved.</p>");
/// assert_eq!(tamis_methods::Method::Lines.judge(&page, Some(&memory.known())).kept().count(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The site.
    pub site: SiteKey,
    /// How many pages are known.
    pub pages: u32,
    /// How many have been seen, an estimate where that is more.
    pub pages_seen: u64,
    /// The texts, those of most pages first.
    pub rows: Vec<Row>,
}

/// What is wrong with an edited listing.
///
/// ```
/// use tamis_site::{Listing, ListingError};
///
/// let error: ListingError = Listing::read("# tamis site show 1 example.com\nperhaps\t3\t1\tp\t0f\tA text").unwrap_err();
/// assert_eq!(error.line, 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct ListingError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub why: String,
}

/// A text that something can happen to, while the rows come together.
#[derive(Default)]
struct Found {
    pages: u32,
    texts: u32,
    met_as: BTreeSet<String>,
    dropped: bool,
}

impl Listing {
    /// The texts of two pages or more that would be removed from a new one, and those that a person has spoken on; with
    /// `all`, whatever stands on two pages or more.
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
            let of_record = record.blocks.iter().filter(|sight| sight.line);
            line_digests.extend(of_record.filter_map(|sight| Some(record.text(sight.text)?.digest)));
        }
        let mut found: BTreeMap<u128, Found> = BTreeMap::new();
        // A line of a new page would be its next sighting.
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
            let spoken = memory.verdicts().on(*digest).is_some();
            if let Some(kept) = texts.get(digest).filter(|_| !spoken && (text.dropped || all)) {
                let near = known.judged(kept.text).filter(|_| kept.whole);
                let verdict = match (near, text.dropped) {
                    (Some(decision), _) => spoken_of(decision),
                    (None, true) => Verdict::AutoDrop,
                    (None, false) => Verdict::AutoKeep,
                };
                rows.push(row(verdict, text, *digest, kept.text, kept.whole));
            }
        }
        for (digest, word) in &memory.verdicts().0 {
            let Some(decision) = word.decision else { continue };
            let none = Found::default();
            let text = found.get(digest).unwrap_or(&none);
            rows.push(row(spoken_of(decision), text, *digest, &word.text, word.whole));
        }
        rows.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.text.cmp(&b.text)).then(a.id.cmp(&b.id)));
        Listing { site: site.clone(), pages: known.pages(), pages_seen: memory.pages_seen(), rows }
    }

    /// Reads listings that a person may have edited.
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
                list.last_mut().ok_or_else(|| error("a listing begins with the line that names its site"))?;
            let columns: Vec<&str> = line.splitn(6, '\t').collect();
            let [verdict, _, _, _, id, text] = columns.as_slice() else {
                return Err(error("a row has six columns with tabs between them"));
            };
            let known = |verdict: &Verdict| verdict.name() == columns[0].trim();
            let verdict = Verdict::ALL.into_iter().find(known).ok_or_else(|| {
                error(&format!("{verdict:?} in the first column: it is drop, keep, auto-drop or auto-keep"))
            })?;
            let id =
                u64::from_str_radix(id.trim(), 16).map_err(|_| error("the fifth column is not an id"))?;
            let decision = verdict.decision();
            edits.edits.push(Edit { line: number + 1, id, decision, text: (*text).to_owned() });
        }
        Ok(list)
    }

    /// Is this a listing, and not something else?
    pub fn is_one(text: &str) -> bool {
        text.starts_with(HEAD)
    }
}

fn spoken_of(decision: Decision) -> Verdict {
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
            format!(", a sample of about {} that were seen", self.pages_seen)
        } else {
            String::new()
        };
        writeln!(f, "# Known from {} pages{seen}.", self.pages)?;
        writeln!(
            f,
            "# The first column says what happens to a text: auto-drop and auto-keep by what is counted,"
        )?;
        writeln!(
            f,
            "# drop and keep because a person said so, which wins. Change it and give the file back:"
        )?;
        writeln!(f, "# tamis site import FILE --memory MEMORY")?;
        writeln!(f, "# verdict\tpages\ttexts\tmet as\tid\ttext")?;
        for row in &self.rows {
            let mut text = String::with_capacity(row.text.len());
            for character in row.text.chars() {
                // White space is folded already; nothing else may break a row.
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

/// What a person has made of a listing.
///
/// ```
/// use tamis_methods::site::LineTable;
/// use tamis_site::{Decision, Edits, Listing, SiteProfile};
///
/// let id = LineTable::digest("Mail us.") >> 64;
/// let text = format!("# tamis site show 1 example.com\ndrop\t3\t1\tp\t{id:016x}\tMail us.\n");
/// let edits: &Edits = &Listing::read(&text).unwrap()[0];
/// let mut memory = SiteProfile::default();
/// assert_eq!(edits.apply(&mut memory), Ok(1));
/// assert_eq!(memory.known().judged("Mail us."), Some(Decision::Drop));
/// ```
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
    /// A word on one text, by the id of its [`Row`]; nothing takes an earlier word back.
    pub fn one(site: SiteKey, id: u64, decision: Option<Decision>) -> Edits {
        Edits { site, edits: vec![Edit { line: 1, id, decision, text: String::new() }] }
    }

    /// Writes it into the site's memory. Gives the number of texts for which something has changed.
    pub fn apply(&self, memory: &mut SiteProfile) -> Result<usize, ListingError> {
        let mut texts: HashMap<u64, (u128, Box<str>, bool)> = HashMap::new();
        for text in memory.records().flat_map(|record| record.texts()) {
            let known = texts.entry((text.digest >> 64) as u64);
            let known = known.or_insert_with(|| (text.digest, text.text.into(), text.whole));
            if text.whole && !known.2 {
                *known = (text.digest, text.text.into(), true);
            }
        }
        for (digest, word) in &memory.verdicts().0 {
            texts.entry((digest >> 64) as u64).or_insert_with(|| (*digest, word.text.clone(), word.whole));
        }
        let before = memory.known();
        let mut changed = 0;
        for edit in &self.edits {
            let digest = LineTable::digest(&edit.text);
            let (digest, text, whole) = match texts.get(&edit.id) {
                Some((digest, text, whole)) => (*digest, &**text, *whole),
                None if (digest >> 64) as u64 == edit.id => (digest, edit.text.as_str(), true),
                // Nothing is known of it, and nothing is to be done with it.
                None if edit.decision.is_none() => continue,
                None => {
                    let mut why = String::new();
                    let _ = write!(why, "no text of {} has the id {:016x} any more: ", self.site, edit.id);
                    why.push_str("leave the row as it was, or make a new listing");
                    return Err(ListingError { line: edit.line, why });
                }
            };
            // A word on a near text shows in this row as well; it need not be said twice.
            let by_nearness = memory.verdicts().on(digest).is_none()
                && edit.decision.is_some()
                && before.judged(text) == edit.decision;
            if !by_nearness && memory.verdicts_mut().say(digest, text, whole, edit.decision) {
                changed += 1;
            }
        }
        Ok(changed)
    }
}
