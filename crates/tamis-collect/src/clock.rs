//! The time of a run, in milliseconds since 1970: read once, then counted by a monotonic clock, so that changes of the
//! system clock have no effect. Workers that share a PostgreSQL server use its time, so that their leases agree.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tamis_corpus::Corpus;
use tamis_corpus::database::Dialect;
use tamis_dates::Moment;

use crate::error::Error;

/// How often the server is asked for its time. Workers whose clocks differ break each other's pauses.
const READINGS: usize = 5;

/// The clock of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: i64,
    start: Instant,
}

impl Clock {
    /// The clock of the server where there is one, else the machine's.
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
            // The server read its clock about halfway; the quickest answer is the most exact one.
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

/// The machine's time.
pub fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The time of a feed or sitemap. Without a zone it counts as UTC.
pub(crate) fn milliseconds(moment: Moment) -> i64 {
    moment.to_unix() * 1_000
}
