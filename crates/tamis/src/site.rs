//! What is known of a site from its other pages.

use crate::page::Page;

/// What other pages of the site have shown. Methods that need nothing of the kind leave it alone.
///
/// ```
/// use tamis::{Page, Site};
///
/// let mut site = Site::default();
/// site.observe(&Page::parse("<p>Welcome to our site.<p>First article."));
/// assert_eq!(site.pages(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Site {
    pages: u32,
}

impl Site {
    /// Takes in a page of the site.
    pub fn observe(&mut self, _page: &Page<'_>) {
        self.pages += 1;
    }

    /// How many pages have been taken in.
    pub fn pages(&self) -> u32 {
        self.pages
    }
}
