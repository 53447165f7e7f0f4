//! The command `tamis`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(u8::from(tamis_cli::run(std::env::args_os().collect())))
}
