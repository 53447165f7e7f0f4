//! Errors of fetching. Messages name the host but never the URL, which may contain credentials or megabytes of noise.

use std::error::Error as StdError;
use std::io;
use std::iter::successors;
use std::net::IpAddr;
use std::time::Duration;

/// Why there is no response. Messages have no remedies, which depend on the front end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The host is a non-public address, or resolves only to such addresses.
    #[error("{} refused: {address} is a private address", named(host, address))]
    Refused {
        /// The host as in the URL.
        host: String,
        /// The address that was refused; the first one if there are several.
        address: IpAddr,
    },
    /// The scheme is neither `http` nor `https`.
    #[error("scheme {0:?} is not supported, only http and https")]
    Scheme(String),
    /// The URL, or the target of a redirect, is malformed or too long.
    #[error("invalid URL: {0}")]
    Url(String),
    /// The host name could not be resolved.
    #[error("cannot resolve the host name {0}")]
    Dns(String),
    /// No connection to the host.
    #[error("cannot connect to {host}: {reason}")]
    Connect {
        /// The host as in the URL.
        host: String,
        /// The message of the operating system.
        reason: String,
    },
    /// The TLS handshake failed.
    #[error("no secure connection to {host}: {reason}")]
    Tls {
        /// The host as in the URL.
        host: String,
        /// The message of the TLS library.
        reason: String,
    },
    /// The connection or the whole exchange took longer than this.
    #[error("no complete response within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// The body has more bytes than this, compressed or not.
    #[error("response of more than {0} bytes")]
    TooLarge(u64),
    /// More redirects than this.
    #[error("more than {0} redirects")]
    TooManyRedirects(u32),
    /// The body is damaged or truncated, according to its `Content-Encoding`.
    #[error("cannot decode the body: {0}")]
    Encoding(String),
    /// A violation of HTTP, or a connection closed early.
    #[error("HTTP error: {0}")]
    Http(String),
    /// The client could not be built: an invalid user agent, or no certificates on this system.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(String),
}

impl Error {
    /// Whether the same request may succeed later.
    ///
    /// This includes damaged bodies, which are usually truncated.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Error::Dns(_) | Error::Connect { .. } | Error::Timeout(_) | Error::Encoding(_) | Error::Http(_)
        )
    }

    /// Classifies an error of reqwest by its causes, since reqwest itself only reports the phase.
    pub(crate) fn from_reqwest(error: reqwest::Error, host: &str, connect_timeout: Duration) -> Error {
        let error = error.without_url();
        let reason = root_cause(&error);
        for cause in causes(&error) {
            if let Some(ours) = cause.downcast_ref::<Error>() {
                return ours.clone();
            }
            if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
                return Error::Tls { host: host.to_owned(), reason: tls.to_string() };
            }
        }
        match error {
            // The client sets no other timeout.
            error if error.is_timeout() => Error::Timeout(connect_timeout),
            error if error.is_connect() => Error::Connect { host: host.to_owned(), reason },
            error if error.is_builder() => Error::Url(reason),
            _ => Error::Http(reason),
        }
    }
}

/// The host with its address, unless they are the same.
fn named(host: &str, address: &IpAddr) -> String {
    let is_literal = host.trim_matches(['[', ']']).parse() == Ok(*address);
    if is_literal { "address".to_owned() } else { format!("host {host}") }
}

/// The message of the innermost cause, which is the informative one.
pub(crate) fn root_cause(error: &(dyn StdError + 'static)) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

/// The error and its chain of causes. `source` of an I/O error skips the error that it wraps.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    successors(Some(error), |&error| {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn StdError + 'static)).or_else(|| error.source())
    })
    .take(16)
}
