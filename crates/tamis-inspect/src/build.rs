//! From an analysed page to its inspection.

use std::collections::BTreeMap;

use tamis::explain::{BlockExplanation, Explanation};
use tamis::metadata::Direction;
use tamis::page::{NONE, Page};
use tamis::render::RenderOptions;
use tamis::{Analysis, Bias, Document, ExtractError, Extractor, Input, SiteMemory};
use tamis_html::Name;
use tamis_methods::{CustomModel, Judgement, Method, Selection, svm, template_svm};

use crate::curves::{self, BlockRanges};
use crate::inspection::{
    Block, BlockClass, BlockSite, Inspection, MethodSummary, Output, PageSummary, SCHEMA, Verdict,
};
use crate::{metadata, view};

/// Characters of a block's text.
const MAX_TEXT: usize = 2_000;
/// Pages with more blocks have less evidence for each.
const MANY_BLOCKS: usize = 4_000;
/// Pieces of evidence per block of such a page.
const FEW_EVIDENCE: usize = 3;
/// Blocks that are listed.
const MAX_BLOCKS: usize = 25_000;
/// Ancestors among which a caption is looked for.
const MAX_CAPTION_DEPTH: usize = 4;

/// What an inspection has.
#[derive(Clone, Debug)]
pub struct InspectOptions<'a> {
    /// The methods to ask. Default: all.
    pub methods: Vec<Selection>,
    /// The model of `svm` and `template-svm`. Default: the built-in one.
    pub svm: Option<&'a CustomModel>,
    /// The bias of the extractor, for the record.
    pub bias: Bias,
    /// The method of the extractor, for the record.
    pub method: Selection,
    /// Whether to include the page for display. Default: yes.
    pub view: bool,
    /// Whether to include the decoded page, for callers that have fetched it. Default: no.
    pub source: bool,
}

impl Default for InspectOptions<'_> {
    fn default() -> Self {
        InspectOptions {
            methods: Selection::all().collect(),
            svm: None,
            bias: Bias::default(),
            method: Selection::default(),
            view: true,
            source: false,
        }
    }
}

/// Inspects a page. Configure `extractor` to collect comments; otherwise the result has none.
///
/// # Errors
/// Those of the extraction.
pub fn inspect(
    extractor: &Extractor,
    input: Input<'_>,
    options: &InspectOptions<'_>,
) -> Result<Inspection, ExtractError> {
    extractor.explain_with(input, |analysis, explanation| {
        of_analysis(extractor, &input, analysis, explanation, options)
    })
}

/// Inspects an analysed page. `input` may carry hints that were found meanwhile.
pub fn of_analysis(
    extractor: &Extractor,
    input: &Input<'_>,
    analysis: &Analysis<'_>,
    explanation: Explanation,
    options: &InspectOptions<'_>,
) -> Inspection {
    let page = &analysis.page;
    let context = input.metadata_context();
    let others = input.site_memory().and_then(|site| site.excluding(page, context.url));
    let site = others.as_deref().or(input.site_memory());
    let published = options.methods.iter().filter_map(|selection| match selection {
        Selection::Published(_) if page.deadline_exceeded() => None,
        Selection::Fused => None,
        Selection::Published(method) => Some((*method, judge(*method, page, site, options.svm))),
    });
    let judgements: Vec<(Method, Judgement)> = published.collect();
    let document = extractor.document(input, analysis);
    let mut left_out = Vec::new();
    let metadata = metadata::fields(analysis, &context, &document.metadata);
    let curves = curves::of(page, &analysis.prediction, options, &judgements, &BlockRanges::of(page));
    let summary = summary(analysis, &document, &explanation, options, site);
    let builder =
        BlockBuilder { page, options, judgements: &judgements, site, title: title_block(page, &document) };
    let count = explanation.blocks.len();
    let methods = methods(page, &explanation, options, &judgements);
    let blocks = explanation.blocks.into_iter().take(MAX_BLOCKS).enumerate();
    let blocks = blocks.map(|(index, block)| builder.block(index, block, count > MANY_BLOCKS)).collect();
    if count > MANY_BLOCKS {
        left_out.push(format!(
            "more than {MANY_BLOCKS} blocks: {FEW_EVIDENCE} pieces of evidence each, and no numbers of the published methods"
        ));
    }
    if count > MAX_BLOCKS {
        left_out.push(format!("blocks after the first {MAX_BLOCKS}"));
    }
    let view = options.view.then(|| view::of(page, &mut left_out));
    let result = Output {
        text: document.text.clone(),
        markdown: document.to_markdown_with(&RenderOptions::all()),
        html: document.to_html(),
        record: document,
    };
    let source = options.source.then(|| page.dom.source().to_owned());
    Inspection {
        schema: SCHEMA,
        page: summary,
        blocks,
        methods,
        curves,
        metadata,
        result,
        source,
        view,
        left_out,
    }
}

