//! Pages from the web, against a server on this machine.

use std::time::{Duration, Instant};

use crate::run::{self, Folder, Run};
use crate::server::{Server, answer, gzip};

const STORY: &str = "The ferry runs again, says the company: twice a day, and three times a day from May on.";

fn page() -> Vec<u8> {
    format!("<title>Ferry</title><p>{STORY} <a href=more.html>More</a>").into_bytes()
}

/// Runs the command with leave to contact this machine.
fn tamis(arguments: &[&str]) -> Run {
    run::tamis(&[arguments, &["--allow-private"]].concat(), "")
}

/// Runs the command, which must fail with a word on this.
fn fails(arguments: &[&str], with: &str) -> Run {
    let run = tamis(arguments);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(run.err.contains(with), "no {with:?} in {:?}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    run
}

#[test]
fn a_page_is_fetched_under_an_honest_name() {
    let server = Server::start(|_, _| answer("200 OK", &["Content-Type: text/html"], &page()));
    let run = tamis(&["extract", &server.url("/news/")]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains(STORY));
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /news/ http/1.1\r\n"), "{request}");
    assert!(request.contains(&format!("user-agent: tamis/{}", env!("CARGO_PKG_VERSION"))), "{request}");
    assert!(request.contains("accept-encoding: gzip"), "{request}");
}

#[test]
fn the_servers_word_on_the_encoding_counts() {
    let server = Server::start(|_, _| {
        let text = [b"<p>".as_slice(), &b"\xD6\xD0\xCE\xC4".repeat(20), b"\xA1\xA3</p>"].concat();
        answer("200 OK", &["Content-Type: text/html; charset=gb2312"], &text)
    });
    let run = tamis(&["extract", "--format", "json", &server.url("/")]);
    let line: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(line["encoding"], "GBK");
    assert!(line["text"].as_str().unwrap().contains("中文中文。"));
}

#[test]
fn redirects_are_followed_and_the_last_address_is_the_pages() {
    let server = Server::start(|path, _| match path {
        "/old" => answer("301 Moved Permanently", &["Location: /new/page"], b""),
        _ => answer("200 OK", &["Content-Type: text/html"], &page()),
    });
    let run = tamis(&["extract", "--format", "json", &server.url("/old")]);
    let line: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (line["path"].as_str(), line["url"].as_str()),
        (Some(&*server.url("/old")), Some(&*server.url("/new/page")))
    );
    let run = tamis(&["extract", "--format", "md", "--with", "links", &server.url("/old")]);
    assert!(run.out.contains(&server.url("/new/more.html")), "{}", run.out);
}

#[test]
fn a_circle_of_redirects_ends() {
    let server = Server::start(|_, _| answer("302 Found", &["Location: /again"], b""));
    fails(&["extract", &server.url("/")], "more than 10 redirects, perhaps in a loop");
    assert!(server.requests().len() <= 12);
}

#[test]
fn a_redirect_does_not_open_files() {
    let folder = Folder::new();
    let secret = folder.write("secret.html", format!("<p>{STORY}"));
    let location = format!("Location: file://{secret}");
    let server = Server::start(move |path, _| match path {
        "/" => answer("302 Found", &[&location], b""),
        _ => answer("404 Not Found", &[], b""),
    });
    fails(&["extract", &server.url("/")], "scheme \"file\" is not supported");
}

#[test]
fn private_addresses_are_refused_unless_allowed() {
    let server = Server::start(|_, _| answer("200 OK", &["Content-Type: text/html"], &page()));
    for (url, host) in [
        (server.url("/"), "address refused"),
        (server.url("/").replace("127.0.0.1", "localhost"), "host localhost refused"),
        (server.url("/").replace("127.0.0.1", "0x7f.1"), "address refused"),
    ] {
        for command in ["extract", "explain"] {
            let run = run::tamis(&[command, &url], "");
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
            assert!(run.err.contains(host), "{}", run.err);
            assert!(
                run.err.contains("is a private address; pass --allow-private to fetch it"),
                "{}",
                run.err
            );
        }
    }
    assert!(server.requests().is_empty());
}

#[test]
fn what_the_server_refuses_is_named() {
    let server = Server::start(|path, _| match path {
        "/gone" => answer("404 Not Found", &["Content-Type: text/html"], &page()),
        "/secret" => answer("403 Forbidden", &[], b""),
        "/unwelcome" => answer("999 Request denied", &["Content-Type: text/html"], &page()),
        "/empty" => answer("204 No Content", &[], b""),
        "/same" => answer("304 Not Modified", &[], b""),
        "/often" => answer("429 Too Many Requests", &["Retry-After: 120"], b""),
        _ => answer("503 Service Unavailable", &[], b""),
    });
    fails(&["extract", &server.url("/gone")], "404 Not Found; check the URL");
    fails(&["extract", &server.url("/secret")], "403 Forbidden; it does not serve this page to programs");
    fails(
        &["extract", &server.url("/often")],
        "429 Too Many Requests; too many requests: wait 120 s, then try again",
    );
    fails(&["extract", &server.url("/unwelcome")], "999 (not a standard status); it does not serve");
    fails(&["extract", &server.url("/empty")], "204 No Content; it has no page at this URL");
    fails(&["extract", &server.url("/same")], "304 Not Modified; it sends no page");
    let run = fails(&["extract", &server.url("/busy")], "503 Service Unavailable; try again later");
    assert!(run.err.contains(&server.url("/busy")));
}

