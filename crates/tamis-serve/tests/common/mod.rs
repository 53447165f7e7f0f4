//! A server in this process, and a client for it.

#![allow(dead_code, reason = "each test file uses a part")]

use std::net::SocketAddr;
use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use tamis_serve::{Config, Limits, Server};

/// A page with a text that is kept, a link, and what is not.
pub(crate) const PAGE: &str = "<title>Rain - The Paper</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>Rain at last</h1>\
    <p>It rained in the harbour on Monday, and it poured on Tuesday, so that the ferries stayed at the pier.</p>\
    <p>On Wednesday the <a href=/council>council</a> met, and its members spoke about the old bridge, which had been closed.</p>\
    </article><footer><a href=/about>About us</a></footer>";

pub(crate) struct Running {
    pub(crate) addr: SocketAddr,
    pub(crate) client: Client,
}

/// A configuration on a free port, without log lines.
pub(crate) fn config() -> Config {
    Config { addr: SocketAddr::from(([127, 0, 0, 1], 0)), log: false, ..Config::default() }
}

pub(crate) fn limited(limits: Limits) -> Config {
    Config { limits, ..config() }
}

pub(crate) async fn start(config: Config) -> Running {
    let server = Server::bind(config).await.unwrap();
    let addr = server.local_addr();
    tokio::spawn(server.run(std::future::pending()));
    // reqwest brings none. Fails if another test was faster.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
    Running { addr, client }
}

impl Running {
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(self.url(path))
    }

    pub(crate) fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
        self.client.post(self.url(path)).body(body)
    }

    pub(crate) fn post_json(&self, path: &str, json: &serde_json::Value) -> RequestBuilder {
        self.post(path, json.to_string()).header("content-type", "application/json")
    }
}

/// Status, content type and text.
pub(crate) async fn answer(request: RequestBuilder) -> (u16, String, String) {
    let response = request.send().await.unwrap();
    let content_type = response.headers().get("content-type").map(|it| it.to_str().unwrap().to_owned());
    (response.status().as_u16(), content_type.unwrap_or_default(), response.text().await.unwrap())
}
