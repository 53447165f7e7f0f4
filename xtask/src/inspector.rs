//! `cargo xtask inspector`: the inspector as a static page. The engine runs in the page, as WebAssembly.

use std::fs;

use crate::browser;
use crate::npm::{self, NODE};
use crate::step::{Step, folder, root, target, unwritable};

/// The policy of the page. `connect-src` admits the WebAssembly module, which is fetched.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

pub(crate) fn run() -> Result<(), String> {
    let out = folder("inspector")?;
    let assets = out.join("assets");
    let _ = fs::remove_dir_all(&assets);
    npm::module("inspector", &assets)?;
    for unused in ["module.cjs", "module.d.ts"] {
        let _ = fs::remove_file(assets.join(unused));
    }
    let web = root().join("crates/tamis-inspect/web");
    let files = fs::read_dir(&web).map_err(|error| format!("{}: {error}", web.display()))?;
    for file in files.filter_map(Result::ok) {
        let name = file.file_name();
        let (from, to) = match name.to_str() {
            Some("index.html" | "api.js") => continue,
            Some("api-static.js") => (file.path(), assets.join("api.js")),
            _ => (file.path(), assets.join(&name)),
        };
        fs::copy(from, &to).map_err(|error| unwritable(&to, error))?;
    }
    let index = fs::read_to_string(web.join("index.html")).map_err(|error| error.to_string())?;
    let policy = format!("<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let index = index.replace("\"/assets/", "\"assets/").replace("<head>", &policy);
    let page = out.join("index.html");
    fs::write(&page, index).map_err(|error| unwritable(&page, error))?;
    println!("serve {} with any web server, such as python3 -m http.server", out.display());
    test()
}

/// Opens the page in Chromium and compares its inspections with those of the command.
fn test() -> Result<(), String> {
    let browser = match browser::find() {
        Ok(browser) => browser,
        Err(why) => {
            return browser::left_out("the static inspector in a browser", &why)
                .map(|word| println!("{word}"));
        }
    };
    Step::cargo("the command to compare with", "build -p tamis-cli").run()?;
    let tests = root().join(browser::PAGES);
    Step::program("the browser tests", "npm", "ci --no-audit --no-fund --prefix")
        .argument(&tests)
        .remedy(NODE)
        .run()?;
    Step::program("the static inspector in Chromium", "node", "--test static.mjs")
        .at(&tests)
        .with("TAMIS", target().join("debug").join(format!("tamis{}", std::env::consts::EXE_SUFFIX)))
        .with("TAMIS_INSPECTOR", target().join("inspector"))
        .with("TAMIS_BROWSER", browser)
        .run()
}
