//! The time of a run, in milliseconds since 1970: read once, then counted by a monotonic clock, so that changes of the
//! system clock have no effect. Workers that share a PostgreSQL server use its time, so that their leases agree.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tamis_corpus::Corpus;
use tamis_corpus::database::Dialect;
use tamis_dates::Moment;

use crate::error::Error;

/// Readings of the server's clock, of which the fastest counts. Workers whose clocks differ break each other's pauses.
const READINGS: usize = 5;

/// The clock of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: i64,
    start: Instant,
}

impl Clock {
    /// The clock of the PostgreSQL server; with SQLite, that of the machine.
    pub(crate) fn of(corpus: &mut Corpus) -> Result<Clock, Error> {
        if corpus.dialect() == Dialect::Sqlite {
            return Ok(Clock { began: system_time(), start: Instant::now() });
        }
        let mut best: Option<(Duration, Clock)> = None;
        for _ in 0..READINGS {
            let asked = Instant::now();
            let began = corpus.read(|transaction| {
                transaction
                    .query_value("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)", &[])
            })?;
            // Assumes that the server read its clock halfway; the fastest round trip has the smallest error.
            let took = asked.elapsed();
            if best.is_none_or(|(quickest, _)| took < quickest) {
                best = Some((took, Clock { began, start: asked + took / 2 }));
            }
        }
        Ok(best.map_or_else(|| Clock { began: system_time(), start: Instant::now() }, |(_, clock)| clock))
    }

    /// Milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.began.saturating_add(i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    /// When the run began.
    pub(crate) fn began(&self) -> i64 {
        self.began
    }
}

/// The time that runs on this corpus use, in milliseconds since 1970.
pub fn time_of(corpus: &mut Corpus) -> Result<i64, Error> {
    Ok(Clock::of(corpus)?.now())
}

/// The system time.
pub fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time from a feed or sitemap, in milliseconds since 1970; UTC if it has no zone.
pub(crate) fn milliseconds(moment: Moment) -> i64 {
    moment.to_unix() * 1_000
}
