//! `tamis site list`, `show`, `forget` and `compact`: what is in a memory, and less of it.

use std::fs;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use tamis_site::Listing;

use super::{File, find};
use crate::output::to_stdout;

/// List the sites that a memory knows.
///
/// One line a site, its columns separated by tabs: pages kept, pages seen (about, where more were seen than are kept),
/// texts that a person has spoken on, bytes, the site.
#[derive(Args)]
pub(super) struct List {
    #[command(flatten)]
    file: File,
}

impl List {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let sites = self.file.read()?.sites()?;
        to_stdout(|out| {
            writeln!(out, "# kept\tseen\tjudged\tbytes\tsite")?;
            sites.iter().try_for_each(|site| {
                let (kept, seen, judged, bytes) = (site.pages, site.pages_seen, site.judged, site.bytes);
                writeln!(out, "{kept}\t{seen}\t{judged}\t{bytes}\t{}", site.key)
            })
        })
        .context("cannot write to standard output")?;
        Ok(if sites.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Show the templates and lines that would be removed from pages of a site.
///
/// One line a text, its columns separated by tabs: what happens to it, on how many pages it stands, how many texts near
/// to each other are counted together, as what it was met (line, or names of tags), its id, the text. Edit the first
/// column (drop or keep wins over what is counted; auto-drop and auto-keep take a word back) and give the file to `tamis
/// site import`.
#[derive(Args)]
pub(super) struct Show {
    /// The site: its key, its host, or the address of one of its pages.
    #[arg(value_name = "SITE")]
    site: String,

    #[command(flatten)]
    file: File,

    /// Show all that stands on two pages or more, not only what would be removed.
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
        to_stdout(|out| write!(out, "{listing}")).context("cannot write to standard output")?;
        Ok(if listing.rows.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Forget sites, and what a person has said of them.
#[derive(Args)]
pub(super) struct Forget {
    /// The sites: their keys, their hosts, or addresses of their pages.
    #[arg(value_name = "SITE", required = true)]
    sites: Vec<String>,

    #[command(flatten)]
    file: File,
}

impl Forget {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let store = self.file.change()?;
        let known = store.sites()?;
        // All must be there before any is forgotten.
        let keys = self.sites.iter().map(|site| find(&known, &store, site)).collect::<Result<Vec<_>>>()?;
        for key in keys {
            store.forget(key)?;
            eprintln!("tamis: forgot {key}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Make the file of a memory as small as it can be.
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
        eprintln!("tamis: {} had {before} bytes and has {} now", self.file.path().display(), size());
        Ok(ExitCode::SUCCESS)
    }
}
