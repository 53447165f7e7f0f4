//! Measures metadata against labelled pages, and fits the weights of a field.
//!
//! ```sh
//! cargo run --example metadata_eval -- SETS [--legacy FOLDER] [--set NAME] [--misses FIELD | --fit FIELD [--decay 0.2] [--keep 0.5]]
//! ```
//!
//! `SETS/<set>/truth.jsonl` has `id`, `url`, `site`, `title`, `date`, `author`, `lang`; `SETS/<set>/pages/ID.html` the
//! pages. Sites are split in two halves by a hash of their name. `--fit title|published|authors` fits on one half and
//! writes a weight file to standard output, with `--keep` as a mean with the weights in use; `--misses` shows what is
//! wrong on that half.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use tamis::metadata::{CandidateReport, Field, Metadata, MetadataContext, MetadataReport, explain};
use tamis::text::arabic;
use tamis::{Extractor, Input};

/// Sets whose titles are headlines rather than copies of `<title>`.
const HEADLINES: &str = "trafilatura wcxb fundus-news gne zh-sites recipe-sites mozilla-readability defuddle l3s-gn1 \
    cleaneval-en other-forums uyghur-archives encodings-synthetic";
/// Sets that weights are fitted on.
const FITTED: &str = "trafilatura wcxb fundus-news gne zh-sites htmldate-dates htmldate-ftr l3s-gn1 uyghur-archives \
    recipe-sites mozilla-readability";

struct Case {
    set: String,
    held_out: bool,
    truth: Value,
    legacy: Value,
    ours: Metadata,
    report: MetadataReport,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().position(|it| it == name).and_then(|at| arguments.get(at + 1));
    let Some(sets) = arguments.first() else {
        return eprintln!("usage: metadata_eval SETS [--legacy FOLDER] …");
    };
    let folder = std::fs::read_dir(sets).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        folder.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.retain(|name| option("--set").is_none_or(|only| only == name));
    let cases: Vec<Case> = names.iter().flat_map(|name| load(sets, name, option("--legacy"))).collect();
    match (option("--fit"), option("--misses")) {
        (Some(field), _) => {
            let number =
                |name: &str, default: f64| option(name).and_then(|it| it.parse().ok()).unwrap_or(default);
            fit(&cases, field, number("--decay", 0.2), number("--keep", 0.0));
        }
        (_, Some(field)) => misses(&cases, field),
        _ => table(&cases),
    }
}

fn load(sets: &str, set: &str, legacy: Option<&String>) -> Vec<Case> {
    let rows = |path: String| -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let known = legacy.map(|folder| rows(format!("{folder}/{set}.jsonl"))).unwrap_or_default();
    let id = |row: &Value| row["id"].as_str().unwrap_or_default().to_owned();
    let mut known: HashMap<String, Value> = known.into_iter().map(|row| (id(&row), row)).collect();
    let extractor = Extractor::new();
    let mut cases = Vec::new();
    for truth in rows(format!("{sets}/{set}/truth.jsonl")) {
        let Ok(bytes) = std::fs::read(format!("{sets}/{set}/pages/{}.html", id(&truth))) else { continue };
        let url = truth["url"].as_str();
        let input = url.map_or(Input::bytes(&bytes), |url| Input::bytes(&bytes).url(url));
        let context = MetadataContext { url, ..MetadataContext::default() };
        let result = extractor.analyze_with(input, |analysis| {
            explain(&analysis.page, &analysis.annotations, &analysis.prediction, &context)
        });
        let Ok((ours, report)) = result else { continue };
        let site = truth["site"].as_str().unwrap_or_default();
        let hash = site.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        let legacy = known.remove(&id(&truth)).unwrap_or_default();
        cases.push(Case { set: set.to_owned(), held_out: hash >> 13 & 1 == 1, truth, legacy, ours, report });
    }
    cases
}