fn judge(
    method: Method,
    page: &Page<'_>,
    site: Option<&dyn SiteMemory>,
    model: Option<&CustomModel>,
) -> Judgement {
    match (method, model.and_then(CustomModel::svm)) {
        (Method::Svm, Some(model)) => svm::judge(page, model),
        (Method::TemplateSvm, Some(model)) => template_svm::judge(page, site, model),
        _ => method.judge(page, site),
    }
}

fn summary(
    analysis: &Analysis<'_>,
    document: &Document,
    explanation: &Explanation,
    options: &InspectOptions<'_>,
    site: Option<&dyn SiteMemory>,
) -> PageSummary {
    let page = &analysis.page;
    PageSummary {
        url: document.url.clone(),
        title: document.metadata.title.clone(),
        language: document.metadata.language.as_ref().map(ToString::to_string),
        direction: document.metadata.direction.map(|direction| match direction {
            Direction::Ltr => "ltr",
            Direction::Rtl => "rtl",
        }),
        encoding: analysis.encoding,
        bytes: page.dom.source().len(),
        nodes: page.dom.len(),
        blocks: explanation.blocks.len(),
        kept: explanation.blocks.iter().filter(|block| block.kept).count(),
        page_type: document.page_type,
        page_type_probability: rounded(document.page_type_probability),
        confidence: rounded(document.confidence),
        threshold: rounded(explanation.threshold),
        bias: options.bias.level(),
        method: options.method.name().to_owned(),
        rules: explanation.rules.clone(),
        site_pages: site.map(SiteMemory::pages),
        truncated: document.truncated.clone(),
    }
}

fn methods(
    page: &Page<'_>,
    explanation: &Explanation,
    options: &InspectOptions<'_>,
    judgements: &[(Method, Judgement)],
) -> Vec<MethodSummary> {
    let summary = |selection: &Selection| {
        let mut kept: Box<dyn Iterator<Item = usize>> = match selection {
            Selection::Fused => {
                let blocks = explanation.blocks.iter().enumerate();
                Box::new(blocks.filter(|(_, block)| block.kept).map(|(index, _)| index))
            }
            Selection::Published(method) => {
                let (_, judgement) = judgements.iter().find(|(known, _)| known == method)?;
                Box::new(judgement.kept())
            }
        };
        let (kept, words) = kept.by_ref().fold((0, 0), |(kept, words), block| {
            (kept + 1, words + u64::from(page.blocks.counts.get(block).map_or(0, |counts| counts.words)))
        });
        Some(MethodSummary { name: selection.name(), about: selection.about(), kept, words })
    };
    options.methods.iter().filter_map(summary).collect()
}

/// The block that is the title of the page: the first heading with its words.
fn title_block(page: &Page<'_>, document: &Document) -> Option<usize> {
    let title = document.metadata.title.as_deref()?;
    let same = |text: &str| text.split_whitespace().eq(title.split_whitespace());
    (0..page.blocks.len()).find(|block| {
        let element = page.elements.node[page.blocks.element[*block] as usize];
        let is_heading = page.dom.node(element).is_some_and(|node| node.heading_level().is_some());
        is_heading && same(page.blocks.text(*block))
    })
}

