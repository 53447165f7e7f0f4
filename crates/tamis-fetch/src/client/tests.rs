//! The client against servers on loopback.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::test_server::{Server, answer};
use super::*;
use crate::request::Accept;

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Small limits, so that exceeding them is fast.
fn local() -> Settings {
    Settings { allow_private: true, max_body: 1000, timeout: Duration::from_secs(20), ..Settings::default() }
}

fn page(url: &str) -> Request {
    Request::new(Url::parse(url).unwrap(), Accept::Page)
}

fn get(url: &str) -> Result<Response, Error> {
    run(Client::new(local()).unwrap().get(&page(url)))
}

fn get_following(url: &str) -> Result<Response, Error> {
    run(Client::new(local()).unwrap().get_following(&page(url)))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Repeats the same bytes until the client disconnects.
fn flood(connection: &mut TcpStream, head: &[u8], bytes: &[u8]) -> io::Result<()> {
    connection.write_all(head)?;
    loop {
        connection.write_all(bytes)?;
    }
}

#[test]
fn clients_can_be_shared_between_tasks() {
    fn shareable<T: Clone + Send + Sync + 'static>(_: &T) {}
    fn sendable<T: Send>(_: &T) {}
    let (client, request) = (Client::new(Settings::default()).unwrap(), page("http://example.com/"));
    shareable(&client);
    sendable(&client.get(&request));
    sendable(&client.get_following(&request));
}

#[test]
fn a_request_carries_its_headers_and_no_others() {
    let server = Server::answering(|_| answer("304 Not Modified", &[], b""));
    let mut request = page(&server.url("/a b/ü?q=%7B|^{}\"'<>`~[]"));
    request.etag = Some("\"v1\"".to_owned());
    request.last_modified = Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned());
    let client = Client::new(Settings { user_agent: "testbot/1.0".to_owned(), ..local() }).unwrap();
    let response = run(client.get(&request)).unwrap();
    assert_eq!((response.status, response.skipped), (304, true));
    let head = server.requests().remove(0);
    let mut names: Vec<&str> =
        head.lines().skip(1).filter_map(|line| Some(line.split_once(':')?.0)).collect();
    names.sort_unstable();
    let wanted = ["accept", "accept-encoding", "host", "if-modified-since", "if-none-match", "user-agent"];
    assert_eq!(names, wanted, "{head}");
    for wanted in [
        "get /a%20b/%c3%bc?q=%7b|^{}%22%27%3c%3e`~[] http/1.1",
        "user-agent: testbot/1.0",
        "accept: text/html",
        "accept-encoding: gzip, deflate, br",
        "if-none-match: \"v1\"",
        "if-modified-since: sun, 06 nov 1994 08:49:37 gmt",
    ] {
        assert!(head.contains(wanted), "no {wanted:?} in {head}");
    }
    request.etag = Some("two\r\nlines: 1".to_owned());
    assert_eq!(run(client.get(&request)).unwrap().status, 304);
    assert!(!server.requests()[1].contains("lines"));
}

#[test]
fn bodies_arrive_decoded_whatever_the_header_claims() {
    let server = Server::answering(|path| match path {
        "/gzip" => answer("200 OK", &["Content-Encoding: gzip"], &gzip(b"<p>Rain")),
        "/lying" => answer("200 OK", &["Content-Encoding: br"], b"<p>Rain"),
        "/chunked" => {
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n4\r\nRain\r\n0\r\n\r\n"
                .to_vec()
        }
        _ => answer("200 OK", &[], b"<p>Rain"),
    });
    for path in ["/", "/gzip", "/lying", "/chunked"] {
        let response = get(&server.url(path)).unwrap();
        assert_eq!((response.body.as_slice(), response.skipped), (b"<p>Rain".as_slice(), false), "{path}");
    }
}

