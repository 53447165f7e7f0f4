//! Runs the shell commands of the front page and of `docs/tutorials` as a reader would, and compares what they print with
//! what is shown.
//!
//! Fences of `sh` are run, in order, in one folder that has the examples; those of `sh install` are not. A fence of `text`
//! shows the output of the one before it, where `…` stands for anything.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const DOCUMENTS: [&str; 3] = ["README.md", "docs/tutorials/first-page.md", "docs/tutorials/own-model.md"];

#[test]
fn documents_work_as_written() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = Path::new(env!("CARGO_BIN_EXE_tamis")).parent().unwrap().to_owned();
    let path = env::join_paths(
        std::iter::once(own).chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    let path = path.unwrap();
    for name in DOCUMENTS {
        let folder = tempfile::tempdir().unwrap();
        let copied = Command::new("cp").arg("-r").arg(project.join("examples")).arg(folder.path()).status();
        assert!(copied.unwrap().success());
        let page = fs::read_to_string(project.join(name)).unwrap();
        let mut printed = String::new();
        let mut runs = 0;
        for (kind, text) in fences(&page) {
            match kind {
                "sh" => {
                    let script = format!("set -e; exec 2>&1\n{text}");
                    let mut shell = Command::new("bash");
                    shell.args(["-c", &script]).current_dir(folder.path());
                    let run = shell.env("PATH", &path).env_remove("TAMIS_MODEL").output().unwrap();
                    printed = String::from_utf8(run.stdout).unwrap();
                    assert!(run.status.success(), "{name}: {text}\n{printed}");
                    runs += 1;
                }
                "text" => {
                    assert!(matches(text, &printed), "{name} shows\n{text}\nbut this is printed\n{printed}")
                }
                _ => {}
            }
        }
        assert!(runs > 2, "{name} has commands");
    }
}

/// The fenced blocks of a page, with their kinds.
fn fences(page: &str) -> Vec<(&str, &str)> {
    let fences = page.split("\n```").skip(1).step_by(2);
    fences.filter_map(|fence| fence.split_once('\n')).collect()
}

/// Whether `printed` is `shown`, whose `…` stand for anything.
fn matches(shown: &str, printed: &str) -> bool {
    let mut parts = shown.trim().split('…').map(|part| part.trim_matches('\n'));
    let Some(mut rest) = printed.trim().strip_prefix(parts.next().unwrap_or_default()) else { return false };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    shown.trim_end().ends_with('…') || rest.is_empty()
}
