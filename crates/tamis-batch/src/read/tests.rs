//! What is sound in a file is read, whatever is wrong with the rest of it, and the message says where.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use crate::input_fields::InputFields;
use crate::inputs::Inputs;
use crate::inputs::Step;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// The items of a file with these bytes, as short words.
    fn items(&self, name: &str, bytes: &[u8], from: Mark) -> Vec<(String, Mark)> {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let Some(Step::Source(source)) = Inputs::new(&[path.display().to_string()]).unwrap().walk().next()
        else {
            panic!("no source");
        };
        let mut reader = open(&source, &InputFields::default(), 1_000, from);
        let mut items = Vec::new();
        while let Some(item) = reader.next_item() {
            assert!(items.len() < 100, "it does not end");
            let word = match item.body {
                Body::Http(bytes) | Body::Json(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
                Body::Passed => "passed".to_owned(),
                Body::Failed(failure) => {
                    let what = failure.error.to_string().replace(&*path.to_string_lossy(), "FILE");
                    format!("failed {} {what}", item.about.url.unwrap_or_default())
                }
                other => format!("{other:?}"),
            };
            items.push((word, item.next));
        }
        items
    }

    fn words(&self, name: &str, bytes: &[u8]) -> Vec<String> {
        self.words_from(name, bytes, Mark::default())
    }

    fn words_from(&self, name: &str, bytes: &[u8], from: Mark) -> Vec<String> {
        self.items(name, bytes, from).into_iter().map(|(word, _)| word).collect()
    }

    /// Reads a file as a whole, and again from behind each of its items.
    fn check_from_every_place(&self, name: &str, bytes: &[u8], expected: &[&str]) {
        assert_eq!(self.words(name, bytes), expected, "{name}");
        for (done, (_, mark)) in self.items(name, bytes, Mark::default()).iter().enumerate() {
            assert_eq!(self.words_from(name, bytes, *mark), expected[done + 1..], "{name} behind {done}");
        }
    }
}

fn record(kind: &str, url: &str, says: usize, body: &str) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n\
         Content-Type: application/http; msgtype={kind}\r\nContent-Length: {says}\r\n\r\n{body}\r\n\r\n"
    )
    .into_bytes()
}

fn response(body: &str) -> Vec<u8> {
    record("response", &format!("http://e.com/{body}"), body.len(), body)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// The records, packed one by one.
fn members(records: &[Vec<u8>], pack: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    records.iter().flat_map(|record| pack(record)).collect()
}

/// Bytes that cannot be made smaller, so that damage hits them.
fn noise(length: usize) -> String {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'0' + (state % 75) as u8)
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn archives_are_read_packed_and_plain_and_from_every_place_in_them() {
    let folder = Folder::new();
    let records = [
        record("warcinfo", "", 4, "info"),
        response("one"),
        record("request", "x", 3, "get"),
        response("two"),
        response("three"),
    ];
    let expected = ["passed", "one", "passed", "two", "three"];
    let plain = records.concat();
    let (gzipped, zipped) = (members(&records, gzip), members(&records, zstd));
    // All in one member; and zeros at the end, as tapes have them.
    let mut whole = gzip(&plain);
    whole.extend_from_slice(&[0; 600]);
    for (name, bytes) in [
        ("a.warc", &plain),
        ("a.warc.gz", &gzipped),
        ("a.warc.zst", &zipped),
        ("b.warc.gz", &whole),
        ("b.warc.zst", &zstd(&plain)),
    ] {
        folder.check_from_every_place(name, bytes, &expected);
    }
}

#[test]
fn a_content_type_may_be_missing_and_tells_what_is_no_page() {
    let with =
        |from: &str, to: &str| String::from_utf8(response("one")).unwrap().replace(from, to).into_bytes();
    let missing = with("Content-Type: application/http; msgtype=response\r\n", "");
    let of_names = with("application/http; msgtype=response", "text/dns");
    assert_eq!(
        Folder::new().words("a.warc", &[missing, of_names, response("two")].concat()),
        ["one", "passed", "two"]
    );
}

#[test]
fn a_lying_length_takes_nothing_else_with_it() {
    let folder = Folder::new();
    for says in [0, 3, 6, 12, 300, 900, 5_000, 99_999_999_999] {
        let records = [
            response("one"),
            record("response", "http://lie/", says, "the lie itself"),
            response("two"),
            response("three"),
        ];
        let plain = records.concat();
        let place = format!("FILE, offset {}", records[0].len());
        let message = format!(
            "failed http://lie/ {place}: the record does not end after its Content-Length of {says} bytes"
        );
        let expected = ["one", message.as_str(), "two", "three"];
        assert_eq!(folder.words("a.warc", &plain), expected, "plain, {says}");
        let gzipped = members(&records, gzip);
        let at = gzip(&records[0]).len();
        let words = folder.words("a.warc.gz", &gzipped);
        let expected = ["one", &message.replace(&place, &format!("FILE, offset {at}")), "two", "three"];
        // A length that is larger than any page is not read: the message is another.
        assert_eq!(
            (&words[0], &words[2..]),
            (&"one".to_owned(), &["two".to_owned(), "three".to_owned()][..]),
            "gzip, {says}"
        );
        assert_eq!(words[1], expected[1], "gzip, {says}");
    }
    let mut none = record("response", "http://lie/", 3, "lie");
    none = String::from_utf8(none).unwrap().replace("Content-Length: 3\r\n", "").into_bytes();
    let words = folder.words("c.warc", &[none, response("two")].concat());
    assert!(words[0].contains("has no Content-Length") && words[1] == "two", "{words:?}");
    let words = folder.words("d.warc", &[b"rubbish\r\nmore of it\r\n".to_vec(), response("two")].concat());
    assert!(words[0].contains("no WARC record starts here") && words[1] == "two", "{words:?}");
}

#[test]
fn a_cut_and_a_broken_member_take_nothing_else_with_them() {
    let folder = Folder::new();
    let middle = noise(900);
    let members = [gzip(&response("one")), gzip(&response(&middle)), gzip(&response("two"))];
    for end in [members[0].len() + 5, members[0].len() + 400, members[0].len() + members[1].len() - 3] {
        let words = folder.words("a.warc.gz", &members.concat()[..end]);
        assert_eq!(words.len(), 2, "{words:?}");
        assert_eq!(words[0], "one");
        let (start, skipped) = (members[0].len(), end - members[0].len());
        let expected = format!(
            "FILE, offset {start}: the file ends in the middle of a record (truncated?); {skipped} bytes were skipped"
        );
        assert!(words[1].ends_with(&expected), "{}", words[1]);
    }
    let mut broken = members.concat();
    broken[members[0].len() + 300..members[0].len() + 340].fill(0x55);
    let words = folder.words("b.warc.gz", &broken);
    assert_eq!((words.len(), words[0].as_str(), words[2].as_str()), (3, "one", "two"), "{words:?}");
    assert!(words[1].contains(&format!("FILE, offset {}", members[0].len())), "{}", words[1]);
    // Frames as well.
    let frames = [zstd(&response("one")), zstd(&response(&middle)), zstd(&response("two"))];
    let mut broken = frames.concat();
    broken[frames[0].len()..frames[0].len() + 3].fill(0);
    let words = folder.words("b.warc.zst", &broken);
    assert_eq!((words.len(), words[0].as_str(), words[2].as_str()), (3, "one", "two"), "{words:?}");
    let words = folder.words("c.warc.zst", &frames.concat()[..frames[0].len() + 200]);
    assert_eq!((words.len(), words[0].as_str()), (2, "one"), "{words:?}");
    // Plain archives end, too.
    let plain = [response("one"), response("two")].concat();
    let words = folder.words("d.warc", &plain[..plain.len() - 6]);
    assert_eq!((words.len(), words[0].as_str()), (2, "one"), "{words:?}");
}

#[test]
fn lines_are_read_packed_and_plain_and_from_every_place() {
    let folder = Folder::new();
    let lines = "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":3}";
    let expected = ["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"];
    let members = [gzip(&lines.as_bytes()[..5]), gzip(&lines.as_bytes()[5..])].concat();
    for (name, bytes) in [
        ("a.jsonl", lines.as_bytes().to_vec()),
        ("a.jsonl.gz", members),
        ("a.jsonl.zst", zstd(lines.as_bytes())),
    ] {
        folder.check_from_every_place(name, &bytes, &expected);
    }
    assert_eq!(folder.words("b.jsonl", b""), Vec::<String>::new());
}

