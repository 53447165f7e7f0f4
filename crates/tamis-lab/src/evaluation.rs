//! An evaluation: sets, the tools that were tried on them, and every figure of every page.

use std::collections::BTreeMap;

use tamis::page::Page;
use tamis_methods::Selection;

use crate::leaf_tags::LeafTags;
use crate::outputs::{Output, Tool};
use crate::parallel;
use crate::problem::Problem;
use crate::run::{Models, Trial, read, run};
use crate::score::{PageScore, Reference};
use crate::set::{Set, Truth};

/// Sets with the tools that were tried on them.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// A set each.
    pub sets: Vec<SetResult>,
}

/// What the tools made of one set.
#[derive(Clone, Debug)]
pub struct SetResult {
    /// The set.
    pub set: Set,
    /// The tools, in the order in which they were named.
    pub tools: Vec<ToolResult>,
    /// What is wrong with the outputs; what is wrong with the set is in [`Set::problems`].
    pub problems: Vec<Problem>,
    /// The model that our methods decided with, where it was not the one that comes with the library.
    pub models: Models,
}

/// What one tool made of one set. Its lists go along with [`Set::truths`].
#[derive(Clone, Debug)]
pub struct ToolResult {
    /// The tool's name.
    pub name: String,
    /// What of ours it is, if it is: the method and how many pages of the site it was shown.
    pub trial: Option<Trial>,
    /// What it made of each page; nothing where there is no output.
    pub outputs: Vec<Option<Output>>,
    /// The figures of each page.
    pub scores: Vec<PageScore>,
}

/// What is done so far, for who shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The methods have seen another page.
    Extracted,
    /// Another page is scored, for all tools.
    Scored,
}

/// How to evaluate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The methods of ours to run. Default: none.
    pub methods: Vec<Selection>,
    /// The model that the methods decide with. Default: the one that comes with the library.
    pub models: Models,
    /// Up to how many other pages of its site a method is shown that learns from them; more than 0 means that such
    /// methods are tried a second time, with the pages. Default: 0.
    pub site_pages: usize,
    /// Take the headline off the head of both texts. Default: no.
    pub strip_headline: bool,
    /// Score leaf tags, for which every page must be parsed. Default: yes.
    pub leaf_tags: bool,
    /// How many pages to work on at once. Default: 1.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            methods: Vec::new(),
            models: Models::default(),
            site_pages: 0,
            strip_headline: false,
            leaf_tags: true,
            threads: 1,
        }
    }
}

impl Evaluation {
    /// Puts sets together. A tool that gives no title on any page of any set does not look for titles: it has no figure
    /// for them, instead of nought. Likewise for dates.
    pub fn of(mut sets: Vec<SetResult>) -> Evaluation {
        let mut gives: BTreeMap<String, (bool, bool)> = BTreeMap::new();
        for tool in sets.iter().flat_map(|result| &result.tools) {
            let gives = gives.entry(tool.name.clone()).or_default();
            let told = |fact: fn(&Output) -> &Option<String>| {
                tool.outputs
                    .iter()
                    .flatten()
                    .filter_map(|output| fact(output).as_ref())
                    .any(|it| !it.trim().is_empty())
            };
            gives.0 |= told(|output| &output.title);
            gives.1 |= told(|output| &output.date);
        }
        for tool in sets.iter_mut().flat_map(|result| &mut result.tools) {
            let (titles, dates) = gives[&tool.name];
            for score in &mut tool.scores {
                score.title = score.title.filter(|_| titles);
                score.date = score.date.filter(|_| dates);
            }
        }
        Evaluation { sets }
    }
}

impl SetResult {
    /// Runs the methods over a set, and scores them and the tools. `problems` are those that reading the tools showed.
    pub fn of(
        set: Set,
        tools: Vec<Tool>,
        problems: Vec<Problem>,
        settings: &Settings,
        progress: &(dyn Fn(Step) + Sync),
    ) -> SetResult {
        let trials =
            if set.has_pages { Trial::of(&settings.methods, settings.site_pages) } else { Vec::new() };
        let mut results: Vec<ToolResult> =
            trials.iter().map(|trial| ToolResult::new(&trial.name(), Some(*trial))).collect();
        if !trials.is_empty() {
            for outputs in run(&set, &trials, &settings.models, settings.threads, progress) {
                for (tool, output) in results.iter_mut().zip(outputs) {
                    tool.outputs.push(Some(output));
                }
            }
        }
        results.extend(tools.into_iter().map(|mut tool| {
            let outputs = set.truths.iter().map(|truth| tool.outputs.remove(&truth.id)).collect();
            ToolResult { outputs, ..ToolResult::new(&tool.name, None) }
        }));
        let scores = parallel::map(&set.truths, settings.threads, |place, truth| {
            let outputs: Vec<Option<&Output>> =
                results.iter().map(|tool| tool.outputs[place].as_ref()).collect();
            if trials.is_empty() {
                progress(Step::Extracted);
            }
            progress(Step::Scored);
            score_page(&set, truth, &outputs, settings)
        });
        for of_page in scores {
            for (tool, score) in results.iter_mut().zip(of_page) {
                tool.scores.push(score);
            }
        }
        SetResult { set, tools: results, problems, models: settings.models.clone() }
    }
}

impl ToolResult {
    /// On how many pages the tool failed, or gave nothing at all.
    pub fn errors(&self) -> usize {
        let failed = |output: &&Option<Output>| output.as_ref().is_none_or(|output| output.error.is_some());
        self.outputs.iter().filter(failed).count()
    }

    fn new(name: &str, trial: Option<Trial>) -> ToolResult {
        ToolResult { name: name.to_owned(), trial, outputs: Vec::new(), scores: Vec::new() }
    }
}

/// Scores all outputs for a page.
fn score_page(set: &Set, truth: &Truth, outputs: &[Option<&Output>], settings: &Settings) -> Vec<PageScore> {
    let mut reference = Reference::new(truth, settings.strip_headline);
    if settings.leaf_tags
        && set.has_pages
        && reference.has_text()
        && let Ok(html) = read(set, truth)
    {
        reference = reference.with_leaf_tags(LeafTags::of(&Page::parse(&html)));
    }
    outputs.iter().map(|output| reference.score(*output)).collect()
}
