//! A PostgreSQL server for the tests: a fresh cluster on a free loopback port, gone when the value is dropped.
//!
//! The server stays in the process group of the chore, so Ctrl-C ends both.

use std::cmp::Reverse;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use crate::step::{Step, target, unwritable};

/// The variable by which tests find the server.
pub(crate) const VARIABLE: &str = "TAMIS_POSTGRES";

/// Trades crash safety for speed, which is right for data that lives as long as a test run.
const SETTINGS: &[&str] = &[
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
];

/// Starting takes about a second; a loaded machine gets more.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server.
pub(crate) struct Postgres {
    programs: Programs,
    folder: PathBuf,
    port: u16,
    server: Child,
}

/// `cargo xtask postgres`: a server to run single tests against, until Enter is pressed or standard input ends.
pub(crate) fn alone() -> Result<(), String> {
    let postgres = Postgres::start()?;
    println!("{VARIABLE}={}\npress Enter to stop the server", postgres.url());
    io::stdin()
        .read_line(&mut String::new())
        .map_err(|error| format!("cannot read standard input: {error}"))?;
    Ok(())
}

/// A server for `cargo xtask test`, or a note why there is none. A missing server is an error in CI, since nobody
/// reads the note there. A server that [`VARIABLE`] names already is left to the tests.
pub(crate) fn for_tests() -> Result<(Option<Postgres>, Option<String>), String> {
    if env::var_os(VARIABLE).is_some_and(|url| !url.is_empty()) {
        return Ok((None, None));
    }
    match Postgres::start() {
        Ok(postgres) => Ok((Some(postgres), None)),
        Err(why) => {
            let note = format!(
                "NOT tested: PostgreSQL; no server could be started ({why}): install it (apt install postgresql), \
                 or set {VARIABLE} to the URL of one"
            );
            if env::var_os("CI").is_some() { Err(note) } else { Ok((None, Some(note))) }
        }
    }
}

impl Postgres {
    /// Starts a server, installing it first where that is possible.
    pub(crate) fn start() -> Result<Postgres, String> {
        let programs = Programs::find()?;
        let folder = programs.create_folder()?;
        match programs.start(&folder) {
            Ok((server, port)) => Ok(Postgres { programs, folder, port, server }),
            Err(why) => {
                let _ = fs::remove_dir_all(&folder);
                Err(why)
            }
        }
    }

    /// The URL of its database `postgres`, for the superuser of that name.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let stop = self
            .programs
            .command("pg_ctl", &self.folder)
            .args(["stop", "-m", "immediate", "-D", "data"])
            .output();
        if !stop.is_ok_and(|done| done.status.success()) {
            let _ = self.server.kill();
        }
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Where the programs of the server lie, and whether they must run as another user.
struct Programs {
    folder: PathBuf,
    /// `initdb` and `postgres` refuse to run as root.
    as_root: bool,
}

impl Programs {
    fn find() -> Result<Programs, String> {
        let user =
            Command::new("id").arg("-u").output().map_err(|error| format!("cannot run id: {error}"))?;
        let as_root = user.stdout.trim_ascii() == b"0";
        if find_folder().is_none() {
            install(as_root)?;
        }
        let folder = find_folder().ok_or("there is no initdb in /usr/lib/postgresql/*/bin or PATH")?;
        Ok(Programs { folder, as_root })
    }

    /// A program of the server, in `folder` and as the user who owns it.
    fn command(&self, program: &str, folder: &Path) -> Command {
        let mut command = self.as_owner(self.folder.join(program));
        command.current_dir(folder).stdin(Stdio::null());
        command
    }

    fn as_owner(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        if !self.as_root {
            return Command::new(program);
        }
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    }

    /// A fresh folder that the server's user can write: below the build folder, or else in the system's one for
    /// temporary files, since a checkout in `/root` is closed to other users.
    fn create_folder(&self) -> Result<PathBuf, String> {
        let name = format!("postgres-{}", std::process::id());
        let mut why = String::new();
        for parent in [target().join("tmp"), env::temp_dir().join("tamis")] {
            let folder = parent.join(&name);
            // Left by a killed run with the same process id.
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
            if !self.as_root {
                return Ok(folder);
            }
            let given = Command::new("chown").arg("postgres:").arg(&folder).output();
            let given = given.is_ok_and(|done| done.status.success());
            let probe = self.as_owner("test").arg("-w").arg(&folder).output();
            if given && probe.is_ok_and(|done| done.status.success()) {
                return Ok(folder);
            }
            let _ = fs::remove_dir_all(&folder);
            why = format!("the user postgres cannot write {}", folder.display());
        }
        Err(why)
    }

    fn start(&self, folder: &Path) -> Result<(Child, u16), String> {
        let cluster = "-D data -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync";
        let made = self.command("initdb", folder).args(cluster.split(' ')).output();
        let made = made.map_err(|error| format!("cannot run initdb: {error}"))?;
        if !made.status.success() {
            return Err(format!("initdb failed: {}", String::from_utf8_lossy(&made.stderr).trim()));
        }
        let port = free_port().map_err(|error| format!("no free port: {error}"))?;
        let log = folder.join("log");
        let to_log = fs::File::create(&log).map_err(|error| unwritable(&log, error))?;
        let mut server = self.command("postgres", folder);
        server.args(["-D", "data", "-p", &port.to_string()]);
        server.args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
        let server = server.stdout(Stdio::null()).stderr(to_log).spawn();
        let mut server = server.map_err(|error| format!("cannot run postgres: {error}"))?;
        let begin = Instant::now();
        loop {
            let mut probe = self.command("pg_isready", folder);
            let probe = probe.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]).status();
            let ended = server.try_wait().is_ok_and(|status| status.is_some());
            if !ended && probe.is_ok_and(|status| status.success()) {
                return Ok((server, port));
            }
            if ended || begin.elapsed() > START_TIMEOUT {
                let _ = server.kill();
                let _ = server.wait();
                let said = fs::read_to_string(&log).unwrap_or_default();
                return Err(format!("the server did not start: {}", said.trim()));
            }
            sleep(Duration::from_millis(50));
        }
    }
}

/// The folder of the newest installed server. Debian keeps its programs out of `PATH`.
fn find_folder() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|version| version.path()).collect();
    versions.sort_by_key(|path| {
        let version = path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
        Reverse(version.unwrap_or(0))
    });
    let in_path = env::var_os("PATH").unwrap_or_default();
    let folders = versions.into_iter().map(|version| version.join("bin")).chain(env::split_paths(&in_path));
    folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// Installs Debian's package, where this may be done without asking: as root, with apt.
fn install(as_root: bool) -> Result<(), String> {
    if !as_root {
        return Err("it is not installed, and only root could install it".to_owned());
    }
    let apt = |line: &str| {
        Step::program("a PostgreSQL server for the tests", "apt-get", line)
            .with("DEBIAN_FRONTEND", "noninteractive")
            .run()
    };
    // A stale package list is not an error by itself; the next step shows.
    let _ = apt("update -q");
    apt("install -q -y --no-install-recommends postgresql").map_err(|why| why.replace('\n', ", "))
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
