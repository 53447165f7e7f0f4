//! Polite collector: fetches the stories of a list of sites into a corpus and keeps it up to date.
//!
//! ```no_run
//! use std::sync::Arc;
//! use tamis_collect::{Settings, Stop, run, seeds};
//! use tamis_corpus::{Corpus, Engine, EngineSettings, database::Target};
//!
//! let target: Target = "corpus.db".parse()?;
//! let mut corpus = Corpus::open_or_create(&target)?;
//! seeds::add(&mut corpus, &["https://example.com/".to_owned()], tamis_collect::system_time())?;
//! drop(corpus);
//! let settings = Settings { contact: Some("mailto:ops@example.org".to_owned()), ..Settings::default() };
//! let engine = Engine::new(EngineSettings::default());
//! let summary = run(&target, engine, settings, &Stop::default(), Arc::new(|event| println!("{event:?}")))?;
//! println!("{} new stories", summary.stories);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The steps of a visit:
//!
//! 1. `frontier` leases a host with due URLs and picks one;
//! 2. `robots_cache` and `limiter` decide whether and when it may be fetched;
//! 3. `interpret` turns the response into a `Plan`: a story, links, a feed, a redirect, a failure;
//! 4. `commit` applies the plan in one transaction.
//!
//! The frontier is in the corpus database, so a killed process loses only the pages in flight. Workers that share a
//! PostgreSQL database lease hosts, so each host has one worker and one rate limit.
//!
//! It does not run scripts, log in, solve captchas, or ignore robots.txt.

mod clock;
mod commit;
mod error;
mod event;
pub mod feed;
mod frontier;
mod host;
mod interpret;
pub mod interval;
mod limiter;
pub mod links;
pub mod next_part;
mod plan;
pub mod robots;
mod robots_cache;
mod run;
pub mod scope;
pub mod seeds;
mod settings;
mod site_memory;
pub mod sitemap;
pub mod status;
mod stop;
mod store;
mod traps;
mod turn;
pub mod urls;
pub mod why;

pub use clock::{system_time, time_of};
pub use error::Error;
pub use event::{Event, Observer};
pub use run::{Summary, run};
pub use settings::{AGENT, Settings};
pub use stop::Stop;
