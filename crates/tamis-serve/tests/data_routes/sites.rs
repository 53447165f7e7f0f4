use serde_json::json;
use tamis_serve::Config;

use crate::fixture;
use crate::harness::Running;

const FOOTER: &str = "Subscribe to our letter today.";

fn server() -> Running {
    Running::start(|folder, config| {
        let file = folder.join("sites.redb");
        fixture::site_memory(&file).unwrap();
        Config { sites: Some(file), ..config }
    })
}

#[test]
fn a_verdict_is_stored_and_wins_over_the_counts_at_once() {
    let server = server();
    let sites = server.get("/v1/sites").json();
    assert_eq!(
        (&sites["sites"][0]["key"], &sites["sites"][0]["pages"]),
        (&json!("gazette.example"), &json!(3))
    );
    let text = |server: &Running| server.get("/v1/sites/gazette.example").json()["texts"][0].clone();
    let footer = text(&server);
    assert_eq!(server.get("/v1/sites/www.gazette.example").json()["texts"][0], footer, "by its host");
    assert_eq!(
        (&footer["text"], &footer["dropped"], &footer["verdict"]),
        (&json!(FOOTER), &json!(true), &json!(null))
    );

    let words = "It was cold in the harbour, and the wind blew from the north for nine days in a row.";
    let page = json!({ "html": format!("<p>{words}</p><p>{FOOTER}</p>"), "url": "https://gazette.example/cold", "method": "lines" });
    let keeps =
        |server: &Running| server.send("POST", "/v1/extract", &page.to_string()).body.contains(FOOTER);
    assert!(!keeps(&server));
    let judge = |verdict: &str| {
        let body = format!("{{\"id\": {}, \"verdict\": {verdict}}}", footer["id"]);
        server.send("PUT", "/v1/sites/gazette.example/verdicts", &body).status
    };
    assert_eq!(judge("\"content\""), 204);
    assert_eq!((&text(&server)["dropped"], &text(&server)["verdict"]), (&json!(false), &json!("content")));
    assert!(keeps(&server), "the next request sees it");
    assert_eq!(server.get("/v1/sites").json()["sites"][0]["verdicts"], 1);
    assert_eq!(judge("null"), 204);
    assert_eq!(text(&server)["dropped"], true);
    assert!(!keeps(&server));
}

#[test]
fn bad_requests_say_what_to_change() {
    let server = server();
    let put = |key: &str, body: &str| server.send("PUT", &format!("/v1/sites/{key}/verdicts"), body);
    assert_eq!(put("gazette.example", r#"{"id": "0123456789abcdef", "verdict": "noise"}"#).status, 404);
    assert_eq!(put("gazette.example", r#"{"id": "../../etc", "verdict": "noise"}"#).status, 400);
    assert!((400..500).contains(&put("gazette.example", r#"{"id": 1, "verdict": "perhaps"}"#).status));
    assert_eq!(put("nowhere.example", r#"{"id": "0123456789abcdef", "verdict": "noise"}"#).status, 404);
    assert!(server.get("/v1/sites/nowhere.example").detail().contains("/v1/sites"));
}
