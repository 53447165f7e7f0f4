//! `cargo xtask npm` and `bench-npm`: the npm package, built, packed, tested as users install it, and measured.

use std::fs;
use std::path::{Path, PathBuf};

use crate::browser;
use crate::step::{Step, copy, folder, root, target};

/// What the compressed package may take.
const MAX_BYTES: u64 = 1_500_000;

pub(crate) const NODE: &str = "install Node.js 20 or newer with npm";

pub(crate) fn run() -> Result<(), String> {
    let package = build()?;
    test(&package)
}

/// Builds `target/npm/tamis-VERSION.tgz`.
fn build() -> Result<PathBuf, String> {
    let home = folder("npm")?;
    let package = home.join("tamis");
    let _ = fs::remove_dir_all(&package);
    module("", &package)?;
    let source = root().join("crates/tamis-wasm/npm");
    for name in ["README.md", "browser.js", "node.js", "node.cjs", "tamis.d.ts"] {
        copy(&source.join(name), &package.join(name))?;
    }
    // The same types for `require`.
    copy(&source.join("tamis.d.ts"), &package.join("tamis.d.cts"))?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(name), &package.join(name))?;
    }
    copy(&source.join("package.json"), &package.join("package.json"))?;
    let version = env!("CARGO_PKG_VERSION");
    Step::program("the version", "npm", "version --no-git-tag-version --allow-same-version --prefix")
        .argument(&package)
        .argument(version)
        .remedy(NODE)
        .run()?;
    Step::program("the package", "npm", "pack --pack-destination")
        .argument(&home)
        .argument(&package)
        .run()?;
    let file = home.join(format!("tamis-{version}.tgz"));
    let bytes = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
    println!("{}: {bytes} bytes", file.display());
    if bytes > MAX_BYTES {
        return Err(format!("the package has {bytes} bytes, more than {MAX_BYTES}"));
    }
    Ok(file)
}

/// Builds the WebAssembly module with some features, and writes it to a folder with the JavaScript around it.
pub(crate) fn module(features: &str, out: &Path) -> Result<(), String> {
    Step::cargo(
        "the WebAssembly module",
        "build -p tamis-wasm --target wasm32-unknown-unknown --profile wasm --features",
    )
    .argument(features)
    // Every browser since 2023 and Node.js since 16 has SIMD.
    .with("RUSTFLAGS", "-C target-feature=+simd128")
    .remedy("rustup target add wasm32-unknown-unknown")
    .run()?;
    Step::cargo("the JavaScript around it", "run -p xtask --features npm --bin bindgen --")
        .argument(target().join("wasm32-unknown-unknown/wasm/tamis_wasm.wasm"))
        .argument(out)
        .run()
}

/// Installs the package into an empty folder and runs the tests there.
fn test(package: &Path) -> Result<(), String> {
    Step::cargo("the command to compare with", "build -p tamis-cli").run()?;
    let home = folder("npm/test")?;
    let source = root().join("crates/tamis-wasm/tests");
    for name in ["package.json", "node.test.js", "browser.test.js", "types.ts"] {
        copy(&source.join(name), &home.join(name))?;
    }
    let install = "install --no-save --ignore-scripts --no-audit --no-fund --prefix";
    Step::program("the package, installed", "npm", install)
        .argument(&home)
        .argument(package)
        .remedy(NODE)
        .run()?;
    let tests = |about, file: &str| {
        Step::program(about, "node", "--test")
            .argument(home.join(file))
            .at(&home)
            .with("TAMIS_ROOT", root())
            .with(
                "TAMIS_COMMAND",
                target().join("debug").join(format!("tamis{}", std::env::consts::EXE_SUFFIX)),
            )
    };
    tests("the package in Node.js", "node.test.js").run()?;
    let tsc = "node_modules/typescript/bin/tsc --noEmit --strict --module nodenext --target es2022 --skipLibCheck false";
    Step::program("its types", "node", tsc).argument("types.ts").at(&home).run()?;
    match browser::find() {
        Ok(browser) => {
            tests("the package in Chromium", "browser.test.js").with("TAMIS_BROWSER", browser).run()
        }
        Err(why) => browser::left_out("the npm package in a browser", &why).map(|word| println!("{word}")),
    }
}

/// Pages per second beside `@mozilla/readability` on jsdom, in the versions of `bench/peers`.
pub(crate) fn bench(pages: Option<PathBuf>, rounds: u32, most: u32) -> Result<(), String> {
    let pages = pages.or_else(|| Some(tamis_testdata::set("trafilatura")?.join("pages"))).ok_or(
        "there is no evaluation set trafilatura\nremedy: name a folder with pages, or set TAMIS_SHARED",
    )?;
    let package = build()?;
    let home = folder("npm/bench")?;
    for name in ["package.json", "package-lock.json"] {
        copy(&root().join("bench/peers/js").join(name), &home.join(name))?;
    }
    copy(&root().join("bench/npm.mjs"), &home.join("npm.mjs"))?;
    Step::program("readability and jsdom", "npm", "ci --ignore-scripts --no-audit --no-fund --prefix")
        .argument(&home)
        .remedy(NODE)
        .run()?;
    Step::program(
        "the package, installed",
        "npm",
        "install --no-save --ignore-scripts --no-audit --no-fund --prefix",
    )
    .argument(&home)
    .argument(package)
    .run()?;
    Step::program("pages per second", "node", "npm.mjs")
        .argument(std::path::absolute(pages).map_err(|error| error.to_string())?)
        .argument(rounds.to_string())
        .argument(most.to_string())
        .at(&home)
        .run()
}
