//! JSON: the document as it is, with the version of its schema.

use crate::document::Document;

/// The version of the JSON schema. It is raised when a field changes its meaning or goes; new fields do not raise it.
///
/// ```
/// let json = tamis::Document::default().to_json();
/// assert!(json.starts_with(&format!("{{\"schema\":{},", tamis::render::SCHEMA)));
/// ```
pub const SCHEMA: u32 = 1;

#[derive(serde::Serialize)]
struct Versioned<'d> {
    schema: u32,
    #[serde(flatten)]
    document: &'d Document,
}

pub(super) fn render(document: &Document) -> String {
    // Strings, numbers and lists are always written; only a map with strange keys could fail.
    serde_json::to_string(&Versioned { schema: SCHEMA, document }).unwrap_or_default()
}
