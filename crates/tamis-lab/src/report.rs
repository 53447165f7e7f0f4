//! The report: one folder of static HTML that opens without a server, offline, on a phone as on a desk.
//!
//! `index.html` has the summary and the plots, `sets/NAME/index.html` the pages of a set with the worst first, and
//! `sets/NAME/PAGE.html` the truth and the tools' texts of one page side by side, with its blocks and verdicts.
//! All of it can be read without scripts; with them, lists are sorted and filtered, and columns chosen.

mod blocks;
mod compare;
mod diff;
pub(crate) mod escape;
mod figures;
mod folder;
mod list;
mod names;
mod overview;
mod plot;
mod shell;
mod single;
pub mod training;
mod words;

use std::io;
use std::path::{Path, PathBuf};

use crate::evaluation::{Evaluation, SetResult};
use crate::figure::Figure;
use crate::parallel;

use folder::Folder;

/// How a report is written.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// Lines under the heading, such as the command and the date. Default: none, so that the same evaluation gives
    /// the same report.
    pub notes: Vec<String>,
    /// How many pages to write at once. Default: 0, which is as good as 1.
    pub threads: usize,
}

/// A report that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file to open.
    pub index: PathBuf,
    /// How many files it has.
    pub files: usize,
    /// How large they are together.
    pub bytes: u64,
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder holds something else.
    #[error(
        "{folder} is not empty and is no report, or holds more than one: there is {found} in it; \
         name another folder, or empty this one"
    )]
    NoReport {
        /// The folder.
        folder: PathBuf,
        /// What was found in it.
        found: String,
    },
    /// A file or folder cannot be written.
    #[error("cannot write {file} (is there space, and may you write there?)")]
    Unwritable {
        /// Which.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A set on its way into a report: where its pages go, and in which order they are listed.
struct Chapter<'e> {
    result: &'e SetResult,
    /// Its folder below `sets/`.
    folder: String,
    /// The file names of its pages, without the ending.
    names: Vec<String>,
    /// What its pages are ranked by.
    figure: Figure,
    /// Its pages, the worst of the first tool first.
    order: Vec<usize>,
}

impl<'e> Chapter<'e> {
    fn of(result: &'e SetResult, folder: String) -> Chapter<'e> {
        let names = names::file_names(result.set.truths.iter().map(|truth| truth.id.as_str()));
        let order = (0..result.set.truths.len()).collect();
        let mut chapter = Chapter { result, folder, names, figure: result.main_figure(), order };
        let mut order = std::mem::take(&mut chapter.order);
        // Pages without a figure come last.
        let figure = |page: usize| chapter.rank(0, page).unwrap_or(f64::INFINITY);
        order.sort_by(|&a, &b| figure(a).total_cmp(&figure(b)));
        chapter.order = order;
        chapter
    }

    fn tool_names(&self) -> Vec<&'e str> {
        self.result.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    /// The figure that a tool's page is ranked by.
    fn rank(&self, tool: usize, page: usize) -> Option<f64> {
        self.figure.of_page(self.result.tools.get(tool)?.scores.get(page)?)
    }

    /// By how much the first tool is better than another on a page.
    fn lead(&self, other: usize, page: usize) -> Option<f64> {
        Some(self.rank(0, page)? - self.rank(other, page)?)
    }
}

/// Can a report be written to a folder? Makes it if it is not there, so that whoever has hours of work ahead hears of it
/// before.
///
/// ```
/// use tamis_lab::report;
///
/// let place = std::env::temp_dir().join(format!("tamis-report-check-{}", std::process::id()));
/// std::fs::write(&place, "a file")?;
/// assert!(report::check(&place).is_err());
/// # std::fs::remove_file(place)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(folder: &Path) -> Result<(), ReportError> {
    Folder::check(folder, folder::EVALUATION)
}

/// Writes the report of an evaluation into a folder. A report that is there already is replaced; any other folder that
/// is not empty is refused.
///
/// ```
/// use tamis_lab::{Evaluation, report};
///
/// let folder = std::env::temp_dir().join("tamis-report-of-nothing");
/// let written = report::write(&Evaluation::default(), &folder, &report::ReportOptions::default())?;
/// assert!(written.index.is_file());
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), report::ReportError>(())
/// ```
pub fn write(
    evaluation: &Evaluation,
    folder: &Path,
    options: &ReportOptions,
) -> Result<Written, ReportError> {
    let target = Folder::prepare(folder, folder::EVALUATION)?;
    target.make("sets")?;
    target.write("report.css", shell::STYLE)?;
    target.write("report.js", shell::SCRIPT)?;
    let folders = names::file_names(evaluation.sets.iter().map(|result| result.set.name.as_str()));
    let chapters: Vec<Chapter<'_>> =
        evaluation.sets.iter().zip(folders).map(|(result, folder)| Chapter::of(result, folder)).collect();
    for chapter in &chapters {
        target.make(&format!("sets/{}", chapter.folder))?;
        target.write(&format!("sets/{}/index.html", chapter.folder), &list::page(chapter))?;
        write_pages(chapter, &target, options.threads)?;
    }
    target.write("index.html", &overview::page(&chapters, &options.notes))?;
    let (files, bytes) = target.finish()?;
    Ok(Written { index: folder.join("index.html"), files, bytes })
}

/// Writes the pages of a set, several at once. Each is a file of its own, so their order does not matter.
fn write_pages(chapter: &Chapter<'_>, target: &Folder, threads: usize) -> Result<(), ReportError> {
    let written = parallel::map(&chapter.order, threads, |place, &page| {
        let file = format!("sets/{}/{}.html", chapter.folder, chapter.names[page]);
        target.write(&file, &single::page(chapter, place))
    });
    written.into_iter().collect()
}
