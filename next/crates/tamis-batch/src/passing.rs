//! A folder for what a run needs only while it goes on: nobody else may look into it, and it goes when the run does.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;

use crate::error::Error;

/// Names that are tried before it is the system's fault.
const TRIES: usize = 16;

#[derive(Debug)]
pub(crate) struct PassingFolder(PathBuf);

impl PassingFolder {
    pub(crate) fn new() -> Result<PassingFolder, Error> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let mut tried = 0;
        loop {
            tried += 1;
            // The keys of such a state are drawn by chance: nobody can lay something under this name beforehand.
            let name = format!("tamis-{:016x}", RandomState::new().hash_one(std::process::id()));
            let path = std::env::temp_dir().join(name);
            match builder.create(&path) {
                Ok(()) => return Ok(PassingFolder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < TRIES => {}
                Err(error) => return Err(Error::write(&path, 0)(error)),
            }
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for PassingFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_in_passing_lay_open_under_a_name_that_could_be_guessed() {
        let (one, other) = (PassingFolder::new().unwrap(), PassingFolder::new().unwrap());
        assert_ne!(one.0, other.0);
        fs::write(one.file("sites.redb"), "x").unwrap();
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&one.0).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o700);
        }
        let path = one.0.clone();
        drop(one);
        assert!(!path.exists() && other.0.exists());
    }
}
