//! Pages from the web: the client of `tamis-fetch` behind a blocking call, and its errors with remedies.

use anyhow::{Result, anyhow};

use crate::address::Address;
use crate::flags::FetchFlags;
use crate::input::RawPage;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Page,
    Feed,
}

pub(crate) fn fetch(address: &Address, wanted: Wanted, flags: FetchFlags, max_bytes: u32) -> Result<RawPage> {
    fetched(address, wanted, flags, max_bytes)
        .map_err(|error| anyhow!("cannot fetch {}: {error}", address.shown()))
}

#[cfg(not(feature = "fetch"))]
fn fetched(_: &Address, _: Wanted, _: FetchFlags, _: u32) -> Result<RawPage> {
    Err(anyhow!("this tamis was built without the feature `fetch`: save the page and name the file"))
}

#[cfg(feature = "fetch")]
fn fetched(address: &Address, wanted: Wanted, flags: FetchFlags, max_bytes: u32) -> Result<RawPage> {
    use anyhow::bail;
    use tamis_fetch::{Accept, Request};

    let (accept, name) = match wanted {
        Wanted::Page => (Accept::Page, "web page"),
        Wanted::Feed => (Accept::Feed, "feed"),
    };
    let mut request = Request::new(address.url()?, accept);
    request.max_body = Some(u64::from(max_bytes));
    let (runtime, client) = client(flags)?;
    let response =
        runtime.block_on(client.get_following(&request)).map_err(|error| explained(error, wanted))?;
    if !response.is_success() || response.status == 204 {
        bail!("the server answers {}", refusal(&response));
    }
    let content_type = response.content_type().map(str::to_owned);
    if response.skipped {
        let kind: String = content_type.unwrap_or_default().chars().take(100).collect();
        bail!("it is {kind}, not a {name}");
    }
    let url = Some(response.url.into());
    let page = RawPage { bytes: response.body, content_type, url, fetched: true, fault: None };
    match wanted {
        Wanted::Page => page.unpacked(max_bytes),
        Wanted::Feed => Ok(page),
    }
}

/// The runtime and the client; one for the whole run, so that pages of one host share their connections.
#[cfg(feature = "fetch")]
fn client(flags: FetchFlags) -> Result<&'static (tokio::runtime::Runtime, tamis_fetch::Client)> {
    use std::sync::OnceLock;

    use tamis_fetch::{Client, Settings};

    static CLIENT: OnceLock<Result<(tokio::runtime::Runtime, Client), String>> = OnceLock::new();
    let build = || -> Result<_> {
        let mut settings = Settings::default();
        // Users have one flag for both.
        (settings.connect_timeout, settings.timeout) = (flags.fetch_timeout, flags.fetch_timeout);
        settings.allow_private = flags.allow_private;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok((runtime, Client::new(settings)?))
    };
    let built = CLIENT.get_or_init(|| build().map_err(|error| error.to_string()));
    built.as_ref().map_err(|error| anyhow!("{error}"))
}

/// The status of a response that has no page, and what to do about it.
#[cfg(feature = "fetch")]
fn refusal(response: &tamis_fetch::Response) -> String {
    let remedy = match response.status {
        204 => "it has no page at this URL: check the URL".to_owned(),
        304 => "it sends no page, as if it had been fetched before: try again later".to_owned(),
        404 | 410 => "check the URL".to_owned(),
        401 | 403 | 999 => "it does not serve this page to programs: save it from a browser".to_owned(),
        429 => match response.retry_after(response.received).map(|wait| wait.as_secs()) {
            Some(wait @ 1..) => format!("too many requests: wait {wait} s, then try again"),
            _ => "too many requests: wait a while, then try again".to_owned(),
        },
        _ => "try again later".to_owned(),
    };
    let reason = response.reason().unwrap_or("(not a standard status)");
    format!("{} {reason}; {remedy}", response.status)
}

/// What went wrong, and what to do about it.
#[cfg(feature = "fetch")]
fn explained(error: tamis_fetch::Error, wanted: Wanted) -> anyhow::Error {
    use tamis_fetch::Error;

    let remedy = match &error {
        Error::Refused { .. } => "; pass --allow-private to fetch it",
        Error::Timeout(_) => ": raise --fetch-timeout, or try again later",
        Error::TooLarge(_) if wanted == Wanted::Page => ": raise --max-bytes",
        Error::TooLarge(_) => ", the limit for feeds: save its newest entries and name the file",
        Error::Dns(_) | Error::Connect { .. } => ": check the URL and the network",
        Error::TooManyRedirects(_) => ", perhaps in a loop: check the URL",
        Error::Tls { reason, .. } if reason.contains("certificate") => {
            ": check the URL, or save the page from a browser"
        }
        Error::Tls { .. } => ": if the server speaks plain HTTP, try http://",
        Error::Encoding(_) | Error::Http(_) => "; try again later, or save the page from a browser",
        _ => "",
    };
    anyhow!("{error}{remedy}")
}
