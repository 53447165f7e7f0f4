//! Flags that several commands share: each has one name, one meaning and one default.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tamis::Bias;
use tamis_batch::{Bounds, Fields, RecordField};
use tamis_dates::Moment;
use tamis_html::decode::Decoder;

use crate::span::Span;

/// `--encoding`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct EncodingFlag {
    /// Force an encoding (a WHATWG label, such as gbk or windows-1251).
    #[arg(long, value_name = "LABEL", value_parser = encoding)]
    pub(crate) encoding: Option<String>,
}

/// What the user knows about a page.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct SourceFlags {
    /// URL of the page, for one page from a file or standard input.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    #[command(flatten)]
    pub(crate) encoding: EncodingFlag,
}

/// `--fetched`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct FetchedFlag {
    /// Fetch time: resolves relative dates ("3 hours ago") and rejects later ones [default: now for URLs, else unknown].
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) fetched: Option<Moment>,
}

/// `--site`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct SiteFlag {
    /// Site of the pages, by any name [default: from the URL].
    #[arg(long, value_name = "KEY")]
    pub(crate) site: Option<String>,
}

/// `--fields`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct FieldsFlag {
    /// Fields of the JSON or Parquet output, comma-separated [default: all but blocks, markdown, html, xml, tei].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = str::parse::<RecordField>,
          alias = "columns", long_help = fields_help())]
    fields: Vec<RecordField>,
}

impl FieldsFlag {
    pub(crate) fn is_given(&self) -> bool {
        !self.fields.is_empty()
    }

    pub(crate) fn fields(&self) -> Fields {
        if self.fields.is_empty() { Fields::default() } else { Fields::of(&self.fields) }
    }
}

fn fields_help() -> String {
    let lines =
        RecordField::ALL.iter().map(|field| format!("\n  {:21} {}", field.name(), field.description()));
    format!(
        "Fields of the JSON or Parquet output, comma-separated [default: all but blocks, markdown, html, xml, tei]:{}",
        lines.collect::<String>()
    )
}

/// `--model`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct ModelFlag {
    /// Use a custom model (see `tamis train`).
    #[arg(long, value_name = "FILE", env = MODEL_VARIABLE, hide_env_values = true)]
    pub(crate) model: Option<PathBuf>,
}

/// Names the custom model where `--model` is not given.
pub(crate) const MODEL_VARIABLE: &str = "TAMIS_MODEL";

/// `--precision` and `--recall`.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct BiasFlags {
    /// Favour precision: drop uncertain blocks.
    #[arg(long, conflicts_with = "recall")]
    precision: bool,

    /// Favour recall: keep uncertain blocks.
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

/// `--sites`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct SitesFlag {
    /// Site memory, made by `tamis site learn`: drops what the site repeats.
    #[arg(long, value_name = "FILE", env = "TAMIS_SITES", hide_env_values = true, alias = "memory")]
    pub(crate) sites: Option<PathBuf>,
}

/// What reading and extracting a page may cost.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitFlags {
    #[command(flatten)]
    pub(crate) size: SizeFlag,

    /// Time limit for extracting a page.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, alias = "page-timeout")]
    pub(crate) timeout: Duration,

    #[command(flatten)]
    pub(crate) fetch: FetchFlags,
}

/// `--max-bytes`.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct SizeFlag {
    /// Size limit of a page after decompression; larger pages fail.
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    pub(crate) max_bytes: u32,
}

/// What fetching may cost.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct FetchFlags {
    /// Time limit for fetching a URL, redirects included.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub(crate) fetch_timeout: Duration,

    /// Allow private, loopback and link-local addresses.
    #[arg(long)]
    pub(crate) allow_private: bool,
}

/// `--threads`.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct ThreadFlag {
    /// Number of threads.
    #[arg(short = 'j', long, value_name = "N", default_value_t = default_threads(), value_parser = at_least_one,
          hide_default_value = true, alias = "jobs")]
    pub(crate) threads: usize,
}

impl LimitFlags {
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds { bytes: self.size.max_bytes, time: self.timeout }
    }
}

fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A count that must not be zero.
pub(crate) fn at_least_one(argument: &str) -> Result<usize> {
    let count = argument.parse().ok().filter(|count| *count > 0);
    count.context("give a number of at least 1")
}

/// A length of time over zero; a plain number is in seconds.
pub(crate) fn duration(argument: &str) -> Result<Duration> {
    let span = argument.parse::<Span>().map_err(|error| anyhow!(error))?;
    Some(span.0).filter(|time| !time.is_zero()).context("give a time over 0, such as 30s or 500ms")
}

/// A number of bytes, such as 500000, 64K, 16M or 1G.
pub(crate) fn size(argument: &str) -> Result<u32> {
    let digits = argument.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match argument[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kb" | "kib" => Some(10),
        "m" | "mb" | "mib" => Some(20),
        "g" | "gb" | "gib" => Some(30),
        _ => None,
    };
    let bytes = shift.and_then(|shift| digits.parse::<u64>().ok()?.checked_mul(1 << shift));
    let bytes = bytes.and_then(|bytes| u32::try_from(bytes).ok()).filter(|bytes| *bytes > 0);
    bytes.context("give a size from 1 to 4G, such as 500000, 64K or 16M")
}

/// An encoding that exists.
fn encoding(label: &str) -> Result<String> {
    Decoder::new().encoding_label(label)?;
    Ok(label.to_owned())
}

/// A day, a time or seconds since 1970.
fn moment(argument: &str) -> Result<Moment> {
    let seconds = argument.parse().ok().filter(|_| argument.len() > 4).and_then(Moment::from_unix);
    seconds.or_else(|| Moment::parse_iso(argument)).ok_or_else(|| {
        anyhow!("give a time such as 2010-12-15, 2010-12-15T08:30+01:00 or seconds since 1970")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_over_zero_and_sizes_have_units() {
        assert_eq!(duration("30").unwrap(), Duration::from_secs(30));
        assert_eq!(duration("500ms").unwrap(), duration("0.5").unwrap());
        for wrong in ["0", "-1", "soon", "NaN", "inf", "1e300", ""] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        for (text, bytes) in [("5000", 5_000), ("64K", 65_536), ("16m", 16 << 20), ("1GiB", 1 << 30)] {
            assert_eq!(size(text).unwrap(), bytes, "{text}");
        }
        for wrong in ["0", "-1", "16X", "5G", "M", "", "1.5M", "99999999999999999999G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
