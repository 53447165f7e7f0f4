//! `tamis help`, `tamis completions` and `tamis man`: what clap knows about the commands.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::ExitCode;
use crate::Tamis;
use crate::console::note;
use crate::output::{create_directory, to_stdout};

/// Print the help of a command.
#[derive(Args)]
pub(crate) struct Help {
    /// The command, such as extract or site learn.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

impl Help {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut root = Tamis::command();
        // Global flags reach subcommands when the tree is built.
        root.build();
        let mut command = &mut root;
        for name in &self.command {
            command = match command.find_subcommand_mut(name) {
                Some(found) => found,
                None => bail!("there is no command {name}: `tamis help` lists the commands"),
            };
        }
        command.print_long_help()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_long_help = "Examples:
  tamis completions bash > ~/.local/share/bash-completion/completions/tamis
  tamis completions fish > ~/.config/fish/completions/tamis.fish
  tamis completions zsh > ~/.zfunc/_tamis")]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Tamis::command(), "tamis", &mut script);
        to_stdout(|out| out.write_all(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A command and those below it.
fn count(command: &clap::Command) -> usize {
    1 + command.get_subcommands().filter(|it| !it.is_hide_set()).map(count).sum::<usize>()
}

/// Write man pages into a directory.
#[derive(Args)]
#[command(after_long_help = "Example:
  tamis man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The directory; created if missing.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Man {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        create_directory(&self.directory)?;
        clap_mangen::generate_to(Tamis::command(), &self.directory).with_context(|| {
            format!("cannot write to {}: check its permissions", self.directory.display())
        })?;
        let mut root = Tamis::command();
        root.build();
        note!("{} man pages in {}", count(&root), self.directory.display());
        Ok(ExitCode::SUCCESS)
    }
}
