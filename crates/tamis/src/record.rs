//! A page's result as one flat record: a line of JSON for programs that read many pages.

use serde::Serialize;

use crate::comments::Part;
use crate::document::{Comment, Document, Entry, Post};
use crate::judgement::Judgement;
use crate::page::Page;
use crate::paths::Paths;
use crate::render::Options;

/// The version of the record's fields. It changes when a field goes or changes its meaning.
///
/// ```
/// let line = serde_json::to_value(tamis::Record::failed("cannot read it")).unwrap();
/// assert_eq!(line["schema"], tamis::RECORD_SCHEMA);
/// ```
pub const RECORD_SCHEMA: u32 = 1;

/// One page, extracted or failed.
///
/// ```
/// let extractor = tamis::Extractor::new();
/// let page = extractor.page("<p>Some text of a page, long enough to be kept by the method.");
/// let judgement = extractor.judge(&page);
/// let record = tamis::Record::of(&page, &judgement, &extractor.document(&page, &judgement));
/// let line = serde_json::to_string(&record).unwrap();
/// assert!(line.starts_with("{\"schema\":1,"));
/// assert_eq!(record.schema, tamis::RECORD_SCHEMA);
///
/// let failed = tamis::Record::failed("cannot read it");
/// assert_eq!(failed.error.as_deref(), Some("cannot read it"));
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct Record {
    /// [`RECORD_SCHEMA`].
    pub schema: u32,
    /// The caller's name for the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The file or address that was read.
    pub path: Option<String>,
    /// Where the page comes from.
    pub url: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// When it was published, as ISO 8601.
    pub published: Option<String>,
    /// When it was changed last, as ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who edited it, where the page tells editors from authors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub editors: Vec<String>,
    /// The original outlet of a reprint.
    pub source: Option<String>,
    /// The name of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_name: Option<String>,
    /// The language, as a tag (`en`, `zh-CN`).
    pub language: Option<String>,
    /// The direction of the text: `ltr` or `rtl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// What it is about, as the page says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Keywords.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Sections of the site.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The address of the picture that stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Under which terms it may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The address that the page calls its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The address of the page on which it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<String>,
    /// The address of the page with its comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments_page: Option<String>,
    /// The addresses of the site's feeds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub feeds: Vec<String>,
    /// The encoding of the bytes.
    pub encoding: Option<String>,
    /// Of what kind the page is.
    pub page_type: Option<String>,
    /// How probable that kind is, from 0 to 1.
    pub page_type_probability: Option<f32>,
    /// How sure the method is, from 0 to 1.
    pub confidence: Option<f32>,
    /// The method that judged the blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<&'static str>,
    /// The digest of the model of one's own that it decided with; nothing where it was the one that comes with the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The main text.
    pub text: String,
    /// What readers wrote below it, a text each; nothing where it was [not asked for](crate::Extractor::comments).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The posts of a thread; nothing where the page is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<Post>,
    /// What a listing leads to; nothing where the page is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Entry>,
    /// All blocks of the page, kept or not.
    pub blocks: Vec<BlockRecord>,
    /// What went wrong, if something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One block of a page.
///
/// ```
/// use tamis::{Extractor, Record};
///
/// let extractor = Extractor::new();
/// let page = extractor.page("<h1>Rain</h1><p>Some text of a page, long enough to be kept by the method.");
/// let judgement = extractor.judge(&page);
/// let block = &Record::of(&page, &judgement, &extractor.document(&page, &judgement)).blocks[1];
/// assert_eq!((block.kind.as_str(), block.path.as_str(), block.kept), ("p", "/html/body/p", true));
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct BlockRecord {
    /// Its text.
    pub text: String,
    /// The name of its block-level element.
    pub kind: String,
    /// Where it stands in the tree, as an XPath.
    pub path: String,
    /// Where it stands in the source, in bytes of the decoded text.
    pub span: [u32; 2],
    /// The method's score, from 0 to 1.
    pub score: f32,
    /// Is it part of the main text?
    pub kept: bool,
    /// Does it stand among readers' comments: `body` for what they wrote, `around` for the names, times and buttons
    /// beside it? Left out elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<&'static str>,
}

impl Record {
    /// The record of an extracted page.
    pub fn of(page: &Page<'_>, judgement: &Judgement, document: &Document) -> Record {
        let comments = page.comments();
        let main_text = comments.main_text(judgement);
        let mut paths = Paths::default();
        let blocks = page.blocks().iter().zip(&main_text.verdicts).enumerate();
        let blocks = blocks.map(|(place, (block, verdict))| BlockRecord {
            text: page.text(block).to_owned(),
            kind: page.element(block).name().unwrap_or("").to_owned(),
            path: paths.of(page.element(block)),
            span: [block.span.start, block.span.end],
            score: verdict.score,
            kept: verdict.keep,
            comment: comments.part(place).map(Part::name),
        });
        Record {
            schema: RECORD_SCHEMA,
            url: document.url.clone(),
            title: document.title.clone(),
            published: document.published.clone(),
            modified: document.modified.clone(),
            authors: document.authors.clone(),
            editors: document.editors.clone(),
            source: document.source.clone(),
            site_name: document.site_name.clone(),
            language: document.language.clone(),
            direction: document.direction.clone(),
            description: document.description.clone(),
            tags: document.tags.clone(),
            categories: document.categories.clone(),
            image: document.image.clone(),
            licence: document.licence.clone(),
            canonical: document.canonical.clone(),
            next_page: document.next_page.clone(),
            comments_page: document.comments_page.clone(),
            feeds: document.feeds.clone(),
            page_type: document.page_type.clone(),
            page_type_probability: document.page_type_probability,
            confidence: document.confidence,
            text: document.to_text(&Options { comments: false, ..Options::default() }),
            comments: document.comments.iter().map(Comment::to_text).collect(),
            posts: document.posts.clone(),
            entries: document.entries.clone(),
            blocks: blocks.collect(),
            ..Record::default()
        }
    }

    /// The record of a page that could not be read.
    pub fn failed(error: impl Into<String>) -> Record {
        Record { schema: RECORD_SCHEMA, error: Some(error.into()), ..Record::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extractor, Method};

    #[test]
    fn how_probable_the_kind_of_page_is_was_not_told() {
        let html = "<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring.";
        let line = |extractor: Extractor| {
            let page = extractor.page(html);
            let judgement = extractor.judge(&page);
            let record = Record::of(&page, &judgement, &extractor.document(&page, &judgement));
            serde_json::to_value(record).unwrap()["page_type_probability"].clone()
        };
        let told = line(Extractor::new()).as_f64().unwrap();
        assert!(told > 0.0 && told <= 1.0, "{told}");
        // Other methods tell none, and say so.
        assert!(line(Extractor::new().method(Method::Lines)).is_null());
    }
}