#[test]
fn a_line_that_is_too_long_and_a_cut_take_nothing_else_with_them() {
    let folder = Folder::new();
    let long = "x".repeat(3 << 20);
    let text = format!("1\n{long}\n2\n");
    let words = folder.words("a.jsonl", text.as_bytes());
    assert_eq!((words.len(), words[0].as_str(), words[2].as_str()), (3, "1", "2"));
    assert!(words[1].contains("the line has 3145729 bytes, more than the limit of"), "{}", words[1]);
    let noise = noise(200_000);
    let lines: String =
        noise.as_bytes().chunks(5_000).map(|line| String::from_utf8_lossy(line) + "\n").collect();
    let packed = gzip(lines.as_bytes());
    let words = folder.words("b.jsonl.gz", &packed[..packed.len() / 2]);
    assert!(
        (15..22).contains(&words.len())
            && words.last().unwrap().contains("offset 0: the file ends in the middle"),
        "{words:?}"
    );
    let two = [&packed[..packed.len() / 2], &gzip(b"{}\n")].concat();
    let words = folder.words("c.jsonl.gz", &two);
    assert_eq!(words.last().unwrap(), "{}");
    assert!(
        words.iter().any(|word| word.contains("damaged") || word.contains("ends in the middle")),
        "{words:?}"
    );
}

#[test]
fn a_file_that_is_not_there_is_an_item() {
    let source = Source {
        path: "no/such/file.warc".into(),
        kind: Kind::Warc,
        packing: Packing::Plain,
        url: None,
        name: "file.warc".into(),
    };
    let mut reader = open(&source, &InputFields::default(), 1_000, Mark::default());
    let item = reader.next_item().unwrap();
    assert!(
        matches!(item.body, Body::Failed(failure) if failure.error.to_string().contains("check the path"))
    );
    assert!(reader.next_item().is_none());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 200, ..Default::default() })]

    #[test]
    fn no_archive_is_too_strange(cuts in proptest::collection::vec((0_usize..4000, proptest::prelude::any::<u8>()), 0..6), form in 0..4, end in 0_usize..4000) {
        let folder = Folder::new();
        let records = [response("one"), response(&noise(700)), response("two")];
        let (name, mut bytes) = match form {
            0 => ("a.warc", records.concat()),
            1 => ("a.warc.gz", members(&records, gzip)),
            2 => ("a.warc.zst", members(&records, zstd)),
            _ => ("a.jsonl.gz", members(&records, gzip)),
        };
        for (at, byte) in cuts {
            let length = bytes.len();
            bytes[at % length] = byte;
        }
        bytes.truncate(end.max(1));
        folder.words(name, &bytes);
    }
}
