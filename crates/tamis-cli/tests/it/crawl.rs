//! Invented pages, in all the files that `tamis batch` reads.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::run::Folder;

impl Folder {
    /// An archive with a record before all others that is no page; packed with a member a record where the name says so.
    pub(crate) fn warc(&self, name: &str, pages: &[(String, String)]) {
        let info = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Type: application/warc-fields\r\nContent-Length: 5\r\n\r\nx: y\n\r\n\r\n";
        let mut records = vec![info.to_vec()];
        records.extend(pages.iter().map(|(url, html)| record(url, html, None)));
        match name.ends_with(".gz") {
            true => self.write(name, records.iter().flat_map(gzip).collect::<Vec<u8>>()),
            false => self.write(name, records.concat()),
        }
    }

    pub(crate) fn jsonl(&self, name: &str, pages: &[(String, String)]) {
        let lines: String =
            pages.iter().map(|(url, html)| json!({"url": url, "html": html}).to_string() + "\n").collect();
        self.write(name, if name.ends_with(".gz") { gzip(lines) } else { lines.into_bytes() });
    }
}

pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes.as_ref()).unwrap();
    packed.finish().unwrap()
}

/// A record with an answer; it says the truth about its length unless told otherwise.
pub(crate) fn record(url: &str, html: &str, says: Option<usize>) -> Vec<u8> {
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let length = says.unwrap_or(answer.len());
    record_of(url, "WARC-Date: 2026-01-02T03:04:05Z\r\n", answer.as_bytes(), length)
}

/// A record with any answer.
pub(crate) fn record_of(url: &str, head: &str, answer: &[u8], length: usize) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n{head}\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), answer, b"\r\n\r\n"].concat()
}

const WORDS: [&str; 24] = [
    "harbour", "rain", "ferry", "baker", "bridge", "council", "garden", "letter", "market", "pier", "school",
    "tide", "whale", "winter", "lamp", "road", "island", "engine", "window", "river", "summer", "clock",
    "stone", "bell",
];

/// An address and a page, other words in each.
pub(crate) fn page(number: usize) -> (String, String) {
    let mut state = number as u64 * 2_654_435_761 + 12_345;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        WORDS[(state >> 33) as usize % WORDS.len()]
    };
    let mut sentence = || {
        let words: Vec<&str> = (0..14).map(|_| word()).collect();
        format!("The {}, and the {} of the town.", words[..7].join(" "), words[7..].join(" "))
    };
    let paragraphs: String = (0..4).map(|_| format!("<p>{} {}</p>", sentence(), sentence())).collect();
    let html = format!(
        "<!DOCTYPE html><html lang=en><title>Story {number} - The Gazette</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>\
         <h1>Story {number}</h1><p>Story number {number} is about the rain in the harbour, the last of them for now.</p>{paragraphs}\
         <p>Letters to the editor are welcome, and are answered.</p><footer><a href=/about>About us</a></footer></html>"
    );
    (format!("https://www.gazette.example/{number}"), html)
}

pub(crate) fn pages(count: usize) -> Vec<(String, String)> {
    (0..count).map(page).collect()
}
