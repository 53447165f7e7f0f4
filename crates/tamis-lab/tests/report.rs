//! A report as a whole: what is in its folder, that it is the same twice, and that hostile pages stay text.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod fixture;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use tamis_lab::report::{ReportOptions, write};
use tamis_lab::run::{Trial, run};
use tamis_lab::{Evaluation, Output, Overlap, PageScore, Set, SetResult, TextScore, ToolResult};
use tamis_methods::{Method, Selection};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(
                    path.strip_prefix(folder).unwrap().to_owned(),
                    fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }
    files
}

#[test]
fn the_same_evaluation_gives_the_same_report_also_over_an_old_one() {
    let evaluation = fixture::evaluation(&[Selection::Published(Method::Correlation)]);
    let (once, twice) = (folder("once"), folder("twice"));
    let written = write(&evaluation, &once, &ReportOptions::default()).unwrap();
    let threads = ReportOptions { threads: 4, ..ReportOptions::default() };
    write(&fixture::evaluation(&Selection::all().collect::<Vec<_>>()), &twice, &threads).unwrap();
    write(&evaluation, &twice, &threads).unwrap();
    let (first, second) = (files(&once), files(&twice));
    assert!(first == second);
    // All but the marker are counted.
    assert_eq!(written.files, first.len() - 1);
    assert_eq!(written.index, once.join("index.html"));
}

#[test]
fn every_link_of_a_report_leads_to_a_file_of_it() {
    let place = folder("links");
    write(
        &fixture::evaluation(&[
            Selection::Published(Method::Correlation),
            Selection::Published(Method::Lines),
        ]),
        &place,
        &ReportOptions::default(),
    )
    .unwrap();
    let mut links = 0;
    for (path, html) in files(&place) {
        if path.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        for part in html.split("href=\"").skip(1).chain(html.split("src=\"").skip(1)) {
            let address = part.split('"').next().unwrap();
            if address.starts_with("https://") {
                continue;
            }
            assert!(!address.contains(':'), "{address} in {path:?}");
            let file = address.split('#').next().unwrap();
            let target = if file.is_empty() {
                place.join(&path)
            } else {
                place.join(&path).parent().unwrap().join(file)
            };
            assert!(target.is_file(), "{address} in {path:?}");
            links += 1;
        }
    }
    assert!(links > 30, "{links}");
}

#[test]
fn hostile_pages_put_no_element_of_theirs_into_a_report() {
    let place = folder("hostile");
    write(&fixture::evaluation(&Selection::all().collect::<Vec<_>>()), &place, &ReportOptions::default())
        .unwrap();
    let mut seen = 0;
    for (path, html) in files(&place) {
        if path.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        // Read as a browser reads it, by our own parser.
        let dom = tamis_html::parse(&html);
        for node in dom.descendants() {
            if node.is(tamis_html::Name::SCRIPT) {
                assert!(node.attribute("src").is_some_and(|src| src.ends_with("report.js")), "{path:?}");
            }
            assert!(!node.is(tamis_html::Name::IMG), "{path:?}");
            for attribute in node.attributes() {
                assert!(!attribute.name().starts_with("on"), "{path:?} {}", attribute.name());
                if attribute.name() == "href" {
                    assert!(!attribute.value().starts_with("javascript"), "{path:?}");
                }
            }
        }
        seen += html.matches("dataset.hacked").count();
    }
    assert!(seen > 5, "the hostile words are shown: {seen}");
}

#[test]
fn sets_problems_and_notes_are_on_the_first_page() {
    let place = folder("first");
    let options = ReportOptions { notes: vec!["tamis eval <set>".into()], ..ReportOptions::default() };
    write(&fixture::evaluation(&[Selection::Published(Method::Correlation)]), &place, &options).unwrap();
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    assert!(index.contains("tamis eval &lt;set&gt;"));
    assert!(index.contains("truth.jsonl:9"), "the problem is named with its line");
    assert_eq!(index.matches("<svg").count() - 2, 4, "a legend of two, and four pictures");
}

