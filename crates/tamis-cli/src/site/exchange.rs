//! `tamis site merge`, `export` and `import`: memories brought together, and as text.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tamis_site::{Listing, SiteKey, SiteProfile, Store, exchange};

use super::{File, find};
use crate::output::to_stdout;

/// Take in all that other memories know.
///
/// The result is that of one memory that has seen all the pages, in whatever order memories are merged.
#[derive(Args)]
pub(super) struct Merge {
    /// The memories to take in; they stay as they are.
    #[arg(value_name = "FILE", required = true)]
    from: Vec<PathBuf>,

    #[command(flatten)]
    file: File,
}

impl Merge {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let place = self.file.path().canonicalize().ok();
        if let Some(same) = self.from.iter().find(|from| place.is_some() && from.canonicalize().ok() == place)
        {
            bail!("{} cannot be merged into itself: name another --memory", same.display());
        }
        // Opened first: a wrong path must not leave half of the work done, nor a new file.
        let from = self.from.iter().map(|from| Store::open_read_only(from)).collect::<Result<Vec<_>, _>>()?;
        let store = Store::open(self.file.path())?;
        for other in &from {
            let sites = store.merge_all(other)?;
            eprintln!("tamis: merged {sites} sites of {}", other.path().display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Write a memory as JSON lines.
#[derive(Args)]
pub(super) struct Export {
    /// These sites only.
    #[arg(value_name = "SITE")]
    sites: Vec<String>,

    #[command(flatten)]
    file: File,
}

impl Export {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let store = self.file.read()?;
        let known = store.sites()?;
        let keys: Vec<&SiteKey> = match self.sites.as_slice() {
            [] => known.iter().map(|site| &site.key).collect(),
            sites => sites.iter().map(|site| find(&known, &store, site)).collect::<Result<_>>()?,
        };
        let mut failed = None;
        to_stdout(|out| {
            exchange::write_head(&mut *out)?;
            for key in &keys {
                match store.get(key) {
                    Ok(memory) => exchange::write(&mut *out, key, &memory.unwrap_or_default())?,
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            }
            out.flush()
        })
        .context("cannot write to standard output")?;
        failed.map_or(Ok(()), Err)?;
        Ok(if keys.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Take in what `tamis site export` has written, or an edited listing of `tamis site show`.
#[derive(Args)]
pub(super) struct Import {
    /// The lines, or the listing; - for standard input.
    #[arg(value_name = "FILE|-")]
    from: PathBuf,

    #[command(flatten)]
    file: File,
}

impl Import {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let name = self.from.display();
        let reader: Box<dyn Read> = if self.from.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(
                fs::File::open(&self.from).with_context(|| format!("cannot read {name}: check the path"))?,
            )
        };
        let mut reader = BufReader::new(reader);
        // Editors put a byte order mark before the first line.
        if reader.fill_buf().with_context(|| format!("cannot read {name}"))?.starts_with(b"\xEF\xBB\xBF") {
            reader.consume(3);
        }
        // The first byte tells a listing from lines.
        match reader.fill_buf().with_context(|| format!("cannot read {name}"))?.first() {
            None => bail!("{name} is empty: give what `tamis site export` or `tamis site show` has written"),
            Some(b'#') => {
                let mut text = String::new();
                reader.read_to_string(&mut text).with_context(|| format!("cannot read {name}"))?;
                self.listing(&text)
            }
            Some(_) => self.lines(reader),
        }
    }

    fn lines(&self, reader: impl BufRead) -> Result<ExitCode> {
        // Opened with the first site: what is no memory must not leave a new file.
        let mut store: Option<Store> = None;
        let (mut sites, mut pages) = (0, 0);
        let mut failed = None;
        let read = exchange::read(reader, |site, memory| {
            if failed.is_some() {
                return;
            }
            let opened = match store.take() {
                Some(store) => Ok(store),
                None => Store::open(self.file.path()),
            };
            match opened.and_then(|opened| opened.merge(&site, &memory).map(|()| opened)) {
                Ok(opened) => store = Some(opened),
                Err(error) => failed = Some(error),
            }
            sites += 1;
            pages += memory.len();
        });
        failed.map_or(Ok(()), Err)?;
        read.with_context(|| {
            let name = self.from.display();
            format!("cannot import {name} ({sites} sites before the line are imported): give what `tamis site export` has written")
        })?;
        eprintln!("tamis: imported {pages} pages of {sites} sites");
        Ok(if sites == 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn listing(&self, text: &str) -> Result<ExitCode> {
        let name = self.from.display();
        if !Listing::is_one(text) {
            return Err(anyhow!("{name} is no listing of `tamis site show`: its first line names the site"));
        }
        let lists = Listing::read(text).with_context(|| format!("{name}: nothing was changed"))?;
        let store = self.file.change()?;
        let known = store.sites()?;
        let mut edited: Vec<(SiteKey, SiteProfile)> = Vec::new();
        let mut changed = 0;
        for edits in &lists {
            let site = find(&known, &store, edits.site.as_str())?;
            let mut memory = store.get(site)?.unwrap_or_default();
            changed += edits.apply(&mut memory).with_context(|| format!("{name}: nothing was changed"))?;
            edited.push((site.clone(), memory));
        }
        for (site, memory) in &edited {
            store.merge(site, memory)?;
        }
        eprintln!("tamis: a word on {changed} texts has changed");
        Ok(if changed == 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}
