//! `--fetched`: the reference time for relative dates; later dates are rejected.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow};
use tamis_dates::Moment;

/// A time as `--fetched` takes it.
pub(crate) fn moment(argument: &str) -> Result<Moment> {
    let seconds = argument.parse().ok().filter(|_| argument.len() > 4).and_then(Moment::from_unix);
    seconds.or_else(|| Moment::parse_iso(argument)).ok_or_else(|| {
        anyhow!("give a time such as 2010-12-15, 2010-12-15T08:30+01:00 or seconds since 1970")
    })
}

/// The given time, or else now for a page that came from the web just now.
pub(crate) fn or_now(given: Option<Moment>, is_from_the_web: bool) -> Option<Moment> {
    given.or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).ok().filter(|_| is_from_the_web)?;
        Moment::from_unix(i64::try_from(since.as_secs()).ok()?)
    })
}
