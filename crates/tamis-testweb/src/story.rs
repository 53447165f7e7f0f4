//! The settings of a web, and its stories: the ground truth for a collector.

use std::time::Duration;

use crate::kinds::Kind;
use crate::words::{Language, Rng};
use crate::{date, robots};

/// The sections of every site; a story belongs to one.
pub(crate) const SECTIONS: [&str; 4] = ["world", "business", "culture", "sport"];

/// Settings of a web.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seed of all texts and dates.
    pub seed: u64,
    /// Number of hosts. Their kinds are those of `kinds`, repeated.
    pub hosts: usize,
    /// The kinds of the hosts, in order.
    pub kinds: Vec<Kind>,
    /// Number of stories over all hosts. Kinds such as `Slow` have few, and the others share the rest.
    pub stories: usize,
    /// The first host is 127.0.0.N, and the others follow.
    pub first_address: u8,
    /// The value of `CrawlDelay`.
    pub crawl_delay: Duration,
    /// Delay of every answer of `Slow`.
    pub slowness: Duration,
    /// Delay of the robots.txt of `RobotsHangs`.
    pub hang: Duration,
    /// The product token of a group in `RobotsRules`.
    pub agent: String,
    /// Whether stories of `Changing` change after their first fetch. If this is off, or the first answer may get lost,
    /// call [`crate::Web::publish_revisions`] instead.
    pub change_on_refetch: bool,
}

impl Default for Settings {
    /// 30 hosts, one of each kind, with 4,000 stories on about 5,000 pages.
    fn default() -> Self {
        Settings {
            seed: 1,
            hosts: Kind::ALL.len(),
            kinds: Kind::ALL.to_vec(),
            stories: 4_000,
            first_address: 10,
            crawl_delay: Duration::from_millis(200),
            slowness: Duration::from_millis(200),
            hang: Duration::from_secs(3),
            agent: "tamis".to_owned(),
            change_on_refetch: true,
        }
    }
}

impl Settings {
    /// 30 hosts without delays or failures, half of them with sitemaps, to measure throughput.
    pub fn benchmark(stories: usize) -> Self {
        Settings { kinds: vec![Kind::Plain, Kind::Sitemap], stories, ..Settings::default() }
    }

    /// One host of each of these kinds. A mirror needs its source among them.
    pub fn of(kinds: &[Kind], stories: usize) -> Self {
        Settings { kinds: kinds.to_vec(), hosts: kinds.len(), stories, ..Settings::default() }
    }

    /// The number of stories of each host.
    pub(crate) fn shares(&self) -> Vec<usize> {
        let kinds: Vec<Kind> = self.kinds.iter().copied().cycle().take(self.hosts).collect();
        let even = self.stories / self.hosts.max(1);
        let mut shares: Vec<usize> = kinds.iter().map(|kind| even.min(kind.max_stories())).collect();
        let open: Vec<usize> =
            (0..shares.len()).filter(|at| kinds[*at].max_stories() == usize::MAX).collect();
        let rest = self.stories - shares.iter().sum::<usize>();
        for (rank, at) in open.iter().enumerate() {
            shares[*at] += rest / open.len() + usize::from(rank < rest % open.len());
        }
        shares
    }
}

/// A story, with the data that a collector should store.
#[derive(Clone, Debug)]
pub struct Story {
    /// Canonical URL.
    pub url: String,
    /// Headline.
    pub title: String,
    /// A unique sentence of the body.
    pub marker: String,
    /// The same for the second and later parts.
    pub part_markers: Vec<String>,
    /// A sentence that only the second revision has.
    pub update: Option<String>,
    /// Whether robots.txt allows it.
    pub allowed: bool,
    /// Whether the page asks not to be indexed, in a meta element or a header.
    pub noindex: bool,
    /// `en`, `zh`, `ug` or `ja`.
    pub language: &'static str,
    /// Time of publication, such as `2025-03-14T09:26:00Z`.
    pub published: String,
    /// Name of the author.
    pub author: String,
    /// The number of its pages.
    pub parts: usize,
    /// Author and text of its comments.
    pub comments: Vec<(String, String)>,
    /// The URL of its comments, if they are on a separate page.
    pub comment_page: Option<String>,
    /// Number of revisions after two visits.
    pub revisions: usize,
    /// Other URLs that redirect to `url` or declare it as canonical; they must not be stored as separate stories.
    pub copies: Vec<String>,
    /// Identical pages without a canonical link: near-duplicates.
    pub duplicates: Vec<String>,
    /// A sentence of the page that must not be in the text.
    pub boilerplate: &'static str,
    /// The kind of its host.
    pub kind: Kind,
    pub(crate) section: usize,
    pub(crate) time: u64,
}