#[test]
fn the_summary_lacked_figures_that_the_tables_have() {
    let place = folder("figures");
    write(
        &fixture::evaluation(&[Selection::Published(Method::Correlation)]),
        &place,
        &ReportOptions::default(),
    )
    .unwrap();
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    for heading in ["compl.", "leaf P", "leaf R", "title ⊂", "with", "without", "empty", "errors"] {
        assert!(index.contains(&format!("\">{heading}<")), "{heading}");
    }
    // The last cell of a row: on one page the other tool says nothing at all.
    let (_, row) = index.split_once("<th scope=row>other").unwrap();
    assert!(row.split_once('\n').unwrap().0.ends_with("<td class=n>1"), "{row}");
}

#[test]
fn facts_that_are_blank_were_shown() {
    let mut evaluation = fixture::evaluation(&[Selection::Published(Method::Correlation)]);
    let truth = &mut evaluation.sets[0].set.truths[0];
    (truth.date, truth.author) = (Some(" ".into()), Some("Ann".into()));
    let file = format!("sets/report-set/{}.html", truth.id);
    let place = folder("blank");
    write(&evaluation, &place, &ReportOptions::default()).unwrap();
    let page = fs::read_to_string(place.join(file)).unwrap();
    assert!(page.contains("<dt>author<dd") && !page.contains("<dt>date<dd"), "{page}");
}

#[test]
fn pictures_counted_pages_without_a_figure() {
    let evaluation = fixture::evaluation(&[Selection::Published(Method::Correlation)]);
    let set = &evaluation.sets[0].set;
    let with_text = set.truths.iter().filter(|truth| truth.has_text()).count();
    assert!(with_text < set.truths.len());
    let place = folder("counts");
    write(&evaluation, &place, &ReportOptions::default()).unwrap();
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    assert!(index.contains(&format!("<title>all pages: {with_text} pages</title>")), "{with_text}");
}

/// The bar: two tools on 1,298 pages in under a minute. The scores are made up, since they take longer than the report.
#[test]
fn the_report_of_two_tools_on_wcxb_takes_less_than_a_minute() {
    let Some(set) = tamis_testdata::set("wcxb") else { return };
    let set = Set::open(&set).unwrap();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let trials =
        [Selection::Published(Method::Correlation), Selection::Published(Method::Density)].map(Trial::alone);
    let outputs = run(&set, &trials, &Default::default(), threads, &|_| ());
    let tools = trials.iter().enumerate().map(|(at, trial)| {
        let outputs: Vec<_> = outputs.iter().map(|page| Some(page[at].clone())).collect();
        let length =
            |output: &Option<Output>| output.iter().flat_map(|it| &it.text).map(String::len).sum::<usize>();
        let score = |output: &Option<Output>| {
            let tokens = Overlap { common: 5, found: 5 + length(output), wanted: 500 };
            PageScore { text: Some(TextScore { tokens, ..TextScore::default() }), ..PageScore::default() }
        };
        let scores = outputs.iter().map(score).collect();
        ToolResult { name: trial.name(), trial: Some(*trial), outputs, scores }
    });
    let tools = tools.collect();
    let evaluation =
        Evaluation { sets: vec![SetResult { set, tools, problems: Vec::new(), models: Default::default() }] };
    let place = folder("wcxb");
    let (begin, busy_before) = (Instant::now(), busy());
    let written = write(&evaluation, &place, &ReportOptions { threads, ..ReportOptions::default() }).unwrap();
    let clock = begin.elapsed().as_secs_f64();
    // On a machine that others use too, the clock tells nothing: then what counts is the work, shared by two processors.
    let work = busy_before.zip(busy()).map(|(before, behind)| behind - before);
    let seconds = work.map_or(clock, |work| clock.min(work / 2.0));
    println!("{} files, {} bytes in {clock:.1} s, {work:?} s of work", written.files, written.bytes);
    assert!(seconds < 60.0, "{seconds:.1} s");
    assert!(written.bytes < 100_000_000, "{} bytes", written.bytes);
    fs::remove_dir_all(place).unwrap();
}

/// The seconds that processors have worked for this process so far, where the system tells.
fn busy() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which may hold anything: the state, and then numbers; the 12th and 13th count hundredths.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}
