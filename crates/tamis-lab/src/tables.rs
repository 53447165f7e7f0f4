//! The tables of an evaluation: every set by itself, and all sets side by side.

use std::collections::{BTreeMap, BTreeSet};

use crate::evaluation::{Evaluation, SetResult};
use crate::figure::Figure::{self, *};
use crate::pair::Pair;
use crate::summary::{By, Estimate, Summary};
use crate::table::Table;

/// Groups of fewer pages have no column of their own: chance would speak there.
const FEWEST_PAGES: usize = 5;

/// More groups than these do not fit on a line.
const MOST_GROUPS: usize = 12;

/// What of the main text is shown, beside the token F1 with its interval.
const TEXT: [Figure; 14] = [
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
    TokenPrecision,
    TokenRecall,
];

/// The summaries of the tools of a set, in their order.
pub fn summaries(result: &SetResult) -> Vec<Summary> {
    result.tools.iter().map(|tool| tool.summary()).collect()
}

/// The tables of one set: text, segments, title and date, whichever it has; then the token F1 by groups, and pairs of
/// tools if asked for. The best tool comes first.
pub fn of_set(result: &SetResult, summaries: &[Summary], by: &[By], pairs: bool) -> Vec<Table> {
    let mut tables = Vec::new();
    tables.extend(text_table(result, summaries));
    tables.extend(segment_table(result, summaries));
    tables.extend(facts_table(result, summaries));
    tables.extend(by.iter().filter_map(|by| group_table(result, summaries, *by)));
    if pairs && result.tools.len() > 1 {
        tables.push(pair_table(result, summaries));
    }
    tables
}

/// The figure that tools are ranked by: tokens, or segments where the truth has no texts.
fn main_figure(summaries: &[Summary]) -> Figure {
    let text = summaries.iter().any(|summary| summary.figure(TokenF1).is_some());
    if text { TokenF1 } else { SegmentF1 }
}

/// The places of the tools, the best by a figure first.
fn ranked(summaries: &[Summary], figure: Figure) -> Vec<usize> {
    let mut places: Vec<usize> = (0..summaries.len()).collect();
    let value = |place: &usize| summaries[*place].figure(figure).map_or(-1.0, |estimate| estimate.value);
    places.sort_by(|a, b| value(b).total_cmp(&value(a)));
    places
}

fn text_table(result: &SetResult, summaries: &[Summary]) -> Option<Table> {
    let pages = summaries.iter().map(|summary| summary.text_pages).max().filter(|pages| *pages > 0)?;
    let (pr, rest) = (&TEXT[12..], &TEXT[..12]);
    let mut head = vec!["tool".to_owned()];
    head.extend(pr.iter().map(|figure| figure.heading().to_owned()));
    head.extend([TokenF1.heading().to_owned(), "95 %".to_owned(), "median".to_owned()]);
    head.extend(rest.iter().map(|figure| figure.heading().to_owned()));
    head.push("errors".to_owned());
    let rows = ranked(summaries, TokenF1).into_iter().map(|place| {
        let (tool, summary) = (&result.tools[place], &summaries[place]);
        let mut row = vec![tool.name.clone()];
        row.extend(pr.iter().map(|figure| percent(summary, *figure)));
        row.push(percent(summary, TokenF1));
        row.push(interval(summary.figure(TokenF1)));
        row.push(summary.median_token_f1.map_or_else(none, |median| format!("{:.1}", 100.0 * median)));
        row.extend(rest.iter().map(|figure| percent(summary, *figure)));
        let failed =
            |output: &&Option<_>| output.as_ref().is_none_or(|output: &crate::Output| output.error.is_some());
        row.push(tool.outputs.iter().filter(failed).count().to_string());
        row
    });
    let rows = rows.collect();
    Some(Table { title: format!("{}: main text, {pages} pages, %", result.set.name), head, rows })
}

