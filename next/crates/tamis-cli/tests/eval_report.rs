//! `tamis eval --report`, as a user runs it.

#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("eval-report-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn eval(report: &Path) -> Output {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tamis-lab/tests/report-set");
    let other = format!("theirs={}", set.join("other.jsonl").display());
    let mut tamis = Command::new(env!("CARGO_BIN_EXE_tamis"));
    tamis.arg("eval").arg(set).args(["--method", "correlation", "--out", &other]).arg("--report").arg(report);
    tamis.output().unwrap()
}

#[test]
fn a_report_is_written_and_written_again() {
    let place = folder("twice");
    for _ in 0..2 {
        let output = eval(&place);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("index.html"), "{output:?}");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("theirs"),
            "the tables are shown all the same"
        );
    }
    let index = fs::read_to_string(place.join("index.html")).unwrap();
    assert!(index.contains("correlation") && index.contains("theirs"));
    // A reader must know how the figures came about.
    assert!(index.contains("<code dir=auto>tamis eval ") && index.contains(", tamis 0."), "{index}");
}

#[test]
fn a_folder_that_is_no_report_is_refused_with_a_remedy() {
    let place = folder("other");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("thesis.txt"), "years of work").unwrap();
    let output = eval(&place);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("thesis.txt") && said.contains("name another folder"), "{said}");
    assert_eq!(fs::read_to_string(place.join("thesis.txt")).unwrap(), "years of work");
}
