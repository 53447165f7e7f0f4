//! Runs the built command and keeps what it said.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process, thread};

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

/// The command with its arguments, not yet started.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.args(arguments);
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

/// A page in a file of its own, which goes when the test is over.
pub(crate) struct TempFile(PathBuf);

impl TempFile {
    pub(crate) fn with(page: impl AsRef<[u8]>) -> TempFile {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("tamis-{}-{}.html", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        fs::write(&path, page).unwrap();
        TempFile(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
