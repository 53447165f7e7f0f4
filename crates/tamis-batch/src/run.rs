//! A run: many pages in, rows out, from the first start to the last row, over as many interruptions as it takes.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;
use tamis::Bias;
use tamis::page::HiddenText;
use tamis_methods::CustomModel;
use tamis_site::{Learner, PageRecord, SiteKey};
use xxhash_rust::xxh3::xxh3_128;

use crate::chunking::Chunking;
use crate::error::Error;
use crate::fields::Fields;
use crate::filter::{Filter, Removed};
use crate::input_fields::InputFields;
use crate::inputs::{FileState, Inputs, InputsKey, size_and_time};
use crate::item::{Body, Failure, Item, Mark};
use crate::page_error::guarded;
use crate::passing::PassingFolder;
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

/// How long a run may go on before it saves its state.
const BETWEEN_SAVES: Duration = Duration::from_secs(3);

/// Everything that makes a run.
///
/// ```
/// use tamis_batch::{Inputs, Run, Target, Watch};
///
/// let folder = std::env::temp_dir().join(format!("tamis-run-{}", std::process::id()));
/// std::fs::create_dir_all(&folder).unwrap();
/// std::fs::write(folder.join("a.html"), "<h1>Rain</h1><p>It rained in the harbour on Monday, all day long.").unwrap();
/// let inputs = Inputs::new(&[folder.display().to_string()])?;
/// let out = folder.join("rows.jsonl");
/// let report = Run::new(inputs, Target::to(out.clone())).run(&Watch::default(), &|_| {})?;
/// assert_eq!((report.summary.rows, report.complete), (1, true));
/// assert!(std::fs::read_to_string(out).unwrap().contains("It rained in the harbour"));
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), tamis_batch::Error>(())
/// ```
#[derive(Debug)]
pub struct Run {
    /// What is read.
    pub inputs: Inputs,
    /// What fields and columns of the input are called, and which are kept.
    pub input_fields: InputFields,
    /// How pages become records, and which fields of them are written.
    pub work: Work,
    /// Which rows are kept.
    pub filter: Filter,
    /// Where they go.
    pub target: Target,
    /// Threads that work on pages. Default: one for each core.
    pub threads: usize,
    /// Should rows be in the order of the input? Default: yes. If not, of two texts that are alike either may be removed.
    pub ordered: bool,
    /// A file of memories of sites to use.
    pub memory: Option<PathBuf>,
    /// Should the sites of the input be learned before the first page is extracted? They go into the memory where there is
    /// one. Standard input cannot be read twice.
    pub learn: bool,
    /// Should an output that is there be replaced, and an interrupted run be forgotten?
    pub force: bool,
    /// Rows after which the state is saved; it is also saved every three seconds. Parquet files save after each row group.
    pub save_rows: u64,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// What was done, in this and all earlier parts of the run.
    pub summary: Summary,
    /// Is everything done, or was the run stopped?
    pub complete: bool,
    /// Did it go on with an interrupted run?
    pub resumed: bool,
    /// Had the same run been done before, so that nothing was left to do? Then the summary is that of then.
    pub repeated: bool,
    /// Could nothing be read, so that the output that was there stays as it was?
    pub kept: bool,
}

/// Everything that decides about the output. How many threads there are does not, nor where the output goes.
#[derive(Serialize)]
struct RunKey<'r> {
    version: &'static str,
    inputs: InputsKey,
    input_fields: &'r InputFields,
    fields: Fields,
    method: &'static str,
    model: Option<&'r str>,
    bias: Bias,
    hidden: &'static str,
    max_bytes: u32,
    timeout: Duration,
    encoding: Option<&'r str>,
    chunking: Chunking,
    feeds: Vec<String>,
    rules: Option<String>,
    filter: &'r Filter,
    form: Form,
    row_group: usize,
    memory: Option<&'r Path>,
    memory_state: Option<FileState>,
    learn: bool,
    ordered: bool,
}

/// What became of an item.
enum Outcome {
    NoAnswer,
    OtherFile,
    /// One that failed and has a text nevertheless has a part of it.
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
    /// A run with the usual settings. The output is no input, even if it lies among them.
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

