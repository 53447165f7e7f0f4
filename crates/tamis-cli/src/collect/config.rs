//! Settings of a run: flags, over the configuration file, over the defaults.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tamis_collect::Settings;

use crate::site::rules::RULES_VARIABLE;
use crate::span::Span;

/// Flags of `collect run`, and keys of its configuration file.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Options {
    /// Email address or URL for site owners; part of the user agent.
    #[arg(long, value_name = "EMAIL|URL", env = "TAMIS_CONTACT", help_heading = "Politeness")]
    contact: Option<String>,

    /// Shortest pause between two requests to a host; a longer Crawl-delay wins [default: 1s].
    #[arg(long, value_name = "TIME", help_heading = "Politeness")]
    delay: Option<Span>,

    /// Requests to one host at the same time [default: 1].
    #[arg(long, value_name = "N", help_heading = "Politeness")]
    per_host: Option<usize>,

    /// Keep running and revisit pages when they are due.
    #[arg(long, help_heading = "Run")]
    watch: bool,

    /// Stop after N pages.
    #[arg(long, value_name = "N", help_heading = "Run")]
    max_pages: Option<u64>,

    /// Stop after this time.
    #[arg(long, value_name = "TIME", help_heading = "Run")]
    max_time: Option<Span>,

    /// Hosts to work on at the same time [default: 64].
    #[arg(long, value_name = "N", help_heading = "Run")]
    hosts: Option<usize>,

    /// Threads that extract pages [default: one per processor].
    #[arg(short = 'j', long, value_name = "N", help_heading = "Run")]
    threads: Option<usize>,

    /// Wait at most this long for retries before the run ends [default: 5m].
    #[arg(long, value_name = "TIME", help_heading = "Run")]
    max_wait: Option<Span>,

    /// Time after which the hosts of a dead worker are free again [default: 60s].
    #[arg(long, value_name = "TIME", help_heading = "Run")]
    lease: Option<Span>,

    /// Largest number of links from a seed to a page [default: 4].
    #[arg(long, value_name = "N", help_heading = "What to collect")]
    depth: Option<u32>,

    /// Fetch only URLs that match a pattern; * stands for anything. Repeatable.
    #[arg(long, value_name = "PATTERN", help_heading = "What to collect")]
    include: Vec<String>,

    /// Never fetch URLs that match a pattern. Repeatable.
    #[arg(long, value_name = "PATTERN", help_heading = "What to collect")]
    exclude: Vec<String>,

    /// Store only stories in these languages, such as en,zh,ug.
    #[arg(long, value_name = "TAG", value_delimiter = ',', help_heading = "What to collect")]
    language: Vec<String>,

    /// Your rules for sites, in TOML (see docs/site-rules.md).
    #[arg(long, value_name = "FILE", env = RULES_VARIABLE, hide_env_values = true, help_heading = "What to collect")]
    pub(super) rules: Option<PathBuf>,

    /// Do not keep the fetched pages. They are needed by `tamis corpus reextract`.
    #[arg(long, help_heading = "What to collect")]
    no_raw: bool,

    /// Shortest revisit interval [default: 10m].
    #[arg(long, value_name = "TIME", help_heading = "What to collect")]
    min_interval: Option<Span>,

    /// Longest revisit interval [default: 30d].
    #[arg(long, value_name = "TIME", help_heading = "What to collect")]
    max_interval: Option<Span>,

    /// Time limit for fetching a URL [default: 30s].
    #[arg(long, value_name = "TIME", help_heading = "Limits", alias = "timeout")]
    #[serde(alias = "timeout")]
    fetch_timeout: Option<Span>,

    /// Size limit of a page after decompression, in bytes [default: 16777216].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_bytes: Option<u64>,

    /// Pages per host [default: 100000].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_host_pages: Option<u64>,

    /// URLs stored per host [default: 2000000].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_host_urls: Option<u64>,

    /// Parts per story [default: 20].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_parts: Option<u32>,

    /// Fruitless visits to URLs of one pattern before it counts as a trap [default: 30].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    trap_visits: Option<u32>,

    /// Pause before a failed page is tried again; doubles with every failure [default: 30s].
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    retry: Option<Span>,

    /// Failures in a row before a page is given up [default: 5].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    max_failures: Option<u32>,

    /// Allow private, loopback and link-local addresses.
    #[arg(long, help_heading = "Limits")]
    allow_private: bool,
}

