//! `tamis site`: the memory of sites, one command for each thing one does with it.

mod exchange;
mod learn;
mod look;
pub(crate) mod memory;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use tamis_site::{SiteKey, SiteSummary, Store};

/// What sites repeat from page to page: learn it, look at it, correct it.
///
/// A site memory is a file. It learns from pages what their sites repeat, and `tamis extract --memory FILE` uses it for
/// the methods that can (fused, lines, template-svm).
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Site {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  tamis site learn --memory sites.redb --list pages.jsonl
  tamis site list --memory sites.redb
  tamis site show example.com --memory sites.redb > example.txt
  (edit the first column of example.txt: drop or keep)
  tamis site import example.txt --memory sites.redb
  tamis extract --memory sites.redb --method template-svm --url https://example.com/rain page.html

Exit codes: 0 done, 1 there was nothing to do, 2 an error.";

#[derive(Subcommand)]
enum Command {
    Learn(learn::Learn),
    List(look::List),
    Show(look::Show),
    Forget(look::Forget),
    Merge(exchange::Merge),
    Export(exchange::Export),
    Import(exchange::Import),
    Compact(look::Compact),
}

impl Site {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Learn(learn) => learn.run(),
            Command::List(list) => list.run(),
            Command::Show(show) => show.run(),
            Command::Forget(forget) => forget.run(),
            Command::Merge(merge) => merge.run(),
            Command::Export(export) => export.run(),
            Command::Import(import) => import.run(),
            Command::Compact(compact) => compact.run(),
        }
    }
}

/// The file that every one of the commands needs.
#[derive(Args)]
struct File {
    /// The site memory.
    #[arg(long, value_name = "FILE")]
    memory: PathBuf,
}

impl File {
    fn read(&self) -> Result<Store> {
        Ok(Store::open_read_only(&self.memory)?)
    }

    /// Opens it to change it. It must be there: only learning, merging and importing make one.
    fn change(&self) -> Result<Store> {
        if !self.memory.exists() {
            drop(self.read()?);
        }
        Ok(Store::open(&self.memory)?)
    }

    fn path(&self) -> &Path {
        &self.memory
    }
}

/// The site that a person means: its key as `tamis site list` writes it, or an address, or a host.
fn find<'s>(sites: &'s [SiteSummary], store: &Store, asked: &str) -> Result<&'s SiteKey> {
    let keys =
        [SiteKey::named(asked), SiteKey::from_url(asked), SiteKey::from_url(&format!("http://{asked}"))];
    for key in keys.iter().flatten() {
        if let Some(site) = sites.iter().find(|site| site.key == *key) {
            return Ok(&site.key);
        }
    }
    let file = store.path().display();
    bail!("{file} knows no site {asked:?}: `tamis site list --memory {file}` lists those it knows")
}
