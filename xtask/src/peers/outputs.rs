//! What each tool finds, as files that `tamis eval --predictions` can score: a line of JSON for every page.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Bench;
use super::each_page::each_page;
use super::tools;

/// Writes `folder/SET/TOOL.jsonl` for every tool and set.
pub(crate) fn write(bench: &Bench, folder: &Path) -> Result<(), String> {
    let pages = &bench.sample.pages;
    let mut given_up = Vec::new();
    for tool in &bench.tools {
        let begin = Instant::now();
        let (mut empty, mut failed) = (0, 0);
        let mut file: Option<(&str, Partial)> = None;
        let outcome = each_page(
            || tools::start(tool),
            pages.len(),
            bench.options.page_limit,
            |place, found| {
                let page = &pages[place];
                let row = match found {
                    Ok(found) => {
                        empty += usize::from(found.empty);
                        row(&page.id, &found.json)
                    }
                    Err(why) => {
                        println!("{} {why} on {}", tool.name, page.path.display());
                        failed += 1;
                        let nothing = r#"{"text":"","title":null,"date":null,"error":"#;
                        row(&page.id, &format!("{nothing}{}}}", quoted(&why)))
                    }
                };
                // The pages come set by set.
                if file.as_ref().is_none_or(|(set, _)| *set != page.set) {
                    file.take().map_or(Ok(()), |(_, whole)| whole.finish())?;
                    file = Some((&page.set, Partial::create(&folder.join(&page.set), tool.name)?));
                }
                let Some((_, partial)) = &mut file else { return Ok(()) };
                let written = writeln!(partial.writer, "{row}").and_then(|()| partial.writer.flush());
                written.map_err(|error| format!("cannot write to {}: {error}", folder.display()))
            },
        );
        let outcome = outcome.and_then(|runner| {
            file.take().map_or(Ok(()), |(_, whole)| whole.finish())?;
            Ok(runner)
        });
        match outcome {
            Ok(runner) => println!(
                "{} {}: {} pages in {:.0} s, {empty} without text, {failed} failed",
                tool.name,
                runner.version,
                pages.len(),
                begin.elapsed().as_secs_f64()
            ),
            Err(why) => given_up.push(format!("{} {why}", tool.name)),
        }
    }
    if given_up.is_empty() { Ok(()) } else { Err(given_up.join("\n")) }
}

/// The outputs on a set on their way. They have their name only when they are whole: pages that are missing from a file
/// count as empty when it is scored.
struct Partial {
    path: PathBuf,
    writer: BufWriter<File>,
}

impl Partial {
    fn create(folder: &Path, tool: &str) -> Result<Partial, String> {
        let path = folder.join(format!("{tool}.jsonl"));
        let file = fs::create_dir_all(folder).and_then(|()| File::create(path.with_extension("part")));
        let writer =
            file.map(BufWriter::new).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(Partial { path, writer })
    }

    fn finish(self) -> Result<(), String> {
        fs::rename(self.path.with_extension("part"), &self.path)
            .map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

/// The object of a runner's answer with the page's name in front.
fn row(id: &str, object: &str) -> String {
    format!("{{\"id\":{},{}", quoted(id), object.get(1..).unwrap_or("}"))
}

/// A string as JSON has it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control < ' ' => quoted.push_str(&format!("\\u{:04x}", control as u32)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    #[test]
    fn half_a_set_was_taken_for_the_whole() {
        let folder = crate::step::target().join(format!("outputs-test-{}", std::process::id()));
        let whole = folder.join("a-tool.jsonl");
        let mut partial = Partial::create(&folder, "a-tool").unwrap();
        partial.writer.write_all(b"{}\n").unwrap();
        partial.writer.flush().unwrap();
        assert!(!whole.exists());
        partial.finish().unwrap();
        assert_eq!(fs::read_to_string(&whole).unwrap(), "{}\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_row_is_the_answer_with_the_name_in_front() {
        assert_eq!(row("a", r#"{"text": "b", "title": null}"#), r#"{"id":"a","text": "b", "title": null}"#);
        assert_eq!(row("q\"\\\n", r#"{"text":""}"#), r#"{"id":"q\"\\\u000a","text":""}"#);
    }
}
