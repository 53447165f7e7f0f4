//! The tables of an evaluation: one group per set, and an overview of all sets.

use std::collections::{BTreeMap, BTreeSet};

use crate::evaluation::{Evaluation, SetResult};
use crate::figure::Figure::{self, *};
use crate::figure::quotient;
use crate::pair::Pair;
use crate::score::PageScore;
use crate::summary::{By, Estimate, Summary};
use crate::table::Table;

/// Groups of fewer pages have no column: they would show noise.
const MIN_PAGES: usize = 5;

/// Columns that fit on a line.
const MAX_GROUPS: usize = 12;

/// Columns of the main text, besides those of tokens.
const TEXT: [Figure; 12] = [
    ShingleF1,
    Rouge5F1,
    RougeLF1,
    CharacterF1,
    Qualified,
    Excellent,
    Correct,
    Complete,
    LeafTagPrecision,
    LeafTagRecall,
    Failed,
    Empty,
];

/// Columns of metadata, left out if no truth has it.
const METADATA: [(&str, &[Figure]); 5] = [
    ("title", &[TitleEqual, TitleContains]),
    ("date", &[SameDay]),
    ("author", &[RightAuthor]),
    ("language", &[RightLanguage]),
    ("posts", &[PostF1, PostAuthors, PostTimes]),
];

/// The summaries of the tools of a set.
pub fn summaries(result: &SetResult) -> Vec<Summary> {
    result.tools.iter().map(|tool| tool.summary()).collect()
}

/// The tables of one set: text, segments, metadata, as far as it has them; token F1 by group; on request, pairs
/// of tools. The best tool comes first.
pub fn of_set(result: &SetResult, summaries: &[Summary], by: &[By], pairs: bool) -> Vec<Table> {
    let mut tables = Vec::new();
    tables.extend(text_table(result, summaries));
    tables.extend(segment_table(result, summaries));
    tables.extend(metadata_table(result, summaries));
    tables.extend(by.iter().filter_map(|by| group_table(result, summaries, *by)));
    if pairs && result.tools.len() > 1 {
        tables.push(pair_table(result, summaries));
    }
    tables
}

/// The indices of the tools, the best by a metric first.
fn ranked(summaries: &[Summary], figure: Figure) -> Vec<usize> {
    let mut places: Vec<usize> = (0..summaries.len()).collect();
    let value = |place: &usize| summaries[*place].figure(figure).map_or(-1.0, |estimate| estimate.value);
    places.sort_by(|a, b| value(b).total_cmp(&value(a)));
    places
}

/// A column of a table of tools: its heading, and the cell of a tool.
type Column<'c> = (String, Box<dyn Fn(usize) -> String + 'c>);

/// A table of all tools, the best by a metric first.
fn tool_table(
    title: String,
    result: &SetResult,
    summaries: &[Summary],
    by: Figure,
    columns: Vec<Column<'_>>,
) -> Table {
    let head = ["tool".to_owned()].into_iter().chain(columns.iter().map(|(heading, _)| heading.clone()));
    let row = |place: usize| {
        let cells = columns.iter().map(|(_, cell)| cell(place));
        [result.tools[place].name.clone()].into_iter().chain(cells).collect()
    };
    Table { title, head: head.collect(), rows: ranked(summaries, by).into_iter().map(row).collect() }
}

fn value_columns<'c>(summaries: &'c [Summary], figures: &[Figure]) -> Vec<Column<'c>> {
    let column = |figure: &Figure| -> Column<'c> {
        let figure = *figure;
        (figure.heading().to_owned(), Box::new(move |place| percent(&summaries[place], figure)))
    };
    figures.iter().map(column).collect()
}

/// The confidence interval of a metric.
fn interval_column(summaries: &[Summary], figure: Figure) -> Column<'_> {
    ("95 %".to_owned(), Box::new(move |place| interval(summaries[place].figure(figure))))
}

fn text_table(result: &SetResult, summaries: &[Summary]) -> Option<Table> {
    let pages = summaries.iter().map(|summary| summary.text_pages).max().filter(|pages| *pages > 0)?;
    let mut columns = value_columns(summaries, &[TokenPrecision, TokenRecall, TokenF1]);
    columns.push(interval_column(summaries, TokenF1));
    let median = |place: usize| {
        let median = summaries[place].median_token_f1;
        median.map_or_else(none, |median| format!("{:.1}", 100.0 * median))
    };
    columns.push(("median".to_owned(), Box::new(median)));
    columns.extend(value_columns(summaries, &TEXT));
    columns.push(("errors".to_owned(), Box::new(|place| result.tools[place].errors().to_string())));
    let title = format!("{}: main text, {pages} pages, %", result.set.name);
    Some(tool_table(title, result, summaries, TokenF1, columns))
}

