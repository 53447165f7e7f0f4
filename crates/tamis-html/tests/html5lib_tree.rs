//! The html5lib tests of tree construction: every case, in every applicable mode.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]
#![allow(clippy::print_stdout, reason = "the figures are for people to read")]

use std::fs;
use std::process::ExitCode;

use tamis_html::{Dom, Limits, Parser};

struct Case {
    place: String,
    data: String,
    context: Option<String>,
    scripting: Option<bool>,
    outline: String,
}

/// Reads a `.dat` file: cases of `#data`, `#errors`, … sections.
fn cases(file: &str, text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        assert_eq!(line, "#data", "{file}:{}", number + 1);
        let place = format!("{file}:{}", number + 1);
        let mut section = String::from("#data");
        let mut case =
            Case { place, data: String::new(), context: None, scripting: None, outline: String::new() };
        let mut data = Vec::new();
        let mut outline: Vec<&str> = Vec::new();
        while let Some(&(_, line)) = lines.peek() {
            let in_document = section == "#document";
            if in_document && line == "#data" {
                break;
            }
            lines.next();
            match line {
                "#errors" | "#new-errors" | "#document-fragment" | "#document" if section != "#document" => {
                    section = line.to_owned();
                }
                "#script-on" => case.scripting = Some(true),
                "#script-off" => case.scripting = Some(false),
                _ => match section.as_str() {
                    "#data" => data.push(line),
                    "#document-fragment" => case.context = Some(line.to_owned()),
                    "#document" => outline.push(line),
                    _ => {}
                },
            }
        }
        // Cases are separated by empty lines.
        while outline.last() == Some(&"") {
            outline.pop();
        }
        case.data = data.join("\n");
        case.outline = outline.join("\n") + "\n";
        cases.push(case);
    }
    cases
}

/// Skipped cases with the reason. There are none.
const LEFT_OUT: &[(&str, &str)] = &[];

fn main() -> ExitCode {
    tamis_testdata::run_tests(&[("every_tree_construction_case", every_tree_construction_case)])
}

fn every_tree_construction_case() {
    let folder = tamis_testdata::shared().unwrap().join("html5lib-tests/tree-construction");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut run, mut count, mut failures) = (0, 0, Vec::new());
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "dat")) {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = String::from_utf8(fs::read(path).unwrap()).unwrap();
        for case in cases(&name, &text) {
            count += 1;
            if LEFT_OUT.iter().any(|(place, _)| *place == case.place) {
                continue;
            }
            for scripting in [false, true] {
                if case.scripting.is_some_and(|only| only != scripting) {
                    continue;
                }
                run += 1;
                let parser = Parser::new().scripting(scripting).limits(Limits::NONE);
                let dom: Dom<'_> = match &case.context {
                    Some(context) => parser.parse_fragment(&case.data, context),
                    None => parser.parse(&case.data),
                };
                let outline = dom.outline();
                if outline != case.outline {
                    failures.push(format!(
                        "{} (scripting {scripting}, context {:?})\n{}\nexpected\n{}got\n{outline}",
                        case.place, case.context, case.data, case.outline
                    ));
                }
            }
        }
    }
    println!("{count} tree construction cases, {run} runs, {} failures", failures.len());
    assert!(failures.is_empty(), "{} of {run} runs failed:\n{}", failures.len(), failures.join("\n\n"));
    assert!(count >= 1792, "only {count} cases were found in {}", folder.display());
}
