//! What the command says on standard error: messages, progress bars, colours.

use std::fmt::Arguments;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};
use clap::{Args, ColorChoice};
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Flags of every command.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct GlobalFlags {
    /// Print errors only.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = HEADING)]
    quiet: bool,

    /// Print details, such as the encoding, size and time of each page.
    #[arg(short, long, global = true, help_heading = HEADING)]
    verbose: bool,

    /// Use colour. Auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", help_heading = HEADING)]
    pub(crate) color: ColorChoice,

    /// Hide progress bars.
    #[arg(long, global = true, help_heading = HEADING)]
    no_progress: bool,
}

const HEADING: &str = "Global options";

static FLAGS: OnceLock<GlobalFlags> = OnceLock::new();
/// The bar on the screen; messages are printed above it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

impl GlobalFlags {
    pub(crate) fn install(self) {
        let _ = FLAGS.set(self);
    }
}

pub(crate) fn quiet() -> bool {
    FLAGS.get().is_some_and(|flags| flags.quiet)
}

fn verbose() -> bool {
    FLAGS.get().is_some_and(|flags| flags.verbose)
}

/// Whether progress is shown as a bar: on a terminal, unless a flag says otherwise.
pub(crate) fn shows_progress() -> bool {
    stderr().is_terminal() && !FLAGS.get().is_some_and(|flags| flags.quiet || flags.no_progress)
}

/// Whether standard output is coloured.
#[cfg(feature = "collect")]
pub(crate) fn colors_stdout() -> bool {
    colors(std::io::stdout().is_terminal())
}

fn colors(is_terminal: bool) -> bool {
    match FLAGS.get().map_or(ColorChoice::Auto, |flags| flags.color) {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Columns of the terminal, or of `COLUMNS`; 100 elsewhere.
pub(crate) fn width() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    given.or_else(terminal).unwrap_or(100)
}

/// A progress bar; invisible where progress is not shown. One at a time.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    if !shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    *current() = Some(bar.clone());
    bar
}

fn current() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Set by Ctrl-C. A second one ends the process at once; only what was not saved is lost.
pub(crate) fn interrupts() -> Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 130, interrupted.clone())
            .and_then(|_| flag::register(signal, interrupted.clone()))
            .context("cannot listen for Ctrl-C")?;
    }
    Ok(interrupted)
}

/// How important a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
    /// Shown with `--verbose`.
    Detail,
}

/// Prints a line on standard error, above the progress bar if there is one.
pub(crate) fn say(level: Level, message: Arguments<'_>) {
    let hidden = match level {
        Level::Error => false,
        Level::Warning | Level::Note => quiet(),
        Level::Detail => !verbose(),
    };
    if hidden {
        return;
    }
    let prefix = match level {
        Level::Warning if colors(stderr().is_terminal()) => "\x1b[33mwarning\x1b[0m: ",
        Level::Warning => "warning: ",
        _ => "",
    };
    let print = || eprintln!("tamis: {prefix}{message}");
    match &*current() {
        Some(bar) if !bar.is_finished() => bar.suspend(print),
        _ => print(),
    }
}

macro_rules! error {
    ($($message:tt)*) => { $crate::console::say($crate::console::Level::Error, format_args!($($message)*)) };
}
macro_rules! warning {
    ($($message:tt)*) => { $crate::console::say($crate::console::Level::Warning, format_args!($($message)*)) };
}
macro_rules! note {
    ($($message:tt)*) => { $crate::console::say($crate::console::Level::Note, format_args!($($message)*)) };
}
macro_rules! detail {
    ($($message:tt)*) => { $crate::console::say($crate::console::Level::Detail, format_args!($($message)*)) };
}
pub(crate) use {detail, error, note, warning};
