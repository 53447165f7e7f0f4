//! `tamis corpus show`.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use tamis_corpus::database::Transaction;
use tamis_corpus::diff::{Change, unified, words};
use tamis_corpus::export::write_markdown;
use tamis_corpus::story::{Story, comments, find_by_url, near_duplicates, parts, revisions, rfc3339};
use tamis_corpus::{Error, decompress, load_story_raws};

use super::{Db, remedy};
use crate::ExitCode;
use crate::console::{self, note};
use crate::inert::{inert, inert_lines};
use crate::output::to_stdout;

/// Show one story, its earlier versions, its comments or its page.
#[derive(Args)]
pub(super) struct Show {
    /// Number or URL of the story.
    #[arg(value_name = "ID|URL")]
    story: String,

    #[command(flatten)]
    db: Db,

    /// Output format.
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also list the earlier versions.
    #[arg(long)]
    revisions: bool,

    /// Show what changed: in the last version, since version N, or between N and M.
    #[arg(long, value_name = "N[..M]", num_args = 0..=1, default_missing_value = "", require_equals = true)]
    diff: Option<String>,

    /// Also show readers' comments.
    #[arg(long)]
    comments: bool,

    /// Write the page as it was fetched, and nothing else.
    #[arg(long, conflicts_with_all = ["diff", "comments", "revisions"])]
    raw: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text for the terminal.
    #[value(alias = "txt")]
    Text,
    /// Markdown with front matter.
    #[value(alias = "md")]
    Markdown,
    /// One JSON object.
    Json,
}

/// Bytes of a raw page after decompression.
const MAX_RAW: u64 = 256 << 20;

