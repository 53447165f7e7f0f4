//! Pages from the web: the client of `tamis-fetch` behind a blocking call, and its errors with remedies.

use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;

use crate::address::Address;
use crate::jobs::Fetched;

/// What reading a page may cost: flags of every command that reads pages.
#[derive(Clone, Copy, Debug, Args)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code, reason = "without requests, only the size matters"))]
pub(crate) struct Bounds {
    /// Bytes of a page; a larger one is refused.
    #[arg(long = "max-bytes", value_name = "N", default_value_t = tamis_html::Limits::default().bytes)]
    pub(crate) bytes: u32,

    /// How long fetching a page may take, from the first step to the last byte.
    #[arg(long = "timeout", value_name = "SECONDS", default_value = DEFAULT_TIMEOUT, value_parser = seconds)]
    pub(crate) time: Duration,

    /// Allow private, loopback and link-local addresses.
    #[arg(long)]
    pub(crate) allow_private: bool,
}

/// Long enough for a slow server, short enough not to hang.
const DEFAULT_TIMEOUT: &str = "30";

/// A number of seconds, as `--timeout` takes it.
pub(crate) fn seconds(argument: &str) -> Result<Duration> {
    let time = argument.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| anyhow!("give a number of seconds that is over 0, such as 30 or 0.5"))
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Page,
    Feed,
}

pub(crate) fn fetch(address: &Address, wanted: Wanted, bounds: Bounds) -> Result<Fetched> {
    fetched(address, wanted, bounds).map_err(|error| anyhow!("cannot fetch {}: {error}", address.shown()))
}

#[cfg(not(feature = "fetch"))]
fn fetched(_: &Address, _: Wanted, _: Bounds) -> Result<Fetched> {
    Err(anyhow!(
        "this tamis was built without the feature `fetch`; build it with that, or save the page and name the file"
    ))
}

#[cfg(feature = "fetch")]
fn fetched(address: &Address, wanted: Wanted, bounds: Bounds) -> Result<Fetched> {
    use anyhow::bail;
    use tamis_fetch::{Accept, Request};

    let (accept, name) = match wanted {
        Wanted::Page => (Accept::Page, "web page"),
        Wanted::Feed => (Accept::Feed, "feed"),
    };
    let mut request = Request::new(address.url()?, accept);
    request.max_body = Some(u64::from(bounds.bytes));
    let (runtime, client) = client(bounds)?;
    let response =
        runtime.block_on(client.get_following(&request)).map_err(|error| explained(error, wanted))?;
    if !response.is_success() {
        bail!("the server answers {}", refusal(&response));
    }
    let content_type = response.content_type().map(str::to_owned);
    if response.skipped {
        let kind: String = content_type.unwrap_or_default().chars().take(100).collect();
        bail!("it is {kind}, not a {name}");
    }
    Ok(Fetched { bytes: response.body, content_type, url: Some(response.url.into()) })
}

/// The runtime and the client; one for the whole run, so that pages of one host share their connections.
#[cfg(feature = "fetch")]
fn client(bounds: Bounds) -> Result<&'static (tokio::runtime::Runtime, tamis_fetch::Client)> {
    use std::sync::OnceLock;

    use tamis_fetch::{Client, Settings};

    static CLIENT: OnceLock<Result<(tokio::runtime::Runtime, Client), String>> = OnceLock::new();
    let build = || -> Result<_> {
        let mut settings = Settings::default();
        // Users have one flag for both.
        (settings.connect_timeout, settings.timeout) = (bounds.time, bounds.time);
        settings.allow_private = bounds.allow_private;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok((runtime, Client::new(settings)?))
    };
    let built = CLIENT.get_or_init(|| build().map_err(|error| error.to_string()));
    built.as_ref().map_err(|error| anyhow!("{error}"))
}

/// The status of a response that has no page, and what to do about it.
#[cfg(feature = "fetch")]
fn refusal(response: &tamis_fetch::Response) -> String {
    let wait = || match response.retry_after(response.received).map(|wait| wait.as_secs()) {
        Some(wait) if wait > 0 => format!("wait {wait} s, then try again"),
        _ => "wait a while, then try again".to_owned(),
    };
    let remedy = match response.status {
        404 | 410 => "check the address".to_owned(),
        401 | 403 => "the server does not want to give it to programs: save it from a browser".to_owned(),
        429 => wait(),
        _ => "try again later".to_owned(),
    };
    format!("{} {}; {remedy}", response.status, response.reason().unwrap_or_default())
}

/// What went wrong, and what to do about it.
#[cfg(feature = "fetch")]
fn explained(error: tamis_fetch::Error, wanted: Wanted) -> anyhow::Error {
    use tamis_fetch::Error;

    let remedy = match &error {
        Error::Refused { .. } => "; pass --allow-private to fetch it",
        Error::Timeout(_) => ": raise --timeout, or try again later",
        Error::TooLarge(_) if wanted == Wanted::Page => ": raise --max-bytes to read it all the same",
        Error::TooLarge(_) => ", the limit for feeds: save its newest entries, and name the file",
        Error::Dns(_) | Error::Connect { .. } => ": check the address and the network",
        Error::TooManyRedirects(_) => ", perhaps in a circle: check the address",
        Error::Tls { reason, .. } if reason.contains("certificate") => {
            ": check the address, or save the page from a browser"
        }
        Error::Tls { .. } => ": if the server speaks plain HTTP, try http://",
        Error::Encoding(_) | Error::Http(_) => "; try again later, or save the page from a browser",
        _ => "",
    };
    anyhow!("{error}{remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_a_number_of_seconds() {
        assert_eq!(seconds("30").unwrap(), Duration::from_secs(30));
        assert_eq!(seconds("0.5").unwrap(), Duration::from_millis(500));
        for wrong in ["0", "-1", "soon", "NaN", "inf", "1e300", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
