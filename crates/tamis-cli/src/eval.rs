//! `tamis eval`: how well extractors do, ours and others', on the same pages.

use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tamis_lab::outputs::Output;
use tamis_lab::report::{self, ReportOptions};
use tamis_lab::run::Models;
use tamis_lab::{
    By, Evaluation, Problem, Set, SetResult, Settings, Step, Summary, Table, Tool, Trial, date, json, label,
    problem, tables,
};
use tamis_methods::{CustomModel, Selection};

use crate::extract::{at_least_one, default_jobs};
use crate::model;
use crate::output::{to_stdout, write_whole};

/// Measure how well extractors do on pages with a known text.
///
/// A set is a folder with truth.jsonl (a JSON line a page: id, text, and what else is known) and pages/ID.html. A folder
/// of sets stands for all of them. Methods of Tamis are run; the outputs of other tools are read (JSON lines with id,
/// text, title, date). All are scored on the same pages.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Eval {
    /// The sets: folders with truth.jsonl and pages/, or folders of such folders.
    #[arg(value_name = "SET", required = true)]
    sets: Vec<PathBuf>,

    /// A method of Tamis to run, or all; several may be given. Default: the default one, where no outputs are given.
    #[arg(long, value_name = "NAME")]
    method: Vec<String>,

    /// A model of one's own for the methods fused, svm and template-svm, made by `tamis train`.
    ///
    /// Pages that it was trained on are no test of it: `tamis train --held-out` writes what it makes of those.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Another tool's outputs on the set; the name is that of the file if not given. For several sets, name a
    /// directory with a file SET.jsonl for each.
    #[arg(long, value_name = "[NAME=]FILE")]
    out: Vec<String>,

    /// Outputs of many tools on many sets: a directory with files SET/NAME.jsonl.
    #[arg(long, value_name = "DIR")]
    outs: Vec<PathBuf>,

    /// Show groups of pages too: page_type, lang, site, engine.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = str::parse::<By>)]
    by: Vec<By>,

    /// Compare each two tools by the main figure: the difference, its interval, and how likely it is by chance.
    #[arg(long)]
    pairs: bool,

    /// Take the headline off the head of both texts, where the truth has a title to know it by.
    #[arg(long)]
    strip_headline: bool,

    /// Try methods that learn from a site once more, as NAME+site, with up to so many other pages of the site.
    #[arg(long, value_name = "N", default_value_t = 0)]
    site_pages: usize,

    /// Leave out the figures by leaf tag, for which every page must be parsed.
    #[arg(long)]
    no_leaf_tags: bool,

    /// Write everything as JSON, every page included.
    #[arg(long)]
    json: bool,

    /// Write the tables as Markdown to this file too. Where the file has lines <!-- tables --> and <!-- end of tables -->,
    /// what stands between them is replaced, else the whole file.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,

    /// Write a report here: static pages with tables, plots, the worst pages first, and for each page the texts side by
    /// side. Open DIR/index.html. A report that is there is replaced; any other folder must be empty.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,

    /// Keep the outputs of our methods here, as DIR/SET/NAME.jsonl.
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,

    /// How many pages to work on at once.
    #[arg(short, long, value_name = "N", default_value_t = default_jobs(), value_parser = at_least_one)]
    jobs: usize,
}

const EXAMPLES: &str = "Examples:
  tamis eval sets/gne                                      the default method
  tamis eval sets --method all --by page_type,lang         all methods on all sets
  tamis eval sets/gne --method density --out theirs.jsonl --pairs
  tamis eval sets/gne --model mine.txt                     a model of one's own (tamis train)
  tamis eval sets --outs peers --json > all.json           outputs peers/SET/TOOL.jsonl
  tamis eval sets/gne --out theirs.jsonl --method all --report report    then open report/index.html

Exit codes: 0 done, 1 nothing to score, 2 an error. What is wrong with single pages or lines is told, the rest is scored.";

/// Problems of a file that are shown on the terminal; the JSON has all of them.
const MOST_PROBLEMS: usize = 10;

/// The lines between which tables are replaced.
const MARKS: (&str, &str) = ("<!-- tables -->", "<!-- end of tables -->");

