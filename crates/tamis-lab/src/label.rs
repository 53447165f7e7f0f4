//! Labelling: a person selects the main-text blocks of a page, and the page is added to a set.
//!
//! The true text is the plain-text output of the selected blocks, so an extractor that selects the same blocks scores
//! 100 %. Title, date and page type are recorded only if the person gives them: recording what we extract would measure
//! the extractor against itself.
//!
//! ```
//! use tamis_lab::label::{Answer, Labelling, add};
//! use tamis_lab::Set;
//!
//! let html = "<p>Home<p>It rained in the harbour.<p>And in the town.<p>Imprint";
//! let page = tamis::page::Page::parse(html);
//! let mut labelling = Labelling::new(&page, None, &[true, true, false, false]);
//! assert!(matches!(labelling.command("keep 2"), Ok(Answer::Changed)));
//! assert!(matches!(labelling.command("drop 0"), Ok(Answer::Changed)));
//! assert_eq!(labelling.text(), "It rained in the harbour.\nAnd in the town.\n");
//!
//! let folder = std::env::temp_dir().join(format!("tamis-label-doc-{}", std::process::id()));
//! let added = add(&folder, labelling.truth("rain")?, html.as_bytes(), false)?;
//! assert_eq!((added.id.as_str(), added.pages), ("rain", 1));
//! assert_eq!(Set::open(&folder)?.truths[0].text.as_deref(), Some(labelling.text().as_str()));
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block_label;
mod choice;
mod store;
mod version;

use std::collections::BTreeMap;
use std::path::PathBuf;

use tamis::document::{Document, plain_text};
use tamis::page::Page;
use tamis::{Input, PageType};

use crate::date::day;
use crate::set::Truth;
use crate::tokens::{normal, tokens};

pub use block_label::{BlockLabel, NoBlockLabel, labels_of};
pub use choice::{Choice, Numbers, choices};
pub use store::{Added, add, remove};
pub use version::{blocks_digest, changed};

/// Why a page was not labelled.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// Neither a block number nor a range.
    #[error("{0:?} is no number of a block: write numbers such as 3, or ranges such as 5-9")]
    NoNumber(String),
    /// There is no such block.
    #[error("there is no block {number}: {}", match blocks { 0 => "the page has none".to_owned(), n => format!("the page has 0 to {}", n - 1) })]
    NoBlock {
        /// The given number.
        number: usize,
        /// The number of blocks of the page.
        blocks: usize,
    },
    /// An unknown command.
    #[error("unknown command {0:?}: write help for a list")]
    NoCommand(String),
    /// An invalid choice.
    #[error(
        "choice {number}: {what}; expected {{\"keep\": [3, \"5-9\"]}} or {{\"drop\": [4]}}, with title, date and page_type if known"
    )]
    NoChoice {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        what: String,
    },
    /// The choice was made for another version of the page.
    #[error(
        "the choice is for other blocks: its blocks_digest is {expected}, that of the page is {actual}; label the page again (tamis label PAGE --draft writes a choice for it), or remove blocks_digest from the choice if its numbers are right"
    )]
    OtherBlocks {
        /// The digest in the choice.
        expected: String,
        /// The digest of the page.
        actual: String,
    },
    /// A date without a day.
    #[error(
        "{0:?} is not a date: write year, month and day, such as 2026-11-16, optionally followed by a time"
    )]
    BadDate(String),
    /// An unknown page type.
    #[error("unknown page type {0:?}: expected one of {types}", types = PageType::ALL.map(PageType::name).join(", "))]
    BadType(String),
    /// No text is selected.
    #[error(
        "no block with a word in it is kept, and a page without text cannot be scored: keep some blocks, or skip the page"
    )]
    NothingKept,
    /// The id cannot be a file name.
    #[error("the id {0:?} is not a file name: choose another")]
    BadId(String),
    /// The file of truths has an invalid line; nothing was changed.
    #[error("{file}:{line}: {what}; nothing was written: fix or delete the line, and label the page again", file = file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Reading or writing failed.
    #[error("cannot read or write {}: check permissions and free space", file.display())]
    File {
        /// The file or folder.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

/// The effect of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The selection or the metadata changed.
    Changed,
    /// Show the blocks.
    Show,
    /// Show the selected text.
    Text,
    /// Show the help.
    Help,
    /// The page is labelled.
    Done,
    /// Stop labelling.
    Quit,
}

