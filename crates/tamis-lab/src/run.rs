//! Our own methods over a set.

use std::collections::BTreeMap;

use tamis::{Extractor, Judgement, Method, Options, OwnModel, Page, Site};
use tamis_html::decode::Decoder;

use crate::evaluation::Step;
use crate::outputs::Output;
use crate::parallel;
use crate::set::{Set, Truth};

/// A method of ours, and what it is shown of a page's site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The method.
    pub method: Method,
    /// Up to how many other pages of the site it may learn from: those that the set has, in the order of the set.
    pub site_pages: usize,
}

impl Trial {
    /// The method alone.
    pub fn alone(method: Method) -> Trial {
        Trial { method, site_pages: 0 }
    }

    /// Its name in tables: that of the method, with `+site` where it learns from other pages.
    pub fn name(&self) -> String {
        format!("{}{}", self.method.name(), if self.site_pages > 0 { "+site" } else { "" })
    }

    /// The trials of some methods: each alone, and those that learn from a site once more with up to so many pages of it.
    ///
    /// ```
    /// use tamis::Method;
    /// use tamis_lab::run::Trial;
    ///
    /// let names = |pages| Trial::of(&[Method::Lines, Method::Density], pages).iter().map(Trial::name).collect::<Vec<_>>();
    /// assert_eq!(names(0), ["lines", "density"]);
    /// assert_eq!(names(50), ["lines", "lines+site", "density"]);
    /// ```
    pub fn of(methods: &[Method], site_pages: usize) -> Vec<Trial> {
        let trials = methods.iter().flat_map(|method| {
            let taught =
                (site_pages > 0 && method.uses_site()).then_some(Trial { method: *method, site_pages });
            [Some(Trial::alone(*method)), taught]
        });
        trials.flatten().collect()
    }
}

/// What our methods make of each page of a set: a list a page, in the order of the set, with an output a trial. A page
/// that cannot be read becomes an output with an error.
///
/// ```no_run
/// use tamis_lab::run::{Trial, run};
///
/// let set = tamis_lab::Set::open("eval/gne".as_ref())?;
/// let outputs = run(&set, &[Trial::alone(tamis::Method::Correlation)], None, 2, &|_| ());
/// assert_eq!(outputs.len(), set.truths.len());
/// # Ok::<(), tamis_lab::SetError>(())
/// ```
pub fn run(
    set: &Set,
    trials: &[Trial],
    model: Option<&OwnModel>,
    threads: usize,
    progress: &(dyn Fn(Step) + Sync),
) -> Vec<Vec<Output>> {
    let (taught, alone): (Vec<Trial>, Vec<Trial>) = trials.iter().partition(|trial| trial.site_pages > 0);
    let by_page = parallel::map(&set.truths, threads, |_, truth| {
        let outputs = on_page(set, truth, &alone, model);
        progress(Step::Extracted);
        outputs
    });
    let mut by_site: Vec<Vec<Output>> = vec![Vec::new(); set.truths.len()];
    if !taught.is_empty() {
        let sites = sites(set);
        let done = parallel::map(&sites, threads, |_, places| on_site(set, places, &taught, model));
        for (places, outputs) in sites.iter().zip(done) {
            for (place, outputs) in places.iter().zip(outputs) {
                by_site[*place] = outputs;
            }
        }
    }
    // Back into the order in which the trials were named.
    let merged = by_page.into_iter().zip(by_site).map(|(by_page, by_site)| {
        let (mut alone, mut taught) = (by_page.into_iter(), by_site.into_iter());
        let mut pick = |trial: &Trial| if trial.site_pages > 0 { taught.next() } else { alone.next() };
        trials.iter().map(|trial| pick(trial).unwrap_or_default()).collect()
    });
    merged.collect()
}

/// The places of the pages of each site, the largest site first, so that no thread is left alone with it at the end.
fn sites(set: &Set) -> Vec<Vec<usize>> {
    let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, truth) in set.truths.iter().enumerate() {
        sites.entry(truth.site.as_deref().unwrap_or(&truth.id)).or_default().push(place);
    }
    let mut sites: Vec<Vec<usize>> = sites.into_values().collect();
    sites.sort_by_key(|places| std::cmp::Reverse(places.len()));
    sites
}