impl Options {
    /// These, completed by the file.
    fn or(&self, file: &Options) -> Result<Options> {
        let mut all = serde_json::to_value(file)?;
        if let (Value::Object(all), Value::Object(own)) = (&mut all, serde_json::to_value(self)?) {
            let absent = [Value::Null, Value::Bool(false), Value::Array(Vec::new())];
            all.extend(own.into_iter().filter(|(_, value)| !absent.contains(value)));
        }
        Ok(serde_json::from_value(all)?)
    }
}

/// The flags, completed by the configuration file.
pub(super) fn options(flags: &Options, file: Option<&Path>) -> Result<Options> {
    match file {
        Some(file) => flags.or(&read(file)?),
        None => Ok(flags.clone()),
    }
}

/// The settings of a run.
pub(super) fn settings(options: Options) -> Result<Settings> {
    let mut settings = Settings::default();
    fn set<T>(setting: &mut T, option: Option<T>) {
        if let Some(option) = option {
            *setting = option;
        }
    }
    let time = |span: Option<Span>| span.map(|span| span.0);
    settings.contact = options.contact;
    settings.watch = options.watch;
    settings.max_pages = options.max_pages;
    settings.max_time = time(options.max_time);
    settings.include = options.include;
    settings.exclude = options.exclude;
    settings.languages = options.language;
    settings.keep_raw = !options.no_raw;
    settings.allow_private = options.allow_private;
    set(&mut settings.delay, time(options.delay));
    set(&mut settings.per_host, options.per_host);
    set(&mut settings.hosts, options.hosts);
    set(&mut settings.threads, options.threads);
    set(&mut settings.max_wait, time(options.max_wait));
    set(&mut settings.lease, time(options.lease));
    set(&mut settings.depth, options.depth);
    set(&mut settings.interval.min, time(options.min_interval));
    set(&mut settings.interval.max, time(options.max_interval));
    set(&mut settings.timeout, time(options.fetch_timeout));
    set(&mut settings.max_bytes, options.max_bytes);
    set(&mut settings.max_host_pages, options.max_host_pages);
    set(&mut settings.max_host_urls, options.max_host_urls);
    set(&mut settings.max_parts, options.max_parts);
    set(&mut settings.trap_visits, options.trap_visits);
    set(&mut settings.retry, time(options.retry));
    set(&mut settings.max_failures, options.max_failures);
    check(&settings)?;
    Ok(settings)
}

fn check(settings: &Settings) -> Result<()> {
    if settings.interval.min > settings.interval.max {
        bail!("--min-interval is longer than --max-interval");
    }
    if settings.lease < Duration::from_secs(1) {
        bail!("--lease is too short: give at least 1s");
    }
    for (name, is_zero) in [
        ("per-host", settings.per_host == 0),
        ("hosts", settings.hosts == 0),
        ("threads", settings.threads == 0),
        ("fetch-timeout", settings.timeout.is_zero()),
        ("max-bytes", settings.max_bytes == 0),
    ] {
        if is_zero {
            bail!("--{name} must not be 0");
        }
    }
    if settings
        .contact
        .as_deref()
        .is_some_and(|contact| contact.chars().any(|c| c.is_control() || !c.is_ascii()))
    {
        bail!("--contact must be plain ASCII: an email address or a URL");
    }
    Ok(())
}

fn read(file: &Path) -> Result<Options> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the configuration {}: check the path", file.display()))?;
    toml::from_str(&text).with_context(|| format!("{}: the keys are the names of the flags", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_win_over_the_file_and_the_file_over_the_defaults() {
        let file: Options =
            toml::from_str("delay = \"5s\"\ndepth = 7\nlanguage = [\"zh\"]\nwatch = true\ntimeout = 10")
                .unwrap();
        let flags = Options { depth: Some(2), ..Options::default() };
        let settings = settings(flags.or(&file).unwrap()).unwrap();
        assert_eq!(settings.delay, Duration::from_secs(5));
        assert_eq!((settings.depth, settings.watch), (2, true));
        assert_eq!(settings.languages, ["zh"]);
        assert_eq!(settings.timeout, Duration::from_secs(10));
        assert_eq!(settings.per_host, Settings::default().per_host);
    }

    #[test]
    fn unknown_keys_and_impossible_values_are_refused() {
        assert!(toml::from_str::<Options>("dealy = 5").is_err());
        let zero = Options { per_host: Some(0), ..Options::default() };
        assert!(settings(zero).unwrap_err().to_string().contains("--per-host"));
        let contact = Options { contact: Some("a\r\nX-Evil: 1".to_owned()), ..Options::default() };
        assert!(settings(contact).is_err());
    }
}
