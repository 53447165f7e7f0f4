//! An evaluation as JSON, for other programs. `docs/schema/README.md` describes it.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::evaluation::{Evaluation, SetResult, ToolResult};
use crate::figure::Figure;
use crate::pair::Pair;
use crate::sample::{SAMPLES, SEED};
use crate::score::PageScore;
use crate::summary::{By, Summary};

/// Name and version of the format.
pub const SCHEMA: &str = "tamis-eval-1";

/// How an evaluation was run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct About {
    /// The command.
    pub command: Option<String>,
    /// The day, as `2026-11-16`.
    pub date: Option<String>,
    /// The version of the program.
    pub version: Option<String>,
    /// Whether the headline was stripped from both texts.
    pub strip_headline: bool,
    /// The maximum number of other pages of the site that methods could learn from.
    pub site_pages: usize,
}

/// The scores of one page.
#[derive(Serialize)]
struct PageRow<'e> {
    id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'e str>,
    #[serde(flatten)]
    score: &'e PageScore,
}

/// The whole evaluation, with groups of pages and, on request, pairs of tools. `summaries` has the
/// [`tables::summaries`](crate::tables::summaries) of each set.
pub fn of(
    evaluation: &Evaluation,
    about: &About,
    summaries: &[Vec<Summary>],
    by: &[By],
    pairs: bool,
) -> Value {
    let sets =
        evaluation.sets.iter().zip(summaries).map(|(result, summaries)| set(result, summaries, by, pairs));
    json!({
        "schema": SCHEMA,
        "run": about,
        "bootstrap": { "samples": SAMPLES, "seed": SEED, "interval": 0.95 },
        "sets": sets.collect::<Vec<_>>(),
    })
}

fn set(result: &SetResult, summaries: &[Summary], by: &[By], pairs: bool) -> Value {
    let tools = result.tools.iter().zip(summaries).map(|(tool, summary)| one_tool(result, tool, summary, by));
    let mut value = json!({
        "name": result.set.name,
        "pages": result.set.truths.len(),
        "problems": result.set.problems.iter().chain(&result.problems).collect::<Vec<_>>(),
        "tools": tools.collect::<Vec<_>>(),
    });
    if pairs {
        value["pairs"] = all_pairs(result);
    }
    value
}

fn one_tool(result: &SetResult, tool: &ToolResult, summary: &Summary, by: &[By]) -> Value {
    let mut groups = Map::new();
    for by in by {
        let of_group = |(group, places): (String, Vec<usize>)| json!({ "group": group, "summary": result.summary_of(tool, &places) });
        groups.insert(by.name().to_owned(), result.groups(*by).into_iter().map(of_group).collect());
    }
    let pages =
        result.set.truths.iter().zip(&tool.outputs).zip(&tool.scores).map(|((truth, output), score)| {
            let error = match output {
                None => Some("missing"),
                Some(output) => output.error.as_deref(),
            };
            PageRow { id: &truth.id, error, score }
        });
    json!({
        "name": tool.name,
        "method": tool.trial.map(|trial| trial.method.name()),
        "site_pages": tool.trial.map(|trial| trial.site_pages),
        "summary": summary,
        "groups": groups,
        "pages": pages.collect::<Vec<_>>(),
    })
}

fn all_pairs(result: &SetResult) -> Value {
    let mut pairs = Vec::new();
    for (place, first) in result.tools.iter().enumerate() {
        for second in &result.tools[place + 1..] {
            for figure in [Figure::TokenF1, Figure::SegmentF1] {
                let pair = Pair::of(first, second, figure);
                if pair.pages > 0 {
                    let names = [&first.name, &second.name];
                    pairs.push(json!({ "tools": names, "figure": figure.name(), "result": pair }));
                }
            }
        }
    }
    Value::Array(pairs)
}
