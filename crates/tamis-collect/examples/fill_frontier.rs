//! Fills the frontier of a corpus, to benchmark runs with many URLs: `fill_frontier CORPUS LIST`. Each line of the list
//! begins with a URL, up to a tab or the end of the line; all URLs are due at once.

#![allow(clippy::unwrap_used, reason = "a measurement stops where something is wrong")]

use std::collections::HashMap;
use std::fs;

use tamis_collect::{system_time, urls};
use tamis_corpus::database::Param;
use tamis_corpus::{Corpus, params};

/// URLs per transaction.
const AT_ONCE: usize = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let target = arguments.next().expect("the corpus").parse().unwrap();
    let list = fs::read_to_string(arguments.next().expect("the list of URLs")).unwrap();
    let mut corpus = Corpus::open_or_create(&target).unwrap();
    let mut hosts: HashMap<String, i64> = HashMap::new();
    let lines: Vec<&str> = list.lines().filter_map(|line| line.split('\t').next()).collect();
    let now = system_time();
    for lines in lines.chunks(AT_ONCE) {
        corpus
            .transaction(|tx| {
                let mut rows = Vec::with_capacity(lines.len() * 7);
                for url in lines {
                    let name = urls::host_key(&urls::parse(url).expect("a web address"));
                    let host = match hosts.get(&name) {
                        Some(host) => *host,
                        None => {
                            let sql = "INSERT INTO host (name) VALUES ($1)
                                ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id";
                            let id = tx.query_value(sql, params![&name])?;
                            hosts.insert(name, id);
                            id
                        }
                    };
                    let (kind, priority, depth) = ("page", 2_i64, 1_i64);
                    let row = [
                        Param::from(*url),
                        host.into(),
                        kind.into(),
                        priority.into(),
                        now.into(),
                        now.into(),
                    ];
                    rows.extend(row);
                    rows.push(depth.into());
                }
                tx.insert_many(
                    "INSERT INTO url (url, host_id, kind, priority, due, found, depth)",
                    7,
                    "ON CONFLICT (url) DO NOTHING",
                    &rows,
                )
            })
            .unwrap();
    }
}
