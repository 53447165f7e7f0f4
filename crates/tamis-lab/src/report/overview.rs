//! The first page of a report: summaries and plots of every set.

use std::fmt::Write;

use crate::evaluation::{SetResult, ToolResult};
use crate::figure::Figure;
use crate::pair::Pair;
use crate::problem;
use crate::summary::{By, Estimate, Summary};

use super::plot::{self, Row};
use super::{Chapter, escape, figures, shell};

/// Groups of pages in a plot; smaller ones are merged.
const GROUPS: usize = 12;

/// Problems listed per file.
const PROBLEMS: usize = 100;

/// The description of the last column.
const ERRORS: &str = "number of pages on which the tool failed or has no output";

pub(super) fn page(chapters: &[Chapter<'_>], notes: &[String]) -> String {
    let mut out = String::from("<h1>Evaluation</h1>\n");
    for note in notes {
        let _ = writeln!(out, "<p class=quiet><code dir=auto>{}</code></p>", escape::escaped(note));
    }
    out.push_str(
        "<p>Values are between 0 and 1, except for the number of errors, with 95 % confidence intervals below. The best \
         value of each column is bold. A dash means that the metric does not apply.</p>\n",
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

/// The table of tools and metrics.
fn summary(result: &SetResult, out: &mut String) {
    let summaries: Vec<Summary> =
        result.tools.iter().map(|tool| Summary::of_figures(tool.scores.iter(), &figures::SHOWN)).collect();
    let columns: Vec<Figure> = figures::SHOWN
        .into_iter()
        .filter(|figure| summaries.iter().any(|summary| summary.figure(*figure).is_some()))
        .collect();
    out.push_str(
        "<div class=box tabindex=0 role=region aria-label=Summary><table><thead><tr><th scope=col>tool",
    );
    for figure in &columns {
        let _ = write!(out, "<th scope=col class=n title=\"{}\">{}", figure.about(), figure.heading());
    }
    let _ = writeln!(out, "<th scope=col class=n title=\"{ERRORS}\">errors</thead>\n<tbody>");
    for (tool, summary) in result.tools.iter().zip(&summaries) {
        let _ = write!(out, "<tr><th scope=row>{}", escape::escaped(&tool.name));
        for figure in &columns {
            let good = |value: f64| if figure.less_is_better() { -value } else { value };
            let all = summaries.iter().filter_map(|summary| summary.figure(*figure));
            let best = all.map(|estimate| good(estimate.value)).fold(f64::NEG_INFINITY, f64::max);
            match summary.figure(*figure) {
                None => out.push_str("<td class=n>–"),
                Some(Estimate { value, low, high }) => {
                    let class = if good(value) >= best && summaries.len() > 1 { "n best" } else { "n" };
                    let _ = write!(
                        out,
                        "<td class=\"{class}\">{value:.3}<span class=ci>{low:.3}–{high:.3}</span>"
                    );
                }
            }
        }
        let _ = writeln!(out, "<td class=n>{}", tool.errors());
    }
    out.push_str("</tbody></table></div>\n");
    let about = columns.iter().map(|figure| format!("<dt>{}<dd>{}", figure.heading(), figure.about()));
    let about: String = about.collect();
    let _ = writeln!(
        out,
        "<details><summary>About the metrics</summary><dl class=facts>{about}<dt>errors<dd>{ERRORS}</dl></details>"
    );
}

fn pictures(chapter: &Chapter<'_>, out: &mut String) {
    let result = chapter.result;
    let figures: Vec<Vec<f64>> = (0..result.tools.len())
        .map(|tool| (0..result.set.truths.len()).filter_map(|page| chapter.rank(tool, page)).collect())
        .collect();
    if figures.iter().all(Vec::is_empty) {
        return;
    }
    let name = figures::name(chapter.figure);
    out.push_str(&plot::legend(&chapter.tool_names()));
    out.push_str("<div class=plots>\n");
    for (by, about) in [(By::PageType, "page type"), (By::Lang, "language")] {
        let title = format!("{name} by {about}, with numbers of pages and 95 % confidence intervals");
        let picture = plot::dots(&title, &rows(chapter, by));
        let _ = writeln!(out, "<figure><figcaption>{title}</figcaption>{picture}</figure>");
    }
    let title = format!("Share of pages below a value of {name}: lower curves are better");
    let picture = plot::cumulative(&title, &format!("{name} of a page"), &figures);
    let _ = writeln!(out, "<figure><figcaption>{title}</figcaption>{picture}</figure>");
    if result.tools.len() > 1 {
        paired(chapter, out);
    }
    out.push_str("</div>\n");
}

/// A row for all pages and one per group, largest first.
fn rows(chapter: &Chapter<'_>, by: By) -> Vec<Row> {
    let result = chapter.result;
    let scored = |page: &usize| {
        result
            .tools
            .iter()
            .any(|tool| tool.scores.get(*page).is_some_and(|it| chapter.figure.share(it).is_some()))
    };
    let mut groups = result.groups(by);
    for (_, pages) in &mut groups {
        pages.retain(scored);
    }
    groups.retain(|(_, pages)| !pages.is_empty());
    if groups.len() > GROUPS {
        let rest = groups.split_off(GROUPS - 1).into_iter().flat_map(|(_, pages)| pages).collect();
        groups.push(("others".to_owned(), rest));
    }
    if groups.len() > 1 {
        groups.insert(0, ("all pages".to_owned(), (0..result.set.truths.len()).filter(scored).collect()));
    }
    let row = |(label, pages): (String, Vec<usize>)| {
        let point = |tool: &ToolResult| {
            let scores = pages.iter().filter_map(|page| tool.scores.get(*page));
            Summary::of_figures(scores, &[chapter.figure]).figure(chapter.figure)
        };
        Row { label, count: pages.len(), points: result.tools.iter().map(point).collect() }
    };
    groups.into_iter().map(row).collect()
}

/// The first tool compared with the second, page by page.
fn paired(chapter: &Chapter<'_>, out: &mut String) {
    let result = chapter.result;
    let pair = Pair::of(&result.tools[0], &result.tools[1], chapter.figure);
    let leads: Vec<f64> = (0..result.set.truths.len()).filter_map(|page| chapter.lead(1, page)).collect();
    if pair.pages == 0 {
        return;
    }
    let [first, second] = [0, 1].map(|tool: usize| escape::escaped(&result.tools[tool].name));
    let title = format!("{} minus {}, page by page", result.tools[0].name, result.tools[1].name);
    let list = format!("sets/{}/index.html", chapter.folder);
    // The columns of the list: a value per tool, then the differences.
    let column = result.tools.len();
    let chance =
        if pair.p_value < 0.001 { "p &lt; 0.001".to_owned() } else { format!("p = {:.3}", pair.p_value) };
    let _ = writeln!(
        out,
        "<figure><figcaption>{first} minus {second}, page by page: {} over all of them ({} to {}; {chance}). {first} is \
         better on <a href=\"{list}#sort={column},descending\">{} pages</a>, {second} on \
         <a href=\"{list}#sort={column},ascending\">{}</a>; {} are equal.</figcaption>{}</figure>",
        shell::difference(Some(pair.difference.value)),
        shell::difference(Some(pair.difference.low)),
        shell::difference(Some(pair.difference.high)),
        pair.better,
        pair.worse,
        pair.equal,
        plot::differences(&title, figures::name(chapter.figure), &leads)
    );
}

/// The problems of the set and the outputs.
fn problems(result: &SetResult, out: &mut String) {
    let all: Vec<_> = result.set.problems.iter().chain(&result.problems).collect();
    if all.is_empty() {
        return;
    }
    let _ = write!(out, "<details open><summary>Problems: {}</summary><ul>", all.len());
    for problem in problem::listed(all.into_iter(), PROBLEMS) {
        let _ = write!(out, "<li class=any><code dir=auto>{}</code>", escape::escaped(&problem));
    }
    out.push_str("</ul></details>\n");
}
