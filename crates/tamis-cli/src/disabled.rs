//! Commands of features that a build leaves out.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

/// Not in this build; needs the feature `collect`.
#[cfg(not(feature = "collect"))]
#[derive(Args)]
pub(crate) struct Collect {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[cfg(not(feature = "collect"))]
impl Collect {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let _ = &self.arguments;
        bail!(
            "this tamis was built without the collector; build it with \
             cargo install --path crates/tamis-cli --features collect"
        )
    }
}

/// Not in this build; needs the feature `serve`.
#[cfg(not(feature = "serve"))]
#[derive(Args)]
pub(crate) struct Serve {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[cfg(not(feature = "serve"))]
impl Serve {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let _ = &self.arguments;
        bail!(
            "this tamis was built without the server; build it with \
             cargo install --path crates/tamis-cli --features serve"
        )
    }
}
