//! The facts of a page: title, times, authors, source, language and the rest.
//!
//! First evidence, then a decision. [`Evidence`] holds every value that some part of the page offers for a fact, with
//! where it stands and what it weighs; the weights decide. One walk over the page picks everything up.
//!
//! ```
//! use tamis::facts::Field;
//!
//! let html = r#"<title>Rain at last | Harbour Gazette</title><meta property="og:site_name" content="Harbour Gazette">
//!     <h1>Rain at last</h1><p>By Ada Finch, 15 December 2010, 8:30 a.m.</p><p>It rained in the harbour on Monday, for the
//!     first time since the spring, and the gardens were glad of it, says the weather office.</p>"#;
//! let document = tamis::extract(html);
//! assert_eq!(document.title.as_deref(), Some("Rain at last"));
//! assert_eq!(document.published.as_deref(), Some("2010-12-15T08:30"));
//! assert_eq!(document.site_name.as_deref(), Some("Harbour Gazette"));
//!
//! let extractor = tamis::Extractor::new();
//! let page = extractor.page(html);
//! let evidence = extractor.evidence(&page, &extractor.judge(&page));
//! assert!(evidence.of(Field::Title).count() > 1);
//! ```

mod around;
mod authors;
pub(crate) mod clean;
mod comments_page;
pub mod dates;
mod described;
mod evidence;
pub(crate) mod json_ld;
mod language;
mod links;
mod microdata;
mod next_label;
mod published;
mod scan;
mod source;
mod things;
mod title;

use around::Around;
pub(crate) use authors::{is_byline, is_month_or_day};
pub(crate) use described::without_markup;
pub use evidence::{Candidate, Evidence, Field, Origin};
pub(crate) use published::{labels_a_day, month_first, tells_its_time};
pub(crate) use scan::text_of;

use crate::assemble::Address;
use crate::document::Document;
use crate::feed::Told;
use crate::fused::PageType;
use crate::judgement::Judgement;
use crate::page::Page;
use crate::site::Site;
use dates::Moment;

/// Puts the facts of a page into its document, and says what they were chosen from.
///
/// Not inlined, so that `cargo xtask facts-cost` can tell what it takes.
#[inline(never)]
pub(crate) fn fill(
    page: &Page<'_>,
    judgement: &Judgement,
    fetched: Option<Moment>,
    site: &Site,
    told: Option<Told<'_>>,
    document: &mut Document,
) -> Evidence {
    let mut evidence = Evidence::default();
    let around = Around::of(page, judgement, fetched).knowing(site).told(told);
    let address = Address::of(page).or_from(around.url.as_deref());
    document.url = page.url().filter(|url| clean::may_be_shown(url)).map(str::to_owned);
    title::gather(&around, &mut evidence);
    document.title = evidence.choose(Field::Title);
    language::gather(&around, judgement, &mut evidence);
    document.language = evidence.choose(Field::Language);
    document.direction =
        document.language.as_deref().map(|language| language::direction(language).to_owned());
    let (published, modified) = published::gather(&around, document.language.as_deref(), &mut evidence);
    document.published = published.map(|moment| moment.to_string());
    document.modified = modified.map(|moment| moment.to_string());
    (document.authors, document.editors) = authors::gather(&around, &mut evidence);
    // What many pieces of many people are listed on has no author, whoever has the site.
    // More probable than all other kinds together, that is: a guide with many links may have one.
    if judgement.whole.is_some_and(|whole| whole.page_type == PageType::Listing && whole.probability >= 0.5) {
        authors::of_listing(&mut document.authors, &mut evidence);
    }
    source::gather(&around, document.title.as_deref(), &mut evidence);
    document.source = evidence.choose(Field::Source);
    authors::without_source(document.source.as_deref(), &mut document.authors, &mut evidence);
    document.site_name = evidence.choose(Field::SiteName);
    links::gather(&around, &address, &mut evidence);
    document.canonical = evidence.choose(Field::Canonical);
    document.next_page = evidence.choose(Field::NextPage);
    document.comments_page = evidence.choose(Field::CommentsPage);
    document.licence = evidence.choose(Field::Licence);
    document.feeds = evidence.choose_all(Field::Feed, 20);
    described::gather(&around, &address, &mut evidence);
    document.page_type = evidence.choose(Field::PageType);
    document.description = evidence.choose(Field::Description);
    document.image = evidence.choose(Field::Image);
    document.tags = evidence.choose_all(Field::Tag, 40);
    document.categories = evidence.choose_all(Field::Category, 20);
    evidence
}
