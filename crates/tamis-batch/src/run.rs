//! A run: pages in, rows out, resumable after any interruption.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tamis_site::{Learner, PageRecord, SiteKey};
use tempfile::TempDir;

use crate::error::Error;
use crate::fields::Fields;
use crate::filter::{Filter, Removed};
use crate::input_fields::InputFields;
use crate::inputs::Inputs;
use crate::item::{Body, Failure, Item, Mark};
use crate::page_error::guarded;
use crate::pipeline::{self, Finished, Reading, Watch};
use crate::record::Record;
use crate::seen::Seen;
use crate::sites::StoredSites;
use crate::sketch::Sketch;
use crate::state::{Folder, Opened, Saved};
use crate::summary::Summary;
use crate::take_apart::Taken;
use crate::work::{Work, WorkOptions};
use crate::write::{Boundary, Form, ItemName, Output, Prepared, Target};

/// Maximum time between saves of the state.
const BETWEEN_SAVES: Duration = Duration::from_secs(3);

/// A run and its settings.
#[derive(Debug)]
pub struct Run {
    /// The inputs.
    pub inputs: Inputs,
    /// Names of fields and columns of the input, and which are kept.
    pub input_fields: InputFields,
    /// How pages become records, and which fields are written.
    pub work: Work,
    /// Which rows are kept.
    pub filter: Filter,
    /// The output.
    pub target: Target,
    /// Worker threads. Default: one per core.
    pub threads: usize,
    /// Whether rows are in the order of the input (default). If not, either of two duplicates may be removed.
    pub ordered: bool,
    /// A site memory file to use.
    pub memory: Option<PathBuf>,
    /// Whether the sites of the input are learned in a first pass, into the site memory if there is one. Standard input
    /// cannot be read twice.
    pub learn: bool,
    /// Whether to replace an existing output and discard an interrupted run.
    pub force: bool,
    /// Rows between saves of the state, which is also saved every three seconds. Parquet output saves after each row
    /// group.
    pub save_rows: u64,
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The counts of this and all earlier parts of the run.
    pub summary: Summary,
    /// Whether the run is complete, not stopped.
    pub complete: bool,
    /// Whether it resumed an interrupted run.
    pub resumed: bool,
    /// Whether the same run was done before. The summary is then that of the earlier run.
    pub repeated: bool,
    /// Whether nothing could be read, so that an existing output was left unchanged.
    pub kept: bool,
}

/// The result of an item.
enum Outcome {
    NoAnswer,
    OtherFile,
    /// Failed, but part of the text was read.
    Row {
        prepared: Prepared,
        sketch: Option<Sketch>,
        bytes: u64,
        failed: Option<Box<(String, Failure)>>,
        has_text: bool,
    },
    Removed {
        why: Removed,
        bytes: u64,
    },
}

impl Run {
    /// A run with default settings. The output is never an input, even if it is in an input directory.
    pub fn new(inputs: Inputs, target: Target) -> Run {
        Run {
            inputs: inputs.without(target.path.as_deref()),
            input_fields: InputFields::default(),
            work: Work::default(),
            filter: Filter::default(),
            target,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            ordered: true,
            memory: None,
            learn: false,
            force: false,
            save_rows: 5_000,
        }
    }

