//! What must not happen: fetching from inside, script in answers.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

mod common;

use common::{answer, config, start};
use serde_json::json;
use tamis_serve::Config;

/// The lines of a data file, without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_way_leads_to_an_internal_address() {
    // Answers everything; nothing may reach it.
    let inner = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = inner.local_addr().unwrap().port().to_string();
    let server = start(Config { allow_fetch: true, ..config() }).await;
    let mut count = 0;
    for line in lines(include_str!("data/internal.txt")) {
        let url = line.replace("PORT", &port);
        let (status, kind, text) = answer(server.post_json("/v1/read", &json!({"url": url}))).await;
        assert_eq!(kind, "application/problem+json", "{url}");
        // Not every system knows every name of its own.
        let is_unknown = status == 502 && text.contains("cannot resolve");
        assert!(matches!(status, 400 | 403) || is_unknown, "{url}: {text}");
        count += 1;
    }
    assert!(count >= 60, "{count}");
    let accepted = tokio::time::timeout(std::time::Duration::from_millis(100), inner.accept()).await;
    assert!(accepted.is_err(), "something connected");
}

/// Every page of `smuggle.txt`, with its name.
fn smuggled() -> Vec<(String, String)> {
    let text = include_str!("data/smuggle.txt");
    let mut entries = text.split("\n=== ").skip(1).map(|entry| entry.split_once('\n').unwrap());
    let (name, template) = entries.next().unwrap();
    assert_eq!(name, "template");
    entries.map(|(name, part)| (name.to_owned(), template.replace("@@@", part))).collect()
}

const INERT_ELEMENTS: &str = "html head meta title body article section div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code \
    table caption thead tbody tfoot tr th td figure figcaption img a em strong b i u s sub sup br hr span time cite q small mark \
    del ins kbd samp var abbr details summary ruby rt rp bdi bdo header footer main aside";

const INERT_ATTRIBUTES: &str = "lang dir class id href src alt title charset name content colspan rowspan start scope datetime width height cite rel value type reversed property";

#[tokio::test(flavor = "multi_thread")]
async fn smuggled_script_does_not_come_back() {
    let server = start(config()).await;
    let pages = smuggled();
    assert!(pages.len() >= 40);
    for (name, page) in pages {
        for query in ["", "&hidden=keep&recall=true", "&method=density"] {
            let path =
                format!("/v1/extract?with=links,images,comments,metadata&url=https://example.com/a{query}");
            let (status, _, html) =
                answer(server.post(&path, page.clone()).header("accept", "text/html")).await;
            assert_eq!(status, 200, "{name}: {html}");
            assert!(!query.is_empty() || html.contains("The new bridge over the harbour"), "{name}: {html}");
            check(&name, &html);
        }
    }
}

/// Parses the answer as a browser does and looks at every element and attribute.
fn check(name: &str, html: &str) {
    let dom = tamis_html::parse(html);
    for node in dom.descendants() {
        let Some(element) = node.name() else { continue };
        let element = element.to_ascii_lowercase();
        // Browsers load nothing for it.
        if element == "link" && node.attribute("rel").as_deref() == Some("canonical") {
            continue;
        }
        assert!(
            INERT_ELEMENTS.split_ascii_whitespace().any(|it| it == element),
            "{name}: <{element}> in {html}"
        );
        for attribute in node.attributes() {
            let (key, value) =
                (attribute.name().to_ascii_lowercase(), attribute.value().to_ascii_lowercase());
            assert!(INERT_ATTRIBUTES.split_ascii_whitespace().any(|it| it == key), "{name}: {key} in {html}");
            assert!(key != "http-equiv", "{name}: {html}");
            if matches!(key.as_str(), "href" | "src" | "cite") {
                let plain: String =
                    value.chars().filter(|it| !it.is_ascii_whitespace() && !it.is_control()).collect();
                let is_safe = ["http://", "https://", "mailto:", "#", "/", "data:image/gif;base64,"]
                    .iter()
                    .any(|it| plain.starts_with(it));
                assert!(is_safe, "{name}: {key}={value} in {html}");
            }
        }
    }
}
