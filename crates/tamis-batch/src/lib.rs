//! Extracts collections of pages: directories, JSON lines, Parquet files and WARC archives in, one row per page out, on
//! all cores, in bounded memory, resumable.
//!
//! ```
//! use tamis_batch::{Inputs, Run, Target, Watch};
//!
//! let folder = std::env::temp_dir().join(format!("tamis-batch-{}", std::process::id()));
//! std::fs::create_dir_all(&folder).unwrap();
//! let page = r#"{"url":"https://example.com/rain","html":"<p>It rained in the harbour on Monday, all day long."}"#;
//! std::fs::write(folder.join("pages.jsonl"), page).unwrap();
//!
//! let inputs = Inputs::new(&[folder.join("*.jsonl").display().to_string()])?;
//! let run = Run::new(inputs, Target::to(folder.join("rows.jsonl")));
//! let report = run.run(&Watch::default(), &|damage| eprintln!("{damage}"))?;
//! assert_eq!(report.summary.texts(), 1);
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok::<(), tamis_batch::Error>(())
//! ```
//!
//! - [`Run`] is a whole run: it reads [`Inputs`], makes a [`Record`] of every page with [`Work`], drops records by a
//!   [`Filter`], writes the rest to a [`Target`], and counts every page in a [`Summary`].
//! - A page that fails becomes a row with its error; so does damage to a file, with file and offset. Reading continues
//!   after it.
//! - [`Watch`] reports the progress of a run and stops it. A run that was stopped or killed resumes when started again.
//! - [`RawPages`] reads inputs without extracting, for callers that store pages; [`Sketch`] finds near-duplicates.
//! - [`Work::extract`] is for callers that already have the pages, such as batches of Arrow.
//!
//! It does not fetch pages.

#[cfg(feature = "arrow")]
pub mod arrow;
mod block_record;
mod bounds;
mod chunking;
mod error;
mod fields;
mod filter;
mod http;
mod input_fields;
mod inputs;
mod item;
mod items;
mod links;
mod mhtml;
mod output_name;
mod page_error;
mod page_in;
mod parallel;
mod pipeline;
mod post_record;
mod raw_pages;
mod read;
mod record;
mod run;
mod run_key;
mod seen;
mod sites;
mod sketch;
mod state;
mod summary;
mod take_apart;
mod time;
mod unwrapped;
mod work;
mod write;

pub use block_record::BlockRecord;
pub use bounds::Bounds;
pub use chunking::{Chunking, InvalidChunking};
pub use error::Error;
pub use fields::{Fields, RecordField, UnknownField};
pub use filter::{Filter, Removed};
pub use input_fields::{InputFields, TakenField};
pub use inputs::Inputs;
pub use item::Place;
pub use links::{Link, Picture, images, links};
pub use output_name::{CommonFolder, output_file, output_file_for_url};
pub use page_error::{PageError, guarded};
pub use page_in::{Html, PageIn};
pub use parallel::in_order;
pub use pipeline::Watch;
pub use raw_pages::{RawContent, RawPage, RawPages, ReadError};
pub use record::{Record, VERSION};
pub use run::{Report, Run};
pub use sites::{KnownSites, Memories, StoredSites};
pub use sketch::{Near, Sketch};
pub use summary::{Summary, counted};
pub use time::{now, parse as parse_time};
pub use unwrapped::Unwrapped;
pub use work::{Work, WorkOptions};
pub use write::{Form, Target};
