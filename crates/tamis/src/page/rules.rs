//! Rules that a user wrote for a site.

use tamis_html::Selector;

/// Rules for the pages of one site.
///
/// ```
/// let keep = vec!["div.story".parse()?];
/// let rules = tamis::page::SiteRules { host: "gazette.example".to_owned(), keep, ..Default::default() };
/// let page = "<div class=story>Rain.</div><p>It rained in the harbour on Monday, and the boats stayed in.</p>";
/// let document = tamis::extract(tamis::Input::text(page).rules(&rules)).unwrap();
/// assert_eq!(document.text, "Rain.\n");
/// assert_eq!(document.site_rules.as_deref(), Some("gazette.example: keep `div.story` (blocks: 1)"));
/// # Ok::<(), tamis_html::SelectorError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteRules {
    /// The host that the rules are for; a name in explanations.
    pub host: String,
    /// Elements that hold the main text. Where none holds any, the default decides.
    pub keep: Vec<Selector>,
    /// Whether the first of `keep` that finds text is the only one used.
    pub keep_first: bool,
    /// Elements that are not main text, also inside of kept ones.
    pub drop: Vec<Selector>,
    /// Where the title stands; the first selector that finds one is used.
    pub title: Vec<Selector>,
    /// Elements with the authors; as above.
    pub author: Vec<Selector>,
    /// Elements with the date of publication; as above.
    pub date: Vec<Selector>,
}

impl SiteRules {
    /// The selectors of each field by its name.
    pub fn fields(&self) -> [(&'static str, &[Selector]); 5] {
        let SiteRules { keep, drop, title, author, date, .. } = self;
        [("keep", keep), ("drop", drop), ("title", title), ("author", author), ("date", date)]
    }
}
