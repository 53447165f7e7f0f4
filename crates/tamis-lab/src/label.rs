//! Labels of one's own: a person says which blocks of a page are its text, and a set has a page more.
//!
//! The text of such a truth is what the plain text form writes of the chosen blocks, so whoever extracts exactly these
//! blocks has all of it and nothing else. Facts (title, date, kind of page) are in it only where the person gives them: to
//! write down what the page seems to say would be to measure an extractor by itself.
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

/// Why a label was not made, or not written.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A word that should be a number of a block, or two of them.
    #[error("{0:?} is no number of a block: write numbers such as 3, or from one to another such as 5-9")]
    NoNumber(String),
    /// There is no such block.
    #[error("there is no block {number}: {}", match blocks { 0 => "the page has none".to_owned(), n => format!("the page has 0 to {}", n - 1) })]
    NoBlock {
        /// The number that was given.
        number: usize,
        /// How many blocks the page has.
        blocks: usize,
    },
    /// A line that is not understood.
    #[error("{0:?} is not understood: write help to see what is")]
    NoCommand(String),
    /// A choice is not as it should be.
    #[error(
        "choice {number}: {what}; it should be {{\"keep\": [3, \"5-9\"]}} or {{\"drop\": [4]}}, with title, date and page_type if known"
    )]
    NoChoice {
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        what: String,
    },
    /// The page is not the one that the choice was made for.
    #[error(
        "the choice is for other blocks: it says blocks_digest {said}, and those of the page have {is}; look at the page again (tamis label PAGE --draft writes a choice for it), or take blocks_digest out of the choice if its numbers are right"
    )]
    OtherBlocks {
        /// What the choice says.
        said: String,
        /// What the page has.
        is: String,
    },
    /// A date that names no day.
    #[error(
        "{0:?} is no date: write year, month and day, such as 2026-11-16, with the time behind it if known"
    )]
    BadDate(String),
    /// There is no such kind of page.
    #[error("{0:?} is no kind of page: it is one of {kinds}", kinds = PageType::ALL.map(PageType::name).join(", "))]
    BadType(String),
    /// Nothing that could be compared was chosen.
    #[error(
        "no block with a word in it is kept: a page without a text cannot be scored; keep some blocks, or leave the page out"
    )]
    NothingKept,
    /// The id is no file name.
    #[error("the id {0:?} is no file name: give another")]
    BadId(String),
    /// The file of truths has a line that is none; nothing was changed.
    #[error("{file}:{line}: {what}; nothing was written: mend or delete the line, and label the page again", file = file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Reading or writing failed.
    #[error("cannot read or write {}: may you, and is there space?", file.display())]
    File {
        /// Which file or folder.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// What a line that a person wrote led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Something is chosen otherwise than before.
    Changed,
    /// The blocks are to be shown.
    Show,
    /// The text as it would be written is to be shown.
    Text,
    /// What can be written is to be shown.
    Help,
    /// The page is labelled.
    Done,
    /// No more pages are to be labelled.
    Quit,
}

/// A page that is being labelled. It begins with what a method says.
pub struct Labelling<'p> {
    page: &'p Page<'p>,
    url: Option<&'p str>,
    said: Vec<bool>,
    keep: Vec<bool>,
    /// What a person said of blocks that are not kept.
    aside: BTreeMap<usize, BlockLabel>,
    /// The title that a person gave.
    pub title: Option<String>,
    /// The date that a person gave.
    pub date: Option<String>,
    /// The kind of page that a person gave.
    pub page_type: Option<String>,
}

