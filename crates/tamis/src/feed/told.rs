//! Which entry of which feed speaks of a page.

use std::sync::{Arc, LazyLock};

use tamis_html::{Name, NodeRef};

use super::whose::site_of;
use super::{Entry, Feed, whole_text};
use crate::assemble::Address;
use crate::page::Page;

/// What a feed of another site says of a page by itself.
static NOTHING: LazyLock<(Feed, Entry)> = LazyLock::new(Default::default);

/// What a feed says of a page. A planet or a list of links gives times, names and words of its own: where the feed is of another site than
/// the page, `feed` and `entry` are empty, and only the name of the feed that the entry was taken from counts.
#[derive(Clone, Copy)]
pub(crate) struct Told<'f> {
    pub(crate) feed: &'f Feed,
    pub(crate) entry: &'f Entry,
    /// Which entry of the feed it is, from 1.
    pub(crate) number: usize,
    /// The feed of another site, and its entry.
    elsewhere: Option<(&'f Feed, &'f Entry)>,
}

impl<'f> Told<'f> {
    fn of(feed: &'f Feed, url: &str) -> Option<Told<'f>> {
        let place = feed.place(url)?;
        let entry = feed.entries.get(place)?;
        let number = place + 1;
        if !feed.is_of_another_site(url) {
            return Some(Told { feed, entry, number, elsewhere: None });
        }
        let (no_feed, no_entry) = &*NOTHING;
        Some(Told { feed: no_feed, entry: no_entry, number, elsewhere: Some((feed, entry)) })
    }

    /// What the feed calls the site, and the page.
    fn names(&self) -> Option<(&'f str, Option<&'f str>)> {
        let Some((_, entry)) = self.elsewhere else {
            return Some((self.feed.title()?, self.entry.title.as_deref()));
        };
        // It may have been taken from a third site.
        let site = entry.source_address.as_deref().and_then(site_of);
        let is_own =
            site.is_none_or(|site| entry.links.iter().any(|link| site_of(link).as_ref() == Some(&site)));
        is_own.then(|| Some((entry.source.as_deref()?, entry.title.as_deref())))?
    }

    /// The words of the page's whole text, if the feed has it.
    pub(crate) fn whole_text(&self) -> Option<String> {
        whole_text::of(self.entry)
    }

    /// What the entry is about, if it says so in a few sentences.
    pub(crate) fn description(&self) -> Option<String> {
        const LONGEST: usize = 600;
        let words = self.entry.summary.as_ref()?.words();
        let words = whole_text::without_credit(&words);
        (!words.is_empty() && words.chars().count() <= LONGEST).then(|| words.to_owned())
    }

    /// The name of the site, as far as the feed's title is that: not `RSS`, and not the entry's own title.
    pub(crate) fn site_name(&self) -> Option<&'f str> {
        const LONGEST: usize = 80;
        const FEED_WORDS: [&str; 6] = ["rss feed", "atom feed", "rss", "atom", "feed", "feeds"];
        let (mut name, title) = self.names()?;
        let tail = FEED_WORDS.iter().find_map(|word| {
            let at = name.len().checked_sub(word.len())?;
            let is_tail = name.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(word));
            (is_tail && !name[..at].ends_with(char::is_alphanumeric)).then_some(at)
        });
        if let Some(at) = tail {
            name = name[..at].trim_end_matches([' ', '-', '–', '—', '|', '»', ':', '·', '/', '(']);
        }
        let is_entry = title.is_some_and(|title| name.contains(title));
        (!name.is_empty() && name.chars().count() <= LONGEST && !is_entry).then_some(name)
    }
}

/// The entry of a page: that of the address it was fetched from; else of those it gives itself. Feeds of other sites come last.
pub(crate) fn told<'f>(feeds: &'f [Arc<Feed>], page: &Page<'_>) -> Option<Told<'f>> {
    if feeds.is_empty() {
        return None;
    }
    let addresses = addresses(page);
    let all = || addresses.iter().flat_map(|url| feeds.iter().filter_map(move |feed| Told::of(feed, url)));
    all().find(|told| told.elsewhere.is_none()).or_else(|| all().next())
}

/// For people: whether the feeds know the page. Empty where there are none.
pub(crate) fn note(feeds: &[Arc<Feed>], page: &Page<'_>, told: Option<&Told<'_>>) -> String {
    let all: usize = feeds.iter().map(|feed| feed.entries.len()).sum();
    match told {
        Some(Told { feed, number, entry, elsewhere }) => {
            let (feed, entry) = elsewhere.unwrap_or((feed, entry));
            let link = entry.links.first().map(String::as_str).unwrap_or_default();
            let whose = match elsewhere {
                Some(_) => {
                    format!(" (a feed of {}, which does not speak for this site)", feed.sites.join(", "))
                }
                None => String::new(),
            };
            format!("entry {number} of {}: {link}{whose}", feed.entries.len())
        }
        None if feeds.is_empty() => String::new(),
        None => match addresses(page).as_slice() {
            [] => format!(
                "none of {all} entries could be looked at: neither --url nor the page gives its address"
            ),
            addresses => format!("none of {all} entries is of this page ({})", addresses.join(", ")),
        },
    }
}

/// Where a page is found: as it was given, and as the page says itself.
fn addresses(page: &Page<'_>) -> Vec<String> {
    let base = Address::of(page);
    let is = |node: &NodeRef<'_>, name: Name, value: &str| {
        let own = node.attribute_named(name);
        own.is_some_and(|own| own.split_ascii_whitespace().any(|it| it.eq_ignore_ascii_case(value)))
    };
    let (mut canonical, mut shared) = (None, None);
    for node in page.dom().descendants() {
        if canonical.is_none() && node.is(Name::LINK) && is(&node, Name::REL, "canonical") {
            canonical = node.attribute_named(Name::HREF);
        } else if shared.is_none()
            && node.is(Name::META)
            && (is(&node, Name::PROPERTY, "og:url") || is(&node, Name::NAME, "og:url"))
        {
            shared = node.attribute_named(Name::CONTENT);
        }
    }
    let declared = [canonical, shared].into_iter().flatten().map(|it| base.resolve(&it));
    let mut all: Vec<String> = page.url().map(str::to_owned).into_iter().chain(declared).collect();
    all.retain(|it| !it.trim().is_empty());
    all.dedup();
    all
}
