//! `cargo xtask bench-parse`, `instructions` and `bench-site-memory`: how fast things are, by the clock and by counting.

use std::process::{Command, Stdio};

use crate::step::Step;

pub(crate) fn parse() -> Result<(), String> {
    Step::cargo("parsing against html5ever", "bench -p tamis-html --bench parse").run()
}

pub(crate) fn site_memory() -> Result<(), String> {
    Step::cargo("learning invented pages", "run --release -p tamis-site --example many_pages").run()
}

pub(crate) fn instructions() -> Result<(), String> {
    // The benchmark leaves itself out without valgrind; whoever asks for it by name should hear of it first.
    has_valgrind()?;
    Step::cargo("instructions a byte", "bench -p tamis-html --bench instructions").run()
}

/// Says what to do where valgrind is not there.
pub(crate) fn has_valgrind() -> Result<(), String> {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        return Err("instructions are counted by valgrind, which is not there\n\
                    remedy: install it (apt install valgrind, dnf install valgrind; it runs on Linux and FreeBSD)"
            .to_owned());
    }
    Ok(())
}
