//! `tamis collect` and `tamis corpus` in a build without the feature `collect`.

use anyhow::{Result, bail};
use clap::Args;

use crate::ExitCode;

/// Not in this build; needs the feature `collect`.
#[derive(Args)]
pub(crate) struct Disabled {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Disabled {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let _ = &self.arguments;
        bail!(
            "this tamis was built without the collector; build it with \
             cargo install --path crates/tamis-cli --features collect"
        )
    }
}
