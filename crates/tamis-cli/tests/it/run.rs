//! Runs the built command and keeps what it said.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use serde_json::Value;

/// What a run left behind. What is asked of it fails with all of that, at the line that asked.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// It ended with this code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Run {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn succeeds(self) -> Run {
        self.ends(0)
    }

    /// It ended with an error that has these words.
    #[track_caller]
    pub(crate) fn fails(self, words: &str) -> Run {
        self.ends(2).says(words)
    }

    /// These words are on standard error.
    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Run {
        assert!(self.err.contains(words), "no {words:?}: {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn does_not_say(self, words: &str) -> Run {
        assert!(!self.err.contains(words), "{words:?}: {self:#?}");
        self
    }

    /// These words are on standard output.
    #[track_caller]
    pub(crate) fn prints(self, words: &str) -> Run {
        assert!(self.out.contains(words), "no {words:?}: {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn does_not_print(self, words: &str) -> Run {
        assert!(!self.out.contains(words), "{words:?}: {self:#?}");
        self
    }

    /// What it printed, as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// What it printed, as JSON lines.
    pub(crate) fn rows(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The command with its arguments at the root of the project, not yet started.
pub(crate) fn command(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(words(line)).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    for variable in ["TAMIS_MODEL", "TAMIS_SITES", "TAMIS_RULES", "TAMIS_DB", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// The words of a command line; one in single quotes may have spaces.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split('\'').enumerate().flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    })
}

/// Runs the command at the root of the project, with `input` on its standard input.
pub(crate) fn tamis(line: &str, input: impl AsRef<[u8]>) -> Run {
    finish(command(line), input)
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

/// A folder that goes away with the test. Commands run in it, so that names are relative to it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The absolute path of a file or directory in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.root().join(name).display().to_string()
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.root().join(name).exists()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.root().join(name)).unwrap()
    }

    /// A file of JSON lines.
    pub(crate) fn rows(&self, name: &str) -> Vec<Value> {
        self.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Everything below a folder: the bytes of every file, by name.
    pub(crate) fn everything(&self, folder: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
        let root = self.root().join(folder);
        let mut found = std::collections::BTreeMap::new();
        let mut left = vec![root.clone()];
        while let Some(next) = left.pop() {
            if next.is_dir() {
                left.extend(fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()));
            } else {
                let name = next.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(next).unwrap());
            }
        }
        found
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = command(line);
        command.current_dir(self.root());
        command
    }

    pub(crate) fn tamis(&self, line: &str) -> Run {
        self.tamis_with(line, "")
    }

    /// Runs the command with `input` on its standard input.
    pub(crate) fn tamis_with(&self, line: &str, input: impl AsRef<[u8]>) -> Run {
        finish(self.command(line), input)
    }

    pub(crate) fn batch(&self, line: &str) -> Run {
        self.tamis(&format!("batch {line}"))
    }

    /// Runs the command under a limit of the shell, such as `-f 500`.
    #[cfg(target_os = "linux")]
    pub(crate) fn limited(&self, limit: &str, line: &str) -> Run {
        let mut shell = Command::new("sh");
        let tamis = env!("CARGO_BIN_EXE_tamis");
        shell.args(["-c", &format!("ulimit {limit}; exec {tamis} {line}")]).current_dir(self.root());
        finish(shell, "")
    }
}