#[test]
fn large_bodies_fail_or_are_cut() {
    let server = Server::start("127.0.0.1", |path, connection| {
        let large = vec![b' '; 100_000];
        let _ = match path {
            "/declared" => connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n<p>"),
            "/bomb" => connection.write_all(&answer("200 OK", &["Content-Encoding: gzip"], &gzip(&large))),
            "/endless" => flood(connection, b"HTTP/1.1 200 OK\r\n\r\n", &large),
            _ => connection.write_all(&answer("200 OK", &[], &large)),
        };
    });
    for path in ["/declared", "/bomb", "/endless", "/"] {
        assert_eq!(get(&server.url(path)).unwrap_err(), Error::TooLarge(1000), "{path}");
    }
    let client = Client::new(local()).unwrap();
    for path in ["/bomb", "/endless", "/"] {
        let mut request = page(&server.url(path));
        (request.truncate, request.max_body) = (true, Some(500));
        let response = run(client.get(&request)).unwrap();
        assert_eq!((response.body, response.truncated), (vec![b' '; 500], true), "{path}");
    }
}

#[test]
fn bodies_of_no_use_are_not_read() {
    let server = Server::answering(|path| {
        let (status, kind) = match path {
            "/gone" => ("404 Not Found", "text/html"),
            _ => ("200 OK", "Image/PNG"),
        };
        answer(status, &[&format!("Content-Type: {kind}")], &[b' '; 5000])
    });
    for (path, status) in [("/gone", 404), ("/picture", 200)] {
        let response = get(&server.url(path)).unwrap();
        assert_eq!((response.status, response.skipped, response.body.len()), (status, true, 0));
    }
}

#[test]
fn redirects_are_followed_only_where_asked_and_allowed() {
    let server = Server::answering(|path| {
        let location = match path {
            "/end" => return answer("200 OK", &[], b"<p>Rain"),
            "/nowhere" => return answer("302 Found", &[], b""),
            "/relative" => "end",
            "/absolute" => "/relative#part",
            "/file" => "file:///etc/passwd",
            "/ftp" => "ftp://127.0.0.1/",
            "/broken" => "http://[",
            "/long" => &format!("/{}", "a".repeat(9000)),
            _ => "/loop",
        };
        answer("301 Moved Permanently", &[&format!("Location: {location}")], b"moved")
    });
    let once = get(&server.url("/relative")).unwrap();
    assert_eq!((once.status, once.location()), (301, Url::parse(&server.url("/end")).ok()));
    for path in ["/end", "/relative", "/absolute"] {
        let response = get_following(&server.url(path)).unwrap();
        assert_eq!(
            (response.url.as_str(), response.body.as_slice()),
            (&*server.url("/end"), &b"<p>Rain"[..])
        );
    }
    assert_eq!(get_following(&server.url("/nowhere")).unwrap().status, 302);
    assert_eq!(get_following(&server.url("/file")).unwrap_err(), Error::Scheme("file".to_owned()));
    assert_eq!(get_following(&server.url("/ftp")).unwrap_err(), Error::Scheme("ftp".to_owned()));
    for path in ["/broken", "/long"] {
        assert!(matches!(get_following(&server.url(path)), Err(Error::Url(_))), "{path}");
    }
    let before = server.requests().len();
    assert_eq!(get_following(&server.url("/loop")).unwrap_err(), Error::TooManyRedirects(10));
    assert_eq!(server.requests().len() - before, 11);
}

#[test]
fn a_redirect_to_an_internal_address_is_refused() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"secret"));
    let port = inner.port();
    // The path is the host to redirect to.
    let outer = Server::start("127.0.0.2", move |path, connection| {
        let location = format!("Location: http://{}:{port}/", path.trim_start_matches('/'));
        let _ = connection.write_all(&answer("302 Found", &[&location], b""));
    });
    // Stands in for the public web: one address that may be contacted.
    let only_outer: Policy = |address| address == IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let client = Client::with_resolver(Settings::default(), only_outer, system_lookup).unwrap();
    for host in ["127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0"] {
        let outcome = run(client.get_following(&page(&outer.url(&format!("/{host}")))));
        assert!(matches!(outcome, Err(Error::Refused { .. })), "{host}: {outcome:?}");
    }
    assert_eq!((outer.requests().len(), inner.requests().len()), (6, 0));
}