impl Eval {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        self.check_targets()?;
        let methods = self.methods()?;
        let model = self.model.as_deref().map(|file| model::read(file, &methods)).transpose()?;
        let sets = self.open()?;
        let settings = Settings {
            methods,
            models: Models {
                fused: model.as_ref().and_then(CustomModel::forests).cloned(),
                svm: model.as_ref().and_then(CustomModel::svm).cloned(),
            },
            site_pages: self.site_pages,
            strip_headline: self.strip_headline,
            leaf_tags: !self.no_leaf_tags,
            threads: self.jobs,
        };
        let bar = bar(&sets, &settings);
        let progress = |step: Step| match step {
            Step::Extracted => bar.inc(u64::from(!settings.methods.is_empty())),
            Step::Scored => bar.inc(1),
        };
        // All outputs first: a mistake in the last of them should not cost the work on the others.
        let tools = sets.iter().map(|set| self.tools(set, &settings)).collect::<Result<Vec<_>>>()?;
        let mut results = Vec::new();
        for (set, (tools, problems)) in sets.into_iter().zip(tools) {
            bar.set_message(set.name.clone());
            let result = SetResult::of(set, tools, problems, &settings, &progress);
            if let Some(folder) = &self.save {
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
        to_stdout(|out| match self.json {
            true => {
                let value = json::of(&evaluation, &about, &summaries, &self.by, self.pairs);
                serde_json::to_writer(&mut *out, &value)?;
                out.write_all(b"\n")
            }
            false => out.write_all(self.as_text(&evaluation, &summaries).as_bytes()),
        })
        .context("cannot write to standard output")?;
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
                "no set has a page that can be scored".to_owned()
            } else if !settings.methods.is_empty() && !without.is_empty() {
                format!(
                    "no method can be run, since there is no folder {}: put the pages there as ID.html, or give outputs with --out",
                    without.join(", nor ")
                )
            } else {
                "no tool was tried: there are no outputs for the sets; run a method with --method".to_owned()
            };
            eprintln!("tamis: nothing was scored: {why}");
        }
        Ok(ExitCode::from(u8::from(!scored)))
    }

    /// Can everything be written that is asked for? Better to hear of it before the work than behind it.
    fn check_targets(&self) -> Result<()> {
        if let Some(folder) = &self.report {
            report::check(folder)?;
        }
        if let Some(folder) = &self.save {
            make(folder)?;
        }
        if let Some(file) = &self.markdown {
            before_and_after(file)?;
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                bail!(
                    "--markdown {}: there is no directory {}; make it first",
                    file.display(),
                    folder.display()
                );
            }
        }
        Ok(())
    }

    /// What the run was, for who reads its figures later.
    fn about(&self) -> json::About {
        let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
        json::About {
            command: Some(["tamis".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")),
            date: Some(date::today()),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            strip_headline: self.strip_headline,
            site_pages: self.site_pages,
        }
    }

    fn open(&self) -> Result<Vec<Set>> {
        let mut sets = Vec::new();
        for folder in &self.sets {
            sets.extend(
                Set::open_all(folder)
                    .context("there is no such set (tamis eval --help says what a set is)")?,
            );
        }
        let mut names = HashSet::new();
        if let Some(twice) = sets.iter().find(|set| !names.insert(set.name.as_str())) {
            bail!("there are two sets named {}: rename one of the folders", twice.name);
        }
        for set in &mut sets {
            let changed = label::changed(set);
            set.problems.extend(changed);
        }
        Ok(sets)
    }

    fn methods(&self) -> Result<Vec<Selection>> {
        if self.method.is_empty() && self.out.is_empty() && self.outs.is_empty() {
            return Ok(vec![Selection::default()]);
        }
        let mut methods = Vec::new();
        for name in &self.method {
            let named = if name == "all" { Selection::all().collect() } else { vec![model::method(name)?] };
            methods.extend(named.into_iter().filter(|method| !methods.contains(method)).collect::<Vec<_>>());
        }
        Ok(methods)
    }

    /// The outputs that there are for a set, and what is wrong with them.
    fn tools(&self, set: &Set, settings: &Settings) -> Result<(Vec<Tool>, Vec<Problem>)> {
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for out in &self.out {
            files.push(self.named(out, set)?);
        }
        for folder in &self.outs {
            files.extend(outputs_in(folder, set)?);
        }
        let ours = Trial::of(&settings.methods, settings.site_pages);
        let mut names: HashSet<String> = ours.iter().map(Trial::name).collect();
        let (mut tools, mut problems) = (Vec::new(), Vec::new());
        for (name, file) in files {
            if !names.insert(name.clone()) {
                bail!(
                    "two tools are named {name}: give {} another name with --out NAME=FILE",
                    file.display()
                );
            }
            let (tool, wrong) = Tool::read(&name, &file, set)
                .context("check the path; a file has a JSON line a page with id, text, title and date")?;
            tools.push(tool);
            problems.extend(wrong);
        }
        Ok((tools, problems))
    }

    /// `NAME=FILE`, or `FILE` alone. A directory stands for its file of the set.
    fn named(&self, out: &str, set: &Set) -> Result<(String, PathBuf)> {
        let (name, file) = match out.split_once('=') {
            // A path may contain the sign as well.
            Some(("", _)) => bail!("--out {out} names no tool: write --out NAME=FILE, or the file alone"),
            Some((name, file)) if !Path::new(out).exists() => (Some(name.to_owned()), PathBuf::from(file)),
            _ => (None, PathBuf::from(out)),
        };
        let name = name.or_else(|| Some(file.file_stem()?.to_string_lossy().into_owned()));
        let name = name.with_context(|| format!("--out {out} names no file"))?;
        if file.is_dir() {
            return Ok((name, file.join(format!("{}.jsonl", set.name))));
        }
        Ok((name, file))
    }

    fn all_tables(&self, result: &SetResult, summaries: &[Summary]) -> Vec<Table> {
        tables::of_set(result, summaries, &self.by, self.pairs)
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
            let lines = problem::listed(problems.iter().copied(), MOST_PROBLEMS);
            let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
            parts.push(format!("problems: {}\n{lines}", problems.len()));
        }
        parts.join("\n")
    }

    fn write_report(&self, evaluation: &Evaluation, about: &json::About, folder: &Path) -> Result<()> {
        let day = format!("{}, tamis {}", date::today(), env!("CARGO_PKG_VERSION"));
        let stripped = about.strip_headline.then(|| "The headline is taken off both texts.".to_owned());
        let notes = about.command.iter().cloned().chain([day]).chain(stripped).collect();
        let options = ReportOptions { notes, threads: self.jobs };
        let written = report::write(evaluation, folder, &options)?;
        eprintln!(
            "report: {} ({} files, {:.1} MB)",
            written.index.display(),
            written.files,
            written.bytes as f64 / 1e6
        );
        Ok(())
    }

    fn write_markdown(&self, evaluation: &Evaluation, summaries: &[Vec<Summary>], file: &Path) -> Result<()> {
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
        let stripped = if self.strip_headline { ", the headline taken off both texts" } else { "" };
        let day =
            format!("Measured on {} with Tamis {}{stripped}.", date::today(), env!("CARGO_PKG_VERSION"));
        let tables = format!("{day}\n\n{}", parts.join("\n"));
        let whole = match before_and_after(file)? {
            Some((before, after)) => format!("{before}{}\n\n{tables}\n{}{after}", MARKS.0, MARKS.1),
            None => tables,
        };
        write_whole(file, whole.as_bytes())
    }
}

