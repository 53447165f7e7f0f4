//! Our own methods over a set.

use std::collections::BTreeMap;

use tamis::{Extractor, Method, Options, Page, Site};
use tamis_html::decode::Decoder;

use crate::evaluation::Step;
use crate::outputs::Output;
use crate::parallel;
use crate::set::{Set, Truth};

/// What the methods make of each page of a set: a list a page, in the order of the set, with an output a method. A page
/// that cannot be read becomes an output with an error.
///
/// With `site_pages`, methods that learn from other pages of the site are shown up to so many of those that the set has of
/// it, in the order of the set.
///
/// ```no_run
/// let set = tamis_lab::Set::open("eval/gne".as_ref())?;
/// let outputs = tamis_lab::run::run(&set, &[tamis::Method::Correlation], 0, 2, &|_| ());
/// assert_eq!(outputs.len(), set.truths.len());
/// # Ok::<(), tamis_lab::SetError>(())
/// ```
pub fn run(
    set: &Set,
    methods: &[Method],
    site_pages: usize,
    threads: usize,
    progress: &(dyn Fn(Step) + Sync),
) -> Vec<Vec<Output>> {
    if methods.is_empty() {
        return vec![Vec::new(); set.truths.len()];
    }
    let (learning, lone): (Vec<Method>, Vec<Method>) =
        methods.iter().partition(|method| site_pages > 0 && method.uses_site());
    let alone = parallel::map(&set.truths, threads, |_, truth| {
        let outputs = on_page(set, truth, &lone);
        progress(Step::Extracted);
        outputs
    });
    let mut taught: Vec<Vec<Output>> = vec![Vec::new(); set.truths.len()];
    if !learning.is_empty() {
        let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, truth) in set.truths.iter().enumerate() {
            sites.entry(truth.site.as_deref().unwrap_or(&truth.id)).or_default().push(place);
        }
        let sites: Vec<Vec<usize>> = sites.into_values().collect();
        let done = parallel::map(&sites, threads, |_, places| on_site(set, places, &learning, site_pages));
        for (places, outputs) in sites.iter().zip(done) {
            for (place, outputs) in places.iter().zip(outputs) {
                taught[*place] = outputs;
            }
        }
    }
    // Back into the order in which the methods were named.
    let merged = alone.into_iter().zip(taught).map(|(alone, taught)| {
        let (mut alone, mut taught) = (alone.into_iter(), taught.into_iter());
        let pick = |method: &Method| {
            if learning.contains(method) { taught.next() } else { alone.next() }.unwrap_or_default()
        };
        methods.iter().map(pick).collect()
    });
    merged.collect()
}

/// A page's text in UTF-8, or why it cannot be had.
pub(crate) fn read(set: &Set, truth: &Truth) -> Result<String, String> {
    let bytes = set.page(truth).map_err(|error| error.to_string())?;
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

fn on_page(set: &Set, truth: &Truth, methods: &[Method]) -> Vec<Output> {
    if methods.is_empty() {
        return Vec::new();
    }
    match read(set, truth) {
        Err(error) => vec![failed(truth, &error); methods.len()],
        Ok(html) => {
            let page = parsed(&html, truth);
            methods.iter().map(|method| output(truth, &page, *method, Site::default())).collect()
        }
    }
}

fn on_site(set: &Set, places: &[usize], methods: &[Method], site_pages: usize) -> Vec<Vec<Output>> {
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
            Err(error) => return vec![failed(truth, error); methods.len()],
        };
        let others = pages.iter().enumerate().filter(|(other, _)| *other != at);
        let mut site = Site::default();
        for other in others.filter_map(|(_, other)| other.as_ref().ok()).take(site_pages) {
            site.observe(other);
        }
        methods.iter().map(|method| output(truth, page, *method, site.clone())).collect()
    };
    places.iter().enumerate().map(of_page).collect()
}

fn output(truth: &Truth, page: &Page<'_>, method: Method, site: Site) -> Output {
    let extractor = Extractor::new().method(method).site(site);
    let document = extractor.document(page, &extractor.judge(page));
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
