//! Converts an extracted row of `tamis batch` or `tamis corpus export` into a draft.

use serde_json::{Map, Value};
use tamis::PageType;

use crate::draft::Draft;

/// The extractor of imported rows.
const EXTRACTOR: &str = "import";

/// Page types of earlier versions and their successors. Migration 2 does the same for stored stories.
const FORMER_PAGE_TYPES: [(&str, PageType); 3] =
    [("q&a", PageType::Forum), ("multi-body", PageType::Other), ("pictures", PageType::Other)];

/// The draft of a row, or why it is invalid.
pub(super) fn draft(row: &Map<String, Value>, url: Option<&str>) -> Result<Draft, String> {
    let text =
        |name: &str| row.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    if let Some(error) = text("error") {
        return Err(error);
    }
    let url = url.ok_or("the row has no url")?;
    if url::Url::parse(url).is_err() {
        return Err("malformed URL".to_owned());
    }
    let authors = match row.get("authors") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(name)) => vec![name.clone()],
        _ => Vec::new(),
    };
    let main_text = text("text").unwrap_or_default();
    let mut draft = Draft {
        canonical: text("canonical"),
        source: text("source"),
        site_name: text("site_name"),
        title: text("title"),
        published: text("published"),
        modified: text("modified"),
        authors,
        language: text("language"),
        page_type: text("page_type").map(current_page_type),
        confidence: row.get("confidence").and_then(Value::as_f64).map(|confidence| confidence as f32),
        markdown: text("markdown").unwrap_or_else(|| main_text.clone()),
        text: main_text,
        extractor: EXTRACTOR.to_owned(),
        ..Draft::new(url)
    };
    draft.trust_canonical();
    draft.seal();
    Ok(draft)
}

fn current_page_type(name: String) -> String {
    let former = FORMER_PAGE_TYPES.iter().find(|(former, _)| *former == name);
    former.map_or(name, |(_, current)| current.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_types_of_earlier_versions_are_read() {
        for (given, expected, is_story) in [
            (Some("article"), Some("article"), true),
            (Some("q&a"), Some("forum"), true),
            (Some("multi-body"), Some("other"), false),
            (Some("pictures"), Some("other"), false),
            (None, None, true),
        ] {
            let row = serde_json::json!({"text": "It rained.", "page_type": given});
            let draft = draft(row.as_object().unwrap(), Some("https://example.com/rain")).unwrap();
            assert_eq!((draft.page_type.as_deref(), draft.is_story()), (expected, is_story), "{given:?}");
        }
    }
}
