//! Outputs of a tool on the pages of a set.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::json_lines::{self, id, list_or_null, one_or_list, text_or_number};
use crate::posts::Post;
use crate::problem::Problem;
use crate::set::Set;

/// The output of a tool for one page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, Serialize)]
pub struct Output {
    /// The id of the page in the set.
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
    /// The authors.
    #[serde(default, alias = "author", deserialize_with = "one_or_list")]
    pub authors: Vec<String>,
    /// The language.
    #[serde(default)]
    pub language: Option<String>,
    /// The posts of a thread.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<Post>,
    /// The error, if the tool failed.
    #[serde(default)]
    pub error: Option<String>,
}

/// A tool with its outputs on one set.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its outputs, by id.
    pub outputs: HashMap<String, Output>,
}

/// A file of outputs could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the outputs {file}")]
pub struct OutputsError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub source: io::Error,
}

impl Tool {
    /// Reads JSON lines with the fields of [`Output`], and lists the problems of the file.
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
        // The outputs are for another set: report that once instead of once per line.
        if let Some((line, first)) = rows.first().filter(|_| !rows.iter().any(|(_, row)| set.knows(&row.id)))
        {
            let what = format!(
                "none of its {} ids is a page of the set {} (first: {:?}): are these outputs for another set? For \
                 several sets, pass a directory with one file SET.jsonl per set",
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
                format!("duplicate id {:?}; left out", output.id)
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
