//! `--precision` and `--recall`, for the commands that judge pages: one dial, said once.

use tamis::Balance;

#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Dial {
    /// Rather lose some text than keep noise.
    #[arg(long, conflicts_with = "recall")]
    precision: bool,

    /// Rather keep some noise than lose text.
    #[arg(long)]
    recall: bool,
}

impl Dial {
    pub(crate) fn balance(self) -> Balance {
        match (self.precision, self.recall) {
            (true, _) => Balance::Precision,
            (_, true) => Balance::Recall,
            _ => Balance::Even,
        }
    }
}