fn segment_table(result: &SetResult, summaries: &[Summary]) -> Option<Table> {
    let pages = result.tools.first()?.scores.iter().filter(|score| score.segments.is_some()).count();
    if pages == 0 {
        return None;
    }
    let figures =
        [SegmentPresent, SegmentAbsent, SegmentAccuracy, SegmentPrecision, SegmentRecall, SegmentF1];
    let mut columns = value_columns(summaries, &figures);
    columns.push(interval_column(summaries, SegmentF1));
    columns.extend(value_columns(summaries, &[SegmentF1AnyCase]));
    let title = format!("{}: segments, {pages} pages, %", result.set.name);
    Some(tool_table(title, result, summaries, SegmentF1, columns))
}

fn metadata_table(result: &SetResult, summaries: &[Summary]) -> Option<Table> {
    // Counted by the truths: not every tool extracts all of it.
    let scores: Vec<PageScore> =
        result.set.truths.iter().map(|truth| PageScore::of_metadata(truth, None)).collect();
    let pages = |figure: Figure| scores.iter().filter(|score| figure.share(score).is_some()).count();
    let present: Vec<_> = METADATA.iter().filter(|(_, figures)| pages(figures[0]) > 0).collect();
    let (_, first) = present.first().filter(|_| !result.tools.is_empty())?;
    let names: Vec<String> =
        present.iter().map(|(name, figures)| format!("{name} ({} pages)", pages(figures[0]))).collect();
    let title = format!("{}: {}, %", result.set.name, names.join(", "));
    let figures: Vec<Figure> = present.iter().flat_map(|(_, figures)| figures.iter().copied()).collect();
    Some(tool_table(title, result, summaries, first[0], value_columns(summaries, &figures)))
}

