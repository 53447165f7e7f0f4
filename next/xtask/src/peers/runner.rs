//! One runner: a process that holds the pages in memory and answers a line for every line.
//!
//! `bench/peers/README.md` has the protocol. A peer may hang, die or talk nonsense on any page; none of that may stop
//! the bench, so every question has a time limit, and a runner that misses it is ended.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A started runner.
pub(crate) struct Runner {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
    /// What it said of itself when it was ready.
    pub(crate) version: String,
}

/// What a tool finds of a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// There is no text, or nothing but white space.
    pub(crate) empty: bool,
    /// Text, title, date and error as a line of JSON.
    pub(crate) json: String,
}

/// The time a round took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Times {
    /// Seconds of CPU time of the process, all its threads.
    pub(crate) cpu: f64,
    /// Seconds by the clock.
    pub(crate) wall: f64,
}

impl Runner {
    /// Starts a runner and waits until it has its pages in memory. What it writes to standard error goes to `log`.
    pub(crate) fn start(mut command: Command, log: File, limit: Duration) -> Result<Runner, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| format!("could not be started: {error}"))?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("has no standard input and output".to_owned());
        };
        let (send, answers) = mpsc::channel();
        // Only a thread can wait for a line with a time limit. It ends with the runner's output.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut runner = Runner { child, questions, answers, version: String::new() };
        runner.version = runner.answer("ready", limit)?;
        Ok(runner)
    }

    /// What the tool finds of a page.
    pub(crate) fn page(&mut self, place: usize, limit: Duration) -> Result<Found, String> {
        let answer = self.ask(&format!("page {place}"), "page", limit)?;
        match answer.split_once(' ') {
            Some((length, json)) if json.starts_with('{') => {
                Ok(Found { empty: length == "0", json: json.to_owned() })
            }
            _ => Err(format!("answered `page {}` instead of a length and JSON", shortened(&answer))),
        }
    }

    /// Leaves a page out of the rounds to come.
    pub(crate) fn drop_page(&mut self, place: usize, limit: Duration) -> Result<(), String> {
        self.ask(&format!("drop {place}"), "ok", limit).map(|_| ())
    }

    /// Runs all pages `passes` times; the times are those of one pass.
    pub(crate) fn round(&mut self, passes: usize, limit: Duration) -> Result<Times, String> {
        let answer = self.ask(&format!("round {passes}"), "round", limit)?;
        let numbers: Vec<f64> = answer.split(' ').filter_map(|number| number.parse().ok()).collect();
        match numbers.as_slice() {
            [cpu, wall] if *cpu > 0.0 && *wall > 0.0 => {
                Ok(Times { cpu: cpu / passes as f64, wall: wall / passes as f64 })
            }
            _ => Err(format!("answered `round {answer}` instead of two times")),
        }
    }

    /// The most memory that the process has had so far, in bytes; nothing where the system does not tell.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    fn ask(&mut self, question: &str, expected: &str, limit: Duration) -> Result<String, String> {
        // Where the runner is gone, waiting for its answer says so better than this.
        let _ = writeln!(self.questions, "{question}").and_then(|()| self.questions.flush());
        self.answer(expected, limit)
    }

    /// The answer behind its first word, or why there is none. After that, the runner is of no use.
    fn answer(&mut self, expected: &str, limit: Duration) -> Result<String, String> {
        match self.answers.recv_timeout(limit) {
            Ok(line) => match line.strip_prefix(expected) {
                Some("") => Ok(String::new()),
                Some(rest) if rest.starts_with(' ') => Ok(rest[1..].to_owned()),
                _ => Err(format!("answered `{}` instead of `{expected}`", shortened(&line))),
            },
            Err(RecvTimeoutError::Timeout) => Err(format!("gave no answer for {} s", limit.as_secs_f64())),
            Err(RecvTimeoutError::Disconnected) => Err(match self.child.wait() {
                Ok(status) => format!("died ({status})"),
                Err(error) => format!("died ({error})"),
            }),
        }
    }
}

/// A runner that hangs would outlive the bench.
impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn shortened(line: &str) -> String {
    line.chars().take(60).collect()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use std::time::Instant;

    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    /// A runner that is a few lines of shell.
    fn fake(script: &str, limit: Duration) -> Result<Runner, String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Runner::start(command, File::create("/dev/null").unwrap(), limit)
    }

    #[test]
    fn a_runner_answers_questions_in_turn() {
        let script = r#"echo "ready 1.2 on sh"; while read -r what number; do case $what in
            page) echo "page 1 {\"text\":\"$number\"}";; drop) echo ok;; round) echo round 3.0 6.0;; esac; done"#;
        let mut runner = fake(script, SOON).unwrap();
        assert_eq!(runner.version, "1.2 on sh");
        assert_eq!(runner.page(7, SOON), Ok(Found { empty: false, json: r#"{"text":"7"}"#.to_owned() }));
        assert_eq!(runner.drop_page(7, SOON), Ok(()));
        assert_eq!(runner.round(3, SOON), Ok(Times { cpu: 1.0, wall: 2.0 }));
        if cfg!(target_os = "linux") {
            assert!(runner.peak_memory().unwrap() > 100_000);
        }
    }

    #[test]
    fn a_runner_that_dies_is_reported_at_once() {
        let mut runner = fake("echo ready 1; read -r line; exit 3", SOON).unwrap();
        assert_eq!(runner.page(0, SOON).unwrap_err(), "died (exit status: 3)");
        assert_eq!(runner.page(1, SOON).unwrap_err(), "died (exit status: 3)");
        assert_eq!(fake("exit 4", SOON).err().unwrap(), "died (exit status: 4)");
    }

    #[test]
    fn a_runner_that_hangs_is_ended() {
        let begin = Instant::now();
        let mut runner = fake("echo ready 1; exec sleep 600", SOON).unwrap();
        let process = runner.child.id();
        let limit = Duration::from_millis(200);
        assert_eq!(runner.round(1, limit).unwrap_err(), "gave no answer for 0.2 s");
        drop(runner);
        assert!(begin.elapsed() < SOON);
        assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
        assert_eq!(fake("exec sleep 600", limit).err().unwrap(), "gave no answer for 0.2 s");
    }

    #[test]
    fn nonsense_is_not_taken_for_an_answer() {
        let mut runner =
            fake("echo ready 1; read -r line; echo Warning: deprecated; read -r line", SOON).unwrap();
        assert_eq!(runner.page(0, SOON).unwrap_err(), "answered `Warning: deprecated` instead of `page`");
        let mut runner = fake("echo ready 1; read -r line; echo round 0 soon; read -r line", SOON).unwrap();
        assert_eq!(runner.round(1, SOON).unwrap_err(), "answered `round 0 soon` instead of two times");
        let missing =
            Runner::start(Command::new("no-such-program"), File::create("/dev/null").unwrap(), SOON);
        assert!(missing.err().unwrap().starts_with("could not be started: "));
    }
}
