//! Which version of a page a choice of blocks was made for: numbers mean something only beside the blocks they count.

use tamis::Page;
use xxhash_rust::xxh3::Xxh3;

/// A digest of a page's blocks: their texts, and where one ends.
///
/// ```
/// use tamis::Page;
/// use tamis_lab::label::blocks_digest;
///
/// let digest = |html: &str| blocks_digest(&Page::parse(html));
/// assert_eq!(digest("<p>Home<p>It rained."), digest("<div>Home</div><div class=x>It rained.</div>"));
/// assert_ne!(digest("<p>Home<p>It rained."), digest("<p>Home<p>Ad<p>It rained."));
/// assert_ne!(digest("<p>It rained. Home"), digest("<p>It rained.<p>Home"));
/// ```
pub fn blocks_digest(page: &Page<'_>) -> String {
    let mut digest = Xxh3::new();
    for block in page.blocks() {
        let text = page.text(block);
        digest.update(&(text.len() as u64).to_le_bytes());
        digest.update(text.as_bytes());
    }
    format!("{:016x}", digest.digest())
}
