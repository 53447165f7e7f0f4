//! The command `tamis`: flags and glue. Whatever decides something lives in the libraries, where a caller without a
//! terminal finds it too.
//!
//! Exit codes: 0 done, 1 nothing was extracted, 2 an error, told on standard error with what failed and what to do.

#![allow(clippy::print_stderr, reason = "a command talks to people")]

mod address;
mod batch;
mod bias;
#[cfg(feature = "collect")]
mod collect;
#[cfg(feature = "collect")]
mod corpus;
#[cfg(not(feature = "collect"))]
mod disabled;
mod eval;
mod explain;
mod extract;
mod feeds;
mod fetch;
mod fetch_time;
#[cfg(feature = "collect")]
mod inert;
mod input;
mod jobs;
mod label;
mod model;
mod output;
mod site;
mod site_pages;
mod train;
mod tree;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Takes any web page and gives back its main text and its metadata.
#[derive(Parser)]
#[command(name = "tamis", version, max_term_width = 100)]
#[command(after_long_help = "Exit codes: 0 done, 1 nothing was extracted, 2 an error.")]
struct Tamis {
    #[command(subcommand)]
    command: Command,
}

/// One variant a command; each has a file of its own with its flags and its `run`.
#[derive(Subcommand)]
enum Command {
    Extract(Box<extract::Extract>),
    Batch(Box<batch::Batch>),
    Explain(explain::Explain),
    Eval(Box<eval::Eval>),
    Label(label::Label),
    Site(site::Site),
    #[cfg(feature = "collect")]
    Collect(Box<collect::Collect>),
    #[cfg(feature = "collect")]
    Corpus(Box<corpus::Corpus>),
    #[cfg(not(feature = "collect"))]
    Collect(disabled::Disabled),
    #[cfg(not(feature = "collect"))]
    Corpus(disabled::Disabled),
    Train(train::Train),
    Tree(tree::Tree),
}

fn main() -> ExitCode {
    let done = match Tamis::parse().command {
        Command::Extract(extract) => extract.run(),
        Command::Batch(batch) => batch.run(),
        Command::Explain(explain) => explain.run(),
        Command::Eval(eval) => eval.run(),
        Command::Label(label) => label.run(),
        Command::Site(site) => site.run(),
        Command::Collect(collect) => collect.run(),
        Command::Corpus(corpus) => corpus.run(),
        Command::Train(train) => train.run(),
        Command::Tree(tree) => tree.run(),
    };
    match done {
        Ok(code) => code,
        // Whoever reads the output has seen enough, as `head` does.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tamis: {error:#}");
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
