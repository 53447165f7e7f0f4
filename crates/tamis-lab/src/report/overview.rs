//! The first page of a report: how the tools do on each set, with intervals and pictures.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::evaluation::SetResult;

use super::plot::{self, Point, Row};
use super::{Chapter, escape, figures, shell};

/// Groups of pages that a picture shows; smaller ones are put together.
const GROUPS: usize = 12;

/// Problems that are listed; the rest is counted.
const PROBLEMS: usize = 200;

pub(super) fn page(chapters: &[Chapter<'_>], note: Option<&str>) -> String {
    let mut out = String::from("<h1>Evaluation</h1>\n");
    if let Some(note) = note {
        let _ = writeln!(out, "<p class=quiet><code dir=auto>{}</code></p>", escape::escaped(note));
    }
    out.push_str(
        "<p>Means over pages; below each its 95 % interval. Every figure is between 0 and 1; \
         its heading says what it is.</p>\n",
    );
    if chapters.is_empty() {
        out.push_str("<p>There are no sets.</p>\n");
    }
    for chapter in chapters {
        section(chapter, &mut out);
    }
    let links: String = chapters
        .iter()
        .map(|chapter| {
            let name = escape::escaped(&chapter.result.set.name);
            format!("<a href=\"#{}\">{name}</a>", chapter.folder)
        })
        .collect();
    shell::page("Evaluation", "", &links, &out)
}

fn section(chapter: &Chapter<'_>, out: &mut String) {
    let set = &chapter.result.set;
    let _ = write!(
        out,
        "<section id=\"{0}\">\n<h2>{1}</h2>\n<p><a href=\"sets/{0}/index.html\">{2} pages, worst first</a></p>\n",
        chapter.folder,
        escape::escaped(&set.name),
        set.truths.len()
    );
    summary(chapter.result, out);
    pictures(chapter, out);
    problems(chapter.result, out);
    out.push_str("</section>\n");
}

/// A row a tool, a column a figure.
fn summary(result: &SetResult, out: &mut String) {
    let columns: Vec<(&figures::Figure, Vec<Vec<f64>>)> = figures::FIGURES
        .iter()
        .map(|figure| {
            let values =
                |tool: &crate::evaluation::ToolResult| tool.scores.iter().filter_map(figure.of).collect();
            (figure, result.tools.iter().map(values).collect::<Vec<Vec<f64>>>())
        })
        .filter(|(_, values)| values.iter().any(|values| !values.is_empty()))
        .collect();
    out.push_str(
        "<div class=box tabindex=0 role=region aria-label=Summary><table><thead><tr><th scope=col>tool",
    );
    for (figure, _) in &columns {
        let _ = write!(out, "<th scope=col class=n title=\"{}\">{}", figure.about, figure.name);
    }
    out.push_str("</thead>\n<tbody>\n");
    let points: Vec<Vec<Option<Point>>> =
        columns.iter().map(|(_, values)| values.iter().map(|values| interval(values)).collect()).collect();
    for (at, tool) in result.tools.iter().enumerate() {
        let _ = write!(out, "<tr><th scope=row>{}", escape::escaped(&tool.name));
        for column in &points {
            let best = column.iter().flatten().map(|point| point.mean).fold(f64::NEG_INFINITY, f64::max);
            match column[at] {
                None => out.push_str("<td class=n>–"),
                Some(point) => {
                    let class = if point.mean >= best && column.len() > 1 { "n best" } else { "n" };
                    let _ = write!(
                        out,
                        "<td class=\"{class}\">{:.3}<span class=ci>{:.3}–{:.3}</span>",
                        point.mean, point.low, point.high
                    );
                }
            }
        }
        out.push('\n');
    }
    out.push_str("</tbody></table></div>\n");
}

fn pictures(chapter: &Chapter<'_>, out: &mut String) {
    let result = chapter.result;
    let ranked: Vec<Vec<f64>> = (0..result.tools.len())
        .map(|tool| (0..result.set.truths.len()).filter_map(|page| result.rank(tool, page)).collect())
        .collect();
    if ranked.iter().all(Vec::is_empty) {
        return;
    }
    out.push_str(&plot::legend(&chapter.tool_names()));
    out.push_str("<div class=plots>\n");
    for (about, of) in figures::PARTS {
        let rows = groups(result, of);
        let title = format!("F1 by {about}, with the number of pages and 95 % intervals");
        let _ =
            writeln!(out, "<figure><figcaption>{title}</figcaption>{}</figure>", plot::dots(&title, &rows));
    }
    let title = "Share of pages below an F1: the lower the curve, the better the tool";
    let _ = writeln!(
        out,
        "<figure><figcaption>{title}</figcaption>{}</figure>",
        plot::cumulative(title, &ranked)
    );
    if result.tools.len() > 1 {
        paired(chapter, out);
    }
    out.push_str("</div>\n");
}

/// A row for all pages, then one for each group, the largest first.
fn groups(result: &SetResult, of: figures::Part) -> Vec<Row> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (page, truth) in result.set.truths.iter().enumerate() {
        groups.entry(of(truth).unwrap_or(figures::UNKNOWN)).or_default().push(page);
    }
    let mut groups: Vec<(&str, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, pages)| std::cmp::Reverse(pages.len()));
    if groups.len() > GROUPS {
        let rest = groups.split_off(GROUPS - 1).into_iter().flat_map(|(_, pages)| pages).collect();
        groups.push(("others", rest));
    }
    if groups.len() > 1 {
        groups.insert(0, ("all pages", (0..result.set.truths.len()).collect()));
    }
    let row = |(label, pages): (&str, Vec<usize>)| {
        let point = |tool: usize| {
            let values: Vec<f64> = pages.iter().filter_map(|&page| result.rank(tool, page)).collect();
            interval(&values)
        };
        Row {
            label: label.to_owned(),
            count: pages.len(),
            points: (0..result.tools.len()).map(point).collect(),
        }
    };
    groups.into_iter().map(row).collect()
}