impl Show {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let mut corpus = self.db.open()?;
        let story = corpus.read(|tx| find(tx, &self.story)).map_err(remedy)?;
        let Some(story) = story else {
            note!("no story {}: `tamis corpus search` lists ids and titles", inert(&self.story));
            return Ok(ExitCode::from(1));
        };
        if self.raw {
            let pages = corpus.read(|tx| load_story_raws(tx, story.id)).map_err(remedy)?;
            return raw(pages
                .first()
                .map(|page| decompress(&page.body, MAX_RAW))
                .transpose()
                .map_err(remedy)?);
        }
        if let Some(versions) = &self.diff {
            let mut all = corpus.read(|tx| revisions(tx, story.id)).map_err(remedy)?;
            let mut texts: Vec<String> =
                all.drain(..).map(|version| with_title(version.title, version.text)).collect();
            texts.push(with_title(story.title, story.text));
            return diff(&texts, versions);
        }
        match self.format {
            Format::Json => {
                let value = corpus.read(|tx| self.json(tx, &story)).map_err(remedy)?;
                to_stdout(|out| writeln!(out, "{value:#}"))?;
            }
            Format::Markdown => to_stdout(|out| write_markdown(&story, out))?,
            Format::Text => {
                let shown = corpus.read(|tx| self.text(tx, &story)).map_err(remedy)?;
                to_stdout(|out| out.write_all(shown.as_bytes()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn json(&self, tx: &mut Transaction<'_>, story: &Story) -> Result<Value, Error> {
        let mut value = serde_json::to_value(story).map_err(io::Error::from)?;
        value["pages"] = json!(parts(tx, story.id)?);
        value["near_duplicates"] = json!(near_duplicates(tx, story.id)?);
        if self.comments {
            value["comments"] = json!(comments(tx, story.id)?);
        }
        if self.revisions {
            value["earlier"] = json!(revisions(tx, story.id)?);
        }
        Ok(value)
    }

    fn text(&self, tx: &mut Transaction<'_>, story: &Story) -> Result<String, Error> {
        let mut shown = String::new();
        let mut line = |name: &str, value: &str| {
            if !value.is_empty() {
                shown.push_str(&format!("{name:<11}{}\n", inert(value)));
            }
        };
        line("title", story.title.as_deref().unwrap_or_default());
        line("url", &story.url);
        line("source", story.source.as_deref().or(story.site_name.as_deref()).unwrap_or_default());
        line("published", story.published.as_deref().unwrap_or_default());
        line("fetched", &rfc3339(story.fetched));
        if story.revisions > 0 {
            line("updated", &rfc3339(story.updated));
        }
        line("authors", &story.authors.join(", "));
        line("language", story.language.as_deref().unwrap_or_default());
        for part in parts(tx, story.id)?.iter().skip(1) {
            line(&format!("part {}", part.number), &part.url);
        }
        for other in near_duplicates(tx, story.id)? {
            line("duplicate", &format!("{}  {}", other.id, other.url));
        }
        if self.revisions {
            for version in revisions(tx, story.id)? {
                let title = version.title.unwrap_or_default();
                line(
                    &format!("version {}", version.number),
                    &format!("{}  {title}", rfc3339(version.fetched)),
                );
            }
        }
        shown.push_str(&format!("\n{}\n", inert_lines(story.text.trim_end())));
        if self.comments {
            for comment in comments(tx, story.id)? {
                let author = comment.author.as_deref().unwrap_or("anonymous");
                let reply = comment.reply_to.map(|number| format!(", reply to {number}")).unwrap_or_default();
                let time = comment.time.map(|time| format!(", {time}")).unwrap_or_default();
                shown.push_str(&format!(
                    "\n[{}] {}\n",
                    comment.number,
                    inert(&format!("{author}{time}{reply}"))
                ));
                shown.push_str(&format!("{}\n", inert_lines(comment.text.trim_end())));
            }
        }
        Ok(shown)
    }
}

fn find(tx: &mut Transaction<'_>, story: &str) -> Result<Option<Story>, Error> {
    let id = match story.parse() {
        Ok(id) => Some(id),
        Err(_) => find_by_url(tx, story)?,
    };
    id.map_or(Ok(None), |id| Story::load(tx, id))
}

fn raw(page: Option<Vec<u8>>) -> Result<ExitCode> {
    let Some(page) = page else {
        note!("the page of this story was not kept");
        return Ok(ExitCode::from(1));
    };
    if io::stdout().is_terminal() {
        bail!("a page may contain terminal escape codes: redirect it to a file with > page.html");
    }
    to_stdout(|out| out.write_all(&page))?;
    Ok(ExitCode::SUCCESS)
}

fn with_title(title: Option<String>, text: String) -> String {
    format!("{}\n{text}", title.unwrap_or_default())
}

/// A coloured word diff on a terminal, a unified diff elsewhere.
fn diff(texts: &[String], versions: &str) -> Result<ExitCode> {
    let (from, to) = version_range(versions, texts.len())?;
    let (before, after) = (&texts[from - 1], &texts[to - 1]);
    if before == after {
        note!("no difference: the story has {} version(s)", texts.len());
        return Ok(ExitCode::from(1));
    }
    if !console::colors_stdout() {
        let shown = inert_lines(&unified(before, after));
        to_stdout(|out| write!(out, "--- version {from}\n+++ version {to}\n{shown}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    to_stdout(|out| {
        for piece in words(before, after) {
            let text = inert_lines(piece.text);
            match piece.change {
                Change::Same => write!(out, "{text}")?,
                Change::Removed => write!(out, "\x1b[31;9m{text}\x1b[0m")?,
                Change::Added => write!(out, "\x1b[32;4m{text}\x1b[0m")?,
            }
        }
        writeln!(out)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Two version numbers; the current version is the last one.
fn version_range(versions: &str, last: usize) -> Result<(usize, usize)> {
    let number = |text: &str| -> Result<usize> {
        let number =
            text.parse().with_context(|| "give --diff=N or --diff=N..M, with numbers of versions")?;
        if (1..=last).contains(&number) {
            return Ok(number);
        }
        Err(anyhow!("there is no version {number}: the story has versions 1 to {last}"))
    };
    match versions.split_once("..") {
        Some((from, to)) => Ok((number(from)?, number(to)?)),
        None if versions.is_empty() => Ok((last.saturating_sub(1).max(1), last)),
        None => Ok((number(versions)?, last)),
    }
}
