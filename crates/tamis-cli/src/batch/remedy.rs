//! Remedies for errors of a run.

use std::io::ErrorKind;

use tamis_batch::Error;

/// Damage to the input, with the remedy if it is about the field that should hold the page.
pub(super) fn of_damage(damage: &str, html_field: &str) -> String {
    let is_about_field =
        ["column", "field"].iter().any(|kind| damage.contains(&format!("{kind} {html_field:?}")));
    let remedy = if is_about_field { "; name the field that holds the page with --html-field" } else { "" };
    format!("{damage}{remedy}")
}

/// The error with its remedy.
pub(super) fn with_remedy(error: Error) -> anyhow::Error {
    let remedy = match &error {
        Error::Exists { .. } => "name another output, or give --force to replace it",
        Error::OtherKind { .. } => "name another output, or another --format",
        Error::Device { .. } => "name a file, or - for standard output",
        Error::OtherRun { .. } => {
            "repeat the command of that run to resume it, or give --force to start over"
        }
        Error::InUse { .. } => "wait for it, or name another output",
        Error::State { .. } => "give --force to start over",
        Error::NoParquet => "build tamis with --features parquet, or use JSON lines",
        Error::Write { path, .. } if path.as_os_str() == "standard output" => {
            "free some space and start over; with -o FILE, the run could be resumed"
        }
        Error::Write { source, .. } => match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "free some space and run the same command again, which resumes from the last saved state"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "make the directory writable, or name another output"
            }
            _ => "check that the directory exists and is writable, then run the same command again",
        },
        _ => return error.into(),
    };
    let what = format!("{error}: {remedy}");
    match error {
        Error::Write { source, .. } => anyhow::Error::new(source).context(what),
        _ => anyhow::Error::msg(what),
    }
}
