//! Adding a labelled page to a set, atomically and with concurrent writers.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::LabelError;
use crate::set::{TRUTH, Truth};
use crate::{json_lines, whole_file};

/// The lock of concurrent writers.
const LOCK: &str = ".label.lock";

/// The result of [`add`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// The id of the page.
    pub id: String,
    /// The file of the page.
    pub file: PathBuf,
    /// Whether an earlier label of the page was replaced.
    pub replaced: bool,
    /// The number of pages in the set.
    pub pages: usize,
}

/// Adds a page to a set, which is created if necessary.
///
/// If the page is in the set already (same bytes or same URL), its line is replaced; other fields of the line are kept.
/// A different page with the same id gets a numbered id, unless the id is `fixed`: then it replaces the earlier page.
///
/// An interrupted call leaves the set unchanged, complete, or without a label for this page, but never with a text that
/// belongs to another page.
pub fn add(folder: &Path, truth: Truth, page: &[u8], fixed: bool) -> Result<Added, LabelError> {
    let pages = folder.join("pages");
    fs::create_dir_all(&pages).map_err(at(&pages))?;
    let _lock = locked(folder)?;

    let mut lines = Lines::read(&folder.join(TRUTH))?;
    let mut id = truth.id.clone();
    let (file, old) = (2..)
        .find_map(|number| {
            let file = match page_file(&pages, &id) {
                Ok(file) => file,
                Err(error) => return Some(Err(error)),
            };
            let old = fs::read(&file).ok();
            let is_same =
                |line: &Line| line.url.is_some() && line.url == truth.url || old.as_deref() == Some(page);
            let free = match lines.of(&id) {
                _ if fixed => true,
                Some(line) => is_same(line),
                // A page without a label is left by an interrupted call, or not ours.
                None => old.is_none() || old.as_deref() == Some(page),
            };
            if !free {
                id = format!("{}-{number}", truth.id);
            }
            free.then_some(Ok((file, old)))
        })
        .unwrap_or_else(|| Err(LabelError::BadId(truth.id.clone())))?;

    let replaced = lines.of(&id).is_some();
    let line = lines.with(&Truth { id: id.clone(), ..truth });
    if old.as_deref() != Some(page) {
        if replaced {
            // The old text must never be paired with the new page.
            let rest = lines.without(&id);
            whole_file::write(&lines.file, rest.as_bytes()).map_err(at(&lines.file))?;
        }
        whole_file::write(&file, page).map_err(at(&file))?;
    }
    lines.put(&id, line);
    whole_file::write(&lines.file, lines.text().as_bytes()).map_err(at(&lines.file))?;
    Ok(Added { id, file, replaced, pages: lines.lines.len() })
}

/// Removes a page and its label; returns whether there was one.
pub fn remove(folder: &Path, id: &str) -> Result<bool, LabelError> {
    let file = page_file(&folder.join("pages"), id)?;
    if !folder.join(TRUTH).is_file() {
        return Ok(false);
    }
    let _lock = locked(folder)?;
    let lines = Lines::read(&folder.join(TRUTH))?;
    if lines.of(id).is_none() {
        return Ok(false);
    }
    whole_file::write(&lines.file, lines.without(id).as_bytes()).map_err(at(&lines.file))?;
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(&file)(error)),
        _ => Ok(true),
    }
}

/// Waits for other writers and locks the set until the result is dropped or the process ends.
fn locked(folder: &Path) -> Result<File, LabelError> {
    let file = folder.join(LOCK);
    let lock = File::create(&file).map_err(at(&file))?;
    lock.lock().map_err(at(&file))?;
    Ok(lock)
}

fn at(file: &Path) -> impl FnOnce(io::Error) -> LabelError {
    let file = file.to_owned();
    move |source: io::Error| LabelError::File { file, source }
}

fn page_file(pages: &Path, id: &str) -> Result<PathBuf, LabelError> {
    let name = format!("{id}.html");
    let mut parts = Path::new(&name).components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    let good = plain && !id.is_empty() && !id.contains(|it: char| it.is_control() || it == '/' || it == '\\');
    if good { Ok(pages.join(name)) } else { Err(LabelError::BadId(id.to_owned())) }
}

/// The non-empty lines of a file of truths, verbatim.
struct Lines {
    file: PathBuf,
    lines: Vec<Line>,
}

struct Line {
    id: String,
    url: Option<String>,
    text: String,
}

