//! Pages from the web, against a server on this machine.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::crawl::gzip;
use crate::run::{self, Folder, Run};
use crate::server::{Server, answer};

const STORY: &str = "The ferry runs again, says the company: twice a day, and three times a day from May on.";
const HTML: &[&str] = &["Content-Type: text/html"];

fn page() -> Vec<u8> {
    format!("<title>Ferry</title><p>{STORY} <a href=more.html>More</a>").into_bytes()
}

/// A server that has the page everywhere.
fn server() -> Server {
    Server::answering(|_| answer("200 OK", HTML, &page()))
}

/// Runs the command with leave to contact this machine.
fn tamis(line: &str) -> Run {
    run::tamis(&format!("{line} --allow-private"), "")
}

/// Extracts a page, which must fail with a word on this.
fn fails(url: &str, with: &str) -> Run {
    let run = tamis(&format!("extract {url}")).fails(with);
    assert_eq!((run.out.as_str(), run.err.lines().count()), ("", 1), "{run:?}");
    run
}

#[test]
fn a_page_is_fetched_under_an_honest_name() {
    let server = server();
    let run = tamis(&format!("extract {}", server.url("/news/"))).succeeds().prints(STORY);
    assert_eq!(run.err, "");
    let request = server.requests().remove(0);
    assert!(request.starts_with("get /news/ http/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("user-agent: tamis/{}", env!("CARGO_PKG_VERSION"))), "{request}");
    assert!(request.contains("accept-encoding: gzip"), "{request}");
}

#[test]
fn the_servers_word_on_the_encoding_counts() {
    let server = Server::answering(|_| {
        let text = [b"<p>".as_slice(), &b"\xD6\xD0\xCE\xC4".repeat(20), b"\xA1\xA3</p>"].concat();
        answer("200 OK", &["Content-Type: text/html; charset=gb2312"], &text)
    });
    let line = tamis(&format!("extract --format json {}", server.url("/"))).json();
    assert_eq!(line["encoding"], "GBK");
    assert!(line["text"].as_str().unwrap().contains("中文中文。"));
}

#[test]
fn redirects_are_followed_and_the_last_address_is_the_pages() {
    let server = Server::answering(|path| match path {
        "/old" => answer("301 Moved Permanently", &["Location: /new/page"], b""),
        _ => answer("200 OK", HTML, &page()),
    });
    let (old, new) = (server.url("/old"), server.url("/new/page"));
    let line = tamis(&format!("extract --format json {old}")).json();
    assert_eq!((&line["path"], &line["url"]), (&old.clone().into(), &new.into()));
    tamis(&format!("extract --format md --with links {old}")).prints(&server.url("/new/more.html"));
}

#[test]
fn a_circle_of_redirects_ends() {
    let server = Server::answering(|_| answer("302 Found", &["Location: /again"], b""));
    fails(&server.url("/"), "more than 10 redirects, perhaps in a loop");
    assert!(server.requests().len() <= 12);
}

#[test]
fn a_redirect_does_not_open_files() {
    let folder = Folder::new();
    folder.write("secret.html", format!("<p>{STORY}"));
    let location = format!("Location: file://{}", folder.path("secret.html"));
    let server = Server::answering(move |path| match path {
        "/" => answer("302 Found", &[&location], b""),
        _ => answer("404 Not Found", &[], b""),
    });
    fails(&server.url("/"), "scheme \"file\" is not supported");
}

#[test]
fn private_addresses_are_refused_unless_allowed() {
    let server = server();
    for (name, refused) in [
        ("127.0.0.1", "address refused"),
        ("localhost", "host localhost refused"),
        ("0x7f.1", "address refused"),
    ] {
        for command in ["extract", "explain"] {
            let url = server.url("/").replace("127.0.0.1", name);
            let run = run::tamis(&format!("{command} {url}"), "").fails(refused);
            assert_eq!(run.out, "");
            run.says("is a private address; pass --allow-private to fetch it");
        }
    }
    assert!(server.requests().is_empty());
}

#[test]
fn what_the_server_refuses_is_named() {
    let refusals = [
        ("/gone", "404 Not Found", "404 Not Found; check the URL"),
        ("/secret", "403 Forbidden", "403 Forbidden; it does not serve this page to programs"),
        ("/often", "429 Too Many Requests", "too many requests: wait 120 s, then try again"),
        ("/unwelcome", "999 Request denied", "999 (not a standard status); it does not serve"),
        ("/empty", "204 No Content", "204 No Content; it has no page at this URL"),
        ("/same", "304 Not Modified", "304 Not Modified; it sends no page"),
        ("/busy", "503 Service Unavailable", "503 Service Unavailable; try again later"),
    ];
    let server = Server::answering(move |path| {
        let (_, status, _) = refusals.iter().find(|(refused, ..)| *refused == path).unwrap();
        let body = if ["/empty", "/same"].contains(&path) { Vec::new() } else { page() };
        answer(status, &["Content-Type: text/html", "Retry-After: 120"], &body)
    });
    for (path, _, said) in refusals {
        fails(&server.url(path), said).says(&server.url(path));
    }
}

#[test]
fn packed_answers_are_unpacked_and_large_ones_refused() {
    let server = Server::answering(|path| {
        let large = page().repeat(100);
        match path {
            "/packed" => answer("200 OK", &[HTML[0], "Content-Encoding: gzip"], &gzip(page())),
            "/large" => answer("200 OK", &[], &large),
            _ => answer("200 OK", &["Content-Encoding: gzip"], &gzip(large)),
        }
    });
    tamis(&format!("extract {}", server.url("/packed"))).prints(STORY);
    for path in ["/large", "/large-and-packed"] {
        let line = format!("{} --max-bytes 5000", server.url(path));
        fails(&line, "more than 5000 bytes: raise --max-bytes");
    }
}

#[test]
fn a_server_that_stalls_is_left() {
    let server = Server::start("127.0.0.1", |path, connection| {
        if path == "/half" {
            connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<p>half").unwrap();
        }
        std::thread::sleep(Duration::from_secs(20));
    });
    for path in ["/nothing", "/half"] {
        let begin = Instant::now();
        fails(&format!("{} --fetch-timeout 0.3", server.url(path)), "within 0.3 s: raise --fetch-timeout");
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn what_is_no_page_is_not_loaded() {
    let server = Server::answering(|path| match path {
        "/a.png" => answer("200 OK", &["Content-Type: image/png"], b"\x89PNG\r\n\x1A\n"),
        _ => answer("200 OK", HTML, b"%PDF-1.7 and so on"),
    });
    fails(&server.url("/a.png"), "it is image/png, not a web page");
    fails(&server.url("/a.pdf"), "looks like a PDF document, not a web page");
}

#[test]
fn a_broken_off_answer_is_an_error_and_not_half_a_page() {
    for said in [&b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<p>half"[..], b"SSH-2.0-OpenSSH\r\n"] {
        let server = Server::answering(|_| said.to_vec());
        fails(&server.url("/"), "cannot fetch");
    }
}

#[test]
fn a_server_without_tls_is_called_that() {
    let server = Server::answering(|_| answer("400 Bad Request", &[], b"no"));
    fails(&server.url("/").replace("http://", "https://"), "try http://");
}

#[test]
fn passwords_are_sent_and_not_told() {
    let server = Server::answering(|path| match path {
        "/gone" => answer("404 Not Found", &[], b""),
        _ => answer("200 OK", HTML, &page()),
    });
    let with_password = |path: &str| server.url(path).replace("http://", "http://me:secret@");
    let run = tamis(&format!("extract --format json {}", with_password("/"))).succeeds();
    assert!(server.requests()[0].contains("authorization: basic"));
    run.does_not_print("secret").does_not_say("secret");
    fails(&with_password("/gone"), "404").does_not_say("secret");
    fails("ftp://me:secret@example.com/a", "only http:// and https://").does_not_say("secret");
}

#[test]
fn addresses_that_are_none_say_why() {
    for (url, why) in [
        ("http://", "cannot fetch http://: empty host"),
        ("http://127.0.0.1:port/", "invalid port number"),
        ("ftp://example.com/page.html", "only http:// and https:// are supported"),
        ("file:///home/me/page.html", "name the file without file:// (/home/me/page.html)"),
        // Names under .invalid are never given to anybody.
        ("--fetch-timeout 5 http://bücher.invalid/", "cannot fetch http://bücher.invalid/"),
        ("http://127.0.0.1:9/", "check the URL and the network"),
    ] {
        fails(url, why);
    }
}

#[test]
fn paths_may_have_any_characters() {
    let server = server();
    tamis(&format!("extract '{}'", server.url("/a b/中?q=ü"))).succeeds();
    assert!(server.requests()[0].starts_with("get /a%20b/%e4%b8%ad?q=%c3%bc "));
}

#[test]
fn other_commands_fetch_too() {
    let server = server();
    for (command, words) in [("explain", "The ferry runs"), ("tree", "<title>")] {
        tamis(&format!("{command} {}", server.url("/"))).succeeds().prints(words);
    }
}
