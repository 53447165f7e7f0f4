//! The progress of a run: a live table of hosts on a terminal, log lines elsewhere. It also handles Ctrl-C.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use tamis_collect::{Event, Observer, Stop};

use super::show::time;
use crate::console;
use crate::inert::inert;

/// Hosts that the table shows, those that were active last.
const LINES: usize = 15;
const REDRAW: Duration = Duration::from_millis(200);

/// A run as it is shown.
pub(super) struct Live {
    shared: Arc<Shared>,
    drawing: Option<JoinHandle<()>>,
}

struct Shared {
    table: bool,
    quiet: bool,
    ended: AtomicBool,
    interrupted: Arc<AtomicBool>,
    state: Mutex<State>,
    terminal: MultiProgress,
}

#[derive(Default)]
struct State {
    hosts: BTreeMap<String, Line>,
    pages: u64,
    stories: u64,
    waiting: Option<i64>,
}

struct Line {
    pages: u64,
    stories: u64,
    last: String,
    open: bool,
    changed: Instant,
}

impl Live {
    pub(super) fn start(quiet: bool, stop: &Stop) -> Result<Live> {
        let interrupted = console::interrupts()?;
        let table = console::shows_progress();
        let shared = Arc::new(Shared {
            table,
            quiet,
            ended: AtomicBool::new(false),
            interrupted,
            state: Mutex::default(),
            terminal: MultiProgress::new(),
        });
        let (drawing, stop) = (Arc::clone(&shared), stop.clone());
        let drawing = thread::spawn(move || drawing.draw_until_ended(&stop));
        Ok(Live { shared, drawing: Some(drawing) })
    }

    pub(super) fn observer(&self) -> Observer {
        let shared = Arc::clone(&self.shared);
        Arc::new(move |event| shared.take(event))
    }

    pub(super) fn finish(mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        if let Some(drawing) = self.drawing.take() {
            // A panic there costs the table only.
            let _ = drawing.join();
        }
    }
}

impl Shared {
    fn take(&self, event: &Event) {
        match event {
            Event::HostOpened { host } => self.line(host, |line| line.open = true),
            Event::HostReleased { host } => self.line(host, |line| line.open = false),
            Event::Visited { host, url, status, outcome, stored } => {
                let mut state = self.state();
                state.waiting = None;
                state.pages += u64::from(status.is_some());
                state.stories += u64::from(*stored);
                drop(state);
                self.line(host, |line| {
                    line.pages += u64::from(status.is_some());
                    line.stories += u64::from(*stored);
                    line.last = format!("{outcome}: {url}");
                });
                let status = status.map_or_else(|| "-".to_owned(), |status| status.to_string());
                self.log(&format!("{status} {outcome} {url}"));
            }
            Event::HeldBack { host, reason, until } => {
                let held = format!("held back until {}: {reason}", time(*until));
                self.line(host, |line| line.last.clone_from(&held));
                self.log(&format!("{host} {held}"));
            }
            Event::Warning { host, message } => self.tell(&format!("warning: {host}: {message}")),
            Event::Private { host, reason } => {
                self.tell(&format!("warning: {host}: {reason}; pass --allow-private to collect from it"));
            }
            Event::Waiting { until } => {
                self.state().waiting = Some(*until);
                self.log(&format!("nothing due before {}", time(*until)));
            }
            _ => {}
        }
    }

    fn line(&self, host: &str, change: impl FnOnce(&mut Line)) {
        if !self.table {
            return;
        }
        let mut state = self.state();
        if state.hosts.len() > 4 * LINES {
            // Only the busiest are shown: forget those that were given back.
            state.hosts.retain(|_, line| line.open);
        }
        let line = state.hosts.entry(host.to_owned()).or_insert_with(|| Line {
            pages: 0,
            stories: 0,
            last: String::new(),
            open: true,
            changed: Instant::now(),
        });
        change(line);
        line.changed = Instant::now();
    }

    /// A log line; the table shows the same in its own way.
    fn log(&self, line: &str) {
        if !self.table && !self.quiet {
            eprintln!("{} {}", time(tamis_collect::system_time()), inert(line));
        }
    }

    /// A line that must be seen.
    fn tell(&self, line: &str) {
        let line = inert(line);
        if self.table {
            self.terminal.suspend(|| eprintln!("tamis: {line}"));
        } else {
            eprintln!("tamis: {line}");
        }
    }

    fn draw_until_ended(&self, stop: &Stop) {
        let bars = if self.table { self.bars() } else { Vec::new() };
        let began = Instant::now();
        let mut stopping = false;
        while !self.ended.load(Ordering::SeqCst) {
            if !stopping && self.interrupted.load(Ordering::SeqCst) {
                stopping = true;
                stop.request();
                self.tell("finishing the pages in flight; press Ctrl-C again to stop at once");
            }
            self.draw(&bars, began);
            thread::sleep(REDRAW);
        }
        for bar in bars {
            bar.finish_and_clear();
        }
    }

    fn bars(&self) -> Vec<ProgressBar> {
        let style =
            ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = || self.terminal.add(ProgressBar::new_spinner().with_style(style.clone()));
        (0..=LINES).map(|_| bar()).collect()
    }

    fn draw(&self, bars: &[ProgressBar], began: Instant) {
        let Some((total, bars)) = bars.split_first() else { return };
        let state = self.state();
        let seconds = began.elapsed().as_secs_f64().max(0.001);
        let waiting =
            state.waiting.map_or(String::new(), |until| format!(", nothing due before {}", time(until)));
        total.set_message(format!(
            "{} pages, {} stories, {:.1} pages/s{waiting}",
            state.pages,
            state.stories,
            state.pages as f64 / seconds
        ));
        let mut hosts: Vec<_> = state.hosts.iter().collect();
        hosts.sort_by_key(|(_, line)| std::cmp::Reverse((line.open, line.changed)));
        hosts.truncate(bars.len());
        hosts.sort_by_key(|(host, _)| *host);
        let width = hosts.iter().map(|(host, _)| host.chars().count()).max().unwrap_or(0).min(40);
        for (place, bar) in bars.iter().enumerate() {
            bar.set_message(match hosts.get(place) {
                Some((host, line)) => format!(
                    "{:width$} {:>7} pages {:>7} stories  {}",
                    inert(host),
                    line.pages,
                    line.stories,
                    inert(&line.last)
                ),
                None => String::new(),
            });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