impl Lines {
    fn read(file: &Path) -> Result<Lines, LabelError> {
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(LabelError::File { file: file.to_owned(), source }),
            Ok(bytes) => bytes,
        };
        let damaged = |line: usize, what: String| LabelError::Damaged { file: file.to_owned(), line, what };
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let mut lines = Vec::new();
        for (place, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let Ok(text) = std::str::from_utf8(line) else {
                return Err(damaged(place + 1, "invalid UTF-8".to_owned()));
            };
            let text = text.trim_end_matches('\r').to_owned();
            if text.trim().is_empty() {
                continue;
            }
            let truth: Truth = serde_json::from_str(&text).map_err(|error| {
                damaged(place + 1, format!("invalid truth ({})", json_lines::message(&error)))
            })?;
            lines.push(Line { id: truth.id, url: truth.url, text });
        }
        Ok(Lines { file: file.to_owned(), lines })
    }

    fn of(&self, id: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.id == id)
    }

    /// The line of a truth, with further fields of the earlier line.
    fn with(&self, truth: &Truth) -> Line {
        let old = self.of(&truth.id).and_then(|line| serde_json::from_str(&line.text).ok());
        let mut fields: Map<String, Value> = old.unwrap_or_default();
        // Drop texts of an earlier label, but keep those from other sources.
        if truth.block_classes.is_some() && fields.contains_key("block_classes") {
            fields.retain(|name, _| !["comments", "supplemental"].contains(&name.as_str()));
        }
        // All that a label says is text.
        if let Ok(Value::Object(said)) = serde_json::to_value(truth) {
            fields.extend(said.into_iter().filter(|(_, value)| value.is_string()));
        }
        let url = fields.get("url").and_then(Value::as_str).map(str::to_owned);
        Line { id: truth.id.clone(), url, text: Value::Object(fields).to_string() }
    }

    /// Replaces the line with the same id, or appends one. Of duplicate ids, one line is left.
    fn put(&mut self, id: &str, line: Line) {
        let place = self.lines.iter().position(|line| line.id == id).unwrap_or(self.lines.len());
        self.lines.retain(|line| line.id != id);
        self.lines.insert(place.min(self.lines.len()), line);
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    fn without(&self, id: &str) -> String {
        let others = self.lines.iter().filter(|line| line.id != id);
        others.map(|line| format!("{}\n", line.text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn truths(folder: &TempDir) -> String {
        fs::read_to_string(folder.path().join(TRUTH)).unwrap()
    }

    fn truth(id: &str, text: &str) -> Truth {
        Truth { id: id.into(), text: Some(text.into()), ..Truth::default() }
    }

    #[test]
    fn an_unlabelled_page_is_added_relabelled_and_removed() {
        let folder = TempDir::new().unwrap();
        let rain = || truth("rain", "It rained.");
        let added = add(folder.path(), rain(), b"<p>It rained.", false).unwrap();
        assert!(!added.replaced && added.file.ends_with("pages/rain.html"));
        assert!(add(folder.path(), rain(), b"<p>It rained.", false).unwrap().replaced);
        assert_eq!(add(folder.path(), rain(), b"<p>It rained again.", false).unwrap().id, "rain-2");
        assert!(remove(folder.path(), "rain").unwrap() && !remove(folder.path(), "rain").unwrap());
        assert!(!folder.path().join("pages/rain.html").exists());
    }

    #[test]
    fn a_damaged_file_is_reported_with_its_line() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(TRUTH), "{\"id\": \"a\"}\nnonsense\n").unwrap();
        let error = add(folder.path(), truth("b", "b"), b"<p>b", false).unwrap_err().to_string();
        assert!(error.contains("truth.jsonl:2: "), "{error}");
    }

    #[test]
    fn other_lines_and_fields_are_kept_verbatim() {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("pages")).unwrap();
        let first = "{ \"text\":\"one\", \"id\": 7, \"more\": [1] }";
        let second = "{\"id\":\"b\",\"engine\":\"x\",\"text\":\"old\"}";
        fs::write(folder.path().join(TRUTH), format!("{first}\r\n\n{second}")).unwrap();
        fs::write(folder.path().join("pages/b.html"), "<p>b").unwrap();
        assert!(add(folder.path(), truth("b", "new"), b"<p>b", false).unwrap().replaced);
        let last = "{\"engine\":\"x\",\"id\":\"b\",\"text\":\"new\"}";
        assert_eq!(truths(&folder), format!("{first}\n{last}\n"));
    }

    #[test]
    fn a_page_with_the_same_url_replaces_the_earlier_version() {
        let folder = TempDir::new().unwrap();
        let at = |text: &str| Truth { url: Some("https://example.com/a".into()), ..truth("a", text) };
        add(folder.path(), at("old"), b"<p>old", false).unwrap();
        let added = add(folder.path(), at("new"), b"<p>new", false).unwrap();
        assert_eq!((added.id.as_str(), added.replaced, added.pages), ("a", true, 1));
        assert_eq!(fs::read(folder.path().join("pages/a.html")).unwrap(), b"<p>new");
        assert!(truths(&folder).contains("new") && !truths(&folder).contains("old"));
    }

    #[test]
    fn a_fixed_id_replaces_the_earlier_page() {
        let folder = TempDir::new().unwrap();
        add(folder.path(), truth("a", "old"), b"<p>old", false).unwrap();
        assert!(add(folder.path(), truth("a", "new"), b"<p>new", true).unwrap().replaced);
        assert_eq!(truths(&folder).lines().count(), 1);
    }

    #[test]
    fn no_temporary_files_remain_and_no_id_leaves_the_folder() {
        let folder = TempDir::new().unwrap();
        add(folder.path(), truth("a", "a"), b"<p>a", false).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [LOCK, "pages", TRUTH]);
        for id in ["", "..", "../a", "a/b", "/a", "a\\b", "a\nb"] {
            // `...html` is a valid file name.
            let added = add(folder.path(), truth(id, "x"), b"<p>x", false);
            assert!(matches!(added, Err(LabelError::BadId(_))) || id == "..", "{id}: {added:?}");
        }
    }

    #[test]
    fn concurrent_writers_keep_each_others_labels() {
        let folder = TempDir::new().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let folder = folder.path();
                scope.spawn(move || {
                    for page in 0..5 {
                        let id = format!("w{writer}p{page}");
                        add(folder, truth(&id, &id), id.as_bytes(), false).unwrap();
                    }
                });
            }
        });
        assert_eq!(truths(&folder).lines().count(), 20);
    }
}