/// A page's text in UTF-8, or why it cannot be had.
pub(crate) fn read(set: &Set, truth: &Truth) -> Result<String, String> {
    let bytes = set.page(truth).map_err(|error| format!("{error}: {}", error.source))?;
    let decoder = match &truth.url {
        Some(url) => Decoder::new().url(url),
        None => Decoder::new(),
    };
    Ok(decoder.decode(&bytes).text.into_owned())
}

/// The page, measured.
pub(crate) fn parsed<'s>(html: &'s str, truth: &Truth) -> Page<'s> {
    let page = Page::parse(html);
    match &truth.url {
        Some(url) => page.with_url(url.clone()),
        None => page,
    }
}

fn on_page(set: &Set, truth: &Truth, trials: &[Trial], model: Option<&OwnModel>) -> Vec<Output> {
    if trials.is_empty() {
        return Vec::new();
    }
    let html = read(set, truth);
    let page = html.as_ref().map(|html| parsed(html, truth));
    on_parsed(truth, page.as_ref().map_err(|error| error.as_str()), trials, model)
}

/// What trials that are shown nothing of the site make of a page, or of the reason why it cannot be had.
pub(crate) fn on_parsed(
    truth: &Truth,
    page: Result<&Page<'_>, &str>,
    trials: &[Trial],
    model: Option<&OwnModel>,
) -> Vec<Output> {
    match page {
        Err(error) => vec![failed(truth, error); trials.len()],
        Ok(page) => {
            let alone = |trial: &Trial| output(truth, page, &extractor(trial.method, Site::default(), model));
            trials.iter().map(alone).collect()
        }
    }
}

fn on_site(set: &Set, places: &[usize], trials: &[Trial], model: Option<&OwnModel>) -> Vec<Vec<Output>> {
    let texts: Vec<Result<String, String>> =
        places.iter().map(|place| read(set, &set.truths[*place])).collect();
    let pages: Vec<Result<Page<'_>, &String>> = texts
        .iter()
        .zip(places)
        .map(|(text, place)| text.as_ref().map(|html| parsed(html, &set.truths[*place])))
        .collect();
    let of_page = |(at, place): (usize, &usize)| {
        let truth = &set.truths[*place];
        let page = match &pages[at] {
            Ok(page) => page,
            Err(error) => return vec![failed(truth, error); trials.len()],
        };
        let mut site = (0, Site::default());
        let of_trial = |trial: &Trial| {
            // Trials mostly are shown the same pages.
            if site.0 != trial.site_pages {
                site = (trial.site_pages, learned(&pages, at, trial.site_pages));
            }
            output(truth, page, &extractor(trial.method, site.1.clone(), model))
        };
        trials.iter().map(of_trial).collect()
    };
    places.iter().enumerate().map(of_page).collect()
}

/// What up to `most` pages other than the one at a place show of their site.
fn learned(pages: &[Result<Page<'_>, &String>], at: usize, most: usize) -> Site {
    let mut site = Site::default();
    let others = pages.iter().enumerate().filter(|(other, _)| *other != at);
    for page in others.filter_map(|(_, other)| other.as_ref().ok()).take(most) {
        site.observe(page);
    }
    site
}

/// A method with what it is given besides the page.
pub(crate) fn extractor(method: Method, site: Site, model: Option<&OwnModel>) -> Extractor {
    let extractor = Extractor::new().method(method).site(site);
    // Other methods decide as they always do.
    match model {
        Some(model) => extractor.own_model(model),
        None => extractor,
    }
}

fn output(truth: &Truth, page: &Page<'_>, extractor: &Extractor) -> Output {
    judged(truth, page, extractor, &extractor.judge(page))
}

/// What becomes of a page by a judgement that was made elsewhere.
pub(crate) fn judged(truth: &Truth, page: &Page<'_>, extractor: &Extractor, judgement: &Judgement) -> Output {
    let document = extractor.document(page, judgement);
    Output {
        id: truth.id.clone(),
        text: Some(document.to_text(&Options::default())),
        title: document.title,
        date: document.published,
        error: None,
    }
}

fn failed(truth: &Truth, error: &str) -> Output {
    Output { id: truth.id.clone(), error: Some(error.to_owned()), ..Output::default() }
}
