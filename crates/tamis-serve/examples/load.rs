//! Pages per second of a server and of the library in this process, in turn, on the same pages.
//!
//! `load URL FOLDER [ROUNDS] [SECONDS] [CONNECTIONS]`

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tamis_batch::{Html, PageIn, Work};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// Pages that are sent: enough to differ, few enough to be held.
const MAX_PAGES: usize = 400;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let address = arguments[0].trim_start_matches("http://").trim_end_matches('/').to_owned();
    let number = |place: usize, default| arguments.get(place).map_or(default, |it| it.parse().unwrap());
    let (rounds, seconds, connections) = (number(2, 5), number(3, 5), number(4, 4));
    let mut files: Vec<_> =
        std::fs::read_dir(&arguments[1]).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let pages: Vec<Vec<u8>> = files.iter().take(MAX_PAGES).map(|file| std::fs::read(file).unwrap()).collect();
    let bytes: usize = pages.iter().map(Vec::len).sum();
    println!(
        "{} pages of {} KiB on average, {connections} connections",
        pages.len(),
        bytes / pages.len() / 1024
    );
    let pages = Arc::new(pages);
    let time = Duration::from_secs(seconds as u64);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mut ratios, mut all) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        let library = library(&pages, time);
        let (server, mut times) = runtime.block_on(server(&address, &pages, time, connections));
        times.sort_unstable();
        let (median, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
        ratios.push(server / library);
        println!(
            "round {round}: library {library:.0} pages/s, server {server:.0} pages/s, median {median:.1?}, p99 {p99:.1?}"
        );
        all.extend(times);
    }
    ratios.sort_unstable_by(f64::total_cmp);
    all.sort_unstable();
    let (median, p99) = (all[all.len() / 2], all[all.len() * 99 / 100]);
    let tail = p99.as_secs_f64() / median.as_secs_f64();
    println!(
        "server / library: {:.2} (median of {rounds}); p99 / median: {tail:.1}",
        ratios[ratios.len() / 2]
    );
}

/// All cores, each with the next page.
fn library(pages: &[Vec<u8>], time: Duration) -> f64 {
    let (work, done, begin) = (Work::default(), AtomicUsize::new(0), Instant::now());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while begin.elapsed() < time {
                    let page = &pages[done.fetch_add(1, Ordering::Relaxed) % pages.len()];
                    let record = work.extract(&PageIn::of(Html::Bytes(page)));
                    std::hint::black_box(record.to_json(tamis_batch::Fields::default()));
                }
            });
        }
    });
    done.load(Ordering::Relaxed) as f64 / begin.elapsed().as_secs_f64()
}

/// As many requests as the connections take.
async fn server(
    address: &str,
    pages: &Arc<Vec<Vec<u8>>>,
    time: Duration,
    connections: usize,
) -> (f64, Vec<Duration>) {
    let (next, begin) = (Arc::new(AtomicUsize::new(0)), Instant::now());
    let clients: Vec<_> = (0..connections).map(|_| {
        let (address, pages, next) = (address.to_owned(), pages.clone(), next.clone());
        tokio::spawn(async move {
            let mut stream = BufReader::new(TcpStream::connect(&address).await.unwrap());
            stream.get_ref().set_nodelay(true).unwrap();
            let mut times = Vec::new();
            while begin.elapsed() < time {
                let page = &pages[next.fetch_add(1, Ordering::Relaxed) % pages.len()];
                let start = Instant::now();
                let head = format!(
                    "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
                    page.len()
                );
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.write_all(page).await.unwrap();
                skip_answer(&mut stream).await;
                times.push(start.elapsed());
            }
            times
        })
    }).collect();
    let mut times = Vec::new();
    for client in clients {
        times.extend(client.await.unwrap());
    }
    (times.len() as f64 / begin.elapsed().as_secs_f64(), times)
}

async fn skip_answer(stream: &mut BufReader<TcpStream>) {
    let (mut length, mut line) = (0, String::new());
    loop {
        line.clear();
        stream.read_line(&mut line).await.unwrap();
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
}
