//! One command of a task: shown, timed, and repeatable by hand if it fails.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fmt, fs};

/// The root of the workspace in which cargo was called. It may differ from the one in which this program was compiled
/// if checkouts share a target folder.
pub(crate) fn root() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_owned)
}

/// The message for a file that cannot be written.
pub(crate) fn unwritable(path: &Path, error: std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A folder below the target folder, created if necessary.
pub(crate) fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = target().join(name);
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    Ok(folder)
}

/// Copies a file.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let copied = fs::copy(from, to);
    copied.map(drop).map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

/// A command to run at the root of the workspace.
pub(crate) struct Step {
    about: &'static str,
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
    remedy: &'static str,
    folder: Option<PathBuf>,
}

impl Step {
    /// A cargo command. `line` is split at spaces.
    pub(crate) fn cargo(about: &'static str, line: &str) -> Step {
        Step::command(about, "cargo").words(line)
    }

    /// Any command.
    pub(crate) fn command(about: &'static str, program: impl Into<OsString>) -> Step {
        let (arguments, variables) = (Vec::new(), Vec::new());
        Step { about, program: program.into(), arguments, variables, remedy: "", folder: None }
    }

    /// Adds arguments. `line` is split at spaces.
    pub(crate) fn words(mut self, line: &str) -> Step {
        self.arguments.extend(line.split_whitespace().map(OsString::from));
        self
    }

    /// Adds an argument.
    pub(crate) fn argument(mut self, argument: impl Into<OsString>) -> Step {
        self.arguments.push(argument.into());
        self
    }

    /// Any command with arguments. `line` is split at spaces.
    pub(crate) fn program(about: &'static str, program: &'static str, line: &str) -> Step {
        Step { program: program.into(), ..Step::cargo(about, line) }
    }

    /// Sets an environment variable.
    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Step {
        self.variables.push((variable, value.into()));
        self
    }

    /// Runs in a folder other than the root.
    pub(crate) fn at(mut self, folder: &Path) -> Step {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Adds a remedy for common failures.
    pub(crate) fn remedy(mut self, remedy: &'static str) -> Step {
        self.remedy = remedy;
        self
    }

    /// Runs the command, and prints a heading and the time.
    pub(crate) fn run(&self) -> Result<(), String> {
        println!("\n── {}: {self}", self.about);
        let begin = Instant::now();
        // The cargo that runs this program.
        let own = env::var_os("CARGO").filter(|_| self.program == "cargo");
        let status = Command::new(own.as_ref().unwrap_or(&self.program))
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(variable, value)| (variable, value)))
            .current_dir(self.folder.clone().unwrap_or_else(root))
            .status();
        let seconds = begin.elapsed().as_secs_f64();
        let failure = match status {
            Ok(status) if status.success() => {
                println!("── {}: done in {seconds:.1} s", self.about);
                return Ok(());
            }
            Ok(status) => format!("{} failed after {seconds:.1} s ({status})", self.about),
            Err(error) => format!("{} could not be started: {error}", self.about),
        };
        let remedy =
            if self.remedy.is_empty() { String::new() } else { format!("\nremedy: {}", self.remedy) };
        Err(format!("{failure}\nrepeat: {self}{remedy}"))
    }
}

/// The command line.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(folder) = &self.folder {
            write!(f, "cd {} && ", quoted(&folder.to_string_lossy()))?;
        }
        for (variable, value) in &self.variables {
            write!(f, "{variable}={} ", quoted(&value.to_string_lossy()))?;
        }
        f.write_str(&quoted(&self.program.to_string_lossy()))?;
        for argument in &self.arguments {
            write!(f, " {}", quoted(&argument.to_string_lossy()))?;
        }
        Ok(())
    }
}

fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("'{word}'") } else { word.to_owned() }
}
