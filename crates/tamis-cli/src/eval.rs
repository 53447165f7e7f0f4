//! `tamis eval`: scores of extractors, ours and others, on the same pages.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use tamis_lab::outputs::Output;
use tamis_lab::report::{self, ReportOptions};
use tamis_lab::run::Models;
use tamis_lab::{
    By, Evaluation, Problem, Set, SetResult, Settings, Step, Summary, Table, Tool, Trial, date, json, label,
    problem, tables,
};
use tamis_methods::{CustomModel, Selection};

use crate::ExitCode;
use crate::console::{self, error, note};
use crate::flags::{ModelFlag, ThreadFlag};
use crate::model;
use crate::output::{check_target, create_directory, write_to, write_whole};

/// Score extractors on pages with known text.
///
/// A dataset is a folder with truth.jsonl (a JSON line per page: id, text, and what else is known) and pages/ID.html; a
/// folder of datasets stands for all of them. Methods of Tamis are run; the predictions of other tools are read (JSON
/// lines with id, text, title, date, authors, language, posts). All are scored on the same pages.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Eval {
    /// Datasets, or folders of datasets.
    #[arg(value_name = "SET", required = true, help_heading = "Input")]
    sets: Vec<PathBuf>,

    /// Predictions of another tool. Repeatable.
    ///
    /// A file is named after its stem, unless NAME is given. For several datasets, a directory with files SET.jsonl, or
    /// with SET/NAME.jsonl for many tools.
    #[arg(long, value_name = "[NAME=]PATH", aliases = ["out", "outs"], help_heading = "Input")]
    predictions: Vec<String>,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Table, help_heading = "Output")]
    format: Format,

    /// Output file [default: standard output].
    ///
    /// If a Markdown file has the lines <!-- tables --> and <!-- end of tables -->, only what is between them is
    /// replaced.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write an HTML report: tables, plots, and each page with the texts side by side. Open DIR/index.html.
    ///
    /// An existing report is replaced; any other folder must be empty.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    report: Option<PathBuf>,

    /// Write the predictions of our methods, as DIR/SET/NAME.jsonl.
    #[arg(long, value_name = "DIR", alias = "save", help_heading = "Output")]
    save_predictions: Option<PathBuf>,

    /// The same as --format json.
    #[arg(long, hide = true, help_heading = "Output")]
    json: bool,

    /// Also write Markdown to this file.
    #[arg(long, value_name = "FILE", hide = true, help_heading = "Output")]
    markdown: Option<PathBuf>,

    /// Method to run, or all. Repeatable [default: fused, unless there are predictions].
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    method: Vec<String>,

    /// Run methods that use site memory a second time, as NAME+site, with up to N other pages of the site.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        alias = "site-pages",
        help_heading = "Method"
    )]
    site_sample: usize,

    #[command(flatten)]
    model: ModelFlag,

    /// Also score groups of pages, comma-separated: page_type, lang, site, engine.
    #[arg(long, value_name = "KEY", value_delimiter = ',', value_parser = str::parse::<By>, help_heading = "Scoring")]
    by: Vec<By>,

    /// Compare every two tools: difference, confidence interval, p-value.
    #[arg(long, alias = "pairs", help_heading = "Scoring")]
    compare: bool,

    /// Ignore headlines when scoring.
    #[arg(long, help_heading = "Scoring")]
    strip_headline: bool,

    /// Skip the scores by leaf tag, for which every page is parsed.
    #[arg(long, help_heading = "Scoring")]
    no_leaf_tags: bool,

    #[command(flatten)]
    threads: ThreadFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for the terminal.
    Table,
    /// JSON with the scores of every page.
    Json,
    /// Tables in Markdown.
    #[value(alias = "md")]
    Markdown,
}

const EXAMPLES: &str = "Examples:
  tamis eval sets/gne                                      the default method
  tamis eval sets --method all --by page_type,lang         all methods on all datasets
  tamis eval sets/gne --predictions theirs.jsonl --method fused --compare
  tamis eval sets/gne --model mine.model                   a custom model (tamis train)
  tamis eval sets --predictions peers -f json -o all.json  predictions peers/SET/TOOL.jsonl
  tamis eval sets/gne --predictions theirs.jsonl --method all --report report

