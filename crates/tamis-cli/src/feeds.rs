//! Feeds of the pages' site: the flag `--feed` of every command that extracts.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use tamis::{Extractor, Feed};

use crate::fetch::{Bounds, Wanted};
use crate::jobs::Job;

/// The feeds that are given.
#[derive(Args)]
pub(crate) struct Feeds {
    /// A feed of the pages' site (RSS, Atom or JSON Feed): a file or an address; several may be given.
    ///
    /// What it says of a page is evidence for its facts, and for its text where the feed has all of it. A page is known in it by its
    /// address: --url, or the one that the page gives as its own. Pages that no feed has are read by themselves.
    #[arg(long, value_name = "FILE|URL")]
    feed: Vec<String>,
}

impl Feeds {
    /// All of them, read.
    pub(crate) fn read(&self, bounds: Bounds) -> Result<Vec<Arc<Feed>>> {
        self.feed.iter().map(|name| read(name, bounds).map(Arc::new)).collect()
    }
}

/// An extractor that knows them.
pub(crate) fn with_feeds(extractor: Extractor, feeds: &[Arc<Feed>]) -> Extractor {
    feeds.iter().fold(extractor, |extractor, feed| extractor.feed(Arc::clone(feed)))
}

fn read(name: &str, bounds: Bounds) -> Result<Feed> {
    if name == "-" {
        bail!("--feed -: standard input is for the page; save the feed, and name the file");
    }
    let fetched = Job::named(name).read_as(Wanted::Feed, bounds)?;
    Feed::from_bytes(&fetched.bytes, fetched.content_type.as_deref())
        .with_context(|| format!("cannot use {name} as a feed (--feed)"))
}
