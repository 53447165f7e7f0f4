//! The words of `data/terms.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

static TERMS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut terms: HashMap<_, Vec<_>> = HashMap::new();
    for (kind, term) in include_str!("../data/terms.tsv").lines().filter_map(|line| line.split_once('\t')) {
        terms.entry(kind).or_default().push(term);
    }
    terms
});

/// Whether any term of a kind satisfies a test.
fn any(kind: &str, test: impl FnMut(&&str) -> bool) -> bool {
    TERMS.get(kind).is_some_and(|terms| terms.iter().any(test))
}

/// Whether a feed with this title contains reader comments.
pub(crate) fn is_comment_feed(title: &str) -> bool {
    let starts = |prefix: &&str| {
        let start: String = title.chars().take(prefix.chars().count()).collect();
        // The prefix ends at the end of a word.
        let ends_inside =
            prefix.ends_with(char::is_alphabetic) && title[start.len()..].starts_with(char::is_alphabetic);
        start.to_lowercase() == **prefix && !ends_inside
    };
    any("comment-title-prefix", starts) || any("comment-title-suffix", |suffix| title.ends_with(suffix))
}

/// Whether a lower-case fragment names a comment.
pub(crate) fn is_comment_fragment(fragment: &str) -> bool {
    any("comment-fragment", |term| fragment.contains(term))
}

/// Whether a category means "none".
pub(crate) fn is_placeholder_category(category: &str) -> bool {
    let category = category.to_lowercase();
    any("placeholder-category", |term| category == **term)
}

/// Whether a host serves the feeds of other sites.
pub(crate) fn is_shared_host(host: &str) -> bool {
    any("shared-host", |term| host.contains(term))
}

/// Whether a parameter (`name=value`) tracks visitors.
pub(crate) fn is_tracking_parameter(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    any("tracking-parameter", |term| name == *term) || any("tracking-prefix", |term| name.starts_with(term))
}
