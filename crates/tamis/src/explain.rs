//! Why each block was kept or dropped: the judgements of one or several methods, side by side.
//!
//! Three forms: a table for the terminal, JSON for programs, and one self-contained HTML file in which the blocks are
//! coloured by verdict beside the curve that the method's paper draws.

mod html;
mod table;

use crate::extract::Extractor;
use crate::judgement::Judgement;
use crate::methods::Method;
use crate::page::Page;
use crate::paths::Paths;

/// The judgements of some methods on one page, ready to be shown.
///
/// ```
/// use tamis::{Explanation, Method, Page, Site};
///
/// let page = Page::parse("<p>A sentence with a comma, and a full stop.<p><a href=/>Home</a>");
/// let explanation = Explanation::of(&page, &[Method::Lines, Method::Correlation], &Site::default());
/// assert!(explanation.to_table(80).contains("lines"));
/// assert!(explanation.to_html().starts_with("<!doctype html>"));
/// # #[cfg(feature = "serde")]
/// assert!(explanation.to_json().contains("\"score\""));
/// ```
pub struct Explanation<'p> {
    page: &'p Page<'p>,
    methods: Vec<(Method, Judgement)>,
}

impl<'p> Explanation<'p> {
    /// Lets each method judge the page.
    pub fn of(page: &'p Page<'p>, methods: &[Method], site: &crate::Site) -> Explanation<'p> {
        let methods = methods.iter().map(|&method| (method, method.judge(page, site))).collect();
        Explanation { page, methods }
    }

    /// Lets each method judge the page as an extractor would with it: with its site, its feeds, its dial.
    ///
    /// ```
    /// use tamis::{Explanation, Extractor, Method};
    ///
    /// let extractor = Extractor::new();
    /// let page = extractor.page("<p>A sentence with a comma, and a full stop.");
    /// assert!(Explanation::by(&page, &[Method::Lines], &extractor).to_table(80).contains("lines"));
    /// ```
    pub fn by(page: &'p Page<'p>, methods: &[Method], extractor: &Extractor) -> Explanation<'p> {
        let judge = |&method: &Method| (method, extractor.clone().method(method).judge(page));
        Explanation { page, methods: methods.iter().map(judge).collect() }
    }

    /// As a table of at most `width` columns: a line a block, a column a method.
    pub fn to_table(&self, width: usize) -> String {
        table::table(self, width)
    }

    /// As one HTML file that needs nothing else.
    pub fn to_html(&self) -> String {
        html::html(self)
    }

    /// As one JSON object: `url`, `title`, `page` (for each method that tells them: `page_type`, `page_type_probability` and `confidence`), and `blocks`, each with `text`, `path`, `span`, `words`, `links`, `hidden`,
    /// `veiled` (what hides it in the markup, also where it is taken as seen because much of the page is: `attribute`, `style`, `aria`, `noscript`, `template` or null),
    /// `comment` (`body`, `around` or null: where it stands among readers' comments, which a document leaves out) and for each method `keep`, `score`,
    /// the numbers that led to it (`why`), and the probabilities of `classes` (`main`, `comment`, `title`, `byline`, `caption`,
    /// `noise`; null for methods that do not tell them).
    #[cfg(feature = "serde")]
    pub fn to_json(&self) -> String {
        use std::collections::BTreeMap;

        use serde_json::{Map, Value, json};

        use crate::fused::BlockClass;

        let verdict = |place: usize, judgement: &Judgement| {
            let verdict = judgement.verdicts.get(place).cloned().unwrap_or_default();
            let why: Map<String, Value> =
                verdict.why.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            let classes = judgement.classes.get(place).map(|classes| {
                BlockClass::ALL
                    .iter()
                    .map(|class| (class.name(), classes.of(*class)))
                    .collect::<BTreeMap<_, _>>()
            });
            json!({ "keep": verdict.keep, "score": verdict.score, "why": why, "classes": classes })
        };
        let mut paths = Paths::default();
        let blocks = self.page.blocks().iter().enumerate().map(|(place, block)| {
            let methods: Map<String, Value> = self
                .methods
                .iter()
                .map(|(method, judgement)| (method.name().to_owned(), verdict(place, judgement)))
                .collect();
            json!({
                "text": self.page.text(block),
                "path": paths.of(self.page.element(block)),
                "span": [block.span.start, block.span.end],
                "words": block.measures.text.words,
                "links": block.measures.links,
                "hidden": block.hidden.is_some(),
                "veiled": block.veiled.map(crate::block::Hidden::name),
                "comment": self.page.comments().part(place).map(crate::comments::Part::name),
                "methods": methods,
            })
        });
        let blocks: Vec<Value> = blocks.collect();
        let wholes: Map<String, Value> = self
            .methods
            .iter()
            .filter_map(|(method, judgement)| {
                let whole = judgement.whole?;
                let said = json!({
                    "page_type": whole.page_type.name(),
                    "page_type_probability": whole.probability,
                    "confidence": whole.confidence,
                });
                Some((method.name().to_owned(), said))
            })
            .collect();
        json!({ "url": self.page.url(), "title": self.page.title(), "page": wholes, "blocks": blocks })
            .to_string()
    }
}
