//! Makes an archive of a crawl out of evaluation sets, to measure with: what `cargo xtask bench-scale` reads.
//!
//! `archive OUT.warc.gz COUNT SET...` takes the pages of the sets (`truth.jsonl` and `pages/ID.html` in each folder) in an order
//! that is shuffled, but always the same, and goes round until there are COUNT. Before each answer stands its request, and each
//! record is a member of its own, as in the archives of Common Crawl.

#![allow(clippy::print_stdout, reason = "it is there to print")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, count, sets @ ..] = arguments.as_slice() else {
        return Err("usage: archive OUT.warc.gz COUNT SET...".into());
    };
    let mut pages = Vec::new();
    for set in sets {
        read_set(Path::new(set), &mut pages).map_err(|error| format!("{set}: {error}"))?;
    }
    if pages.is_empty() {
        return Err("the sets have no pages".into());
    }
    shuffle(&mut pages);
    // It has its name when it is whole.
    let part = format!("{out}.part");
    let mut file = BufWriter::new(File::create(&part)?);
    let mut bytes = 0;
    for number in 0..count.parse()? {
        let (path, url) = &pages[number % pages.len()];
        let html = fs::read(path)?;
        bytes += html.len();
        // No two pages of a crawl have the same address.
        let url = format!("{url}{}copy={number}", if url.contains('?') { '&' } else { '?' });
        write_record(&mut file, "request", &url, b"GET / HTTP/1.1\r\n\r\n")?;
        let answer = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".as_slice(), &html].concat();
        write_record(&mut file, "response", &url, &answer)?;
    }
    file.into_inner()?.sync_all()?;
    fs::rename(&part, out)?;
    let packed = fs::metadata(out)?.len();
    println!(
        "{count} pages, {} of them different, {:.1} MB, packed {:.1} MB",
        pages.len().min(count.parse()?),
        bytes as f64 / 1e6,
        packed as f64 / 1e6
    );
    Ok(())
}

/// The pages of a set, each with its address.
fn read_set(set: &Path, pages: &mut Vec<(PathBuf, String)>) -> Result<(), Box<dyn Error>> {
    for line in fs::read_to_string(set.join("truth.jsonl"))?.lines() {
        let truth: serde_json::Value = serde_json::from_str(line)?;
        let id = truth["id"].as_str().ok_or("a page has no id")?;
        let path = set.join("pages").join(format!("{id}.html"));
        if !path.is_file() {
            continue;
        }
        let url = truth["url"].as_str().filter(|url| url.starts_with("http"));
        let url = url.map_or_else(|| format!("http://unknown.example/{id}"), str::to_owned);
        pages.push((path, url));
    }
    Ok(())
}

/// Pages of a set are alike, and those of a crawl are not in the order of their kinds.
fn shuffle<T>(pages: &mut [T]) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for last in (1..pages.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        pages.swap(last, (state % (last as u64 + 1)) as usize);
    }
}

fn write_record(to: &mut impl Write, kind: &str, url: &str, body: &[u8]) -> std::io::Result<()> {
    let mut member = GzEncoder::new(to, Compression::default());
    write!(
        member,
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n\
         Content-Type: application/http; msgtype={kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )?;
    member.write_all(body)?;
    member.write_all(b"\r\n\r\n")?;
    member.finish()?;
    Ok(())
}
