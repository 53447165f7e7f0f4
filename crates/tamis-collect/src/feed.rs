//! Feeds: the pages they announce, and their entries as evidence for extraction.

use std::sync::Arc;

use tamis_feeds::Feed;
pub use tamis_feeds::FeedError;
use url::Url;

use crate::clock::milliseconds;
use crate::urls;

/// Extensions of media files in entries, which are not pages.
const MEDIA: [&str; 14] =
    ["mp3", "m4a", "ogg", "mp4", "m4v", "webm", "mov", "jpg", "jpeg", "png", "gif", "webp", "pdf", "zip"];

/// A feed and the pages it announces.
#[derive(Clone, Debug)]
pub struct FeedItems {
    /// The announced pages, in the order of the feed, each once.
    pub items: Vec<FeedItem>,
    /// The title of the feed.
    pub title: Option<String>,
    /// The language the feed declares, as written.
    pub language: Option<String>,
    /// The whole feed, as evidence for the metadata of its pages.
    pub feed: Arc<Feed>,
}

/// A page that a feed announces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FeedItem {
    /// Normalised URL of the page.
    pub url: Url,
    /// When it was published, in milliseconds since 1970.
    pub published: Option<i64>,
    /// When it was last changed, in milliseconds since 1970.
    pub updated: Option<i64>,
}

/// Reads a feed as served at `url`. Entries without a link to a page are left out.
pub fn parse(bytes: &[u8], content_type: Option<&str>, url: &Url) -> Result<FeedItems, FeedError> {
    let feed = Feed::from_address(url.as_str(), bytes, content_type)?;
    let mut seen = std::collections::HashSet::new();
    let mut items = Vec::new();
    for entry in feed.entries() {
        let pages = entry.links.iter().filter_map(|link| urls::resolve(link, url));
        let Some(page) = pages.into_iter().find(|page| page != url && !is_media(page)) else { continue };
        if seen.insert(page.clone()) {
            let (published, updated) = (entry.published.map(milliseconds), entry.updated.map(milliseconds));
            items.push(FeedItem { url: page, published, updated });
        }
    }
    Ok(FeedItems {
        items,
        title: feed.title().map(str::to_owned),
        language: feed.language().map(str::to_owned),
        feed: Arc::new(feed),
    })
}

pub(crate) fn is_media(url: &Url) -> bool {
    let ending = url.path().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| MEDIA.contains(&ending.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_give_their_page_and_times_once() {
        let feed = br#"<rss version="2.0"><channel><title>Harbour Gazette</title><language>en-gb</language>
            <item><link>/rain?utm_source=rss#top</link><pubDate>Tue, 18 Nov 2025 12:00:00 GMT</pubDate></item>
            <item><link>https://gazette.example/rain</link></item>
            <item><link>https://gazette.example/sound.mp3</link><guid>https://gazette.example/talk</guid></item>
            <item><title>No link</title></item>
            <item><link>mailto:desk@gazette.example</link></item></channel></rss>"#;
        let url = Url::parse("https://gazette.example/feed.xml").unwrap();
        let items = parse(feed, Some("application/rss+xml"), &url).unwrap();
        let found: Vec<_> = items.items.iter().map(|item| (item.url.as_str(), item.published)).collect();
        assert_eq!(
            found,
            [
                ("https://gazette.example/rain", Some(1_763_467_200_000)),
                ("https://gazette.example/talk", None)
            ]
        );
        assert_eq!(
            (items.title.as_deref(), items.language.as_deref()),
            (Some("Harbour Gazette"), Some("en-gb"))
        );
        assert!(items.feed.entry_for("https://gazette.example/rain", None).is_some());
    }

    #[test]
    fn a_page_is_no_feed() {
        let url = Url::parse("https://gazette.example/feed.xml").unwrap();
        assert_eq!(parse(b"<!doctype html><html><p>Gone", None, &url).unwrap_err(), FeedError::WebPage);
        assert_eq!(parse(b"", None, &url).unwrap_err(), FeedError::Empty);
    }
}
