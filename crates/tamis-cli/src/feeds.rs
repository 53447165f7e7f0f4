//! Feeds of the pages' site: the flag `--feed` of every command that extracts.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tamis::Hints;
use tamis_feeds::{Feed, Limits};

use crate::fetch::{Bounds, Wanted};
use crate::jobs::Job;

/// The feeds that are given.
#[derive(Args)]
pub(crate) struct Feeds {
    /// A feed of the pages' site (RSS, Atom or JSON Feed): a file or an address; several may be given.
    ///
    /// What it says about a page is evidence for the metadata. Pages are found by address: --url, or the canonical one that
    /// the page declares.
    #[arg(long, value_name = "FILE|URL")]
    feed: Vec<String>,
}

impl Feeds {
    /// All of them, read.
    pub(crate) fn read(&self, bounds: Bounds) -> Result<Vec<Arc<Feed>>> {
        self.feed.iter().map(|name| read(name, bounds).map(Arc::new)).collect()
    }
}

/// What the first feed that has the page says about it.
pub(crate) fn hints(feeds: &[Arc<Feed>], url: Option<&str>, canonical: Option<&str>) -> Option<Hints> {
    feeds
        .iter()
        .find_map(|feed| feed.entry_for(url.unwrap_or_default(), canonical))
        .map(|entry| entry.hints())
}

fn read(name: &str, bounds: Bounds) -> Result<Feed> {
    if name == "-" {
        bail!("--feed -: standard input is for the page; save the feed, and name the file");
    }
    let job = Job::named(name);
    let feed = match job.path() {
        Some(path) => Feed::from_bytes(&file(path)?, None),
        None => {
            // --max-bytes is for pages.
            let bytes = u32::try_from(Limits::default().bytes).unwrap_or(bounds.bytes);
            let fetched = job.read_as(Wanted::Feed, Bounds { bytes, ..bounds })?;
            let content_type = fetched.content_type.as_deref();
            match job.url_of(&fetched) {
                Some(url) => Feed::from_address(&url, &fetched.bytes, content_type),
                None => Feed::from_bytes(&fetched.bytes, content_type),
            }
        }
    };
    feed.with_context(|| format!("cannot use {} as a feed (--feed)", job.name()))
}

/// The bytes of a file, one more than a feed may have at most.
fn file(path: &Path) -> Result<Vec<u8>> {
    let most = Limits::default().bytes as u64 + 1;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "make it readable for you",
            io::ErrorKind::IsADirectory => "name a file in it",
            _ => "check that it is a file you can read",
        };
        anyhow!("cannot read {} as a feed (--feed): {error}; {remedy}", path.display())
    })?;
    Ok(bytes)
}
