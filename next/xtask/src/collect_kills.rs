//! `cargo xtask collect-kills`: the long form of the tests that kill `tamis collect`, on both databases.

use crate::postgres;
use crate::step::Step;

const TESTS: &str = "test --release -p tamis-cli --features collect --test collect_killed -- --ignored --nocapture --test-threads 1";

pub(crate) fn run() -> Result<(), String> {
    let (server, no_postgres) = postgres::for_tests()?;
    let mut tests = Step::cargo("a hundred kills of tamis collect on each database", TESTS);
    if let Some(server) = &server {
        tests = tests.with(postgres::VARIABLE, server.url());
    }
    tests.run()?;
    if let Some(note) = no_postgres {
        println!("{note}");
    }
    Ok(())
}
