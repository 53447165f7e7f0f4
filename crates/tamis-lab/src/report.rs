//! Reports: a folder of static HTML that opens offline, on phones and desktops.
//!
//! `index.html` has summaries and plots, `sets/NAME/index.html` the pages of a set, worst first, and
//! `sets/NAME/PAGE.html` the truth and the outputs of one page side by side, with its blocks and verdicts. Everything
//! is readable without JavaScript, which adds sorting, filtering and the choice of columns.

mod blocks;
mod compare;
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

/// Options of a report.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// Lines below the heading, such as the command and the date. Default: none, so that reports are reproducible.
    pub notes: Vec<String>,
    /// Threads. Default: 0, the same as 1.
    pub threads: usize,
}

/// A written report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file to open.
    pub index: PathBuf,
    /// The number of files.
    pub files: usize,
    /// Their total size.
    pub bytes: u64,
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder has other content.
    #[error(
        "{folder} is not a report, or has other files: there is {found} in it; name another folder, or empty this one"
    )]
    NoReport {
        /// The folder.
        folder: PathBuf,
        /// The other content.
        found: String,
    },
    /// A file or folder cannot be written.
    #[error("cannot write {file}: check permissions and free space")]
    Unwritable {
        /// The file or folder.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A set in a report: the files of its pages, and their order.
struct Chapter<'e> {
    result: &'e SetResult,
    /// The folder below `sets/`.
    folder: String,
    /// The file names of the pages, without extension.
    names: Vec<String>,
    /// The metric that ranks the pages.
    figure: Figure,
    /// The pages, the worst of the first tool first.
    order: Vec<usize>,
}

impl<'e> Chapter<'e> {
    fn of(result: &'e SetResult, folder: String) -> Chapter<'e> {
        let names = names::file_names(result.set.truths.iter().map(|truth| truth.id.as_str()));
        let order = (0..result.set.truths.len()).collect();
        let mut chapter = Chapter { result, folder, names, figure: result.main_figure(), order };
        let mut order = std::mem::take(&mut chapter.order);
        // Pages without a value come last.
        let figure = |page: usize| chapter.rank(0, page).unwrap_or(f64::INFINITY);
        order.sort_by(|&a, &b| figure(a).total_cmp(&figure(b)));
        chapter.order = order;
        chapter
    }

    fn tool_names(&self) -> Vec<&'e str> {
        self.result.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    /// The value of a page for a tool.
    fn rank(&self, tool: usize, page: usize) -> Option<f64> {
        self.figure.of_page(self.result.tools.get(tool)?.scores.get(page)?)
    }

    /// The lead of the first tool over another on a page.
    fn lead(&self, other: usize, page: usize) -> Option<f64> {
        Some(self.rank(0, page)? - self.rank(other, page)?)
    }
}

/// Checks that a report can be written to a folder, before a long evaluation. Creates the folder if necessary.
pub fn check(folder: &Path) -> Result<(), ReportError> {
    Folder::check(folder, folder::EVALUATION)
}

/// Writes the report of an evaluation. An existing report is replaced; any other folder must be empty.
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

/// Writes the pages of a set in parallel.
fn write_pages(chapter: &Chapter<'_>, target: &Folder, threads: usize) -> Result<(), ReportError> {
    let written = parallel::map(&chapter.order, threads, |place, &page| {
        let file = format!("sets/{}/{}.html", chapter.folder, chapter.names[page]);
        target.write(&file, &single::page(chapter, place))
    });
    written.into_iter().collect()
}