#[test]
fn packed_answers_are_unpacked() {
    let server = Server::start(|_, _| {
        answer("200 OK", &["Content-Type: text/html", "Content-Encoding: gzip"], &gzip(&page()))
    });
    assert!(tamis(&["extract", &server.url("/")]).out.contains(STORY));
}

#[test]
fn an_answer_that_is_too_large_is_refused_packed_or_not() {
    let server = Server::start(|path, _| {
        let large = page().repeat(100);
        match path {
            "/packed" => answer("200 OK", &["Content-Encoding: gzip"], &gzip(&large)),
            _ => answer("200 OK", &[], &large),
        }
    });
    for path in ["/", "/packed"] {
        fails(
            &["extract", "--max-bytes", "5000", &server.url(path)],
            "more than 5000 bytes: raise --max-bytes",
        );
    }
}

#[test]
fn a_server_that_stalls_is_left() {
    let server = Server::start(|path, stalls| {
        *stalls = true;
        match path {
            "/nothing" => Vec::new(),
            _ => b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<p>half".to_vec(),
        }
    });
    for path in ["/nothing", "/half"] {
        let begin = Instant::now();
        fails(
            &["extract", "--fetch-timeout", "0.3", &server.url(path)],
            "within 0.3 s: raise --fetch-timeout",
        );
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn what_is_no_page_is_not_loaded() {
    let server = Server::start(|path, _| match path {
        "/a.png" => answer("200 OK", &["Content-Type: image/png"], b"\x89PNG\r\n\x1A\n"),
        _ => answer("200 OK", &["Content-Type: text/html"], b"%PDF-1.7 and so on"),
    });
    fails(&["extract", &server.url("/a.png")], "it is image/png, not a web page");
    fails(&["extract", &server.url("/a.pdf")], "looks like a PDF document, not a web page");
}

#[test]
fn a_broken_off_answer_is_an_error_and_not_half_a_page() {
    let server = Server::start(|_, _| b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<p>half".to_vec());
    fails(&["extract", &server.url("/")], "cannot fetch");
    let server = Server::start(|_, _| b"SSH-2.0-OpenSSH\r\n".to_vec());
    fails(&["extract", &server.url("/")], "cannot fetch");
}

#[test]
fn a_server_without_tls_is_called_that() {
    let server = Server::start(|_, _| answer("400 Bad Request", &[], b"no"));
    let url = server.url("/").replace("http://", "https://");
    fails(&["extract", &url], "try http://");
}

#[test]
fn passwords_are_sent_and_not_told() {
    let server = Server::start(|path, _| match path {
        "/gone" => answer("404 Not Found", &[], b""),
        _ => answer("200 OK", &["Content-Type: text/html"], &page()),
    });
    let with_password = |path: &str| server.url(path).replace("http://", "http://me:secret@");
    let run = tamis(&["extract", "--format", "json", &with_password("/")]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(server.requests()[0].to_ascii_lowercase().contains("authorization: basic"));
    assert!(!run.out.contains("secret") && !run.err.contains("secret"), "{}", run.out);
    let run = fails(&["extract", &with_password("/gone")], "404");
    assert!(!run.err.contains("secret"), "{}", run.err);
    let run = fails(&["extract", "ftp://me:secret@example.com/a"], "only http:// and https://");
    assert!(!run.err.contains("secret"), "{}", run.err);
}

#[test]
fn addresses_that_are_none_say_why() {
    fails(&["extract", "http://"], "cannot fetch http://: empty host");
    fails(&["extract", "http://127.0.0.1:port/"], "invalid port number");
    fails(&["extract", "ftp://example.com/page.html"], "only http:// and https:// are supported");
    fails(&["extract", "file:///home/me/page.html"], "name the file without file:// (/home/me/page.html)");
    // Names under .invalid are never given to anybody.
    fails(
        &["extract", "--fetch-timeout", "5", "http://bücher.invalid/"],
        "cannot fetch http://bücher.invalid/",
    );
    fails(&["extract", "http://127.0.0.1:9/"], "check the URL and the network");
}

#[test]
fn paths_may_have_any_characters() {
    let server = Server::start(|_, _| answer("200 OK", &["Content-Type: text/html"], &page()));
    assert_eq!(tamis(&["extract", &server.url("/a b/中?q=ü")]).code, 0);
    assert!(server.requests()[0].starts_with("GET /a%20b/%E4%B8%AD?q=%C3%BC "));
}

#[test]
fn other_commands_fetch_too() {
    let server = Server::start(|_, _| answer("200 OK", &["Content-Type: text/html"], &page()));
    let run = tamis(&["explain", &server.url("/")]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("The ferry runs"));
    let run = tamis(&["tree", &server.url("/")]);
    assert!(run.code == 0 && run.out.contains("<title>"), "{}", run.err);
}
