//! Our own methods over a set.

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis::classify::{Model, RepeatedLines};
use tamis::page::Page;
use tamis::{Extractor, Input, SiteMemory};
use tamis_html::decode::Decoder;
use tamis_methods::site::Site;
use tamis_methods::{Judgement, Selection, Verdict, rbf};

use crate::evaluation::Step;
use crate::outputs::Output;
use crate::parallel;
use crate::set::{Set, Truth};

/// Custom models in place of the shipped ones.
#[derive(Clone, Debug, Default)]
pub struct Models {
    /// For the learned extractor.
    pub fused: Option<Arc<Model>>,
    /// For `svm` and `template-svm`.
    pub svm: Option<Arc<rbf::Model>>,
}

/// A method, and how many other pages of the site it is shown before a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The method.
    pub method: Selection,
    /// The maximum number of other pages of the site; 0 for none.
    pub site_pages: usize,
}

impl Trial {
    /// A method on single pages.
    pub fn alone(method: Selection) -> Trial {
        Trial { method, site_pages: 0 }
    }

    /// The name in tables: that of the method, with `+site` where it learns.
    pub fn name(&self) -> String {
        format!("{}{}", self.method.name(), if self.site_pages > 0 { "+site" } else { "" })
    }

    /// Each method alone, and those that learn from a site also with its pages.
    pub fn of(methods: &[Selection], site_pages: usize) -> Vec<Trial> {
        let trials = methods.iter().flat_map(|method| {
            let taught =
                (site_pages > 0 && method.uses_site()).then_some(Trial { method: *method, site_pages });
            [Some(Trial::alone(*method)), taught]
        });
        trials.flatten().collect()
    }

    /// The extractor of this trial.
    pub(crate) fn extractor(&self, models: &Models) -> Extractor {
        let builder = Extractor::builder();
        let builder = match &models.fused {
            Some(model) => builder.model(Arc::clone(model)),
            None => builder,
        };
        self.method.apply(builder, models.svm.clone()).build()
    }
}

/// Runs trials on all pages of a set: for each page, an output per trial.
pub fn run(
    set: &Set,
    trials: &[Trial],
    models: &Models,
    threads: usize,
    progress: &(dyn Fn(Step) + Sync),
) -> Vec<Vec<Output>> {
    let extractors: Vec<Extractor> = trials.iter().map(|trial| trial.extractor(models)).collect();
    let mut outputs: Vec<Vec<Output>> = vec![Vec::new(); set.truths.len()];
    let sites = sites(set);
    let done = parallel::map(&sites, threads, |_, places| {
        let site = SitePages::read(set, places, trials);
        let outputs = (0..places.len()).map(|at| {
            let output = site.outputs(&set.truths[places[at]], at, trials, &extractors);
            progress(Step::Extracted);
            output
        });
        outputs.collect::<Vec<_>>()
    });
    for (places, of_site) in sites.iter().zip(done) {
        for (place, of_page) in places.iter().zip(of_site) {
            outputs[*place] = of_page;
        }
    }
    outputs
}

/// Pages by site, large sites first.
fn sites(set: &Set) -> Vec<Vec<usize>> {
    let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, truth) in set.truths.iter().enumerate() {
        sites.entry(truth.site.as_deref().unwrap_or(&truth.id)).or_default().push(place);
    }
    let mut sites: Vec<Vec<usize>> = sites.into_values().collect();
    sites.sort_by_key(|places| std::cmp::Reverse(places.len()));
    sites
}

/// The decoded pages of a site.
struct SitePages {
    texts: Vec<Result<String, String>>,
    site_pages: usize,
}

impl SitePages {
    fn read(set: &Set, places: &[usize], trials: &[Trial]) -> SitePages {
        let texts = places.iter().map(|place| read(set, &set.truths[*place])).collect();
        SitePages { texts, site_pages: trials.iter().map(|trial| trial.site_pages).max().unwrap_or(0) }
    }

    fn outputs(&self, truth: &Truth, at: usize, trials: &[Trial], extractors: &[Extractor]) -> Vec<Output> {
        let html = match &self.texts[at] {
            Ok(html) => html,
            Err(error) => return vec![failed(truth, error); trials.len()],
        };
        let others = self.texts.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.filter_map(|(_, text)| text.as_deref().ok()).take(self.site_pages);
        let memory = (self.site_pages > 0).then(|| LearnedSite::new(others));
        let output = |(trial, extractor): (&Trial, &Extractor)| {
            let site = memory.as_ref().filter(|_| trial.site_pages > 0).map(|memory| memory.of(trial.method));
            output(truth, html, extractor, site)
        };
        trials.iter().zip(extractors).map(output).collect()
    }
}

/// A site as the published methods learn it, and as the learned extractor counts it.
pub(crate) struct LearnedSite {
    in_order: Site,
    counted: RepeatedLines,
}

impl LearnedSite {
    pub(crate) fn new<'t>(pages: impl Iterator<Item = &'t str>) -> LearnedSite {
        let mut learned = LearnedSite { in_order: Site::default(), counted: RepeatedLines::default() };
        for html in pages {
            let page = Page::parse(html);
            learned.in_order.observe(&page);
            learned.counted.observe(&page);
        }
        learned
    }

    pub(crate) fn of(&self, method: Selection) -> &dyn SiteMemory {
        match method {
            Selection::Fused => &self.counted,
            Selection::Published(_) => &self.in_order,
        }
    }
}

/// The decoded source of a page.
pub(crate) fn read(set: &Set, truth: &Truth) -> Result<String, String> {
    let bytes = set.page(truth).map_err(|error| format!("{error}: {}", error.source))?;
    let decoder = match &truth.url {
        Some(url) => Decoder::new().url(url),
        None => Decoder::new(),
    };
    let text = decoder.decode(&bytes).text;
    Ok(tamis::text::arabic::fold_page(text).into_owned())
}

fn output(truth: &Truth, html: &str, extractor: &Extractor, site: Option<&dyn SiteMemory>) -> Output {
    let mut input = Input::text(html);
    if let Some(url) = &truth.url {
        input = input.url(url);
    }
    if let Some(site) = site {
        input = input.site(site);
    }
    match extractor.extract(input) {
        Ok(document) => Output {
            id: truth.id.clone(),
            text: Some(document.text),
            title: document.metadata.title,
            date: document.metadata.published.map(|moment| moment.to_string()),
            authors: document.metadata.authors,
            language: document.metadata.language,
            posts: document.posts.into_iter().map(Into::into).collect(),
            error: None,
        },
        Err(error) => failed(truth, &error.to_string()),
    }
}

/// What a method says about the blocks of a page.
pub(crate) fn judge(html: &str, trial: &Trial, models: &Models, site: Option<&LearnedSite>) -> Judgement {
    let site = site.filter(|_| trial.site_pages > 0).map(|site| site.of(trial.method));
    if let (Selection::Published(method), None) = (trial.method, &models.svm) {
        return method.judge(&Page::parse(html), site);
    }
    let input = match site {
        Some(site) => Input::text(html).site(site),
        None => Input::text(html),
    };
    let verdicts = trial.extractor(models).analyze_with(input, |analysis| {
        let prediction = &analysis.prediction;
        let verdicts = prediction.kept.iter().zip(&prediction.probabilities);
        verdicts.map(|(keep, score)| Verdict { keep: *keep, score: *score, evidence: Vec::new() }).collect()
    });
    Judgement { verdicts: verdicts.unwrap_or_default(), ..Judgement::default() }
}

fn failed(truth: &Truth, error: &str) -> Output {
    Output { id: truth.id.clone(), error: Some(error.to_owned()), ..Output::default() }
}
