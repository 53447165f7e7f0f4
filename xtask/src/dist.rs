//! `cargo xtask dist` and `package`: the artefacts of a release.

use std::env::consts::{ARCH, OS};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::step::{Step, copy, folder, root, target, unwritable};

/// Crates for crates.io, in dependency order.
const PUBLISHED: [&str; 12] = [
    "tamis-html",
    "tamis-dates",
    "tamis-diff",
    "tamis",
    "tamis-methods",
    "tamis-feeds",
    "tamis-site",
    "tamis-batch",
    "tamis-fetch",
    "tamis-corpus",
    "tamis-collect",
    "tamis-lab",
];

/// `cargo xtask dist`: the command with completions, man pages and licences as
/// `target/dist/tamis-VERSION-TARGET.tar.gz`. On Linux it is static and runs on any distribution.
pub(crate) fn run() -> Result<(), String> {
    let triple = match (ARCH, OS) {
        (arch, "linux") => format!("{arch}-unknown-linux-musl"),
        (arch, "macos") => format!("{arch}-apple-darwin"),
        _ => {
            return Err(format!(
                "there is no distribution for {OS}: cargo build --profile dist -p tamis-cli"
            ));
        }
    };
    let line =
        format!("build --locked --profile dist -p tamis-cli --features collect,serve --target {triple}");
    let mut build = Step::cargo("the command", &line)
        .remedy("run rustup target add with the target; C code needs musl-gcc (apt install musl-tools)");
    if OS == "linux" {
        // SQLite and ring are C.
        build = build.with("TARGET_CC", "musl-gcc");
    }
    build.run()?;
    let command = target().join(&triple).join("dist/tamis");
    let name = format!("tamis-{}-{triple}", env!("CARGO_PKG_VERSION"));
    let home = folder("dist")?;
    let content = home.join(&name);
    let _ = fs::remove_dir_all(&content);
    let completions = folder(&format!("dist/{name}/completions"))?;
    copy(&command, &content.join("tamis"))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
        copy(&root().join(file), &content.join(file))?;
    }
    for (shell, file) in [("bash", "tamis.bash"), ("fish", "tamis.fish"), ("zsh", "_tamis")] {
        to_file(Command::new(&command).args(["completions", shell]), &completions.join(file))?;
    }
    Step::command("man pages", &command).words("man").argument(content.join("man")).run()?;
    Step::command("a page, extracted", &command).words("extract examples/harbour-news.html").run()?;
    Step::program("the archive", "tar", "-czf")
        .argument(home.join(format!("{name}.tar.gz")))
        .words("-C")
        .argument(&home)
        .argument(&name)
        .run()?;
    let size = |path: &Path| fs::metadata(path).map_or(0, |about| about.len()) as f64 / 1e6;
    let archive = home.join(format!("{name}.tar.gz"));
    println!("{}: {:.1} MB, the command in it {:.1} MB", archive.display(), size(&archive), size(&command));
    Ok(())
}

/// `cargo xtask package`: the packages of all crates, and a build of `tamis` from its package.
pub(crate) fn package() -> Result<(), String> {
    let crates: Vec<String> =
        PUBLISHED.iter().chain(&["tamis-cli"]).map(|name| format!("-p {name}")).collect();
    Step::cargo("packages", &format!("package --locked --allow-dirty --no-verify {}", crates.join(" ")))
        .run()?;
    Step::cargo(
        "the package of tamis, built",
        "package --locked --allow-dirty -p tamis-html -p tamis-dates -p tamis",
    )
    .run()
}

fn to_file(command: &mut Command, file: &Path) -> Result<(), String> {
    let output = File::create(file).map_err(|error| unwritable(file, error))?;
    match command.stdout(output).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed ({status})")),
        Err(error) => Err(format!("{command:?} could not be started: {error}")),
    }
}
