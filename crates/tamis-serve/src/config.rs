//! What a server may do, and what a request may cost. Every limit is a flag of `tamis serve`, named in the answer that it
//! causes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
#[cfg(feature = "corpus")]
use tamis_corpus::database::Target;
use tamis_methods::CustomModel;
use tamis_site::RuleSet;
use utoipa::ToSchema;

/// How a server is set up. Change what differs from the default:
///
/// ```
/// let config = tamis_serve::Config { allow_fetch: true, ..tamis_serve::Config::default() };
/// assert!(config.addr.ip().is_loopback());
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on; port 0 picks a free one.
    pub addr: SocketAddr,
    /// The token that clients must send; required unless `addr` is loopback.
    pub token: Option<Arc<str>>,
    /// Names besides those of loopback that clients may reach the server by, such as that of a reverse proxy.
    pub allow_host: Vec<String>,
    /// Whether clients may have pages fetched.
    pub allow_fetch: bool,
    /// Whether fetching may contact private addresses.
    pub allow_private: bool,
    /// Time for fetching a page, redirects included.
    pub fetch_timeout: Duration,
    /// The site memory.
    pub sites: Option<PathBuf>,
    /// Rules of the user for sites.
    pub rules: Option<Arc<RuleSet>>,
    /// The folder of labelled pages.
    pub labels: Option<PathBuf>,
    /// Datasets on which a training tells what it changed.
    pub sets: Vec<PathBuf>,
    /// The corpus.
    #[cfg(feature = "corpus")]
    pub db: Option<Target>,
    /// A model in place of the built-in one.
    pub model: Option<CustomModel>,
    /// Whether a line is logged for every request.
    pub log: bool,
    /// What requests may cost.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            addr: SocketAddr::from(([127, 0, 0, 1], 8723)),
            token: None,
            allow_host: Vec::new(),
            allow_fetch: false,
            allow_private: false,
            fetch_timeout: Duration::from_secs(30),
            sites: None,
            rules: None,
            labels: None,
            sets: Vec::new(),
            #[cfg(feature = "corpus")]
            db: None,
            model: None,
            log: true,
            limits: Limits::default(),
        }
    }
}

/// What requests may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Limits {
    /// Bytes of a page, and of a line of a batch (`--max-bytes`; 413).
    pub max_bytes: u32,
    /// Bytes of all bodies that are held at once, answers included (`--max-memory`; 503).
    pub max_memory: u32,
    /// Time for extracting a page (`--timeout`; 408).
    #[serde(serialize_with = "seconds")]
    #[schema(value_type = f64)]
    pub timeout: Duration,
    /// Time for a request, from its first byte to the first byte of the answer (`--request-timeout`; 408).
    #[serde(serialize_with = "seconds")]
    #[schema(value_type = f64)]
    pub request_timeout: Duration,
    /// Pages that are worked on at the same time (`--threads`).
    pub threads: usize,
    /// Pages that wait for a thread (`--queue`; 503).
    pub queue: usize,
    /// Requests in flight (`--max-requests`; 429).
    pub max_requests: usize,
    /// Connections; more of them wait to be accepted (`--max-connections`).
    pub max_connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_bytes: 16 << 20,
            max_memory: 256 << 20,
            timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(30),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            queue: 512,
            max_requests: 1024,
            max_connections: 2048,
        }
    }
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Others than this machine could use it.
    #[error("{0} needs a token: clients on other machines could use the server")]
    NoToken(String),
    /// The token cannot be sent in a header, or is easy to guess.
    #[error("the token must have at least 16 characters, all of them visible ASCII")]
    BadToken,
    /// The largest pages would be refused always.
    #[error("--max-memory must be at least --max-bytes: all bodies together are held in it")]
    Memory,
    /// The address cannot be listened on.
    #[error("cannot listen on {addr}: {error}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The HTTP client cannot be set up.
    #[error(transparent)]
    Fetch(#[from] tamis_fetch::Error),
    /// The client does not speak the Model Context Protocol.
    #[error("{0}")]
    Mcp(String),
    /// The site memory cannot be read.
    #[error(transparent)]
    Sites(#[from] tamis_site::Error),
    /// The corpus cannot be opened.
    #[cfg(feature = "corpus")]
    #[error(transparent)]
    Corpus(#[from] tamis_corpus::Error),
    /// The model that a training left in the folder of labels cannot be used.
    #[error("{}: {error}", file.display())]
    Model {
        /// The file.
        file: PathBuf,
        /// Why.
        error: String,
    },
}

impl Config {
    /// Whether there is a corpus.
    pub fn has_corpus(&self) -> bool {
        #[cfg(feature = "corpus")]
        return self.db.is_some();
        #[cfg(not(feature = "corpus"))]
        false
    }

    /// Refuses a server that others could use without a token.
    pub fn check(&self) -> Result<(), SetupError> {
        let is_token = |token: &str| token.len() >= 16 && token.bytes().all(|byte| byte.is_ascii_graphic());
        match &self.token {
            Some(token) if !is_token(token) => Err(SetupError::BadToken),
            None if !self.addr.ip().is_loopback() => {
                Err(SetupError::NoToken(format!("--addr {}", self.addr)))
            }
            None if !self.allow_host.is_empty() => Err(SetupError::NoToken("--allow-host".to_owned())),
            _ if self.limits.max_memory < self.limits.max_bytes => Err(SetupError::Memory),
            _ => Ok(()),
        }
    }
}
