//! Seeds: the sites, feeds and sitemaps that the user added.

use tamis_corpus::database::Transaction;
use tamis_corpus::{Corpus, params};
use url::Url;

use crate::error::Error;
use crate::frontier::{self, Found, Kind};
use crate::urls;

/// The result of adding a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedSeed {
    /// The stored URL: normalised, without credentials.
    pub url: String,
    /// Whether the URL was unknown.
    pub new: bool,
    /// Whether it had a user name or password, which are not stored.
    pub had_credentials: bool,
}

/// Adds all seeds, or none if one is not a web URL.
pub fn add(corpus: &mut Corpus, seeds: &[String], now: i64) -> Result<Vec<AddedSeed>, Error> {
    let mut parsed = Vec::with_capacity(seeds.len());
    for seed in seeds {
        // The scheme is optional, as in browsers.
        let written =
            if seed.contains("://") { seed.trim().to_owned() } else { format!("https://{}", seed.trim()) };
        let url = urls::parse(&written).ok_or_else(|| Error::Seed(shown(seed)))?;
        let original = Url::parse(&written).ok();
        let had_credentials =
            original.is_some_and(|url| !url.username().is_empty() || url.password().is_some());
        parsed.push((url, had_credentials));
    }
    Ok(corpus.transaction(|tx| {
        let mut added = Vec::with_capacity(parsed.len());
        for (url, had_credentials) in &parsed {
            tx.execute(
                "INSERT INTO seed (url, added) VALUES ($1, $2) ON CONFLICT (url) DO NOTHING",
                params![url.as_str(), now],
            )?;
            let found = Found {
                url: url.to_string(),
                host: urls::host_key(url),
                kind: Kind::Seed,
                depth: 0,
                redirects: 0,
                story_id: None,
                part: None,
                changed: None,
            };
            let new = !frontier::add_urls(tx, std::slice::from_ref(&found), None, now)?.is_empty();
            if !new {
                // Already known: make it a seed that is due now.
                tx.execute(
                    "UPDATE url SET depth = 0, due = $1, priority = 0, failures = 0,
                         kind = CASE WHEN kind IN ('feed', 'sitemap') THEN kind ELSE 'seed' END
                     WHERE url = $2",
                    params![now, url.as_str()],
                )?;
            }
            added.push(AddedSeed { url: url.to_string(), new, had_credentials: *had_credentials });
        }
        Ok(added)
    })?)
}

/// All seeds.
pub(crate) fn all(tx: &mut Transaction<'_>) -> Result<Vec<Url>, tamis_corpus::Error> {
    let rows = tx.query("SELECT url FROM seed ORDER BY url", &[])?;
    let mut seeds = Vec::with_capacity(rows.len());
    for row in rows {
        seeds.extend(Url::parse(&row.get::<String>(0)?).ok());
    }
    Ok(seeds)
}

/// A seed for messages: truncated, and without a possible password.
pub(crate) fn shown(seed: &str) -> String {
    let without = seed.rsplit('@').next().unwrap_or_default();
    without.chars().take(100).collect()
}