/// The main metric by groups of pages, if there are at least two large groups.
fn group_table(result: &SetResult, summaries: &[Summary], by: By) -> Option<Table> {
    let figure = result.main_figure();
    let scored =
        |place: &usize| result.tools.first().is_some_and(|tool| figure.share(&tool.scores[*place]).is_some());
    let groups: Vec<(String, Vec<usize>)> = result
        .groups(by)
        .into_iter()
        .map(|(group, places)| (group, places.into_iter().filter(scored).collect::<Vec<_>>()))
        .filter(|(_, places)| places.len() >= MIN_PAGES)
        .take(MAX_GROUPS)
        .collect();
    if groups.len() < 2 {
        return None;
    }
    let column = |(group, places): (String, Vec<usize>)| -> Column<'_> {
        let heading = format!("{group} ({})", places.len());
        let cell = move |tool: usize| {
            let scores = &result.tools[tool].scores;
            let shares = places.iter().filter_map(|place| figure.share(&scores[*place]));
            let (above, below) = shares.fold((0.0, 0.0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
            quotient(above, below).map_or_else(none, |value| format!("{:.1}", 100.0 * value))
        };
        (heading, Box::new(cell))
    };
    let title = format!("{}: {} by {}, %", result.set.name, figure.heading(), by.name());
    Some(tool_table(title, result, summaries, figure, groups.into_iter().map(column).collect()))
}

fn pair_table(result: &SetResult, summaries: &[Summary]) -> Table {
    let figure = result.main_figure();
    let ranked = ranked(summaries, figure);
    let mut rows = Vec::new();
    for (rank, first) in ranked.iter().enumerate() {
        for second in &ranked[rank + 1..] {
            let (first, second) = (&result.tools[*first], &result.tools[*second]);
            let pair = Pair::of(first, second, figure);
            let Estimate { value, low, high } = pair.difference;
            rows.push(vec![
                format!("{} - {}", first.name, second.name),
                format!("{:+.1}", 100.0 * value),
                format!("{:+.1} to {:+.1}", 100.0 * low, 100.0 * high),
                format!("{:.4}", pair.p_value),
                pair.better.to_string(),
                pair.worse.to_string(),
                pair.equal.to_string(),
            ]);
        }
    }
    let head = ["tools", "difference", "95 %", "p", "better", "worse", "equal"].map(str::to_owned).to_vec();
    Table { title: format!("{}: {} of pairs, %", result.set.name, figure.heading()), head, rows }
}

/// The overview: the main metric of every tool on every set, and its mean. `None` for a single set.
///
/// To be comparable, means are over the same sets: those on which every tool ran that ran on at least half of the sets.
/// A tool that did not run on all of those gets the mean over its own sets, with their number in brackets.
pub fn of_all(evaluation: &Evaluation, summaries: &[Vec<Summary>]) -> Option<Table> {
    let scored = |result: &SetResult, summaries: &[Summary]| {
        summaries.iter().any(|summary| summary.figure(result.main_figure()).is_some())
    };
    let sets: Vec<(&SetResult, &Vec<Summary>)> = evaluation
        .sets
        .iter()
        .zip(summaries)
        .filter(|(result, summaries)| scored(result, summaries))
        .collect();
    if sets.len() < 2 {
        return None;
    }
    let names: BTreeSet<&str> =
        sets.iter().flat_map(|(result, _)| result.tools.iter().map(|tool| tool.name.as_str())).collect();
    let of_tool = |name: &str| -> Vec<Option<f64>> {
        let value = |(result, summaries): &(&SetResult, &Vec<Summary>)| {
            let place = result.tools.iter().position(|tool| tool.name == name)?;
            summaries[place].figure(result.main_figure()).map(|estimate| estimate.value)
        };
        sets.iter().map(value).collect()
    };
    let values: BTreeMap<&str, Vec<Option<f64>>> = names.iter().map(|name| (*name, of_tool(name))).collect();
    let tried = |values: &[Option<f64>]| values.iter().flatten().count() * 2 >= sets.len();
    let shared: Vec<usize> = (0..sets.len())
        .filter(|set| values.values().filter(|it| tried(it)).all(|it| it[*set].is_some()))
        .collect();
    let mean = |values: &[f64]| quotient(values.iter().sum(), values.len() as f64);
    let cell = |value: &Option<f64>| value.map_or_else(none, |value| format!("{:.1}", 100.0 * value));
    // Tools with the shared mean come first.
    let mut columns: Vec<(bool, Option<f64>, &str, String)> = values
        .iter()
        .map(|(name, values)| {
            let own: Vec<f64> = values.iter().copied().flatten().collect();
            let of_shared: Option<Vec<f64>> = shared.iter().map(|set| values[*set]).collect();
            let of_shared = of_shared.and_then(|values| mean(&values));
            let shown = match of_shared {
                None if own.is_empty() => none(),
                None => format!("{} ({})", cell(&mean(&own)), own.len()),
                some => cell(&some),
            };
            (of_shared.is_none(), of_shared.or_else(|| mean(&own)), *name, shown)
        })
        .collect();
    columns.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.unwrap_or(-1.0).total_cmp(&a.1.unwrap_or(-1.0))));
    let row = |first: String, cell: &dyn Fn(&str, &String) -> String| -> Vec<String> {
        let cells = columns.iter().map(|(.., name, shown)| cell(name, shown));
        std::iter::once(first).chain(cells).collect()
    };
    let mut rows: Vec<Vec<String>> = (0..sets.len())
        .map(|set| {
            let mark = if sets[set].0.main_figure() == SegmentF1 { " (seg)" } else { "" };
            row(format!("{}{mark}", sets[set].0.set.name), &|name, _| cell(&values[name][set]))
        })
        .collect();
    rows.push(row(format!("mean of {}", shared.len()), &|_, shown| shown.clone()));
    let left: Vec<&str> = (0..sets.len())
        .filter(|set| !shared.contains(set))
        .map(|set| sets[set].0.set.name.as_str())
        .collect();
    let mut title = "All sets: tok F1 (seg: segment F1), %".to_owned();
    if !left.is_empty() {
        title += &format!("; the mean leaves out {}, where not all tools ran", left.join(", "));
    }
    if columns.iter().any(|(own, mean, ..)| *own && mean.is_some()) {
        title += "; a mean with a number in brackets is over that many other sets and not comparable";
    }
    Some(Table { title, head: row("set".to_owned(), &|name, _| name.to_owned()), rows })
}

