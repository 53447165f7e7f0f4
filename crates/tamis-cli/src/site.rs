//! `tamis site`: what sites repeat from page to page, and rules for sites.

mod exchange;
mod learn;
mod look;
pub(crate) mod memory;
pub(crate) mod rules;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use tamis_site::{SiteKey, SiteSummary, Store};

use crate::ExitCode;

/// Manage site memory, what sites repeat from page to page, and rules for sites.
///
/// A site memory is one file for many sites. Extraction with --sites FILE drops what the site of a page repeats: menus,
/// notices, related links. The default method uses it.
///
/// Rules for sites are a file that you write: what to keep and to drop, by CSS selector (check, import-rules).
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Site {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  tamis site learn --sites sites.redb --list pages.jsonl
  tamis extract --sites sites.redb --url https://example.com/rain page.html
  tamis site list --sites sites.redb
  tamis site show example.com --sites sites.redb > example.txt
  (edit the first column of example.txt: drop or keep)
  tamis site import example.txt --sites sites.redb
  tamis site check rules.toml page.html --url https://example.com/rain

Exit codes: 0 done, 1 nothing to do, 2 an error.";

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
    Check(rules::Check),
    ImportRules(rules::ImportRules),
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
            Command::Check(check) => check.run(),
            Command::ImportRules(import) => import.run(),
        }
    }
}

/// The file that every one of the commands needs.
#[derive(Args)]
struct File {
    /// The site memory.
    #[arg(long, value_name = "FILE", env = "TAMIS_SITES", hide_env_values = true, alias = "memory")]
    sites: PathBuf,
}

impl File {
    fn read(&self) -> Result<Store> {
        Store::open_read_only(&self.sites).with_context(|| {
            format!(
                "cannot open {}: check --sites; `tamis site learn` creates a site memory",
                self.sites.display()
            )
        })
    }

    /// Opens an existing file for changes: only learning, merging and importing create one.
    fn change(&self) -> Result<Store> {
        drop(self.read()?);
        Ok(Store::open(&self.sites)?)
    }

    fn path(&self) -> &Path {
        &self.sites
    }
}

/// Finds a site by its key as `tamis site list` prints it, by a URL, or by a host.
fn find<'s>(sites: &'s [SiteSummary], store: &Store, asked: &str) -> Result<&'s SiteKey> {
    let keys =
        [SiteKey::named(asked), SiteKey::from_url(asked), SiteKey::from_url(&format!("http://{asked}"))];
    for key in keys.iter().flatten() {
        if let Some(site) = sites.iter().find(|site| site.key == *key) {
            return Ok(&site.key);
        }
    }
    let file = store.path().display();
    bail!("{file} does not contain the site {asked:?}: see `tamis site list --sites {file}`")
}
