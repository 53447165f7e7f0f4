//! The site memories of a host, learned during collection.
//!
//! A site's profile is *ripe* once it has enough pages. Until then, pages are extracted without it; afterwards, the
//! stories stored before are extracted again from the stored pages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tamis_site::{Known, PageRecord, SiteKey, SiteProfile};

use crate::error::Error;
use crate::host::Host;

/// Site memories cached per host; a blog host has many sites.
const MAX_SITES: usize = 8;

#[derive(Default)]
pub(crate) struct SiteMemories {
    sites: Mutex<HashMap<SiteKey, Site>>,
}

struct Site {
    profile: SiteProfile,
    known: Option<Arc<Known>>,
    /// Number of pages when `known` was computed.
    counted: usize,
    /// Whether the stories from before the profile was ripe have been extracted again.
    revised: bool,
}

/// The memory of a page's site.
#[derive(Default)]
pub(crate) struct Knowledge {
    pub(crate) known: Option<Arc<Known>>,
    /// The page would become part of the sample.
    pub(crate) observe: bool,
    /// Too few pages are known.
    pub(crate) unripe: bool,
}

impl SiteMemories {
    /// The memory of the site of `url`; loaded from the corpus on first use.
    pub(crate) async fn of(&self, host: &Host, url: &str) -> Result<Knowledge, Error> {
        let Some(key) = SiteKey::from_url(url) else { return Ok(Knowledge::default()) };
        if !self.lock().contains_key(&key) {
            let wanted = key.clone();
            let profile = host
                .run
                .store
                .call(move |corpus| Ok(corpus.read(|tx| tamis_corpus::load_profile(tx, &wanted))?));
            let profile = profile.await?;
            let mut sites = self.lock();
            if sites.len() >= MAX_SITES {
                sites.clear();
            }
            sites.insert(key.clone(), Site { profile, known: None, counted: 0, revised: false });
        }
        let ripe = host.run.settings.ripe as usize;
        let mut sites = self.lock();
        let Some(site) = sites.get_mut(&key) else { return Ok(Knowledge::default()) };
        let pages = site.profile.len();
        // Recounting is expensive, so only after the sample has grown by half.
        if pages >= ripe && (site.counted == 0 || pages * 2 >= site.counted * 3) {
            site.known = Some(Arc::new(site.profile.known()));
            site.counted = pages;
        }
        Ok(Knowledge {
            known: site.known.clone(),
            observe: site.profile.has_room_for(PageRecord::key_of_url(url)),
            unripe: pages < ripe,
        })
    }

    /// Adds a committed record.
    pub(crate) fn observe(&self, key: &SiteKey, record: PageRecord) {
        if let Some(site) = self.lock().get_mut(key) {
            site.profile.insert(record);
        }
    }

    /// Sites that became ripe and whose first stories have not been extracted again yet.
    fn newly_ripe(&self, ripe: usize) -> Vec<(SiteKey, Arc<Known>)> {
        let mut newly = Vec::new();
        for (key, site) in self.lock().iter_mut() {
            if !site.revised && site.profile.len() >= ripe {
                site.revised = true;
                let known = site.known.get_or_insert_with(|| Arc::new(site.profile.known()));
                site.counted = site.profile.len();
                newly.push((key.clone(), Arc::clone(known)));
            }
        }
        newly
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SiteKey, Site>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Extracts the first stories of ripe sites again, without fetching them.
pub(crate) async fn revise_first_stories(host: &Host) -> Result<(), Error> {
    let ripe = host.run.settings.ripe;
    for (site, known) in host.memories.newly_ripe(ripe as usize) {
        let name = host.lease.host.clone();
        let stories = host
            .run
            .store
            .call(move |corpus| Ok(corpus.read(|tx| tamis_corpus::ripe_stories(tx, &name, &site, ripe))?));
        for story in stories.await? {
            if host.run.stop.requested() {
                return Ok(());
            }
            let load =
                host.run.store.call(move |corpus| Ok(corpus.read(|tx| tamis_corpus::load_pages(tx, story))?));
            let Some(pages) = load.await? else { continue };
            let (engine, known) = (host.run.engine.clone(), Arc::clone(&known));
            let extracted = host.run.compute(move || pages.extract(&engine, Some(&known))).await;
            // If extraction fails, the story keeps its text.
            let Some(Ok(replacement)) = extracted else { continue };
            let keep_raw = host.run.settings.keep_raw;
            host.run
                .store
                .call(move |corpus| {
                    Ok(corpus.transaction(|tx| {
                        tamis_corpus::replace_story(tx, &replacement)?;
                        if !keep_raw {
                            tx.execute("DELETE FROM raw WHERE story_id = $1", tamis_corpus::params![story])?;
                        }
                        Ok(())
                    })?)
                })
                .await?;
        }
    }
    Ok(())
}
