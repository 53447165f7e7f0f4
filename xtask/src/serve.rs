//! `cargo xtask serve-checks`: the API of `tamis serve` against its own document, by schemathesis, by a generated client and by
//! a client of MCP. `cargo xtask bench-serve`: its rate beside that of the library.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::python::Environment;
use crate::step::{Step, root, target};
use crate::test::EVERYTHING;

const PACKAGES: &str = "schemathesis openapi-python-client mcp";

/// Cases per route; with them it takes some seconds.
const EXAMPLES: &str = "60";

/// A server, until it is dropped.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(command: &Path, data: &[(&str, PathBuf)]) -> Result<Server, String> {
        let failed = |error| format!("{} cannot be run: {error}", command.display());
        let mut process = Command::new(command)
            .args(["serve", "--addr", "127.0.0.1:0", "--no-log"])
            .args(data.iter().flat_map(|(flag, path)| [OsStr::new(flag), path.as_os_str()]))
            .env_remove("TAMIS_TOKEN")
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let said = process.stderr.take().ok_or("the server has no standard error")?;
        let mut lines = BufReader::new(said).lines();
        let url = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, rest) = line.split_once("listening on ")?;
            Some(rest.split(';').next().unwrap_or(rest).to_owned())
        });
        // What it says later is read, or it would wait.
        thread::spawn(move || lines.count());
        let url = url.ok_or("the server ended before it listened")?;
        Ok(Server { process, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(profile: &str) -> PathBuf {
    target().join(profile).join(format!("tamis{}", std::env::consts::EXE_SUFFIX))
}

/// `cargo xtask serve-checks`: the step by itself.
pub(crate) fn checks() -> Result<(), String> {
    Step::cargo("tests, built", "test --no-run").words(EVERYTHING).run()?;
    checks_of_built()
}

/// The checks, with the command that lies in the build folder.
pub(crate) fn checks_of_built() -> Result<(), String> {
    let environment = Environment::empty("serve", PACKAGES)?;
    // So that the routes of labels have more to say than that there are none.
    let labels = target().join("tmp/serve-labels");
    let _ = fs::remove_dir_all(&labels);
    let server = Server::start(&command("debug"), &[("--labels", labels)])?;
    let data = root().join("crates/tamis-serve/tests/openapi");
    let python = |about| Step::command(about, &environment.python).with("PYTHONDONTWRITEBYTECODE", "1");
    python("schemathesis")
        .words("-m schemathesis.cli --config-file")
        .argument(data.join("schemathesis.toml"))
        .argument("run")
        .argument(format!("{}/openapi.json", server.url))
        .words("--generation-database none --max-examples")
        .argument(EXAMPLES)
        .with("PYTHONPATH", &data)
        .with("SCHEMATHESIS_HOOKS", "hooks")
        .run()?;
    let folder = target().join("python/tamis-client");
    let _ = fs::remove_dir_all(&folder);
    python("a generated client")
        .words("-m openapi_python_client generate --meta none --url")
        .argument(format!("{}/openapi.json", server.url))
        .argument("--config")
        .argument(data.join("client.yml"))
        .argument("--output-path")
        .argument(folder.join("tamis_client"))
        .run()?;
    python("the clients")
        .argument(data.join("client.py"))
        .argument(&server.url)
        .argument(&folder)
        .argument(command("debug"))
        .run()
}

/// Pages per second of POST /v1/extract on loopback, in turn with the library in a process, on the same pages. Wants a
/// machine that does nothing else.
pub(crate) fn bench(pages: &Path) -> Result<(), String> {
    Step::cargo("the command, the client", "build --release --features tamis-cli/serve")
        .words("-p tamis-cli --bin tamis -p tamis-serve --example load")
        .run()?;
    let server = Server::start(&command("release"), &[])?;
    Step::command("load", target().join("release/examples/load"))
        .argument(&server.url)
        .argument(server.process.id().to_string())
        .argument(pages)
        .run()
}
