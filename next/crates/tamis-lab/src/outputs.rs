//! What a tool made of the pages of a set.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::json_lines::{self, id, text_or_number};
use crate::problem::Problem;
use crate::set::Set;

/// What a tool made of one page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub struct Output {
    /// The page, by its id in the set.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// The main text.
    #[serde(default)]
    pub text: Option<String>,
    /// The title.
    #[serde(default)]
    pub title: Option<String>,
    /// The date of publication.
    #[serde(default, deserialize_with = "text_or_number")]
    pub date: Option<String>,
    /// Why there is nothing, if so.
    #[serde(default)]
    pub error: Option<String>,
}

/// A tool and what it made of the pages of one set.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its outputs, by id.
    pub outputs: HashMap<String, Output>,
}

/// Why a file of outputs cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the outputs {file}")]
pub struct OutputsError {
    /// Which file.
    pub file: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl Tool {
    /// Reads a file of JSON lines with `id`, `text`, `title`, `date` and `error`, and says what is wrong with it.
    ///
    /// ```no_run
    /// # let set = tamis_lab::Set::open("eval/gne".as_ref()).unwrap();
    /// let (tool, problems) = tamis_lab::Tool::read("theirs", "theirs.jsonl".as_ref(), &set)?;
    /// println!("{} outputs, {} problems", tool.outputs.len(), problems.len());
    /// # Ok::<(), tamis_lab::OutputsError>(())
    /// ```
    pub fn read(name: &str, file: &Path, set: &Set) -> Result<(Tool, Vec<Problem>), OutputsError> {
        let mut problems = Vec::new();
        let rows = json_lines::read::<Output>(file, &mut problems)
            .map_err(|source| OutputsError { file: file.to_owned(), source })?;
        // Outputs of other pages altogether: one word on them instead of one on each.
        if let Some((line, first)) = rows.first().filter(|_| !rows.iter().any(|(_, row)| set.knows(&row.id)))
        {
            let what = format!(
                "none of its {} ids is a page of the set {} (first: {:?}): is it the output on another set? For \
                 several sets, name a directory with a file SET.jsonl for each",
                rows.len(),
                set.name,
                first.id
            );
            problems.push(Problem { file: file.to_owned(), line: *line, what });
            return Ok((Tool { name: name.to_owned(), outputs: HashMap::new() }, problems));
        }
        let mut outputs = HashMap::with_capacity(rows.len());
        for (line, output) in rows {
            let what = if !set.knows(&output.id) {
                format!("there is no page {:?} in the set {}; left out", output.id, set.name)
            } else if outputs.contains_key(&output.id) {
                format!("the id {:?} was there before; left out", output.id)
            } else {
                outputs.insert(output.id.clone(), output);
                continue;
            };
            problems.push(Problem { file: file.to_owned(), line, what });
        }
        problems.sort_by_key(|problem| problem.line);
        let absent: Vec<&str> = set
            .truths
            .iter()
            .map(|truth| truth.id.as_str())
            .filter(|id| !outputs.contains_key(*id))
            .collect();
        if let Some(first) = absent.first() {
            let what = format!(
                "no output for {} of {} pages (first: {first:?}); they count as empty",
                absent.len(),
                set.truths.len()
            );
            problems.push(Problem { file: file.to_owned(), line: 0, what });
        }
        Ok((Tool { name: name.to_owned(), outputs }, problems))
    }
}