/// A word as a shell would take it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What of a file of Markdown stands before and behind its tables; nothing where the whole file is to be replaced.
fn before_and_after(file: &Path) -> Result<Option<(String, String)>> {
    let old = match fs::read_to_string(file) {
        Ok(old) => old,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(error)
                .with_context(|| format!("{} is not replaced, since it cannot be read", file.display()));
        }
    };
    let parts = between_marks(&old).with_context(|| format!("{} is not replaced", file.display()))?;
    Ok(parts.map(|(before, after)| (before.to_owned(), after.to_owned())))
}

/// What stands before the first mark and behind the second, if both are there.
fn between_marks(text: &str) -> Result<Option<(&str, &str)>> {
    if !text.contains(MARKS.0) && !text.contains(MARKS.1) {
        return Ok(None);
    }
    let parts =
        text.split_once(MARKS.0).and_then(|(before, rest)| Some((before, rest.split_once(MARKS.1)?.1)));
    let wrong =
        || format!("of the marks {} and {} one is missing, or they are in the wrong order", MARKS.0, MARKS.1);
    parts.with_context(wrong).map(Some)
}

/// The files of outputs for a set in a directory of many; none is no error, as not every tool is tried everywhere.
fn outputs_in(folder: &Path, set: &Set) -> Result<Vec<(String, PathBuf)>> {
    if !folder.is_dir() {
        bail!("there is no directory {} (--outs): it should hold files SET/NAME.jsonl", folder.display());
    }
    let Ok(entries) = fs::read_dir(folder.join(&set.name)) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    let named = |file: PathBuf| Some((file.file_stem()?.to_string_lossy().into_owned(), file));
    Ok(files.into_iter().filter_map(named).collect())
}

pub(crate) fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| {
        format!("cannot make the directory {}: may you write there, and is it no file?", folder.display())
    })
}

/// Writes what our methods made of the pages.
fn save(result: &SetResult, folder: &Path) -> Result<()> {
    for tool in result.tools.iter().filter(|tool| tool.trial.is_some()) {
        save_outputs(&folder.join(&result.set.name), &tool.name, tool.outputs.iter().flatten())?;
    }
    Ok(())
}

/// Writes what a tool made of the pages of a set, as JSON lines.
pub(crate) fn save_outputs<'o>(
    folder: &Path,
    tool: &str,
    outputs: impl Iterator<Item = &'o Output>,
) -> Result<()> {
    make(folder)?;
    let mut lines = Vec::new();
    for output in outputs {
        serde_json::to_writer(&mut lines, output)?;
        lines.push(b'\n');
    }
    write_whole(&folder.join(format!("{tool}.jsonl")), &lines)
}

/// A bar on a terminal; elsewhere it is not seen.
fn bar(sets: &[Set], settings: &Settings) -> ProgressBar {
    let pages: usize = sets.iter().map(|set| set.truths.len()).sum();
    let rounds = 1 + usize::from(!settings.methods.is_empty());
    let bar = ProgressBar::new((pages * rounds) as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar
}
