//! A directory tree with a text per page, structured like the input, or by host for archives. `index.jsonl` has
//! everything else about the pages, including failed ones.
//!
//! The tree is written in the folder of the run. When complete, it is renamed; or, if it replaces a tree, its files are
//! moved one by one, the index last.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

use super::lines::Lines;
use super::{Form, ItemName, Output, Prepared, RENDERED, line};
use crate::error::Error;
use crate::fields::{Fields, RecordField};
use crate::output_name::{output_file, output_file_for_url};
use crate::record::Record;
use crate::state::Folder;

const INDEX: &str = "index.jsonl";

pub(super) struct Tree {
    directory: PathBuf,
    /// The tree until it is complete.
    staged: PathBuf,
    /// The index of the tree that is being replaced, until all its files are removed.
    old_index: PathBuf,
    index: Lines,
}

impl Tree {
    pub(super) fn open(folder: &Folder, directory: &Path, counts: u64) -> Result<Tree, Error> {
        let (staged, old_index) = (folder.file("tree"), folder.file("old-index.jsonl"));
        let whole = directory.join(INDEX);
        // The output may be in place already.
        if counts == 0 || staged.exists() || !whole.exists() {
            let begin = || -> io::Result<()> {
                // Left by another run.
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

    /// A new output appears at once.
    fn place(&self) -> io::Result<()> {
        if !self.staged.exists() {
            return Ok(());
        }
        // Removes only an empty directory.
        if !self.directory.exists() || fs::remove_dir(&self.directory).is_ok() {
            if let Some(parent) = self.directory.parent() {
                fs::create_dir_all(parent)?;
            }
            return fs::rename(&self.staged, &self.directory);
        }
        self.replace()
    }

    /// Replaces a tree: files that its index lists are removed, others stay. Can be interrupted anywhere and repeated.
    fn replace(&self) -> io::Result<()> {
        let (staged_index, index) = (self.staged.join(INDEX), self.directory.join(INDEX));
        if staged_index.exists() {
            if index.exists() {
                fs::rename(&index, &self.old_index)?;
            }
            if self.old_index.exists() {
                remove_listed(&self.directory, &self.old_index)?;
                // From here on, nothing is removed, since new files may have the same names.
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

/// Removes the files that an index lists, and directories that become empty. Paths out of the tree are ignored.
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
        // Stops at the first directory that is not empty.
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

fn path(record: &Record, item: &ItemName, extension: &str) -> PathBuf {
    let name = item.name.as_deref().unwrap_or("page");
    if item.is_file {
        return output_file(name, extension);
    }
    let url = record.url.as_deref().unwrap_or_default();
    output_file_for_url(url, &format!("{} {name}", item.source), extension)
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
