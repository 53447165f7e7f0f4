//! A directory with a text a page: beside each other as the pages were, or by host where they come from archives. All else
//! about the pages stands in `index.jsonl`, those that failed included.
//!
//! All of it waits in the folder of the run until it is whole, and is then put in its place in one step; or, where a tree is
//! replaced, file by file with the index last.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::lines::Lines;
use super::{Form, ItemName, Output, Prepared, RENDERED, line};
use crate::error::Error;
use crate::fields::{Fields, RecordField};
use crate::record::Record;
use crate::state::Folder;

/// Characters of an address in the name of a file.
const MOST_NAME: usize = 80;

const INDEX: &str = "index.jsonl";

pub(super) struct Tree {
    directory: PathBuf,
    /// Where all waits until it is whole.
    staged: PathBuf,
    /// The index of the tree that is being replaced, until all of that is gone.
    old_index: PathBuf,
    index: Lines,
}

impl Tree {
    pub(super) fn open(folder: &Folder, directory: &Path, counts: u64) -> Result<Tree, Error> {
        let (staged, old_index) = (folder.file("tree"), folder.file("old-index.jsonl"));
        let whole = directory.join(INDEX);
        // All may be in its place already.
        if counts == 0 || staged.exists() || !whole.exists() {
            let begin = || -> io::Result<()> {
                // What another run has left there is none of ours.
                if counts == 0 && staged.exists() {
                    fs::remove_dir_all(&staged)?;
                }
                fs::create_dir_all(&staged)
            };
            begin().map_err(Error::write(&staged, 0))?;
        }
        let index = Lines::open(staged.join(INDEX), &whole, counts)?;
        Ok(Tree { directory: directory.to_owned(), staged, old_index, index })
    }

    /// Where there is nothing yet, all appears at once.
    fn place(&self) -> io::Result<()> {
        if !self.staged.exists() {
            return Ok(());
        }
        // This removes an empty directory alone.
        if !self.directory.exists() || fs::remove_dir(&self.directory).is_ok() {
            if let Some(parent) = self.directory.parent() {
                fs::create_dir_all(parent)?;
            }
            return fs::rename(&self.staged, &self.directory);
        }
        self.replace()
    }

    /// Replaces a tree: what its index names goes, and what else lies in the directory stays. May be stopped anywhere and done
    /// again.
    fn replace(&self) -> io::Result<()> {
        let (staged_index, index) = (self.staged.join(INDEX), self.directory.join(INDEX));
        if staged_index.exists() {
            if index.exists() {
                fs::rename(&index, &self.old_index)?;
            }
            if self.old_index.exists() {
                remove_listed(&self.directory, &self.old_index)?;
                // Behind this nothing is removed any more, since what comes may have the same names.
                fs::remove_file(&self.old_index)?;
            }
            let mut left = vec![self.staged.clone()];
            while let Some(next) = left.pop() {
                let Ok(name) = next.strip_prefix(&self.staged) else { continue };
                let to = self.directory.join(name);
                if next.is_dir() {
                    fs::create_dir_all(&to)?;
                    for entry in fs::read_dir(&next)? {
                        left.push(entry?.path());
                    }
                } else if next != staged_index {
                    fs::rename(&next, &to)?;
                }
            }
            fs::rename(&staged_index, &index)?;
        }
        fs::remove_dir_all(&self.staged)
    }
}

/// Removes the files that an index names, and directories that are empty then. Names that lead elsewhere are not followed.
fn remove_listed(directory: &Path, index: &Path) -> io::Result<()> {
    for line in BufReader::new(File::open(index)?).split(b'\n') {
        let row: serde_json::Value = serde_json::from_slice(&line?).unwrap_or_default();
        let Some(file) = row["file"].as_str().map(Path::new) else { continue };
        if !file.components().all(|step| matches!(step, Component::Normal(_))) {
            continue;
        }
        let path = directory.join(file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let above = path.ancestors().skip(1).take_while(|above| *above != directory);
        // The first that still holds something ends it.
        above.map_while(|above| fs::remove_dir(above).ok()).for_each(drop);
    }
    Ok(())
}

pub(super) fn prepare(record: Record, item: &ItemName, fields: Fields, form: Form) -> Prepared {
    let document = record.document.as_ref();
    let (ending, text) = match form {
        Form::Markdown => ("md", document.map(|document| record.markdown(document))),
        _ => ("txt", document.map(|document| document.text.clone())),
    };
    let file = text.map(|text| (path(&record, item, ending), text));
    let name = file.as_ref().map(|(path, _)| path.to_string_lossy().replace('\\', "/"));
    let fields = fields.without(RENDERED).without(&[RecordField::Text]);
    Prepared::File(file, line(record.to_json_with_file(fields, name.as_deref())))
}

/// The same for the same item, whatever else is in the run, and not that of another.
fn path(record: &Record, item: &ItemName, ending: &str) -> PathBuf {
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
    let host = record.host.as_deref().map_or_else(|| "unknown".to_owned(), safe);
    let url = record.url.as_deref().unwrap_or_default();
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
            let path = self.staged.join(path);
            let write = || {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(&path, &text)
            };
            write().map_err(Error::write(&path, 0))?;
        }
        self.index.line(&line)
    }

    fn commit(&mut self) -> Result<u64, Error> {
        self.index.commit()
    }

    fn publish(&mut self) -> Result<(), Error> {
        self.place().map_err(Error::write(&self.directory, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_directory_and_apart() {
        let item = |name: &str, is_file| ItemName { source: 0, name: Some(name.to_owned()), is_file };
        let row = |url: &str| Record::of_url(Some(url));
        assert_eq!(path(&Record::default(), &item("a/b.html", true), "txt"), Path::new("a/b.html.txt"));
        let of = |name: &str| path(&Record::default(), &item(name, true), "txt");
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
