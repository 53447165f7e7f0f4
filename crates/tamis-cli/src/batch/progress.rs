//! The progress of a run: a bar on a terminal, a line every ten seconds elsewhere. It also handles Ctrl-C.

use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use anyhow::Context;
use anyhow::Result;
use indicatif::{HumanDuration, ProgressBar};
#[cfg(unix)]
use signal_hook::consts::signal::SIGXFSZ;
use tamis_batch::{Inputs, Watch};

use crate::console::{self, error, note};

const BETWEEN_LINES: Duration = Duration::from_secs(10);
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

pub(super) struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    /// Bytes of the input on disk, if known.
    all: Option<u64>,
    interrupted: Arc<AtomicBool>,
}

impl Progress {
    pub(super) fn new(inputs: &Inputs, output: &Path) -> Result<Progress> {
        let interrupted = console::interrupts()?;
        // A file that exceeds `ulimit -f` is an error like a full disk, not a reason to die.
        #[cfg(unix)]
        signal_hook::flag::register(SIGXFSZ, Arc::default())
            .context("cannot listen for the limit of file sizes")?;
        let shows_bar = console::shows_progress() && output.as_os_str() != "-";
        let all = if console::quiet() { None } else { inputs.bytes() };
        let bar = shows_bar.then(|| console::bar(all.unwrap_or(0), "{wide_bar} {percent:>3} %  {msg}"));
        let lines = !console::quiet() && !stderr().is_terminal();
        Ok(Progress { bar, lines, all, interrupted })
    }

    /// A line that must be seen.
    pub(super) fn tell(&self, line: &str) {
        error!("{}", line.replace('\n', "\ntamis: "));
    }

    /// Shows a run while it works.
    pub(super) fn around<R: Send>(&self, watch: &Watch, two_passes: bool, run: impl FnOnce() -> R) -> R {
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let shown = scope.spawn(|| self.show(watch, two_passes, &over));
            let result = run();
            over.store(true, Ordering::Relaxed);
            let _ = shown.join();
            result
        })
    }

    fn show(&self, watch: &Watch, two_passes: bool, over: &AtomicBool) {
        let mut start: Option<Start> = None;
        let mut far = 0;
        let mut last = Instant::now();
        let mut told = false;
        while !over.load(Ordering::Relaxed) {
            thread::sleep(BETWEEN_LOOKS);
            if self.interrupted.load(Ordering::Relaxed) && !watch.is_stopped() {
                watch.stop();
                if !told {
                    told = true;
                    note!("finishing the pages in flight; press Ctrl-C again to stop at once");
                }
            }
            // The second of two passes starts from the beginning.
            let read = watch.read();
            if read > 0 && (start.is_none() || read < far) {
                start = Some(Start::of(watch));
            }
            far = read;
            let Some(start) = &start else { continue };
            if let Some(bar) = &self.bar {
                bar.set_position(watch.read());
                bar.set_message(self.line(watch, start, two_passes));
            } else if self.lines && last.elapsed() >= BETWEEN_LINES {
                last = Instant::now();
                note!("{}", self.line(watch, start, two_passes));
            }
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, watch: &Watch, start: &Start, two_passes: bool) -> String {
        let seconds = start.moment.elapsed().as_secs_f64().max(0.001);
        let (pages, read) = (watch.pages(), watch.read());
        let mut line = format!(
            "{pages} pages, {:.0} pages/s, {:.1} MB/s, {} failed",
            pages.saturating_sub(start.pages) as f64 / seconds,
            watch.bytes().saturating_sub(start.bytes) as f64 / 1e6 / seconds,
            watch.failed()
        );
        if let (Some(all), 1..) = (self.all, read.saturating_sub(start.read)) {
            let left = all.saturating_sub(read) as f64 / ((read - start.read) as f64 / seconds);
            let pass = if two_passes { " of this pass" } else { "" };
            line.push_str(&format!(", {} left{pass}", HumanDuration(Duration::from_secs_f64(left.min(1e9)))));
        }
        line
    }
}

/// Where a run stood when it started to read: a resumed run has pages behind it that do not count for its rate.
struct Start {
    moment: Instant,
    read: u64,
    pages: u64,
    bytes: u64,
}

impl Start {
    fn of(watch: &Watch) -> Start {
        Start { moment: Instant::now(), read: watch.read(), pages: watch.pages(), bytes: watch.bytes() }
    }
}
