//! The state of an interrupted run: a folder beside the output, `OUT.tamis`.
//!
//! Rows are written to a file in it. Periodically, that file is synced, and the state, which records its length and the
//! pages in it, is replaced atomically. A resumed run truncates the file to that length and redoes later pages, so no
//! row is lost or doubled.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::item::Mark;
use crate::summary::Summary;

/// Version of the format of the state and the files beside it.
const FORM: u32 = 3;

/// The progress of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    form: u32,
    /// The digest of inputs and settings that determine the rows.
    run: String,
    /// Whether the sites have been learned.
    pub(crate) learned: bool,
    /// Where reading continues.
    pub(crate) mark: Mark,
    /// The number of the first unfinished item.
    pub(crate) next: u64,
    /// Later items that are finished, each with the position after it.
    pub(crate) done: Vec<(u64, Mark)>,
    /// The committed length of the output: bytes, or row groups.
    pub(crate) output: u64,
    /// The committed length of the file of sketches.
    pub(crate) seen: u64,
    /// Whether all rows are written, so that the output only has to be moved into place.
    pub(crate) complete: bool,
    pub(crate) summary: Summary,
}

/// The locked folder of a run.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    output: PathBuf,
    /// The note about the existing output, in case it stays.
    was_done: Option<Vec<u8>>,
    /// Whether the output may be replaced without loss.
    may_replace: bool,
    // Held until the process ends.
    _lock: File,
}

impl Folder {
    /// Creates the folder or resumes its run. `run` identifies the run.
    pub(crate) fn open(output: &Path, run: &str, force: bool) -> Result<Opened, Error> {
        let path = folder_of(output);
        // Renaming would replace the device, such as /dev/null, by a file.
        if fs::metadata(output).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            return Err(Error::Device { path: output.to_owned() });
        }
        let done_file = done_file(output);
        let is_taken = output.exists() && !is_empty_folder(output);
        let may_replace = !is_taken || has_failed(output);
        if output.exists() && !force {
            // The run may have been killed during its clean-up.
            let has_state = path.join("state.json").exists();
            if let Some(done) = read_done(&done_file).filter(|done| done.run == run && !has_state) {
                let _ = fs::remove_dir_all(&path);
                return Ok(Opened::Done(done.summary));
            }
            if !path.exists() && !may_replace {
                return Err(Error::Exists { path: output.to_owned() });
            }
        }
        // From here on, the note is about another output.
        let was_done = fs::read(&done_file).ok();
        let _ = fs::remove_file(&done_file);
        fs::create_dir_all(&path).map_err(Error::write(&path, 0))?;
        let lock_path = path.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(Error::write(&lock_path, 0))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::InUse { path: lock_path }),
            Err(TryLockError::Error(error)) => return Err(Error::write(&lock_path, 0)(error)),
        }
        let folder = Folder { path, output: output.to_owned(), was_done, may_replace, _lock: lock };
        let fresh = Saved { form: FORM, run: run.to_owned(), ..Saved::default() };
        if force {
            // Old files must not be mistaken for this run's, should it be killed before it has a state.
            let _ = fs::remove_file(folder.file("state.json"));
        }
        let saved = match folder.read()? {
            Some(saved) if saved.run != run => return Err(Error::OtherRun { path: folder.path }),
            saved => saved,
        };
        Ok(Opened::Run(folder, Box::new(saved.unwrap_or(fresh))))
    }

    fn read(&self) -> Result<Option<Saved>, Error> {
        let wrong = |why: String| Error::State { path: self.path.clone(), why };
        let bytes = match fs::read(self.file("state.json")) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let saved: Saved = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if saved.form != FORM {
            return Err(wrong("written by another version".to_owned()));
        }
        Ok(Some(saved))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A file in the folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Replaces the state as a whole.
    pub(crate) fn save(&self, saved: &Saved) -> Result<(), Error> {
        let (partial, file) = (self.file("state.part"), self.file("state.json"));
        let bytes = serde_json::to_vec(saved)
            .map_err(|error| Error::State { path: self.path.clone(), why: error.to_string() })?;
        let write = || {
            let mut out = File::create(&partial)?;
            out.write_all(&bytes)?;
            out.sync_data()?;
            fs::rename(&partial, &file)
        };
        write().map_err(Error::write(&file, 0))
    }

    /// Ends the run. Only a note remains that it is done, if a later run can be recognised as the same, so that it is
    /// not repeated.
    pub(crate) fn remove(self, saved: &Saved, with_note: bool) -> Result<(), Error> {
        let (done, failed) = (done_file(&self.output), failed_file(&self.output));
        // An empty run is not marked as done: the same command tries again and may replace its output.
        let note = if saved.summary.nothing_read() {
            stamp(&self.output).map(|stamp| (failed, stamp.into_bytes()))
        } else {
            let _ = fs::remove_file(failed);
            with_note.then(|| (done, serde_json::to_vec(saved).unwrap_or_default()))
        };
        if let Some((file, note)) = note {
            fs::write(&file, note).map_err(Error::write(&file, 0))?;
        }
        self.clear()
    }

    /// Ends the run and leaves the existing output unchanged.
    pub(crate) fn give_up(self) -> Result<(), Error> {
        if let Some(note) = &self.was_done {
            let file = done_file(&self.output);
            fs::write(&file, note).map_err(Error::write(&file, 0))?;
        }
        self.clear()
    }

    /// Whether replacing the output would lose something.
    pub(crate) fn guards_output(&self) -> bool {
        !self.may_replace
    }

    fn clear(self) -> Result<(), Error> {
        // The state goes first: without it, the rest counts as nothing if this is interrupted.
        let _ = fs::remove_file(self.file("state.json"));
        fs::remove_dir_all(&self.path).map_err(Error::write(&self.path, 0))
    }
}

/// A started run.
pub(crate) enum Opened {
    /// New or resumed.
    Run(Folder, Box<Saved>),
    /// Already done.
    Done(Summary),
}

/// The folder of a run's state.
pub(crate) fn folder_of(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".tamis");
    PathBuf::from(name)
}

/// The note that a run is done. The dot hides it from engines that read whole directories.
pub(crate) fn done_file(output: &Path) -> PathBuf {
    hidden_file(output, "done")
}

/// The note that an output is from a run that could read nothing.
pub(crate) fn failed_file(output: &Path) -> PathBuf {
    hidden_file(output, "failed")
}

fn hidden_file(output: &Path, ending: &str) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!(".{name}.{ending}"))
}

/// Whether the output is still the one that such a run left.
fn has_failed(output: &Path) -> bool {
    let said = fs::read_to_string(failed_file(output)).ok();
    said.is_some() && said == stamp(output)
}

/// Identifies a version of an output: size and modification time.
fn stamp(output: &Path) -> Option<String> {
    let file = if output.is_dir() { output.join("index.jsonl") } else { output.to_owned() };
    let about = fs::metadata(file).ok()?;
    Some(format!("{} {:?}\n", about.len(), about.modified().ok()?))
}

fn read_done(file: &Path) -> Option<Saved> {
    let saved: Saved = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    (saved.form == FORM && saved.complete).then_some(saved)
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}
