//! `tamis eval --report`, as a user runs it.

use std::fs;
use std::path::Path;

use crate::run::{Folder, Run, tamis};

fn eval(report: &str) -> Run {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tamis-lab/tests/report-set");
    let other = format!("theirs={}", set.join("other.jsonl").display());
    let set = set.to_str().unwrap();
    tamis(&["eval", set, "--method", "correlation", "--predictions", &other, "--report", report], "")
}

#[test]
fn a_report_is_written_and_written_again() {
    let folder = Folder::new();
    let place = folder.path("report");
    for _ in 0..2 {
        let output = eval(&place);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(output.err.contains("index.html"), "{output:?}");
        assert!(output.out.contains("theirs"), "the tables are shown all the same");
    }
    let index = fs::read_to_string(folder.root().join("report/index.html")).unwrap();
    assert!(index.contains("correlation") && index.contains("theirs"));
    // A reader must know how the figures came about.
    assert!(index.contains("<code dir=auto>tamis eval ") && index.contains(", tamis 0."), "{index}");
}

#[test]
fn a_folder_that_is_no_report_is_refused_with_a_remedy() {
    let folder = Folder::new();
    let thesis = folder.write("other/thesis.txt", "years of work");
    let output = eval(&folder.path("other"));
    assert_eq!(output.code, 2, "{output:?}");
    let said = output.err;
    assert!(said.contains("thesis.txt") && said.contains("name another folder"), "{said}");
    assert_eq!(fs::read_to_string(thesis).unwrap(), "years of work");
}
