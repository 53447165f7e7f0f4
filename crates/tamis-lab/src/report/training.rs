//! The report of a training: one page that opens offline, and the same figures for programs.

use std::fmt::Write;
use std::path::Path;

use crate::learn::{Bin, Confusion, Curve, Feature, Figures, Group, Recipe};

use super::folder::{self, Folder};
use super::{ReportError, Written, escape, plot, shell};

/// Features that are shown for each pass; `figures.json` has all.
const FEATURES: usize = 25;
/// Sets that have a line of their own in the picture of the learning curve; the table has all.
const CURVES: usize = 7;

/// Can the report of a training be written to a folder? Makes it if it is not there.
///
/// ```
/// let place = std::env::temp_dir().join(format!("tamis-training-check-{}", std::process::id()));
/// std::fs::create_dir_all(&place)?;
/// std::fs::write(place.join("index.html"), "mine")?;
/// assert!(tamis_lab::report::training::check(&place).is_err());
/// # std::fs::remove_dir_all(place)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(folder: &Path) -> Result<(), ReportError> {
    Folder::check(folder, folder::TRAINING)
}

/// Writes the report: `index.html`, and beside it `figures.json`, `recipe.json` and the picture `reliability.svg`, for documents.
/// `notes` are lines under the heading. A report that is there already is replaced; any other folder that is not empty is refused.
///
/// ```
/// use tamis_lab::learn::{Figures, Recipe, Settings, Trained};
/// use tamis_lab::report::training;
///
/// let folder = std::env::temp_dir().join(format!("tamis-training-of-nothing-{}", std::process::id()));
/// let recipe = Recipe::of(&[], &Trained::default(), &Settings::default(), &Figures::default());
/// let written = training::write(&Figures::default(), &recipe, &folder, &["tamis train".into()])?;
/// assert!(written.index.is_file() && folder.join("figures.json").is_file());
/// assert!(folder.join("reliability.svg").is_file() && folder.join("recipe.json").is_file());
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), tamis_lab::report::ReportError>(())
/// ```
pub fn write(
    figures: &Figures,
    recipe: &Recipe,
    folder: &Path,
    notes: &[String],
) -> Result<Written, ReportError> {
    let target = Folder::prepare(folder, folder::TRAINING)?;
    target.make("")?;
    target.write("figures.json", &json(figures, folder)?)?;
    target.write("recipe.json", &recipe.to_json())?;
    let confidence = plot::agreement(
        "Confidence, and the token F1 that pages had",
        ("confidence", "token F1 of held-out pages"),
        &[points(&figures.confidence)],
    );
    target.write("reliability.svg", &plot::alone(&confidence))?;
    target.write("index.html", &page(figures, recipe, notes))?;
    let (files, bytes) = target.finish()?;
    Ok(Written { index: folder.join("index.html"), files, bytes })
}

/// The figures for programs.
pub(super) fn json(figures: &impl serde::Serialize, folder: &Path) -> Result<String, ReportError> {
    let unwritable = |source: serde_json::Error| ReportError::Unwritable {
        file: folder.join("figures.json"),
        source: source.into(),
    };
    Ok(serde_json::to_string_pretty(figures).map_err(unwritable)? + "\n")
}

/// The page up to its heading and notes. It has its style in it: it is one file.
pub(super) fn head(title: &str, notes: &[String]) -> String {
    let title = escape::escaped(title);
    let mut out = format!(
        "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'\">\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main id=content>\n<h1>{title}</h1>\n",
        shell::STYLE
    );
    for note in notes {
        let _ = writeln!(out, "<p class=quiet><code dir=auto>{}</code></p>", escape::escaped(note));
    }
    out
}

/// How the model was made.
pub(super) fn made(recipe: &Recipe, out: &mut String) {
    out.push_str("<h2>Recipe</h2>\n<p>Beside the model as well, for programs.</p>\n");
    out.push_str("<div class=box tabindex=0 role=region aria-label=Recipe><table><tbody>\n");
    for (what, how) in recipe.rows() {
        let (what, how) = (escape::escaped(&what), escape::escaped(&how));
        let _ = writeln!(out, "<tr><th scope=row>{what}<td>{how}");
    }
    out.push_str("</tbody></table></div>\n");
}

