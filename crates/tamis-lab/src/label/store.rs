//! A label into a set: the page beside its truth, whole or not at all, whoever else writes there.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::LabelError;
use crate::set::{TRUTH, Truth};
use crate::whole_file;

/// While a label is written, others wait for this file.
const LOCK: &str = ".label.lock";

/// What became of a label.
///
/// ```
/// use tamis_lab::{Truth, label::add};
///
/// let folder = std::env::temp_dir().join(format!("tamis-added-doc-{}", std::process::id()));
/// let rain = || Truth { id: "rain".into(), text: Some("It rained.".into()), ..Truth::default() };
/// let added = add(&folder, rain(), b"<p>It rained.", false)?;
/// assert!(!added.replaced && added.file.ends_with("pages/rain.html"));
/// // The same page again, and another one that would have the same name.
/// assert!(add(&folder, rain(), b"<p>It rained.", false)?.replaced);
/// assert_eq!(add(&folder, rain(), b"<p>It rained again.", false)?.id, "rain-2");
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), tamis_lab::label::LabelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// The id that the page has.
    pub id: String,
    /// The file of the page.
    pub file: PathBuf,
    /// Was there a label of the page before?
    pub replaced: bool,
    /// How many pages the set has now.
    pub pages: usize,
}

/// Adds a page to a set, which is made if it is not there.
///
/// A page that is there already gets its line replaced; what else the line says of it stays. A page is the same if its bytes
/// or its address are; another one of the same id gets a number behind it, unless the id is `fixed`: then it takes the
/// place of what was there.
///
/// A run that is stopped leaves the set as it was, or whole, or at worst without the label of this page: never with a text
/// that belongs to another page.
///
/// ```
/// use tamis_lab::{Truth, label::add};
///
/// let folder = std::env::temp_dir().join(format!("tamis-add-doc-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// std::fs::write(folder.join("truth.jsonl"), "{\"id\": \"a\"}\nnonsense\n").unwrap();
/// let error = add(&folder, Truth { id: "b".into(), ..Truth::default() }, b"<p>b", false).unwrap_err().to_string();
/// assert!(error.contains("truth.jsonl:2: "), "{error}");
/// # std::fs::remove_dir_all(folder).unwrap();
/// ```
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
                // A page without a label is what a run has left that was stopped, or not ours.
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
            // The old text must never stand beside the new page.
            let rest = lines.without(&id);
            whole_file::write(&lines.file, rest.as_bytes()).map_err(at(&lines.file))?;
        }
        whole_file::write(&file, page).map_err(at(&file))?;
    }
    lines.put(&id, line);
    whole_file::write(&lines.file, lines.text().as_bytes()).map_err(at(&lines.file))?;
    Ok(Added { id, file, replaced, pages: lines.lines.len() })
}

/// Removes the label of a page, and the page. Was there one?
///
/// ```
/// use tamis_lab::{Truth, label::{add, remove}};
///
/// let folder = std::env::temp_dir().join(format!("tamis-remove-doc-{}", std::process::id()));
/// add(&folder, Truth { id: "rain".into(), ..Truth::default() }, b"<p>It rained.", false)?;
/// assert!(remove(&folder, "rain")? && !remove(&folder, "rain")?);
/// assert!(!folder.join("pages/rain.html").exists());
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), tamis_lab::label::LabelError>(())
/// ```
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

/// Waits for others that write there. Held until it is dropped, or the process ends.
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