/// A page that is being labelled, starting from the prediction of a method.
pub struct Labelling<'p> {
    page: &'p Page<'p>,
    url: Option<&'p str>,
    predicted: Vec<bool>,
    keep: Vec<bool>,
    /// Labels of blocks that are not kept.
    aside: BTreeMap<usize, BlockLabel>,
    /// The title, if the person gave one.
    pub title: Option<String>,
    /// The date, if the person gave one.
    pub date: Option<String>,
    /// The page type, if the person gave one.
    pub page_type: Option<String>,
}

impl<'p> Labelling<'p> {
    /// Starts with a method's prediction of the main text.
    pub fn new(page: &'p Page<'p>, url: Option<&'p str>, kept: &[bool]) -> Labelling<'p> {
        let predicted: Vec<bool> =
            (0..page.blocks.len()).map(|block| kept.get(block) == Some(&true)).collect();
        let (keep, aside) = (predicted.clone(), BTreeMap::new());
        Labelling { page, url, keep, predicted, aside, title: None, date: None, page_type: None }
    }

    /// Help for [`Labelling::command`].
    pub const HELP: &'static str = "\
keep 3 5-9     keep these blocks        all    keep all visible blocks
drop 4         drop these blocks        none   drop all blocks
only 3 5-9     keep only these blocks   reset  keep what the method keeps
show           show the blocks          text   show the selected text
title TEXT     set the title; without TEXT, as extracted; - for none. Also: date, type
done           save the label           quit   quit without saving
";

    /// Runs a command.
    pub fn command(&mut self, line: &str) -> Result<Answer, LabelError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let alone = rest.trim().is_empty();
        match word {
            "keep" | "drop" | "only" if !alone => {
                let chosen = choice::numbers(rest, self.keep.len())?;
                if word == "only" {
                    self.keep.fill(false);
                }
                chosen.into_iter().for_each(|block| self.keep[block] = word != "drop");
                Ok(Answer::Changed)
            }
            "all" if alone => self.keep_as(|labelling, block| labelling.is_visible(block)),
            "none" if alone => self.keep_as(|_, _| false),
            "reset" | "said" if alone => self.keep_as(|labelling, block| labelling.predicted[block]),
            "title" | "date" | "type" => {
                let given = match rest.trim() {
                    "-" => None,
                    "" => self.extracted(word),
                    text => Some(checked(word, text)?.to_owned()),
                };
                match word {
                    "title" => self.title = given,
                    "date" => self.date = given,
                    _ => self.page_type = given,
                }
                Ok(Answer::Changed)
            }
            "show" if alone => Ok(Answer::Show),
            "text" if alone => Ok(Answer::Text),
            "help" | "?" if alone => Ok(Answer::Help),
            "done" if alone => Ok(Answer::Done),
            "quit" if alone => Ok(Answer::Quit),
            _ => Err(LabelError::NoCommand(line.to_owned())),
        }
    }

    fn keep_as(&mut self, keep: impl Fn(&Self, usize) -> bool) -> Result<Answer, LabelError> {
        self.keep = (0..self.keep.len()).map(|block| keep(self, block)).collect();
        Ok(Answer::Changed)
    }

    fn extracted(&self, field: &str) -> Option<String> {
        let metadata = self.document()?.metadata;
        match field {
            "title" => metadata.title,
            "date" => metadata.published.map(|moment| moment.to_string()),
            _ => None,
        }
    }

    fn document(&self) -> Option<Document> {
        let input = Input::text(self.page.dom.source());
        tamis::extract(self.url.map_or(input, |url| input.url(url))).ok()
    }

    fn is_visible(&self, block: usize) -> bool {
        self.page.blocks.hidden.get(block).is_some_and(Option::is_none)
    }

    /// Applies a choice. If it lists dropped blocks, all other visible blocks are kept.
    pub fn choose(&mut self, choice: &Choice) -> Result<(), LabelError> {
        if let Some(expected) = &choice.blocks_digest {
            let actual = blocks_digest(self.page);
            if *expected != actual {
                return Err(LabelError::OtherBlocks { expected: expected.clone(), actual });
            }
        }
        let (named, keep) = match (&choice.keep, &choice.drop) {
            (Some(named), _) => (named, true),
            (None, Some(named)) => (named, false),
            (None, None) => (&Vec::new(), true),
        };
        let mut kept: Vec<bool> = (0..self.keep.len()).map(|block| !keep && self.is_visible(block)).collect();
        for numbers in named {
            numbers.blocks(kept.len())?.for_each(|block| kept[block] = keep);
        }
        self.describe(choice)?;
        self.keep = kept;
        Ok(())
    }

