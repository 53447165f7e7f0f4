//! The types of an inspection. `docs/schema/inspection-1.json` describes their JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use tamis::explain::FeatureEvidence;
use tamis::metadata::Field;
use tamis::{Document, PageType};

/// The version of the JSON. New fields do not change it.
pub const SCHEMA: u32 = 1;

/// Everything that decided what was extracted from a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The page as a whole.
    pub page: PageSummary,
    /// The blocks, in document order.
    pub blocks: Vec<Block>,
    /// The methods that gave verdicts.
    pub methods: Vec<MethodSummary>,
    /// The curves of the published methods, and the probabilities of the learned one.
    pub curves: Vec<Curve>,
    /// The fields of the metadata with their candidates.
    pub metadata: Vec<FieldReport>,
    /// The extraction result in several formats.
    pub result: Output,
    /// The decoded page, which spans refer to, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The page for display, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<PageView>,
    /// Parts omitted to bound the size of the inspection, in words.
    pub left_out: Vec<String>,
}

/// A page as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PageSummary {
    /// Its URL.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// Its direction: `ltr` or `rtl`.
    pub direction: Option<&'static str>,
    /// The WHATWG name of its encoding, if it came as bytes.
    pub encoding: Option<&'static str>,
    /// The size of the decoded source, which spans refer to.
    pub bytes: usize,
    /// The nodes of the tree.
    pub nodes: usize,
    /// Its blocks.
    pub blocks: usize,
    /// Those that are main text.
    pub kept: usize,
    /// The kind of page.
    pub page_type: PageType,
    /// The probability of that kind.
    pub page_type_probability: f32,
    /// Calibrated estimate of the quality of the text.
    pub confidence: f32,
    /// The decision threshold.
    pub threshold: f32,
    /// The bias that moved it, from -1 (precision) to 1 (recall).
    pub bias: f32,
    /// The method that extracted: `fused` unless told otherwise.
    pub method: String,
    /// What rules of the user did, in a line.
    pub rules: Option<String>,
    /// Other pages that the site memory knows.
    pub site_pages: Option<u32>,
    /// The limit at which parsing stopped.
    pub truncated: Option<String>,
}

/// A block: a line of visible text within one block-level element.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Block {
    /// Its number, from 0.
    pub index: u32,
    /// Its text; the beginning of it where it is long.
    pub text: String,
    /// The XPath of its element.
    pub path: String,
    /// Byte range in the decoded source.
    pub span: [u32; 2],
    /// Its predicted class.
    pub class: BlockClass,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Probability of main text.
    pub probability: f32,
    /// Its words.
    pub words: u32,
    /// Its links.
    pub links: u32,
    /// The rule of the user that decided, whatever the evidence says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The strongest evidence of the learned model, in words; first what moved the probability most.
    pub evidence: Vec<FeatureEvidence>,
    /// The verdicts of the methods by name.
    pub methods: BTreeMap<&'static str, Verdict>,
    /// What the site memory says, if it knows the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<BlockSite>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum BlockClass {
    /// Main text.
    Main,
    /// The heading that is the title of the page.
    Title,
    /// A caption of a picture or a table.
    Caption,
    /// A reader's comment.
    Comment,
    /// Belongs to the main text without being part of it: byline, date, credit.
    Supplemental,
    /// Teasers of and links to other pages.
    Related,
    /// Navigation, advertising and other boilerplate.
    #[default]
    Noise,
}

/// A method's verdict on a block.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether it is main text.
    pub keep: bool,
    /// How strongly, from 0 to 1.
    pub score: f32,
    /// The numbers that led to it, under the names of the method's paper.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<&'static str, f64>,
}

/// What the memory of the site says of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BlockSite {
    /// Other pages of the site with this text.
    pub pages: u32,
    /// Whether its element is a template of the site.
    pub template: bool,
    /// A person's word on it: whether to keep it.
    pub decision: Option<bool>,
}

/// A method and what it kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MethodSummary {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The blocks that it keeps.
    pub kept: usize,
    /// The words in them.
    pub words: u64,
}

/// The numbers that a method computes over the units of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Curve {
    /// The method.
    pub method: &'static str,
    /// The title of the plot.
    pub title: &'static str,
    /// The unit that a point represents, such as a block or an element.
    pub unit: &'static str,
    /// Half-open range of blocks per point; `null` if the point has no block.
    pub blocks: Vec<Option<[u32; 2]>>,
    /// The series, with one value per point.
    pub series: Vec<Series>,
    /// Constants to compare them with.
    pub thresholds: Vec<Threshold>,
    /// The number of units. Where there are more than points, a point is the highest of its neighbours.
    pub units: usize,
}

/// A series of a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Series {
    /// Its name in the paper.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<f64>,
}

/// A constant that a series is compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Threshold {
    /// Its name in the paper.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
}

/// A field of the metadata, and why it has its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FieldReport {
    /// The field.
    pub field: Field,
    /// The chosen value as text; several are joined by commas.
    pub value: Option<String>,
    /// Where it was found.
    pub source: Option<String>,
    /// Estimated probability that it is right.
    pub confidence: Option<f32>,
    /// Why it was chosen, or why nothing was.
    pub why: String,
    /// The candidates, the best first. Empty for fields that are read from one place.
    pub candidates: Vec<Candidate>,
}

/// A candidate for a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Candidate {
    /// The value.
    pub value: String,
    /// Where it was found first.
    pub source: String,
    /// The sum of the weights of its signs.
    pub score: f32,
    /// Whether it was chosen.
    pub chosen: bool,
    /// What speaks for and against it, the weightiest first.
    pub signs: Vec<Sign>,
}

/// A sign of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Sign {
    /// Its name.
    pub name: &'static str,
    /// Its weight; negative speaks against the candidate.
    pub weight: f32,
}

/// The extraction result in several formats.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Output {
    /// Plain text.
    pub text: String,
    /// Markdown with links and images.
    pub markdown: String,
    /// A clean HTML page.
    pub html: String,
    /// The document, as `tamis extract -f json` has it.
    pub record: Document,
}

/// A page for display: without scripts, without anything that loads, with its blocks marked.
///
/// `html` is a whole document for the `srcdoc` of a sandboxed frame. Each text of block `n` stands in `<tamis-b n="n">`,
/// and style attributes have become `data-style`: both are for the page around the frame to fill in, since a frame
/// inherits its policy and may forbid inline styles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PageView {
    /// The document.
    pub html: String,
    /// The style sheets inside the page, one after the other.
    pub styles: String,
}
