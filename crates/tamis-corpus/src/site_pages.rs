//! Site memory in the corpus: the page records of each site's [`SiteProfile`].

use tamis_site::{DEFAULT_CAPACITY, PageRecord, SiteKey, SiteProfile};

use crate::database::Transaction;
use crate::error::Error;
use crate::params;

/// The profile of a site; empty if the site is unknown. Damaged records are skipped; others will replace them.
pub fn load_profile(tx: &mut Transaction<'_>, site: &SiteKey) -> Result<SiteProfile, Error> {
    let mut profile = SiteProfile::default();
    let sql = "SELECT key, record FROM site_page WHERE site = $1 ORDER BY key";
    tx.for_each(sql, params![site.as_str()], |mut row| {
        let bytes: Vec<u8> = row.take(1)?;
        if let Ok(record) = PageRecord::from_bytes(unordered(row.get(0)?), &bytes) {
            profile.insert(record);
        }
        Ok(())
    })?;
    Ok(profile)
}

/// Adds the record of a page to the profile of its site. Only the [`DEFAULT_CAPACITY`] smallest keys are kept, so the
/// sample is bounded and does not depend on the order of pages.
pub fn save_page_record(tx: &mut Transaction<'_>, site: &SiteKey, record: &PageRecord) -> Result<(), Error> {
    let key = ordered(record.key());
    let last = "SELECT key FROM site_page WHERE site = $1 ORDER BY key LIMIT 1 OFFSET $2";
    let capacity = DEFAULT_CAPACITY as i64;
    let full = tx.query_first(last, params![site.as_str(), capacity - 1])?;
    if let Some(row) = &full
        && key > row.get::<i64>(0)?
    {
        return Ok(());
    }
    let known = "SELECT record FROM site_page WHERE site = $1 AND key = $2";
    let known = match tx.query_first(known, params![site.as_str(), key])? {
        Some(mut row) => PageRecord::from_bytes(record.key(), &row.take::<Vec<u8>>(0)?).ok(),
        None => None,
    };
    // As in SiteProfile, the smaller of two versions is kept, whatever their order.
    if known.is_some_and(|known| known <= *record) {
        return Ok(());
    }
    tx.execute(
        "INSERT INTO site_page (site, key, record) VALUES ($1, $2, $3) \
         ON CONFLICT (site, key) DO UPDATE SET record = excluded.record",
        params![site.as_str(), key, &record.to_bytes()],
    )?;
    if full.is_some()
        && let Some(row) = tx.query_first(last, params![site.as_str(), capacity - 1])?
    {
        let last: i64 = row.get(0)?;
        tx.execute("DELETE FROM site_page WHERE site = $1 AND key > $2", params![site.as_str(), last])?;
    }
    Ok(())
}

/// Maps a key to a signed number, preserving the order.
fn ordered(key: u64) -> i64 {
    (key ^ 1 << 63) as i64
}

fn unordered(key: i64) -> u64 {
    key as u64 ^ 1 << 63
}

#[cfg(test)]
mod tests {
    use tamis::page::Page;

    use super::*;
    use crate::testing::for_each_database;

    #[test]
    fn the_stored_sample_is_that_of_the_profile() {
        let record = |number: usize| {
            let html = format!("<p>Story {number}.</p><p>All rights reserved.</p>");
            PageRecord::of(&Page::parse(&html), Some(&format!("https://example.com/{number}")))
        };
        let site = SiteKey::named("example.com").unwrap();
        let mut expected = SiteProfile::default();
        (0..200).for_each(|number| _ = expected.insert(record(number)));
        for_each_database(|mut corpus| {
            corpus
                .transaction(|tx| {
                    for number in (0..200).rev().chain(50..60) {
                        save_page_record(tx, &site, &record(number))?;
                    }
                    let other = SiteKey::named("example.org").ok_or(Error::Schema("no key"))?;
                    save_page_record(tx, &other, &record(0))
                })
                .unwrap();
            assert_eq!(corpus.read(|tx| load_profile(tx, &site)).unwrap(), expected);
            let sql = "SELECT count(*) FROM site_page WHERE site = 'example.com'";
            let stored: i64 = corpus.read(|tx| tx.query_value(sql, &[])).unwrap();
            assert_eq!(stored, DEFAULT_CAPACITY as i64);
        });
    }

    #[test]
    fn damaged_records_are_left_out() {
        for_each_database(|mut corpus| {
            let site = SiteKey::named("example.com").unwrap();
            let sql = "INSERT INTO site_page (site, key, record) VALUES ('example.com', 7, $1)";
            corpus.transaction(|tx| tx.execute(sql, params![&[1_u8, 2, 3][..]])).unwrap();
            assert!(corpus.read(|tx| load_profile(tx, &site)).unwrap().is_empty());
        });
    }
}
