//! HTTP client that checks every address.
