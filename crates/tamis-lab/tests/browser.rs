//! Reports in a real browser: scripts run without errors, sorting and filtering work, pages fit on a phone, and code of
//! hostile pages does not run.
//!
//! `cargo xtask test` and `cargo xtask browser` find or install Chromium, set `TAMIS_BROWSER`, and run this test.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

mod fixture;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_lab::report::{ReportOptions, write};
use tamis_methods::{Method, Selection};

/// Injected into every page: uses it as a reader would, and reports the results to the parent page.
const PROBE: &str = include_str!("browser/probe.js");

/// In the parent page: collects the results.
const COLLECT: &str = include_str!("browser/collect.js");

/// Widths of a small phone, a phone and a desktop.
const WIDTHS: [u32; 3] = [320, 390, 1280];

fn browser() -> PathBuf {
    env::var_os("TAMIS_BROWSER").expect("TAMIS_BROWSER is not set; run cargo xtask browser").into()
}

/// Injects the probe into a page of a report.
fn prepare(report: &Path, page: &str) {
    let file = report.join(page);
    let up = "../".repeat(page.matches('/').count());
    let html = fs::read_to_string(&file).unwrap();
    let probed = html.replace("</head>", &format!("<script src=\"{up}probe.js\" defer></script></head>"));
    assert_ne!(html, probed);
    fs::write(file, probed).unwrap();
}

/// Opens the pages in frames, and returns a line of `key=value` pairs for each page and width.
fn open(report: &Path, pages: &[String]) -> Vec<String> {
    fs::write(report.join("probe.js"), PROBE).unwrap();
    fs::write(report.join("collect.js"), COLLECT).unwrap();
    let mut frames = String::new();
    for page in pages {
        prepare(report, page);
        for width in WIDTHS {
            frames.push_str(&format!(
                "<iframe src=\"{page}#width={width}\" style=\"width:{width}px;height:800px;border:0\"></iframe>"
            ));
        }
    }
    let around = report.join("around.html");
    let script = "<script src=collect.js></script>";
    fs::write(&around, format!("<!doctype html><meta charset=utf-8><pre id=told></pre>{script}{frames}"))
        .unwrap();
    let profile = report.join("profile");
    let output = Command::new(browser())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--timeout=60000", "--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", around.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = dom.split_once("<pre id=\"told\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((told, _)) = told else {
        panic!("the browser gave no page: {}\n{dom}", String::from_utf8_lossy(&output.stderr));
    };
    told.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn value<'l>(line: &'l str, key: &str) -> &'l str {
    let found = line.split('\t').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("no {key} in {line}"))
}

#[test]
#[ignore = "needs Chromium: cargo xtask test runs it"]
fn every_page_of_a_report_works_in_a_browser() {
    let all: Vec<Selection> = Selection::all().collect();
    for (name, methods) in [("two", &[Selection::Published(Method::Correlation)][..]), ("many", &all[..])] {
        let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
        let _ = fs::remove_dir_all(&report);
        let options =
            ReportOptions { notes: vec!["tamis eval report-set".into()], ..ReportOptions::default() };
        let mut evaluation = fixture::evaluation(methods);
        if let Some(other) = evaluation.sets[0].tools.last_mut() {
            other.name =
                format!("a-{name}_with_a_name_that_has_no_end_and_nowhere_to_break_and_goes_on_and_on");
        }
        write(&evaluation, &report, &options).unwrap();
        let mut pages = vec!["index.html".to_owned()];
        for entry in fs::read_dir(report.join("sets/report-set")).unwrap() {
            pages.push(format!("sets/report-set/{}", entry.unwrap().file_name().to_string_lossy()));
        }
        pages.sort();
        let told = open(&report, &pages);
        assert_eq!(told.len(), pages.len() * WIDTHS.len(), "{told:#?}");
        for line in &told {
            assert_eq!(value(line, "error"), "", "{line}");
            assert_eq!(value(line, "ready"), "yes", "{line}");
            assert_eq!(value(line, "hacked"), "", "{line}");
            assert_eq!(value(line, "blocked"), "0", "{line}");
            assert_eq!(value(line, "overflow"), "0", "{line}");
            assert_eq!(value(line, "cut"), "0", "{line}");
        }
        let of = |page: &'static str| told.iter().filter(move |line| value(line, "page").ends_with(page));
        // The list was sorted by its last column and back.
        for line in of("report-set/index.html") {
            assert_eq!(value(line, "rows"), "8", "{line}");
            assert_eq!(value(line, "sorted"), "yes", "{line}");
            assert_eq!(value(line, "filtered"), "1", "{line}");
        }
        for page in ["tide-mill.html", "stone-bridge.html", "old-mill.html", "hostile.html"] {
            for line in of(page) {
                assert!(value(line, "missing").parse::<u32>().unwrap() > 0, "{line}");
                assert!(value(line, "extra").parse::<u32>().unwrap() > 0, "{line}");
                assert!(value(line, "blocks").parse::<u32>().unwrap() > 0, "{line}");
                assert_eq!(value(line, "explained"), "yes", "{line}");
                // One text is visible on a phone, three on a desktop.
                let texts = if value(line, "width") == "1280" { "3" } else { "1" };
                assert_eq!(value(line, "texts"), texts, "{line}");
            }
        }
        for line in of("old-mill.html") {
            assert_eq!((value(line, "direction"), value(line, "language")), ("rtl", "ug"), "{line}");
        }
        for line in of("stone-bridge.html") {
            assert_eq!((value(line, "direction"), value(line, "language")), ("ltr", "zh"), "{line}");
        }
        for line in of("/index.html").filter(|line| !value(line, "page").contains("report-set/")) {
            assert_eq!(value(line, "pictures"), "4", "{line}");
        }
    }
}
