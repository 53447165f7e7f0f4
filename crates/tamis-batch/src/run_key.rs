//! The inputs and settings that determine the output of a run, to recognise an interrupted run.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tamis::Bias;
use tamis::page::HiddenText;
use tamis_methods::CustomModel;
use xxhash_rust::xxh3::xxh3_128;

use crate::chunking::Chunking;
use crate::fields::Fields;
use crate::filter::Filter;
use crate::input_fields::InputFields;
use crate::inputs::{FileState, InputsKey, size_and_time};
use crate::run::Run;
use crate::write::Form;

/// Threads and the output's path are not part of it.
#[derive(Serialize)]
struct RunKey<'r> {
    version: &'static str,
    inputs: InputsKey,
    input_fields: &'r InputFields,
    fields: Fields,
    method: &'static str,
    model: Option<&'r str>,
    bias: Bias,
    hidden: &'static str,
    max_bytes: u32,
    timeout: Duration,
    encoding: Option<&'r str>,
    chunking: Chunking,
    feeds: Vec<String>,
    rules: Option<String>,
    filter: &'r Filter,
    form: Form,
    row_group: usize,
    memory: Option<&'r Path>,
    memory_state: Option<FileState>,
    learn: bool,
    ordered: bool,
}

impl Run {
    /// The digest of the run, so that no other run continues its state.
    pub(crate) fn key(&self) -> String {
        let work = self.work.options();
        let key = RunKey {
            version: crate::record::VERSION,
            inputs: self.inputs.key(),
            input_fields: &self.input_fields,
            fields: work.fields,
            method: work.method.name(),
            // Identified by its contents, not by its path.
            model: work.model.as_ref().map(CustomModel::digest),
            bias: work.bias,
            hidden: match work.hidden {
                HiddenText::Keep => "keep",
                HiddenText::Flag => "flag",
                _ => "drop",
            },
            max_bytes: work.bounds.bytes,
            timeout: work.bounds.time,
            encoding: work.encoding.as_deref(),
            chunking: work.chunking,
            #[cfg(not(feature = "sites"))]
            feeds: Vec::new(),
            #[cfg(feature = "sites")]
            feeds: work.feeds.iter().map(|feed| format!("{:032x}", feed.digest())).collect(),
            rules: work.rules.as_ref().map(|rules| format!("{:032x}", rules.digest())),
            filter: &self.filter,
            form: self.target.form,
            row_group: self.target.row_group,
            memory: self.memory.as_deref(),
            // A memory that is learned into changes during the run.
            memory_state: self.memory.as_deref().filter(|_| !self.learn).map(size_and_time),
            learn: self.learn,
            ordered: self.is_ordered(),
        };
        // Only paths that are not Unicode can fail, in every run alike.
        let json = serde_json::to_vec(&key).unwrap_or_default();
        format!("{:032x}", xxh3_128(&json))
    }
}
