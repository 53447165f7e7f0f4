//! Every public item of the libraries is shown in an example that runs.
//!
//! rustdoc can tell which items lack one only on a nightly toolchain. The sources tell it too: the lint `unreachable_pub`
//! sees to it that whatever says `pub` is public, and `cargo fmt` that items stand as they are looked for here.
//!
//! An item is shown by an example in its own documentation, or by name in one of its type or of the head of its file.
//! Modules, fields, variants and re-exports are shown by what they belong to.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::step::root;

/// What people add to their programs.
const LIBRARIES: [&str; 4] =
    ["crates/tamis-html/src", "crates/tamis/src", "crates/tamis-site/src", "crates/tamis-batch/src"];

/// Fails with a list of what no example shows.
pub(crate) fn run() -> Result<(), String> {
    let mut missing = Vec::new();
    let mut count = 0;
    for library in LIBRARIES {
        let mut files = Vec::new();
        find_sources(&root().join(library), &mut files)?;
        files.sort();
        let mut sources = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let name = file.strip_prefix(root()).unwrap_or(&file).display().to_string();
            sources.push((name, Source::read(&text)));
        }
        count += sources.iter().map(|(_, source)| source.items.len()).sum::<usize>();
        missing.extend(not_shown(&sources));
    }
    if missing.is_empty() {
        println!("all {count} public items are shown in an example");
        return Ok(());
    }
    Err(format!(
        "no example shows these items; write one into their documentation:\n  {}",
        missing.join("\n  ")
    ))
}

fn find_sources(folder: &Path, to: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() {
            find_sources(&path, to)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            to.push(path);
        }
    }
    Ok(())
}

/// A public item.
struct Item {
    line: usize,
    name: String,
    /// The type whose `impl` block it stands in.
    of: Option<String>,
    /// The code of its own examples.
    examples: String,
}

/// What matters of a file.
#[derive(Default)]
struct Source {
    /// The code of the examples in its head.
    head: String,
    items: Vec<Item>,
}

impl Source {
    fn read(text: &str) -> Source {
        let mut source = Source::default();
        let (mut documentation, mut head) = (Vec::new(), Vec::new());
        let mut of = None;
        for (number, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if code.starts_with("#[cfg(test)]") && line.starts_with('#') {
                break;
            } else if let Some(words) = code.strip_prefix("//!") {
                head.push(words);
            } else if let Some(words) = code.strip_prefix("///") {
                documentation.push(words);
            } else if code.starts_with("#[") || code.starts_with("//") || code.starts_with(")]") {
                // Attributes may stand between an item and its documentation.
            } else {
                let examples = examples(&documentation);
                documentation.clear();
                if line.starts_with("impl") {
                    of = implemented(line);
                } else if line.starts_with('}') {
                    of = None;
                } else if let Some(name) = public_name(code) {
                    source.items.push(Item {
                        line: number + 1,
                        name: name.to_owned(),
                        of: of.clone(),
                        examples,
                    });
                }
            }
        }
        source.head = examples(&head);
        source
    }
}

/// The lines of documentation that stand between fences.
fn examples(documentation: &[&str]) -> String {
    let mut code = String::new();
    let mut inside = false;
    for line in documentation {
        let line = line.trim();
        if line.starts_with("```") {
            // Text and shell sessions show nothing of the library.
            inside = !inside && !line.contains("text") && !line.contains("console");
        } else if inside {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// `Dom` of `impl<'s> Dom<'s> {`; nothing of `impl Trait for Dom`, whose items are the trait's.
fn implemented(line: &str) -> Option<String> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        rest = &rest[rest.find("> ")? + 1..];
    }
    let name = rest.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!line.contains(" for ")).then(|| name.to_owned())
}

/// The name of the public item that a line declares.
fn public_name(code: &str) -> Option<&str> {
    let mut words = code.strip_prefix("pub ")?.split_whitespace();
    let mut word = words.next()?;
    if word == "const" && code.contains(" fn ") {
        word = words.next()?;
    }
    if !["fn", "struct", "enum", "trait", "type", "const", "static", "union"].contains(&word) {
        return None;
    }
    words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

fn not_shown(sources: &[(String, Source)]) -> Vec<String> {
    let mut of_type: HashMap<&str, String> = HashMap::new();
    for item in sources.iter().flat_map(|(_, source)| &source.items).filter(|item| item.of.is_none()) {
        of_type.entry(&item.name).or_default().push_str(&item.examples);
    }
    let mut missing = Vec::new();
    for (file, source) in sources {
        for item in &source.items {
            let of_its_type = item.of.as_deref().and_then(|of| of_type.get(of)).map_or("", String::as_str);
            let is_shown = !item.examples.is_empty()
                || has_word(of_its_type, &item.name)
                || has_word(&source.head, &item.name);
            if !is_shown {
                let of = item.of.as_deref().map_or(String::new(), |of| format!("{of}::"));
                missing.push(format!("{file}:{}: {of}{}", item.line, item.name));
            }
        }
    }
    missing
}

fn has_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(text: &str) -> Vec<String> {
        not_shown(&[("a.rs".to_owned(), Source::read(text))])
    }

    #[test]
    fn every_item_of_the_libraries_is_shown() {
        assert_eq!(run(), Ok(()));
    }

    #[test]
    fn an_item_is_shown_by_itself_by_its_type_or_by_its_file() {
        let text = "//! Head.\n//! ```\n//! assert_eq!(LIMIT, 3);\n//! ```\n\npub const LIMIT: u32 = 3;\n\n\
            /// A box.\n///\n/// ```\n/// assert!(Case::new().is_empty());\n/// ```\n#[derive(Clone)]\npub struct Case;\n\n\
            impl Case {\n    /// New.\n    pub fn new() -> Case {\n        Case\n    }\n\n    /// Empty?\n    \
            pub fn is_empty(&self) -> bool {\n        true\n    }\n}\n";
        assert_eq!(missing(text), Vec::<String>::new());
    }

    #[test]
    fn what_no_example_shows_is_named() {
        let text = "/// A box.\n///\n/// ```\n/// Case::new();\n/// ```\npub struct Case;\n\nimpl<'a> Case<'a> {\n    \
            /// New.\n    pub fn new() -> Self {\n    }\n\n    /// ```text\n    /// ....\n    /// ```\n    \
            pub const fn len(&self) -> usize {\n    }\n\n    pub(crate) fn own(&self) {}\n}\n\n\
            /// Alone.\npub fn alone() {}\n\nimpl Clone for Case {\n    fn clone(&self) {}\n}\n\n#[cfg(test)]\n\
            mod tests {\n    pub fn helper() {}\n}\n";
        assert_eq!(missing(text), ["a.rs:16: Case::len", "a.rs:23: alone"]);
    }
}
