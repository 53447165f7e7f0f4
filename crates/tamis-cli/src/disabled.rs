//! Commands of features that a build leaves out.

use anyhow::{Result, bail};
use clap::Args;

use crate::ExitCode;

macro_rules! disabled {
    ($name:ident, $feature:literal, $what:literal) => {
        #[doc = concat!("Not in this build; needs the feature `", $feature, "`.")]
        #[cfg(not(feature = $feature))]
        #[derive(Args)]
        pub(crate) struct $name {
            #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
            arguments: Vec<String>,
        }

        #[cfg(not(feature = $feature))]
        impl $name {
            pub(crate) fn run(&self) -> Result<ExitCode> {
                let _ = &self.arguments;
                bail!(
                    "this tamis was built without {}; build it with \
                     cargo install --path crates/tamis-cli --features {}",
                    $what,
                    $feature
                )
            }
        }
    };
}

disabled!(Collect, "collect", "the collector");
disabled!(Serve, "serve", "the server");
