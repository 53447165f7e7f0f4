//! A page as a JSON line.

use serde::Serialize;
use tamis::Document;

/// A page in the JSON output.
#[derive(Default, Serialize)]
pub(super) struct Line<'d> {
    pub(super) schema: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'d str>,
    pub(super) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<&'d str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) document: Option<&'d Document>,
    /// That of a page that failed; otherwise the document has it.
    #[serde(rename = "url", skip_serializing_if = "Option::is_none")]
    pub(super) failed_url: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<&'d str>,
}

impl Line<'_> {
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self)
            .map_or_else(|error| format!("{{\"error\":\"{error}\"}}\n"), |line| line + "\n")
    }
}
