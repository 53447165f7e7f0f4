//! One command of a chore: shown, timed, and repeatable by hand when it fails.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fmt, fs};

/// The root of the workspace: of the one that cargo was called in, not the one this program was once compiled in. The
/// two differ where checkouts share a build folder, and then the wrong one would be tested.
pub(crate) fn root() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_owned)
}

/// Why a file could not be written.
pub(crate) fn unwritable(path: &Path, error: std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A folder below it, made if need be.
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
    /// A cargo command. `line` is cut at its spaces.
    pub(crate) fn cargo(about: &'static str, line: &str) -> Step {
        Step::command(about, "cargo").words(line)
    }

    /// Any command.
    pub(crate) fn command(about: &'static str, program: impl Into<OsString>) -> Step {
        let (arguments, variables) = (Vec::new(), Vec::new());
        Step { about, program: program.into(), arguments, variables, remedy: "", folder: None }
    }

    /// With more arguments. `line` is cut at its spaces.
    pub(crate) fn words(mut self, line: &str) -> Step {
        self.arguments.extend(line.split_whitespace().map(OsString::from));
        self
    }

    /// With one more argument.
    pub(crate) fn argument(mut self, argument: impl Into<OsString>) -> Step {
        self.arguments.push(argument.into());
        self
    }

    /// Another command. `line` is cut at its spaces.
    pub(crate) fn program(about: &'static str, program: &'static str, line: &str) -> Step {
        Step { program: program.into(), ..Step::cargo(about, line) }
    }

    /// With an environment variable.
    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<OsString>) -> Step {
        self.variables.push((variable, value.into()));
        self
    }

    /// In a folder other than the root.
    pub(crate) fn at(mut self, folder: &Path) -> Step {
        self.folder = Some(folder.to_owned());
        self
    }

    /// With a word on what mends most failures.
    pub(crate) fn remedy(mut self, remedy: &'static str) -> Step {
        self.remedy = remedy;
        self
    }

    /// Runs it under a heading, and says how long it took.
    pub(crate) fn run(&self) -> Result<(), String> {
        println!("\n── {}: {self}", self.about);
        let begin = Instant::now();
        // The cargo that runs this program is the one to go on with.
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

/// As one would type it.
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
