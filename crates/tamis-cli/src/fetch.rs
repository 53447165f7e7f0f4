//! Pages from the web: one request, with a timeout, a size limit and an honest name.

use anyhow::{Result, bail};

use crate::jobs::Fetched;

#[cfg(feature = "fetch")]
pub(crate) fn fetch(url: &str, max_bytes: u32) -> Result<Fetched> {
    use std::io::Read;
    use std::time::Duration;

    use anyhow::anyhow;

    /// Long enough for a slow server, short enough not to hang.
    const TIMEOUT: Duration = Duration::from_secs(30);
    const USER_AGENT: &str = concat!("tamis/", env!("CARGO_PKG_VERSION"), " (text extraction)");

    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .user_agent(USER_AGENT)
        .build()
        .new_agent();
    let mut response = agent.get(url).call().map_err(|error| anyhow!("cannot fetch {url}: {error}"))?;
    let content_type =
        response.headers().get("content-type").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut bytes = Vec::new();
    let mut body = response.body_mut().as_reader().take(u64::from(max_bytes) + 1);
    body.read_to_end(&mut bytes).map_err(|error| anyhow!("cannot fetch {url}: {error}"))?;
    if bytes.len() > max_bytes as usize {
        bail!("{url} has more than {max_bytes} bytes: raise --max-bytes to read it all the same");
    }
    Ok(Fetched { bytes, content_type })
}

#[cfg(not(feature = "fetch"))]
pub(crate) fn fetch(url: &str, _max_bytes: u32) -> Result<Fetched> {
    bail!(
        "cannot fetch {url}: this tamis was built without the feature `fetch`; build it with --features fetch, or save \
         the page and name the file"
    )
}