    /// Runs or resumes. `tell` gets a message for every damaged part of a file.
    pub fn run(&self, watch: &Watch, tell: &dyn Fn(&str)) -> Result<Report, Error> {
        let fields = self.target.fields(self.work.options().fields);
        if self.learn && self.inputs.has_stdin() {
            let why = "standard input cannot be read twice: name the files".to_owned();
            return Err(Error::NoInput { input: "-".to_owned(), why });
        }
        if self.target.form == Form::Parquet && !cfg!(feature = "parquet") {
            return Err(Error::NoParquet);
        }
        self.target.check()?;
        self.inputs.check_output()?;
        let (mut folder, mut saved) = match &self.target.path {
            Some(path) => match Folder::open(path, &self.key(), self.force)? {
                Opened::Run(folder, saved) => (Some(folder), *saved),
                Opened::Done(summary) => {
                    let (complete, resumed, repeated) = (true, true, true);
                    return Ok(Report { summary, complete, resumed, repeated, kept: false });
                }
            },
            None => (None, Saved::default()),
        };
        let resumed = saved.next > 0 || saved.complete || saved.learned;
        let mut output = self.target.open(folder.as_ref(), saved.output, fields, &self.input_fields.keep)?;
        if !saved.complete {
            let computed = fields.with(&self.filter.fields().iter().collect::<Vec<_>>());
            let mut options = WorkOptions { fields: computed, ..self.work.options().clone() };
            // For sites learned for standard output; deleted at the end of the run.
            let passing = match self.learn && self.memory.is_none() && folder.is_none() {
                true => Some(private_folder().map_err(Error::write(&std::env::temp_dir(), 0))?),
                false => None,
            };
            let beside = folder.as_ref().map(Folder::path).or(passing.as_ref().map(TempDir::path));
            let own = || self.learn.then(|| beside.map(|folder| folder.join("sites.redb"))).flatten();
            if let Some(file) = self.memory.clone().or_else(own) {
                if self.learn
                    && !saved.learned
                    && !self.learn_sites(&file, folder.as_ref(), &mut saved, watch)?
                {
                    return Ok(Report { summary: saved.summary, resumed, ..Report::default() });
                }
                options.sites = Some(Arc::new(StoredSites::open(file)?));
            }
            let work = Work::new(options);
            let seen_file =
                folder.as_ref().filter(|_| self.filter.remembers()).map(|folder| folder.file("seen"));
            let seen = Seen::open(&self.filter, seen_file.as_deref(), saved.seen)?;
            let mut sink = Sink {
                run: self,
                folder: folder.as_ref(),
                saved,
                output: &mut *output,
                seen,
                marks: BTreeMap::new(),
                since: 0,
                last: Instant::now(),
            };
            let before = &sink.saved.summary;
            watch.pages.store(before.pages, Ordering::Relaxed);
            watch.bytes.store(before.bytes, Ordering::Relaxed);
            watch.failed.store(before.failed, Ordering::Relaxed);
            sink.marks = sink.saved.done.iter().copied().collect();
            let done: HashSet<u64> = sink.marks.keys().copied().collect();
            pipeline::run(
                &self.reading(&sink.saved, &done),
                self.threads,
                self.is_ordered(),
                watch,
                |item| self.outcome(item, &work, fields),
                |finished| sink.take(finished, watch, tell),
            )?;
            if watch.is_stopped() {
                sink.commit()?;
                return Ok(Report { summary: sink.saved.summary, resumed, ..Report::default() });
            }
            saved = sink.finish()?;
        }
        let mut report =
            Report { summary: saved.summary.clone(), complete: true, resumed, ..Report::default() };
        if let Some(folder) = folder.take_if(|it| saved.summary.nothing_read() && it.guards_output()) {
            folder.give_up()?;
            report.kept = true;
            return Ok(report);
        }
        output.publish()?;
        if let Some(folder) = folder {
            folder.remove(&saved, !self.inputs.has_stdin())?;
        }
        Ok(report)
    }

    /// Continues after the saved position, without items that are already done.
    fn reading<'r>(&'r self, saved: &Saved, done: &'r HashSet<u64>) -> Reading<'r> {
        Reading {
            inputs: &self.inputs,
            fields: &self.input_fields,
            most: self.work.options().bounds.bytes,
            mark: saved.mark,
            next: saved.next,
            done,
        }
    }

    /// A tree is written page by page, and an interrupted one must not contain texts that its index lacks.
    pub(crate) fn is_ordered(&self) -> bool {
        self.ordered || !matches!(self.target.form, Form::Jsonl | Form::Parquet)
    }

    /// Counts every item, whatever its result.
    fn outcome(&self, item: Item, work: &Work, fields: Fields) -> Outcome {
        let (place, url) = (item.about.place.clone(), item.about.url.clone());
        let name = ItemName::of(&item);
        guarded(|| self.outcome_inside(item, work, fields)).unwrap_or_else(|fault| {
            let error = format!("{place}: {fault}");
            let record = Record {
                path: Some(place.file.to_string()),
                offset: place.offset,
                error: Some(error.clone()),
                ..Record::of_url(url.as_deref())
            };
            let prepared = self.target.prepare(record, &name, fields);
            Outcome::Row {
                prepared,
                sketch: None,
                bytes: 0,
                failed: Some(Box::new((error, Failure::page(fault)))),
                has_text: false,
            }
        })
    }

    fn outcome_inside(&self, item: Item, work: &Work, fields: Fields) -> Outcome {
        let name = ItemName::of(&item);
        let taken = match item.body {
            Body::Passed => return Outcome::NoAnswer,
            Body::OtherFile => return Outcome::OtherFile,
            _ => Taken::of(item, &self.input_fields, work.options().bounds.bytes),
        };
        let bytes = taken.bytes();
        let (record, failure) = taken.record(work);
        if let Some(why) = self.filter.check(&record) {
            return Outcome::Removed { why, bytes };
        }
        let text = record.text();
        let remembered = text.filter(|_| self.filter.remembers());
        let sketch = remembered.and_then(|text| Sketch::of(text, self.filter.near_duplicates.is_some()));
        let failed = record.error.clone().map(|what| Box::new((what, failure)));
        let has_text = text.is_some_and(|text| !text.trim().is_empty());
        let prepared = self.target.prepare(record, &name, fields);
        Outcome::Row { prepared, sketch, bytes, failed, has_text }
    }