/// The lines of a file of truths, as they stand there, without empty ones.
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
                return Err(damaged(place + 1, "this is no UTF-8".to_owned()));
            };
            let text = text.trim_end_matches('\r').to_owned();
            if text.trim().is_empty() {
                continue;
            }
            let truth: Truth = serde_json::from_str(&text).map_err(|error| {
                let said = error.to_string();
                let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
                damaged(
                    place + 1,
                    format!("this is no truth of a page ({said} at column {})", error.column()),
                )
            })?;
            lines.push(Line { id: truth.id, url: truth.url, text });
        }
        Ok(Lines { file: file.to_owned(), lines })
    }

    fn of(&self, id: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.id == id)
    }

    /// The line of a truth: what it says, and what the line before said beside.
    fn with(&self, truth: &Truth) -> Line {
        let old = self.of(&truth.id).and_then(|line| serde_json::from_str(&line.text).ok());
        let mut fields: Map<String, Value> = old.unwrap_or_default();
        // Texts that an earlier label chose; those that a set has from elsewhere stay.
        if truth.block_classes.is_some() && fields.contains_key("block_classes") {
            fields.retain(|name, _| !["comments", "supplemental"].contains(&name.as_str()));
        }
        let texts = [
            ("id", Some(&truth.id)),
            ("url", truth.url.as_ref()),
            ("site", truth.site.as_ref()),
            ("lang", truth.lang.as_ref()),
            ("page_type", truth.page_type.as_ref()),
            ("title", truth.title.as_ref()),
            ("date", truth.date.as_ref()),
            ("text", truth.text.as_ref()),
            ("comments", truth.comments.as_ref()),
            ("supplemental", truth.supplemental.as_ref()),
            ("blocks_digest", truth.blocks_digest.as_ref()),
            ("block_classes", truth.block_classes.as_ref()),
        ];
        for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
            fields.insert(name.to_owned(), Value::String(text.clone()));
        }
        let url = fields.get("url").and_then(Value::as_str).map(str::to_owned);
        Line { id: truth.id.clone(), url, text: Value::Object(fields).to_string() }
    }

    /// Puts a line where the one of its id stands, or at the end. Should an id be there twice, one is left.
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
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("tamis-store-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Folder(folder)
        }

        fn truths(&self) -> String {
            fs::read_to_string(self.0.join(TRUTH)).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn truth(id: &str, text: &str) -> Truth {
        Truth { id: id.into(), text: Some(text.into()), ..Truth::default() }
    }

    #[test]
    fn other_lines_stay_to_the_letter_and_other_fields_too() {
        let folder = Folder::new("letters");
        fs::create_dir_all(folder.0.join("pages")).unwrap();
        let first = "{ \"text\":\"one\", \"id\": 7, \"more\": [1] }";
        fs::write(
            folder.0.join(TRUTH),
            format!("{first}\r\n\n{{\"id\":\"b\",\"engine\":\"x\",\"text\":\"old\"}}"),
        )
        .unwrap();
        fs::write(folder.0.join("pages/b.html"), "<p>b").unwrap();
        assert!(add(&folder.0, truth("b", "new"), b"<p>b", false).unwrap().replaced);
        let last = "{\"engine\":\"x\",\"id\":\"b\",\"text\":\"new\"}";
        assert_eq!(folder.truths(), format!("{first}\n{last}\n"));
    }

    #[test]
    fn a_page_with_the_address_of_another_is_that_page_changed() {
        let folder = Folder::new("address");
        let at = |text: &str| Truth { url: Some("https://example.com/a".into()), ..truth("a", text) };
        add(&folder.0, at("old"), b"<p>old", false).unwrap();
        let added = add(&folder.0, at("new"), b"<p>new", false).unwrap();
        assert_eq!((added.id.as_str(), added.replaced, added.pages), ("a", true, 1));
        assert_eq!(fs::read(folder.0.join("pages/a.html")).unwrap(), b"<p>new");
        assert!(folder.truths().contains("new") && !folder.truths().contains("old"));
    }

    #[test]
    fn a_fixed_id_takes_the_place_of_what_was_there() {
        let folder = Folder::new("fixed");
        add(&folder.0, truth("a", "old"), b"<p>old", false).unwrap();
        assert!(add(&folder.0, truth("a", "new"), b"<p>new", true).unwrap().replaced);
        assert_eq!(folder.truths().lines().count(), 1);
    }

    #[test]
    fn nothing_is_left_behind_and_nothing_leads_out() {
        let folder = Folder::new("names");
        add(&folder.0, truth("a", "a"), b"<p>a", false).unwrap();
        let mut names: Vec<_> = fs::read_dir(&folder.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [LOCK, "pages", TRUTH]);
        for id in ["", "..", "../a", "a/b", "/a", "a\\b", "a\nb"] {
            // `...html` and the like are names; those that lead elsewhere are none.
            let added = add(&folder.0, truth(id, "x"), b"<p>x", false);
            assert!(matches!(added, Err(LabelError::BadId(_))) || id == "..", "{id}: {added:?}");
        }
    }

    #[test]
    fn writers_at_the_same_time_lost_each_others_labels() {
        let folder = Folder::new("turns");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let folder = &folder.0;
                scope.spawn(move || {
                    for page in 0..5 {
                        let id = format!("w{writer}p{page}");
                        add(folder, truth(&id, &id), id.as_bytes(), false).unwrap();
                    }
                });
            }
        });
        assert_eq!(folder.truths().lines().count(), 20);
    }
}
