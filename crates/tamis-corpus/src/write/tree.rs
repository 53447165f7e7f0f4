//! A directory with a text a page: beside each other as the pages were, or by host where they come from archives. All else
//! about the pages stands in `index.jsonl`, those that failed included.

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::lines::Lines;
use super::{Form, ItemName, Output, Prepared, line};
use crate::columns::{Column, Columns};
use crate::error::Error;
use crate::row::Row;
use crate::state::Folder;

/// Characters of an address in the name of a file.
const MOST_NAME: usize = 80;

pub(super) struct Tree {
    directory: PathBuf,
    partial: PathBuf,
    index: Lines,
}

impl Tree {
    pub(super) fn open(folder: &Folder, directory: &Path, counts: u64) -> Result<Tree, Error> {
        fs::create_dir_all(directory).map_err(Error::write(directory, 0))?;
        let index = Lines::open(folder, &directory.join("index.jsonl"), counts)?;
        Ok(Tree { directory: directory.to_owned(), partial: folder.file("text"), index })
    }
}

pub(super) fn prepare(mut row: Row, item: &ItemName, columns: Columns, form: Form) -> Prepared {
    let ending = if form == Form::Markdown { "md" } else { "txt" };
    let text = if form == Form::Markdown { row.markdown.take() } else { row.text.take() };
    let file = text.filter(|_| row.error.is_none()).map(|text| (path(&row, item, ending), text));
    let name = file.as_ref().map(|(path, _)| path.to_string_lossy().replace('\\', "/"));
    let columns = columns.without(&[Column::Text, Column::Markdown, Column::Blocks]);
    Prepared::File(file, line(row.to_json_with_file(columns, name.as_deref())))
}

/// The same for the same item, whatever else is in the run, and not that of another.
fn path(row: &Row, item: &ItemName, ending: &str) -> PathBuf {
    let name = item.name.as_deref().unwrap_or("page");
    if item.is_file {
        let steps = name.split(['/', '\\']).map(safe).filter(|step| !step.is_empty());
        let steps: Vec<String> = steps.collect();
        // Where letters of the name were left out, another name may have lost the same ones.
        let own = match steps.join("/") == name {
            true => String::new(),
            false => format!("-{:016x}", xxh3_64(name.as_bytes())),
        };
        let mut path: PathBuf = steps.iter().collect();
        let last = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path.set_file_name(format!("{last}{own}.{ending}"));
        return path;
    }
    let host = row.host.as_deref().map_or_else(|| "unknown".to_owned(), safe);
    let url = row.url.as_deref().unwrap_or_default();
    let behind =
        url.split_once("://").map_or("", |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let readable: String = safe(behind).chars().take(MOST_NAME).collect();
    let own = xxh3_64(format!("{} {name}", item.source).as_bytes());
    let dash = if readable.is_empty() { "" } else { "-" };
    Path::new(&host).join(format!("{readable}{dash}{own:016x}.{ending}"))
}

/// Letters and digits stay; nothing leads out of the directory.
fn safe(text: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = text.chars().map(kept).take(120).collect();
    name.trim_matches(['.', '_']).to_owned()
}

impl Output for Tree {
    fn write(&mut self, row: Prepared) -> Result<(), Error> {
        let Prepared::File(file, line) = row else { return Ok(()) };
        if let Some((path, text)) = file {
            let path = self.directory.join(path);
            let write = || {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(&self.partial, &text)?;
                fs::rename(&self.partial, &path)
            };
            write().map_err(Error::write(&path, 0))?;
        }
        self.index.line(&line)
    }

    fn commit(&mut self) -> Result<u64, Error> {
        self.index.commit()
    }

    fn publish(&mut self) -> Result<(), Error> {
        self.index.publish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_directory_and_apart() {
        let item = |name: &str, is_file| ItemName { source: 0, name: Some(name.to_owned()), is_file };
        let row =
            |url: &str| Row { url: Some(url.to_owned()), host: crate::row::host(url), ..Row::default() };
        assert_eq!(path(&Row::default(), &item("a/b.html", true), "txt"), Path::new("a/b.html.txt"));
        let of = |name: &str| path(&Row::default(), &item(name, true), "txt");
        assert!(of("a/../../b.html").starts_with("a") && of("../..").components().count() == 1);
        for (one, other) in [("a/b.html", "a/../b.html"), ("_i.html", "i.html"), ("a b.html", "a_b.html")] {
            assert_ne!(of(one), of(other));
        }
        let one = path(&row("http://e.com/x/../y?z=1"), &item("0-1", false), "txt");
        let other = path(&row("http://e.com/x/../y?z=1"), &item("9-1", false), "txt");
        assert!(one.starts_with("e.com") && one != other, "{one:?}");
        assert_eq!(one.components().count(), 2);
    }
}