impl Story {
    /// Writes the stories of one host, newest first.
    pub(crate) fn of_host(
        settings: &Settings,
        (kind, base): (Kind, &str),
        language: &Language,
        first_id: usize,
        count: usize,
    ) -> Vec<Story> {
        const NEWEST: u64 = 1_761_955_200; // 1 November 2025
        let step = 300 * 86_400 / count.max(1) as u64;
        (0..count)
            .map(|rank| {
                let id = first_id + rank;
                let rng = &mut Rng::new(&[settings.seed, id as u64]);
                // A letter between the digits keeps identifiers from being parts of each other.
                let token = |part: usize| format!("{}K{part:02}", 40_000 + id);
                let title = language.text("title", rng, "");
                let time = NEWEST - rank as u64 * step - rng.below(step.max(2) as usize) as u64;
                let section = rank % SECTIONS.len();
                let parts = if kind == Kind::Parts && rank.is_multiple_of(2) { 3 } else { 1 };
                let url = format!("{base}{}", path(kind, (rank, section), &title, time, id));
                let comments = if kind == Kind::Comments { 3 + rank % 4 } else { 0 };
                let copies = match kind {
                    Kind::Copies => vec![format!("{base}/amp/{id}.html"), format!("{base}/print/{id}.html")],
                    Kind::Redirects => vec![format!("{base}/old/{id}"), format!("{base}/hop/1/{id}")],
                    _ => Vec::new(),
                };
                Story {
                    marker: language.text("marker", rng, &token(1)),
                    part_markers: (2..=parts)
                        .map(|part| language.text("marker", rng, &token(part)))
                        .collect(),
                    update: (kind == Kind::Changing).then(|| language.text("update", rng, &token(90))),
                    allowed: robots::allows(kind, &url[base.len()..]),
                    noindex: kind == Kind::Copies && matches!(rank % 10, 7 | 8),
                    language: language.code,
                    published: date::iso(time),
                    author: language.text("person", rng, ""),
                    parts,
                    comments: (0..comments)
                        .map(|_| (language.text("person", rng, ""), language.text("comment", rng, "")))
                        .collect(),
                    comment_page: (comments > 0 && !rank.is_multiple_of(2))
                        .then(|| format!("{base}/comments/{}", url.rsplit('/').next().unwrap_or_default())),
                    revisions: 1 + usize::from(kind == Kind::Changing),
                    copies,
                    duplicates: Vec::new(),
                    boilerplate: language.label("newsletter"),
                    kind,
                    section,
                    time,
                    title,
                    url,
                }
            })
            .collect()
    }
}

fn path(kind: Kind, (rank, section): (usize, usize), title: &str, time: u64, id: usize) -> String {
    let mut slug = String::new();
    for word in title.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()) {
        slug.push_str(&word.to_ascii_lowercase());
        slug.push('-');
    }
    let mark = match (kind, SECTIONS[section]) {
        (Kind::RobotsRules, "sport") if rank % 8 == 3 => "cup-final-",
        (Kind::RobotsRules, "world") if rank.is_multiple_of(8) => "draft-",
        _ => "",
    };
    format!("/{}/{}/{mark}{slug}{id}.html", SECTIONS[section], date::iso(time)[..10].replace('-', "/"))
}
