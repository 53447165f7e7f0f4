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
const FORM: u32 = 1;

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
    // Held until the run ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Makes the folder or goes on with what is in it. `run` tells whether that is the same run.
    pub(crate) fn open(output: &Path, run: &str, force: bool) -> Result<(Folder, Saved), Error> {
        let mut name = output.as_os_str().to_owned();
        name.push(".tamis");
        let path = PathBuf::from(name);
        // It would be replaced by a file, which is what nobody wants of /dev/null.
        if fs::metadata(output).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            return Err(Error::Device { path: output.to_owned() });
        }
        if output.exists() && !path.exists() && !force && !is_empty_folder(output) {
            return Err(Error::Exists { path: output.to_owned() });
        }
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
        let folder = Folder { path, _lock: lock };
        let fresh = Saved { form: FORM, run: run.to_owned(), ..Saved::default() };
        if force {
            // What lies there must not be taken for this run, should it be stopped before it has a state.
            let _ = fs::remove_file(folder.file("state.json"));
        }
        let saved = match folder.read()? {
            Some(saved) if saved.run != run => return Err(Error::OtherRun { path: folder.path }),
            saved => saved,
        };
        Ok((folder, saved.unwrap_or(fresh)))
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
            return Err(wrong("it was written by another version".to_owned()));
        }
        Ok(Some(saved))
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

    /// The run is over: nothing is left behind.
    pub(crate) fn remove(self) -> Result<(), Error> {
        // Without its state, the folder is one that holds nothing, wherever this stops.
        let _ = fs::remove_file(self.file("state.json"));
        fs::remove_dir_all(&self.path).map_err(Error::write(&self.path, 0))
    }
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}
