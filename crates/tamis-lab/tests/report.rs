//! Whole reports: files, links, reproducibility, and escaping of hostile pages.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod fixture;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_lab::report::{ReportOptions, write};
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

/// The folder of a written report on some methods.
fn report(name: &str, methods: &[Selection]) -> PathBuf {
    let place = folder(name);
    write(&fixture::evaluation(methods), &place, &ReportOptions::default()).unwrap();
    place
}

const CORRELATION: &[Selection] = &[Selection::Published(Method::Correlation)];

#[test]
fn reports_are_reproducible_and_replace_earlier_ones() {
    let evaluation = fixture::evaluation(CORRELATION);
    let (once, twice) = (folder("once"), folder("twice"));
    let written = write(&evaluation, &once, &ReportOptions::default()).unwrap();
    let threads = ReportOptions { threads: 4, ..ReportOptions::default() };
    write(&fixture::evaluation(&Selection::all().collect::<Vec<_>>()), &twice, &threads).unwrap();
    write(&evaluation, &twice, &threads).unwrap();
    let (first, second) = (files(&once), files(&twice));
    assert!(first == second);
    // All but the marker.
    assert_eq!(written.files, first.len() - 1);
    assert_eq!(written.index, once.join("index.html"));
}

#[test]
fn every_link_leads_to_a_file_of_the_report() {
    let place = report("links", &[CORRELATION[0], Selection::Published(Method::Lines)]);
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
fn hostile_pages_add_no_elements() {
    let place = report("hostile", &Selection::all().collect::<Vec<_>>());
    let mut seen = 0;
    for (path, html) in files(&place) {
        if path.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        // Parsed as a browser does.
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
    assert!(seen > 5, "the hostile text is shown: {seen}");
}

#[test]
fn the_first_page_has_sets_problems_and_notes() {
    let place = folder("first");
    let options = ReportOptions { notes: vec!["tamis eval <set>".into()], ..ReportOptions::default() };
    write(&fixture::evaluation(CORRELATION), &place, &options).unwrap();
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    assert!(index.contains("tamis eval &lt;set&gt;"));
    assert!(index.contains("truth.jsonl:9"), "the problem is shown with its line");
    assert_eq!(index.matches("<svg").count() - 2, 4, "a legend of two, and four pictures");
}

#[test]
fn the_summary_has_all_metrics_of_the_tables() {
    let place = report("figures", CORRELATION);
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    for heading in ["compl.", "leaf P", "leaf R", "title ⊂", "with", "without", "empty", "errors"] {
        assert!(index.contains(&format!("\">{heading}<")), "{heading}");
    }
    // The last cell of a row: the other tool has no output for one page.
    let (_, row) = index.split_once("<th scope=row>other").unwrap();
    assert!(row.split_once('\n').unwrap().0.ends_with("<td class=n>1"), "{row}");
}

#[test]
fn blank_metadata_is_not_shown() {
    let mut evaluation = fixture::evaluation(CORRELATION);
    let truth = &mut evaluation.sets[0].set.truths[0];
    (truth.date, truth.author) = (Some(" ".into()), Some("Ann".into()));
    let file = format!("sets/report-set/{}.html", truth.id);
    let place = folder("blank");
    write(&evaluation, &place, &ReportOptions::default()).unwrap();
    let page = fs::read_to_string(place.join(file)).unwrap();
    assert!(page.contains("<dt>author<dd") && !page.contains("<dt>date<dd"), "{page}");
}

#[test]
fn plots_count_only_pages_with_the_metric() {
    let evaluation = fixture::evaluation(CORRELATION);
    let set = &evaluation.sets[0].set;
    let with_text = set.truths.iter().filter(|truth| truth.has_text()).count();
    assert!(with_text < set.truths.len());
    let place = folder("counts");
    write(&evaluation, &place, &ReportOptions::default()).unwrap();
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    assert!(index.contains(&format!("<title>all pages: {with_text} pages</title>")), "{with_text}");
}