A custom model must not be scored on pages that it was trained on: see `tamis train --save-predictions`.

Exit codes: 0 done, 1 nothing to score, 2 an error. Problems with single pages or lines are reported and skipped.";

/// Problems of one file shown in tables; the JSON has all of them.
const MAX_PROBLEMS: usize = 10;

/// The lines between which tables are replaced.
const MARKS: (&str, &str) = ("<!-- tables -->", "<!-- end of tables -->");

impl Eval {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        self.check_targets()?;
        let methods = self.methods()?;
        let model = self.model.read(&methods)?;
        let sets = self.open()?;
        let settings = Settings {
            methods,
            models: Models {
                fused: model.as_ref().and_then(CustomModel::forests).cloned(),
                svm: model.as_ref().and_then(CustomModel::svm).cloned(),
            },
            site_pages: self.site_sample,
            strip_headline: self.strip_headline,
            leaf_tags: !self.no_leaf_tags,
            threads: self.threads.threads,
        };
        let bar = bar(&sets, &settings);
        let progress = |step: Step| match step {
            Step::Extracted => bar.inc(u64::from(!settings.methods.is_empty())),
            Step::Scored => bar.inc(1),
        };
        // All predictions first: a mistake in the last file should not cost the work on the others.
        let tools = sets.iter().map(|set| self.tools(set, &settings)).collect::<Result<Vec<_>>>()?;
        let mut results = Vec::new();
        for (set, (tools, problems)) in sets.into_iter().zip(tools) {
            bar.set_message(set.name.clone());
            let result = SetResult::of(set, tools, problems, &settings, &progress);
            if let Some(folder) = &self.save_predictions {
                save(&result, folder)?;
            }
            results.push(result);
        }
        let evaluation = Evaluation::of(results);
        bar.finish_and_clear();
        let about = self.about();
        let summaries: Vec<Vec<Summary>> = evaluation.sets.iter().map(tables::summaries).collect();
        if let Some(file) = &self.markdown {
            self.write_markdown(&evaluation, &summaries, file)?;
        }
        if let Some(folder) = &self.report {
            self.write_report(&evaluation, &about, folder)?;
        }
        let output = self.output.as_deref();
        match (self.format(), output) {
            (Format::Json, _) => {
                let by = &self.by;
                let value = json::of(&evaluation, &about, &summaries, by, self.compare);
                write_to(output, &(serde_json::to_string(&value)? + "\n"))?;
            }
            (Format::Table, _) => write_to(output, &self.as_text(&evaluation, &summaries))?,
            (Format::Markdown, Some(file)) => self.write_markdown(&evaluation, &summaries, file)?,
            (Format::Markdown, None) => write_to(None, &self.as_markdown(&evaluation, &summaries))?,
        }
        let scored = evaluation.sets.iter().any(|it| !it.tools.is_empty() && !it.set.truths.is_empty());
        if !scored {
            let pages: usize = evaluation.sets.iter().map(|result| result.set.truths.len()).sum();
            let without: Vec<String> = evaluation
                .sets
                .iter()
                .filter(|result| !result.set.has_pages)
                .map(|result| result.set.folder.join("pages").display().to_string())
                .collect();
            let why = if pages == 0 {
                "no dataset has a page that can be scored".to_owned()
            } else if !settings.methods.is_empty() && !without.is_empty() {
                format!(
                    "no method can run without a folder {}: put the pages there as ID.html, or give --predictions",
                    without.join(" or ")
                )
            } else {
                "there are no predictions for the datasets; run a method with --method".to_owned()
            };
            error!("nothing was scored: {why}");
        }
        Ok(ExitCode::from(u8::from(!scored)))
    }

    /// Checks that everything can be written, before the work instead of after.
    fn check_targets(&self) -> Result<()> {
        if let Some(folder) = &self.report {
            report::check(folder)?;
        }
        if let Some(folder) = &self.save_predictions {
            create_directory(folder)?;
        }
        let output = self.output.as_ref().filter(|file| file.as_os_str() != "-");
        for file in [output, self.markdown.as_ref()].into_iter().flatten() {
            check_target("-o", file)?;
        }
        let is_markdown = self.format() == Format::Markdown;
        for file in [output.filter(|_| is_markdown), self.markdown.as_ref()].into_iter().flatten() {
            before_and_after(file)?;
        }
        Ok(())
    }

    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// How the run was made, for readers of its figures.
    fn about(&self) -> json::About {
        let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
        json::About {
            command: Some(["tamis".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")),
            date: Some(date::today()),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            strip_headline: self.strip_headline,
            site_pages: self.site_sample,
        }
    }

    fn open(&self) -> Result<Vec<Set>> {
        let mut sets = Vec::new();
        for folder in &self.sets {
            sets.extend(Set::open_all(folder).context("no such dataset (see tamis eval --help)")?);
        }
        let mut names = HashSet::new();
        if let Some(twice) = sets.iter().find(|set| !names.insert(set.name.as_str())) {
            bail!("there are two datasets named {}: rename one of the folders", twice.name);
        }
        for set in &mut sets {
            let changed = label::changed(set);
            set.problems.extend(changed);
        }
        Ok(sets)
    }

    fn methods(&self) -> Result<Vec<Selection>> {
        let has_predictions = !self.predictions.is_empty();
        let default = if has_predictions { Vec::new() } else { vec![Selection::default()] };
        model::methods(&self.method, default)
    }

    /// The predictions for a dataset, and their problems.
    fn tools(&self, set: &Set, settings: &Settings) -> Result<(Vec<Tool>, Vec<Problem>)> {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for argument in &self.predictions {
            files.extend(predictions(argument, set)?);
        }
        let ours = Trial::of(&settings.methods, settings.site_pages);
        let mut names: HashSet<String> = ours.iter().map(Trial::name).collect();
        let (mut tools, mut problems) = (Vec::new(), Vec::new());
        for (name, file) in files {
            if !names.insert(name.clone()) {
                bail!(
                    "two tools are named {name}: give {} another name with --predictions NAME=FILE",
                    file.display()
                );
            }
            let (tool, wrong) = Tool::read(&name, &file, set)
                .context("check the path; predictions are JSON lines with id, text, title, date, authors, language and posts")?;
            tools.push(tool);
            problems.extend(wrong);
        }
        Ok((tools, problems))
    }

    fn all_tables(&self, result: &SetResult, summaries: &[Summary]) -> Vec<Table> {
        tables::of_set(result, summaries, &self.by, self.compare)
    }

    fn as_text(&self, evaluation: &Evaluation, summaries: &[Vec<Summary>]) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (result, summaries) in evaluation.sets.iter().zip(summaries) {
            parts.extend(self.all_tables(result, summaries).iter().map(Table::to_text));
        }
        parts.extend(tables::of_all(evaluation, summaries).map(|table| table.to_text()));
        let problems: Vec<&Problem> = evaluation
            .sets
            .iter()
            .flat_map(|result| result.set.problems.iter().chain(&result.problems))
            .collect();
        if !problems.is_empty() {
            let lines = problem::listed(problems.iter().copied(), MAX_PROBLEMS);
            let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
            parts.push(format!("problems: {}\n{lines}", problems.len()));
        }
        parts.join("\n")
    }

    fn write_report(&self, evaluation: &Evaluation, about: &json::About, folder: &Path) -> Result<()> {
        let day = format!("{}, tamis {}", date::today(), env!("CARGO_PKG_VERSION"));
        let stripped = about.strip_headline.then(|| "Headlines are ignored.".to_owned());
        let notes = about.command.iter().cloned().chain([day]).chain(stripped).collect();
        let options = ReportOptions { notes, threads: self.threads.threads };
        let written = report::write(evaluation, folder, &options)?;
        note!(
            "report: {} ({} files, {:.1} MB)",
            written.index.display(),
            written.files,
            written.bytes as f64 / 1e6
        );
        Ok(())
    }

    fn as_markdown(&self, evaluation: &Evaluation, summaries: &[Vec<Summary>]) -> String {
        let mut parts: Vec<String> = Vec::new();
        if let Some(table) = tables::of_all(evaluation, summaries) {
            parts.push(format!("### All sets\n\n{}", table.to_markdown()));
        }
        for (result, summaries) in evaluation.sets.iter().zip(summaries) {
            let tables = self.all_tables(result, summaries);
            if !tables.is_empty() {
                let tables: Vec<String> = tables.iter().map(Table::to_markdown).collect();
                parts.push(format!("### {}\n\n{}", result.set.name, tables.join("\n")));
            }
        }
        let stripped = if self.strip_headline { ", ignoring headlines" } else { "" };
        let day =
            format!("Measured on {} with Tamis {}{stripped}.", date::today(), env!("CARGO_PKG_VERSION"));
        format!("{day}\n\n{}", parts.join("\n"))
    }

    fn write_markdown(&self, evaluation: &Evaluation, summaries: &[Vec<Summary>], file: &Path) -> Result<()> {
        let tables = self.as_markdown(evaluation, summaries);
        let whole = match before_and_after(file)? {
            Some((before, after)) => format!("{before}{}\n\n{tables}\n{}{after}", MARKS.0, MARKS.1),
            None => tables,
        };
        write_whole(file, whole.as_bytes())
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The parts of a Markdown file before and after its tables; nothing if the whole file is to be replaced.
fn before_and_after(file: &Path) -> Result<Option<(String, String)>> {
    let old = match fs::read_to_string(file) {
        Ok(old) => old,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(error)
                .with_context(|| format!("{} is not replaced, because it cannot be read", file.display()));
        }
    };
    let parts = between_marks(&old).with_context(|| format!("{} is not replaced", file.display()))?;
    Ok(parts.map(|(before, after)| (before.to_owned(), after.to_owned())))
}

/// The text before the first mark and after the second, if there are marks.
fn between_marks(text: &str) -> Result<Option<(&str, &str)>> {
    if !text.contains(MARKS.0) && !text.contains(MARKS.1) {
        return Ok(None);
    }
    let parts =
        text.split_once(MARKS.0).and_then(|(before, rest)| Some((before, rest.split_once(MARKS.1)?.1)));
    let wrong =
        || format!("one of the marks {} and {} is missing, or their order is wrong", MARKS.0, MARKS.1);
    parts.with_context(wrong).map(Some)
}

/// The files that an argument of `--predictions` names for a dataset. A directory without any is no error unless it is
/// named: not every tool is tried everywhere.
fn predictions(argument: &str, set: &Set) -> Result<Vec<(String, PathBuf)>> {
    let (name, path) = match argument.split_once('=') {
        Some(("", _)) => bail!("--predictions {argument}: write NAME=FILE, or the file alone"),
        // A path may contain the sign as well.
        Some((name, path)) if !Path::new(argument).exists() => (Some(name.to_owned()), PathBuf::from(path)),
        _ => (None, PathBuf::from(argument)),
    };
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if !path.is_dir() {
        let name =
            name.or_else(|| stem(&path)).with_context(|| format!("--predictions {argument}: no file"))?;
        return Ok(vec![(name, path)]);
    }
    let of_set = path.join(format!("{}.jsonl", set.name));
    if name.is_some() || of_set.is_file() {
        let name = name.or_else(|| stem(&path)).unwrap_or_else(|| set.name.clone());
        return Ok(vec![(name, of_set)]);
    }
    let Ok(entries) = fs::read_dir(path.join(&set.name)) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    Ok(files.into_iter().filter_map(|file| Some((stem(&file)?, file))).collect())
}

/// Writes the predictions of our methods.
fn save(result: &SetResult, folder: &Path) -> Result<()> {
    for tool in result.tools.iter().filter(|tool| tool.trial.is_some()) {
        save_outputs(&folder.join(&result.set.name), &tool.name, tool.outputs.iter().flatten())?;
    }
    Ok(())
}

/// Writes the predictions of a tool on a dataset, as JSON lines.
pub(crate) fn save_outputs<'o>(
    folder: &Path,
    tool: &str,
    outputs: impl Iterator<Item = &'o Output>,
) -> Result<()> {
    create_directory(folder)?;
    let mut lines = Vec::new();
    for output in outputs {
        serde_json::to_writer(&mut lines, output)?;
        lines.push(b'\n');
    }
    write_whole(&folder.join(format!("{tool}.jsonl")), &lines)
}

fn bar(sets: &[Set], settings: &Settings) -> ProgressBar {
    let pages: usize = sets.iter().map(|set| set.truths.len()).sum();
    let rounds = 1 + usize::from(!settings.methods.is_empty());
    console::bar((pages * rounds) as u64, "{bar:30} {pos}/{len} {elapsed} {msg}")
}
