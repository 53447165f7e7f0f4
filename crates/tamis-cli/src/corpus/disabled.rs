//! `tamis corpus` in a build without databases.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

/// Search, show and export collected stories (not part of this build).
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Corpus {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<String>,
}

impl Corpus {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let _ = &self.arguments;
        bail!("this tamis was built without the corpus: `cargo build --release --features collect` gives one that has it")
    }
}
