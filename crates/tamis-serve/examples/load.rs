//! Pages per second and processor time per page: of a server, and of the library in this process, in turn. Both make the
//! same record of the same bytes.
//!
//! `load URL PID FOLDER [ROUNDS] [SECONDS] [CONNECTIONS]`, where PID is the server's process

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tamis_batch::{Fields, Html, PageIn, Work};

/// Pages that are sent: enough to differ, few enough to be held.
const MAX_PAGES: usize = 400;

/// What a round measures: pages per second, and milliseconds of processor time per page.
#[derive(Clone, Copy)]
struct Rate {
    pages: f64,
    cpu: f64,
    /// Of which in the kernel.
    kernel: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, pid, folder] = [0, 1, 2].map(|place| arguments[place].as_str());
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let number = |place: usize, default| arguments.get(place).map_or(default, |it| it.parse().unwrap());
    let (rounds, time, connections) = (number(3, 5), Duration::from_secs(number(4, 5) as u64), number(5, 4));
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let pages: Vec<Vec<u8>> = files.iter().take(MAX_PAGES).map(|file| std::fs::read(file).unwrap()).collect();
    let size = pages.iter().map(Vec::len).sum::<usize>() / pages.len() / 1024;
    println!("{} pages of {size} KiB on average, {connections} connections", pages.len());
    let requests: Vec<Vec<u8>> = pages.iter().map(|page| request(page)).collect();
    let (mut ratios, mut all) = ([(); 3].map(|()| Vec::new()), Vec::new());
    for round in 1..=rounds {
        let library = library(&pages, time);
        let (server, client, times) = server(address, pid, &requests, time, connections);
        all.extend(times);
        println!(
            "round {round}: library {:.0} pages/s, {:.2} ms each; server {:.0} pages/s, {:.2} ms each ({:.2} in the kernel), \
             client {:.2} ms ({:.2} in the kernel)",
            library.pages, library.cpu, server.pages, server.cpu, server.kernel, client.cpu, client.kernel
        );
        ratios[0].push(server.pages / library.pages);
        ratios[1].push(library.cpu / server.cpu);
        ratios[2].push(library.cpu / (server.cpu + client.cpu));
    }
    let [rate, cpu, with_client] = ratios.map(|mut ratios| {
        ratios.sort_unstable_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    });
    all.sort_unstable();
    let (median, p99) = (all[all.len() / 2], all[all.len() * 99 / 100]);
    println!(
        "medians: server / library {rate:.2} in pages/s; processor time, library / server {cpu:.2}, with the client's \
         {with_client:.2}\ntime of a request: median {median:.1?}, p99 {p99:.1?} ({:.1} times)",
        p99.as_secs_f64() / median.as_secs_f64()
    );
}

fn request(page: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
        page.len()
    );
    [head.as_bytes(), page].concat()
}

/// The processor time of a process so far in milliseconds: all, and that in the kernel.
fn cpu(pid: &str) -> (f64, f64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = |place| fields.split_whitespace().nth(place).unwrap().parse::<f64>().unwrap() * 10.0;
    (ticks(11) + ticks(12), ticks(12))
}

fn rate(pages: usize, begin: Instant, before: (f64, f64), after: (f64, f64)) -> Rate {
    let count = pages as f64;
    let [cpu, kernel] = [after.0 - before.0, after.1 - before.1].map(|time| time / count);
    Rate { pages: count / begin.elapsed().as_secs_f64(), cpu, kernel }
}

/// All cores, each with the next page.
fn library(pages: &[Vec<u8>], time: Duration) -> Rate {
    let (work, done, begin, before) = (Work::default(), AtomicUsize::new(0), Instant::now(), cpu("self"));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while begin.elapsed() < time {
                    let page = &pages[done.fetch_add(1, Ordering::Relaxed) % pages.len()];
                    let page = PageIn { content_type: Some("text/html"), ..PageIn::of(Html::Bytes(page)) };
                    std::hint::black_box(work.extract(&page).to_json(Fields::default()));
                }
            });
        }
    });
    rate(done.into_inner(), begin, before, cpu("self"))
}

/// As many requests as the connections take: the rates of the server and of its client, and the times of requests.
fn server(
    address: &str,
    pid: &str,
    requests: &[Vec<u8>],
    time: Duration,
    connections: usize,
) -> (Rate, Rate, Vec<Duration>) {
    let (next, begin, before) = (AtomicUsize::new(0), Instant::now(), (cpu(pid), cpu("self")));
    let client = || {
        let (mut stream, mut times) = (TcpStream::connect(address).unwrap(), Vec::new());
        let mut buffer = vec![0; 1 << 16];
        stream.set_nodelay(true).unwrap();
        while begin.elapsed() < time {
            let start = Instant::now();
            stream.write_all(&requests[next.fetch_add(1, Ordering::Relaxed) % requests.len()]).unwrap();
            skip_answer(&mut stream, &mut buffer);
            times.push(start.elapsed());
        }
        times
    };
    let times: Vec<Duration> = thread::scope(|scope| {
        let clients: Vec<_> = (0..connections).map(|_| scope.spawn(client)).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let rates = [(before.0, cpu(pid)), (before.1, cpu("self"))];
    let [server, client] = rates.map(|(before, after)| rate(times.len(), begin, before, after));
    (server, client, times)
}

fn skip_answer(stream: &mut TcpStream, buffer: &mut [u8]) {
    let mut received = 0;
    let head = loop {
        received += stream.read(&mut buffer[received..]).unwrap();
        if let Some(end) = buffer[..received].windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            break std::str::from_utf8(&buffer[..end]).unwrap().to_ascii_lowercase();
        }
    };
    assert!(head.starts_with("http/1.1 200"), "{head}");
    let (_, length) = head.split_once("content-length: ").unwrap();
    let length: usize = length.lines().next().unwrap().parse().unwrap();
    let mut rest = head.len() + 4 + length - received;
    while rest > 0 {
        rest -= stream.read(buffer).unwrap();
    }
}
