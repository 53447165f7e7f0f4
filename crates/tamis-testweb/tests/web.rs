//! The servers' pages agree with the truth.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tamis_testweb::{Kind, Settings, Story, Web};

/// Status, head and body of a page, with extra request headers.
fn get_with(url: &str, headers: &str) -> (u16, String, Vec<u8>) {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n").unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return (0, String::new(), bytes);
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    (head[9..12].parse().unwrap(), head, bytes[end + 4..].to_vec())
}

fn get(url: &str) -> (u16, String) {
    let (status, _, body) = get_with(url, "");
    (status, String::from_utf8_lossy(&body).into_owned())
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap()
}

fn stories(web: &Web, kind: Kind) -> Vec<&Story> {
    web.truth().iter().filter(|story| story.kind == kind).collect()
}

#[test]
fn every_story_is_served_as_the_truth_says() {
    let web = Web::start(Settings { slowness: Duration::ZERO, stories: 300, ..Settings::default() });
    assert_eq!((web.truth().len(), web.seeds().len()), (300, 30));
    let markers: HashSet<&String> =
        web.truth().iter().flat_map(|story| [&story.marker].into_iter().chain(&story.part_markers)).collect();
    assert_eq!(
        markers.len(),
        300 + 2 * stories(&web, Kind::Parts).iter().filter(|story| story.parts == 3).count()
    );
    for story in web.truth().iter().filter(|story| story.kind != Kind::Limited) {
        if story.kind == Kind::Failing {
            assert_eq!(get(&story.url).0, 500);
        }
        let (status, page) = get(&story.url);
        assert_eq!(status, 200, "{}", story.url);
        for text in [&story.marker, &story.title, &story.published, &story.author, story.boilerplate] {
            assert!(page.contains(text), "{} lacks {text}", story.url);
        }
        for (part, marker) in story.part_markers.iter().enumerate() {
            assert!(get(&format!("{}?page={}", story.url, part + 2)).1.contains(marker));
        }
        let comments = story.comment_page.as_ref().map_or(page.clone(), |url| get(url).1);
        assert!(
            story.comments.iter().all(|(author, text)| comments.contains(author) && comments.contains(text))
        );
        for url in story.copies.iter().filter(|_| story.kind == Kind::Copies || story.kind == Kind::Plain) {
            assert!(
                get(url).1.contains(&format!("<link rel=\"canonical\" href=\"{}\">", story.url)),
                "{url}"
            );
        }
        assert!(story.duplicates.iter().all(|url| get(url).1 == page && !page.contains("canonical")));
    }
}

#[test]
fn following_the_links_of_listings_feeds_and_sitemaps_reaches_every_allowed_story() {
    let kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Kind::Limited | Kind::Slow | Kind::RobotsHangs))
        .collect();
    let web = Web::start(Settings::of(&kinds, 1_500));
    for kind in kinds {
        let base = web.base(kind).unwrap();
        let mut lists = vec!["/".to_owned(), "/feed.xml".into(), "/atom.xml".into(), "/feed.json".into()];
        lists.extend((1..3).map(|part| format!("/sitemaps/{part}.{}", ["", "txt", "news.xml"][part])));
        for section in ["world", "business", "culture", "sport"] {
            lists.push(format!("/{section}/"));
            lists.extend((2..6).map(|page| format!("/{section}/page/{page}/")));
        }
        let mut text: String = lists.iter().map(|path| get(&format!("{base}{path}")).1).collect();
        let packed = get_with(&format!("{base}/sitemaps/0.xml.gz"), "").2;
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).ok();
        for story in stories(&web, kind).into_iter().filter(|story| story.allowed) {
            let mut addresses = std::iter::once(&story.url).chain(&story.copies);
            assert!(
                addresses.any(|url| text.contains(url.strip_prefix(base).unwrap_or(url))),
                "{}",
                story.url
            );
        }
    }
}

#[test]
fn changed_stories_have_new_validators_and_unchanged_ones_answer_304() {
    let web = Web::start(Settings { change_on_refetch: false, ..Settings::of(&[Kind::Changing], 8) });
    let story = &web.truth()[0];
    let (_, head, first) = get_with(&story.url, "");
    for condition in [
        format!("If-None-Match: {}\r\n", header(&head, "ETag")),
        format!("If-Modified-Since: {}\r\n", header(&head, "Last-Modified")),
    ] {
        assert_eq!(get_with(&story.url, &condition).0, 304);
    }
    web.publish_revisions();
    let (status, _, second) = get_with(&story.url, &format!("If-None-Match: {}\r\n", header(&head, "ETag")));
    let update = story.update.clone().unwrap();
    let has_update = |body: &[u8]| String::from_utf8_lossy(body).contains(&update);
    assert_eq!((status, has_update(&first), has_update(&second)), (200, false, true));
    let conditional: Vec<bool> = web.log().iter().map(|hit| hit.conditional).collect();
    assert_eq!(conditional, [false, true, true, true]);
}

#[test]
fn refusals_delays_and_silence_are_in_the_log() {
    let kinds = [Kind::Limited, Kind::Slow, Kind::RobotsHangs];
    let settings = Settings {
        hang: Duration::from_millis(60),
        slowness: Duration::from_millis(60),
        ..Settings::of(&kinds, 30)
    };
    let web = Web::start(settings);
    let limited = format!("{}/", web.base(Kind::Limited).unwrap());
    let statuses: Vec<u16> = (0..17).map(|_| get(&limited).0).collect();
    assert!(
        statuses[..10].iter().all(|status| *status == 200) && statuses[10..16].contains(&429),
        "{statuses:?}"
    );
    assert_eq!(statuses[16], 503);
    assert!(!web.ignored_retry_after().is_empty());
    web.clear_log();
    for (kind, path, expected) in [(Kind::Slow, "/", 200), (Kind::RobotsHangs, "/robots.txt", 0)] {
        let start = Instant::now();
        assert_eq!(get(&format!("{}{path}", web.base(kind).unwrap())).0, expected);
        let hit = web.log().pop().unwrap();
        assert!(
            start.elapsed().as_millis() >= 60 && hit.end_ms - hit.start_ms >= 59 && hit.status == expected
        );
    }
}

#[test]
fn the_bomb_unpacks_to_a_gigabyte_and_the_endless_page_does_not_outlive_its_reader() {
    let web = Web::start(Settings::of(&[Kind::Hostile], 8));
    let base = web.base(Kind::Hostile).unwrap();
    let bomb = get_with(&format!("{base}/odd/bomb.html"), "").2;
    assert!(bomb.len() < 2 << 20);
    let unpacked =
        std::io::copy(&mut flate2::read::GzDecoder::new(bomb.as_slice()).take(2 << 30), &mut std::io::sink());
    assert!(unpacked.is_err(), "the checksum is wrong on purpose");
    let mut reader = flate2::read::GzDecoder::new(bomb.as_slice()).take(1 << 30);
    assert_eq!(std::io::copy(&mut reader, &mut std::io::sink()).unwrap(), 1 << 30);
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(b"GET /odd/endless.html HTTP/1.1\r\n\r\n").unwrap();
    stream.read_exact(&mut vec![0; 1 << 20]).unwrap();
    drop(stream);
    drop(web); // Joins the threads: hangs if one of them still writes.
}
