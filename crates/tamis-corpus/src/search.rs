//! Full-text search over titles and texts, with filters, on both databases.
//!
//! Only the [`MAX_CANDIDATES`] most recently stored matches are ranked. Otherwise a word that is in most stories would
//! require scoring all of them, and nobody reads that far.

mod candidates;
mod index;
mod newest;
mod query;
mod snippet;

use std::collections::HashSet;

use serde::Serialize;

pub use index::{index, unindex};
pub use newest::{Position, newest};
pub use snippet::Snippet;

use crate::database::Transaction;
use crate::error::Error;
use crate::filter::{Conditions, Filter};
use crate::params;
use candidates::Candidate;
use query::{Parsed, Term};

/// Most matches ranked, newest first.
pub const MAX_CANDIDATES: usize = 500;
/// Length of the text prefix searched for a snippet, in characters.
const SNIPPET_SEARCH: i64 = 50_000;

/// What to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Words are ANDed; `"a phrase"`, `-excluded`, `prefix*` and `OR` between neighbours. Any text is a valid query;
    /// one without a positive term finds nothing.
    pub text: String,
    /// Which stories to search.
    pub filter: Filter,
    /// Return only the best hit per group of near-duplicates. Default: yes.
    pub group_duplicates: bool,
    /// The order of hits.
    pub sort: Sort,
    /// Number of hits to return.
    pub limit: usize,
    /// Number of hits to skip.
    pub offset: usize,
}

/// The order of hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sort {
    /// Best first; words in titles have more weight.
    #[default]
    Relevance,
    /// Newest first, by publication time, or else fetch time.
    Newest,
}

impl Query {
    /// A query without filters for the 20 best hits.
    pub fn new(text: impl Into<String>) -> Query {
        Query {
            text: text.into(),
            filter: Filter::default(),
            group_duplicates: true,
            sort: Sort::default(),
            limit: 20,
            offset: 0,
        }
    }
}

/// A matching story.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hit {
    /// The story's id.
    pub id: i64,
    /// Its URL.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// Its host.
    pub host: String,
    /// The outlet, or else the name of the site.
    pub source: Option<String>,
    /// Publication time, as precise as the page.
    pub published: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Relevance. Scores are comparable only within one result.
    pub score: f64,
    /// An excerpt with the words.
    pub snippet: Snippet,
    /// Number of near-duplicates of it.
    pub duplicates: u32,
}

/// The stories that match, in order.
pub fn search(tx: &mut Transaction<'_>, query: &Query) -> Result<Vec<Hit>, Error> {
    let parsed = Parsed::new(&query.text);
    let conditions = Conditions::new(&query.filter);
    let wanted = query.limit.saturating_add(query.offset).min(MAX_CANDIDATES);
    let mut candidates = candidates::find(tx, &parsed, &conditions, wanted)?;
    match query.sort {
        Sort::Relevance => candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id))),
        Sort::Newest => candidates.sort_by_key(|candidate| (-candidate.time, -candidate.id)),
    }
    // A long text has one candidate per chunk.
    let (mut seen, mut groups) = (HashSet::new(), HashSet::new());
    candidates.retain(|candidate| {
        seen.insert(candidate.id) && (!query.group_duplicates || groups.insert(candidate.group))
    });
    let terms: Vec<&Term> = parsed.all.iter().flatten().collect();
    let page = candidates.iter().skip(query.offset).take(query.limit);
    page.filter_map(|candidate| load(tx, candidate, &terms).transpose()).collect()
}

fn load(tx: &mut Transaction<'_>, candidate: &Candidate, terms: &[&Term]) -> Result<Option<Hit>, Error> {
    let sql = "SELECT s.url, s.title, s.host, coalesce(s.source, s.site_name), s.published, s.language,
            substr(s.text, 1, CAST($2 AS INTEGER)), (SELECT count(*) FROM story g WHERE g.group_id = s.group_id)
        FROM story s WHERE s.id = $1";
    let Some(mut row) = tx.query_first(sql, params![candidate.id, SNIPPET_SEARCH])? else { return Ok(None) };
    let text: String = row.take(6)?;
    let group: u32 = row.get(7)?;
    Ok(Some(Hit {
        id: candidate.id,
        url: row.take(0)?,
        title: row.take(1)?,
        host: row.take(2)?,
        source: row.take(3)?,
        published: row.take(4)?,
        language: row.take(5)?,
        score: candidate.score,
        snippet: Snippet::new(&text, terms),
        duplicates: group.saturating_sub(1),
    }))
}

#[cfg(test)]
mod tests;
