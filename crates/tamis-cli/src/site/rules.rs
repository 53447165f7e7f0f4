//! `--rules`, `tamis site check` and `tamis site import-rules`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use tamis::Document;
use tamis::page::SiteRules;
use tamis_batch::{Work, counted};
use tamis_html::Selector;
use tamis_site::{Import, RuleSet};

use crate::ExitCode;
use crate::console::{note, warning};
use crate::flags::LimitFlags;
use crate::inert::inert;
use crate::jobs::Job;
use crate::output::write_to;
use crate::pipeline::Pipeline;

/// Names the rules where `--rules` is not given.
pub(crate) const RULES_VARIABLE: &str = "TAMIS_RULES";

/// `--rules`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct RulesFlag {
    /// Your rules for sites: CSS selectors of text, title, author and date (see `tamis site check`).
    #[arg(long, value_name = "FILE", env = RULES_VARIABLE, hide_env_values = true)]
    rules: Option<PathBuf>,
}

impl RulesFlag {
    pub(crate) fn read(&self) -> Result<Option<Arc<RuleSet>>> {
        self.rules.as_deref().map(|file| read(file).map(Arc::new)).transpose()
    }
}

pub(crate) fn read(file: &Path) -> Result<RuleSet> {
    let name = file.display();
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read the rules {name}: check the path"))?;
    match RuleSet::parse(text.trim_start_matches('\u{feff}')) {
        Ok(rules) => Ok(rules),
        Err(error) => bail!("{name}:{}:{}: {}", error.line, error.column, error.problem),
    }
}

/// Check a file of rules for sites, and show what they do on pages.
///
/// For each page: how many elements each selector matches, and the text and metadata that result. The rules are those of
/// the page's URL; a file with one site is used for every page. Exit codes: 0 sound, 1 a page has no rules, 2 an error.
#[derive(Args)]
pub(super) struct Check {
    /// Rules in TOML (see docs/site-rules.md).
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Files, URLs, or - for standard input.
    #[arg(value_name = "PAGE")]
    pages: Vec<String>,

    /// URL of the pages that are files.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    #[command(flatten)]
    limits: LimitFlags,
}

impl Check {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let set = read(&self.file)?;
        let pipeline = Pipeline::new(Work::default(), self.limits);
        let (mut out, mut code) = (String::new(), ExitCode::SUCCESS);
        for page in &self.pages {
            let mut job = Job::named(page);
            job.url = self.url.clone().or(job.url);
            let loaded = pipeline.load(&job)?;
            let own = loaded.url.as_deref().and_then(|url| set.for_url(url));
            let Some(rules) = own.or_else(|| set.sites().next().filter(|_| set.sites().len() == 1)) else {
                warning!("{}: no rules for this page; check its URL (--url) and the hosts", job.name());
                code = ExitCode::from(1);
                continue;
            };
            let page = loaded.page();
            let input = pipeline.work.input(&page).with_context(|| job.label())?.rules(rules);
            let extractor = pipeline.work.extractor();
            let shown = extractor.analyze_with(input, |analysis| {
                let count = |selector: &Selector| selector.select(&analysis.page.dom).len();
                report(rules, &extractor.document(&input, analysis), count)
            });
            out += &format!("{}: rules of {}\n", job.name(), rules.host);
            out += &shown.with_context(|| job.label())?;
        }
        write_to(None, &out)?;
        note!("{}: rules for {}", self.file.display(), counted(set.sites().len() as u64, "site"));
        Ok(code)
    }
}

/// The selectors with their counts, and what results.
fn report(rules: &SiteRules, document: &Document, count: impl Fn(&Selector) -> usize) -> String {
    let mut out = String::new();
    for (name, selector) in
        rules.fields().iter().flat_map(|(name, list)| list.iter().map(move |it| (name, it)))
    {
        let _ = writeln!(out, "  {name:6} {:5} matches  {}", count(selector), inert(&selector.to_string()));
    }
    let metadata = &document.metadata;
    for (name, value) in [
        ("rules", document.site_rules.clone()),
        ("title", metadata.title.clone()),
        (
            "author",
            Some(metadata.authors.join("; ")).filter(|names| !names.is_empty()).or(metadata.byline.clone()),
        ),
        ("date", metadata.published.map(|moment| moment.to_string())),
    ] {
        let _ = writeln!(out, "  {name:6} {}", inert(value.as_deref().unwrap_or("none")));
    }
    let text = document.text.lines().map(|line| format!("    {}\n", inert(line)));
    let _ =
        write!(out, "  text   {} characters\n{}", document.text.chars().count(), text.collect::<String>());
    out
}

/// Convert site patterns of full-text feed readers (ftr-site-config) into rules.
///
/// A file has the name of its host: example.com.txt, or .example.com.txt for subdomains as well. What has no equal among
/// the rules is reported by line and left out.
#[derive(Args)]
pub(super) struct ImportRules {
    /// Files, or directories of .txt files.
    #[arg(value_name = "PATH", required = true)]
    from: Vec<PathBuf>,

    /// Output file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ImportRules {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let mut sites: BTreeMap<String, String> = BTreeMap::new();
        let (mut files, mut left_out) = (0, 0);
        for path in self.from.iter().map(|path| files_of(path)).collect::<Result<Vec<_>>>()?.concat() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let Some(import) = Import::parse(&name, &String::from_utf8_lossy(&bytes)) else {
                warning!("{}: skipped, as its name is not that of a host", path.display());
                continue;
            };
            files += 1;
            left_out += import.untranslated.len() as u64;
            for line in &import.untranslated {
                let (place, text) = (path.display(), inert(&line.text));
                note!("{place}:{}: left out, {}: {text}", line.line, line.reason);
            }
            let is_empty = import.rules.fields().iter().all(|(_, selectors)| selectors.is_empty());
            if !is_empty && sites.insert(import.rules.host.clone(), import.to_toml()).is_some() {
                warning!("{}: replaces an earlier file for its host", path.display());
            }
        }
        let text = sites.values().map(String::as_str).collect::<Vec<_>>().join("\n");
        RuleSet::parse(&text).context("internal error in the rules written (please report it)")?;
        write_to(self.output.as_deref(), &text)?;
        note!(
            "{} read, {} written, {} left out",
            counted(files, "file"),
            counted(sites.len() as u64, "site"),
            counted(left_out, "line")
        );
        Ok(if sites.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// The file itself, or the .txt files of a directory by name.
fn files_of(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    Ok(files)
}
