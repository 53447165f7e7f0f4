//! The chores of the project, each one command: `cargo xtask help` lists them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

mod bench;
mod book;
mod browser;
mod dist;
mod evaluation;
mod inspector;
mod npm;
mod postgres;
mod python;
mod serve;
mod step;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// The chores of the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
enum Chore {
    /// Run all checks: format, lints, docs, fuzz targets, a report in a browser, Python, tests
    Test,
    /// Test the pages of a report in Chromium, which is installed where it can be
    Browser,
    /// Run a PostgreSQL server for single tests, which is installed where it can be
    Postgres,
    /// Test the Python package in a fresh environment, with Spark and Ray, which are installed
    Python,
    /// Build and test the npm package into target/npm (needs Node.js)
    Npm,
    /// Build the inspector as a static page into target/inspector, and test it in Chromium (needs Node.js)
    Inspector,
    /// Build an abi3 wheel for manylinux into target/wheels
    Wheel,
    /// Build the static command with completions, man pages and licences into target/dist
    Dist,
    /// Build the documents as a book into target/book (installs mdBook)
    Book,
    /// Check the package of every crate, and build that of `tamis`
    Package,
    /// Check the API of `tamis serve` by schemathesis, a generated client and a client of MCP, which are installed
    ServeChecks,
    /// Measure pages per second of `tamis serve` beside the library
    BenchServe {
        /// Folder with pages
        pages: PathBuf,
    },
    /// Measure parsing speed against html5ever
    BenchParse,
    /// Count instructions per byte of parsing (needs valgrind)
    Instructions,
    /// Count instructions per stage of a text extraction (needs valgrind)
    Stages,
    /// Measure pages per second of the npm package against @mozilla/readability on jsdom
    BenchNpm {
        /// Folder with pages [default: pages of the evaluation set trafilatura]
        pages: Option<PathBuf>,
        /// How often each is timed, in turns
        #[arg(long, default_value_t = 5)]
        rounds: u32,
        /// At most so many pages, spread over the folder
        #[arg(long, default_value_t = 100)]
        most: u32,
    },
    /// Compare speed and memory with other extractors, or write their outputs (--help)
    #[command(disable_help_flag = true)]
    BenchPeers {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure many pages: `tamis batch` on one core and two, the Python package (--help)
    #[command(disable_help_flag = true)]
    BenchScale {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure stories per second of `tamis collect`, and its memory with many URLs (--help)
    #[command(disable_help_flag = true)]
    BenchCollect {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Kill `tamis collect` a hundred times on each database: nothing is lost, doubled or fetched twice
    CollectKills,
    /// Rewrite every table of docs/evaluation.md: all methods and peers on all sets
    Evaluation {
        /// Outputs of jusText and @mozilla/readability as DIR/SET/TOOL.jsonl; bench-peers makes what is missing
        #[arg(long, value_name = "DIR")]
        own: Option<PathBuf>,
        /// Outputs of the default method by models that had not seen the page's site, as DIR/SET/fused.jsonl; made by
        /// a training if DIR is missing
        #[arg(long, value_name = "DIR")]
        held_out: Option<PathBuf>,
    },
    /// Measure speed and file size of site memory
    BenchSiteMemory,
}

fn main() -> ExitCode {
    let done = match Chore::parse() {
        Chore::Test => test::run(),
        Chore::Browser => browser::alone(),
        Chore::Postgres => postgres::alone(),
        Chore::Python => python::alone(),
        Chore::Npm => npm::run(),
        Chore::Inspector => inspector::run(),
        Chore::Wheel => python::wheel(),
        Chore::Dist => dist::run(),
        Chore::Book => book::run(),
        Chore::Package => dist::package(),
        Chore::ServeChecks => serve::checks(),
        Chore::BenchServe { pages } => serve::bench(&pages),
        Chore::BenchParse => bench::parse(),
        Chore::Instructions => bench::instructions(),
        Chore::Stages => bench::stages(),
        Chore::BenchNpm { pages, rounds, most } => npm::bench(pages, rounds, most),
        Chore::BenchPeers { arguments } => bench::peers(&arguments),
        Chore::BenchScale { arguments } => bench::scale(&arguments),
        Chore::BenchCollect { arguments } => bench::collect(&arguments),
        Chore::CollectKills => bench::collect_kills(),
        Chore::Evaluation { own, held_out } => evaluation::run(own, held_out),
        Chore::BenchSiteMemory => bench::site_memory(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("\n{why}");
            ExitCode::FAILURE
        }
    }
}
