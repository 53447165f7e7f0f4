//! An evaluation: sets, the outputs of tools on them, and the scores of every page.

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

/// The results of several sets.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The results, one per set.
    pub sets: Vec<SetResult>,
}

/// The results of all tools on one set.
#[derive(Clone, Debug)]
pub struct SetResult {
    /// The set.
    pub set: Set,
    /// Our methods, then the other tools, in the given order.
    pub tools: Vec<ToolResult>,
    /// Problems of the outputs; those of the set are in [`Set::problems`].
    pub problems: Vec<Problem>,
    /// The custom models that our methods used, if any.
    pub models: Models,
}

/// The result of one tool on one set. Its lists are parallel to [`Set::truths`].
#[derive(Clone, Debug)]
pub struct ToolResult {
    /// The tool's name.
    pub name: String,
    /// For our methods: which one, and how many pages of the site it has seen.
    pub trial: Option<Trial>,
    /// The output of each page, if there is one.
    pub outputs: Vec<Option<Output>>,
    /// The scores of each page.
    pub scores: Vec<PageScore>,
}

/// A step of progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// All methods have extracted another page.
    Extracted,
    /// All outputs of another page are scored.
    Scored,
}

/// How to evaluate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Our methods to run. Default: none.
    pub methods: Vec<Selection>,
    /// Custom models for the methods. Default: the built-in ones.
    pub models: Models,
    /// If not 0, methods that learn from a site run a second time, with up to this many other pages of it. Default: 0.
    pub site_pages: usize,
    /// Strip the headline from the start of both texts. Default: false.
    pub strip_headline: bool,
    /// Score leaf tags, for which every page is parsed. Default: true.
    pub leaf_tags: bool,
    /// Threads. Default: 1.
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

/// A value that not every tool gives: whether an output has it, and how its score is removed.
type Optional = (fn(&Output) -> bool, fn(&mut PageScore));

const OPTIONAL: [Optional; 7] = [
    (|it| given(&it.title), |score| score.title = None),
    (|it| given(&it.date), |score| score.date = None),
    (|it| it.authors.iter().any(|name| !name.trim().is_empty()), |score| score.author = None),
    (|it| given(&it.language), |score| score.language = None),
    (|it| !it.posts.is_empty(), |score| score.posts = None),
    (
        |it| it.posts.iter().any(|post| given(&post.author)),
        |score| score.posts.iter_mut().for_each(|it| it.authors = None),
    ),
    (
        |it| it.posts.iter().any(|post| given(&post.date)),
        |score| score.posts.iter_mut().for_each(|it| it.times = None),
    ),
];

fn given(value: &Option<String>) -> bool {
    value.as_ref().is_some_and(|value| !value.trim().is_empty())
}

impl Evaluation {
    /// Combines the results of sets. A tool without a title on any page of any set does not extract titles: it gets no
    /// score for them instead of 0. The same holds for authors, languages and posts.
    pub fn of(mut sets: Vec<SetResult>) -> Evaluation {
        let mut gives: BTreeMap<String, [bool; OPTIONAL.len()]> = BTreeMap::new();
        for tool in sets.iter().flat_map(|result| &result.tools) {
            let gives = gives.entry(tool.name.clone()).or_default();
            for (gives, (is_given, _)) in gives.iter_mut().zip(OPTIONAL) {
                *gives |= tool.outputs.iter().flatten().any(is_given);
            }
        }
        for tool in sets.iter_mut().flat_map(|result| &mut result.tools) {
            for (_, (_, clear)) in gives[&tool.name].iter().zip(OPTIONAL).filter(|(gives, _)| !**gives) {
                tool.scores.iter_mut().for_each(clear);
            }
        }
        Evaluation { sets }
    }
}

impl SetResult {
    /// Runs the methods on a set, and scores them and the tools. `problems` are those of the tools' outputs.
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
    /// The number of pages on which the tool failed or has no output.
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
