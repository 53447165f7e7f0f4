//! What a host's sites repeat, learned as pages come in.
//!
//! Until a site's profile is ripe its pages are extracted without it. Once it is, the stories stored before are extracted
//! again from the kept pages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tamis_site::{Known, PageRecord, SiteKey, SiteProfile};

use crate::error::Error;
use crate::host::Host;

/// Sites of one host that are held; a host of blogs has many.
const MAX_SITES: usize = 8;

#[derive(Default)]
pub(crate) struct SiteMemories {
    sites: Mutex<HashMap<SiteKey, Site>>,
}

struct Site {
    profile: SiteProfile,
    known: Option<Arc<Known>>,
    /// Pages when `known` was made.
    counted: usize,
    /// Stories from before the profile was ripe were looked for.
    revised: bool,
}

/// What is known of a page's site.
#[derive(Default)]
pub(crate) struct Knowledge {
    pub(crate) known: Option<Arc<Known>>,
    /// The page would become part of the sample.
    pub(crate) observe: bool,
    /// Too few pages are known to rely on them.
    pub(crate) unripe: bool,
}

impl SiteMemories {
    /// What is known of the site of `url`; read from the corpus on first use.
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
        // Counting out takes a while: again only when there is half as much more to count.
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

    /// Takes in a page whose record was committed.
    pub(crate) fn observe(&self, key: &SiteKey, record: PageRecord) {
        if let Some(site) = self.lock().get_mut(key) {
            site.profile.insert(record);
        }
    }

    /// Sites that have become ripe and whose first stories were not looked at yet.
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

/// Extracts the first stories of ripe sites again, without another fetch.
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
            // A page that fails now keeps the text it has.
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
