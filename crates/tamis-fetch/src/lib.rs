//! HTTP client that checks every address. All of Tamis's requests to the web use it.
//!
//! - Only `http` and `https`. Private, loopback, link-local and other internal addresses are refused, before every
//!   request and after name resolution, so the address that was checked is the one connected to.
//! - Everything is bounded: time, URL length, redirects, body bytes before and after decompression. Headers have the
//!   limits of hyper: 100 fields and about 400 KiB.
//! - No proxies, cookies or referrers. Credentials in a URL are sent with the first request only and never shown.
//!
//! Futures need a tokio runtime with I/O and time enabled.

mod address;
mod client;
mod encoding;
mod error;
mod request;
mod response;

pub use address::{is_public, without_credentials};
pub use client::{Client, Settings};
pub use error::Error;
pub use request::{Accept, Request};
pub use response::Response;
pub use url::Url;