fn percent(summary: &Summary, figure: Figure) -> String {
    summary.figure(figure).map_or_else(none, |estimate| format!("{:.1}", 100.0 * estimate.value))
}

fn interval(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(none, |it| format!("{:.1}–{:.1}", 100.0 * it.low, 100.0 * it.high))
}

fn none() -> String {
    "–".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Output, Set, TitleScore, ToolResult, Truth};

    fn set(name: &str, tools: &[(&str, bool)]) -> SetResult {
        let truth = Truth { id: "a".into(), text: Some("one two".into()), ..Truth::default() };
        let mut set = Set::in_memory(vec![truth]);
        set.name = name.to_owned();
        let of_tool = |(name, good): &(&str, bool)| {
            let text = if *good { "one two" } else { "three" };
            let output = Output { id: "a".into(), text: Some(text.into()), ..Output::default() };
            let score: PageScore = crate::score::Reference::new(&set.truths[0], false).score(Some(&output));
            ToolResult { name: (*name).into(), trial: None, outputs: vec![Some(output)], scores: vec![score] }
        };
        let tools = tools.iter().map(of_tool).collect();
        SetResult { set, tools, problems: Vec::new(), models: Default::default() }
    }

    #[test]
    fn means_are_over_the_same_sets_for_all() {
        let sets = vec![
            set("first", &[("ours", false), ("theirs", true)]),
            set("ours-alone", &[("ours", true)]),
            set("third", &[("ours", true), ("theirs", true), ("rare", true)]),
        ];
        let evaluation = Evaluation { sets };
        let summaries: Vec<Vec<Summary>> = evaluation.sets.iter().map(super::summaries).collect();
        let table = of_all(&evaluation, &summaries).unwrap();
        assert!(
            table.title.contains("leaves out ours-alone, where not all tools ran; a mean with a number"),
            "{}",
            table.title
        );
        assert_eq!(table.head, ["set", "theirs", "ours", "rare"]);
        assert_eq!(table.rows[0], ["first", "100.0", "0.0", "–"]);
        assert_eq!(table.rows[1], ["ours-alone", "–", "100.0", "–"]);
        assert_eq!(table.rows[2], ["third", "100.0", "100.0", "100.0"]);
        assert_eq!(table.rows[3], ["mean of 2", "100.0", "50.0", "100.0 (1)"]);
    }

    #[test]
    fn a_set_without_outputs_has_no_row() {
        let sets = vec![
            set("first", &[("theirs", true), ("others", false)]),
            set("nobody", &[]),
            set("third", &[("theirs", true)]),
            set("fourth", &[("others", true)]),
        ];
        let evaluation = Evaluation { sets };
        let summaries: Vec<Vec<Summary>> = evaluation.sets.iter().map(super::summaries).collect();
        let table = of_all(&evaluation, &summaries).unwrap();
        assert_eq!(table.head, ["set", "theirs", "others"]);
        assert_eq!(table.rows[0], ["first", "100.0", "0.0"]);
        assert_eq!(table.rows[1], ["third", "100.0", "–"]);
        assert_eq!(table.rows[2], ["fourth", "–", "100.0"]);
        assert_eq!(table.rows[3], ["mean of 1", "100.0", "0.0"]);
        assert!(!evaluation.sets[1].set.truths.is_empty());
        assert_eq!(evaluation.sets[1].main_figure(), TokenF1);
    }

    #[test]
    fn a_tool_without_any_titles_is_not_scored_by_title() {
        let titled = |name: &str, title: Option<&str>| {
            let mut result = set(name, &[("theirs", true), ("titles", true)]);
            result.set.truths[0].title = Some("One".into());
            for (tool, title) in result.tools.iter_mut().zip([None, title]) {
                tool.outputs[0].as_mut().unwrap().title = title.map(str::to_owned);
                tool.scores[0].title = TitleScore::of(title, "One");
            }
            result
        };
        // The second tool gives titles, though not on every set.
        let evaluation = Evaluation::of(vec![titled("a", Some("One")), titled("b", None)]);
        let cells = |result: &SetResult| {
            let table = metadata_table(result, &super::summaries(result)).unwrap();
            table.rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(cells(&evaluation.sets[0])["titles"], "100.0");
        assert_eq!(cells(&evaluation.sets[1])["titles"], "0.0");
        assert!(evaluation.sets.iter().all(|result| cells(result)["theirs"] == "–"));
    }
}
