//! The client. Every exchange is checked and bounded.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use reqwest::redirect::Policy as RedirectPolicy;
use tokio::time::timeout;
use url::Url;

use crate::address::{CheckedResolver, Lookup, Policy, check, is_public, system_lookup};
use crate::encoding::{self, Body, decode};
use crate::error::{Error, root_cause};
use crate::request::Request;
use crate::response::Response;

/// Settings of a client. Start from the default:
///
/// ```
/// let mut settings = tamis_fetch::Settings::default();
/// settings.max_body = 1 << 20;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The header `User-Agent`.
    pub user_agent: String,
    /// Time limit for name resolution, connection and TLS handshake. Default: 10 s.
    pub connect_timeout: Duration,
    /// Time limit of the whole exchange with all redirects, to the last byte. Default: 30 s.
    pub timeout: Duration,
    /// Size limit of a body, before and after decompression. Default: 16 MiB.
    pub max_body: u64,
    /// Most redirects that [`Client::get_following`] follows. Default: 10.
    pub max_redirects: u32,
    /// Whether addresses that are not public may be contacted. Default: no.
    pub allow_private: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            user_agent: concat!("tamis/", env!("CARGO_PKG_VERSION"), " (text extraction)").to_owned(),
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(30),
            max_body: 16 << 20,
            max_redirects: 10,
            allow_private: false,
        }
    }
}

/// An HTTP client. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    settings: Arc<Settings>,
    policy: Policy,
}

impl Client {
    /// Fails if the user agent is not a valid header, or this system has no certificates to trust.
    pub fn new(settings: Settings) -> Result<Client, Error> {
        let policy: Policy = if settings.allow_private { |_| true } else { is_public };
        Client::with_resolver(settings, policy, system_lookup)
    }

    fn with_resolver(settings: Settings, policy: Policy, lookup: Lookup) -> Result<Client, Error> {
        // Fails if a provider is already installed, which suffices.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(&settings.user_agent)
            .connect_timeout(settings.connect_timeout)
            .dns_resolver(CheckedResolver { policy, lookup })
            // A proxy would resolve names itself, bypassing the checks.
            .no_proxy()
            .redirect(RedirectPolicy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // A collector visits many hosts, so keep few idle connections, and not for long.
            .pool_max_idle_per_host(4)
            .pool_idle_timeout(Duration::from_secs(30))
            .build()
            .map_err(|error| Error::Setup(root_cause(&error)))?;
        Ok(Client { http, settings: Arc::new(settings), policy })
    }

    /// Sends exactly one request. Redirects are returned, not followed.
    pub async fn get(&self, request: &Request) -> Result<Response, Error> {
        self.in_time(self.exchange(request, &request.url)).await
    }

    /// Follows redirects. Every target is checked like the first URL; credentials are not sent again.
    pub async fn get_following(&self, request: &Request) -> Result<Response, Error> {
        let follow = async {
            let mut url = request.url.clone();
            for _ in 0..=self.settings.max_redirects {
                let response = self.exchange(request, &url).await?;
                match response.redirect_target()? {
                    Some(target) => url = target,
                    None => return Ok(response),
                }
            }
            Err(Error::TooManyRedirects(self.settings.max_redirects))
        };
        self.in_time(follow).await
    }

    /// Limits the total time, since timeouts of single reads do not stop servers that send one byte at a time.
    async fn in_time(&self, work: impl Future<Output = Result<Response, Error>>) -> Result<Response, Error> {
        let limit = self.settings.timeout;
        timeout(limit, work).await.unwrap_or(Err(Error::Timeout(limit)))
    }

    /// One request and its response. reqwest moves credentials from the URL into a header.
    async fn exchange(&self, request: &Request, url: &Url) -> Result<Response, Error> {
        check(url, self.policy)?;
        let failed = |error: reqwest::Error| {
            Error::from_reqwest(error, url.host_str().unwrap_or_default(), self.settings.connect_timeout)
        };
        let mut get = self
            .http
            .get(url.clone())
            .header(ACCEPT, request.accept.header())
            .header(ACCEPT_ENCODING, encoding::ACCEPT_ENCODING);
        for (name, validator) in [(IF_NONE_MATCH, &request.etag), (IF_MODIFIED_SINCE, &request.last_modified)]
        {
            // A value that is not a valid header cannot come from a server.
            if let Some(validator) = validator
                && let Ok(value) = HeaderValue::from_bytes(validator.as_bytes())
            {
                get = get.header(name, value);
            }
        }
        let mut incoming = get.send().await.map_err(failed)?;
        let mut response = Response::new(url, incoming.status(), incoming.headers().clone());
        let is_wanted = response.content_type().is_none_or(|it| request.accept.admits(it));
        if response.is_success() && is_wanted {
            let max = request.max_body.unwrap_or(self.settings.max_body);
            if !request.truncate && incoming.content_length().is_some_and(|length| length > max) {
                return Err(Error::TooLarge(max));
            }
            let mut body = Body { bytes: Vec::new(), truncated: false };
            while let Some(chunk) = incoming.chunk().await.map_err(failed)? {
                let room = usize::try_from(max).unwrap_or(usize::MAX) - body.bytes.len();
                body.bytes.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
                if chunk.len() > room {
                    body.truncated = true;
                    break;
                }
            }
            if body.truncated && !request.truncate {
                return Err(Error::TooLarge(max));
            }
            let body = decode(body, &response.encodings(), max, request.truncate)?;
            (response.body, response.truncated, response.skipped) = (body.bytes, body.truncated, false);
        }
        Ok(response)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod test_server;
#[cfg(test)]
mod tests;
