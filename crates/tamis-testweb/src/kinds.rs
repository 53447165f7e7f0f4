//! The kinds of hosts.
//!
//! | Kind | What is special | Where its stories are linked from |
//! |---|---|---|
//! | `Plain` | nothing | front page, sections with pagination |
//! | `PlainBare` | no `rel=canonical`; source of `MirrorBare` | as above |
//! | `Rss`, `Atom`, `JsonFeed` | links with `utm_` parameters; `Atom` packs pages with gzip | the feed; listings have the newest |
//! | `Sitemap` | robots.txt names an index of gzip, text and news sitemaps | the sitemaps; listings have the newest |
//! | `Chinese`, `Uyghur`, `Japanese` | language and direction | listings |
//! | `Slow` | every answer takes 200 ms | listings |
//! | `Failing` | the first request of a story answers 500 | listings |
//! | `Limited` | 429 with `Retry-After: 1` beyond 10 requests a second; once 503 with an HTTP date | listings |
//! | `RobotsMissing`, `RobotsForbidden` | robots.txt is 404 or 403: everything is allowed | listings |
//! | `RobotsBroken`, `RobotsHangs` | robots.txt is 500 or hangs for 3 s: nothing is allowed | listings |
//! | `RobotsDenied` | `Disallow: /` | listings |
//! | `RobotsRules` | a group for our agent, Allow exceptions, wildcards | listings |
//! | `CrawlDelay` | `Crawl-delay` from the settings | listings |
//! | `RobotsHuge` | 1 MiB of robots.txt; rules beyond 500 KiB do not count | listings |
//! | `RobotsMoved` | robots.txt is behind a redirect | listings |
//! | `Redirects` | moved stories, chains, loops, redirects to forbidden places | listings |
//! | `Traps` | session ids, endless calendar, parameters and paths | listings |
//! | `MirrorCanonical`, `MirrorBare` | the pages of `Plain` with its canonical links, of `PlainBare` without | listings |
//! | `Changing` | stories have a second revision | listings |
//! | `Parts` | every second story has three parts | listings |
//! | `Comments` | comments on the page or on a separate page | listings |
//! | `Copies` | AMP and print copies, noindex | listings, some as a copy only |
//! | `Hostile` | bombs and lies under `/odd/` | listings |

macro_rules! kinds {
    ($($kind:ident)+) => {
        /// The behaviour of a host. A table is at the top of this module's source.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // The table says what each does.
        pub enum Kind { $($kind),+ }

        impl Kind {
            /// Every kind once: the 30 hosts of the default settings.
            pub const ALL: [Kind; 30] = [$(Kind::$kind),+];
        }
    };
}

kinds! {
    Plain PlainBare Rss Atom JsonFeed Sitemap Chinese Uyghur Japanese Slow Failing Limited
    RobotsMissing RobotsForbidden RobotsBroken RobotsDenied RobotsRules CrawlDelay RobotsHuge RobotsMoved RobotsHangs
    Redirects Traps MirrorCanonical MirrorBare Changing Parts Comments Copies Hostile
}

impl Kind {
    /// Most stories of a host of this kind, so that slow and forbidden hosts do not dominate a run.
    pub(crate) fn max_stories(self) -> usize {
        match self {
            Kind::MirrorCanonical | Kind::MirrorBare => 0,
            Kind::CrawlDelay
            | Kind::Hostile
            | Kind::Slow
            | Kind::RobotsBroken
            | Kind::RobotsDenied
            | Kind::RobotsHangs => 20,
            Kind::Limited => 40,
            Kind::Traps => 60,
            _ => usize::MAX,
        }
    }

    /// Index into [`crate::words::Language::all`].
    pub(crate) fn language(self) -> usize {
        match self {
            Kind::Chinese => 1,
            Kind::Uyghur => 2,
            Kind::Japanese => 3,
            _ => 0,
        }
    }

    /// The kind whose pages a mirror serves.
    pub(crate) fn mirrors(self) -> Option<Kind> {
        match self {
            Kind::MirrorCanonical => Some(Kind::Plain),
            Kind::MirrorBare => Some(Kind::PlainBare),
            _ => None,
        }
    }

    /// Whether listings show the newest stories only, because a feed or sitemap has them all.
    pub(crate) fn has_short_listings(self) -> bool {
        matches!(self, Kind::Rss | Kind::Atom | Kind::JsonFeed | Kind::Sitemap)
    }

    /// Path of the feed that the pages announce, and its media type.
    pub(crate) fn feed(self) -> Option<(&'static str, &'static str)> {
        match self {
            Kind::Rss => Some(("/feed.xml", "application/rss+xml")),
            Kind::Atom => Some(("/atom.xml", "application/atom+xml")),
            Kind::JsonFeed => Some(("/feed.json", "application/feed+json")),
            Kind::Hostile => Some(("/odd/html.rss", "application/rss+xml")),
            _ => None,
        }
    }
}
