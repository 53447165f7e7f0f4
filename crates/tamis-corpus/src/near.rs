//! Near-duplicates: stories whose texts share most of their shingles form a group.
//!
//! Stories that share a band of MinHash values are candidates; the values estimate their similarity. The id of a group
//! is that of one of its stories; a story without near-duplicates has no group.

use std::sync::LazyLock;

use tamis_batch::{Near, Sketch};

use crate::database::{Param, Transaction};
use crate::error::Error;
use crate::params;

/// Minimum similarity of near-duplicates.
const LIKENESS: f32 = 0.8;
/// Candidates per band, oldest first; for ubiquitous texts, a few suffice. 64 in all 16 bands.
const CANDIDATES_PER_BAND: usize = 4;
/// Bands of [`Near`].
const BANDS: usize = 16;
/// Shorter texts, such as captions or corrections, are similar by chance.
const MIN_WORDS: usize = 20;
/// The same for texts without spaces, in characters.
const MIN_CHARACTERS: usize = 40;

/// MinHash values of a text; `None` if it is too short to be grouped.
pub(crate) fn of(text: &str) -> Option<Box<Near>> {
    let long = text.split_whitespace().nth(MIN_WORDS - 1).is_some()
        || text.chars().filter(|c| is_unspaced(*c)).nth(MIN_CHARACTERS - 1).is_some();
    if long { Sketch::of(text, true)?.near } else { None }
}

/// Whether a character is of a script written without spaces: Thai, Lao, Myanmar, Khmer, kana, Han.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Replaces the bands of a story and updates its group. `group` is the previous one.
pub(crate) fn replace(
    tx: &mut Transaction<'_>,
    story_id: i64,
    near: Option<&Near>,
    group: Option<i64>,
) -> Result<(), Error> {
    tx.execute("DELETE FROM band WHERE story_id = $1", params![story_id])?;
    insert(tx, story_id, near, group)
}

/// Like [`replace`], for a story that has no bands.
pub(crate) fn insert(
    tx: &mut Transaction<'_>,
    story_id: i64,
    near: Option<&Near>,
    group: Option<i64>,
) -> Result<(), Error> {
    let found = match near {
        Some(near) => find(tx, story_id, near)?,
        None => None,
    };
    if let Some(near) = near {
        let mut bands = near.bands.map(|band| band as i64);
        bands.sort_unstable();
        let parameters: Vec<Param<'_>> =
            bands.iter().flat_map(|band| [Param::from(*band), story_id.into()]).collect();
        tx.insert_many("INSERT INTO band (hash, story_id)", 2, "ON CONFLICT DO NOTHING", &parameters)?;
    }
    match found {
        Some((_, found)) if found.is_some() && found == group => Ok(()),
        _ => {
            if let Some(group) = group {
                leave(tx, story_id, group)?;
            }
            found.map_or(Ok(()), |(match_id, found)| enter(tx, story_id, match_id, found))
        }
    }
}

/// `$1` is the story, the other parameters are its bands.
static CANDIDATES: LazyLock<String> = LazyLock::new(|| {
    let band = |number: usize| {
        format!(
            "SELECT story_id FROM (SELECT story_id FROM band WHERE hash = ${number} ORDER BY story_id \
             LIMIT {CANDIDATES_PER_BAND}) AS band{number}"
        )
    };
    let bands = (2..BANDS + 2).map(band).collect::<Vec<_>>().join(" UNION ALL ");
    format!("SELECT id, group_id, near FROM story WHERE id <> $1 AND id IN ({bands}) ORDER BY id")
});

/// The oldest near-duplicate and its group.
fn find(tx: &mut Transaction<'_>, story_id: i64, near: &Near) -> Result<Option<(i64, Option<i64>)>, Error> {
    let mut parameters = vec![Param::from(story_id)];
    parameters.extend(near.bands.iter().map(|band| Param::from(*band as i64)));
    for mut row in tx.query(&CANDIDATES, &parameters)? {
        let bins: Option<Vec<u8>> = row.take(2)?;
        let alike = bins
            .and_then(|bins| bins.try_into().ok())
            .is_some_and(|bins| Near::likeness(&near.bins, &bins) >= LIKENESS);
        if alike {
            return Ok(Some((row.get(0)?, row.get(1)?)));
        }
    }
    Ok(None)
}

fn enter(tx: &mut Transaction<'_>, story_id: i64, match_id: i64, group: Option<i64>) -> Result<(), Error> {
    let group = match group {
        Some(group) => group,
        None => {
            tx.execute(
                "UPDATE story SET group_id = id WHERE id = $1 AND group_id IS NULL",
                params![match_id],
            )?;
            // Another writer may have assigned a group meanwhile.
            let group: Option<i64> =
                tx.query_value("SELECT group_id FROM story WHERE id = $1", params![match_id])?;
            group.unwrap_or(match_id)
        }
    };
    tx.execute("UPDATE story SET group_id = $2 WHERE id = $1", params![story_id, group])?;
    Ok(())
}

fn leave(tx: &mut Transaction<'_>, story_id: i64, group: i64) -> Result<(), Error> {
    tx.execute("UPDATE story SET group_id = NULL WHERE id = $1", params![story_id])?;
    let left = tx.query_first("SELECT count(*), min(id) FROM story WHERE group_id = $1", params![group])?;
    let (count, first): (i64, Option<i64>) = match left {
        Some(row) => (row.get(0)?, row.get(1)?),
        None => (0, None),
    };
    let name = if count > 1 { first } else { None };
    // A group keeps its id as long as that story belongs to it.
    if count == 1 || group == story_id {
        tx.execute("UPDATE story SET group_id = $2 WHERE group_id = $1", params![group, name])?;
    }
    Ok(())
}
