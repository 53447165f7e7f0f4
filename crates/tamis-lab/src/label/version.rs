//! Which version of a page a choice of blocks was made for: block numbers are valid for that version only.

use tamis::page::Page;
use xxhash_rust::xxh3::Xxh3;

use crate::problem::Problem;
use crate::run;
use crate::set::{Set, TRUTH, Truth};

/// A digest of a page's blocks: their texts and boundaries.
pub fn blocks_digest(page: &Page<'_>) -> String {
    let mut digest = Xxh3::new();
    for block in 0..page.blocks.len() {
        let text = page.blocks.text(block);
        digest.update(&(text.len() as u64).to_le_bytes());
        digest.update(text.as_bytes());
    }
    format!("{:016x}", digest.digest())
}

/// The labelled pages of a set whose blocks have changed since: their true texts may be those of another version.
/// Labels without a digest are not checked.
pub fn changed(set: &Set) -> Vec<Problem> {
    let is_other = |truth: &&Truth| {
        let Some(digest) = &truth.blocks_digest else { return false };
        run::read(set, truth).is_ok_and(|html| blocks_digest(&Page::parse(&html)) != *digest)
    };
    let problem = |truth: &Truth| Problem {
        file: set.folder.join(TRUTH),
        line: truth.line,
        what: format!(
            "the blocks of {:?} are not those that were labelled: the page has changed since; label it again",
            truth.id
        ),
    };
    set.truths.iter().filter(is_other).map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_depends_on_texts_and_boundaries_alone() {
        let digest = |html: &str| blocks_digest(&Page::parse(html));
        assert_eq!(digest("<p>Home<p>It rained."), digest("<div>Home</div><div class=x>It rained.</div>"));
        assert_ne!(digest("<p>Home<p>It rained."), digest("<p>Home<p>Ad<p>It rained."));
        assert_ne!(digest("<p>It rained. Home"), digest("<p>It rained.<p>Home"));
    }
}
