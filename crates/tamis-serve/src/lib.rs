//! HTTP server and MCP tools: Tamis for programs in other languages, for agents and for browsers.
//!
//! Safe by default: it listens on loopback unless it has a token, fetches nothing unless told to, reads no file for a client,
//! and every request has a bound on bytes, time and memory.
//!
//! | module | what it is |
//! |---|---|
//! | `config` | [`Config`] and [`Limits`]: what the flags of `tamis serve` set |
//! | `state` | [`AppState`]: what all requests share |
//! | `server`, `patience` | [`Server`]: the listener, connections and their time limits, graceful shutdown |
//! | `guard`, `metrics` | middleware: token, `Host` and `Origin`; counters and log lines |
//! | `pool`, `body` | bounds on work that waits and on bytes that are held |
//! | `options`, `format` | what clients say about a page; the format of the answer |
//! | `problem` | [`Problem`]: errors as `application/problem+json` |
//! | `openapi`, `mcp` | the document of the API; tools for agents |
//! | `routes` | one file per group of routes; `routes::router` puts them together |

mod body;
mod config;
mod data;
mod format;
mod guard;
mod mcp;
mod metrics;
mod openapi;
mod options;
mod patience;
mod pool;
mod problem;
mod routes;
mod server;
mod state;

pub use config::{Config, Limits, SetupError};
pub use mcp::{Tools, serve_stdio};
pub use options::{HeadlineOption, HiddenOption, Names, PageRequest};
pub use pool::Pool;
pub use problem::{Answer, Problem};
pub use server::Server;
pub use state::AppState;
