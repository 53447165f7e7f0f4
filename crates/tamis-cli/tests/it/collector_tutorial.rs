//! Runs the tutorial of `docs/collector.md` as a reader would: its command lines, in order, in one shell.
//!
//! Ports are replaced by free ones, the folder by a temporary one, and `cargo install` by the built command. What this
//! machine lacks (Python, DuckDB, Parquet in this build) is skipped and reported on standard error.

use std::fmt::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::run::Folder;

/// How each command line of the tutorial begins, and what it must print.
const STEPS: &[(&str, &str)] = &[
    ("cargo install", ""),
    ("cp -r examples/sites", ""),
    ("python3 -m http.server 8001", ""),
    ("python3 -m http.server 8002", ""),
    ("python3 -m http.server 8003", ""),
    ("tamis collect add", "3 added to corpus.db"),
    ("tamis collect run", "11 stories stored"),
    ("tamis collect status", "3 hosts"),
    ("tamis collect why", "disallowed by robots.txt"),
    ("tamis corpus search 'harbour bridge'", "Harbour bridge closes for repairs"),
    ("tamis corpus search 大学", "市图书馆延长开放时间"),
    ("tamis corpus export --format parquet", PARQUET),
    ("pip install", ""),
    ("python3 -c \"import duckdb", "山城日报"),
    ("kill", ""),
];
const PARQUET: &str =
    if cfg!(feature = "parquet") { "11 stories exported" } else { "this tamis was built without Parquet" };

/// Waits until the servers answer: a reader types more slowly than a test.
const WAIT: &str = "for port in 8001 8002 8003; do for _ in $(seq 200); do
  (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && break; sleep 0.05; done; done\n";

#[test]
fn the_tutorial_works_as_written() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let commands = tutorial(&fs::read_to_string(project.join("docs/collector.md")).unwrap());
    assert_eq!(commands.len(), STEPS.len(), "every command line of the tutorial has a step here");
    for (command, (start, _)) in commands.iter().zip(STEPS) {
        assert!(command.starts_with(start), "{command:?} is not {start:?}");
    }
    if !succeeds("python3", "") || !succeeds("bash", "true") {
        eprintln!("skipped: the tutorial needs bash and Python 3");
        return;
    }
    let has_duckdb = cfg!(feature = "parquet") && succeeds("python3", "import duckdb");
    if !has_duckdb {
        eprintln!("skipped: the lines about DuckDB need a build with Parquet and `pip install duckdb`");
    }

    let folder = Folder::new();
    let ports = free_ports();
    let adapted = |text: &str| {
        let copy = folder.path("tutorial");
        // In two steps: a free port may contain one of the ports that are replaced after it.
        let marks = [("8001", "\u{1}"), ("8002", "\u{2}"), ("8003", "\u{3}")];
        let marked = marks.iter().fold(text.to_owned(), |text, (old, mark)| text.replace(old, mark));
        let new = marks.iter().zip(&ports).fold(marked, |text, ((_, mark), port)| text.replace(mark, port));
        new.replace("/tmp/tutorial", &copy)
    };
    for (name, text) in folder.everything(project.join("examples/sites").to_str().unwrap()) {
        folder.write(&format!("examples/sites/{name}"), adapted(&String::from_utf8(text).unwrap()));
    }

    // Job control as in the reader's shell; the servers must not outlive it, whatever fails.
    let mut script = "set -m; trap 'kill $(jobs -p) 2>/dev/null' EXIT\n".to_owned();
    for (number, command) in commands.iter().enumerate() {
        let is_about_duckdb = command.contains("duckdb");
        let skipped = command.starts_with("cargo install")
            || command.starts_with("pip install")
            || (is_about_duckdb && !has_duckdb);
        let command = if skipped { "true" } else { command };
        let wait = if command.starts_with("tamis collect add") { WAIT } else { "" };
        writeln!(script, "{}{}\necho \"@ {number} $?\"", adapted(wait), adapted(command)).unwrap();
    }
    let path = Path::new(env!("CARGO_BIN_EXE_tamis")).parent().unwrap().to_path_buf();
    let path = env::join_paths([path].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())));
    let script = format!("exec 2>&1\n{script}");
    let shell = Command::new("bash")
        .args(["--norc", "-c", &script])
        .current_dir(folder.root())
        .env("PATH", path.unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut output = String::from_utf8(shell.stdout).unwrap();

    for (number, (start, expected)) in STEPS.iter().enumerate() {
        let (shown, rest) = output
            .split_once(&format!("@ {number} "))
            .unwrap_or_else(|| panic!("no end of {start:?} in:\n{output}"));
        let is_refused = *expected == PARQUET && !cfg!(feature = "parquet");
        let code = if is_refused { "2\n" } else { "0\n" };
        assert!(rest.starts_with(code), "{start:?} failed: {shown}@ {rest}");
        let is_skipped = start.contains("duckdb") && !has_duckdb;
        assert!(is_skipped || shown.contains(expected), "no {expected:?} after {start:?} in:\n{shown}");
        output = rest[code.len()..].to_owned();
    }
}

#[test]
fn the_configuration_file_of_the_documents_is_valid() {
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/collector.md")).unwrap();
    let (_, toml) = document.split_once("```toml\n").unwrap();
    let folder = Folder::new();
    folder.write("news.toml", toml.split("```").next().unwrap());
    // The settings are read before the corpus is opened.
    folder.tamis("collect run --config news.toml --db missing.db").fails("missing.db does not exist");
}

/// The lines of the `sh` blocks under the heading "Tutorial".
fn tutorial(document: &str) -> Vec<String> {
    let section = document.split("\n## ").find(|section| section.starts_with("Tutorial")).unwrap();
    let blocks = section.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.flat_map(str::lines).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Whether a program runs this code without an error.
fn succeeds(program: &str, code: &str) -> bool {
    let status =
        Command::new(program).args(["-c", code]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Three ports that nobody listens on.
fn free_ports() -> [String; 3] {
    let listeners = [0; 3].map(|port| TcpListener::bind(("127.0.0.1", port)).unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port().to_string())
}
