//! The chores of the project, each one command: `cargo xtask help` lists them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

mod bench;
mod step;
mod test;

use std::env;
use std::process::ExitCode;

/// A chore: what it is called, what it does, and the function that does it.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<(), String>,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "test",
        about: "all that must hold: format, lints, docs, fuzz targets, tests",
        run: test::run,
    },
    Chore { name: "bench-parse", about: "how fast pages are parsed, against html5ever", run: bench::parse },
    Chore {
        name: "instructions",
        about: "instructions that parsing takes for each byte of a page (needs valgrind)",
        run: bench::instructions,
    },
    Chore {
        name: "bench-site-memory",
        about: "how fast pages are learned, and what the memory of sites takes",
        run: bench::site_memory,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let asked = arguments.join(" ");
    if matches!(asked.as_str(), "" | "help" | "-h" | "--help") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(chore) = CHORES.iter().find(|chore| chore.name == asked) else {
        eprintln!("there is no chore `{asked}`\n\n{}", help());
        return ExitCode::from(2);
    };
    match (chore.run)() {
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