    /// Runs, or goes on. `tell` gets a line for every place where a file is damaged.
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
                    return Ok(Report {
                        summary,
                        complete: true,
                        resumed: true,
                        repeated: true,
                        kept: false,
                    });
                }
            },
            None => (None, Saved::default()),
        };
        let resumed = saved.next > 0 || saved.complete || saved.learned;
        let mut output = self.target.open(folder.as_ref(), saved.output, fields, &self.input_fields.keep)?;
        if !saved.complete {
            let computed = fields.with(&self.filter.fields().iter().collect::<Vec<_>>());
            let mut options = WorkOptions { fields: computed, ..self.work.options().clone() };
            // Where sites are learned for an output that has no place beside it. It goes when the run does.
            let passing = match self.learn && self.memory.is_none() && folder.is_none() {
                true => Some(PassingFolder::new()?),
                false => None,
            };
            if let Some(file) = self.site_file(folder.as_ref(), passing.as_ref()) {
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
            let reading = Reading {
                inputs: &self.inputs,
                fields: &self.input_fields,
                most: self.work.options().bounds.bytes,
                mark: sink.saved.mark,
                next: sink.saved.next,
                done: &done,
            };
            pipeline::run(
                &reading,
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

    /// A tree is written page by page, and an interrupted one must not be left with texts that its index does not have.
    fn is_ordered(&self) -> bool {
        self.ordered || !matches!(self.target.form, Form::Jsonl | Form::Parquet)
    }

    fn site_file(&self, folder: Option<&Folder>, passing: Option<&PassingFolder>) -> Option<PathBuf> {
        let own = || {
            let own = folder.map(|folder| folder.file("sites.redb"));
            own.or_else(|| passing.map(|folder| folder.file("sites.redb")))
        };
        self.memory.clone().or_else(|| self.learn.then(own).flatten())
    }

    /// Names the run, so that another one does not go on with its state.
    fn key(&self) -> String {
        let work = self.work.options();
        let key = RunKey {
            version: crate::record::VERSION,
            inputs: self.inputs.key(),
            input_fields: &self.input_fields,
            fields: work.fields,
            method: work.method.name(),
            // Identified by its contents, not by its path.
            model: work.model.as_ref().map(CustomModel::digest),
            bias: work.bias,
            hidden: match work.hidden {
                HiddenText::Keep => "keep",
                HiddenText::Flag => "flag",
                _ => "drop",
            },
            max_bytes: work.bounds.bytes,
            timeout: work.bounds.time,
            encoding: work.encoding.as_deref(),
            chunking: work.chunking,
            #[cfg(not(feature = "sites"))]
            feeds: Vec::new(),
            #[cfg(feature = "sites")]
            feeds: work.feeds.iter().map(|feed| format!("{:032x}", feed.digest())).collect(),
            rules: work.rules.as_ref().map(|rules| format!("{:032x}", rules.digest())),
            filter: &self.filter,
            form: self.target.form,
            row_group: self.target.row_group,
            memory: self.memory.as_deref(),
            // One that is learned into changes with the run itself.
            memory_state: self.memory.as_deref().filter(|_| !self.learn).map(size_and_time),
            learn: self.learn,
            ordered: self.is_ordered(),
        };
        // Paths that are no Unicode are the only thing that can fail, and they do so in every run.
        let json = serde_json::to_vec(&key).unwrap_or_default();
        format!("{:032x}", xxh3_128(&json))
    }

    /// Whatever happens to an item, it is counted.
    fn outcome(&self, item: Item, work: &Work, fields: Fields) -> Outcome {
        let (place, url) = (item.place.clone(), item.url.clone());
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

    /// Learns the sites of all pages. `false` where it was stopped.
    fn learn_sites(
        &self,
        file: &std::path::Path,
        folder: Option<&Folder>,
        saved: &mut Saved,
        watch: &Watch,
    ) -> Result<bool, Error> {
        let mut learner = Learner::new(file)?;
        let none = HashSet::new();
        let reading = Reading {
            inputs: &self.inputs,
            fields: &self.input_fields,
            most: self.work.options().bounds.bytes,
            mark: saved.mark,
            next: saved.next,
            done: &none,
        };
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

/// Where results end up: counted, compared with what was there before, written, and saved from time to time.
struct Sink<'r> {
    run: &'r Run,
    folder: Option<&'r Folder>,
    saved: Saved,
    output: &'r mut dyn Output,
    seen: Seen,
    /// Items that are done while others before them are not.
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

    /// Saves where that can be done here; what was written since the last time that it could is done again.
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