/// The table of ways to an internal address, each as the target of a redirect.
#[test]
fn no_redirect_leads_to_an_internal_address() {
    let inner = Server::answering(|_| answer("200 OK", &[], b"secret"));
    let port = inner.port().to_string();
    let table = include_str!("../../../tamis-serve/tests/data/internal.txt");
    // Hosts of the public web are not contacted by tests, and a path alone stays on the host.
    let is_target =
        |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.ends_with("@example.com/");
    let targets: Vec<String> =
        table.lines().filter(is_target).map(|line| line.replace("PORT", &port)).collect();
    let targets: Vec<String> =
        targets.into_iter().filter(|it| it.starts_with("//") || !it.starts_with('/')).collect();
    assert!(targets.len() >= 60);
    let located = targets.clone();
    let outer = Server::start("127.0.0.2", move |path, connection| {
        let target =
            path.trim_start_matches('/').parse::<usize>().map_or("/0", |place| located[place].as_str());
        let _ = connection.write_all(&answer("302 Found", &[&format!("Location: {target}")], b""));
    });
    // Stands in for the public web.
    let policy: Policy = |address| address == IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2)) || is_public(address);
    let client = Client::with_resolver(Settings::default(), policy, system_lookup).unwrap();
    for (place, target) in targets.iter().enumerate() {
        let outcome = run(client.get_following(&page(&outer.url(&format!("/{place}")))));
        // A target that is no valid header is not followed.
        let is_refused = outcome.as_ref().map_or_else(
            |error| !error.is_transient() || matches!(error, Error::Dns(_)),
            |it| it.status == 302,
        );
        assert!(is_refused, "{target}: {outcome:?}");
    }
    assert_eq!(inner.requests().len(), 0);
}

/// A name server that answers with a public address first, and with an internal one when it is asked again.
#[test]
fn a_name_that_changes_its_address_is_checked_again() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let inner = Server::answering(|_| answer("200 OK", &[], b"secret"));
    let again = format!("Location: http://changing.example:{}/", inner.port());
    let outer = Server::start("127.0.0.2", move |_, connection| {
        let _ = connection.write_all(&answer("302 Found", &[&again], b""));
    });
    let policy: Policy = |address| address == IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let lookup: Lookup = |_| {
        let last = if ASKED.fetch_add(1, Ordering::Relaxed) == 0 { 2 } else { 1 };
        Box::pin(async move { Ok(vec![([127, 0, 0, last], 0).into()]) })
    };
    let client = Client::with_resolver(Settings::default(), policy, lookup).unwrap();
    let url = outer.url("/").replace("127.0.0.2", "changing.example");
    let outcome = run(client.get_following(&page(&url)));
    assert!(matches!(outcome, Err(Error::Refused { .. })), "{outcome:?}");
    assert_eq!((ASKED.load(Ordering::Relaxed), outer.requests().len(), inner.requests().len()), (2, 1, 0));
}

