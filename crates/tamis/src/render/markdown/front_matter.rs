//! Metadata as YAML, between the lines that most Markdown tools read it from.

use super::super::facts::facts;
use crate::document::Document;

/// All values are double-quoted strings, so no parser takes one for a date or a number. Empty without metadata.
pub(super) fn render(document: &Document) -> String {
    let language = document.metadata.language.iter().map(|language| ("language", language.to_string()));
    let url = document.url.iter().map(|url| ("url", url.clone()));
    let facts: Vec<_> = facts(document).into_iter().chain(language).chain(url).collect();
    if facts.is_empty() {
        return String::new();
    }
    let mut yaml = String::from("---");
    for (index, (name, value)) in facts.iter().enumerate() {
        let is_list = matches!(*name, "author" | "editor" | "tag" | "category" | "feed");
        if is_list && (index == 0 || facts[index - 1].0 != *name) {
            let plural = name.strip_suffix('y').map_or(format!("{name}s"), |stem| format!("{stem}ies"));
            yaml.push_str(&format!("\n{plural}:"));
        }
        yaml.push_str(&if is_list { "\n  - ".to_owned() } else { format!("\n{}: ", name.replace('-', "_")) });
        push_quoted(value, &mut yaml);
    }
    yaml.push_str("\n---");
    yaml
}

/// Appends a double-quoted scalar of YAML. What YAML calls not printable is escaped, and what YAML 1.1 calls a line end.
fn push_quoted(value: &str, yaml: &mut String) {
    yaml.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => yaml.extend(['\\', character]),
            '\n' => yaml.push_str("\\n"),
            '\t' => yaml.push_str("\\t"),
            '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => {
                yaml.push_str(&format!("\\u{:04X}", u32::from(character)));
            }
            character if character.is_control() => {
                yaml.push_str(&format!("\\u{:04X}", u32::from(character)));
            }
            character => yaml.push(character),
        }
    }
    yaml.push('"');
}
