//! Parquet in and out: the same rows as JSON lines, whole groups, and damage that takes nothing else with it.

#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, reason = "a test that fails by unwrap names its line")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BinaryArray, Int32Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use tamis_batch::{Inputs, Report, Run, Target, Watch};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs over a file, and gives back what was told of damage.
    fn run(&self, from: &str, to: &str, change: impl FnOnce(&mut Run)) -> (Report, Vec<String>) {
        let inputs = Inputs::new(&[self.path(from).display().to_string()]).unwrap();
        let mut run = Run::new(inputs, Target::to(self.path(to)));
        change(&mut run);
        let told = Mutex::new(Vec::new());
        let report = run.run(&Watch::default(), &|line| told.lock().unwrap().push(line.to_owned())).unwrap();
        (report, told.into_inner().unwrap())
    }
}

fn page(number: usize) -> String {
    format!(
        "<h1>Story {number}</h1><p>Story number {number} is about the rain in the harbour, which went on all day long."
    )
}

/// A file of pages with groups of ten rows.
fn write_pages(path: &Path, count: usize, as_text: bool) {
    let pages: Vec<String> = (0..count).map(page).collect();
    let html: ArrayRef = match as_text {
        true => Arc::new(StringArray::from(pages)),
        false => Arc::new(BinaryArray::from_iter_values(&pages)),
    };
    let urls: Vec<String> = (0..count).map(|number| format!("https://e.com/{number}")).collect();
    let batch = RecordBatch::try_from_iter([("html", html), ("url", Arc::new(StringArray::from(urls)) as _)])
        .unwrap();
    write(path, &batch);
}

fn write(path: &Path, batch: &RecordBatch) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(10)).build();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn rows(path: &Path) -> Vec<RecordBatch> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    builder.build().unwrap().map(Result::unwrap).collect()
}

#[test]
fn pages_become_rows_in_groups_of_the_stated_size() {
    let folder = Folder::new();
    write_pages(&folder.path("in.parquet"), 45, false);
    write_pages(&folder.path("text.parquet"), 45, true);
    let (report, _) = folder.run("in.parquet", "out.parquet", |run| run.target.row_group = 20);
    assert_eq!((report.summary.pages, report.summary.texts()), (45, 45));
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path("out.parquet")).unwrap()).unwrap();
    let groups: Vec<i64> = builder.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [20, 20, 5]);
    let batches = rows(&folder.path("out.parquet"));
    let batch = &batches[0];
    assert_eq!(batch.schema().fields(), tamis_batch::arrow::schema(Default::default(), &[]).fields());
    assert_eq!(batch.column_by_name("title").unwrap().as_string::<i32>().value(7), "Story 7");
    assert!(!batch.column_by_name("links").unwrap().is_null(7));
    assert_eq!(batch.column_by_name("offset").unwrap().as_primitive::<Int64Type>().value(7), 7);
    // The same from texts as from bytes, and the same as in JSON lines.
    folder.run("text.parquet", "text-out.parquet", |run| run.target.row_group = 20);
    // They differ in the path of their file and in the encoding, which a text does not have.
    let texts = rows(&folder.path("text-out.parquet"));
    for (one, other) in batches.iter().zip(&texts) {
        for (number, field) in one.schema().fields().iter().enumerate() {
            let differs = ["path", "encoding"].contains(&field.name().as_str());
            assert_eq!(one.column(number) == other.column(number), !differs, "{field}");
        }
    }
    folder.run("in.parquet", "out.jsonl", |_| {});
    let lines = fs::read_to_string(folder.path("out.jsonl")).unwrap();
    let texts: Vec<String> = batches
        .iter()
        .flat_map(|batch| {
            let texts = batch.column_by_name("text").unwrap().as_string::<i32>().clone();
            (0..batch.num_rows()).map(move |number| texts.value(number).to_owned()).collect::<Vec<_>>()
        })
        .collect();
    for (line, text) in lines.lines().zip(&texts) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["text"], text.as_str());
    }
    assert_eq!((lines.lines().count(), texts.len()), (45, 45));
    assert!(!folder.path("out.parquet.tamis").exists());
}

