//! What all requests share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use tamis_batch::{KnownSites, StoredSites, Work, WorkOptions};
use tamis_fetch::{Client, Settings};
use tamis_methods::CustomModel;
use tamis_site::{RuleError, RuleSet};
use tokio::sync::Semaphore;

use crate::body::Memory;
use crate::config::{Config, SetupError};
use crate::data::Data;
use crate::metrics::Metrics;
use crate::options::WorkKey;
use crate::pool::Pool;
use crate::problem::{Answer, Problem};
use crate::routes::training::{self, Training};

/// Extractors that are held, each for one combination of options: clients choose those, and every one keeps memory of the
/// pages it has seen.
const MAX_WORKS: usize = 8;

/// What all requests share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Shared>);

struct Shared {
    config: Config,
    pool: Pool,
    memory: Memory,
    requests: Arc<Semaphore>,
    metrics: Metrics,
    client: Option<Client>,
    fetches: Semaphore,
    sites: Option<Arc<StoredSites>>,
    data: Data,
    model: RwLock<Option<CustomModel>>,
    works: Mutex<HashMap<WorkKey, Arc<Work>>>,
    draining: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("config", &self.config).finish_non_exhaustive()
    }
}

impl AppState {
    /// Checks the configuration and opens what it names.
    pub fn new(config: Config) -> Result<AppState, SetupError> {
        config.check()?;
        let client = config.allow_fetch.then(|| {
            let mut settings = Settings::default();
            (settings.timeout, settings.connect_timeout) = (config.fetch_timeout, config.fetch_timeout);
            settings.max_body = config.limits.max_bytes.into();
            settings.allow_private = config.allow_private;
            Client::new(settings)
        });
        let sites = config.sites.clone().map(StoredSites::open).transpose()?;
        // What is being fetched may take as much memory as all bodies.
        let fetches = config.limits.max_memory / config.limits.max_bytes.max(1);
        Ok(AppState(Arc::new(Shared {
            pool: Pool::new(config.limits),
            memory: Memory::new(config.limits.max_memory),
            requests: Arc::new(Semaphore::new(config.limits.max_requests)),
            metrics: Metrics::default(),
            client: client.transpose()?,
            fetches: Semaphore::new(fetches.max(1) as usize),
            sites: sites.map(Arc::new),
            data: Data::open(&config)?,
            model: RwLock::new(match config.model.clone() {
                Some(model) => Some(model),
                None => training::kept(&config)?,
            }),
            works: Mutex::default(),
            draining: AtomicBool::new(false),
            config,
        })))
    }

    /// How the server is set up.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Where work that takes processor time or blocks is done.
    pub fn pool(&self) -> &Pool {
        &self.0.pool
    }

    /// The model in place of the built-in one.
    pub fn model(&self) -> Option<CustomModel> {
        self.0.model.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes this the model of all requests from now on; nothing stands for the built-in one.
    pub fn set_model(&self, model: Option<CustomModel>) {
        *self.0.model.write().unwrap_or_else(PoisonError::into_inner) = model;
        self.0.works.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The extractor for these options, kept from request to request because it reuses memory.
    pub(crate) fn work(&self, key: WorkKey) -> Answer<Arc<Work>> {
        let rules = match &key.rules {
            None => self.0.config.rules.clone(),
            Some(rules) => {
                let rules = RuleSet::parse(rules).map_err(|error| {
                    let RuleError { line, column, problem } = error;
                    Problem::bad_request(format!("rules, line {line}, column {column}: {problem}"))
                })?;
                // Rules in the making are used once or twice.
                return Ok(Arc::new(self.new_work(&key, Some(Arc::new(rules)))));
            }
        };
        let mut works = self.0.works.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = works.get(&key) {
            return Ok(work.clone());
        }
        if works.len() >= MAX_WORKS {
            works.clear();
        }
        let work = Arc::new(self.new_work(&key, rules));
        works.insert(key, work.clone());
        Ok(work)
    }

    fn new_work(&self, key: &WorkKey, rules: Option<Arc<RuleSet>>) -> Work {
        Work::new(WorkOptions {
            model: self.model().filter(|model| model.serves(key.method)),
            sites: self.0.sites.clone().map(|sites| sites as Arc<dyn KnownSites>),
            rules,
            ..key.work_options(&self.0.config.limits)
        })
    }

    /// What is kept: corpus, site memory, training.
    pub(crate) fn data(&self) -> &Data {
        &self.0.data
    }

    /// The training.
    pub(crate) fn training(&self) -> MutexGuard<'_, Training> {
        self.0.data.training.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The site memory as extractors read it.
    pub(crate) fn sites(&self) -> Option<&StoredSites> {
        self.0.sites.as_deref()
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.0.memory
    }

    pub(crate) fn requests(&self) -> &Arc<Semaphore> {
        &self.0.requests
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// The HTTP client, if fetching is allowed.
    pub(crate) fn client(&self) -> Option<&Client> {
        self.0.client.as_ref()
    }

    /// Turns for fetching.
    pub(crate) fn fetches(&self) -> &Semaphore {
        &self.0.fetches
    }

    pub(crate) fn start_draining(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }
}
