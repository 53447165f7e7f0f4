//! Pages from the web: one request, with a timeout, a size limit and an honest name.

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
}

/// Long enough for a slow server, short enough not to hang.
const DEFAULT_TIMEOUT: &str = "30";

/// A number of seconds, as `--timeout` takes it.
fn seconds(argument: &str) -> Result<Duration> {
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
    use std::io::Read;

    use anyhow::bail;
    use ureq::ResponseExt;

    let too_large = || match wanted {
        Wanted::Page => {
            anyhow!("it has more than {} bytes: raise --max-bytes to read it all the same", bounds.bytes)
        }
        Wanted::Feed => {
            anyhow!(
                "it has more than {} bytes, which are read of a feed at most: save its newest entries, and name the file",
                bounds.bytes
            )
        }
    };
    let request = address.request()?;
    let mut response = agent(bounds.time).get(&request).call().map_err(|error| explained(error, bounds))?;
    let content_type =
        response.headers().get("content-type").and_then(|value| value.to_str().ok()).map(str::to_owned);
    if let Some(content_type) = &content_type
        && !may_be(wanted, content_type)
    {
        let wanted = if wanted == Wanted::Page { "web page" } else { "feed" };
        bail!("it is {content_type}, not a {wanted}");
    }
    let url = crate::address::without_secrets(&response.get_uri().to_string());
    let mut bytes = Vec::new();
    // What is packed is counted as it comes out: a small answer may unpack to anything.
    let mut body = response.body_mut().as_reader().take(u64::from(bounds.bytes) + 1);
    body.read_to_end(&mut bytes).map_err(|error| explained(ureq::Error::from(error), bounds))?;
    if bytes.len() > bounds.bytes as usize {
        return Err(too_large());
    }
    Ok(Fetched { bytes, content_type, url: Some(url) })
}

/// The client; one for the whole run, so that pages of one host share their connections.
#[cfg(feature = "fetch")]
fn agent(time: Duration) -> &'static ureq::Agent {
    use std::sync::OnceLock;

    use ureq::tls::{RootCerts, TlsConfig};

    static AGENT: OnceLock<ureq::Agent> = OnceLock::new();
    AGENT.get_or_init(|| {
        ureq::Agent::config_builder()
            .timeout_global(Some(time))
            .max_redirects(REDIRECTS)
            // Whom this system trusts, as other programs on it do.
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
            .user_agent(concat!("tamis/", env!("CARGO_PKG_VERSION"), " (text extraction)"))
            .accept("text/html, application/xhtml+xml, */*;q=0.5")
            .build()
            .new_agent()
    })
}

#[cfg(feature = "fetch")]
const REDIRECTS: u32 = 10;

/// What went wrong, and what to do about it. Never with the address as the client has it, which may hold a password.
#[cfg(feature = "fetch")]
fn explained(error: ureq::Error, bounds: Bounds) -> anyhow::Error {
    use ureq::Error;
    use ureq::http::StatusCode;

    match error {
        Error::StatusCode(code) => {
            let reason =
                StatusCode::from_u16(code).ok().and_then(|code| code.canonical_reason()).unwrap_or("");
            let remedy = match code {
                404 | 410 => "check the address",
                401 | 403 | 429 => "the server does not want to give it to programs: save it from a browser",
                _ => "try again later",
            };
            anyhow!("the server answers {code} {reason}; {remedy}")
        }
        Error::Timeout(_) => anyhow!(
            "it did not arrive within {} s: raise --timeout, or try again later",
            bounds.time.as_secs_f64()
        ),
        Error::HostNotFound => anyhow!("the host is not known: check the address and the network"),
        Error::TooManyRedirects => {
            anyhow!("it was redirected more than {REDIRECTS} times, perhaps in a circle: check the address")
        }
        Error::BadUri(_) | Error::Http(_) => anyhow!("it is, or leads to, an address that cannot be fetched"),
        error if is_tls(&error) && error.to_string().contains("certificate") => {
            anyhow!(
                "the server's certificate is not to be trusted ({error}): check the address, or save the page from a browser"
            )
        }
        error if is_tls(&error) => {
            anyhow!("there is no secure connection ({error}): if the server speaks plain HTTP, try http://")
        }
        Error::Io(error) => anyhow!("{error}: check the address and the network"),
        error => anyhow!("{error}"),
    }
}

/// Did the secure connection fail? The client wraps the reason in errors of reading and writing.
#[cfg(feature = "fetch")]
fn is_tls(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Rustls(_) | ureq::Error::Tls(_) | ureq::Error::Pem(_) => true,
        // What rustls has to say comes as the inside of this kind.
        ureq::Error::Io(error) => {
            error.kind() == std::io::ErrorKind::InvalidData && error.get_ref().is_some()
        }
        _ => false,
    }
}

/// Feeds are all that pages are, or JSON.
#[cfg(feature = "fetch")]
fn may_be(wanted: Wanted, content_type: &str) -> bool {
    let is_json = || content_type.split(';').next().is_some_and(|kind| kind.trim().ends_with("json"));
    may_be_page(content_type) || (wanted == Wanted::Feed && is_json())
}

/// Text and XML of any kind may be pages, and so may be what the server knows nothing of; what they say is looked at
/// later. Pictures and their like are not even loaded.
#[cfg(feature = "fetch")]
fn may_be_page(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind.is_empty()
        || kind.starts_with("text/")
        || kind.contains("html")
        || kind.ends_with("xml")
        || matches!(
            kind.as_str(),
            "application/octet-stream" | "binary/octet-stream" | "unknown/unknown" | "*/*"
        )
        || !kind.contains('/')
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

    #[cfg(feature = "fetch")]
    #[test]
    fn only_what_may_be_a_page_is_loaded() {
        for kind in ["text/html", "TEXT/HTML; charset=gbk", "application/xhtml+xml", "text/plain", "", "html"]
        {
            assert!(may_be_page(kind), "{kind}");
        }
        for kind in ["image/png", "application/pdf", "video/mp4", "application/json", "application/zip"] {
            assert!(!may_be_page(kind), "{kind}");
        }
        for (kind, may) in [
            ("application/feed+json", true),
            ("application/json; charset=utf-8", true),
            ("application/rss+xml", true),
            ("image/png", false),
        ] {
            assert_eq!(may_be(Wanted::Feed, kind), may, "{kind}");
        }
    }
}
