//! `--feed`: feeds that list the pages.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tamis_feeds::{Feed, Limits};

use crate::address::Address;
use crate::fetch::{self, Wanted};
use crate::flags::FetchFlags;

#[derive(Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct FeedFlag {
    /// Feed of the site (RSS, Atom or JSON Feed), as evidence for the metadata. Repeatable.
    ///
    /// Its entry for a page is found by URL: --url, or the canonical URL that the page declares.
    #[arg(long, value_name = "FILE|URL")]
    feed: Vec<String>,
}

impl FeedFlag {
    pub(crate) fn read(&self, flags: FetchFlags) -> Result<Vec<Arc<Feed>>> {
        self.feed.iter().map(|name| read(name, flags).map(Arc::new)).collect()
    }
}

fn read(name: &str, flags: FetchFlags) -> Result<Feed> {
    if name == "-" {
        bail!("--feed -: standard input is for the page; save the feed and name the file");
    }
    let (shown, feed) = match Address::named(name) {
        Some(address) => {
            let most = u32::try_from(Limits::default().bytes).unwrap_or(u32::MAX);
            let fetched = fetch::fetch(&address, Wanted::Feed, flags, most)?;
            let (url, content_type) = (fetched.url.unwrap_or_default(), fetched.content_type.as_deref());
            (address.shown(), Feed::from_address(&url, &fetched.bytes, content_type))
        }
        None => (name.to_owned(), Feed::from_bytes(&file(Path::new(name))?, None)),
    };
    feed.with_context(|| format!("cannot use {shown} as a feed (--feed)"))
}

/// The bytes of a file, up to one more than a feed may have.
fn file(path: &Path) -> Result<Vec<u8>> {
    let most = Limits::default().bytes as u64 + 1;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "make it readable",
            io::ErrorKind::IsADirectory => "name a file in it",
            _ => "check that it is a readable file",
        };
        anyhow!("cannot read the feed {} (--feed): {error}; {remedy}", path.display())
    })?;
    Ok(bytes)
}
