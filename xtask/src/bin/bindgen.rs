//! `bindgen MODULE.wasm DIR`: writes the module and its JavaScript, once as an ES module and once for CommonJS. A stand-in
//! for the command of wasm-bindgen, which takes minutes to install; its version is that of the lock file.

#![allow(clippy::print_stderr, reason = "a command talks to people")]

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [_, module, folder] = &env::args().collect::<Vec<_>>()[..] else {
        eprintln!("usage: bindgen MODULE.wasm DIR");
        return ExitCode::from(2);
    };
    match write(module, Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(module: &str, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let bindgen = || {
        let mut bindgen = Bindgen::new();
        bindgen.input_path(module).out_name("module").typescript(false).remove_name_section(true);
        bindgen.remove_producers_section(true);
        bindgen
    };
    bindgen().web(true)?.generate(folder)?;
    // Both glues call the same module.
    let classic = folder.join("classic");
    bindgen().no_modules(true)?.no_modules_global("tamis")?.generate(&classic)?;
    let [one, other] = [folder, &classic].map(|folder| fs::read(folder.join("module_bg.wasm")));
    if one? != other? {
        return Err("the two kinds of JavaScript need different modules".into());
    }
    let glue = fs::read_to_string(classic.join("module.js"))?;
    fs::write(folder.join("module.cjs"), format!("{glue}\nmodule.exports = tamis;\n"))?;
    fs::remove_dir_all(&classic)?;
    Ok(())
}
