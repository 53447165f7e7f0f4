//! `cargo xtask bench-peers`: Tamis beside other extractors, on the same pages, in one run.
//!
//! `bench/peers` has the peers' versions and one runner a language; this is the driver. Everything that differs from
//! tool to tool is in the runners, and all that is measured is measured here in the same way for each.

mod each_page;
mod options;
mod outputs;
mod rounds;
mod runner;
pub(crate) mod sample;
mod table;
mod tools;

use std::fs;

use crate::step::root;
use options::{HELP, Options};
use tools::Tool;

pub(crate) use sample::Sample;
pub(crate) use table::{date, median};

/// What a run is about: where things are, the pages, and how long to wait.
struct Bench {
    options: Options,
    tools: Vec<&'static Tool>,
    sample: Sample,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let Some(options) = Options::parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    let tools = tools::chosen(options.tools.as_deref())?;
    let sample = Sample::take(options.sets.as_deref(), options.wanted(), options.most_bytes())?;
    tools::install(&tools)?;
    let list = tools::list();
    fs::write(&list, sample.list()).map_err(|error| format!("cannot write {}: {error}", list.display()))?;
    println!("\n{}", sample.about());
    let done = compare(&Bench { options, tools, sample }, arguments);
    let _ = fs::remove_file(list);
    done
}

/// The run itself, when all is there that it takes.
fn compare(bench: &Bench, arguments: &[String]) -> Result<(), String> {
    if let Some(folder) = &bench.options.outputs {
        return outputs::write(bench, folder);
    }
    let table = table::markdown(bench, &rounds::measure(bench)?, arguments);
    println!("\n{table}");
    let file = match &bench.options.table {
        Some(file) => file.clone(),
        // A run of some of the tools is somebody's question, not the table of the documents.
        None if bench.options.tools.is_some() => return Ok(()),
        None => root().join("docs/peers-speed.md"),
    };
    fs::write(&file, table).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    println!("written to {}", file.display());
    Ok(())
}
