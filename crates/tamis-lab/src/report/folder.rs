//! The folder of a report: written to a temporary folder, then moved into place; never replaces anything else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::ReportError;

/// The file that marks a folder as a report, which may be replaced.
const MARKER: &str = "tamis-report.txt";
const MARKER_TEXT: &str = "This folder is a report of tamis: open index.html.\n\
    A new report replaces all of it, so do not keep other files here.\n";

/// The top-level files and folders of a report, in the order in which they are moved: the index last.
pub(super) type Parts = &'static [&'static str];

/// The parts of an evaluation.
pub(super) const EVALUATION: Parts = &["report.css", "report.js", "sets", "index.html"];
/// The parts of a training.
pub(super) const TRAINING: Parts = &["recipe.json", "reliability.svg", "index.html"];

/// The temporary folder.
const ASIDE: &str = ".writing";

/// The folder of a report that is being written.
pub(super) struct Folder {
    place: PathBuf,
    parts: Parts,
    files: AtomicUsize,
    bytes: AtomicU64,
}

impl Folder {
    /// Creates the folder if necessary; an error if it cannot or must not be written to.
    pub(super) fn check(place: &Path, parts: Parts) -> Result<(), ReportError> {
        let at = |source: io::Error| ReportError::Unwritable { file: place.to_owned(), source };
        fs::create_dir_all(place).map_err(at)?;
        let mut others = Vec::new();
        let mut marked = false;
        for entry in fs::read_dir(place).map_err(at)? {
            let name = entry.map_err(at)?.file_name();
            marked |= name == MARKER;
            if name != MARKER && name != ASIDE && parts.iter().all(|part| name != *part) {
                others.push(name.to_string_lossy().into_owned());
            } else if !marked && name != MARKER {
                others.push(String::new());
            }
        }
        // Parts of a report count only with the marker.
        if marked {
            others.retain(|name| !name.is_empty());
        }
        others.sort();
        if let Some(name) = others.pop() {
            let found = if name.is_empty() { "files, but no report".to_owned() } else { format!("{name:?}") };
            return Err(ReportError::NoReport { folder: place.to_owned(), found });
        }
        // Check permissions by creating a folder.
        let trial = place.join(ASIDE).join("trial");
        fs::create_dir_all(&trial).and_then(|()| fs::remove_dir(&trial)).map_err(at)?;
        match fs::remove_dir(place.join(ASIDE)) {
            // Left by an interrupted run; `prepare` removes it.
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(at(error)),
            _ => Ok(()),
        }
    }

    /// Prepares the folder; an error if it must not be written to.
    pub(super) fn prepare(place: &Path, parts: Parts) -> Result<Folder, ReportError> {
        Folder::check(place, parts)?;
        let at = |source: io::Error| ReportError::Unwritable { file: place.to_owned(), source };
        let folder =
            Folder { place: place.to_owned(), parts, files: AtomicUsize::new(0), bytes: AtomicU64::new(0) };
        fs::write(place.join(MARKER), MARKER_TEXT).map_err(at)?;
        // Left by an interrupted run.
        match fs::remove_dir_all(folder.aside()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(error)),
            _ => {}
        }
        Ok(folder)
    }

    fn aside(&self) -> PathBuf {
        self.place.join(ASIDE)
    }

    /// Creates a folder of the report.
    pub(super) fn make(&self, path: &str) -> Result<(), ReportError> {
        let file = self.aside().join(path);
        fs::create_dir_all(&file).map_err(|source| ReportError::Unwritable { file, source })
    }

    /// Writes a file of the report.
    pub(super) fn write(&self, path: &str, content: &str) -> Result<(), ReportError> {
        let file = self.aside().join(path);
        fs::write(&file, content).map_err(|source| ReportError::Unwritable { file, source })?;
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(content.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Replaces the earlier report; returns the number of files and bytes.
    pub(super) fn finish(self) -> Result<(usize, u64), ReportError> {
        for part in self.parts {
            let (from, to) = (self.aside().join(part), self.place.join(part));
            let at = |source: io::Error| ReportError::Unwritable { file: to.clone(), source };
            // A file is replaced by renaming; a folder must be gone first.
            if to.is_dir() {
                fs::remove_dir_all(&to).map_err(at)?;
            }
            fs::rename(&from, &to).map_err(at)?;
        }
        let aside = self.aside();
        fs::remove_dir_all(&aside).map_err(|source| ReportError::Unwritable { file: aside, source })?;
        Ok((self.files.into_inner(), self.bytes.into_inner()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(place: &Path, text: &str) {
        let folder = Folder::prepare(place, EVALUATION).unwrap();
        folder.make("sets/a").unwrap();
        for file in ["report.css", "report.js", "index.html", "sets/a/index.html"] {
            folder.write(file, text).unwrap();
        }
        assert_eq!(folder.finish().unwrap(), (4, 4 * text.len() as u64));
    }

    #[test]
    fn a_report_replaces_an_earlier_one_and_leaves_no_temporary_files() {
        let temporary = tempfile::tempdir().unwrap();
        let place = temporary.path().join("report");
        filled(&place, "old");
        fs::create_dir_all(place.join(ASIDE).join("sets")).unwrap();
        fs::write(place.join("sets/a/gone.html"), "x").unwrap();
        filled(&place, "new");
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "new");
        assert!(!place.join("sets/a/gone.html").exists() && !place.join(ASIDE).exists());
    }

    #[test]
    fn other_files_are_not_replaced() {
        let temporary = tempfile::tempdir().unwrap();
        let place = temporary.path().join("report");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("index.html"), "mine").unwrap();
        let error = Folder::prepare(&place, EVALUATION).err().unwrap().to_string();
        assert!(error.contains("name another folder"), "{error}");
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "mine");
        fs::remove_dir_all(&place).unwrap();
        // A report with other files in it.
        filled(&place, "x");
        fs::write(place.join("notes.txt"), "mine").unwrap();
        let error = Folder::prepare(&place, EVALUATION).err().unwrap().to_string();
        assert!(error.contains("notes.txt"), "{error}");
    }

    #[test]
    fn a_file_is_not_a_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let place = temporary.path().join("report");
        fs::write(&place, "x").unwrap();
        assert!(matches!(Folder::check(&place, EVALUATION), Err(ReportError::Unwritable { .. })));
        assert!(matches!(Folder::prepare(&place, EVALUATION), Err(ReportError::Unwritable { .. })));
    }

    #[test]
    fn a_check_creates_only_the_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let place = temporary.path().join("report");
        Folder::check(&place, EVALUATION).unwrap();
        assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
        Folder::check(&place, EVALUATION).unwrap();
        filled(&place, "old");
        // An interrupted run does not matter.
        fs::create_dir_all(place.join(ASIDE).join("sets")).unwrap();
        Folder::check(&place, EVALUATION).unwrap();
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "old");
    }
}