/// The first tool against the second, page by page.
fn paired(chapter: &Chapter<'_>, out: &mut String) {
    let result = chapter.result;
    let leads: Vec<f64> = (0..result.set.truths.len()).filter_map(|page| result.lead(1, page)).collect();
    let Some(point) = interval(&leads) else { return };
    let better = leads.iter().filter(|&&lead| lead > figures::EQUAL).count();
    let worse = leads.iter().filter(|&&lead| lead < -figures::EQUAL).count();
    let [first, second] = [0, 1].map(|tool: usize| escape::escaped(&result.tools[tool].name));
    let title = format!("{} minus {}, page by page", result.tools[0].name, result.tools[1].name);
    // The list's columns: a figure a tool, then the differences.
    let column = result.tools.len();
    let _ = writeln!(
        out,
        "<figure><figcaption>{first} minus {second}, page by page: {} on average ({} to {}). {first} is better on \
         <a href=\"sets/{3}/index.html#sort={column},descending\">{better} pages</a>, {second} on \
         <a href=\"sets/{3}/index.html#sort={column},ascending\">{worse}</a>; {4} are equal.</figcaption>{5}</figure>",
        shell::difference(Some(point.mean)),
        shell::difference(Some(point.low)),
        shell::difference(Some(point.high)),
        chapter.folder,
        leads.len() - better - worse,
        plot::differences(&title, &leads)
    );
}

/// What is wrong with the set and with the outputs.
fn problems(result: &SetResult, out: &mut String) {
    let all: Vec<_> = result.set.problems.iter().chain(&result.problems).collect();
    if all.is_empty() {
        return;
    }
    let _ = write!(out, "<details open><summary>Problems: {}</summary><ul>", all.len());
    for problem in all.iter().take(PROBLEMS) {
        let _ = write!(out, "<li class=any><code dir=auto>{}</code>", escape::escaped(&problem.to_string()));
    }
    if all.len() > PROBLEMS {
        let _ = write!(out, "<li>{} more", all.len() - PROBLEMS);
    }
    out.push_str("</ul></details>\n");
}

fn interval(values: &[f64]) -> Option<Point> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation =
        (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
    let half = 1.96 * deviation / n.sqrt();
    Some(Point { mean, low: mean - half, high: mean + half })
}
