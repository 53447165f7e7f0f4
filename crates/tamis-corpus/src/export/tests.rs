//! Tests of exports, reading and counting on every available database.

use super::*;
use crate::corpus::Corpus;
use crate::draft::CommentDraft;
use crate::save::{save_comments, save_story};
use crate::stats::stats;
use crate::story::{find_by_url, near_duplicates, parts};
use crate::testing::{for_each_database, story};

const DAY: i64 = 86_400_000;

/// Three stories; the first has an earlier version and a comment.
fn fill(corpus: &mut Corpus) -> i64 {
    let mut first = story("https://example.com/a", "A \"title\": with, signs", "The first version.");
    first.authors = vec!["Ada".to_owned(), "Bo, Jr.".to_owned()];
    first.published = Some("2026-11-01".to_owned());
    let comment =
        CommentDraft { author: Some("Cy".to_owned()), text: "Indeed.".to_owned(), ..Default::default() };
    let id = corpus.transaction(|tx| save_story(tx, &first, DAY)).unwrap().story_id;
    corpus.transaction(|tx| save_comments(tx, id, std::slice::from_ref(&comment), &first.url, DAY)).unwrap();
    first.text = "The second version.\n".to_owned();
    corpus.transaction(|tx| save_story(tx, &first, 2 * DAY)).unwrap();
    for (name, day) in [("b", 3), ("c", 4)] {
        let draft = story(&format!("https://example.org/{name}"), name, &format!("Text of {name}."));
        corpus.transaction(|tx| save_story(tx, &draft, day * DAY)).unwrap();
    }
    id
}

fn exported(corpus: &mut Corpus, format: ExportFormat, options: &ExportOptions) -> (u64, Vec<u8>) {
    let mut out = Vec::new();
    let count = corpus.read(|tx| export(tx, format, options, &mut out, &mut |_| ())).unwrap();
    (count, out)
}

#[test]
fn json_lines_have_typed_values_in_order_of_id() {
    for_each_database(|mut corpus| {
        let id = fill(&mut corpus);
        let all = ExportOptions { comments: true, revisions: true, ..ExportOptions::default() };
        let (count, out) = exported(&mut corpus, ExportFormat::Jsonl, &all);
        let rows: Vec<Value> =
            out.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        assert_eq!((count, rows.len()), (3, 3));
        assert_eq!(rows[0]["authors"][1], "Bo, Jr.");
        assert_eq!(rows[0]["updated"], "1970-01-03T00:00:00Z");
        assert_eq!(rows[0]["text"], "The second version.\n");
        assert_eq!(rows[0]["earlier"][0]["text"], "The first version.\n");
        assert_eq!(rows[0]["comments"][0]["author"], "Cy");
        let later = ExportOptions { since_id: Some(id), ..ExportOptions::default() };
        assert_eq!(exported(&mut corpus, ExportFormat::Jsonl, &later).0, 2);
        let host = Filter { host: Some("example.com".to_owned()), ..Filter::default() };
        let one = ExportOptions { filter: host, ..ExportOptions::default() };
        assert_eq!(exported(&mut corpus, ExportFormat::Jsonl, &one).0, 1);
    });
}

#[test]
fn csv_is_read_back_with_the_same_values() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let options = ExportOptions { comments: true, ..ExportOptions::default() };
        let (_, out) = exported(&mut corpus, ExportFormat::Csv, &options);
        let mut table = csv::Reader::from_reader(out.as_slice());
        let header = table.headers().unwrap().clone();
        let column = |name: &str| header.iter().position(|it| it == name).unwrap();
        let rows: Vec<csv::StringRecord> = table.records().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!(&rows[0][column("title")], "A \"title\": with, signs");
        assert_eq!(&rows[0][column("authors")], "[\"Ada\",\"Bo, Jr.\"]");
        assert!(rows[0][column("comments")].contains("Indeed."));
        assert_eq!(&rows[1][column("comments")], "[]");
    });
}

#[test]
fn markdown_has_quoted_front_matter() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let (_, out) = exported(&mut corpus, ExportFormat::Markdown, &ExportOptions::default());
        let out = String::from_utf8(out).unwrap();
        assert!(
            out.starts_with("---\nid: 1\ntitle: \"A \\\"title\\\": with, signs\"\nurl: \"https://"),
            "{out}"
        );
        assert!(out.contains("\nauthors: [\"Ada\",\"Bo, Jr.\"]\n"), "{out}");
    });
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_timestamps_and_lists() {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use arrow_schema::DataType;
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let options = ExportOptions { revisions: true, ..ExportOptions::default() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        std::fs::write(&path, exported(&mut corpus, ExportFormat::Parquet, &options).1).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(path).unwrap()).unwrap();
        let schema = reader.schema().clone();
        assert_eq!(
            schema.field_with_name("fetched").unwrap().data_type().to_string(),
            "Timestamp(ms, \"UTC\")"
        );
        assert!(matches!(schema.field_with_name("authors").unwrap().data_type(), DataType::List(_)));
        assert_eq!(reader.build().unwrap().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 3);
    });
}

#[test]
fn stories_are_found_by_url_with_what_belongs_to_them() {
    for_each_database(|mut corpus| {
        let id = fill(&mut corpus);
        corpus
            .read(|tx| {
                assert_eq!(find_by_url(tx, "https://example.com/a")?, Some(id));
                assert_eq!(find_by_url(tx, "https://example.com/none")?, None);
                let story = Story::load(tx, id)?.unwrap();
                assert_eq!((story.revisions, story.authors.len()), (1, 2));
                assert_eq!(revisions(tx, id)?.len(), 1);
                assert_eq!(comments(tx, id)?[0].text, "Indeed.");
                assert!(parts(tx, id)?.is_empty() && near_duplicates(tx, id)?.is_empty());
                assert_eq!(Story::load(tx, 999)?, None);
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn stats_count_stories_by_host_and_day() {
    for_each_database(|mut corpus| {
        fill(&mut corpus);
        let stats = corpus.read(|tx| stats(tx, 4 * DAY + 1)).unwrap();
        assert_eq!((stats.stories, stats.revisions, stats.comments, stats.duplicates), (3, 1, 1, 0));
        assert_eq!((stats.hosts[0].name.as_str(), stats.hosts[0].stories), ("example.org", 2));
        let days: Vec<&str> = stats.days.iter().map(|day| day.name.as_str()).collect();
        assert_eq!(days, ["1970-01-05", "1970-01-04", "1970-01-02"]);
        assert!(stats.bytes > 0);
    });
}
