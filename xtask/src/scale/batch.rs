//! `tamis batch` on one core and on two, in turns; and stopped at some moments, to compare its rows.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::step::target;

/// What people keep of a page who do not need to know why.
const TEXT: &str = "url,title,published,language,text,error";

/// How often a run is killed before it may end.
const KILLS: u32 = 3;

/// Between two looks at a process.
const LOOK: Duration = Duration::from_millis(10);

/// One run.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    /// Seconds by the clock.
    pub(crate) wall: f64,
    /// Seconds of the processor, all threads.
    pub(crate) cpu: f64,
    /// Bytes of memory at most.
    pub(crate) memory: f64,
}

/// All runs.
pub(crate) struct Measured {
    pub(crate) pages: f64,
    /// Bytes of the archive.
    pub(crate) packed: f64,
    /// Bytes of all rows, and of those with [`TEXT`] alone.
    pub(crate) rows: [f64; 2],
    pub(crate) one_core: Vec<Taken>,
    pub(crate) two_cores: Vec<Taken>,
    pub(crate) text_alone: Vec<Taken>,
    /// The kills that a run went through and gave the same rows.
    pub(crate) kills: u32,
}

struct Batch<'b> {
    archive: &'b Path,
}

pub(crate) fn measure(archive: &Path, folder: &Path, rounds: usize) -> Result<Measured, String> {
    let batch = Batch { archive };
    let about = fs::metadata(archive).map_err(|error| format!("{}: {error}", archive.display()))?;
    let (mut one_core, mut two_cores, mut text_alone) = (Vec::new(), Vec::new(), Vec::new());
    let (first, other) = (folder.join("first.jsonl"), folder.join("other.jsonl"));
    let mut text_bytes = 0;
    for round in 1..=rounds {
        println!("\n── tamis batch, round {round} of {rounds}");
        // The rows of the first run are those that all others are compared with.
        let out = if round == 1 { &first } else { &other };
        one_core.push(batch.run("0", &["-j", "1"], out)?);
        if round > 1 {
            same(&first, &other, "another run on one core")?;
        }
        two_cores.push(batch.run("0,1", &["-j", "2"], &other)?);
        same(&first, &other, "a run on two cores")?;
        text_alone.push(batch.run("0,1", &["-j", "2", "--fields", TEXT], &other)?);
        text_bytes = size(&other);
    }
    let typical = two_cores.iter().map(|run| run.wall).fold(f64::INFINITY, f64::min);
    let kills = batch.killed(Duration::from_secs_f64(typical), &other)?;
    same(&first, &other, "a run that was killed")?;
    let pages = lines(&first)?;
    let rows = [size(&first) as f64, text_bytes as f64];
    for file in [first, other] {
        let _ = fs::remove_file(file);
    }
    let packed = about.len() as f64;
    Ok(Measured { pages, packed, rows, one_core, two_cores, text_alone, kills })
}

impl Batch<'_> {
    fn start(&self, cores: &str, more: &[&str], out: &Path) -> Result<Child, String> {
        let tamis = target().join("release").join("tamis");
        let mut command = Command::new("taskset");
        command.args(["-c", cores]).arg(tamis).arg("batch").arg(self.archive).arg("-o").arg(out).args(more);
        command.arg("--quiet").stdin(Stdio::null()).stdout(Stdio::null());
        command.spawn().map_err(|error| {
            format!(
                "taskset could not be started: {error}\nremedy: install util-linux; this part runs on Linux"
            )
        })
    }

    /// A run from the beginning to the end.
    fn run(&self, cores: &str, more: &[&str], out: &Path) -> Result<Taken, String> {
        let begin = Instant::now();
        let mut child = self.start(cores, &[more, &["--force"]].concat(), out)?;
        let (mut cpu, mut memory) = (0.0, 0.0);
        let status = loop {
            // What is known of a process goes with it, so the last look counts.
            (cpu, memory) = look(child.id()).unwrap_or((cpu, memory));
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None => thread::sleep(LOOK),
            }
        };
        let wall = begin.elapsed().as_secs_f64();
        if !status.success() {
            return Err(format!("tamis batch failed ({status}) on {}", self.archive.display()));
        }
        println!("cores {cores}: {wall:.1} s, {cpu:.1} s of the processor, {:.0} MB", memory / 1e6);
        Ok(Taken { wall, cpu, memory })
    }

    /// A run that is killed at some moments, and started again until it ends. Gives back how often it was killed.
    fn killed(&self, typical: Duration, out: &Path) -> Result<u32, String> {
        println!("\n── tamis batch, killed");
        let _ = fs::remove_file(out);
        let mut kills = 0;
        for number in 1..=KILLS {
            let mut child = self.start("0,1", &["-j", "2"], out)?;
            // Later each time: from shortly behind the start to far into the rest.
            thread::sleep(typical.mul_f64(0.15 * f64::from(number)));
            let _ = child.kill();
            let status = child.wait().map_err(|error| error.to_string())?;
            if status.code().is_some() {
                return Ok(kills);
            }
            kills += 1;
        }
        match self.start("0,1", &["-j", "2"], out)?.wait() {
            Ok(status) if status.success() => Ok(kills),
            Ok(status) => Err(format!("tamis batch did not go on after {kills} kills ({status})")),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Seconds of the processor and bytes of memory at most, of a process that runs.
pub(crate) fn look(id: u32) -> Option<(f64, f64)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let times = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2);
    // A second has a hundred ticks on every Linux.
    let cpu = times.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0;
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((cpu, kilobytes * 1024.0))
}

/// An error where two files differ.
fn same(one: &Path, other: &Path, what: &str) -> Result<(), String> {
    let (mut a, mut b) = (open(one)?, open(other)?);
    let mut offset = 0;
    loop {
        let at = |error: io::Error| error.to_string();
        let (left, right) = (a.fill_buf().map_err(at)?, b.fill_buf().map_err(at)?);
        let count = left.len().min(right.len());
        if left[..count] != right[..count] || count == 0 && left.len() != right.len() {
            let (one, other) = (one.display(), other.display());
            return Err(format!("{what} gave other rows: {other} differs from {one} behind byte {offset}"));
        }
        if count == 0 {
            return Ok(());
        }
        a.consume(count);
        b.consume(count);
        offset += count;
    }
}

fn open(path: &Path) -> Result<BufReader<File>, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

fn lines(path: &Path) -> Result<f64, String> {
    Ok(open(path)?.split(b'\n').count() as f64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails should say where")]
mod tests {
    use super::*;

    #[test]
    fn rows_that_differ_are_found() {
        let folder = target().join(format!("scale-test-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (a, b) = (folder.join("a"), folder.join("b"));
        fs::write(&a, "one\ntwo\n").unwrap();
        fs::write(&b, "one\ntwo\n").unwrap();
        assert_eq!((same(&a, &b, "it"), lines(&a)), (Ok(()), Ok(2.0)));
        fs::write(&b, "one\ntwo").unwrap();
        assert!(same(&a, &b, "it").unwrap_err().ends_with("behind byte 7"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_takes_some_memory() {
        assert!(look(std::process::id()).unwrap().1 > 100_000.0);
    }
}
