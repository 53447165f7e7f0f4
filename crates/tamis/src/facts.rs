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
pub mod dates;
mod evidence;
mod json_ld;
mod microdata;
mod published;
mod scan;
mod things;
mod title;

use around::Around;
pub use evidence::{Candidate, Evidence, Field, Origin};

use crate::document::Document;
use crate::judgement::Judgement;
use crate::page::Page;
use dates::Moment;

/// Puts the facts of a page into its document, and says what they were chosen from.
pub(crate) fn fill(
    page: &Page<'_>,
    judgement: &Judgement,
    fetched: Option<Moment>,
    document: &mut Document,
) -> Evidence {
    let mut evidence = Evidence::default();
    let around = Around::of(page, judgement, fetched);
    document.url = page.url().map(str::to_owned);
    title::gather(&around, &mut evidence);
    document.title = evidence.choose(Field::Title);
    let language = page.dom().html().and_then(|html| html.attribute_named(tamis_html::Name::LANG)).and_then(language);
    let (published, modified) = published::gather(&around, language.as_deref(), &mut evidence);
    document.published = published.map(|moment| moment.to_string());
    document.modified = modified.map(|moment| moment.to_string());
    document.language = language;
    evidence
}

/// A language tag that looks like one: `en`, `zh-CN`, `ug`.
fn language(tag: std::borrow::Cow<'_, str>) -> Option<String> {
    let tag = tag.trim();
    let sound = tag
        .split(['-', '_'])
        .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    (sound && tag.len() >= 2).then(|| tag.replace('_', "-"))
}