impl<'p> Labelling<'p> {
    /// Begins with what a judgement says of the main text; comments are not in it.
    pub fn new(page: &'p Page<'p>, url: Option<&'p str>, kept: &[bool]) -> Labelling<'p> {
        let said: Vec<bool> = (0..page.blocks.len()).map(|block| kept.get(block) == Some(&true)).collect();
        let (keep, aside) = (said.clone(), BTreeMap::new());
        Labelling { page, url, keep, said, aside, title: None, date: None, page_type: None }
    }

    /// What can be written to [`Labelling::command`], for people.
    ///
    /// ```
    /// assert!(tamis_lab::label::Labelling::HELP.contains("keep 3 5-9"));
    /// ```
    pub const HELP: &'static str = "\
keep 3 5-9     keep these blocks        all    keep all that can be seen
drop 4         drop these               none   drop all
only 3 5-9     keep these and no other  said   back to what the method says
show           show the blocks          text   show the text as it would be written
title TEXT     its title; without TEXT as the page says it, with - none; likewise date and type
done           write the label          quit   leave without one
";

    /// Does what a line says.
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
            "all" if alone => self.keep_as(|labelling, block| labelling.is_seen(block)),
            "none" if alone => self.keep_as(|_, _| false),
            "said" if alone => self.keep_as(|labelling, block| labelling.said[block]),
            "title" | "date" | "type" => {
                let given = match rest.trim() {
                    "-" => None,
                    "" => self.as_the_page_says(word),
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

    fn as_the_page_says(&self, fact: &str) -> Option<String> {
        let metadata = self.document()?.metadata;
        match fact {
            "title" => metadata.title,
            "date" => metadata.published.map(|moment| moment.to_string()),
            _ => None,
        }
    }

    fn document(&self) -> Option<Document> {
        let input = Input::text(self.page.dom.source());
        tamis::extract(self.url.map_or(input, |url| input.url(url))).ok()
    }

    fn is_seen(&self, block: usize) -> bool {
        self.page.blocks.hidden.get(block).is_some_and(Option::is_none)
    }

    /// Takes a choice that was made elsewhere. What it drops is dropped from all that can be seen.
    pub fn choose(&mut self, choice: &Choice) -> Result<(), LabelError> {
        if let Some(said) = &choice.blocks_digest {
            let is = blocks_digest(self.page);
            if *said != is {
                return Err(LabelError::OtherBlocks { said: said.clone(), is });
            }
        }
        let (named, keep) = match (&choice.keep, &choice.drop) {
            (Some(named), _) => (named, true),
            (None, Some(named)) => (named, false),
            (None, None) => (&Vec::new(), true),
        };
        let mut kept: Vec<bool> = (0..self.keep.len()).map(|block| !keep && self.is_seen(block)).collect();
        for numbers in named {
            numbers.blocks(kept.len())?.for_each(|block| kept[block] = keep);
        }
        self.describe(choice)?;
        self.keep = kept;
        Ok(())
    }

    /// Takes title, date and page type of a choice, and leaves the blocks as they are.
    pub fn describe(&mut self, choice: &Choice) -> Result<(), LabelError> {
        for (fact, given) in [("date", &choice.date), ("type", &choice.page_type)] {
            given.as_deref().map(|given| checked(fact, given)).transpose()?;
        }
        self.title.clone_from(&choice.title);
        self.date.clone_from(&choice.date);
        self.page_type.clone_from(&choice.page_type);
        Ok(())
    }

    /// Says what a block is; all others stay as they are.
    pub fn set(&mut self, block: usize, label: BlockLabel) -> Result<(), LabelError> {
        let blocks = self.keep.len();
        let keep = self.keep.get_mut(block).ok_or(LabelError::NoBlock { number: block, blocks })?;
        *keep = label == BlockLabel::Main;
        self.aside.insert(block, label);
        Ok(())
    }

    /// What each block is; one that is dropped and of which nothing else was said is [`BlockLabel::Dropped`].
    pub fn labels(&self) -> Vec<BlockLabel> {
        let label = |(block, keep): (usize, &bool)| match (keep, self.aside.get(&block)) {
            (true, _) => BlockLabel::Main,
            (false, Some(BlockLabel::Main) | None) => BlockLabel::Dropped,
            (false, Some(label)) => *label,
        };
        self.keep.iter().enumerate().map(label).collect()
    }

    /// What is chosen now as a choice, to be changed elsewhere and taken back by [`Labelling::choose`].
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

    /// The places of the blocks that are kept.
    pub fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        self.keep.iter().enumerate().filter(|(_, keep)| **keep).map(|(block, _)| block)
    }

    /// The blocks, a line each: its number, what the method says (`+` or `-`), `k` where it is kept, and its text in so
    /// many characters.
    pub fn listing(&self, width: usize) -> String {
        let mut out = String::new();
        for place in 0..self.page.blocks.len() {
            let said = if self.said[place] { '+' } else { '-' };
            let kept = if self.keep[place] { 'k' } else { ' ' };
            let note = if self.is_seen(place) { "" } else { "(hidden) " };
            let text = format!("{note}{}", self.page.blocks.text(place));
            let text: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
            let room = width.saturating_sub(9).max(20);
            let short: String = text.chars().take(room).collect();
            let more = if text.chars().nth(room).is_some() { "…" } else { "" };
            out += &format!("{place:>4} {said} {kept} {}{more}\n", short.trim_end());
        }
        out
    }

    /// The text as it is written into the truth. Comments that a person keeps are in it.
    pub fn text(&self) -> String {
        plain_text(self.page, &self.keep)
    }

    /// The truth of the page under an id, with its address and language where the page tells them.
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

/// A fact as a person gave it, if it can be one: what nobody can read would be learned from and scored by all the same.
fn checked<'t>(fact: &str, text: &'t str) -> Result<&'t str, LabelError> {
    match fact {
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
    fn lines_change_what_is_kept() {
        let kept = |lines: &[&str]| {
            with(|labelling| {
                lines.iter().for_each(|line| assert_eq!(labelling.command(line).unwrap(), Answer::Changed));
                labelling.kept().collect::<Vec<_>>()
            })
        };
        assert_eq!(kept(&[]), [0, 1]);
        assert_eq!(kept(&["drop 0", " keep  2"]), [1, 2]);
        assert_eq!(kept(&["only 0,1-2"]), [0, 1, 2]);
        assert_eq!(kept(&["all"]), [0, 1, 2], "hidden text is not among the blocks");
        assert_eq!(kept(&["none"]), [0; 0]);
        assert_eq!(kept(&["none", "said"]), [0, 1]);
    }

    #[test]
    fn a_bad_line_says_why_and_changes_nothing() {
        with(|labelling| {
            for (line, said) in [
                ("keep 9", "there is no block 9: the page has 0 to 2"),
                ("keep 1 2 x", "\"x\" is no number"),
                ("drop 3-1", "\"3-1\" is no number"),
                ("drop 99999999999999999999", "is no number"),
                ("keep", "write help"),
                ("all 3", "write help"),
                ("", "write help"),
            ] {
                let error = labelling.command(line).unwrap_err().to_string();
                assert!(error.contains(said), "{line}: {error}");
            }
            assert_eq!(labelling.kept().collect::<Vec<_>>(), [0, 1]);
        });
    }

    #[test]
    fn a_banana_was_a_kind_of_page_and_someday_a_date() {
        with(|labelling| {
            for (line, json, said) in [
                ("type banana", r#"{"keep": [0], "page_type": "banana"}"#, "one of article, forum, "),
                ("date someday", r#"{"keep": [0], "date": "someday"}"#, "such as 2026-11-16"),
                ("date 2026-13-01", r#"{"keep": [0], "date": "2026-11-32"}"#, "such as 2026-11-16"),
            ] {
                let error = labelling.command(line).unwrap_err().to_string();
                assert!(error.contains(said), "{line}: {error}");
                let error = labelling.choose(&choices(json).unwrap()[0]).unwrap_err().to_string();
                assert!(error.contains(said), "{json}: {error}");
            }
            assert_eq!(labelling.kept().collect::<Vec<_>>(), [0, 1], "nothing is changed");
            let good = r#"{"keep": [0], "page_type": "forum", "date": "2026-11-16T10:00"}"#;
            labelling.choose(&choices(good).unwrap()[0]).unwrap();
        });
    }

    #[test]
    fn facts_are_written_only_where_a_person_gives_them() {
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
    fn a_page_of_which_nothing_is_kept_is_no_label() {
        with(|labelling| {
            labelling.command("none").unwrap();
            assert!(matches!(labelling.truth("a"), Err(LabelError::NothingKept)));
        });
    }
}
