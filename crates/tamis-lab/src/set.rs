//! Evaluation sets: real pages with their true texts.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::json_lines::{self, id, list_or_null, text_or_number};
use crate::posts::Post;
use crate::problem::Problem;
use crate::tokens::{normal, tokens};

/// The file that makes a folder a set.
pub(crate) const TRUTH: &str = "truth.jsonl";

/// A folder with `truth.jsonl` and `pages/ID.html`.
#[derive(Clone, Debug)]
pub struct Set {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// The truths with something to score, in the order of the file.
    pub truths: Vec<Truth>,
    /// The problems of the set.
    pub problems: Vec<Problem>,
    /// Whether there are pages. Without them, outputs can be scored, but no method can run.
    pub has_pages: bool,
    /// The weight of its pages in training. Default: 1; less for sets with noisy truths.
    pub weight: f32,
    places: HashMap<String, usize>,
    left_out: HashSet<String>,
}

/// The truth of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub struct Truth {
    /// The id of the page; its file is `pages/ID.html`.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// The URL.
    #[serde(default)]
    pub url: Option<String>,
    /// The site.
    #[serde(default)]
    pub site: Option<String>,
    /// The language.
    #[serde(default)]
    pub lang: Option<String>,
    /// The page type: article, forum, listing, product, other, …
    #[serde(default)]
    pub page_type: Option<String>,
    /// A finer page type.
    #[serde(default, alias = "wcxb_type")]
    pub subtype: Option<String>,
    /// The content management system of the page.
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
    /// Segments that the text must contain.
    #[serde(default, deserialize_with = "list_or_null")]
    pub with: Vec<String>,
    /// Segments that the text must not contain.
    #[serde(default, deserialize_with = "list_or_null")]
    pub without: Vec<String>,
    /// Readers' comments, if separate from the text.
    #[serde(default, deserialize_with = "any_text", skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// Bylines, dates and captions, if separate from the text.
    #[serde(default, deserialize_with = "any_text", skip_serializing_if = "Option::is_none")]
    pub supplemental: Option<String>,
    /// Links to other content, if separate from the text.
    #[serde(default, deserialize_with = "any_text", skip_serializing_if = "Option::is_none")]
    pub related: Option<String>,
    /// The posts of a thread.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<Post>,
    /// The main text as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// For a labelled page, the digest of its blocks; see [`crate::label::blocks_digest`].
    #[serde(default)]
    pub blocks_digest: Option<String>,
    /// For a labelled page, one letter per block; see [`crate::label::BlockLabel`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_classes: Option<String>,
    /// The line of `truth.jsonl`.
    #[serde(skip_deserializing)]
    pub line: usize,
}

impl Truth {
    /// Whether there is a main text with at least one token.
    pub fn has_text(&self) -> bool {
        self.text.as_deref().is_some_and(|text| tokens(&normal(text)).next().is_some())
    }

    /// Whether there are segments to check.
    pub fn has_segments(&self) -> bool {
        !self.with.is_empty() || !self.without.is_empty()
    }

    /// A message for a truth without text.
    fn without_text(&self) -> String {
        let missing = if self.text.is_some() { "no letter or digit in its text" } else { "no text" };
        format!("the truth of {:?} has {missing}", self.id)
    }

    /// What can be scored besides the text, except the language: alone, it is no reason to keep a page.
    fn rest(&self) -> Vec<&'static str> {
        let given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let parts = [
            (self.has_segments(), "segments"),
            (given(&self.title), "title"),
            (given(&self.date), "date"),
            (given(&self.author), "author"),
            (!self.posts.is_empty(), "posts"),
        ];
        parts.into_iter().filter_map(|(there, name)| there.then_some(name)).collect()
    }
}