fn segment_table(result: &SetResult, summaries: &[Summary]) -> Option<Table> {
    let figures = [SegmentPresent, SegmentAbsent, SegmentAccuracy, SegmentPrecision, SegmentRecall];
    let pages = result.tools.first()?.scores.iter().filter(|score| score.segments.is_some()).count();
    if pages == 0 {
        return None;
    }
    let mut head = vec!["tool".to_owned()];
    head.extend(figures.iter().map(|figure| figure.heading().to_owned()));
    head.extend(["seg F1".to_owned(), "95 %".to_owned(), SegmentF1AnyCase.heading().to_owned()]);
    let rows = ranked(summaries, SegmentF1).into_iter().map(|place| {
        let summary = &summaries[place];
        let mut row = vec![result.tools[place].name.clone()];
        row.extend(figures.iter().map(|figure| percent(summary, *figure)));
        row.extend([percent(summary, SegmentF1), interval(summary.figure(SegmentF1))]);
        row.push(percent(summary, SegmentF1AnyCase));
        row
    });
    let rows = rows.collect();
    Some(Table { title: format!("{}: segments, {pages} pages, %", result.set.name), head, rows })
}

fn facts_table(result: &SetResult, summaries: &[Summary]) -> Option<Table> {
    let scores = &result.tools.first()?.scores;
    let titles = scores.iter().filter(|score| score.title.is_some()).count();
    let dates = scores.iter().filter(|score| score.date.is_some()).count();
    if titles + dates == 0 {
        return None;
    }
    let figures = [TitleEqual, TitleContains, SameDay];
    let mut head = vec!["tool".to_owned()];
    head.extend(figures.iter().map(|figure| figure.heading().to_owned()));
    let rows = ranked(summaries, if titles > 0 { TitleEqual } else { SameDay }).into_iter().map(|place| {
        let mut row = vec![result.tools[place].name.clone()];
        row.extend(figures.iter().map(|figure| percent(&summaries[place], *figure)));
        row
    });
    let title = format!("{}: title ({titles} pages) and date ({dates} pages), %", result.set.name);
    let rows = rows.collect();
    Some(Table { title, head, rows })
}