    /// Learns the sites of all pages; `false` if stopped.
    fn learn_sites(
        &self,
        file: &Path,
        folder: Option<&Folder>,
        saved: &mut Saved,
        watch: &Watch,
    ) -> Result<bool, Error> {
        let mut learner = Learner::new(file)?;
        let none = HashSet::new();
        let reading = self.reading(saved, &none);
        let work = |item: Item| -> (u64, Option<(SiteKey, PageRecord)>) {
            if matches!(item.body, Body::Passed | Body::OtherFile) {
                return (0, None);
            }
            let learn = || {
                let taken = Taken::of(item, &self.input_fields, self.work.options().bounds.bytes);
                (taken.bytes(), taken.site_record(&self.work))
            };
            guarded(learn).unwrap_or_default()
        };
        let mut since = 0;
        pipeline::run(&reading, self.threads, true, watch, work, |finished| {
            let (bytes, learned) = finished.result;
            watch.bytes.fetch_add(bytes, Ordering::Relaxed);
            if let Some((site, record)) = learned {
                learner.take(site, record)?;
                watch.pages.fetch_add(1, Ordering::Relaxed);
            }
            (saved.mark, saved.next) = (finished.mark, finished.number + 1);
            since += 1;
            if since >= self.save_rows.max(1_000) {
                since = 0;
                learner.flush()?;
                if let Some(folder) = folder {
                    folder.save(saved)?;
                }
            }
            Ok(())
        })?;
        learner.flush()?;
        if !watch.is_stopped() {
            (saved.mark, saved.next, saved.learned) = (Mark::default(), 0, true);
        }
        if let Some(folder) = folder {
            folder.save(saved)?;
        }
        Ok(saved.learned)
    }
}

/// A private temporary folder, deleted at the end of the run.
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix("tamis-").tempdir()
}

/// The sink of results: counts, deduplicates and writes them, and saves the state periodically.
struct Sink<'r> {
    run: &'r Run,
    folder: Option<&'r Folder>,
    saved: Saved,
    output: &'r mut dyn Output,
    seen: Seen,
    /// Items finished before earlier ones.
    marks: BTreeMap<u64, Mark>,
    since: u64,
    last: Instant,
}

impl Sink<'_> {
    fn take(&mut self, finished: Finished<Outcome>, watch: &Watch, tell: &dyn Fn(&str)) -> Result<(), Error> {
        let summary = &mut self.saved.summary;
        match finished.result {
            Outcome::NoAnswer => summary.no_answers += 1,
            Outcome::OtherFile => summary.other_files += 1,
            Outcome::Removed { why, bytes } => {
                summary.pages += 1;
                summary.bytes += bytes;
                summary.remove(why);
            }
            Outcome::Row { prepared, sketch, bytes, failed, has_text } => {
                summary.pages += 1;
                summary.bytes += bytes;
                let before = match &sketch {
                    Some(sketch) => self.seen.take(sketch)?,
                    None => None,
                };
                match before {
                    Some(why) => summary.remove(why),
                    None => {
                        summary.rows += 1;
                        summary.empty += u64::from(!has_text && failed.is_none());
                        summary.partial += u64::from(has_text && failed.is_some());
                        if let Some((what, failure)) = failed.map(|failed| *failed) {
                            summary.failed += 1;
                            watch.failed.fetch_add(1, Ordering::Relaxed);
                            summary.damaged += u64::from(failure.damage);
                            if failure.damage && !failure.told {
                                tell(&what);
                            }
                        }
                        self.output.write(prepared)?;
                        self.since += 1;
                    }
                }
            }
        }
        watch.pages.store(summary.pages, Ordering::Relaxed);
        watch.bytes.store(summary.bytes, Ordering::Relaxed);
        self.marks.insert(finished.number, finished.mark);
        while let Some(mark) = self.marks.remove(&self.saved.next) {
            self.saved.next += 1;
            self.saved.mark = mark;
        }
        let due = self.since >= self.run.save_rows || self.last.elapsed() >= BETWEEN_SAVES;
        match self.output.boundary() {
            Boundary::Here => self.save(),
            Boundary::Anywhere if due => self.save(),
            _ => Ok(()),
        }
    }

    fn save(&mut self) -> Result<(), Error> {
        (self.since, self.last) = (0, Instant::now());
        let Some(folder) = self.folder else { return self.output.commit().map(drop) };
        self.saved.output = self.output.commit()?;
        self.saved.seen = self.seen.commit()?;
        self.saved.done = self.marks.iter().map(|(number, mark)| (*number, *mark)).collect();
        folder.save(&self.saved)
    }

    /// Saves the state if the output can be committed here. Rows written since the last save are redone after an
    /// interruption.
    fn commit(&mut self) -> Result<(), Error> {
        if self.output.boundary() == Boundary::NotHere { Ok(()) } else { self.save() }
    }

    fn finish(mut self) -> Result<Saved, Error> {
        self.saved.output = self.output.close()?;
        self.saved.seen = self.seen.commit()?;
        self.saved.done = Vec::new();
        self.saved.complete = true;
        if let Some(folder) = self.folder {
            folder.save(&self.saved)?;
        }
        Ok(self.saved)
    }
}
