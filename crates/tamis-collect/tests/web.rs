//! The whole test web, on both databases: every allowed story once, no forbidden request, no rate limit broken.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests are outside of test functions"
)]

mod common;

use std::time::Duration;

use common::{DELAY, Place, add_seeds, assert_none, collect, compare, count, manners, settings, stored};
use tamis_collect::interval::Interval;
use tamis_testweb::{Kind, Settings, Story, Web};

fn whole_web(place: &Place, first_address: u8, stories: usize) {
    let web = Web::start(Settings { stories, first_address, ..Settings::default() });
    add_seeds(place, &web);
    let start = std::time::Instant::now();
    let summary = collect(place, settings());
    println!("{summary:?} in {:.1} s", start.elapsed().as_secs_f64());
    println!("{} requests into traps", web.trap_hits());
    let mut faults = manners(&web, DELAY);
    faults.extend(web.fetched_twice());
    faults.extend(compare(&stored(place), web.truth()));
    assert_none("after one run", &faults);
}

#[test]
fn every_story_is_stored_once_in_sqlite() {
    whole_web(&Place::sqlite(), 10, 4_000);
}

#[test]
fn every_story_is_stored_once_in_postgres() {
    if let Some(place) = Place::postgres("web") {
        whole_web(&place, 50, 4_000);
    }
}

/// Visits everything twice; stories change in between.
fn two_visits(place: &Place, first_address: u8) {
    let kinds = [Kind::Changing, Kind::Plain, Kind::Rss];
    let web = Web::start(Settings { first_address, change_on_refetch: false, ..Settings::of(&kinds, 90) });
    add_seeds(place, &web);
    // Everything is due again at once; without `watch`, that is left to the next run.
    let moment = Duration::from_millis(1);
    let settings =
        || tamis_collect::Settings { interval: Interval { min: moment, max: moment }, ..settings() };
    let first = collect(place, settings());
    assert_none("first visit", &compare(&stored(place), web.truth()));
    assert_eq!((first.stories, first.revised), (90, 0));
    let pages = web.log().len();
    web.publish_revisions();
    web.clear_log();
    let second = collect(place, settings());
    assert_none("second visit", &manners(&web, DELAY));
    let log = web.log();
    assert!(log.len() <= pages && log.len() >= 90, "{} requests after {pages}", log.len());
    let unconditional: Vec<String> =
        log.iter().filter(|hit| !hit.conditional).map(|hit| hit.path.clone()).collect();
    assert_none("unconditional requests", &unconditional);
    let changed: Vec<&Story> = web.truth().iter().filter(|story| story.update.is_some()).collect();
    assert_eq!((second.stories, second.revised), (0, changed.len() as u64));
    let after = stored(place);
    for story in changed {
        let update = story.update.as_deref().unwrap();
        let found = after.iter().find(|stored| stored.identity == story.url).unwrap();
        assert!(found.text.contains(update), "{}", story.url);
        assert_eq!(found.revisions, 1, "{}", story.url);
    }
    let kept = "SELECT count(*) FROM revision";
    assert_eq!(count(place, kept), 30, "the first version of every changed story");
}

#[test]
fn revisits_are_conditional_and_changes_become_revisions() {
    two_visits(&Place::sqlite(), 90);
    if let Some(place) = Place::postgres("revisits") {
        two_visits(&place, 95);
    }
}