    /// Applies title, date and page type of a choice, without the blocks.
    pub fn describe(&mut self, choice: &Choice) -> Result<(), LabelError> {
        for (field, given) in [("date", &choice.date), ("type", &choice.page_type)] {
            given.as_deref().map(|given| checked(field, given)).transpose()?;
        }
        self.title.clone_from(&choice.title);
        self.date.clone_from(&choice.date);
        self.page_type.clone_from(&choice.page_type);
        Ok(())
    }

    /// Labels a block.
    pub fn set(&mut self, block: usize, label: BlockLabel) -> Result<(), LabelError> {
        let blocks = self.keep.len();
        let keep = self.keep.get_mut(block).ok_or(LabelError::NoBlock { number: block, blocks })?;
        *keep = label == BlockLabel::Main;
        self.aside.insert(block, label);
        Ok(())
    }

    /// The label of each block; [`BlockLabel::Dropped`] if it was only dropped.
    pub fn labels(&self) -> Vec<BlockLabel> {
        let label = |(block, keep): (usize, &bool)| match (keep, self.aside.get(&block)) {
            (true, _) => BlockLabel::Main,
            (false, Some(BlockLabel::Main) | None) => BlockLabel::Dropped,
            (false, Some(label)) => *label,
        };
        self.keep.iter().enumerate().map(label).collect()
    }

    /// The current selection as a choice, to be edited and given to [`Labelling::choose`].
    pub fn draft(&self) -> Choice {
        let kept: Vec<usize> = self.kept().collect();
        let run = |run: &[usize]| match run {
            [first, .., last] => Some(Numbers::Some(format!("{first}-{last}"))),
            [one] => Some(Numbers::One(*one)),
            [] => None,
        };
        Choice {
            blocks_digest: Some(blocks_digest(self.page)),
            keep: Some(kept.chunk_by(|a, b| a + 1 == *b).filter_map(run).collect()),
            title: self.title.clone(),
            date: self.date.clone(),
            page_type: self.page_type.clone(),
            ..Choice::default()
        }
    }

    /// The numbers of the kept blocks.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        self.keep.iter().enumerate().filter(|(_, keep)| **keep).map(|(block, _)| block)
    }

    /// The blocks, one per line: number, prediction (`+` or `-`), `k` if kept, and text, truncated to `width`
    /// characters.
    pub fn listing(&self, width: usize) -> String {
        let mut out = String::new();
        for place in 0..self.page.blocks.len() {
            let predicted = if self.predicted[place] { '+' } else { '-' };
            let kept = if self.keep[place] { 'k' } else { ' ' };
            let note = if self.is_visible(place) { "" } else { "(hidden) " };
            let text = format!("{note}{}", self.page.blocks.text(place));
            let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
            let room = width.saturating_sub(9).max(20);
            let short: String = text.chars().take(room).collect();
            let more = if text.chars().nth(room).is_some() { "…" } else { "" };
            out += &format!("{place:>4} {predicted} {kept} {}{more}\n", short.trim_end());
        }
        out
    }

    /// The text of the kept blocks, as it is written into the truth.
    pub fn text(&self) -> String {
        plain_text(self.page, &self.keep)
    }

    /// The truth of the page, with its URL and the detected language.
    pub fn truth(&self, id: &str) -> Result<Truth, LabelError> {
        let text = self.text();
        if tokens(&normal(&text)).next().is_none() {
            return Err(LabelError::NothingKept);
        }
        let labels = self.labels();
        let text_of = |label: BlockLabel| {
            let chosen: Vec<bool> = labels.iter().map(|other| *other == label).collect();
            chosen.contains(&true).then(|| plain_text(self.page, &chosen))
        };
        Ok(Truth {
            id: id.to_owned(),
            url: self.url.map(str::to_owned),
            lang: self.document().and_then(|document| document.metadata.language),
            page_type: self.page_type.clone(),
            title: self.title.clone(),
            date: self.date.clone(),
            text: Some(text),
            comments: text_of(BlockLabel::Comment),
            supplemental: text_of(BlockLabel::Caption),
            blocks_digest: Some(blocks_digest(self.page)),
            block_classes: Some(labels.iter().map(|label| label.letter()).collect()),
            ..Truth::default()
        })
    }
}

