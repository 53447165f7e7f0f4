//! The chores of the project, each one command: `cargo xtask help` lists them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

mod bench;
mod browser;
mod collect_bench;
mod collect_kills;
mod evaluation;
mod peers;
mod postgres;
mod python;
mod scale;
mod serve;
mod stages;
mod step;
mod test;

use std::env;
use std::process::ExitCode;

/// A chore: what it is called, what it does, and the function that does it.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: Run,
}

/// How a chore is started.
enum Run {
    /// It is always the same.
    Alone(fn() -> Result<(), String>),
    /// It gets the arguments behind its name.
    With(fn(&[String]) -> Result<(), String>),
}

const CHORES: &[Chore] = &[
    Chore {
        name: "test",
        about: "all that must hold: format, lints, docs, fuzz targets, a report in a browser, Python, tests",
        run: Run::Alone(test::run),
    },
    Chore {
        name: "browser",
        about: "a report, the inspector and the reader in Chromium, which is installed where it can be",
        run: Run::Alone(browser::alone),
    },
    Chore {
        name: "postgres",
        about: "a PostgreSQL server to run single tests against, which is installed where it can be",
        run: Run::Alone(postgres::alone),
    },
    Chore {
        name: "python",
        about: "the Python package in a fresh environment, with Spark and Ray, which are installed",
        run: Run::Alone(python::alone),
    },
    Chore {
        name: "serve-checks",
        about: "the API of tamis serve by schemathesis, a generated client and a client of MCP, which are installed",
        run: Run::Alone(serve::checks),
    },
    Chore {
        name: "bench-serve",
        about: "pages a second of tamis serve beside the library (bench-serve --help)",
        run: Run::With(serve::bench),
    },
    Chore {
        name: "bench-parse",
        about: "how fast pages are parsed, against html5ever",
        run: Run::Alone(bench::parse),
    },
    Chore {
        name: "instructions",
        about: "instructions that parsing takes for each byte of a page (needs valgrind)",
        run: Run::Alone(bench::instructions),
    },
    Chore {
        name: "stages",
        about: "instructions per stage of a text extraction (needs valgrind)",
        run: Run::Alone(stages::run),
    },
    Chore {
        name: "bench-peers",
        about: "speed and memory beside other extractors, or their outputs (bench-peers --help)",
        run: Run::With(peers::run),
    },
    Chore {
        name: "bench-scale",
        about: "what many pages cost: tamis batch on one core and two, the Python package (bench-scale --help)",
        run: Run::With(scale::run),
    },
    Chore {
        name: "bench-collect",
        about: "stories a second of tamis collect, and its memory with many URLs (bench-collect --help)",
        run: Run::With(collect_bench::run),
    },
    Chore {
        name: "collect-kills",
        about: "tamis collect killed a hundred times on each database: nothing is lost, doubled or fetched twice",
        run: Run::Alone(collect_kills::run),
    },
    Chore {
        name: "evaluation",
        about: "every table of docs/evaluation.md anew: all methods and peers on all sets",
        run: Run::With(evaluation::run),
    },
    Chore {
        name: "bench-site-memory",
        about: "how fast pages are learned, and what the memory of sites takes",
        run: Run::Alone(bench::site_memory),
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((asked, rest)) = arguments.split_first() else {
        print!("{}", help());
        return ExitCode::SUCCESS;
    };
    if matches!(asked.as_str(), "help" | "-h" | "--help") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(chore) = CHORES.iter().find(|chore| chore.name == asked) else {
        eprintln!("there is no chore `{asked}`\n\n{}", help());
        return ExitCode::from(2);
    };
    let done = match chore.run {
        Run::Alone(run) if rest.is_empty() => run(),
        Run::Alone(_) => Err(format!("the chore {asked} takes no arguments: run cargo xtask {asked}")),
        Run::With(run) => run(rest),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\n{why}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let chores = CHORES.iter().map(|chore| format!("  {:<19}{}\n", chore.name, chore.about));
    format!("Usage: cargo xtask <CHORE>\n\n{}  {:<19}this list\n", chores.collect::<String>(), "help")
}
