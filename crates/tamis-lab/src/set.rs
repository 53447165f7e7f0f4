//! Evaluation sets: real pages with what a person would keep of them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::json_lines::{self, id, list_or_null, text_or_number};
use crate::problem::Problem;
use crate::tokens::{normal, tokens};

/// The file that makes a folder a set.
pub(crate) const TRUTH: &str = "truth.jsonl";

/// A folder with `truth.jsonl` and `pages/ID.html`.
#[derive(Clone, Debug)]
pub struct Set {
    /// The folder's name.
    pub name: String,
    /// Where it is.
    pub folder: PathBuf,
    /// What is known of each page, in the order of the file. Only pages of which something can be scored are here.
    pub truths: Vec<Truth>,
    /// What is wrong with the set.
    pub problems: Vec<Problem>,
    /// Are there pages? Without them, outputs can be scored all the same, but nothing can be run.
    pub has_pages: bool,
    /// How much a page of it says when a model is trained, beside 1 for the pages of other sets: less, where its truths are
    /// poor.
    pub weight: f32,
    places: HashMap<String, usize>,
    left_out: HashSet<String>,
}

/// What a person would keep of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub struct Truth {
    /// The page's name in the set; its file is `pages/ID.html`.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// Where it came from.
    #[serde(default)]
    pub url: Option<String>,
    /// Pages of the same site share a template.
    #[serde(default)]
    pub site: Option<String>,
    /// The language.
    #[serde(default)]
    pub lang: Option<String>,
    /// article, forum, listing, product, other, …
    #[serde(default)]
    pub page_type: Option<String>,
    /// A finer kind, where the set tells.
    #[serde(default, alias = "wcxb_type")]
    pub subtype: Option<String>,
    /// The program that made the page, where the set tells.
    #[serde(default)]
    pub engine: Option<String>,
    /// The main text.
    #[serde(default)]
    pub text: Option<String>,
    /// The title.
    #[serde(default)]
    pub title: Option<String>,
    /// The date of publication.
    #[serde(default, deserialize_with = "text_or_number")]
    pub date: Option<String>,
    /// The author.
    #[serde(default, deserialize_with = "any_text")]
    pub author: Option<String>,
    /// Segments that must be in the text.
    #[serde(default, deserialize_with = "list_or_null")]
    pub with: Vec<String>,
    /// Segments that must not be in it.
    #[serde(default, deserialize_with = "list_or_null")]
    pub without: Vec<String>,
    /// Readers' comments, where the set has them apart from the text.
    #[serde(default, deserialize_with = "any_text", skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// Bylines, dates and captions, where the set has them apart from the text.
    #[serde(default, deserialize_with = "any_text", skip_serializing_if = "Option::is_none")]
    pub supplemental: Option<String>,
    /// Links to other content, where the set has them apart from the text.
    #[serde(default, deserialize_with = "any_text", skip_serializing_if = "Option::is_none")]
    pub related: Option<String>,
    /// The posts of a thread, where the set has them.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<TruthPost>,
    /// The main text as Markdown, where the set has its structure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// Of which blocks the text was chosen, by a person who labelled the page; see [`crate::label::blocks_digest`].
    #[serde(default)]
    pub blocks_digest: Option<String>,
    /// What the person said each of these blocks is, a letter a block; see [`crate::label::BlockLabel`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_classes: Option<String>,
    /// The line of `truth.jsonl`.
    #[serde(skip_deserializing)]
    pub line: usize,
}

/// A post of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub struct TruthPost {
    /// What it says.
    #[serde(default)]
    pub text: String,
    /// Who wrote it: a name, or the address of the writer's page.
    #[serde(default)]
    pub author: Option<String>,
    /// When, as the page shows it.
    #[serde(default)]
    pub date: Option<String>,
}

impl Truth {
    /// Is there a main text to compare with: at least one token?
    ///
    /// ```
    /// use tamis_lab::Truth;
    ///
    /// assert!(Truth { text: Some("Rain".into()), ..Truth::default() }.has_text());
    /// assert!(!Truth { text: Some("— … !".into()), ..Truth::default() }.has_text());
    /// ```
    pub fn has_text(&self) -> bool {
        self.text.as_deref().is_some_and(|text| tokens(&normal(text)).next().is_some())
    }