#[test]
fn no_rows_are_a_sound_file_too() {
    let folder = Folder::new();
    fs::write(folder.path("in.jsonl"), "").unwrap();
    let (report, _) = folder.run("in.jsonl", "out.parquet", |_| {});
    assert_eq!(report.summary.pages, 0);
    assert!(rows(&folder.path("out.parquet")).iter().all(|batch| batch.num_rows() == 0));
}

#[test]
fn wrong_types_are_named_with_the_file() {
    let folder = Folder::new();
    let number: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    write(&folder.path("in.parquet"), &RecordBatch::try_from_iter([("html", number.clone())]).unwrap());
    write(&folder.path("names.parquet"), &RecordBatch::try_from_iter([("page", number)]).unwrap());
    fs::write(folder.path("none.parquet"), "PAR1 and nothing else").unwrap();
    for (file, what) in [
        ("in.parquet", "the column \"html\" is Int32, but binary or string is needed"),
        ("names.parquet", "no column \"html\"; the columns are page"),
        ("none.parquet", "not a valid Parquet file"),
    ] {
        let (report, told) = folder.run(file, &format!("{file}.jsonl"), |_| {});
        assert_eq!((report.summary.pages, report.summary.damaged), (1, 1), "{file}");
        assert!(told[0].contains(file) && told[0].contains(what), "{told:?}");
    }
}

#[test]
fn a_damaged_group_is_left_behind_and_the_others_are_read() {
    let folder = Folder::new();
    write_pages(&folder.path("in.parquet"), 30, false);
    let file = folder.path("in.parquet");
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(&file).unwrap()).unwrap();
    let range = builder.metadata().row_group(1).column(0).byte_range();
    let mut bytes = fs::read(&file).unwrap();
    bytes[range.0 as usize..(range.0 + range.1) as usize].fill(0xFF);
    fs::write(&file, bytes).unwrap();
    let (report, told) = folder.run("in.parquet", "out.jsonl", |_| {});
    assert_eq!((report.summary.texts(), report.summary.damaged), (20, 10), "{told:?}");
    let said = format!("in.parquet, offset {}: row 10 cannot be read, row group 1 is damaged", range.0);
    assert!(told.len() == 1 && told[0].contains(&said), "{told:?}");
    let lines = fs::read_to_string(folder.path("out.jsonl")).unwrap();
    let lost = |line: &&str| line.contains("cannot be read, row group 1 is damaged");
    assert_eq!((lines.lines().count(), lines.lines().filter(lost).count()), (30, 10));
}

#[test]
fn a_row_without_a_page_keeps_its_url() {
    let folder = Folder::new();
    let html: ArrayRef = Arc::new(StringArray::from(vec![None, Some("<p>A sound page, all in all.")]));
    let url: ArrayRef = Arc::new(StringArray::from(vec!["http://e.com/0", "http://e.com/1"]));
    write(&folder.path("in.parquet"), &RecordBatch::try_from_iter([("html", html), ("url", url)]).unwrap());
    folder.run("in.parquet", "out.jsonl", |_| {});
    let lines = fs::read_to_string(folder.path("out.jsonl")).unwrap();
    let row: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((&row["url"], &row["host"]), (&"http://e.com/0".into(), &"e.com".into()));
    assert!(row["error"].as_str().unwrap().contains("the column is null"), "{row}");
}

#[test]
fn columns_of_other_types_count_as_unknown() {
    let folder = Folder::new();
    let html: ArrayRef =
        Arc::new(StringArray::from(vec!["<p>A sound page, all in all.", "<p>Another page."]));
    let status: ArrayRef = Arc::new(StringArray::from(vec!["203", "gone"]));
    let url: ArrayRef = Arc::new(BinaryArray::from_iter_values(["http://e.com/0", "http://e.com/1"]));
    let number: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
    let batch = RecordBatch::try_from_iter([
        ("html", html),
        ("status", status),
        ("url", url),
        ("fetched", number.clone()),
        ("content_type", number),
    ]);
    write(&folder.path("in.parquet"), &batch.unwrap());
    let (report, told) = folder.run("in.parquet", "out.jsonl", |_| {});
    assert_eq!((report.summary.pages, report.summary.failed), (2, 0), "{told:?}");
    let lines = fs::read_to_string(folder.path("out.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["status"], &rows[0]["url"]), (&203.into(), &"http://e.com/0".into()));
    assert!(rows[1]["status"].is_null() && rows[1]["fetched"].is_null());
}
