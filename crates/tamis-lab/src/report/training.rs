//! The report of a training: one page that opens offline, and the recipe for programs.

use std::fmt::Write;
use std::path::Path;

use crate::train::{Figure, PageResult, Recipe, Report, figures};

use super::folder::{self, Folder};
use super::{ReportError, Written, escape, plot, shell};

/// Features shown per pass.
const FEATURES: usize = 25;
/// Groups of pages in the reliability diagram.
const BINS: usize = 10;

/// Checks that the report can be written to a folder; creates the folder if it is missing.
pub fn check(folder: &Path) -> Result<(), ReportError> {
    Folder::check(folder, folder::TRAINING)
}

/// Writes `index.html`, `recipe.json` and `reliability.svg`. `notes` are lines below the heading. An existing report is
/// replaced; any other folder must be empty.
pub fn write(
    report: &Report,
    recipe: &Recipe,
    folder: &Path,
    notes: &[String],
) -> Result<Written, ReportError> {
    let target = Folder::prepare(folder, folder::TRAINING)?;
    target.make("")?;
    target.write("recipe.json", &recipe.to_json())?;
    let picture = reliability(&report.pages);
    target.write("reliability.svg", &plot::alone(&picture))?;
    target.write("index.html", &page(report, recipe, &picture, notes))?;
    let (files, bytes) = target.finish()?;
    Ok(Written { index: folder.join("index.html"), files, bytes })
}

fn page(report: &Report, recipe: &Recipe, picture: &str, notes: &[String]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'\">\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <title>Training</title>\n<style>\n{}</style>\n</head>\n<body>\n<main id=content>\n<h1>Training</h1>\n",
        shell::STYLE
    );
    for note in notes {
        let _ = writeln!(out, "<p class=quiet><code dir=auto>{}</code></p>", escape::escaped(note));
    }
    let _ = writeln!(
        out,
        "<p>{} pages, predicted by models that have not seen their sites ({} folds, seed {}). Model: {} bytes, digest {}.</p>",
        report.pages.len(),
        recipe.folds,
        recipe.seed,
        recipe.bytes,
        recipe.digest
    );
    table("Token F1 by set", "set", &figures(&report.pages, |page| Some(&page.set)), &mut out);
    table(
        "Token F1 by page type",
        "type",
        &figures(&report.pages, |page| page.page_type.as_deref()),
        &mut out,
    );
    let _ = writeln!(
        out,
        "<h2>Reliability</h2>\n<p>Ten groups of pages by expected F1, and the F1 they had. On the diagonal both are equal.</p>\n\
         <figure>{picture}</figure>"
    );
    for (heading, gains) in [
        ("Features of the first pass", &report.first_gains),
        ("Features of the second pass", &report.second_gains),
    ] {
        let sum: f64 = gains.iter().map(|(_, gain)| gain).sum();
        let rows: Vec<(&str, f64)> =
            gains.iter().take(FEATURES).map(|(name, gain)| (*name, gain / sum.max(1e-9))).collect();
        let _ = writeln!(out, "<h2>{heading}</h2>\n<figure>{}</figure>", plot::bars(heading, &rows));
    }
    let _ = writeln!(out, "<h2>Recipe</h2>\n<pre>{}</pre>", escape::escaped(&recipe.to_json()));
    out + "</main>\n</body>\n</html>\n"
}

fn table(heading: &str, what: &str, rows: &[Figure], out: &mut String) {
    let _ = write!(
        out,
        "<h2>{heading}</h2>\n<div class=box tabindex=0 role=region aria-label=\"{heading}\"><table><thead>\
         <tr><th scope=col>{what}<th scope=col class=n>pages<th scope=col class=n>F1</thead>\n<tbody>\n"
    );
    for row in rows {
        let name = escape::escaped(&row.name);
        let _ = writeln!(out, "<tr><th scope=row>{name}<td class=n>{}<td class=n>{:.3}", row.pages, row.f);
    }
    out.push_str("</tbody></table></div>\n");
}

/// Expected against achieved F1 in groups of equal size.
fn reliability(pages: &[PageResult]) -> String {
    let mut points: Vec<(f64, f64)> =
        pages.iter().filter_map(|page| Some((f64::from(page.expected_f1), page.f1?))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = |chunk: &[(f64, f64)]| {
        let count = chunk.len().max(1) as f64;
        let sum = chunk.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        (sum.0 / count, sum.1 / count)
    };
    let bins: Vec<(f64, f64)> = points.chunks(points.len().div_ceil(BINS).max(1)).map(mean).collect();
    plot::agreement("Expected and achieved token F1", ("expected F1", "token F1 of held-out pages"), &[bins])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::Settings;

    #[test]
    fn names_of_sets_are_escaped() {
        let page = PageResult { set: "<script>x</script>".into(), f1: Some(0.5), ..PageResult::default() };
        let report = Report { pages: vec![page], ..Report::default() };
        let recipe = Recipe::new(&[], &Settings::default(), &report, b"model");
        let page = super::page(&report, &recipe, "", &["<img src=x>".into()]);
        assert!(!page.contains("<script>") && !page.contains("<img"), "{page}");
    }
}
