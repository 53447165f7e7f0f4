//! `tamis site list`, `show`, `forget` and `compact`.

use std::fs;
use std::io::Write;

use anyhow::Result;
use clap::Args;
use tamis_site::Listing;

use super::{File, find};
use crate::ExitCode;
use crate::console::note;
use crate::output::to_stdout;

/// List the sites in a site memory.
///
/// One line per site, tab-separated: pages kept, pages seen (an estimate if more were seen than kept), manual overrides,
/// bytes, the site.
#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    file: File,
}

impl List {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let sites = self.file.read()?.sites()?;
        to_stdout(|out| {
            writeln!(out, "# kept\tseen\toverrides\tbytes\tsite")?;
            sites.iter().try_for_each(|site| {
                let (kept, seen, judged, bytes) = (site.pages, site.pages_seen, site.judged, site.bytes);
                writeln!(out, "{kept}\t{seen}\t{judged}\t{bytes}\t{}", site.key)
            })
        })?;
        Ok(if sites.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Show what a site repeats, and what is dropped from its pages.
///
/// One line per text, tab-separated: the action, the pages that have it, the near-identical texts counted together, its
/// kind (line, or names of tags), its id, the text. To override, edit the first column and pass the file to `tamis site
/// import`: drop or keep; auto-drop and auto-keep reset to automatic.
#[derive(Args)]
pub(super) struct Show {
    /// Key or host of the site, or the URL of one of its pages.
    #[arg(value_name = "SITE")]
    site: String,

    #[command(flatten)]
    file: File,

    /// Show everything that two pages or more have, not only what is dropped.
    #[arg(long)]
    all: bool,
}

impl Show {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let store = self.file.read()?;
        let sites = store.sites()?;
        let site = find(&sites, &store, &self.site)?;
        let memory = store.get(site)?.unwrap_or_default();
        drop(store);
        let listing = Listing::of(site, &memory, self.all);
        to_stdout(|out| write!(out, "{listing}"))?;
        Ok(if listing.rows.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Remove sites and their manual overrides.
#[derive(Args)]
pub(super) struct Forget {
    /// Keys or hosts of the sites, or URLs of their pages.
    #[arg(value_name = "SITE", required = true)]
    keys: Vec<String>,

    #[command(flatten)]
    file: File,
}

impl Forget {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let store = self.file.change()?;
        let known = store.sites()?;
        // All must exist before any is removed.
        let keys = self.keys.iter().map(|site| find(&known, &store, site)).collect::<Result<Vec<_>>>()?;
        for key in keys {
            store.forget(key)?;
            note!("{key} removed");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Shrink the file of a site memory.
#[derive(Args)]
pub(super) struct Compact {
    #[command(flatten)]
    file: File,
}

impl Compact {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let size = || fs::metadata(self.file.path()).map(|about| about.len()).unwrap_or(0);
        let before = size();
        let mut store = self.file.change()?;
        store.compact()?;
        drop(store);
        note!("{}: {before} bytes before, {} now", self.file.path().display(), size());
        Ok(ExitCode::SUCCESS)
    }
}
