//! Runs the built command and keeps what it said.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

/// What a run left behind.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// The value of one line of `--stats`.
    pub(crate) fn stat(&self, name: &str) -> &str {
        let value = self.out.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no line {name} in:\n{}", self.out)).trim_start()
    }

    /// Likewise, where it is a number.
    pub(crate) fn number(&self, name: &str) -> usize {
        self.stat(name).parse().unwrap()
    }
}

/// The command with its arguments at the root of the project, not yet started.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    for variable in ["TAMIS_MODEL", "TAMIS_SITES", "TAMIS_RULES", "TAMIS_DB", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the command with `input` on its standard input.
pub(crate) fn tamis(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    finish(command(arguments), input)
}

/// Runs `tamis batch` without standard input.
pub(crate) fn batch(arguments: &[&str]) -> Run {
    let mut all = vec!["batch"];
    all.extend(arguments);
    tamis(&all, "")
}

/// Runs a command to its end with `input` on its standard input.
pub(crate) fn finish(mut command: Command, input: impl AsRef<[u8]>) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref();
    let done = thread::scope(|scope| {
        // A command that fails early does not read what it is given.
        scope.spawn(move || _ = stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    Run {
        code: done.status.code().unwrap_or(-1),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// A folder that goes away with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file or directory in it, with the separator at the end if the name has one.
    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.root().display())
    }

    /// Writes a file, and the folders above it, and returns its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.path(name)
    }
}
