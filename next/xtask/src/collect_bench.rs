//! `cargo xtask bench-collect`: how fast `tamis collect run` is against servers on loopback, and what memory it takes with
//! many URLs in the frontier.
//!
//! The web runs in a process of its own, whose share of the processor is shown beside that of the collector.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::scale::look;
use crate::step::{Step, target, unwritable};

const HELP: &str = "\
Measures `tamis collect run` with SQLite against a web on loopback: fetch, extract, store and index, without delays.
Wants a machine that does nothing else.

Usage: cargo xtask bench-collect [OPTIONS]

  --stories N   stories of the web that is collected (default: 20000); 0 leaves this part out
  --urls N      URLs in the frontier of the second part, 3000 of which are visited (default: 1000000); 0 leaves it out
";

/// Pages of the second part.
const PAGES: usize = 3_000;
/// Between two looks at a process.
const LOOK: Duration = Duration::from_millis(20);

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (mut stories, mut urls) = (20_000, 1_000_000);
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let wanted = match flag.as_str() {
            "--stories" => &mut stories,
            "--urls" => &mut urls,
            "-h" | "--help" => {
                print!("{HELP}");
                return Ok(());
            }
            _ => return Err(format!("there is no flag {flag}\n\n{HELP}")),
        };
        let value = rest.next().and_then(|value| value.parse().ok());
        *wanted = value.ok_or_else(|| format!("{flag} wants a number\n\n{HELP}"))?;
    }
    // In one build: alone, each would build the dependencies anew with its own features.
    let what =
        "-p tamis-cli --bin tamis -p tamis-testweb --example serve -p tamis-collect --example fill_frontier";
    Step::cargo("the command, the web, the filler", "build --release --features tamis-cli/collect")
        .words(what)
        .run()?;
    let folder = target().join("collect");
    // What an earlier run left would count as visited.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    if stories > 0 {
        println!("\n── {stories} stories");
        let web = Web::start(stories, &folder)?;
        web.collect(&folder.join("stories.db"), &[])?;
    }
    if urls > 0 {
        println!("\n── {urls} URLs in the frontier");
        let web = Web::start(urls, &folder)?;
        let corpus = folder.join("urls.db");
        Step::command("filling", example("fill_frontier")).argument(&corpus).argument(web.truth()).run()?;
        web.collect(&corpus, &["--max-pages", &PAGES.to_string()])?;
    }
    fs::remove_dir_all(&folder).map_err(|error| unwritable(&folder, error))
}

/// A web on loopback, until it is dropped.
struct Web {
    process: Child,
    folder: PathBuf,
}

impl Web {
    /// Writes its seeds and its truth into `folder`.
    fn start(stories: usize, folder: &Path) -> Result<Web, String> {
        let mut command = Command::new(example("serve"));
        command.arg("--benchmark").arg(stories.to_string()).arg(folder.join("truth"));
        let process = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("the web: {error}"))?;
        let mut web = Web { process, folder: folder.to_owned() };
        let out = web.process.stdout.take().ok_or("the web has no output")?;
        let lines = BufReader::new(out).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
        let seeds: Vec<String> = lines.collect();
        fs::write(web.seeds(), seeds.join("\n")).map_err(|error| unwritable(&web.seeds(), error))?;
        Ok(web)
    }

    fn seeds(&self) -> PathBuf {
        self.folder.join("seeds")
    }

    fn truth(&self) -> PathBuf {
        self.folder.join("truth")
    }

    /// Collects it into `corpus`, and shows what that took.
    fn collect(&self, corpus: &Path, limits: &[&str]) -> Result<(), String> {
        let tamis = target().join("release").join("tamis");
        let add = Step::command("seeds", &tamis).words("collect add --file").argument(self.seeds());
        add.argument("--db").argument(corpus).run()?;
        let mut command = Command::new(tamis);
        command.args(["collect", "run", "-q", "--allow-private", "--delay", "0", "--per-host", "2", "--db"]);
        let log = self.folder.join("log");
        let errors = File::create(&log).map_err(|error| unwritable(&log, error))?;
        command.arg(corpus).args(limits).stderr(errors);
        let (before, _) = look(self.process.id()).ok_or("the web ended")?;
        let begin = Instant::now();
        let mut run = command.spawn().map_err(|error| format!("tamis collect run: {error}"))?;
        let (mut cpu, mut peak) = (0.0, 0.0);
        let status = loop {
            // What is known of a process goes with it, so the last look counts.
            (cpu, peak) = look(run.id()).unwrap_or((cpu, peak));
            match run.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None => thread::sleep(LOOK),
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        let (after, _) = look(self.process.id()).ok_or("the web ended")?;
        if !status.success() {
            return Err(format!("tamis collect run failed ({status})"));
        }
        let summary = fs::read_to_string(&log).map_err(|error| error.to_string())?;
        let stored = summary.split(" stories stored").next().and_then(|start| start.rsplit(' ').next());
        let stored: f64 = stored.and_then(|count| count.parse().ok()).ok_or_else(|| summary.clone())?;
        println!("{}", summary.trim_end());
        println!(
            "{:.0} stories/s in {seconds:.1} s; processor: collector {cpu:.1} s, web {:.1} s; memory of the collector: \
             at most {:.0} MB",
            stored / seconds,
            after - before,
            peak / 1e6,
        );
        Ok(())
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn example(name: &str) -> PathBuf {
    target().join("release/examples").join(name)
}
