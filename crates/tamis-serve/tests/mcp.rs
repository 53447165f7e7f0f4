//! The tools, called by a real client over a pipe and over HTTP.

#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

mod common;

use common::{PAGE, config, start};
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ServiceExt, model::JsonObject};
use serde_json::{Value, json};
use tamis_corpus::{Corpus, Draft, save_story};
use tamis_serve::{AppState, Config, Tools};

fn object(value: Value) -> JsonObject {
    value.as_object().unwrap().clone()
}

/// The text of a tool's answer, and whether it is an error.
async fn call(
    client: &RunningService<RoleClient, ()>,
    tool: &'static str,
    arguments: Value,
) -> (String, bool) {
    let asked = CallToolRequestParams::new(tool).with_arguments(object(arguments));
    let answer = client.call_tool(asked).await.unwrap();
    let text =
        answer.content.iter().filter_map(|part| part.as_text()).map(|part| part.text.as_str()).collect();
    (text, answer.is_error == Some(true))
}

async fn names(client: &RunningService<RoleClient, ()>) -> Vec<String> {
    let mut names: Vec<String> =
        client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.to_string()).collect();
    names.sort();
    names
}

/// A corpus with one story.
fn corpus(folder: &std::path::Path) -> tamis_corpus::database::Target {
    let target = folder.join("corpus.db").display().to_string().parse().unwrap();
    let mut draft = Draft::new("https://example.com/rain");
    draft.text = "It rained in the harbour on Monday.\n".to_owned();
    draft.title = Some("Rain at last".to_owned());
    let mut corpus = Corpus::open_or_create(&target).unwrap();
    corpus.transaction(|tx| save_story(tx, &draft, 1_000)).unwrap();
    target
}

async fn check(client: &RunningService<RoleClient, ()>) {
    let (text, is_error) = call(client, "extract_html", json!({"html": PAGE, "links": true})).await;
    assert!(!is_error && text.contains("# Rain at last") && text.contains("[council]"), "{text}");
    assert!(!text.contains("About us"), "{text}");
    let (text, _) = call(client, "extract_html", json!({"html": PAGE, "format": "json"})).await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["title"], "Rain at last");
    let (text, is_error) = call(client, "extract_html", json!({"html": PAGE, "format": "pdf"})).await;
    assert!(is_error && text.contains("give markdown"), "{text}");
    let (text, _) = call(client, "explain", json!({"html": PAGE})).await;
    let explained: Value = serde_json::from_str(&text).unwrap();
    assert!(explained["blocks"].as_array().unwrap().iter().any(|block| block["kept"] == true), "{text}");
    assert_eq!(explained["left_out"], json!([]));
    let long = format!("<title>{}</title>{}", "t".repeat(10_000), "<p>It rained in the harbour.".repeat(400));
    for (asked, first, count) in [(json!({}), 0, 100), (json!({"from": 350, "limit": 9000}), 350, 50)] {
        let mut asked = asked;
        asked["html"] = json!(long);
        let (text, _) = call(client, "explain", asked).await;
        let explained: Value = serde_json::from_str(&text).unwrap();
        let blocks = explained["blocks"].as_array().unwrap();
        assert_eq!((blocks[0]["index"].as_u64(), blocks.len()), (Some(first), count));
        let left_out = format!("{} of 400 blocks: ask for others with from and limit", 400 - count);
        assert!(
            explained["left_out"] == json!([left_out]) && text.len() < 200_000,
            "{}",
            explained["left_out"]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_over_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let app =
        AppState::new(Config { db: Some(corpus(folder.path())), allow_fetch: true, ..config() }).unwrap();
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { Tools::new(app).serve(ours).await.unwrap().waiting().await });
    let client = ().serve(theirs).await.unwrap();
    assert_eq!(names(&client).await, ["explain", "extract_html", "read_url", "search_corpus"]);
    check(&client).await;
    let (text, _) = call(&client, "search_corpus", json!({"query": "harbour", "limit": 3})).await;
    assert!(text.contains("https://example.com/rain"), "{text}");
    let (text, is_error) = call(&client, "read_url", json!({"url": "http://127.0.0.1:1/"})).await;
    assert!(is_error && text.contains("refused"), "{text}");
    client.cancel().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_over_http() {
    let server = start(config()).await;
    let client = ().serve(StreamableHttpClientTransport::from_uri(server.url("/mcp"))).await.unwrap();
    assert_eq!(names(&client).await, ["explain", "extract_html"]);
    check(&client).await;
    let asked =
        CallToolRequestParams::new("read_url").with_arguments(object(json!({"url": "http://example.com/"})));
    assert!(client.call_tool(asked).await.is_err());
    client.cancel().await.unwrap();
}