/// Validates a date or a page type: an unreadable one would still be trained on and scored.
fn checked<'t>(field: &str, text: &'t str) -> Result<&'t str, LabelError> {
    match field {
        "date"
            if !day(text)
                .is_some_and(|(_, month, day)| (1..=12).contains(&month) && (1..=31).contains(&day)) =>
        {
            Err(LabelError::BadDate(text.to_owned()))
        }
        "type" if !PageType::ALL.iter().any(|kind| kind.name() == text) => {
            Err(LabelError::BadType(text.to_owned()))
        }
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<html lang=en><title>Rain</title><p>Home<p>It rained.<p hidden>Nothing to see.<p>Imprint";

    fn with<T>(talk: impl FnOnce(&mut Labelling<'_>) -> T) -> T {
        let page = Page::parse(PAGE);
        talk(&mut Labelling::new(&page, None, &[true, true, false]))
    }

    #[test]
    fn commands_change_the_selection() {
        let kept = |lines: &[&str]| {
            with(|labelling| {
                lines.iter().for_each(|line| assert_eq!(labelling.command(line).unwrap(), Answer::Changed));
                labelling.kept().collect::<Vec<_>>()
            })
        };
        assert_eq!(kept(&[]), [0, 1]);
        assert_eq!(kept(&["drop 0", " keep  2"]), [1, 2]);
        assert_eq!(kept(&["only 0,1-2"]), [0, 1, 2]);
        assert_eq!(kept(&["all"]), [0, 1, 2], "hidden text is not a block");
        assert_eq!(kept(&["none"]), [0; 0]);
        assert_eq!(kept(&["none", "reset"]), [0, 1]);
    }

    #[test]
    fn an_invalid_command_changes_nothing() {
        with(|labelling| {
            for (line, message) in [
                ("keep 9", "there is no block 9: the page has 0 to 2"),
                ("keep 1 2 x", "\"x\" is no number"),
                ("drop 3-1", "\"3-1\" is no number"),
                ("drop 99999999999999999999", "is no number"),
                ("keep", "write help"),
                ("all 3", "write help"),
                ("", "write help"),
            ] {
                let error = labelling.command(line).unwrap_err().to_string();
                assert!(error.contains(message), "{line}: {error}");
            }
            assert_eq!(labelling.kept().collect::<Vec<_>>(), [0, 1]);
        });
    }

    #[test]
    fn page_types_and_dates_are_validated() {
        with(|labelling| {
            for (line, json, message) in [
                ("type banana", r#"{"keep": [0], "page_type": "banana"}"#, "one of article, forum, "),
                ("date someday", r#"{"keep": [0], "date": "someday"}"#, "such as 2026-11-16"),
                ("date 2026-13-01", r#"{"keep": [0], "date": "2026-11-32"}"#, "such as 2026-11-16"),
            ] {
                let error = labelling.command(line).unwrap_err().to_string();
                assert!(error.contains(message), "{line}: {error}");
                let error = labelling.choose(&choices(json).unwrap()[0]).unwrap_err().to_string();
                assert!(error.contains(message), "{json}: {error}");
            }
            assert_eq!(labelling.kept().collect::<Vec<_>>(), [0, 1], "unchanged");
            let good = r#"{"keep": [0], "page_type": "forum", "date": "2026-11-16T10:00"}"#;
            labelling.choose(&choices(good).unwrap()[0]).unwrap();
        });
    }

    #[test]
    fn metadata_is_recorded_only_if_given() {
        with(|labelling| {
            assert_eq!(labelling.truth("a").unwrap().title, None);
            labelling.command("title").unwrap();
            labelling.command("date 2026-11-15").unwrap();
            labelling.command("type article").unwrap();
            let truth = labelling.truth("a").unwrap();
            assert_eq!((truth.title.as_deref(), truth.date.as_deref()), (Some("Rain"), Some("2026-11-15")));
            assert_eq!((truth.page_type.as_deref(), truth.lang.as_deref()), (Some("article"), Some("en")));
            labelling.command("title -").unwrap();
            assert_eq!(labelling.truth("a").unwrap().title, None);
        });
    }

    #[test]
    fn a_page_without_kept_blocks_cannot_be_labelled() {
        with(|labelling| {
            labelling.command("none").unwrap();
            assert!(matches!(labelling.truth("a"), Err(LabelError::NothingKept)));
        });
    }
}
