//! `cargo xtask book`: the documents as a book, with a page of the command line made from its approved help texts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::step::{Step, root, target, unwritable};

const VERSION: &str = "0.5.4";
/// Where readers of the book find files that are not part of it.
const REPOSITORY: &str = "https://github.com/tamis-project/tamis/blob/main/";

pub(crate) fn run() -> Result<(), String> {
    let source = target().join("book-source");
    write_source(&source).map_err(|error| unwritable(&source, error))?;
    Step::command("the book", mdbook()?)
        .words("build --dest-dir")
        .argument(target().join("book"))
        .argument(root())
        .with("MDBOOK_BOOK__SRC", source)
        .run()?;
    println!("open {}", target().join("book/index.html").display());
    Ok(())
}

/// The program, installed below the build folder if it is missing.
fn mdbook() -> Result<PathBuf, String> {
    let tools = target().join("tools");
    let program = tools.join("bin/mdbook");
    if !program.is_file() {
        Step::cargo("mdBook", "install mdbook --locked --no-default-features --features search --version")
            .words(VERSION)
            .words("--root")
            .argument(tools)
            .run()?;
    }
    Ok(program)
}

fn write_source(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    for file in files(&root().join("docs"))? {
        let to = folder.join(file.strip_prefix(root().join("docs")).unwrap_or(&file));
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        if file.extension().is_some_and(|extension| extension == "md") {
            let depth = to.strip_prefix(folder).map_or(0, |path| path.components().count() - 1);
            let outside = format!("]({}", "../".repeat(depth + 1));
            fs::write(&to, fs::read_to_string(&file)?.replace(&outside, &format!("]({REPOSITORY}")))?;
        } else {
            fs::copy(&file, &to)?;
        }
    }
    fs::write(folder.join("reference/command-line.md"), command_line()?)
}

/// The long help of every command, from the snapshots that the tests compare with.
fn command_line() -> io::Result<String> {
    let mut page = "# Command line\n\nWhat `--help` prints for every command.\n".to_owned();
    for file in files(&root().join("crates/tamis-cli/tests/it/snapshots"))? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = name.strip_prefix("help-").and_then(|name| name.strip_suffix("-long")) else {
            continue;
        };
        let name =
            if name == "tamis" { name.to_owned() } else { format!("tamis {}", name.replace('-', " ")) };
        let snapshot = fs::read_to_string(&file)?;
        // The help follows the header of the snapshot.
        let help = snapshot.splitn(3, "---\n").nth(2).unwrap_or_default();
        page += &format!("\n## {name}\n\n```text\n{}\n```\n", help.trim_end());
    }
    Ok(page)
}

/// The files below a folder, sorted.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    /// Links in the documents that lead to a file that does not exist.
    #[test]
    fn links_between_documents_lead_somewhere() {
        let mut broken = Vec::new();
        let mut documents = files(&root().join("docs")).unwrap();
        let names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
        documents.extend(names.map(|name| root().join(name)));
        for document in documents.iter().filter(|path| path.extension().is_some_and(|it| it == "md")) {
            let text = fs::read_to_string(document).unwrap();
            for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next()) {
                let is_generated = link.ends_with("reference/command-line.md");
                let is_file = !link.is_empty() && !link.contains("://") && !link.starts_with("mailto:");
                if is_file && !is_generated && !document.parent().unwrap().join(link).exists() {
                    broken.push(format!("{}: {link}", document.display()));
                }
            }
        }
        assert!(broken.is_empty(), "{broken:#?}");
    }

    #[test]
    fn every_document_is_in_the_book() {
        let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
        for document in files(&root().join("docs")).unwrap() {
            let name = document.strip_prefix(root().join("docs")).unwrap().display().to_string();
            let is_page = name.ends_with(".md") && name != "SUMMARY.md" && !name.starts_with("schema");
            assert!(!is_page || summary.contains(&format!("({name})")), "docs/SUMMARY.md lacks {name}");
        }
    }
}
