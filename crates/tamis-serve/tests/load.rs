//! Clients that are slow, many, or send too much: the server stays up, says so, and goes on.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

mod common;

use std::time::{Duration, Instant};

use common::{PAGE, Running, answer, config, limited, start};
use tamis_serve::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A page that takes a while.
fn slow_page() -> String {
    "<a href=x>b<p>".repeat(30_000)
}

async fn serves(server: &Running) {
    let (status, _, text) = answer(server.post("/v1/extract", PAGE).header("accept", "text/plain")).await;
    assert!(status == 200 && text.contains("It rained"), "{status} {text}");
}

/// Everything that the server writes until it closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut text)).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gigabyte_is_refused_before_it_is_sent() {
    let server = start(config()).await;
    let mut stream = TcpStream::connect(server.addr).await.unwrap();
    let head = "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 413"));
    // Without a length, after as many bytes as are allowed.
    let mut stream = TcpStream::connect(server.addr).await.unwrap();
    let head = "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = [format!("{:x}\r\n", 1 << 20).into_bytes(), vec![b'x'; 1 << 20], b"\r\n".to_vec()].concat();
    let mut sent = 0;
    while sent < 1024 && stream.write_all(&chunk).await.is_ok() {
        sent += 1;
    }
    assert!(sent < 64, "{sent} MiB were taken");
    serves(&server).await;
    assert!(answer(server.get("/metrics")).await.2.contains("tamis_body_bytes 0\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_and_half_open_connections_end_and_free_their_places() {
    let limits =
        Limits { request_timeout: Duration::from_millis(800), max_connections: 40, ..Limits::default() };
    let server = start(limited(limits)).await;
    let mut streams = Vec::new();
    for number in 0..30 {
        let mut stream = TcpStream::connect(server.addr).await.unwrap();
        let begun = match number % 3 {
            0 => "",
            1 => "POST /v1/extract HTTP/1.1\r\nHost: local",
            _ => "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n<p>",
        };
        stream.write_all(begun.as_bytes()).await.unwrap();
        streams.push((number, stream));
    }
    // A line of a batch that comes byte by byte.
    let mut batch = TcpStream::connect(server.addr).await.unwrap();
    let head = "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    batch.write_all(head.as_bytes()).await.unwrap();
    let (mut said, mut sent) = (String::new(), 0);
    while !said.contains("--request-timeout") && sent < 200 {
        let _ = batch.write_all(b"1\r\n{\r\n").await;
        sent += 1;
        let mut buffer = [0; 4096];
        let read = tokio::time::timeout(Duration::from_millis(100), batch.read(&mut buffer)).await;
        said += &String::from_utf8_lossy(&buffer[..read.map_or(0, |read| read.unwrap_or(0))]);
    }
    assert!(said.contains("--request-timeout"), "{said}");
    serves(&server).await;
    let begin = Instant::now();
    for (number, mut stream) in streams {
        let said = rest(&mut stream).await;
        if number % 3 == 2 {
            assert!(said.starts_with("HTTP/1.1 408") && said.contains("--request-timeout"), "{said}");
        }
    }
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    serves(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_left() {
    let limits = Limits { request_timeout: Duration::from_secs(1), max_connections: 1, ..Limits::default() };
    let server = start(limited(limits)).await;
    let mut stream = TcpStream::connect(server.addr).await.unwrap();
    let page = format!(
        "<article>{}</article>",
        "<p>It rained in the harbour on Monday, and it poured on Tuesday.</p>".repeat(40_000)
    );
    let head = format!(
        "POST /v1/extract?hidden=keep HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
        page.len()
    );
    let slow = Limits { request_timeout: Duration::from_secs(30), ..limits };
    let patient = start(limited(slow)).await;
    stream.write_all(head.as_bytes()).await.unwrap();
    let _ = stream.write_all(page.as_bytes()).await;
    // The only place is taken until the server gives the client up.
    tokio::time::timeout(Duration::from_secs(30), serves(&server)).await.unwrap();
    serves(&patient).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_and_too_many_requests_are_answered() {
    let limits = Limits { threads: 1, queue: 2, max_requests: 12, ..Limits::default() };
    let server = start(limited(limits)).await;
    let mut requests = JoinSet::new();
    for _ in 0..200 {
        let request = server.post("/v1/extract", slow_page()).header("accept", "text/plain");
        requests.spawn(async move {
            let response = request.send().await.unwrap();
            let retry = response.headers().contains_key("retry-after");
            (response.status().as_u16(), retry, response.text().await.unwrap())
        });
    }
    let mut counts = std::collections::BTreeMap::<u16, usize>::new();
    while let Some(done) = requests.join_next().await {
        let (status, retry, text) = done.unwrap();
        *counts.entry(status).or_default() += 1;
        match status {
            200 => {}
            429 => assert!(retry && text.contains("--max-requests"), "{text}"),
            503 => assert!(retry && text.contains("--queue"), "{text}"),
            _ => panic!("{status}: {text}"),
        }
    }
    assert!(counts[&200] >= 3 && counts.contains_key(&503) && counts.contains_key(&429), "{counts:?}");
    serves(&server).await;
}

/// A thousand clients at once, each with ten connections one after the other: none is broken.
#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_requests_are_answered() {
    let server = start(config()).await;
    let length = PAGE.len();
    let request = format!(
        "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{PAGE}"
    );
    let mut clients = JoinSet::new();
    for _ in 0..1_000 {
        let (addr, request) = (server.addr, request.clone());
        clients.spawn(async move {
            let mut served = 0;
            for _ in 0..10 {
                let mut stream = TcpStream::connect(addr).await.unwrap();
                stream.write_all(request.as_bytes()).await.unwrap();
                let said = rest(&mut stream).await;
                served += usize::from(said.starts_with("HTTP/1.1 200"));
                assert!(said.starts_with("HTTP/1.1 200") || said.contains("try again"), "{said:?}");
            }
            served
        });
    }
    let served: usize = clients.join_all().await.into_iter().sum();
    assert!(served > 1_000, "{served}");
    serves(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_leave_free_their_places() {
    let limits = Limits { threads: 1, queue: 4, ..Limits::default() };
    let server = start(limited(limits)).await;
    let page = slow_page();
    for _ in 0..5 {
        let streams: Vec<TcpStream> = {
            let mut streams = Vec::new();
            for _ in 0..5 {
                let mut stream = TcpStream::connect(server.addr).await.unwrap();
                let head = format!(
                    "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
                    page.len()
                );
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.write_all(page.as_bytes()).await.unwrap();
                streams.push(stream);
            }
            streams
        };
        drop(streams);
    }
    let begin = Instant::now();
    while answer(server.post("/v1/extract", PAGE)).await.0 != 200 {
        assert!(begin.elapsed() < Duration::from_secs(20), "the queue stays full");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    serves(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_takes_too_long_is_given_up() {
    let limits = Limits { timeout: Duration::from_millis(20), ..Limits::default() };
    let server = start(limited(limits)).await;
    let (status, _, text) = answer(server.post("/v1/extract", slow_page().repeat(8))).await;
    assert!(status == 408 && text.contains("--timeout"), "{status} {text}");
    serves(&server).await;
}

/// Rules of a client end with the time of its page, however many there are.
#[tokio::test(flavor = "multi_thread")]
async fn rules_that_take_too_long_are_given_up() {
    let limits = Limits { timeout: Duration::from_millis(500), threads: 1, ..Limits::default() };
    let server = start(limited(limits)).await;
    let selectors: Vec<String> = (0..20_000).map(|it| format!("'{}p.c{it}'", "div ".repeat(60))).collect();
    let rules = format!("[[site]]\nhost = 'a.example'\ndrop = [{}]", selectors.join(","));
    let page = "<div>".repeat(400) + &"<p>Rain</p>".repeat(5_000);
    let asked = serde_json::json!({"html": page, "url": "https://a.example/", "rules": rules});
    let (status, _, text) = answer(server.post_json("/v1/extract", &asked)).await;
    assert!(status == 408 && text.contains("--timeout"), "{status} {text}");
    serves(&server).await;
}

/// The bytes of all bodies together are bounded, however many connections send some.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_connections_take_bounded_memory() {
    let limits = Limits {
        max_memory: 1 << 20,
        max_bytes: 1 << 20,
        request_timeout: Duration::from_secs(20),
        ..Limits::default()
    };
    let server = start(limited(limits)).await;
    let mut streams = Vec::new();
    for _ in 0..1_000 {
        let mut stream = TcpStream::connect(server.addr).await.unwrap();
        let head = "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        let _ = stream.write_all(&[b'x'; 50_000]).await;
        streams.push(stream);
    }
    let (_, _, metrics) = answer(server.get("/metrics")).await;
    let held = metrics.lines().find_map(|line| line.strip_prefix("tamis_body_bytes ")).unwrap();
    assert!(held.parse::<u64>().unwrap() <= 1 << 20, "{held}");
    let refused = rest(&mut streams[999]).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("--max-memory"), "{refused}");
    drop(streams);
    tokio::time::sleep(Duration::from_millis(300)).await;
    serves(&server).await;
}

/// Answers count until they are taken, those of batches too.
#[tokio::test(flavor = "multi_thread")]
async fn answers_that_nobody_takes_are_bounded() {
    const MAX: u32 = 16 << 20;
    let limits = Limits { max_memory: MAX, request_timeout: Duration::from_secs(4), ..Limits::default() };
    let server = start(limited(limits)).await;
    let text = "It rained in the harbour on Monday. ".repeat(100_000);
    let lines = format!("{}\n", serde_json::json!({"html": format!("<p>{text}")})).repeat(3);
    let bodies = [("extract", format!("<p>{text}")), ("batch", lines)];
    let addr = server.addr;
    // A client that sends a page or a batch and never reads the answer.
    let client = |number: usize| {
        let (route, body) = bodies[number % 2].clone();
        tokio::spawn(async move {
            let mut stream = TcpStream::connect(addr).await.unwrap();
            let head = format!(
                "POST /v1/{route} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes()).await;
            stream
        })
    };
    let mut clients: Vec<_> = (0..12).map(client).collect();
    let held = async || {
        let (_, _, metrics) = answer(server.get("/metrics")).await;
        metrics.lines().find_map(|line| line.strip_prefix("tamis_body_bytes ")?.parse::<u32>().ok()).unwrap()
    };
    let (begin, mut most, mut refused) = (Instant::now(), 0, false);
    while !refused && begin.elapsed() < Duration::from_secs(30) {
        let now = held().await;
        most = most.max(now);
        assert!(most <= MAX, "{most}");
        if now <= MAX / 2 {
            // Earlier clients may have timed out.
            clients.push(client(clients.len()));
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        }
        // Larger than the memory that is left.
        let body = " ".repeat(MAX as usize / 2) + "<p>It rained.";
        let (status, _, said) = answer(server.post("/v1/extract", body)).await;
        refused = status == 503 && said.contains("--max-memory");
        assert!(refused || status == 200, "{status} {said}");
    }
    assert!(refused && most > MAX / 2, "{most}");
    // They are given up, and all is free again.
    let begin = Instant::now();
    while held().await > 0 {
        assert!(begin.elapsed() < Duration::from_secs(60), "{} bytes stay", held().await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    serves(&server).await;
    drop(clients);
}

#[tokio::test(flavor = "multi_thread")]
async fn shutting_down_answers_what_is_in_flight() {
    let server = tamis_serve::Server::bind(config()).await.unwrap();
    let addr = server.local_addr();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { _ = stopped.await }));
    let other = start(config()).await;
    let request = other.client.post(format!("http://{addr}/v1/extract")).body(slow_page());
    let in_flight = tokio::spawn(async move { request.send().await.unwrap().status().as_u16() });
    tokio::time::sleep(Duration::from_millis(50)).await;
    stop.send(()).unwrap();
    assert_eq!(in_flight.await.unwrap(), 200);
    tokio::time::timeout(Duration::from_secs(10), running).await.unwrap().unwrap();
    assert!(TcpStream::connect(addr).await.is_err());
}
