//! What a run leaves behind when it is stopped, and goes on with: a folder beside the output, `OUT.tamis`.
//!
//! Rows are written to a file in it. From time to time that file is brought to the disk, and then the state is replaced as
//! a whole, saying how long the file was and which pages are in it. Whatever happened since is cut off when the run goes
//! on, and done again. So no row is lost or doubled, wherever the run was stopped.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::item::Mark;
use crate::summary::Summary;

/// Raised whenever the form of the state, or of what lies beside it, changes.
const FORM: u32 = 3;

/// How far a run has come.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    form: u32,
    /// A digest of everything that decides about the rows.
    run: String,
    /// Have the sites been learned?
    pub(crate) learned: bool,
    /// Where reading goes on.
    pub(crate) mark: Mark,
    /// The number of the first item that is not done.
    pub(crate) next: u64,
    /// Items behind it that are done nevertheless, and where reading goes on behind each.
    pub(crate) done: Vec<(u64, Mark)>,
    /// How much of the output counts: bytes, or groups of rows.
    pub(crate) output: u64,
    /// How much of the memory of texts counts.
    pub(crate) seen: u64,
    /// Is all written, so that the output only has to be put in its place?
    pub(crate) complete: bool,
    pub(crate) summary: Summary,
}

/// The folder of a run, which nobody else works in.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    output: PathBuf,
    /// What was said of an output that is there, should it stay.
    was_done: Option<Vec<u8>>,
    /// Is nothing lost where the output is replaced?
    may_replace: bool,
    // Held until the run ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Makes the folder or goes on with what is in it. `run` tells whether that is the same run.
    pub(crate) fn open(output: &Path, run: &str, force: bool) -> Result<Opened, Error> {
        let path = folder_of(output);
        // It would be replaced by a file, which is what nobody wants of /dev/null.
        if fs::metadata(output).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            return Err(Error::Device { path: output.to_owned() });
        }
        let done_file = done_file(output);
        let is_taken = output.exists() && !is_empty_folder(output);
        let may_replace = !is_taken || has_failed(output);
        if output.exists() && !force {
            // The run may have been ended while it cleared away what it had.
            let has_state = path.join("state.json").exists();
            if let Some(done) = read_done(&done_file).filter(|done| done.run == run && !has_state) {
                let _ = fs::remove_dir_all(&path);
                return Ok(Opened::Done(done.summary));
            }
            if !path.exists() && !may_replace {
                return Err(Error::Exists { path: output.to_owned() });
            }
        }
        // What is said there is of another output from here on.
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
            // What lies there must not be taken for this run, should it be stopped before it has a state.
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

    /// The run is over: all that is left is a note that it was done, where that can be known of another run, so that it need
    /// not be done again.
    pub(crate) fn remove(self, saved: &Saved, with_note: bool) -> Result<(), Error> {
        let (done, failed) = (done_file(&self.output), failed_file(&self.output));
        // Of nothing nobody says that it is done: the same command tries again, and may replace what it has left.
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

    /// The run is over, and the output that was there stays as it was.
    pub(crate) fn give_up(self) -> Result<(), Error> {
        if let Some(note) = &self.was_done {
            let file = done_file(&self.output);
            fs::write(&file, note).map_err(Error::write(&file, 0))?;
        }
        self.clear()
    }

    /// Would something be lost if the output were replaced?
    pub(crate) fn guards_output(&self) -> bool {
        !self.may_replace
    }

    fn clear(self) -> Result<(), Error> {
        // Without its state, the folder is one that holds nothing, wherever this stops.
        let _ = fs::remove_file(self.file("state.json"));
        fs::remove_dir_all(&self.path).map_err(Error::write(&self.path, 0))
    }
}

/// What there is of a run.
pub(crate) enum Opened {
    /// It begins, or goes on.
    Run(Folder, Box<Saved>),
    /// Its output is in its place.
    Done(Summary),
}

/// Where the state of a run is.
pub(crate) fn folder_of(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".tamis");
    PathBuf::from(name)
}

/// Where it says that a run is done. The dot hides it from engines that read whole directories.
pub(crate) fn done_file(output: &Path) -> PathBuf {
    hidden_file(output, "done")
}

/// Where it says that an output is that of a run which could read nothing.
pub(crate) fn failed_file(output: &Path) -> PathBuf {
    hidden_file(output, "failed")
}

fn hidden_file(output: &Path, ending: &str) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!(".{name}.{ending}"))
}

/// Is the output still the one that such a run has left?
fn has_failed(output: &Path) -> bool {
    let said = fs::read_to_string(failed_file(output)).ok();
    said.is_some() && said == stamp(output)
}

/// What changes when an output does.
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
