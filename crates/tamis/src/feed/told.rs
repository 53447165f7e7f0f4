//! Which entry of which feed speaks of a page.

use std::sync::Arc;

use tamis_html::{Name, NodeRef};

use super::{Entry, Feed, whole_text};
use crate::assemble::Address;
use crate::page::Page;

/// What a feed says of a page.
#[derive(Clone, Copy)]
pub(crate) struct Told<'f> {
    pub(crate) feed: &'f Feed,
    pub(crate) entry: &'f Entry,
    /// Which entry of the feed it is, from 1.
    pub(crate) number: usize,
}

impl Told<'_> {
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

    /// The name of the site, as far as the feed's title is that: not `RSS`, and not the entry's own title, as in a feed of comments.
    pub(crate) fn site_name(&self) -> Option<&str> {
        const LONGEST: usize = 80;
        const FEED_WORDS: [&str; 6] = ["rss feed", "atom feed", "rss", "atom", "feed", "feeds"];
        let mut name = self.feed.title()?;
        let tail = FEED_WORDS.iter().find_map(|word| {
            let at = name.len().checked_sub(word.len())?;
            let is_tail = name.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(word));
            (is_tail && !name[..at].ends_with(char::is_alphanumeric)).then_some(at)
        });
        if let Some(at) = tail {
            name = name[..at].trim_end_matches([' ', '-', '–', '—', '|', '»', ':', '·', '/', '(']);
        }
        let is_entry = self.entry.title.as_deref().is_some_and(|title| name.contains(title));
        (!name.is_empty() && name.chars().count() <= LONGEST && !is_entry).then_some(name)
    }
}

/// The entry of a page: that of the address it was fetched from; else of those it gives itself.
pub(crate) fn told<'f>(feeds: &'f [Arc<Feed>], page: &Page<'_>) -> Option<Told<'f>> {
    if feeds.is_empty() {
        return None;
    }
    let addresses = addresses(page);
    addresses.iter().find_map(|url| {
        feeds.iter().find_map(|feed| {
            let place = feed.place(url)?;
            Some(Told { feed, entry: feed.entries.get(place)?, number: place + 1 })
        })
    })
}

/// For people: whether the feeds know the page. Empty where there are none.
pub(crate) fn note(feeds: &[Arc<Feed>], page: &Page<'_>, told: Option<&Told<'_>>) -> String {
    let all: usize = feeds.iter().map(|feed| feed.entries.len()).sum();
    match told {
        Some(Told { feed, number, entry }) => {
            let link = entry.links.first().map(String::as_str).unwrap_or_default();
            format!("entry {number} of {}: {link}", feed.entries.len())
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
