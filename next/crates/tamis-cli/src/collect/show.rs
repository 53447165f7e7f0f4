//! How `collect status` and `collect why` look.

use std::io::{self, Write};

use serde_json::json;
use tamis_collect::status::HostStatus;
use tamis_collect::why::History;

use crate::inert::inert;

pub(super) fn status_table(out: &mut dyn Write, hosts: &[HostStatus], now: i64) -> io::Result<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    let width = hosts.iter().map(|host| host.host.chars().count()).max().unwrap_or(0).clamp(4, 40);
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}  {:>7}  {:>8}  {:>9}  {:>9}  {:>10}",
        "host", "pages", "stories", "errors", "queued", "next due", "last hour", "rate"
    )?;
    for host in hosts {
        let due = host.next_due.map_or_else(|| "-".to_owned(), |due| until(due - now));
        writeln!(
            out,
            "{:width$}  {:>8}  {:>8}  {:>7}  {:>8}  {:>9}  {:>9}  {:>10}",
            inert(&host.host),
            host.pages,
            host.stories,
            host.errors,
            host.queued,
            due,
            host.last_hour,
            rate(host.delay)
        )?;
        let worker = host.worker.iter().map(|worker| format!("worked on by {worker}"));
        let notes = host.note.iter().map(|note| format!("held back: {note}"));
        let closed = host.closed.iter().map(|reason| format!("closed: {reason}"));
        let private = host.private.then(|| "private address: needs --allow-private".to_owned());
        let traps = host.traps.iter().map(|pattern| format!("trap: {pattern}"));
        for line in worker.chain(notes).chain(closed).chain(private).chain(traps) {
            writeln!(out, "  {}", inert(&line))?;
        }
    }
    let sum = |count: fn(&HostStatus) -> u64| hosts.iter().map(count).sum::<u64>();
    writeln!(
        out,
        "{:width$}  {:>8}  {:>8}  {:>7}  {:>8}",
        format!("{} hosts", hosts.len()),
        sum(|host| host.pages),
        sum(|host| host.stories),
        sum(|host| host.errors),
        sum(|host| host.queued)
    )
}

pub(super) fn status_lines(out: &mut dyn Write, hosts: &[HostStatus]) -> io::Result<()> {
    for host in hosts {
        let line = json!({
            "host": host.host, "pages": host.pages, "stories": host.stories, "errors": host.errors,
            "queued": host.queued, "next_due": host.next_due.map(time), "delay_ms": host.delay,
            "pages_last_hour": host.last_hour, "worker": host.worker, "note": host.note, "closed": host.closed,
            "private": host.private, "traps": host.traps,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

pub(super) fn history(out: &mut dyn Write, history: &History, now: i64) -> io::Result<()> {
    writeln!(out, "{}", inert(&history.url))?;
    match (&history.kind, history.found) {
        (Some(kind), Some(found)) => {
            writeln!(out, "  found      {} as {kind}, {} links from a seed", time(found), history.depth)?;
        }
        _ => writeln!(out, "  not known: no page, feed or sitemap that was fetched led to it")?,
    }
    for page in &history.found_on {
        writeln!(out, "  found on   {}", inert(page))?;
    }
    for visit in &history.visits {
        let status = visit.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
        writeln!(out, "  {}  {status:>3}  {}", time(visit.at), inert(&visit.outcome))?;
    }
    if let Some(outcome) = history.outcome.as_ref().filter(|_| history.visits.is_empty()) {
        writeln!(out, "  not visited: {}", inert(outcome))?;
    }
    if let Some(story) = history.story_id {
        writeln!(out, "  story      {story} (tamis corpus show {story})")?;
    }
    for obstacle in &history.obstacles {
        writeln!(out, "  obstacle   {}", inert(obstacle))?;
    }
    if history.kind.is_some() {
        match history.due {
            Some(due) if due <= now => writeln!(out, "  due        now ({} failures)", history.failures)?,
            Some(due) => writeln!(out, "  due        {} (in {})", time(due), until(due - now))?,
            None => writeln!(out, "  due        never")?,
        }
    }
    Ok(())
}

pub(super) fn history_line(out: &mut dyn Write, history: &History) -> io::Result<()> {
    let visits = history.visits.iter();
    let visits: Vec<_> = visits
        .map(|visit| json!({"at": time(visit.at), "status": visit.status, "outcome": visit.outcome}))
        .collect();
    let line = json!({
        "url": history.url, "kind": history.kind, "found": history.found.map(time), "found_on": history.found_on,
        "depth": history.depth, "due": history.due.map(time), "failures": history.failures,
        "outcome": history.outcome,
        "story": history.story_id, "visits": visits, "obstacles": history.obstacles,
    });
    writeln!(out, "{line}")
}

/// A time in UTC.
pub(crate) fn time(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis)
        .map_or_else(|_| millis.to_string(), |time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// A rough length of time.
fn until(millis: i64) -> String {
    let seconds = millis / 1_000;
    match seconds {
        ..=0 => "now".to_owned(),
        1..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Requests that the pause between them allows.
fn rate(delay: i64) -> String {
    match delay {
        ..=0 => "-".to_owned(),
        1..1_000 => format!("{:.1}/s", 1_000.0 / delay as f64),
        _ => format!("{:.1}/min", 60_000.0 / delay as f64),
    }
}