/// Makes blocks of explanations.
struct BlockBuilder<'a> {
    page: &'a Page<'a>,
    options: &'a InspectOptions<'a>,
    judgements: &'a [(Method, Judgement)],
    site: Option<&'a dyn SiteMemory>,
    title: Option<usize>,
}

impl BlockBuilder<'_> {
    fn block(&self, index: usize, explained: BlockExplanation, is_one_of_many: bool) -> Block {
        let class = self.class(index, explained.class);
        let sums = self.page.blocks.sum(index, index + 1);
        let mut evidence = explained.evidence;
        if is_one_of_many {
            evidence.truncate(FEW_EVIDENCE);
        }
        for piece in &mut evidence {
            (piece.value, piece.log_odds) = (rounded(piece.value), rounded(piece.log_odds));
        }
        let probability = rounded(explained.probability);
        let fused = Verdict { keep: explained.kept, score: probability, evidence: BTreeMap::new() };
        let has_fused = self.options.methods.contains(&Selection::Fused);
        let mut methods: BTreeMap<&'static str, Verdict> =
            has_fused.then_some((Selection::Fused.name(), fused)).into_iter().collect();
        for (method, judgement) in self.judgements {
            let Some(verdict) = judgement.verdicts.get(index) else { continue };
            let numbers = verdict.evidence.iter().filter(|_| !is_one_of_many).copied();
            let numbers = numbers.filter(|(_, value)| value.is_finite()).collect();
            let score = rounded(verdict.score);
            methods.insert(method.name(), Verdict { keep: verdict.keep, score, evidence: numbers });
        }
        let site = self.site.and_then(|site| self.site_of(site, index));
        Block {
            index: index as u32,
            text: shortened(explained.text),
            path: explained.path,
            span: explained.span,
            class,
            kept: explained.kept,
            probability,
            words: sums.words,
            links: sums.links,
            rule: explained.rule,
            evidence,
            methods,
            site,
        }
    }

    fn class(&self, index: usize, learned: &str) -> BlockClass {
        let class = match learned {
            "main" => BlockClass::Main,
            "comment" => BlockClass::Comment,
            "supplemental" => BlockClass::Supplemental,
            "related" => BlockClass::Related,
            _ => BlockClass::Noise,
        };
        if self.title == Some(index) {
            BlockClass::Title
        } else if matches!(class, BlockClass::Main | BlockClass::Supplemental) && self.is_caption(index) {
            BlockClass::Caption
        } else {
            class
        }
    }

    fn is_caption(&self, index: usize) -> bool {
        let elements = &self.page.elements;
        let parent = |element: &u32| elements.parent.get(*element as usize).copied().filter(|it| *it != NONE);
        std::iter::successors(Some(self.page.blocks.element[index]), parent)
            .take(MAX_CAPTION_DEPTH)
            .any(|element| [Name::FIGCAPTION, Name::CAPTION].contains(&elements.name[element as usize]))
    }

    fn site_of(&self, site: &dyn SiteMemory, index: usize) -> Option<BlockSite> {
        let text = self.page.blocks.text(index);
        let tag = self.page.dom.name_text(self.page.elements.name[self.page.blocks.element[index] as usize]);
        let known = BlockSite {
            // What a person said to drop counts as on all pages and more.
            pages: site.pages_with_line(text).min(site.pages()),
            template: site.is_template(tag, text),
            decision: site.decision(text),
        };
        (known != BlockSite::default()).then_some(known)
    }
}

/// Four digits are enough to read, and halve the JSON.
pub(crate) fn rounded(value: f32) -> f32 {
    (value * 10_000.0).round() / 10_000.0
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_TEXT) {
        text.truncate(end);
        text.push('…');
    }
    text
}