/// A string, or any other value as JSON: authors are sometimes lists.
fn any_text<'d, D: serde::Deserializer<'d>>(value: D) -> Result<Option<String>, D::Error> {
    Ok(match serde_json::Value::deserialize(value)? {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

/// Why a set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// The folder has no set.
    #[error("{0} is no evaluation set: there is no {TRUTH} in it or in its subfolders")]
    NoSet(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {file}")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A page could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {file}")]
pub struct PageError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub source: io::Error,
}

impl Default for Set {
    fn default() -> Set {
        Set {
            name: String::new(),
            folder: PathBuf::new(),
            truths: Vec::new(),
            problems: Vec::new(),
            has_pages: false,
            weight: 1.0,
            places: HashMap::new(),
            left_out: HashSet::new(),
        }
    }
}

impl Set {
    /// A set without files, for tests.
    #[cfg(test)]
    pub(crate) fn in_memory(truths: Vec<Truth>) -> Set {
        Set { name: "memory".into(), truths, ..Set::default() }
    }

    /// Reads a set. Problems of single pages are in [`Set::problems`].
    pub fn open(folder: &Path) -> Result<Set, SetError> {
        let file = folder.join(TRUTH);
        if !file.is_file() {
            return Err(SetError::NoSet(folder.to_owned()));
        }
        let mut problems = Vec::new();
        let rows = json_lines::read::<Truth>(&file, &mut problems)
            .map_err(|source| SetError::Unreadable { file: file.clone(), source })?;
        let (name, has_pages) = (name_of(folder), folder.join("pages").is_dir());
        let mut set = Set { name, folder: folder.to_owned(), problems, has_pages, ..Set::default() };
        if !set.has_pages {
            let what = "there is no folder \"pages\" beside it: outputs are scored, but no method can run"
                .to_owned();
            set.problems.push(Problem { file: file.clone(), line: 0, what });
        }
        if rows.is_empty() {
            let what = "there is no page in it: expected a JSON line per page, with id and text".to_owned();
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
        set.report_truths_without_text(&file);
        set.problems.sort_by_key(|problem| problem.line);
        Ok(set)
    }

    /// Reports truths that are kept although they have no text, except in a set that has segments only.
    fn report_truths_without_text(&mut self, file: &Path) {
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

    /// The problems of the set for training, which skips pages without a text.
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

    /// The number of pages with a text, and how many of them have no site. In training, each of these counts as a site
    /// of its own, so pages of one real site may be on both sides of a split.
    pub fn without_site(&self) -> (usize, usize) {
        let with_text = || self.truths.iter().filter(|truth| truth.has_text());
        (with_text().count(), with_text().filter(|truth| truth.site.is_none()).count())
    }

    /// Opens a set, or all sets in the subfolders, by name.
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

    /// Why a page cannot be scored, if it cannot.
    fn fault(&self, truth: &Truth) -> Option<String> {
        if self.places.contains_key(&truth.id) {
            return Some(format!("duplicate id {:?}; left out", truth.id));
        }
        if !truth.has_text() && truth.rest().is_empty() {
            return Some(format!(
                "the truth of {:?} has no text, segments, title, date, author or posts; left out",
                truth.id
            ));
        }
        let Some(file) = self.page_file(truth) else {
            return Some(format!("the id {:?} is not a file name; left out", truth.id));
        };
        if self.has_pages && !file.is_file() {
            return Some(format!("there is no page {}; left out", file.display()));
        }
        None
    }

    /// The index of an id in [`Set::truths`].
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Whether the set has the id, even if its page cannot be scored.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.places.contains_key(id) || self.left_out.contains(id)
    }

    /// The file of a page; `None` if the id would lead out of the folder.
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

/// The name of the folder as given, without resolving links, except for paths such as `.`.
fn name_of(folder: &Path) -> String {
    let whole = || folder.canonicalize().ok()?.file_name().map(ToOwned::to_owned);
    let name = folder.file_name().map(ToOwned::to_owned).or_else(whole);
    name.map_or_else(|| "set".to_owned(), |name| name.to_string_lossy().into_owned())
}
