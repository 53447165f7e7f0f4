//! `tamis serve`: the server. `tamis mcp`: its tools over standard input and output.

use crate::ExitCode;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tamis_methods::Selection;
use tamis_serve::{Config, Limits, Server, SetupError};

use crate::console::{self, note};
use crate::flags::{FetchFlags, LimitFlags, ModelFlag, SitesFlag, ThreadFlag, at_least_one, duration, size};
use crate::site::rules::RulesFlag;

/// Serve extraction over HTTP, for programs and for browsers.
///
/// Listens on this machine only and fetches nothing, unless flags say otherwise. Ctrl-C answers what is in flight, then ends.
/// The routes are listed at /openapi.json and in docs/server.md.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Serve {
    #[command(flatten)]
    access: AccessFlags,

    #[command(flatten)]
    data: DataFlags,

    #[command(flatten)]
    limits: LimitFlags,

    #[command(flatten)]
    threads: ThreadFlag,

    #[command(flatten)]
    load: LoadFlags,
}

const EXAMPLES: &str = "Examples:
  tamis serve
  curl --data-binary @page.html -H 'Accept: text/markdown' http://localhost:8723/v1/extract
  tamis serve --allow-fetch --db news.db --sites sites.redb
  tamis serve --addr 0.0.0.0:8723 --token-file /etc/tamis/token

Environment: TAMIS_TOKEN (the token, where --token-file is not given).";

#[derive(Args)]
#[command(next_help_heading = "Access")]
struct AccessFlags {
    /// Address and port to listen on; others than loopback need a token.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8723")]
    addr: SocketAddr,

    /// File with the token that clients must send (Authorization: Bearer).
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Another name that clients reach the server by, such as that of a reverse proxy. Repeatable.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    #[command(flatten)]
    fetch: AllowFetch,

    /// Log no requests.
    #[arg(long)]
    no_log: bool,
}

#[derive(Args)]
struct AllowFetch {
    /// Fetch pages that clients name.
    #[arg(long)]
    allow_fetch: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Data")]
struct DataFlags {
    /// Corpus: a file, or postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "PATH|URL", env = "TAMIS_DB", hide_env_values = true)]
    db: Option<String>,

    /// Folder of labelled pages, as `tamis label` writes them.
    #[arg(long, value_name = "DIR")]
    labels: Option<PathBuf>,

    /// Dataset on which the effect of training is measured. Repeatable.
    #[arg(long, value_name = "DIR", requires = "labels")]
    sets: Vec<PathBuf>,

    #[command(flatten)]
    sites: SitesFlag,

    #[command(flatten)]
    rules: RulesFlag,

    #[command(flatten)]
    model: ModelFlag,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LoadFlags {
    /// Time limit for a request, waiting included.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    request_timeout: Duration,

    /// Size limit of all bodies in memory.
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    max_memory: u32,

    /// Pages that may wait for a thread.
    #[arg(long, value_name = "N", default_value_t = Limits::default().queue, value_parser = at_least_one)]
    queue: usize,

    /// Requests that may be in flight.
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_requests, value_parser = at_least_one)]
    max_requests: usize,

    /// Connections that may be open; more wait.
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_connections, value_parser = at_least_one)]
    max_connections: usize,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut config = self.data.config(self.limits, self.access.fetch.allow_fetch)?;
        config.addr = self.access.addr;
        config.token = self.access.token()?;
        config.allow_host.clone_from(&self.access.allow_host);
        config.log = !self.access.no_log && !console::quiet();
        config.limits = Limits {
            threads: self.threads.threads,
            request_timeout: self.load.request_timeout,
            max_memory: self.load.max_memory,
            queue: self.load.queue,
            max_requests: self.load.max_requests,
            max_connections: self.load.max_connections,
            ..config.limits
        };
        runtime(&config)?.block_on(async {
            let server = Server::bind(config).await.map_err(explained)?;
            note!("listening on http://{}; Ctrl-C ends", server.local_addr());
            let stop = async {
                stopped().await;
                // The second time, nothing is waited for.
                tokio::spawn(async {
                    stopped().await;
                    std::process::exit(130);
                });
            };
            server.run(stop).await;
            Ok(ExitCode::SUCCESS)
        })
    }
}

impl AccessFlags {
    fn token(&self) -> Result<Option<Arc<str>>> {
        let token = match &self.token_file {
            Some(file) => Some(
                fs::read_to_string(file)
                    .with_context(|| format!("cannot read the token file {}", file.display()))?,
            ),
            None => std::env::var("TAMIS_TOKEN").ok(),
        };
        let token = token.map(|token| token.trim().to_owned());
        if token.as_deref() == Some("") {
            bail!("the token is empty: make one, such as with `openssl rand -hex 32`");
        }
        Ok(token.map(Arc::from))
    }
}

impl DataFlags {
    fn config(&self, limits: LimitFlags, allow_fetch: bool) -> Result<Config> {
        let FetchFlags { fetch_timeout, allow_private } = limits.fetch;
        #[cfg(feature = "collect")]
        let db = self.db.as_deref().map(|db| db.parse().map_err(crate::corpus::remedy)).transpose()?;
        #[cfg(not(feature = "collect"))]
        if self.db.is_some() {
            bail!(
                "this tamis was built without the corpus that --db names; build it with \
                 cargo install --path crates/tamis-cli --features serve,collect"
            );
        }
        Ok(Config {
            allow_fetch,
            allow_private,
            fetch_timeout,
            sites: self.sites.sites.clone(),
            rules: self.rules.read()?,
            labels: self.labels.clone(),
            sets: self.sets.clone(),
            #[cfg(feature = "collect")]
            db,
            model: self.model.read(&Selection::all().collect::<Vec<_>>())?,
            limits: Limits { max_bytes: limits.size.max_bytes, timeout: limits.timeout, ..Limits::default() },
            ..Config::default()
        })
    }
}

/// Serve the tools of the Model Context Protocol over standard input and output.
#[derive(Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    fetch: AllowFetch,

    #[command(flatten)]
    data: DataFlags,

    #[command(flatten)]
    limits: LimitFlags,
}

impl Mcp {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let config = self.data.config(self.limits, self.fetch.allow_fetch)?;
        runtime(&config)?.block_on(tamis_serve::serve_stdio(config)).map_err(explained)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Besides pages, only names are looked up in blocking threads; more threads would hold memory and share the caches.
fn runtime(config: &Config) -> Result<tokio::runtime::Runtime> {
    let threads = config.limits.threads.saturating_add(4);
    Ok(tokio::runtime::Builder::new_multi_thread().max_blocking_threads(threads).enable_all().build()?)
}

/// Completes on Ctrl-C or SIGTERM.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}

/// Why the server does not start, and what to do about it.
fn explained(error: SetupError) -> anyhow::Error {
    match error {
        SetupError::NoToken(_) => {
            anyhow!("{error}; write one to a file (openssl rand -hex 32 > FILE) and pass --token-file FILE")
        }
        SetupError::BadToken => anyhow!("{error}; make one with `openssl rand -hex 32`"),
        SetupError::Listen { .. } => anyhow!("{error}; pass another --addr"),
        SetupError::Model { .. } => anyhow!("{error}; delete the file, or pass --model MODEL"),
        #[cfg(feature = "collect")]
        SetupError::Corpus(error) => crate::corpus::remedy(error),
        error => error.into(),
    }
}