/// The main figure by groups of pages; nothing where there are not two groups of some size.
fn group_table(result: &SetResult, summaries: &[Summary], by: By) -> Option<Table> {
    let figure = main_figure(summaries);
    let scored =
        |place: &usize| result.tools.first().is_some_and(|tool| figure.share(&tool.scores[*place]).is_some());
    let groups: Vec<(String, Vec<usize>)> = result
        .groups(by)
        .into_iter()
        .map(|(group, places)| (group, places.into_iter().filter(scored).collect::<Vec<_>>()))
        .filter(|(_, places)| places.len() >= FEWEST_PAGES)
        .take(MOST_GROUPS)
        .collect();
    if groups.len() < 2 {
        return None;
    }
    let mut head = vec!["tool".to_owned()];
    head.extend(groups.iter().map(|(group, places)| format!("{group} ({})", places.len())));
    let rows = ranked(summaries, figure).into_iter().map(|place| {
        let tool = &result.tools[place];
        let mut row = vec![tool.name.clone()];
        row.extend(groups.iter().map(|(_, places)| {
            let shares = places.iter().filter_map(|place| figure.share(&tool.scores[*place]));
            let (above, below) = shares.fold((0.0, 0.0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
            if below == 0.0 { none() } else { format!("{:.1}", 100.0 * above / below) }
        }));
        row
    });
    let title = format!("{}: {} by {}, %", result.set.name, figure.heading(), by.name());
    let rows = rows.collect();
    Some(Table { title, head, rows })
}

fn pair_table(result: &SetResult, summaries: &[Summary]) -> Table {
    let figure = main_figure(summaries);
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

/// All sets side by side: the main figure of every tool on every set, and its mean. So that means can be compared, they are
/// over the same sets for all: those on which each tool was tried that was tried on at least half of the sets. Nothing
/// where there is only one set.
pub fn of_all(evaluation: &Evaluation, summaries: &[Vec<Summary>]) -> Option<Table> {
    let columns: Vec<(&SetResult, &Vec<Summary>)> =
        evaluation.sets.iter().zip(summaries).filter(|(result, _)| !result.set.truths.is_empty()).collect();
    if columns.len() < 2 {
        return None;
    }
    let names: BTreeSet<&str> =
        columns.iter().flat_map(|(result, _)| result.tools.iter().map(|tool| tool.name.as_str())).collect();
    let mut values: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for name in names {
        let value = |(result, summaries): &(&SetResult, &Vec<Summary>)| {
            let place = result.tools.iter().position(|tool| tool.name == name)?;
            summaries[place].figure(main_figure(summaries)).map(|estimate| estimate.value)
        };
        values.insert(name, columns.iter().map(value).collect());
    }
    let tried = |values: &[Option<f64>]| values.iter().flatten().count() * 2 >= columns.len();
    let shared: Vec<usize> = (0..columns.len())
        .filter(|column| values.values().filter(|it| tried(it)).all(|it| it[*column].is_some()))
        .collect();
    let mean = |values: &[Option<f64>]| {
        let all: Option<Vec<f64>> = shared.iter().map(|column| values[*column]).collect();
        all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
    };
    let mut rows: Vec<(Option<f64>, Vec<String>)> = values
        .iter()
        .map(|(name, values)| {
            let cell = |value: &Option<f64>| value.map_or_else(none, |value| format!("{:.1}", 100.0 * value));
            let mut row = vec![(*name).to_owned()];
            row.extend(values.iter().map(cell));
            row.push(cell(&mean(values)));
            (mean(values), row)
        })
        .collect();
    rows.sort_by(|a, b| b.0.unwrap_or(-1.0).total_cmp(&a.0.unwrap_or(-1.0)));
    let mut head = vec!["tool".to_owned()];
    head.extend(columns.iter().map(|(result, summaries)| {
        let mark = if main_figure(summaries) == SegmentF1 { " (seg)" } else { "" };
        format!("{}{mark}", result.set.name)
    }));
    head.push(format!("mean of {}", shared.len()));
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    let left: Vec<&str> = (0..columns.len())
        .filter(|column| !shared.contains(column))
        .map(|column| columns[column].0.set.name.as_str())
        .collect();
    let mut title = "All sets: tok F1 (seg: segment F1), %".to_owned();
    if !left.is_empty() {
        title += &format!("; the mean leaves out {}, where not all tools were tried", left.join(", "));
    }
    Some(Table { title, head, rows })
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
    use crate::{Output, PageScore, Set, ToolResult};

    fn set(name: &str, tools: &[(&str, bool)]) -> SetResult {
        let folder = std::env::temp_dir().join(format!("tamis-tables-{}", std::process::id())).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("truth.jsonl"), "{\"id\": \"a\", \"text\": \"one two\"}\n").unwrap();
        let set = Set::open(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let of_tool = |(name, good): &(&str, bool)| {
            let text = if *good { "one two" } else { "three" };
            let output = Output { id: "a".into(), text: Some(text.into()), ..Output::default() };
            let score: PageScore = crate::score::Reference::new(&set.truths[0], false).score(Some(&output));
            ToolResult { name: (*name).into(), trial: None, outputs: vec![Some(output)], scores: vec![score] }
        };
        let tools = tools.iter().map(of_tool).collect();
        SetResult { set, tools, problems: Vec::new() }
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
        assert_eq!(table.head.last().unwrap(), "mean of 2");
        assert!(
            table.title.ends_with("leaves out ours-alone, where not all tools were tried"),
            "{}",
            table.title
        );
        assert_eq!(table.rows[0], ["theirs", "100.0", "–", "100.0", "100.0"]);
        assert_eq!(table.rows[1], ["ours", "0.0", "100.0", "100.0", "50.0"]);
        assert_eq!(table.rows[2], ["rare", "–", "–", "100.0", "–"]);
    }
}