/// Uyghur letters are compared after folding: NFKC alone gives those of Arabic.
fn key(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    let text = arabic::fold(text, arabic::looks_uyghur(text));
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

/// Whether a value of a field is right; nothing where the truth does not say. A name that is a part of the truth, or
/// holds one of its names, is right.
fn is_right(field: &str, case: &Case, value: &str) -> Option<bool> {
    let truth = |name: &str| case.truth[name].as_str().filter(|text| !text.is_empty());
    match field {
        "title" => {
            truth("title").filter(|_| HEADLINES.contains(&case.set)).map(|title| key(title) == key(value))
        }
        "published" => {
            truth("date").filter(|date| date.len() >= 10).map(|date| date.get(..10) == value.get(..10))
        }
        "language" => truth("lang").map(|tag| tag.split(['-', '_']).next() == value.split('-').next()),
        "next page" => {
            let next = case.truth["links"]["next"].as_array()?;
            let bare =
                |url: &str| url.split_once("://").map_or(url, |it| it.1).trim_end_matches('/').to_owned();
            let mut known = next.iter().filter_map(Value::as_str);
            Some(if value.is_empty() { next.is_empty() } else { known.any(|url| bare(url) == bare(value)) })
        }
        _ => {
            let author = truth("author")?;
            let list = author.replace(" and ", ",").replace(" und ", ",");
            let known: Vec<String> = list.split([',', ';', '、', '/', '|', '&']).map(key).collect();
            let is_known = |name: String| {
                key(author).contains(&name)
                    || known.iter().any(|it| it.len() > 3 && name.contains(it.as_str()))
            };
            Some(value.split("; ").map(key).all(is_known))
        }
    }
}

/// 1 right, 0 nothing given, -1 wrong.
fn judge(field: &str, case: &Case, legacy: bool) -> Option<i32> {
    let names = |names: &[String]| (!names.is_empty()).then(|| names.join("; "));
    let value = if legacy {
        let list = |value: &Value| {
            value
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        match field {
            "authors" | "people" => names(&list(&case.legacy["authors"])),
            _ => case.legacy[field.replace(' ', "_")].as_str().map(str::to_owned),
        }
    } else {
        let ours = &case.ours;
        match field {
            "title" => ours.title.clone(),
            "published" => ours.published.map(|it| it.to_string()),
            "language" => ours.language.clone(),
            "next page" => ours.next_page.clone(),
            // "authors" counts what stands in their place, "people" does not.
            "people" => names(&ours.authors),
            _ => names(&ours.authors).or_else(|| ours.byline.clone()),
        }
    };
    let right = is_right(field, case, value.as_deref().unwrap_or_default())?;
    Some(match value {
        None => i32::from(right && field == "next page"),
        Some(_) => {
            if right {
                1
            } else {
                -1
            }
        }
    })
}

/// Right and wrong in percent per field and set: ours, legacy, and both on the held-out half.
fn table(cases: &[Case]) {
    for field in ["title", "published", "authors", "people", "language", "next page"] {
        println!("\n{field:30} pages   ours       legacy     | held out: pages  ours       legacy");
        let mut rows: BTreeMap<&str, Vec<(bool, i32, i32)>> = BTreeMap::new();
        for case in cases {
            if let (Some(ours), Some(legacy)) = (judge(field, case, false), judge(field, case, true)) {
                rows.entry(&case.set).or_default().push((case.held_out, ours, legacy));
                rows.entry("~ all").or_default().push((case.held_out, ours, legacy));
            }
        }
        for (set, results) in rows {
            let show = |held_out: bool| {
                let own: Vec<_> = results.iter().filter(|it| it.0 || !held_out).collect();
                let share = |of: &dyn Fn(&(bool, i32, i32)) -> bool| {
                    100.0 * own.iter().filter(|it| of(it)).count() as f64 / own.len().max(1) as f64
                };
                let (right, wrong) = (share(&|it| it.1 == 1), share(&|it| it.1 < 0));
                let (known, mistaken) = (share(&|it| it.2 == 1), share(&|it| it.2 < 0));
                format!("{:5} {right:5.1} -{wrong:4.1} {known:5.1} -{mistaken:4.1}", own.len())
            };
            println!("{set:30} {} | {}", show(false), show(true));
        }
    }
}

fn candidates<'c>(case: &'c Case, field: &str) -> Vec<&'c CandidateReport> {
    let wanted = match field {
        "title" => Field::Title,
        "published" => Field::Published,
        _ => Field::Authors,
    };
    case.report.fields.iter().filter(|(field, _)| *field == wanted).flat_map(|(_, rows)| rows).collect()
}