pub(super) const END: &str = "</main>\n</body>\n</html>\n";

fn page(figures: &Figures, recipe: &Recipe, notes: &[String]) -> String {
    let mut out = head("Training", notes);
    let _ = writeln!(
        out,
        "<p>{} pages of {} sites, cut by {} into {} parts; what is told of a part was learned from the others. The model \
         itself has then been trained on all of them. All figures but the numbers of pages are between 0 and 1.</p>",
        figures.pages, figures.sites, figures.hold_out, figures.folds
    );
    let groups: Vec<&Group> = figures.sets.iter().chain([&figures.mean]).collect();
    out.push_str("<h2>Token F1 by set</h2>\n<p>No choice of blocks could do better than the ceiling.</p>\n");
    table_of_groups("set", &groups, &mut out);
    out.push_str("<h2>By kind of page</h2>\n");
    table_of_groups("kind", &figures.kinds.iter().collect::<Vec<_>>(), &mut out);
    confusion(&figures.confusion, &mut out);
    reliability(&figures.expected, &figures.confidence, &mut out);
    curve(&figures.curve, &mut out);
    importance(&figures.features, &mut out);
    made(recipe, &mut out);
    out.push_str(END);
    out
}

fn figure(value: f32) -> String {
    shell::figure(Some(f64::from(value)))
}

/// A table in a box that scrolls by itself.
pub(super) fn table(label: &str, head: &[String], rows: impl Iterator<Item = Vec<String>>, out: &mut String) {
    let label = escape::escaped(label);
    let _ = write!(out, "<div class=box tabindex=0 role=region aria-label=\"{label}\"><table><thead><tr>");
    for (column, name) in head.iter().enumerate() {
        let class = if column == 0 { "" } else { " class=n" };
        let _ = write!(out, "<th scope=col{class}>{}", escape::escaped(name));
    }
    out.push_str("</thead>\n<tbody>\n");
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let open = if column == 0 { "<tr><th scope=row>" } else { "<td class=n>" };
            let _ = write!(out, "{open}{}", escape::escaped(cell));
        }
        out.push('\n');
    }
    out.push_str("</tbody></table></div>\n");
}

fn table_of_groups(what: &str, groups: &[&Group], out: &mut String) {
    let head =
        [what, "pages", "F1", "first pass alone", "ceiling", "expected", "confidence"].map(str::to_owned);
    let row = |group: &&Group| {
        let pages = if group.pages > 0 { group.pages.to_string() } else { String::new() };
        let figures = [group.f1, group.first_f1, group.ceiling, group.expected, group.confidence].map(figure);
        [group.name.clone(), pages].into_iter().chain(figures).collect()
    };
    table(&format!("by {what}"), &head, groups.iter().map(row), out);
}

fn confusion(confusion: &Confusion, out: &mut String) {
    let Some(right) = confusion.right() else { return };
    let _ = writeln!(
        out,
        "<h2>Kinds of pages</h2>\n<p>Right: {}. A row has the pages that are of a kind, a column those of which it is given out. \
         Questions and answers count as forum, several bodies as article, pictures as other.</p>",
        figure(right)
    );
    let head: Vec<String> = ["is"].iter().chain(&confusion.names).map(|name| (*name).to_owned()).collect();
    let rows = confusion.names.iter().zip(&confusion.counts).map(|(name, counts)| {
        std::iter::once((*name).to_owned()).chain(counts.iter().map(usize::to_string)).collect()
    });
    table("Kinds", &head, rows, out);
}

fn points(bins: &[Bin]) -> Vec<(f64, f64)> {
    bins.iter().map(|bin| (f64::from(bin.said), f64::from(bin.f1))).collect()
}

