//! Which URLs belong to a collection: those of the seeds' sites, narrowed by include and exclude patterns.

use std::collections::BTreeSet;

use globset::{Glob, GlobSet, GlobSetBuilder};
use url::Url;

use crate::urls::site_of;

/// Whether a URL is in scope, and if not, why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// On a seed's site and allowed by the patterns.
    InScope,
    /// On another site.
    OutOfScope,
    /// Matches this exclude pattern.
    Excluded(String),
    /// There are include patterns, and none matches.
    NotIncluded,
}

/// A pattern that is not a valid glob.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "invalid URL pattern {pattern:?}: {reason}; `*` stands for any characters, `[`, `{{` and `\\` need a `\\` before them"
)]
pub struct ScopeError {
    /// The pattern as given.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The scope of a collection.
#[derive(Clone, Debug)]
pub struct Scope {
    sites: BTreeSet<String>,
    include: GlobSet,
    exclude: GlobSet,
    exclude_patterns: Vec<String>,
}

impl Scope {
    /// The sites of `seeds`, narrowed by glob patterns over whole URLs; `*` also matches `/`. Without include
    /// patterns everything on the sites is included. Patterns never widen the scope to other sites.
    pub fn new<'u>(
        seeds: impl IntoIterator<Item = &'u Url>,
        include: &[String],
        exclude: &[String],
    ) -> Result<Scope, ScopeError> {
        Ok(Scope {
            sites: seeds.into_iter().map(site_of).collect(),
            include: glob_set(include)?,
            exclude: glob_set(exclude)?,
            exclude_patterns: exclude.to_vec(),
        })
    }

    /// Adds the site of another seed.
    pub fn add_seed(&mut self, seed: &Url) {
        self.sites.insert(site_of(seed));
    }

    /// Decides about a URL.
    pub fn decide(&self, url: &Url) -> Decision {
        let excluding = self.exclude.matches(url.as_str()).into_iter().min();
        if let Some(pattern) = excluding.and_then(|index| self.exclude_patterns.get(index)) {
            return Decision::Excluded(pattern.clone());
        }
        if !self.include.is_empty() && !self.include.is_match(url.as_str()) {
            return Decision::NotIncluded;
        }
        if !self.sites.contains(&site_of(url)) {
            return Decision::OutOfScope;
        }
        Decision::InScope
    }
}

fn glob_set(patterns: &[String]) -> Result<GlobSet, ScopeError> {
    let error = |pattern: &str, error: &globset::Error| ScopeError {
        pattern: pattern.to_owned(),
        reason: error.kind().to_string(),
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(|reason| error(pattern, &reason))?);
    }
    set.build().map_err(|reason| error(reason.glob().unwrap_or_default(), &reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urls::parse;

    #[test]
    fn excludes_come_first_then_includes_then_sites() {
        let seeds =
            ["https://news.gazette.co.uk/", "http://127.0.0.1:8080/"].map(|seed| parse(seed).unwrap());
        let include = ["*gazette.co.uk/news/*".to_owned(), "http://127.0.0.1:8080/*".to_owned()];
        let exclude = ["*/tags/*".to_owned(), "*\\?print=*".to_owned()];
        let scope = Scope::new(&seeds, &include, &exclude).unwrap();
        let excluded = |pattern: &str| Decision::Excluded(pattern.to_owned());
        for (url, decision) in [
            ("https://www.gazette.co.uk/news/rain", Decision::InScope),
            ("https://www.gazette.co.uk/sport/1", Decision::NotIncluded),
            ("https://www.gazette.co.uk/news/tags/rain", excluded("*/tags/*")),
            ("https://www.gazette.co.uk/news/rain?print=1", excluded("*\\?print=*")),
            ("https://other.co.uk/news/rain", Decision::NotIncluded),
            ("https://other.co.uk/tags/rain", excluded("*/tags/*")),
            ("https://othergazette.co.uk/news/rain", Decision::OutOfScope),
            ("http://127.0.0.1:8080/a/b", Decision::InScope),
            ("http://127.0.0.1:8081/a/b", Decision::NotIncluded),
        ] {
            assert_eq!(scope.decide(&parse(url).unwrap()), decision, "{url}");
        }
    }

    #[test]
    fn without_patterns_the_sites_are_the_scope() {
        let mut scope = Scope::new([], &[], &[]).unwrap();
        let url = parse("https://gazette.example/a").unwrap();
        assert_eq!(scope.decide(&url), Decision::OutOfScope);
        scope.add_seed(&url);
        assert_eq!(scope.decide(&url), Decision::InScope);
    }

    #[test]
    fn a_broken_pattern_is_named() {
        let error = Scope::new([], &[], &["*/[a".to_owned()]).unwrap_err();
        assert_eq!(error.pattern, "*/[a");
        assert!(error.to_string().contains("*/[a"), "{error}");
    }
}
