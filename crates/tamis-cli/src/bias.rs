//! `--precision` and `--recall`.

use tamis::Bias;

#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct BiasFlags {
    /// Rather lose some text than keep noise.
    #[arg(long, conflicts_with = "recall")]
    precision: bool,

    /// Rather keep some noise than lose text.
    #[arg(long)]
    recall: bool,
}

impl BiasFlags {
    pub(crate) fn bias(self) -> Bias {
        match (self.precision, self.recall) {
            (true, _) => Bias::Precision,
            (_, true) => Bias::Recall,
            _ => Bias::Balanced,
        }
    }
}