fn reliability(expected: &[Bin], confidence: &[Bin], out: &mut String) {
    let picture = plot::agreement(
        "Reliability: what was said of pages, and the token F1 they had",
        ("what was said", "token F1"),
        &[points(confidence), points(expected)],
    );
    let _ = writeln!(
        out,
        "<h2>Reliability</h2>\n<p>Ten groups of pages, by what was said of them: the confidence, and what the decision \
         expected before it was set against other pages. On the straight line both are equal.</p>\n{}<figure>{picture}</figure>",
        plot::legend(&["confidence", "expected"])
    );
    let head = ["confidence", "F1", "pages"].map(str::to_owned);
    let row = |bin: &Bin| vec![figure(bin.said), figure(bin.f1), bin.pages.to_string()];
    table("Reliability", &head, confidence.iter().map(row), out);
}

fn curve(curve: &[Curve], out: &mut String) {
    if curve.is_empty() {
        return;
    }
    out.push_str("<h2>Learning curve</h2>\n<p>Token F1 on the same pages, with a share of the sites to learn from.</p>\n");
    let sets = curve.first().map_or(&[][..], |point| &point.sets);
    let points = |of: &dyn Fn(&Curve) -> f32| -> Vec<(f64, f64)> {
        curve.iter().map(|point| (f64::from(point.share), f64::from(of(point)))).collect()
    };
    let mut series = vec![points(&|point| point.f1)];
    let of_set = |set: usize| points(&|point| point.sets.get(set).map_or(0.0, |(_, f1)| *f1));
    series.extend((0..sets.len().min(CURVES)).map(of_set));
    let names: Vec<&str> =
        ["mean of sets"].into_iter().chain(sets.iter().take(CURVES).map(|(name, _)| name.as_str())).collect();
    let picture = plot::growth("Learning curve", ("share of the sites", "token F1"), &series);
    let _ = writeln!(out, "{}<figure>{picture}</figure>", plot::legend(&names));
    let head: Vec<String> = ["share of sites", "sites", "mean of sets"]
        .into_iter()
        .map(str::to_owned)
        .chain(sets.iter().map(|(name, _)| name.clone()))
        .collect();
    let row = |point: &Curve| {
        let figures = point.sets.iter().map(|(_, f1)| figure(*f1));
        [format!("{:.2}", point.share), point.sites.to_string(), figure(point.f1)]
            .into_iter()
            .chain(figures)
            .collect()
    };
    table("Learning curve", &head, curve.iter().map(row), out);
}

fn importance(features: &[Feature], out: &mut String) {
    out.push_str(
        "<h2>Features</h2>\n<p>How much each took off the loss, as a share of all of its pass.</p>\n",
    );
    for (pass, heading) in [("first", "First pass"), ("second", "Second pass"), ("kinds", "Kinds of pages")] {
        let of_pass = features.iter().filter(|feature| feature.pass == pass && feature.gain > 0.0);
        let rows: Vec<(&str, f64)> =
            of_pass.take(FEATURES).map(|feature| (feature.name.as_str(), feature.share)).collect();
        if !rows.is_empty() {
            let _ = writeln!(out, "<h3>{heading}</h3>\n<figure>{}</figure>", plot::bars(heading, &rows));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets_are_text_only() {
        let hostile = Group { name: "<script>x</script>".into(), pages: 1, ..Group::default() };
        let figures = Figures { sets: vec![hostile.clone()], kinds: vec![hostile], ..Figures::default() };
        let mut recipe = Recipe::of_svm(&[], &Default::default(), &Default::default());
        let name = "<script>y</script>".to_owned();
        recipe.sets =
            vec![crate::learn::SetUsed { name, weight: 1.0, pages: 1, sites: 1, truths: String::new() }];
        let page = page(&figures, &recipe, &["<img src=x>".into()]);
        assert!(!page.contains("<script>") && !page.contains("<img"), "{page}");
        assert!(!page.contains("src=") || page.contains("&lt;img src=x&gt;"));
    }
}
