//! The whole test web, on both databases: every allowed story once, no forbidden request, no rate limit broken.

mod common;

use common::{DELAY, Place, add_seeds, assert_none, collect, compare, manners, settings, stored};
use tamis_testweb::{Settings, Web};

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
    whole_web(&Place::sqlite(), 10, 600);
}

#[test]
fn every_story_is_stored_once_in_postgres() {
    if let Some(place) = Place::postgres("web") {
        whole_web(&place, 50, 600);
    }
}