    /// Are there segments that must, or must not, be there?
    pub fn has_segments(&self) -> bool {
        !self.with.is_empty() || !self.without.is_empty()
    }

    /// That it has no text, in words.
    fn without_text(&self) -> String {
        let missing = if self.text.is_some() { "no letter or digit in its text" } else { "no text" };
        format!("the truth of {:?} has {missing}", self.id)
    }

    /// What there is to score by beside the text, in words.
    fn rest(&self) -> Vec<&'static str> {
        let told = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let parts =
            [(self.has_segments(), "segments"), (told(&self.title), "title"), (told(&self.date), "date")];
        parts.into_iter().filter_map(|(there, name)| there.then_some(name)).collect()
    }
}

/// Authors are sometimes a list; no figure depends on them, so whatever is there is taken as it stands.
fn any_text<'d, D: serde::Deserializer<'d>>(value: D) -> Result<Option<String>, D::Error> {
    Ok(match serde_json::Value::deserialize(value)? {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

/// Why a set cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// The folder holds no set.
    #[error("{0} is no evaluation set: there is no {TRUTH} in it, nor in a folder of it")]
    NoSet(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {file}")]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Why the page of a truth cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {file}")]
pub struct PageError {
    /// Its file.
    pub file: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl Set {
    /// Truths without files, for tests of what is made of them.
    #[cfg(test)]
    pub(crate) fn in_memory(truths: Vec<Truth>) -> Set {
        Set {
            name: "memory".into(),
            folder: PathBuf::new(),
            truths,
            problems: Vec::new(),
            has_pages: false,
            weight: 1.0,
            places: HashMap::new(),
            left_out: HashSet::new(),
        }
    }

    /// Reads a set. What is wrong with single pages is in [`Set::problems`]; an error means that there is no set.
    ///
    /// ```no_run
    /// let set = tamis_lab::Set::open("eval/gne".as_ref())?;
    /// println!("{}: {} pages", set.name, set.truths.len());
    /// # Ok::<(), tamis_lab::SetError>(())
    /// ```
    pub fn open(folder: &Path) -> Result<Set, SetError> {
        let file = folder.join(TRUTH);
        if !file.is_file() {
            return Err(SetError::NoSet(folder.to_owned()));
        }
        let mut problems = Vec::new();
        let rows = json_lines::read::<Truth>(&file, &mut problems)
            .map_err(|source| SetError::Unreadable { file: file.clone(), source })?;
        let mut set = Set {
            name: name_of(folder),
            folder: folder.to_owned(),
            truths: Vec::with_capacity(rows.len()),
            problems,
            has_pages: folder.join("pages").is_dir(),
            weight: 1.0,
            places: HashMap::new(),
            left_out: HashSet::new(),
        };
        if !set.has_pages {
            let what =
                "there is no folder pages beside it: outputs are scored, but no method can be run".to_owned();
            set.problems.push(Problem { file: file.clone(), line: 0, what });
        }
        if rows.is_empty() {
            let what =
                "there is no page in it: it should have a JSON line a page, with id and text".to_owned();
            set.problems.push(Problem { file: file.clone(), line: 0, what });
        }
        for (line, truth) in rows {
            let truth = Truth { line, ..truth };
            match set.fault(&truth) {
                Some(what) => {
                    set.problems.push(Problem { file: file.clone(), line, what });
                    set.left_out.insert(truth.id);
                }
                None => {
                    set.places.insert(truth.id.clone(), set.truths.len());
                    set.truths.push(truth);
                }
            }
        }
        set.name_truths_without_text(&file);
        set.problems.sort_by_key(|problem| problem.line);
        Ok(set)
    }

    /// Names the truths that are kept although they have no text. In a set that goes by segments alone that is as it
    /// should be; elsewhere it may be a slip.
    fn name_truths_without_text(&mut self, file: &Path) {
        let textless: Vec<bool> = self.truths.iter().map(|truth| !truth.has_text()).collect();
        let by_segments = textless.iter().all(|textless| *textless);
        for (truth, _) in self.truths.iter().zip(textless).filter(|(_, textless)| *textless) {
            if by_segments && truth.has_segments() && truth.text.is_none() {
                continue;
            }
            let what = format!("{}; scored by {}", truth.without_text(), truth.rest().join(", "));
            self.problems.push(Problem { file: file.to_owned(), line: truth.line, what });
        }
    }

    /// What is wrong with the set for who learns from it: pages without a text are left out then.
    ///
    /// ```no_run
    /// let set = tamis_lab::Set::open("eval/gne".as_ref())?;
    /// set.problems_in_learning().iter().for_each(|problem| println!("{problem}"));
    /// # Ok::<(), tamis_lab::SetError>(())
    /// ```
    pub fn problems_in_learning(&self) -> Vec<Problem> {
        let textless: Vec<&Truth> = self.truths.iter().filter(|truth| !truth.has_text()).collect();
        let lines: HashSet<usize> = textless.iter().map(|truth| truth.line).collect();
        let others = self.problems.iter().filter(|problem| !lines.contains(&problem.line)).cloned();
        let left_out = textless.iter().map(|truth| Problem {
            file: self.folder.join(TRUTH),
            line: truth.line,
            what: format!("{}; left out", truth.without_text()),
        });
        let mut problems: Vec<Problem> = others.chain(left_out).collect();
        problems.sort_by_key(|problem| problem.line);
        problems
    }

    /// How many pages with a text there are, and of how many of them no site is told. Each of these counts as a site of its own
    /// when a model is trained, so that pages of one site may be on both sides of a split.
    ///
    /// ```no_run
    /// let (pages, without_site) = tamis_lab::Set::open("eval/gne".as_ref())?.without_site();
    /// assert!(without_site <= pages);
    /// # Ok::<(), tamis_lab::SetError>(())
    /// ```
    pub fn without_site(&self) -> (usize, usize) {
        let with_text = || self.truths.iter().filter(|truth| truth.has_text());
        (with_text().count(), with_text().filter(|truth| truth.site.is_none()).count())
    }

    /// The set that a folder is, or all the sets that are in it, by name.
    pub fn open_all(folder: &Path) -> Result<Vec<Set>, SetError> {
        if folder.join(TRUTH).is_file() {
            return Ok(vec![Set::open(folder)?]);
        }
        let entries = fs::read_dir(folder)
            .map_err(|source| SetError::Unreadable { file: folder.to_owned(), source })?;
        let mut folders: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|folder| folder.join(TRUTH).is_file())
            .collect();
        folders.sort();
        if folders.is_empty() {
            return Err(SetError::NoSet(folder.to_owned()));
        }
        folders.iter().map(|folder| Set::open(folder)).collect()
    }

    /// Why a page cannot be scored, if so.
    fn fault(&self, truth: &Truth) -> Option<String> {
        if self.places.contains_key(&truth.id) {
            return Some(format!("the id {:?} was there before; left out", truth.id));
        }
        if !truth.has_text() && truth.rest().is_empty() {
            return Some(format!(
                "the truth of {:?} has no text, and neither segments, title nor date; left out",
                truth.id
            ));
        }
        let Some(file) = self.page_file(truth) else {
            return Some(format!("the id {:?} is no file name; left out", truth.id));
        };
        if self.has_pages && !file.is_file() {
            return Some(format!("there is no page {}; left out", file.display()));
        }
        None
    }

    /// Where the page of an id is in [`Set::truths`].
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Does the set know the id, even if its page cannot be scored?
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.places.contains_key(id) || self.left_out.contains(id)
    }

    /// The file of a page; nothing where the id would lead out of the folder.
    fn page_file(&self, truth: &Truth) -> Option<PathBuf> {
        let name = format!("{}.html", truth.id);
        let inside = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
        inside.then(|| self.folder.join("pages").join(name))
    }

    /// The bytes of a page.
    pub fn page(&self, truth: &Truth) -> Result<Vec<u8>, PageError> {
        let file = self.page_file(truth).unwrap_or_default();
        fs::read(&file).map_err(|source| PageError { file, source })
    }
}

/// The folder's name as it was given, that of a link its own; where it was given as `.` the name it has.
fn name_of(folder: &Path) -> String {
    let whole = || folder.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
    let name = folder.file_name().map(ToOwned::to_owned).or_else(whole);
    name.map_or_else(|| "set".to_owned(), |name| name.to_string_lossy().into_owned())
}
