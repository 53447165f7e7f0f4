//! The routes as clients see them: formats, options, problems, access, batches, tools.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{PAGE, answer, config, limited, start};
use serde_json::{Value, json};
use tamis_batch::{Fields, Html, PageIn, RecordField, Work, WorkOptions};
use tamis_serve::{Config, Limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_answered_in_the_accepted_format() {
    let server = start(config()).await;
    for (accept, content_type, part) in [
        ("text/plain", "text/plain; charset=utf-8", "It rained in the harbour"),
        ("text/markdown", "text/markdown; charset=utf-8", "# Rain at last\n"),
        ("text/html", "text/html; charset=utf-8", "<h1>Rain at last</h1>"),
        ("application/json", "application/json", "\"title\":\"Rain at last\""),
        ("application/xml", "application/xml; charset=utf-8", "<?xml"),
        ("application/tei+xml", "application/tei+xml; charset=utf-8", "<TEI"),
        ("image/png, text/*;q=0.5", "text/plain; charset=utf-8", "It rained"),
    ] {
        let (status, kind, text) = answer(server.post("/v1/extract", PAGE).header("accept", accept)).await;
        assert_eq!((status, kind.as_str()), (200, content_type), "{accept}: {text}");
        assert!(text.contains(part) && !text.contains("About us"), "{accept}: {text}");
    }
    let response = server.post("/v1/extract", PAGE).header("accept", "text/html").send().await.unwrap();
    assert_eq!(response.headers()["content-security-policy"], "sandbox; default-src 'none'");
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    let (status, kind, text) = answer(server.post("/v1/extract", PAGE).header("accept", "image/png")).await;
    assert_eq!((status, kind.as_str()), (406, "application/problem+json"));
    assert!(text.contains("text/markdown"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_those_of_the_library() {
    let server = start(config()).await;
    let url = "https://www.example.com/rain";
    let names: Vec<&str> = RecordField::ALL.iter().map(|field| field.name()).collect();
    let work = Work::new(WorkOptions { fields: Fields::ALL, ..WorkOptions::default() });
    for page in ["harbour-news", "chinese-news", "uyghur-forum"] {
        let html = std::fs::read_to_string(format!("../../examples/{page}.html")).unwrap();
        let record = work.extract(&PageIn { url: Some(url), ..PageIn::of(Html::Text(&html)) });
        let asked = json!({"html": html, "url": url, "fields": names.join(",")});
        let (_, _, text) = answer(server.post_json("/v1/extract", &asked)).await;
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(read(&text), read(&record.to_json(Fields::ALL)), "{page}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn options_stand_in_the_query_or_in_json() {
    let server = start(config()).await;
    let url = "https://www.example.com/rain";
    let markdown = |request: reqwest::RequestBuilder| answer(request.header("accept", "text/markdown"));
    let (_, _, in_query) = markdown(
        server.post("/v1/extract?with=links,metadata&headline=never&url=https://www.example.com/rain", PAGE),
    )
    .await;
    let options = json!({"html": PAGE, "url": url, "with": ["links", "metadata"], "headline": "never"});
    let (_, _, in_json) = markdown(server.post_json("/v1/extract", &options)).await;
    assert_eq!(in_query, in_json);
    assert!(in_json.contains("[council](https://www.example.com/council)"), "{in_json}");
    let asked =
        json!({"html": PAGE, "id": "7", "url": url, "fields": "id,host,title,method", "method": "svm"});
    let (_, _, text) = answer(server.post_json("/v1/extract", &asked)).await;
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        record,
        json!({"id": "7", "host": "www.example.com", "title": "Rain at last", "method": "svm"})
    );
    let (_, _, text) = answer(server.post("/v1/extract?fields=title&chunks=4tokens", PAGE)).await;
    let record: Value = serde_json::from_str(&text).unwrap();
    assert!(record["chunks"].as_array().unwrap().len() > 2, "{text}");
    let rules = "[[site]]\nhost = \"example.com\"\nkeep = [\"footer\"]\n";
    let asked = json!({"html": PAGE, "url": url, "rules": rules, "fields": "text"});
    let (_, _, text) = answer(server.post_json("/v1/extract", &asked)).await;
    assert!(text.contains("About us"), "{text}");
    let gbk = b"<p>\xD6\xD0\xB9\xFA\xC8\xCB\xC3\xF1\xB4\xF3\xD1\xA7\xA3\xAC\xD4\xDA\xB1\xB1\xBE\xA9\xB3\xC7\xA1\xA3";
    let request =
        server.post("/v1/extract?recall=true", &gbk[..]).header("content-type", "text/html; charset=gbk");
    assert!(answer(request.header("accept", "text/plain")).await.2.contains("中国人民大学"));
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_say_what_to_do() {
    let limits = Limits { max_bytes: 2_000, ..Limits::default() };
    let server = start(limited(limits)).await;
    let long = "x".repeat(2_001);
    for (path, body, status, part) in [
        ("/v1/extract?method=magic", PAGE, 400, "the methods are fused"),
        ("/v1/extract?colour=red", PAGE, 400, "unknown field `colour`"),
        ("/v1/extract?precision=true&recall=true", PAGE, 400, "not both"),
        ("/v1/extract?with=everything", PAGE, 400, "give links, images, comments or metadata"),
        ("/v1/extract?fields=colour", PAGE, 400, "the fields are schema"),
        ("/v1/extract?encoding=klingon", PAGE, 400, "windows-1251"),
        ("/v1/extract?chunks=some", PAGE, 400, "such as 2000 or 200tokens"),
        ("/v1/extract?precision", PAGE, 400, "query: precision: provided string was not"),
        ("/v1/extract?fetched=soon", PAGE, 400, "2010-12-15"),
        ("/v1/extract?timeout=0", PAGE, 400, "over 0"),
        ("/v1/extract?bias=2", PAGE, 400, "from -1 to 1"),
        ("/v1/extract?html=x", PAGE, 400, "JSON body"),
        ("/v1/extract", "%PDF-1.7", 422, "PDF"),
        ("/v1/extract", &long, 413, "--max-bytes"),
        ("/v1/read", "{}", 403, "--allow-fetch"),
        ("/v1/explain", "{\"url\": \"https://example.com/\"}", 403, "--allow-fetch"),
        ("/v1/explain", "{}", 400, "html"),
        ("/v1/nothing", "", 404, "/openapi.json"),
        ("/health", "", 405, "/openapi.json"),
    ] {
        let (answered, kind, text) = answer(server.post(path, body.to_owned())).await;
        assert_eq!((answered, kind.as_str()), (status, "application/problem+json"), "{path}: {text}");
        let problem: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().unwrap().contains(part), "{path}: {text}");
    }
    let packed = answer(server.post("/v1/extract", "x").header("content-encoding", "gzip")).await;
    assert!(packed.0 == 415 && packed.2.contains("gzip"), "{packed:?}");
    for body in [json!({}), json!({"html": 5}), json!({"html": "x", "colour": 1}), json!(["x"])] {
        assert_eq!(answer(server.post_json("/v1/extract", &body)).await.0, 400, "{body}");
    }
    let broken = json!({"html": PAGE, "url": "https://example.com/", "rules": "[[site]\n"});
    let (status, _, text) = answer(server.post_json("/v1/extract", &broken)).await;
    assert!(status == 400 && text.contains("line 1"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_clients_with_the_token_are_served_and_only_by_known_names() {
    let token = "0123456789abcdef-token";
    let allow_host = vec!["tamis.example".to_owned()];
    let with_token = start(Config { token: Some(Arc::from(token)), allow_host, ..config() }).await;
    for (authorization, status) in [
        (None, 401),
        (Some("Bearer wrong".to_owned()), 401),
        (Some(format!("Basic {token}")), 401),
        (Some(format!("Bearer {token}x")), 401),
        (Some(format!("bearer {token}")), 200),
    ] {
        let mut request = with_token.get("/v1/config");
        if let Some(authorization) = &authorization {
            request = request.header("authorization", authorization);
        }
        assert_eq!(answer(request).await.0, status, "{authorization:?}");
    }
    assert_eq!(answer(with_token.get(&format!("/v1/config?token={token}"))).await.0, 401);
    for path in ["/health", "/ready", "/", "/api", "/openapi.json"] {
        assert_eq!(answer(with_token.get(path)).await.0, 200, "{path}");
    }
    for path in ["/metrics", "/version", "/mcp", "/v1/anything"] {
        assert_eq!(answer(with_token.get(path)).await.0, 401, "{path}");
    }
    assert_eq!(answer(with_token.get("/health").header("host", "tamis.example")).await.0, 200);

    let open = start(config()).await;
    for (name, value, status) in [
        ("host", "localhost:8723", 200),
        ("host", "[::1]", 200),
        ("host", "127.0.0.2:80", 200),
        ("host", "evil.example", 403),
        ("host", "127.0.0.1.evil.example", 403),
        ("host", "169.254.169.254", 403),
        ("origin", "http://evil.example", 403),
        ("origin", "null", 403),
        ("origin", &open.url(""), 200),
    ] {
        assert_eq!(answer(open.get("/v1/config").header(name, value)).await.0, status, "{name}: {value}");
    }
    let outside = Config { addr: ([0, 0, 0, 0], 0).into(), ..config() };
    assert!(outside.check().unwrap_err().to_string().contains("needs a token"));
    assert!(Config { token: Some(Arc::from("short")), ..config() }.check().is_err());
    assert!(Config { allow_host: vec!["a.example".to_owned()], ..config() }.check().is_err());
    let little = Limits { max_memory: 1 << 20, ..Limits::default() };
    assert!(Config { limits: little, ..config() }.check().unwrap_err().to_string().contains("--max-bytes"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_answered_line_by_line_and_in_order() {
    let limits = Limits { max_bytes: 100_000, ..Limits::default() };
    let server = start(limited(limits)).await;
    let page = |id: usize| {
        json!({"id": id.to_string(), "html": PAGE.replace("Monday", &format!("day {id}"))}).to_string()
    };
    let mut lines: Vec<String> = (0..40).map(page).collect();
    lines[6] = json!({"id": 6, "html": PAGE.replace("Monday", "day 6")}).to_string();
    lines[7] = "no JSON".to_owned();
    lines[8] = json!({"id": "8", "url": "http://example.com/8"}).to_string();
    lines[9] = json!({"id": "9", "html": "x".repeat(100_000)}).to_string();
    lines[10] = json!({"id": "10", "html": PAGE, "method": "magic"}).to_string();
    lines[12] = json!({"id": "12", "html": PAGE, "colour": "red"}).to_string();
    lines.insert(11, " ".to_owned());
    let (status, kind, text) = answer(server.post("/v1/batch?fields=id,text,error", lines.join("\n"))).await;
    assert_eq!((status, kind.as_str()), (200, "application/x-ndjson"));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 40);
    for (id, row) in rows.iter().enumerate() {
        let said = match id {
            7 => "expected a JSON object",
            8 => "html is missing",
            9 => "--max-bytes",
            10 => "there is no method",
            12 => "unknown field `colour`",
            _ => {
                assert!(
                    row["error"].is_null() && row["text"].as_str().unwrap().contains(&format!("day {id},")),
                    "{row}"
                );
                continue;
            }
        };
        assert!(row["error"].as_str().unwrap().contains(said), "{row}");
    }
    for (id, row) in rows.iter().enumerate() {
        // Only what is no object, and what was too long to be read, has lost its name.
        let known = if [7, 9].contains(&id) { json!(null) } else { json!(id.to_string()) };
        assert_eq!((&row["id"], row.as_object().unwrap().len()), (&known, 3), "{row}");
    }
    let unasked = answer(server.post("/v1/batch?fields=id", "no JSON")).await.2;
    assert!(unasked.starts_with("{\"id\":null,\"error\":\"expected"), "{unasked}");
    assert_eq!(answer(server.post("/v1/batch?method=magic", "")).await.0, 400);
}

/// A row comes back before the next line is sent.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_streamed() {
    let server = start(config()).await;
    let mut stream = tokio::net::TcpStream::connect(server.addr).await.unwrap();
    let head = "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    for number in 0..3 {
        let line = json!({"id": format!("row {number}"), "html": PAGE}).to_string() + "\n";
        stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).await.unwrap();
        let mut got = String::new();
        let mut buffer = [0; 4096];
        while !got.contains(&format!("\"row {number}\"")) {
            let read = tokio::time::timeout(Duration::from_secs(30), stream.read(&mut buffer))
                .await
                .unwrap()
                .unwrap();
            assert!(read > 0);
            got += &String::from_utf8_lossy(&buffer[..read]);
        }
    }
    // It is in flight, beside the request that asks.
    assert!(answer(server.get("/metrics")).await.2.contains("tamis_requests_in_flight 2\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn explanations_have_blocks_methods_and_metadata() {
    let server = start(config()).await;
    let (status, _, text) = answer(server.post("/v1/explain?methods=svm,fused&bias=-0.5", PAGE)).await;
    let explained: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, explained["page"]["bias"].as_f64()), (200, Some(-0.5)));
    let block = explained["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["text"].as_str().unwrap().contains("harbour"));
    let block = block.unwrap();
    assert!(block["kept"] == true && block["methods"]["svm"]["keep"].is_boolean(), "{block}");
    assert!(block["methods"]["density"].is_null());
    assert!(explained["metadata"].to_string().contains("Rain at last"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_says_how_it_is() {
    let server = start(config()).await;
    answer(server.post("/v1/extract?url=http://secret.example/", PAGE)).await;
    assert_eq!(answer(server.get("/health")).await.2, "ok\n");
    let (_, _, metrics) = answer(server.get("/metrics")).await;
    let line = "tamis_request_seconds_count{method=\"POST\",route=\"/v1/extract\",status=\"200\"} 1\n";
    assert!(metrics.contains(line) && !metrics.contains("secret"), "{metrics}");
    assert!(
        metrics.contains("tamis_body_bytes 0\n") && metrics.contains("tamis_pages_in_work 0\n"),
        "{metrics}"
    );
    let (_, _, said) = answer(server.get("/v1/config")).await;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["fetch"], &said["limits"]["timeout"]), (&json!(false), &json!(10.0)));
    let (_, _, document) = answer(server.get("/openapi.json")).await;
    let document: Value = serde_json::from_str(&document).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let references = document.to_string();
    for reference in references.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_for_people_run_no_foreign_code() {
    let server = start(config()).await;
    for path in ["/", "/api", "/assets/tamis.css", "/assets/api-page.js"] {
        let response = server.get(path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
        let text = response.text().await.unwrap();
        assert!(!text.contains("http://") && !text.contains("https://") || !path.ends_with("html"), "{path}");
    }
    assert_eq!(answer(server.get("/assets/..%2Fapi.html")).await.0, 404);
}
