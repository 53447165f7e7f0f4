//! `tamis site merge`, `export` and `import`.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tamis_batch::counted;
use tamis_site::{Listing, SiteKey, SiteProfile, Store, exchange};

use super::{File, find};
use crate::ExitCode;
use crate::console::note;
use crate::output::to_stdout;

/// Merge other site memories into one.
///
/// The result is the same as if one memory had seen all the pages, in any order of merging.
#[derive(Args)]
pub(super) struct Merge {
    /// Site memories to merge; they are not changed.
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
            bail!("{} cannot be merged into itself: name another --sites", same.display());
        }
        // Opened first: a wrong path must not leave half of the work done or a new file.
        let from = self.from.iter().map(|from| Store::open_read_only(from)).collect::<Result<Vec<_>, _>>()?;
        let store = Store::open(self.file.path())?;
        for other in &from {
            let sites = store.merge_all(other)?;
            note!("{} merged from {}", counted(sites as u64, "site"), other.path().display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Write a site memory as JSON lines to standard output.
#[derive(Args)]
pub(super) struct Export {
    /// Only these sites.
    #[arg(value_name = "SITE")]
    keys: Vec<String>,

    #[command(flatten)]
    file: File,
}

impl Export {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let store = self.file.read()?;
        let known = store.sites()?;
        let keys: Vec<&SiteKey> = match self.keys.as_slice() {
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
        })?;
        failed.map_or(Ok(()), Err)?;
        Ok(if keys.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Import the output of `tamis site export`, or an edited listing of `tamis site show`.
#[derive(Args)]
pub(super) struct Import {
    /// JSON lines or a listing; - for standard input.
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
        // Listings start with a comment.
        match reader.fill_buf().with_context(|| format!("cannot read {name}"))?.first() {
            None => bail!("{name} is empty: give the output of `tamis site export` or `tamis site show`"),
            Some(b'#') => {
                let mut text = String::new();
                reader.read_to_string(&mut text).with_context(|| format!("cannot read {name}"))?;
                self.listing(&text)
            }
            Some(_) => self.lines(reader),
        }
    }

    fn lines(&self, reader: impl BufRead) -> Result<ExitCode> {
        // Opened with the first site: a wrong file must not create a new memory.
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
            format!("cannot import {name} (the {sites} sites before this line were imported): give the output of `tamis site export`")
        })?;
        note!("{} of {} imported", counted(pages as u64, "page"), counted(sites as u64, "site"));
        Ok(if sites == 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn listing(&self, text: &str) -> Result<ExitCode> {
        let name = self.from.display();
        if !Listing::is_one(text) {
            return Err(anyhow!(
                "{name}: not a listing of `tamis site show`, whose first line names the site"
            ));
        }
        let lists = Listing::read(text).with_context(|| format!("{name}: nothing changed"))?;
        let store = self.file.change()?;
        let known = store.sites()?;
        let mut edited: Vec<(SiteKey, SiteProfile)> = Vec::new();
        let mut changed = 0;
        for edits in &lists {
            let site = find(&known, &store, edits.site.as_str())?;
            let mut memory = store.get(site)?.unwrap_or_default();
            changed += edits.apply(&mut memory).with_context(|| format!("{name}: nothing changed"))?;
            edited.push((site.clone(), memory));
        }
        for (site, memory) in &edited {
            store.merge(site, memory)?;
        }
        note!("{changed} overrides updated");
        Ok(if changed == 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}