/// Prints the wrong and missing values of a field on the half that is fitted on.
fn misses(cases: &[Case], field: &str) {
    for case in cases.iter().filter(|case| !case.held_out) {
        let (Some(ours), Some(legacy)) = (judge(field, case, false), judge(field, case, true)) else {
            continue;
        };
        if ours < 1 {
            let truth = &case.truth;
            println!(
                "{} {} ours {ours} legacy {legacy} {} {} {} {}",
                case.set, truth["id"], truth["title"], truth["date"], truth["author"], truth["url"]
            );
            for row in candidates(case, field).iter().take(4) {
                println!(
                    "   {} {:6.2} {:?} {} {:?}",
                    if row.chosen { '*' } else { ' ' },
                    row.score,
                    row.value,
                    row.evidence,
                    row.signs
                );
            }
        }
    }
}

/// Fits weights by gradient ascent (Adam) on the softmax over the candidates of a page, with weight decay. Where a field
/// may have no value, none is a candidate of score 0, and right if no other is.
fn fit(cases: &[Case], field: &str, decay: f64, keep: f64) {
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pages: Vec<Vec<(bool, Vec<usize>)>> = Vec::new();
    for case in cases.iter().filter(|case| !case.held_out && FITTED.contains(&case.set)) {
        let mut page: Vec<(bool, Vec<usize>)> = Vec::new();
        for row in candidates(case, field) {
            let Some(right) = is_right(field, case, &row.value) else { continue };
            let mut signs = Vec::new();
            for sign in &row.signs {
                let next = index.len();
                signs.push(*index.entry(sign).or_insert(next));
            }
            page.push((right, signs));
        }
        if field != "title" && !page.is_empty() {
            page.push((!page.iter().any(|(right, _)| *right), Vec::new()));
        }
        if page.iter().any(|(right, _)| *right) {
            pages.push(page);
        }
    }
    let count = index.len();
    let (mut weights, mut first, mut second) =
        (vec![0.0_f64; count], vec![0.0_f64; count], vec![0.0_f64; count]);
    for round in 1..=600 {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| -decay * weight).collect();
        for page in &pages {
            let score = |signs: &[usize]| libm::exp(signs.iter().map(|sign| weights[*sign]).sum::<f64>());
            let scores: Vec<f64> = page.iter().map(|(_, signs)| score(signs)).collect();
            let sum: f64 = scores.iter().sum();
            let right: f64 = scores.iter().zip(page).filter(|(_, (right, _))| *right).map(|(it, _)| it).sum();
            for (score, (is_right, signs)) in scores.iter().zip(page) {
                let pull = if *is_right { score / right } else { 0.0 } - score / sum;
                signs.iter().for_each(|sign| gradient[*sign] += pull);
            }
        }
        let rate = 0.1 / (1.0 + f64::from(round) / 100.0);
        for place in 0..count {
            first[place] = 0.9 * first[place] + 0.1 * gradient[place];
            second[place] = 0.999 * second[place] + 0.001 * gradient[place] * gradient[place];
            let mean = first[place] / (1.0 - 0.9_f64.powi(round));
            let variance = second[place] / (1.0 - 0.999_f64.powi(round));
            weights[place] += rate * mean / (variance.sqrt() + 1e-8);
        }
    }
    eprintln!("{} pages", pages.len());
    let path = format!("{}/data/weights/{field}.tsv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let rows = text.lines().filter_map(|line| line.split_once('\t'));
    let used: BTreeMap<&str, f64> = rows.filter_map(|(sign, it)| Some((sign, it.parse().ok()?))).collect();
    let mut all: BTreeMap<&str, f64> = if keep > 0.0 { used.clone() } else { BTreeMap::new() };
    for (sign, place) in &index {
        let own = used.get(sign).copied().unwrap_or(weights[*place]);
        all.insert(sign, keep * own + (1.0 - keep) * weights[*place]);
    }
    all.iter().for_each(|(sign, weight)| println!("{sign}\t{weight:.2}"));
}
