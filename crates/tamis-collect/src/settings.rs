//! Settings of a run, with their defaults. The command's flags and the configuration file use the same names.

use std::time::Duration;

use crate::interval::Interval;

/// The product token that robots.txt rules address.
pub const AGENT: &str = "tamis";

/// Permissions and limits of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Email address or URL for site owners; part of the user agent.
    pub contact: Option<String>,
    /// Shortest pause between two requests to a host. A longer `Crawl-delay` overrides it.
    pub delay: Duration,
    /// Concurrent requests per host.
    pub per_host: usize,
    /// Hosts worked on concurrently.
    pub hosts: usize,
    /// Threads that extract pages.
    pub threads: usize,
    /// Time limit of a request, from the connection to the last byte.
    pub timeout: Duration,
    /// Size limit of a page after decompression, in bytes.
    pub max_bytes: u64,
    /// Whether private, loopback and link-local addresses may be fetched.
    pub allow_private: bool,
    /// Keep running and revisit pages when they are due.
    pub watch: bool,
    /// Stop after this many pages.
    pub max_pages: Option<u64>,
    /// Stop after this time.
    pub max_time: Option<Duration>,
    /// Largest number of links from a seed to a page.
    pub depth: u32,
    /// Pages fetched per host, over all runs.
    pub max_host_pages: u64,
    /// URLs stored per host.
    pub max_host_urls: u64,
    /// Links used per page.
    pub max_links: usize,
    /// Parts per story.
    pub max_parts: u32,
    /// Consecutive visits to URLs of one pattern without new content after which the pattern counts as a trap.
    pub trap_visits: u32,
    /// Store stories in these languages only (BCP 47 tags; `zh` includes `zh-Hant`). Empty: all.
    pub languages: Vec<String>,
    /// Fetch only URLs that match one of these patterns. Empty: all.
    pub include: Vec<String>,
    /// Never fetch URLs that match one of these patterns.
    pub exclude: Vec<String>,
    /// Bounds of the revisit interval.
    pub interval: Interval,
    /// Pause before the first retry; doubles with every failure.
    pub retry: Duration,
    /// Consecutive failures after which a page is given up.
    pub max_failures: u32,
    /// Longest wait for a retry before a run without `watch` ends.
    pub max_wait: Duration,
    /// Store the compressed page, so that stories can be extracted again.
    pub keep_raw: bool,
    /// Number of known pages from which a site's memory is used; its first stories are then extracted again.
    pub ripe: u32,
    /// How long a worker owns a host without renewing its lease.
    pub lease: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            contact: None,
            delay: Duration::from_secs(1),
            per_host: 1,
            hosts: 64,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            timeout: Duration::from_secs(30),
            max_bytes: 16 << 20,
            allow_private: false,
            watch: false,
            max_pages: None,
            max_time: None,
            depth: 4,
            max_host_pages: 100_000,
            max_host_urls: 2_000_000,
            max_links: 5_000,
            max_parts: 20,
            trap_visits: 30,
            languages: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            interval: Interval::default(),
            retry: Duration::from_secs(30),
            max_failures: 5,
            max_wait: Duration::from_secs(5 * 60),
            keep_raw: true,
            ripe: 10,
            lease: Duration::from_secs(60),
        }
    }
}

impl Settings {
    /// The user agent of every request.
    pub fn user_agent(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        match &self.contact {
            Some(contact) => format!("{AGENT}/{version} (+{contact})"),
            None => format!("{AGENT}/{version}"),
        }
    }

    /// Whether stories in this language are stored. Stories of unknown language are.
    pub(crate) fn wants_language(&self, language: Option<&str>) -> bool {
        let Some(language) = language.filter(|_| !self.languages.is_empty()) else { return true };
        self.languages.iter().any(|wanted| {
            language.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted))
                && matches!(language.as_bytes().get(wanted.len()), None | Some(b'-'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_includes_its_variants() {
        let settings =
            Settings { languages: vec!["zh".to_owned(), "pt-BR".to_owned()], ..Settings::default() };
        for (language, wanted) in [
            (Some("zh"), true),
            (Some("ZH-Hant"), true),
            (Some("zha"), false),
            (Some("pt"), false),
            (Some("pt-br"), true),
            (None, true),
        ] {
            assert_eq!(settings.wants_language(language), wanted, "{language:?}");
        }
        assert!(Settings::default().wants_language(Some("en")));
    }
}