#[test]
fn names_of_internal_addresses_are_refused_by_default() {
    let server = Server::answering(|_| answer("200 OK", &[], b"secret"));
    let client = Client::new(Settings::default()).unwrap();
    for (host, message) in [
        ("127.0.0.1", "address refused: 127.0.0.1 is a private address"),
        ("[::1]", "address refused: ::1 is a private address"),
        ("localhost", "host localhost refused: "),
    ] {
        let url = format!("http://{host}:{}/", server.port());
        for outcome in [run(client.get(&page(&url))), run(client.get_following(&page(&url)))] {
            let error = outcome.unwrap_err();
            assert!(error.to_string().starts_with(message) && !error.is_transient(), "{error}");
        }
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn credentials_reach_the_first_server_only() {
    let other = Server::answering(|_| answer("200 OK", &[], b"<p>Rain"));
    let target = other.url("/").replace("http://", "http://you:hidden@");
    let server = Server::answering(move |_| answer("302 Found", &[&format!("Location: {target}")], b""));
    let with_password = server.url("/").replace("http://", "http://me:s%40cret@");
    let response = get_following(&with_password).unwrap();
    assert_eq!(response.url.as_str(), other.url("/"));
    // me:s@cret in Base64, in lower case.
    assert!(server.requests()[0].contains("authorization: basic bwu6c0bjcmv0"), "{}", server.requests()[0]);
    assert!(!other.requests()[0].contains("authorization"));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for url in [
        format!("http://me:s%40cret@{closed}/"),
        format!("https://me:s%40cret@127.0.0.1:{}/", server.port()),
        format!("http://me:s%40cret@127.0.0.1/{}", "a".repeat(9000)),
        "ftp://me:s%40cret@127.0.0.1/".to_owned(),
    ] {
        let error = get(&url).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("cret"), "{error}");
    }
}

#[test]
fn slow_servers_time_out() {
    let server = Server::start("127.0.0.1", |path, connection| {
        if path == "/drip" {
            let _ = connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        }
        // Nothing, or a byte at a time, until the client disconnects.
        for _ in 0..400 {
            thread::sleep(Duration::from_millis(50));
            if path == "/drip" && connection.write_all(b" ").is_err() {
                return;
            }
        }
    });
    let limit = Duration::from_millis(300);
    let client = Client::new(Settings { timeout: limit, ..local() }).unwrap();
    for path in ["/drip", "/silent"] {
        let start = Instant::now();
        let error = run(client.get(&page(&server.url(path)))).unwrap_err();
        assert_eq!(error, Error::Timeout(limit));
        assert!(error.is_transient() && start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn broken_servers_are_errors_that_say_what_is_wrong() {
    let server = Server::start("127.0.0.1", |path, connection| {
        let _ = match path {
            "/half" => connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<p>half"),
            "/chunk" => {
                connection.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<p>")
            }
            "/ssh" => connection.write_all(b"SSH-2.0-OpenSSH\r\n"),
            "/headers" => flood(connection, b"HTTP/1.1 200 OK\r\n", b"X-Header: bomb\r\n"),
            "/header" => flood(connection, b"HTTP/1.1 200 OK\r\nX-Header: ", &[b'a'; 4096]),
            "/gzip" => {
                let body = gzip(&[b' '; 500]);
                connection.write_all(&answer("200 OK", &["Content-Encoding: gzip"], &body[..body.len() - 9]))
            }
            // The greeting of a TLS client has no path.
            "" => connection.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
            _ => Ok(()),
        };
    });
    for path in ["/half", "/chunk", "/ssh", "/headers", "/header", "/nothing"] {
        let error = get(&server.url(path)).unwrap_err();
        assert!(matches!(&error, Error::Http(reason) if !reason.is_empty()), "{path}: {error:?}");
        assert!(error.is_transient());
    }
    assert!(matches!(get(&server.url("/gzip")), Err(Error::Encoding(_))));
    let tls = get(&server.url("/").replace("http://", "https://")).unwrap_err();
    assert!(matches!(tls, Error::Tls { .. }), "{tls:?}");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refused = get(&format!("http://{closed}/")).unwrap_err();
    assert!(matches!(&refused, Error::Connect { reason, .. } if reason.contains("refused")), "{refused:?}");
    // Names under .invalid are never registered.
    let unknown = get("http://host.invalid/").unwrap_err();
    assert_eq!(unknown, Error::Dns("host.invalid".to_owned()));
    let agent = Client::new(Settings { user_agent: "two\nlines".to_owned(), ..local() });
    assert!(matches!(agent, Err(Error::Setup(_))));
}
