//! The command `tamis`: flags and glue. Decisions are made in the libraries, where callers without a terminal find them.
//!
//! Exit codes: 0 done, 1 nothing extracted, 2 an error, reported on standard error with its remedy.
//!
//! A library, so that the Python package has the same command.

#![allow(clippy::print_stderr, reason = "a command reports on standard error")]

mod address;
mod arguments;
mod batch;
#[cfg(feature = "collect")]
mod collect;
mod console;
#[cfg(feature = "collect")]
mod corpus;
#[cfg(not(all(feature = "collect", feature = "serve")))]
mod disabled;
mod eval;
mod explain;
mod extract;
mod feeds;
mod fetch;
mod flags;
mod inert;
mod input;
mod jobs;
mod label;
mod manual;
mod model;
mod output;
mod pipeline;
#[cfg(feature = "serve")]
mod serve;
mod site;
mod span;
mod train;
mod tree;

use std::ffi::OsString;
use std::io;

use clap::{Parser, Subcommand};

use console::GlobalFlags;

/// Extract the main text and metadata of web pages.
#[derive(Parser)]
#[command(name = "tamis", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_long_help = AFTER_HELP)]
struct Tamis {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    global: GlobalFlags,
}

const AFTER_HELP: &str = "`tamis PAGE...` is short for `tamis extract PAGE...`.

Environment: TAMIS_MODEL, TAMIS_SITES, TAMIS_RULES and TAMIS_DB set the defaults of --model, ...;
NO_COLOR turns colours off.

Exit codes: 0 done, 1 nothing extracted, 2 an error.";

/// One variant per command; each has a file of its own.
#[derive(Subcommand)]
enum Command {
    Extract(Box<extract::Extract>),
    Batch(Box<batch::Batch>),
    Explain(Box<explain::Explain>),
    Site(Box<site::Site>),
    #[cfg(feature = "collect")]
    Collect(Box<collect::Collect>),
    #[cfg(feature = "collect")]
    Corpus(Box<corpus::Corpus>),
    #[cfg(not(feature = "collect"))]
    Collect(disabled::Collect),
    #[cfg(not(feature = "collect"))]
    Corpus(disabled::Collect),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Serve>),
    #[cfg(feature = "serve")]
    Mcp(Box<serve::Mcp>),
    #[cfg(not(feature = "serve"))]
    Serve(disabled::Serve),
    #[cfg(not(feature = "serve"))]
    Mcp(disabled::Serve),
    Eval(Box<eval::Eval>),
    Label(Box<label::Label>),
    Train(Box<train::Train>),
    Tree(Box<tree::Tree>),
    Completions(manual::Completions),
    Man(manual::Man),
    Help(manual::Help),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitCode(u8);

impl ExitCode {
    const SUCCESS: ExitCode = ExitCode(0);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> ExitCode {
        ExitCode(code)
    }
}

impl From<ExitCode> for u8 {
    fn from(code: ExitCode) -> u8 {
        code.0
    }
}

/// Runs the command with these arguments, the first of which is its name. Help and wrong flags end the process.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let tamis = arguments::parse(arguments);
    tamis.global.install();
    let done = match tamis.command {
        Command::Extract(extract) => extract.run(),
        Command::Batch(batch) => batch.run(),
        Command::Explain(explain) => explain.run(),
        Command::Site(site) => site.run(),
        Command::Collect(collect) => collect.run(),
        Command::Corpus(corpus) => corpus.run(),
        Command::Serve(serve) => serve.run(),
        Command::Mcp(mcp) => mcp.run(),
        Command::Eval(eval) => eval.run(),
        Command::Label(label) => label.run(),
        Command::Train(train) => train.run(),
        Command::Tree(tree) => tree.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Help(help) => help.run(),
    };
    match done {
        Ok(code) => code,
        // The reader has seen enough, as `head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            console::error!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
